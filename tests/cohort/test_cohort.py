"""A folder of submissions graded in one run: who is graded, what is kept, what comes out."""
import contextlib
import io
import json
import re
import sqlite3
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

from grader.calling.limits import CAN_ISOLATE
from grader.cohort.made_up import made_up_names
from grader.cohort.store import Store
from grader.cohort.submitted import are_lasting
from grader.course.katas import ROOT
from grader.verdict.rows import Row
from tests.helpers.handed_in import graded, laid_out, scores
from tests.helpers.project import Project

KATAS = ("positional_formula", "similarity_matrix")
KATA = "katas/21_positional_formula"
pytestmark = pytest.mark.skipif(not CAN_ISOLATE, reason="processes are not forked here")


AFTER_A_WHILE = """
def after_a_while(function):
    def called(*args, **kwargs):
        global times
        times += 1
        return function(*args, **kwargs) * (-1) ** (times > 20)
    return called
frequencies, positional_encoding = after_a_while(frequencies), after_a_while(positional_encoding)
"""


def row(outcome, file_fault=None):
    return Row("test_a", outcome, file_fault=file_fault)


def make_room(project, folder):
    """Three submissions in a folder: all right, half right, empty."""
    wrong = project.solution("positional_formula").replace("np.cos(angles", "np.sin(angles")
    laid_out(folder, {f"Zo\u00eb/{kata}.py": project.solution(kata) for kata in KATAS}
             | {"bert/positional_formula.py": wrong})
    (folder / "empty").mkdir()
    return project, folder


def store_of(project):
    (store,) = (project.root / ".pytest_cache").rglob("cohort-*.sqlite")
    return store


@pytest.fixture
def room(project, tmp_path):
    """A project and a folder with three submissions."""
    return make_room(project, tmp_path / "collected")


# One run over such a folder, with things in it that are no submissions

@pytest.fixture(scope="module")
def once(tmp_path_factory):
    """The folder, what it held before, the report and the result of the run."""
    root = tmp_path_factory.mktemp("once")
    (root / "project").mkdir()
    project, folder = make_room(Project(root / "project", *KATAS), root / "collected")
    (folder / ".git").mkdir()
    (folder / "notes.txt").write_text("no folder", encoding="utf-8")
    (folder / "link").symlink_to(folder / "bert")
    before = set(folder.rglob("*"))
    report, result = graded(project, folder, "--seed=3", f"--gradebook={root}/marks.csv", f"--feedback={root}/feedback")
    return SimpleNamespace(project=project, folder=folder, before=before, report=report, result=result)


def test_every_folder_is_a_submission_and_every_check_has_its_row(once):
    assert scores(once.report) == {"Zo\u00eb": (50, 50), "bert": (9, 50), "empty": (0, 50)}
    submissions = once.report["submissions"]
    assert {len(kata["checks"]) for one in submissions for kata in one["katas"]} == {20, 30}
    assert {c["outcome"] for kata in submissions[2]["katas"] for c in kata["checks"]} == {"todo"}
    assert once.result.returncode == 1
    assert "Zo\u00eb" in once.result.stdout or "Zo\\xeb" in once.result.stdout


def test_mistakes_are_named_as_for_oneself(once):
    bert = once.report["submissions"][1]["katas"][0]
    assert {c["mistake"] for c in bert["checks"]} > {None}
    assert bert["status"] == "started"


def test_the_other_files_are_written_too_and_none_beside_the_submissions(once):
    marks = (once.folder.parent / "marks.csv").read_text(encoding="utf-8").splitlines()
    assert marks[0].startswith('"submission","positional_formula","similarity_matrix"')
    assert len(marks) == 4
    assert len(list((once.folder.parent / "feedback").iterdir())) == 3
    assert set(once.folder.rglob("*")) == once.before


def without_seconds(report):
    """The rows of a report, without the time that they took."""
    return [[c | {"seconds": 0} for c in kata["checks"]] for one in report["submissions"] for kata in one["katas"]]


def test_two_processes_find_what_one_finds(once):
    report, result = graded(once.project, once.folder, "--seed=3", "-p", "no:cacheprovider", "-n", "2")
    assert without_seconds(report) == without_seconds(once.report)
    assert result.returncode == 1


@pytest.mark.parametrize("options", [
    ("21", "-k", "position_zero", "-n", "2"), ("21::test_position_zero_is_zeros_and_ones",)], ids=repr)
def test_a_part_of_a_suite_solves_no_kata(once, options):
    report, result = graded(once.project, once.folder, "-p", "no:cacheprovider", *options)
    zoe = report["submissions"][0]
    assert 0 < zoe["passed"] == zoe["total"] < 20
    assert zoe["katas"][0]["status"] == "started"
    assert " 0 of 1 solved   Zo" in result.stdout


@pytest.mark.parametrize(("options", "line"), [
    (("--fresh", "-k", "shape"), "ERROR: --fresh grades the whole cohort again, so -k, -m and --deselect exclude it"),
    (("--lf",), "ERROR: --cohort and --lf cannot be used together"),
])
def test_what_would_grade_a_part_again_is_refused_and_empties_no_store(once, options, line):
    before = store_of(once.project).read_bytes()
    result = once.project.run(f"--cohort={once.folder}", *options)
    assert (result.stdout + result.stderr).strip() == line
    assert store_of(once.project).read_bytes() == before


@pytest.mark.parametrize("options", [[], ["--fresh"]], ids=repr)
def test_a_cohort_that_another_run_is_grading_is_refused(once, options):
    before = store_of(once.project).read_bytes()
    with contextlib.closing(sqlite3.connect(store_of(once.project))) as other:
        other.execute("BEGIN EXCLUSIVE")
        result = once.project.run(f"--cohort={once.folder}", *options)
    assert result.returncode == 4
    assert result.stderr.strip().endswith("another run is grading this folder")
    assert len(result.stderr.strip().splitlines()) == 1
    assert store_of(once.project).read_bytes() == before


# Several runs


def test_who_was_graded_before_makes_no_difference(project, tmp_path):
    right = project.solution("positional_formula")
    sources = [
        right + "\nown = 1\n",
        right.replace("np.sin(angles", "-np.sin(angles"),
        right.replace("np.sin(angles", "np.float64(1) * np.sin(angles"),
        right.replace("np.cos(angles", "(1 + 1e-15) * np.cos(angles"),
        right.replace("np.cos(angles", "(1 + 1e-15) * np.sin(angles"),
        right + "\ntimes = 0\n" + AFTER_A_WHILE,
        "import numpy as np\n\ndef frequencies(d_model, base=10000.0):\n    raise NotImplementedError\n",
        right.replace("def frequencies", "def other"),
    ]
    rows = []
    for number, order in enumerate((sources, sources[::-1])):
        folder = tmp_path / f"collected_{number}"
        laid_out(folder, {f"{place}/positional_formula.py": source for place, source in enumerate(order)})
        report, _ = graded(project, folder, "--seed=3", KATA)
        assert report["seed"] == 3
        rows.append([[c | {"message": (c["message"] or "").replace(one["source"], "")} for c in checks]
                     for one, checks in zip(report["submissions"], without_seconds(report), strict=True)])
    assert rows[0] == rows[1][::-1]
    assert [sum(c["outcome"] == "passed" for c in own) for own in rows[0]][:4:2] == [20, 20]
    assert {c["outcome"] for c in rows[0][5]} == {"passed", "failed"}


def test_the_same_file_gets_the_same_rows(project, tmp_path):
    right = project.solution("positional_formula")
    chance = right.replace("np.cos(angles", "np.random.default_rng().random() * np.cos(angles")
    folder = tmp_path / "collected"
    laid_out(folder, {f"{name}/positional_formula.py": chance + "# a file of its own\n" * (name == "third")
                      for name in ("one", "other", "third")})
    report, _ = graded(project, folder, "katas/21_positional_formula")
    one, other, third = ([c["message"] for kata in one["katas"] for c in kata["checks"]]
                         for one in report["submissions"])
    assert one == other
    assert one != third


@pytest.mark.parametrize("option", ["--isolated", "--submission={}", "--cohort={}"])
def test_a_system_that_protects_from_nothing_is_said_to(monkeypatch, tmp_path, option):
    (tmp_path / "somebody").mkdir()
    monkeypatch.setattr("grader.run.options.CAN_ISOLATE", False)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        pytest.main([f"--rootdir={ROOT}", "-p", "no:cacheprovider", option.format(tmp_path),
                     str(ROOT / "katas" / "11_order_blindness")])
    wanted = "Not protected from the graded code: this process, memory, the network, files that this user can read."
    assert wanted in printed.getvalue()


def test_a_second_run_grades_only_what_has_changed(room):
    project, folder = room
    first, result = graded(*room, KATA)
    assert "2 of 2 graded" in result.stdout
    again, result = graded(*room, KATA)
    assert " graded: " not in result.stdout
    assert again == first
    named, result = graded(*room, KATA, "--regrade=bert")
    assert "1 of 1 graded: bert" in result.stdout
    assert scores(named) == scores(first)
    laid_out(folder, {f"{name}/positional_formula.py": project.solution("positional_formula") + f"# {name}\n"
                      for name in ("bert", "empty")})
    changed, result = graded(*room, KATA)
    assert "2 of 2 graded" in result.stdout
    assert scores(changed) == dict.fromkeys(("Zo\u00eb", "bert", "empty"), (20, 20))
    assert result.returncode == 0
    assert named["seed"] == changed["seed"] == first["seed"]
    assert graded(*room, KATA)[1].returncode == 0
    everything, result = graded(*room, KATA, "--fresh")
    assert scores(everything) == scores(changed)
    assert everything["seed"] != first["seed"]
    assert "3 of 3 graded" in result.stdout


def changed(statement):
    """A function that changes what is written in a database."""
    def change(path):
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as database:
            assert database.execute(statement).rowcount
    return change


def with_bytes(edit):
    """A function that changes the bytes of a file."""
    return lambda path: path.write_bytes(edit(path.read_bytes()))


DAMAGE = {
    "no database": with_bytes(lambda content: b"no database" + content[11:]),
    "cut off": with_bytes(lambda content: content[:-5000]),
    "bytes of one page": with_bytes(lambda content: content[:4096] + bytes(range(256)) * 16 + content[8192:]),
    "more passed": with_bytes(lambda content: content.replace(b"failed", b"passed")),
    "another submission": changed("UPDATE kept SET submission = 'empty' WHERE submission = 'bert'"),
    "another seed": changed("UPDATE kept SET rows = '5' WHERE kata = 'seed'"),
    "bytes that are no text": changed("UPDATE kept SET rows = CAST(x'ff' AS TEXT) WHERE submission = 'bert'"),
    "another table": changed("ALTER TABLE kept RENAME COLUMN rows TO lines"),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_what_is_damaged_in_the_store_is_noticed_and_kept(tmp_path, kind):
    options, cache = SimpleNamespace(cohort=tmp_path, fresh=False, seed=None), SimpleNamespace(mkdir=lambda _: tmp_path)
    store = Store(cache, options)
    for name in ("bert", "Zo\u00eb"):
        store.add((name, "positional_formula"), "key", json.dumps([vars(row("failed"))] * 60))
    assert set(store.keys()) == {("", "seed"), ("bert", "positional_formula"), ("Zo\u00eb", "positional_formula")}
    store.database.close()
    (path,) = tmp_path.glob("cohort-*.sqlite")
    DAMAGE[kind](path)
    before = path.read_bytes()
    store = Store(cache, options)
    assert set(store.keys()) == {("", "seed")}
    assert path.with_suffix(".damaged").read_bytes() == before
    (line,) = store.notes
    assert f"{path} was damaged, so everything was graded again. What is left of it is in {path.stem}.damaged." == line


def test_after_damage_all_is_graded_again_and_kept(room):
    first, _ = graded(*room, KATA)
    DAMAGE["more passed"](store_of(room[0]))
    again, result = graded(*room, KATA)
    assert scores(again) == scores(first)
    assert [line for line in result.stdout.splitlines() if " was damaged, so " in line]
    assert "2 of 2 graded" in result.stdout
    once_more, result = graded(*room, KATA)
    assert (scores(once_more), once_more["seed"]) == (scores(first), again["seed"])
    assert " graded: " not in result.stdout
    assert "damaged" not in result.stdout


def test_junitxml_names_the_submission_and_says_how_many_checks_fail(room):
    _project, folder = room
    path = folder.parent / "junit.xml"
    for _ in range(2):                    # what an earlier run has graded is in the file, too
        graded(*room, KATA, f"--junitxml={path}")
        cases = {case.get("name"): case for case in ElementTree.parse(path).iter("testcase")}
        assert sorted(cases) == ["[0000-Zo\u00eb]", "[0001-bert]", "[0002-empty]"]
        assert cases["[0000-Zo\u00eb]"].find("failure") is None
        assert "11 of 20 checks do not pass." in cases["[0001-bert]"].find("failure").text
        assert "20 of 20 checks do not pass." in cases["[0002-empty]"].find("failure").text


LOGGED = """

from grader.isolation.isolated import IsolatedFile
call = IsolatedFile.call
def logged(self, function, *rest):
    answer = call(self, function, *rest)
    if answer.outcome == "timeout":
        with open("timeouts.txt", "a") as file:
            print(self.path.parent.name, function, file=file)
    return answer
IsolatedFile.call = logged
"""


def test_submissions_with_loops_wait_twice_and_only_for_that_function(project, tmp_path):
    with (project.root / "conftest.py").open("a", encoding="utf-8") as file:
        file.write(LOGGED)
    looping = {"2", "5"}
    for name in map(str, range(8)):
        for kata in KATAS:
            source = project.solution(kata)
            if name in looping and kata == KATAS[0]:
                source = source.replace("    return table", f"    while {name}: pass")
            laid_out(tmp_path, {f"collected/{name}/{kata}.py": source})
    report, _ = graded(project, tmp_path / "collected", "--time-limit=0.5")
    timeouts = (project.root / "timeouts.txt").read_text().splitlines()
    assert sorted(timeouts) == sorted(f"{name} positional_encoding" for name in 2 * list(looping))
    assert scores(report) == {name: (37 if name in looping else 50, 50) for name in map(str, range(8))}
    for one in report["submissions"]:
        outcomes = {check["outcome"] for check in one["katas"][0]["checks"]}
        assert outcomes == ({"passed", "timeout"} if one["submission"] in looping else {"passed"})


# Made-up names

def made_up(room, *args):
    """The made-up names on the board of one run, and the result of the run."""
    pytest.importorskip("jinja2")
    board = room[1].parent / "board.html"
    report, result = graded(*room, KATA, f"--board={board}", "--anonymous", *args, PYTHONIOENCODING="utf-8")
    text = board.read_text(encoding="utf-8")
    submissions = {one["submission"] for one in report["submissions"]}
    assert {"Zo\u00eb", "bert", "empty"} <= submissions
    assert not [name for name in submissions if name in text]
    return re.findall(r'<th scope="row"><bdi>(.+?)</bdi>', text), result


def test_made_up_names_are_the_same_in_every_run_and_only_on_the_board_and_files_are_graded_in_their_order(room):
    project, folder = room
    names, result = made_up(room, f"--feedback={folder.parent / 'feedback'}")
    assert len(set(names)) == 3
    assert names == sorted(names)
    assert not [path for path in (folder.parent / "feedback").iterdir()
                if any(name in path.name + path.read_text(encoding="utf-8") for name in names)]
    with contextlib.closing(sqlite3.connect(store_of(project))) as database:
        ((aliases,),) = database.execute("SELECT rows FROM kept WHERE kata = 'aliases'")
    order = re.findall(r"graded: (\w+)", result.stdout)
    assert order == sorted(["Zo\u00eb", "bert"], key=json.loads(aliases).get)
    (folder / "another").mkdir()
    more, _ = made_up(room, "--fresh")
    assert set(more) > set(names)
    folder.rename(folder.parent / "moved")
    other, _ = made_up((project, folder.parent / "moved"))
    assert other != more


def test_a_thousand_made_up_names_differ_and_are_not_used_twice():
    given = made_up_names(range(1000), {})
    assert len(set(given.values())) == 1000
    assert all(re.fullmatch("[a-z]+ [a-z]+", name) for name in given.values())
    more = made_up_names(range(4000), given)
    assert not set(given.values()) & set(more.values())
    assert len(set(more.values())) == len(more) == 3000


# Equal files

@pytest.mark.parametrize(("rows", "lasting"), [
    ([row("passed"), row("failed"), row("error"), row("todo")], True), ([row("passed"), row("timeout")], False),
    ([row("crashed")], False), ([row("error", "broken")], False),
])
def test_a_file_that_comes_again_is_not_graded_again_where_that_is_certain(rows, lasting):
    assert are_lasting(rows) == lasting

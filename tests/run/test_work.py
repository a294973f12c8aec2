"""A folder of the learner's own: made, graded, found again by a later version; and stubs put back."""
import datetime
import os
import re
import shlex
import time

import pytest

KATA = "positional_formula"
PLACE = "katas/21_positional_formula"
TODAY = datetime.date.today().isoformat()


@pytest.fixture
def work(project):
    """A folder of the learner's own, made beside the project, in a path with a space."""
    assert project.run("--start=../my work").returncode == 0
    return project.root.parent / "my work"


def written(project, folder):
    """Solve the first kata in a folder of one's own."""
    (folder / f"{KATA}.py").write_text(project.solution(KATA), encoding="utf-8")


def one_line(result):
    """The only line of a run that was refused."""
    (line,) = [line for line in (result.stdout + result.stderr).splitlines() if line.strip()]
    assert result.returncode == 4
    return line


# --start

def test_start_copies_every_stub_and_nothing_else(project, work):
    stubs = {project.kata(name).stub for name in (KATA, "similarity_matrix")}
    assert {p.name: p.read_bytes() for p in work.iterdir()} == {p.name: p.read_bytes() for p in stubs}


def test_start_overwrites_nothing_and_adds_what_is_new(project, work):
    (work / f"{KATA}.py").write_text("# mine\n", encoding="utf-8")
    (work / "similarity_matrix.py").unlink()
    result = project.run("--start=../my work")
    assert result.returncode == 0
    assert result.stdout.startswith("1 stub copied to ../my work. ")
    assert f"Already there, not overwritten: {KATA}.py\n" in result.stdout
    assert (work / f"{KATA}.py").read_text(encoding="utf-8") == "# mine\n"
    assert (work / "similarity_matrix.py").is_file()


def test_start_takes_along_what_was_written_into_the_stubs(project):
    project.write(KATA, project.solution(KATA))
    result = project.run("--start=../mine")
    assert f"These copies contain your work: {KATA}.py\n" in result.stdout
    assert (project.root.parent / "mine" / f"{KATA}.py").read_bytes() == project.kata(KATA).stub.read_bytes()


def test_start_copies_only_the_katas_that_are_named(project):
    project.run("--start=../mine", PLACE)
    assert os.listdir(project.root.parent / "mine") == [f"{KATA}.py"]


def test_a_dangling_link_is_not_written_through(project):
    (project.root.parent / "mine").mkdir()
    (project.root.parent / "mine" / f"{KATA}.py").symlink_to(project.root.parent / "elsewhere.py")
    assert project.run("--start=../mine").returncode == 0
    assert not (project.root.parent / "elsewhere.py").exists()


def test_the_commands_that_start_prints_work_as_they_stand(project):
    text = project.run("--start=../my work").stdout
    for command in re.findall(r"^(?:Check|All): +pytest (.+)$", text, re.MULTILINE):
        result = project.run(*shlex.split(command))
        assert result.returncode == 1
        assert "Start:  katas/21_positional_formula/README.md" in result.stdout
    variable = text.partition("KATAS_WORK to\n")[2].strip()
    assert "my work/positional_formula.py" in project.run(KATAS_WORK=variable).stdout


@pytest.mark.parametrize("place", ["katas", "katas/21_positional_formula", "solutions/new", "grader/x", ".", ""])
def test_start_makes_no_folder_among_the_projects_own(project, place):
    before = sorted(project.root.rglob("*"))
    assert one_line(project.run(f"--start={place}")).startswith(f"ERROR: --start={place}: ")
    assert [p for p in sorted(project.root.rglob("*")) if "__pycache__" not in p.parts] == [
        p for p in before if "__pycache__" not in p.parts]


# --work and KATAS_WORK

def test_the_scoreboard_hints_and_next_steps_are_about_ones_own_files(project, work):
    file = work / f"{KATA}.py"
    file.write_text(project.solution(KATA).replace("np.cos(angles", "np.sin(angles"), encoding="utf-8")
    result = project.run("--work=../my work", PLACE)
    assert re.search(rf"started  \d+/\d+ +{re.escape(file.as_posix())}$", result.stdout, re.MULTILINE)
    assert f"Edit:   {file.as_posix()}\n" in result.stdout
    hint = re.search(r"^Hint:   pytest (.+)$", result.stdout, re.MULTILINE)[1]
    again = project.run(*shlex.split(hint)).stdout
    assert "task 2" in again
    assert 'Next hint: pytest "--work=../my work" --hint 21' in again


def test_ones_own_work_is_graded_here_unless_isolation_is_asked_for(project, work):
    written(project, work)
    submission, result = project.report("--work=../my work", PLACE)
    assert (submission["submission"], submission["source"]) == ("my work", str(work))
    assert submission["katas"][0]["status"] == "solved"
    assert "Not protected from" not in result.stdout
    submission, _ = project.report("--work=../my work", "--isolated", PLACE)
    assert submission["katas"][0]["status"] == "solved"


def test_the_variable_acts_as_the_option_and_commands_need_no_option_then(project, work):
    result = project.run("katas/22_similarity_matrix", KATAS_WORK=str(work))
    assert f"Edit:   {(work / 'similarity_matrix.py').as_posix()}\n" in result.stdout
    assert "Check:  pytest 22\n" in result.stdout


def test_an_option_wins_over_the_variable_without_complaint(project, work):
    written(project, work)
    assert project.run(PLACE, KATAS_WORK=str(work)).returncode == 0
    assert "Reference solutions" in project.run("--solutions", PLACE, KATAS_WORK=str(work)).stdout
    assert f" {PLACE}/{KATA}.py" in project.run("--submission=katas", PLACE, KATAS_WORK=str(work)).stdout
    assert "Cohort: 2 submissions" in project.run("--cohort=katas", PLACE, KATAS_WORK=str(work)).stdout
    project.run("--start=../other", PLACE)
    assert "other/positional_formula.py" in project.run("--work=../other", PLACE, KATAS_WORK=str(work)).stdout


def test_a_variable_that_names_no_folder_disturbs_nothing_that_does_not_need_it(project):
    for arguments in (["--help"], ["--start=../mine"], ["--solutions", PLACE], ["--submission=katas"]):
        result = project.run(*arguments, KATAS_WORK="../none")
        assert result.returncode == (1 if "--submission=katas" in arguments else 0)
    assert "katas/21_positional_formula/positional_formula.py" in project.run(KATAS_WORK="").stdout


@pytest.mark.parametrize("layout", ["{}.py", "{0}/{0}.py", "21_{0}/{0}.py"])
def test_a_later_version_finds_the_work_by_name_whatever_the_numbers_are(project, layout):
    file = project.root.parent / "mine" / layout.format(KATA)
    file.parent.mkdir(parents=True)
    file.write_text(project.solution(KATA), encoding="utf-8")
    for side in ("katas", "solutions"):
        (project.root / side / "21_positional_formula").rename(project.root / side / "27_positional_formula")
    submission, result = project.report("--work=../mine")
    assert {k["kata"]: k["status"] for k in submission["katas"]} == {
        KATA: "solved", "similarity_matrix": "no file"}
    assert "Add:    pytest --start=" in result.stdout            # the other kata has no file there yet
    assert f"Already there, not overwritten: {KATA}.py" in project.run("--start=../mine").stdout
    assert file.read_text(encoding="utf-8") == project.solution(KATA)


def test_a_stub_to_be_mended_is_untouched_in_a_copy_too(project_with):
    project = project_with("mend_the_rope", KATA)
    project.run("--start=../mine")
    first = project.run("--work=../mine").stdout
    assert "failed" not in first
    assert "Start:  katas/21_positional_formula/README.md" in first


# --reset

def test_reset_puts_the_stub_back_and_keeps_every_file_that_was_there(project):
    stub = project.kata(KATA).stub
    original = stub.read_bytes()
    for text in ("# one\n", "# two\n", "# three\n"):
        project.write(KATA, text)
        result = project.run("--reset", PLACE)
        assert result.returncode == 0
        assert stub.read_bytes() == original
    assert f"Your file is kept as {PLACE}/{KATA}.{TODAY}.3.py\n" in result.stdout
    kept = [f"{KATA}.{TODAY}.py", f"{KATA}.{TODAY}.2.py", f"{KATA}.{TODAY}.3.py"]
    assert [(stub.parent / name).read_text(encoding="utf-8") for name in kept] == ["# one\n", "# two\n", "# three\n"]
    assert project.run(PLACE).returncode == 1                   # the files that were kept are no tests


def test_a_stub_that_is_unchanged_is_said_to_be_so_and_not_copied(project):
    stub = project.kata(KATA).stub
    stub.write_bytes(stub.read_bytes().replace(b"\n", b"\r\n"))  # what an editor changes by itself
    before = sorted(stub.parent.iterdir())
    assert project.run("--reset", PLACE).stdout == f"{PLACE}/{KATA}.py is already the original stub.\n"
    assert sorted(stub.parent.iterdir()) == before


def test_reset_acts_on_ones_own_folder_and_on_nothing_else(project, work):
    written(project, work)
    project.write(KATA, "# in katas\n")
    for options, variable in ((["--work=../my work"], ""), ([], str(work))):
        written(project, work)
        result = project.run("--reset", *options, PLACE, KATAS_WORK=variable)
        assert result.returncode == 0
        assert (work / f"{KATA}.py").read_bytes() == project.kata(KATA).original.read_bytes()
    assert (work / f"{KATA}.{TODAY}.2.py").read_text(encoding="utf-8") == project.solution(KATA)
    assert project.kata(KATA).stub.read_text(encoding="utf-8") == "# in katas\n"
    assert project.kata("similarity_matrix").stub.read_bytes() == (work / "similarity_matrix.py").read_bytes()


def test_reset_brings_back_a_stub_that_was_deleted(project):
    stub = project.kata(KATA).stub
    stub.unlink()
    assert "kept" not in project.run("--reset", f"{PLACE}/README.md").stdout
    assert stub.read_bytes() == project.kata(KATA).original.read_bytes()


def test_what_is_printed_fits_an_ascii_terminal(project):
    for arguments in (["--start=../für mich"], ["--reset", PLACE], ["--reset", project.root / PLACE]):
        result = project.run(*arguments, PYTHONIOENCODING="ascii", cwd=project.root)
        assert result.returncode == 0
        assert result.stdout.isascii()


# --latest

def saved_last(file, seconds=100):
    """Let a file look as if it was saved after all others."""
    later = time.time() + seconds
    os.utime(file, (later, later))


def test_latest_grades_the_kata_saved_last_and_no_other(project):
    for number, name in enumerate(("similarity_matrix", KATA), start=1):
        saved_last(project.kata(name).stub, 100 * number)
        submission, result = project.report("--latest")
        assert [k["kata"] for k in submission["katas"]] == [name]
        assert result.returncode == 1
    submission, _ = project.report("--latest", "katas/22_similarity_matrix")
    assert [k["kata"] for k in submission["katas"]] == ["similarity_matrix"]


def test_latest_and_ones_own_folder_reach_every_process(project, work):
    written(project, work)
    saved_last(project.kata("similarity_matrix").stub, 50)       # not what is graded
    saved_last(work / f"{KATA}.py")
    submission, result = project.report("-n", "2", "--latest", "--work=../my work")
    assert [(k["kata"], k["status"]) for k in submission["katas"]] == [(KATA, "solved")]
    assert result.returncode == 0

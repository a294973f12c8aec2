"""A run as a whole: selection, exit status, options, places it is started from, the report."""
import json
import re
import shutil

from grader.course.katas import ROOT
from grader.verdict.rows import OUTCOMES
from tests.helpers.project import Project


def test_the_scoreboard_names_every_graded_file_and_its_state(project):
    project.write("positional_formula", project.solution("positional_formula"))
    lines = project.run().stdout.splitlines()
    (solved,) = [line for line in lines if "solved   " in line]
    (todo,) = [line for line in lines if "todo     0/" in line]
    assert "katas/21_positional_formula/positional_formula.py" in solved
    assert "katas/22_similarity_matrix/similarity_matrix.py" in todo
    assert "Edit:   katas/22_similarity_matrix/similarity_matrix.py" in lines


def test_exit_status_is_0_only_when_every_selected_check_passed(project):
    project.write("positional_formula", project.solution("positional_formula"))
    assert project.run("katas/21_positional_formula").returncode == 0
    assert project.run().returncode == 1
    nothing = project.run("-k", "no_such_check")
    assert nothing.returncode == 5
    assert "nothing was graded" in nothing.stdout
    assert project.run("--solutions").returncode == 0


def test_a_part_of_a_suite_does_not_solve_a_kata(project):
    project.write("positional_formula", project.solution("positional_formula"))
    suite = "katas/21_positional_formula/test_positional_formula.py"
    for selection in (("-k", "zeros_and_ones"), (f"{suite}::test_position_zero_is_zeros_and_ones",)):
        submission, result = project.report(*selection)
        assert result.returncode == 0
        assert "only some checks ran" in result.stdout
        assert [(k["status"], k["passed"], k["total"]) for k in submission["katas"]] == [("started", 1, 1)]


def test_stopping_at_the_first_failure_leaves_a_row_for_every_selected_check(project):
    submission, result = project.report("-x", "katas/21_positional_formula")
    outcomes = [c["outcome"] for c in submission["katas"][0]["checks"]]
    assert result.returncode == 1
    assert outcomes == ["todo"] + ["not_run"] * (len(outcomes) - 1)
    assert len(outcomes) > 8


def test_last_failed_runs_the_failed_checks_again(project):
    source = project.solution("positional_formula").replace("np.cos(angles", "np.sin(angles")
    project.write("positional_formula", source)
    first, _ = project.report("katas/21_positional_formula")
    again, result = project.report("--lf", "katas/21_positional_formula")
    failed = [c["check"] for c in first["katas"][0]["checks"] if c["outcome"] == "failed"]
    assert [c["check"] for c in again["katas"][0]["checks"]] == failed
    assert result.returncode == 1


def test_the_report_has_the_documented_shape(project):
    project.write("positional_formula", project.solution("positional_formula"))
    path = project.root.parent / "report.json"
    project.run(f"--report={path}", "--seed=7")
    report = json.loads(path.read_text(encoding="utf-8"))
    assert (report["version"], report["seed"], report["protections"]) == (1, 7, [])
    (submission,) = report["submissions"]
    assert (submission["submission"], submission["source"]) == ("katas", "katas")
    assert [k["kata"] for k in submission["katas"]] == ["positional_formula", "similarity_matrix"]
    assert [k["status"] for k in submission["katas"]] == ["solved", "todo"]
    for kata in submission["katas"]:
        assert list(kata) == ["kata", "directory", "file", "status", "passed", "total", "checks"]
        assert kata["total"] == len(kata["checks"])
        assert kata["passed"] == sum(c["outcome"] == "passed" for c in kata["checks"])
        for check in kata["checks"]:
            assert list(check) == ["check", "function", "outcome", "message", "mistake", "line", "pattern", "seconds"]
            assert check["outcome"] in OUTCOMES
            assert check["function"]
    assert submission["total"] == sum(k["total"] for k in submission["katas"])


def test_a_run_may_start_outside_the_project_and_takes_katas_only(project, tmp_path):
    shutil.copytree(ROOT / "tests", project.root / "tests")
    result = project.run(project.root, cwd=tmp_path)
    assert "0 of 2 solved" in result.stdout
    assert "test_run" not in result.stdout
    assert str(project.kata("positional_formula").stub.relative_to(tmp_path).as_posix()) in result.stdout


def test_several_processes_give_the_same_scoreboard_and_report(project):
    project.write("positional_formula", project.solution("positional_formula").replace("np.cos(", "np.sin("))
    one, single = project.report()
    two, double = project.report("-n", "2")
    for submission in (one, two):
        for kata in submission["katas"]:
            for check in kata["checks"]:
                del check["seconds"]
    assert one == two
    table = [line for line in single.stdout.splitlines() if line.startswith("  ")]
    assert [line for line in double.stdout.splitlines() if line.startswith("  ")] == table
    assert single.returncode == double.returncode == 1


def test_several_processes_know_what_was_not_run_and_not_selected(project):
    submission, _ = project.report("-n", "2", "-x", "katas/21_positional_formula")
    assert {c["outcome"] for c in submission["katas"][0]["checks"]} == {"todo", "not_run"}
    project.write("positional_formula", project.solution("positional_formula"))
    submission, _ = project.report("-n", "2", "-k", "zeros_and_ones")
    assert submission["katas"][0]["status"] == "started"


def test_an_ascii_terminal_gets_plain_ascii(project):
    for source in (project.solution("positional_formula"), "def frequencies(d_model, base=1e4):\n    1/0 # ä€\n"):
        project.write("positional_formula", source)
        result = project.run("--tb=no", PYTHONIOENCODING="ascii")
        assert result.stdout.isascii()
        assert "solved" in result.stdout


def test_colour_is_pytests_own(project):
    assert "\x1b[" in project.run("--color=yes").stdout
    assert "\x1b[" not in project.run("--color=no").stdout
    assert "\x1b[" not in project.run(NO_COLOR="1").stdout


def test_verbose_brings_back_a_line_per_check(project):
    result = project.run("-v", "katas/21_positional_formula")
    assert "::test_position_zero_is_zeros_and_ones TODO" in result.stdout
    assert "0 of 1 solved" in result.stdout


def test_another_kata_is_its_two_folders(project):
    for side in ("katas", "solutions"):
        folder = project.root / side / "99_doubling"
        folder.mkdir()
        (folder / "doubling.py").write_text(
            '"""Doubling."""\n\n\ndef double(x):\n    """Return twice x."""\n'
            + ("    raise NotImplementedError\n" if side == "katas" else "    return 2 * x\n"), encoding="utf-8")
    kata = project.root / "katas" / "99_doubling"
    (kata / "README.md").write_text("# 99 Doubling\n\n## Task 1: `double` doubles\n", encoding="utf-8")
    (kata / "HINTS.md").write_text("## Task 1\n\n1. Twice.\n2. Two times.\n3. `2 * x`\n", encoding="utf-8")
    (kata / "test_doubling.py").write_text(
        "import pytest\nfrom grader.course.expect import assert_same\n\n\n@pytest.mark.task(1)\n"
        "def test_two_is_twice_one(kata):\n    assert_same(kata.double(1.0), 2.0)\n", encoding="utf-8")
    submission, result = project.report("katas/99_doubling")
    assert [(k["kata"], k["status"]) for k in submission["katas"]] == [("doubling", "todo")]
    assert "0 of 1 solved" in result.stdout
    assert "Hint 1 of 3\n  Twice." in project.run("--hint", "katas/99_doubling").stdout
    assert project.run("--solutions", "katas/99_doubling").returncode == 0
    (kata / "doubling.py").write_text("def double(x):\n    return x + x\n", encoding="utf-8")
    assert project.run("katas/99_doubling").returncode == 0


def test_faults_that_are_to_be_found_are_not_told_before_somebody_looks_for_them(project_with):
    project = project_with("positional_formula", "mend_the_rope")
    stub = project.kata("mend_the_rope").stub
    first = project.run().stdout
    assert "todo     0/22     katas/64_mend_the_rope" in first
    assert "failed" not in first
    assert "Start:  katas/21_positional_formula/README.md" in first
    assert "test_row_two_of_width_eight_by_hand failed" in project.run("katas/64_mend_the_rope").stdout
    stub.write_text(stub.read_text(encoding="utf-8") + "\n# looking\n", encoding="utf-8")
    assert "test_row_two_of_width_eight_by_hand failed" in project.run().stdout


def test_python_and_pytest_write_nothing_into_the_katas(project):
    before = sorted(p.relative_to(project.root) for p in (project.root / "solutions").rglob("*"))
    project.run(PYTHONDONTWRITEBYTECODE="")
    assert sorted(p.relative_to(project.root) for p in (project.root / "solutions").rglob("*")) == before


def test_what_the_readme_shows_is_what_is_printed(tmp_path):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    fenced = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    blocks = [block.strip("\n") for language, block in fenced if not language]
    project = Project(tmp_path)
    start, _, end = blocks[0].partition("\n  ...\n")
    shown = project.run().stdout.strip("\n")
    assert shown.startswith(start)
    assert shown.endswith(end)
    line = "    return table\n"
    halves = "    return np.concatenate([table[:, 0::2], table[:, 1::2]], axis=1)\n"
    project.write("positional_formula", project.solution("positional_formula").replace(line, halves))
    command, _, printed = blocks[1].partition("\n")
    assert command == "$ pytest 21"
    assert project.run("21").stdout.strip("\n") == printed

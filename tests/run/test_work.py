"""A folder of the learner's own: made, graded, found again by a later version; and stubs put back."""
import datetime
import os
import re
import shlex
import shutil
import time

import pytest

from grader.run.notebooks import notebook

KATA, OTHER = "positional_formula", "similarity_matrix"
PLACE = "katas/21_positional_formula"
TODAY = datetime.date.today().isoformat()


@pytest.fixture
def work(project):
    """A folder of the learner's own, beside the project, in a path with a space; the first kata is solved there."""
    folder = project.root.parent / "my work"
    folder.mkdir()
    (folder / f"{KATA}.py").write_text(project.solution(KATA), encoding="utf-8")
    shutil.copy(project.kata(OTHER).stub, folder)
    return folder


# --start

def test_start_copies_stubs_as_they_are_and_overwrites_nothing(project):
    mine = project.root.parent / "mine"
    project.write(KATA, project.solution(KATA))
    printed = project.run("--start=../mine", PLACE).stdout                # only the katas that are named
    assert printed.startswith("1 stub copied to ../mine. ")
    assert f"These copies contain your work: {KATA}.py\n" in printed
    assert os.listdir(mine) == [f"{KATA}.py"]
    assert (mine / f"{KATA}.py").read_bytes() == project.kata(KATA).stub.read_bytes()
    (mine / f"{KATA}.py").write_text("# mine\n", encoding="utf-8")
    link = mine / f"{OTHER}.py"
    link.symlink_to(project.root.parent / "elsewhere.py")                 # it is not written through
    assert f"Already there, not overwritten: {KATA}.py, {OTHER}.py\n" in project.run("--start=../mine").stdout
    assert not (project.root.parent / "elsewhere.py").exists()
    link.unlink()
    assert project.run("--start=../mine").stdout.startswith("1 stub copied to ../mine. ")
    assert (mine / f"{KATA}.py").read_text(encoding="utf-8") == "# mine\n"
    assert link.read_bytes() == project.kata(OTHER).stub.read_bytes()


def test_the_commands_that_start_prints_work_as_they_stand(project):
    text = project.run("--start=../my work").stdout
    for command in re.findall(r"^(?:Check|All): +pytest (.+)$", text, re.MULTILINE):
        result = project.run(*shlex.split(command))
        assert result.returncode == 1
        assert "Start:  katas/21_positional_formula/README.md" in result.stdout
    variable = text.partition("KATAS_WORK to\n")[2].strip()
    printed = project.run(KATAS_WORK=variable).stdout
    assert "my work/positional_formula.py" in printed
    assert "Check:  pytest 21\n" in printed                   # no option is needed then


# --work and KATAS_WORK

def test_the_scoreboard_hints_and_next_steps_are_about_ones_own_files(project, work):
    file = work / f"{KATA}.py"
    file.write_text(project.solution(KATA).replace("np.cos(angles", "np.sin(angles"), encoding="utf-8")
    result = project.run("--work=../my work", "21")
    assert re.search(rf"started  \d+/\d+ +{re.escape(file.as_posix())}$", result.stdout, re.MULTILINE)
    assert f"Edit:   {file.as_posix()}\n" in result.stdout
    hint = re.search(r"^Hint:   pytest (.+)$", result.stdout, re.MULTILINE)[1]
    again = project.run(*shlex.split(hint)).stdout
    assert "task 2" in again
    assert 'Next hint: pytest "--work=../my work" --hint 21' in again


def test_an_option_wins_over_the_variable_and_ones_own_work_is_not_isolated(project, work):
    submission, result = project.report("--work=../my work", PLACE, KATAS_WORK="../none")
    assert (submission["submission"], submission["source"]) == ("my work", str(work))
    assert submission["katas"][0]["status"] == "solved"
    assert "Not protected from" not in result.stdout


def test_a_kata_with_a_new_number_is_neither_lost_nor_copied_again(project):
    file = project.root.parent / "mine" / "21_positional_formula" / f"{KATA}.py"
    file.parent.mkdir(parents=True)
    file.write_text(project.solution(KATA), encoding="utf-8")
    for side in ("katas", "solutions"):
        (project.root / side / "21_positional_formula").rename(project.root / side / "27_positional_formula")
    submission, result = project.report("--work=../mine")
    assert {k["kata"]: k["status"] for k in submission["katas"]} == {KATA: "solved", OTHER: "no file"}
    assert "Add:    pytest --start=" in result.stdout            # the other kata has no file there yet
    assert f"Already there, not overwritten: {KATA}.py" in project.run("--start=../mine").stdout
    assert file.read_text(encoding="utf-8") == project.solution(KATA)


@pytest.mark.parametrize("suffix", [".py", ".ipynb"])
def test_a_stub_to_be_mended_is_untouched_in_a_copy_too(project_with, suffix):
    project, mine = project_with("mend_the_rope", KATA), project_with.args[0].parent / "mine"
    mine.mkdir()
    for kata in (project.kata("mend_the_rope"), project.kata(KATA)):
        text = kata.stub.read_text(encoding="utf-8")
        text = notebook(kata, text) if suffix == ".ipynb" else text
        (mine / f"{kata.name}{suffix}").write_text(text, encoding="utf-8")
    first = project.run("--work=../mine").stdout
    assert "failed" not in first
    assert "Start:  katas/21_positional_formula/README.md" in first


# --reset

def test_reset_puts_the_stub_back_and_keeps_every_file_that_was_there(project):
    stub, original = project.kata(KATA).stub, project.kata(KATA).original.read_bytes()
    kept = [stub.with_name(f"{KATA}.{TODAY}{number}.py") for number in ("", ".2", ".3")]
    for file in (stub, *kept[:2]):
        file.write_text(f"# {file.name}\n", encoding="utf-8")
    result = project.run("--reset", "positional_formula")
    assert result.returncode == 0
    assert result.stdout.endswith(f"Your file is kept as {PLACE}/{kept[2].name}\n")
    assert stub.read_bytes() == original
    assert [file.read_text(encoding="utf-8") for file in kept] == [
        f"# {file.name}\n" for file in (kept[0], kept[1], stub)]
    stub.write_bytes(original.replace(b"\n", b"\r\n"))           # what an editor changes by itself
    before = sorted(stub.parent.iterdir())
    assert project.run("--reset", "21").stdout == f"{PLACE}/{KATA}.py is already the original stub.\n"
    assert sorted(stub.parent.iterdir()) == before
    stub.unlink()
    assert "kept" not in project.run("--reset", f"{PLACE}/README.md").stdout
    assert stub.read_bytes() == original


def test_reset_acts_on_ones_own_folder_and_on_nothing_else(project, work):
    project.write(KATA, "# in katas\n")
    assert project.run("--reset", PLACE, KATAS_WORK=str(work)).returncode == 0
    assert (work / f"{KATA}.py").read_bytes() == project.kata(KATA).original.read_bytes()
    assert (work / f"{KATA}.{TODAY}.py").read_text(encoding="utf-8") == project.solution(KATA)
    assert project.kata(KATA).stub.read_text(encoding="utf-8") == "# in katas\n"
    assert (work / f"{OTHER}.py").read_bytes() == project.kata(OTHER).stub.read_bytes()


def test_what_is_printed_fits_an_ascii_terminal(project):
    result = project.run("--start=../für mich", PYTHONIOENCODING="ascii")
    assert result.returncode == 0
    assert result.stdout.isascii()


# --latest

def test_latest_grades_the_kata_saved_last_of_those_that_are_named(project):
    for number, (name, named) in enumerate([(OTHER, []), (KATA, []), (KATA, ["22"])], start=1):
        saved_last(project.kata(name).stub, 100 * number)
        submission, result = project.report("--latest", *named)
        assert [k["kata"] for k in submission["katas"]] == [OTHER if named else name]
        assert result.returncode == 1


def test_latest_and_ones_own_folder_reach_every_process(project, work):
    saved_last(project.kata(OTHER).stub, 50)                     # not what is graded
    saved_last(work / f"{KATA}.py")
    submission, result = project.report("-n", "2", "--latest", "--work=../my work")
    assert [(k["kata"], k["status"]) for k in submission["katas"]] == [(KATA, "solved")]
    assert result.returncode == 0


def saved_last(file, seconds=100):
    """Let a file look as if it was saved after all others."""
    later = time.time() + seconds
    os.utime(file, (later, later))

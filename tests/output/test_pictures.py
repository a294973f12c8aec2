"""Pictures of a learner's file: whatever it does, the rest is drawn."""
import shutil

import numpy as np
import pytest

from grader.calling.in_process import InProcess
from grader.calling.loading import load_module
from grader.calling.reference import reference_of
from grader.course.katas import KATAS, Kata
from grader.course.panels import heatmap
from grader.output.pictures.filled import Drawn, Filled, Side, side_of
from grader.output.pictures.text import lines_of_panel

PLACE = "katas/21_positional_formula"
KATA = Kata(KATAS / "21_positional_formula")


def single(own, wanted):
    """A heatmap of a given file's numbers beside the right ones."""
    panel = heatmap("A table", lambda: wanted, x="column (index)", y="row (index)", colour="entry")
    return Filled(panel, Side({"": wanted}), Side({"": own}))


def test_a_single_wrong_entry_shows_in_a_thinned_text_picture():
    wanted = np.zeros((64, 64))
    own = wanted.copy()
    own[33, 34] = 1.0
    lines = lines_of_panel(single(own, wanted), 60, False)
    assert [line.split() for line in lines if "@" in line[:-1] and line.strip()[0].isdigit()] == [["30", "@"]]
    assert "every 5th of 64" in " ".join(lines)


def test_the_same_infinity_is_no_difference_and_another_one_is():
    wanted = np.array([[0.0, -np.inf], [1.0, 2.0]])
    assert single(wanted.copy(), wanted).same
    one = single(np.array([[0.0, np.inf], [1.0, np.nan]]), wanted)
    assert not one.same
    assert one.difference[""].tolist() == [[0.0, np.inf], [0.0, np.inf]]


def test_a_picture_is_drawn_of_a_kata_that_is_not_written_yet(project):
    result = project.run("--picture", PLACE)
    path = project.root / ".pictures" / "21_positional_formula.png"
    assert result.stdout.splitlines()[-1] == "Picture: .pictures/21_positional_formula.png"
    assert path.read_bytes().startswith(b"\x89PNG")
    assert result.returncode == 1
    assert "Traceback" not in result.stdout + result.stderr
    assert sorted(p.name for p in path.parent.iterdir()) == [path.name]


def test_pictures_of_submissions_and_solutions_leave_ones_own_alone_however_many_processes_run(project, tmp_path):
    (tmp_path / "solutions").mkdir()
    for options in ([f"--submission={tmp_path / 'solutions'}"], ["--solutions", "-n", "2"]):
        assert project.run("--picture", *options, PLACE).stdout.count("Picture: ") == 1
    folder = project.root / ".pictures"
    drawn = sorted(path.relative_to(folder).parent.as_posix() for path in folder.rglob("*.png"))
    assert drawn == ["solutions", "submissions/solutions"]


def test_a_folder_that_cannot_be_written_is_said_in_a_line(project):
    (project.root / ".pictures").write_text("in the way", encoding="utf-8")
    result = project.run("--picture", PLACE)
    assert "could not be written" in result.stdout.splitlines()[-1]
    assert "Traceback" not in result.stdout + result.stderr
    assert result.returncode == 1


@pytest.mark.parametrize("isolated", [[], ["--isolated"]])
def test_a_function_that_fails_leaves_a_note_and_the_others_are_drawn(project, isolated):
    mistake = "    raise RuntimeError('$x\\x1b[31m')\n"
    project.write("positional_formula", project.solution("positional_formula").replace("    return table\n", mistake))
    result = project.run("--picture-text", "--picture", *isolated, PLACE)
    text = " ".join(result.stdout.split())
    assert text.count("positional_encoding raised RuntimeError: $x [31m") == 2
    assert "The frequency spectrum yours, the same as the reference:" in text
    assert "21_positional_formula.png" in text
    assert "Traceback" not in result.stdout + result.stderr


@pytest.mark.parametrize(("line", "note"), [
    ("return table.T", "expected shape (64, 32), got (32, 64)"),
    ("return table.tolist()", "expected an array of shape (64, 32), got a list of 64"),
    ("return None", "the function returned None"),
    ("return table * 1e200", "too large to draw"),
    ("return table + 1j", "expected real numbers, got complex numbers"),
    ("return np.array([object()])", "expected shape (64, 32), got (1,)"),
    ("while True: pass", "it took longer than 0.3 s"),
    ("return table\n\n\n1 / 0", "the file does not load: ZeroDivisionError"),
])
def test_a_result_that_cannot_be_drawn_is_described(tmp_path, line, note):
    file = tmp_path / "positional_formula.py"
    file.write_text(KATA.solution.read_text(encoding="utf-8").replace("    return table\n", f"    {line}\n"))
    table, *_ = load_module(KATA.picture).panels(Drawn(InProcess(file, 0.3), reference_of(KATA.solution)))
    assert note in side_of(table).note


def test_text_pictures_keep_to_ascii_and_width_where_the_terminal_wants_it(project):
    project.write("positional_formula", project.solution("positional_formula").replace("np.cos(", "np.sin("))
    plain = project.run("--picture-text", PLACE, COLUMNS="60", PYTHONIOENCODING="ascii").stdout
    picture = plain[plain.index("21 positional formula"):]
    assert picture.isascii()
    assert max(map(len, picture.splitlines())) <= 60
    assert "difference" in picture
    assert "\u2588" in project.run("--picture-text", PLACE, PYTHONIOENCODING="utf-8").stdout


def test_a_kata_without_a_picture_is_named_in_one_line(project):
    (project.root / "solutions" / "22_similarity_matrix" / "picture.py").unlink()
    shutil.rmtree(project.root / "katas" / "21_positional_formula")
    result = project.run("--picture")
    assert result.stdout.splitlines()[-1] == "No picture: 22_similarity_matrix"
    assert not (project.root / ".pictures").exists()


def test_without_matplotlib_one_line_says_what_to_install(project, tmp_path):
    (tmp_path / "matplotlib.py").write_text("raise ImportError\n", encoding="utf-8")
    result = project.run("--picture", PYTHONPATH=str(tmp_path))
    assert result.stderr.strip() == "ERROR: --picture needs Matplotlib: python -m pip install matplotlib"
    assert result.returncode == 4
    assert "21 positional formula" in project.run("--picture-text", PLACE, PYTHONPATH=str(tmp_path)).stdout


def test_a_plain_run_loads_nothing_of_this(project, tmp_path):
    (tmp_path / "spy.py").write_text(
        "import sys\ndef pytest_unconfigure():\n    print(*sys.modules)\n", encoding="utf-8")
    loaded = project.run("-p", "spy", PLACE, PYTHONPATH=str(tmp_path)).stdout.split()
    assert "grader.run.session" in loaded
    assert not [name for name in loaded if name == "matplotlib" or name.startswith("grader.output.pictures")]
    assert "grader.isolation.isolated" not in loaded


def test_the_message_about_a_wrong_array_names_its_picture(project):
    pytest.importorskip("matplotlib")
    project.write("positional_formula", project.solution("positional_formula").replace("np.sin", "np.cos"))
    result = project.run("21")
    assert result.picture == ".pictures/21_positional_formula_wrong.png"
    assert (project.root / result.picture).read_bytes().startswith(b"\x89PNG")
    assert project.run("21", "--isolated").picture == ""          # where code of others may run

"""Pictures: every kata has one and they are legible; whatever a learner's file does, the rest is drawn.

`UPDATE_PICTURES=1 pytest tests/output/test_pictures.py` draws the pictures of the READMEs again; then look at each.
"""
import itertools
import os
import re
import shutil

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.image import imread

from grader.calling.loading import load_module
from grader.calling.reference import Reference
from grader.course.katas import all_katas
from grader.course.panels import Curves, Heatmap, heatmap
from grader.output.pictures import png as pictures
from grader.output.pictures import readme as readme_pictures
from grader.output.pictures import text as text_pictures
from grader.output.pictures.filled import Filled, Side, side

for_each_picture = pytest.mark.parametrize("kata", all_katas(), ids=[k.folder.name for k in all_katas()])
KILOBYTES, IN_ALL = 60, 1600
CONTRAST, ELSEWHERE = 0.25, 0.01          # how far a pixel may be off, and how many pixels may: fonts differ by machine
PLACE = "katas/21_positional_formula"
UNIT = re.compile(r"\([^()]+\)$")


def right(kata):
    """The panels of a kata, filled by the reference alone."""
    return [Filled(p, side(p), None) for p in load_module(kata.picture).panels(Reference(kata.solution))]


def wrong(kata):
    """The same panels beside numbers that are out of all proportion."""
    return [Filled(one.panel, one.wanted, Side({name: -1234.5 * part for name, part in one.wanted.parts.items()}))
            for one in right(kata)]


def single(own, wanted):
    """A heatmap of a given file's numbers beside the right ones."""
    panel = heatmap("A table", lambda: wanted, x="column (index)", y="row (index)", colour="entry (no unit)")
    return Filled(panel, Side({"": wanted}), Side({"": own}))


@for_each_picture
def test_every_axis_has_a_unit_and_every_part_its_numbers(kata):
    for one in right(kata):
        assert one.wanted.notes == {}
        assert len(one.panel.title) <= 58                    # what fits above a single diagram
        assert UNIT.search(one.panel.x)
        assert UNIT.search(one.panel.y)
        if isinstance(one.panel, Heatmap):
            assert UNIT.search(one.panel.colour)
            assert one.wanted.parts[""].ndim == 2
        for part in one.wanted.parts.values():
            assert not isinstance(one.panel, Curves) or part.shape == one.panel.over.shape


def alike(one, other):
    """Whether two picture files show the same: numbers, and pixels but for what fonts differ by."""
    numbers, others = readme_pictures.numbers_of(one), readme_pictures.numbers_of(other)
    if len(numbers) != len(others) or not np.allclose(numbers, others, rtol=1e-3, atol=1e-3):
        return False
    one, other = imread(one)[:, :, :3], imread(other)[:, :, :3]
    return one.shape == other.shape and (np.abs(one - other).max(axis=2) > CONTRAST).mean() < ELSEWHERE


@for_each_picture
def test_the_picture_of_a_readme_is_drawn_from_the_reference(kata, tmp_path):
    picture = kata.folder / "picture.png"
    if os.environ.get("UPDATE_PICTURES"):
        readme_pictures.write(picture, right(kata))
    readme_pictures.write(tmp_path / "picture.png", right(kata))
    assert alike(picture, tmp_path / "picture.png")


@pytest.mark.parametrize("change", [lambda part: 0.8 * part, lambda part: np.roll(part, 4), lambda part: part[::-1]],
                         ids=["another scale", "shifted", "reversed"])
def test_a_picture_of_other_numbers_is_noticed(tmp_path, change):
    kata = next(kata for kata in all_katas() if kata.name == "positional_formula")
    for panel in (0, 1):
        panels = right(kata)
        panels[panel].wanted.parts = {name: change(part) for name, part in panels[panel].wanted.parts.items()}
        readme_pictures.write(tmp_path / "picture.png", panels)
        assert not alike(kata.folder / "picture.png", tmp_path / "picture.png")


@for_each_picture
def test_the_picture_of_a_readme_shows_on_light_and_dark_pages(kata):
    pixels = imread(kata.folder / "picture.png")
    assert pixels.shape[2] == 3 or (pixels[:, :, 3] == 1.0).all()
    assert (pixels[0, :, :3] == 1.0).all()                   # the margin is white
    assert (kata.folder / "picture.png").stat().st_size <= 1000 * KILOBYTES


def test_all_pictures_together_are_small():
    assert sum((kata.folder / "picture.png").stat().st_size for kata in all_katas()) <= 1000 * IN_ALL


@for_each_picture
def test_a_readme_shows_its_picture_before_the_formula_and_says_it_in_words(kata):
    text = kata.readme.read_text(encoding="utf-8")
    [(alternative, place)] = re.findall(r"^!\[(.+)\]\((picture\.png)\)$", text, re.MULTILINE)
    assert 60 <= len(alternative) <= 500
    caption = text.split(f"({place})\n\n")[1].split("\n\n")[0]            # who sees the picture does not see the text
    assert 10 <= len(caption.split()) <= 60
    assert text.index(place) < text.index("\n## ")


@for_each_picture
@pytest.mark.parametrize("draw", [
    lambda kata: pictures.figure_of(kata, wrong(kata)),
    lambda kata: readme_pictures.figure_of(right(kata)),
], ids=["beside wrong numbers", "in the README"])
def test_no_text_is_cut_off_or_covers_another(kata, draw):
    figure = draw(kata)
    FigureCanvasAgg(figure)
    figure.draw_without_rendering()
    renderer, whole = figure.canvas.get_renderer(), figure.bbox
    texts = list(figure.texts)
    for axes in figure.axes:
        texts += [axes.title, *axes.texts, *((axes.xaxis.label, axes.yaxis.label) if axes.axison else ())]
    boxes = [text.get_window_extent(renderer) for text in texts if text.get_text()]
    for axes in figure.axes:
        if axes.get_legend():
            boxes.append(axes.get_legend().get_window_extent(renderer))
        if axes.axison:
            assert within(axes.get_tightbbox(renderer), whole)
    assert all(within(box, whole) for box in boxes)
    assert not [pair for pair in itertools.combinations(boxes, 2) if overlapping(*pair)]


def within(box, whole):
    """Whether a box lies inside another."""
    return box.x0 >= whole.x0 and box.y0 >= whole.y0 and box.x1 <= whole.x1 and box.y1 <= whole.y1


def overlapping(one, other):
    """Whether two boxes have more than a line in common."""
    return min(one.x1, other.x1) - max(one.x0, other.x0) > 1 and min(one.y1, other.y1) - max(one.y0, other.y0) > 1


@for_each_picture
def test_curves_are_told_apart_without_colour(kata):
    for one in right(kata):
        if not isinstance(one.panel, Heatmap):
            looks = list(pictures.looks(one).values())
            assert len({(look["linestyle"], look["marker"]) for look in looks}) == len(looks) <= 8
            assert all(float(look["color"]) <= 0.6 for look in looks)                    # greys, on white


@for_each_picture
@pytest.mark.parametrize("state", [right, wrong])
@pytest.mark.parametrize("width", [60, 80])
def test_a_text_picture_fits_its_terminal(kata, state, width):
    for one in state(kata):
        for blocks in (False, True):
            lines = text_pictures.lines(one, width, blocks)
            assert len(lines) <= 24
            assert all(len(line) <= width for line in lines)
            assert blocks or "".join(lines).isascii()


def test_a_single_wrong_entry_shows_in_a_thinned_text_picture():
    wanted = np.zeros((64, 64))
    own = wanted.copy()
    own[33, 34] = 1.0
    lines = text_pictures.lines(single(own, wanted), 60, False)
    assert [line.split() for line in lines if "@" in line[:-1] and line.strip()[0].isdigit()] == [["30", "@"]]
    assert "every 5th of 64" in " ".join(lines)


def test_the_same_infinity_is_no_difference_and_another_one_is():
    wanted = np.array([[0.0, -np.inf], [1.0, 2.0]])
    assert single(wanted.copy(), wanted).same
    one = single(np.array([[0.0, np.inf], [1.0, np.nan]]), wanted)
    assert not one.same
    assert one.differences()[""].tolist() == [[0.0, np.inf], [0.0, np.inf]]


def test_a_picture_is_drawn_of_a_kata_that_is_not_written_yet(project):
    result = project.run("--picture", PLACE)
    path = project.root / ".pictures" / "21_positional_formula.png"
    assert result.stdout.splitlines()[-1] == "Picture: .pictures/21_positional_formula.png"
    assert path.read_bytes().startswith(b"\x89PNG")
    assert result.returncode == 1
    assert "Traceback" not in result.stdout + result.stderr
    assert sorted(p.name for p in path.parent.iterdir()) == [path.name]


def test_pictures_of_submissions_and_solutions_leave_ones_own_alone(project, tmp_path):
    (tmp_path / "solutions").mkdir()
    for options in ([f"--submission={tmp_path / 'solutions'}"], ["--solutions"], []):
        project.run("--picture", *options, PLACE)
    folder = project.root / ".pictures"
    drawn = sorted(path.relative_to(folder).parent.as_posix() for path in folder.rglob("*.png"))
    assert drawn == [".", "solutions", "submissions/solutions"]


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
])
def test_a_result_that_cannot_be_drawn_is_described(project, line, note):
    source = project.solution("positional_formula").replace("    return table\n", f"    {line}\n")
    project.write("positional_formula", source)
    result = project.run("--picture-text", "--time-limit=0.3", "-k", "frequencies", PLACE)
    assert note in " ".join(result.stdout.split())
    assert "The frequency spectrum" in result.stdout
    assert "Traceback" not in result.stdout + result.stderr


def test_a_file_that_does_not_load_is_described(project):
    project.write("positional_formula", "1 / 0\n")
    assert "yours: the file does not load: ZeroDivisionError" in project.run("--picture-text", PLACE).stdout


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


def test_a_cohort_is_not_drawn(project, tmp_path):
    for option in ("--picture", "--picture-text"):
        result = project.run(option, f"--cohort={tmp_path}")
        assert result.returncode == 4
        assert len(result.stderr.strip().splitlines()) == 1


def test_several_processes_draw_once(project):
    assert project.run("-n", "2", "--picture", PLACE).stdout.count("Picture: ") == 1


def test_a_plain_run_loads_nothing_of_this(project, tmp_path):
    (tmp_path / "spy.py").write_text(
        "import sys\ndef pytest_unconfigure():\n    print(*sys.modules)\n", encoding="utf-8")
    loaded = project.run("-p", "spy", PLACE, PYTHONPATH=str(tmp_path)).stdout.split()
    assert "grader.verdict.grading" in loaded
    assert not [name for name in loaded if name == "matplotlib" or name.startswith("grader.output.pictures")]
    assert "grader.isolation.isolated" not in loaded

"""Every kata has a picture, and it is legible, in the README and in a terminal.

`UPDATE_PICTURES=1 pytest tests/katas/test_pictures.py` draws the pictures of the READMEs again; then look at each.
"""
import functools
import itertools
import os
import re

import numpy as np
import pytest

from grader.calling.loading import load_module
from grader.calling.reference import reference_of
from grader.course.katas import all_katas
from grader.course.panels import Curves, Heatmap
from grader.output.pictures import png
from grader.output.pictures.filled import Filled, Side, side_of
from grader.output.pictures.text import lines_of_panel
from tests.helpers import readme_picture

for_each_picture = pytest.mark.parametrize("kata", all_katas(), ids=[k.folder.name for k in all_katas()])
KILOBYTES, IN_ALL = 60, 1600
CONTRAST, ELSEWHERE = 0.25, 0.01          # how far a pixel may be off, and how many pixels may: fonts differ by machine
UNIT = re.compile(r"\([^()]+\)$")
PLAIN = re.compile(r"\b(entry|score|weight|cosine|sine|product|distance|share|mean|change|gap|column|coordinate|code|"
                   r"bias|factor|turns|logit|position|perplexity|part)\b")         # numbers without a unit


@functools.cache
def right(kata):
    """The panels of a kata, filled by the reference alone."""
    return [Filled(panel, side_of(panel)) for panel in load_module(kata.picture).panels(reference_of(kata.solution))]


def wrong(kata):
    """The same panels beside numbers that are out of all proportion."""
    return [one if one.panel.given else Filled(one.panel, one.wanted, Side(
        {name: -1234.5 * part for name, part in one.wanted.parts.items()})) for one in right(kata)]


@functools.cache
def for_the_readme(kata):
    """The figure of a kata's README."""
    pytest.importorskip("matplotlib")
    return readme_picture.figure_of(right(kata))


@for_each_picture
def test_every_axis_has_a_unit_or_plain_numbers_and_lines_are_told_apart_without_colour(kata):
    for one in right(kata):
        assert one.wanted.note == ""
        assert len(one.panel.title) <= 58                    # what fits above a single diagram
        axes = [one.panel.x, one.panel.y, *([one.panel.colour] if isinstance(one.panel, Heatmap) else [])]
        assert all(UNIT.search(axis) or PLAIN.search(axis) for axis in axes)
        assert "no unit" not in " ".join(axes)
        parts = one.wanted.parts.values()
        if isinstance(one.panel, Heatmap):
            assert [part.ndim for part in parts] == [2]
            continue
        assert not isinstance(one.panel, Curves) or {part.shape for part in parts} == {one.panel.over.shape}
        looks = list(png.looks(one).values())
        assert len({(look["linestyle"], look["marker"]) for look in looks}) == len(looks) <= 8
        assert {look["color"] for look in looks} <= {*png.COLOURS}


def test_the_colours_of_lines_differ_when_they_are_printed_in_grey():
    rgb = np.array([[int(colour[i:i + 2], 16) for i in (1, 3, 5)] for colour in png.COLOURS])
    grey = rgb @ [0.299, 0.587, 0.114] / 255
    assert grey.max() <= 0.7                          # on white
    assert np.diff(np.sort(grey)).min() >= 0.15


def imread(path):
    """The pixels of a picture."""
    return pytest.importorskip("matplotlib.image").imread(path)


def alike(one, other):
    """Whether two picture files show the same: numbers, and pixels but for what fonts differ by."""
    numbers, others = readme_picture.numbers_of(one), readme_picture.numbers_of(other)
    if len(numbers) != len(others) or not np.allclose(numbers, others, rtol=1e-3, atol=1e-3):
        return False
    one, other = imread(one)[:, :, :3], imread(other)[:, :, :3]
    return one.shape == other.shape and (np.abs(one - other).max(axis=2) > CONTRAST).mean() < ELSEWHERE


@for_each_picture
def test_the_picture_of_a_readme_is_drawn_from_the_reference_and_shows_on_every_page(kata, tmp_path):
    figure, picture = for_the_readme(kata), kata.folder / "picture.png"
    if os.environ.get("UPDATE_PICTURES"):
        readme_picture.write(picture, right(kata), figure)
    readme_picture.write(tmp_path / "picture.png", right(kata), figure)
    assert alike(picture, tmp_path / "picture.png")
    pixels = imread(picture)
    assert pixels.shape[2] == 3 or (pixels[:, :, 3] == 1.0).all()
    assert (pixels[0, :, :3] == 1.0).all()                   # the margin is white
    assert picture.stat().st_size <= 1000 * KILOBYTES


@pytest.mark.parametrize("change", [lambda part: 0.8 * part, lambda part: np.roll(part, 4), lambda part: part[::-1]],
                         ids=["another scale", "shifted", "reversed"])
def test_a_picture_of_other_numbers_is_noticed(tmp_path, change):
    pytest.importorskip("matplotlib")
    kata = next(kata for kata in all_katas() if kata.name == "positional_formula")
    for place in (0, 1):
        panels = list(right(kata))
        panels[place] = Filled(panels[place].panel, Side(
            {name: change(part) for name, part in panels[place].wanted.parts.items()}))
        readme_picture.write(tmp_path / "picture.png", panels, readme_picture.figure_of(panels))
        assert not alike(kata.folder / "picture.png", tmp_path / "picture.png")


def test_all_pictures_together_are_small():
    assert sum((kata.folder / "picture.png").stat().st_size for kata in all_katas()) <= 1000 * IN_ALL


@for_each_picture
def test_a_readme_shows_its_picture_before_the_formula_and_says_it_in_words(kata):
    text = kata.readme.read_text(encoding="utf-8")
    [(alternative, place)] = re.findall(r"^!\[(.+)\]\((picture\.png)\)$", text, re.MULTILINE)
    assert 60 <= len(alternative) <= 500
    caption = text.split(f"({place})\n\n")[1].split("\n\n")[0]            # who sees the picture does not see the text
    assert 10 <= len(caption.split()) <= 75
    assert text.index(place) < text.index("\n## ")


@for_each_picture
@pytest.mark.parametrize("draw", [lambda kata: png.figure_of(kata, wrong(kata)), for_the_readme],
                         ids=["beside wrong numbers", "in the README"])
def test_no_text_is_cut_off_or_covers_another(kata, draw):
    agg, Text = pytest.importorskip("matplotlib.backends.backend_agg"), pytest.importorskip("matplotlib.text").Text
    figure = draw(kata)
    agg.FigureCanvasAgg(figure)
    figure.draw_without_rendering()                              # puts everything in place
    renderer, whole, boxes = figure.canvas.get_renderer(), figure.bbox, []
    texts = list(figure.texts)
    scales = [scale for axes in figure.axes for scale in axes.child_axes]
    for axes in (*figure.axes, *scales):
        texts += [one for one in axes.get_children() if isinstance(one, Text)]          # its titles, and notes in it
        if axes.axison:
            texts += [axes.xaxis.label, axes.yaxis.label]
            assert within(axes.get_tightbbox(renderer), whole)
        if axes.get_legend():
            boxes.append(axes.get_legend().get_window_extent(renderer))
    boxes += [text.get_window_extent(renderer) for text in texts if text.get_text()]
    assert all(within(box, whole) for box in boxes)
    assert not [pair for pair in itertools.combinations(boxes, 2) if overlapping(*pair)]


def within(box, whole):
    """Whether a box lies inside another."""
    return box.x0 >= whole.x0 and box.y0 >= whole.y0 and box.x1 <= whole.x1 and box.y1 <= whole.y1


def overlapping(one, other):
    """Whether two boxes have more than a line in common."""
    return min(one.x1, other.x1) - max(one.x0, other.x0) > 1 and min(one.y1, other.y1) - max(one.y0, other.y0) > 1


@for_each_picture
@pytest.mark.parametrize("state", [right, wrong])
def test_a_text_picture_fits_its_terminal(kata, state):
    for one, width, blocks in itertools.product(state(kata), (60, 80), (False, True)):
        lines = lines_of_panel(one, width, blocks)
        assert len(lines) <= 24
        assert all(len(line) <= width for line in lines)
        assert blocks or "".join(lines).isascii()

"""Pictures as PNG files: each panel from the graded file, from the reference, and their difference."""
from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator, Sequence
from textwrap import fill, wrap
from typing import TYPE_CHECKING, Any

import numpy as np

from grader.course.katas import Kata
from grader.course.panels import Arrows, Curves, Heatmap
from grader.output.pictures.filled import Filled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LINES, MARKERS = ("-", "--", "-.", ":"), ("o", "s", "^", "D", "v", "x", "P", "*")
COLOURS = "#0b3c6f", "#d55e00", "#e0a000"         # dark, middle, light: they differ for colour-blind eyes and in grey
STYLE: dict[Any, Any] = {
    "font.size": 9, "axes.titlesize": 9, "axes.labelsize": 9, "xtick.labelsize": 8, "ytick.labelsize": 8,
    "legend.fontsize": 8, "legend.title_fontsize": 8, "legend.frameon": False, "legend.handlelength": 3.2,
    "grid.color": "0.9"}
NOTE_WIDTH = 40                           # characters of a line in a diagram that says why there is nothing to see
KEY_WIDTH, KEY_LINES = 24, 4              # of such a text above the key of a panel that lacks only some parts
# inches: a diagram, the space between two, and around all of them; in these are titles, numbers, labels and keys
WIDE, HIGH, ACROSS, DOWN = 3.3, 2.1, 1.5, 1.25
LEFT, RIGHT, ABOVE, BELOW = 1.0, 1.75, 1.0, 0.6
BESIDE = {"loc": "center left", "bbox_to_anchor": (1.02, 0.5)}       # where the key of a diagram is


@contextlib.contextmanager
def style() -> Iterator[None]:
    """Our own settings of Matplotlib meanwhile, whatever the user's are."""
    import matplotlib
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(STYLE)
        yield


@style()
def png(figure: Figure) -> bytes:
    """The content of a PNG file."""
    content = io.BytesIO()
    figure.savefig(content, format="png", dpi=100)
    return content.getvalue()


@style()
def figure_of(kata: Kata, panels: Sequence[Filled]) -> Figure:
    """The picture: a row per panel; yours, the reference and the difference beside each other, then the key."""
    from matplotlib.figure import Figure
    columns = max(len(titles_of(one)) for one in panels)
    width = LEFT + columns * (WIDE + ACROSS) - ACROSS + RIGHT
    height = ABOVE + len(panels) * (HIGH + DOWN) - DOWN + BELOW
    figure = Figure((width, height))
    figure.text(0.1 / width, 1 - 0.08 / height, f"{kata.number} {kata.name.replace('_', ' ')}", va="top", fontsize=12,
                fontweight="bold")
    places = {"left": LEFT / width, "right": 1 - RIGHT / width, "bottom": BELOW / height, "top": 1 - ABOVE / height,
              "wspace": ACROSS / WIDE, "hspace": DOWN / HIGH}
    grid = figure.subplots(len(panels), columns, squeeze=False, gridspec_kw=places)
    for axes, one in zip(grid, panels, strict=True):
        titles = titles_of(one)
        axes[0].set_title(one.panel.title, loc="left", y=1.13, fontsize=11)
        for diagram, title in zip(axes, titles, strict=False):
            diagram.set_title(title)
        for empty in axes[len(titles):]:
            empty.axis("off")
        draw(axes[:len(titles)], one, BESIDE)
    return figure


def titles_of(one: Filled) -> list[str]:
    """What stands above the diagrams of a panel."""
    return [*one.sides, *(["yours - reference"] if one.own and one.own.parts else [])]


def draw(axes: Sequence[Axes], one: Filled, key: dict[str, Any] | None) -> None:
    """The diagrams of a panel, and its key: for lines, where it says, if they need one."""
    for diagram, side in zip(axes, one.sides.values(), strict=False):
        if not side.parts:
            put_text(diagram, side.note)
    if len(axes) == 3 and not one.differs:
        put_text(axes[2], "no difference" if one.same else "no difference in the parts that exist")
    if isinstance(one.panel, Heatmap):
        heatmaps(axes, one, one.panel)
    else:
        lines(axes, one, key)


def put_text(diagram: Axes, text: str) -> None:
    """A text instead of a diagram."""
    diagram.set(xticks=[], yticks=[])
    diagram.text(0.5, 0.5, fill(text, NOTE_WIDTH), ha="center", va="center", transform=diagram.transAxes,
                 parse_math=False)


def heatmaps(axes: Sequence[Axes], one: Filled, panel: Heatmap) -> None:
    """The sides as colours on the scale of the reference where they fit, and the size of the difference in grey."""
    hatched = ""
    for diagram, (heading, side) in zip(axes, one.sides.items(), strict=False):
        if side.parts:
            own_scale = heading == "yours" and one.leaves_the_scale
            low, high = (side if own_scale else one.wanted).ends or (0.0, 0.0)
            drawn = image(diagram, panel, side.parts[""], "cividis", low, high)
            if own_scale:
                diagram.set_title(f"yours, on its own scale: {low + 0.0:.3g} to {high + 0.0:.3g}")
            if not np.isfinite(side.parts[""]).all():
                hatched = "\nhatched: -inf or NaN"
    scale(diagram, drawn, panel.colour + hatched)
    if one.differs:
        size = np.abs(one.difference[""])
        largest = size[np.isfinite(size)].max(initial=0.0)
        drawn = image(axes[2], panel, size, "Greys", 0.0, largest)
        axes[2].set_title("size of the difference" + ("" if np.isfinite(size).all() else ", hatched: infinite"))
        if largest > 0.0:
            scale(axes[2], drawn, "")


def image(diagram: Axes, panel: Heatmap, part: np.ndarray, colours: str, low: float, high: float) -> Any:
    """A table as colours; the hatching behind it shows where there is no number."""
    part, (top, left) = np.atleast_2d(part), panel.first
    rows, columns = part.shape
    diagram.patch.set(hatch="////", edgecolor="0.6")
    diagram.locator_params(integer=True)
    diagram.set(xlabel=panel.x, ylabel=panel.y)
    return diagram.imshow(
        np.ma.masked_invalid(part), cmap=colours, vmin=low, vmax=high if high > low else low + 1.0, aspect="auto",
        interpolation="nearest", extent=(left - 0.5, left + columns - 0.5, top + rows - 0.5, top - 0.5))


def scale(diagram: Axes, drawn: Any, text: str) -> None:
    """What the colours of a diagram stand for."""
    diagram.figure.colorbar(drawn, cax=diagram.inset_axes((1.03, 0.0, 0.04, 1.0))).set_label(text, fontsize=8)


def lines(axes: Sequence[Axes], one: Filled, key: dict[str, Any] | None) -> None:
    """The sides and the difference as lines. Line style and marker say which is which, and so does the colour."""
    from matplotlib.lines import Line2D
    draw_parts = arrows if isinstance(one.panel, Arrows) else curves
    drawn = [side.parts for side in one.sides.values()] + ([one.difference] if one.differs else [])
    for place, parts in enumerate(drawn):
        if parts:
            axes[place].set(xlabel=one.panel.x, ylabel=one.panel.y)
            axes[place].grid()
            draw_parts(axes[place], one, parts, place == 2)
    if key:
        note = f"yours: {one.own.note}" if one.own and one.own.parts and one.own.note else ""
        legend = axes[-1].legend(
            handles=[Line2D([], [], **look, label=name) for name, look in looks(one).items()], **key, alignment="left",
            title="\n".join(wrap(note, KEY_WIDTH, max_lines=KEY_LINES, placeholder="...")))
        legend.get_title().set_parse_math(False)


def looks(one: Filled) -> dict[str, dict[str, Any]]:
    """{part: how its line looks}; what is drawn later is lighter and smaller, and leaves what is below it visible."""
    names, points = list(one.panel.parts), getattr(one.panel, "points", False)
    return {
        name: {"linestyle": "" if points else LINES[i % len(LINES)], "marker": MARKERS[i % len(MARKERS)],
               "markersize": 7 - 4 * i / len(names) if points else 5, "markerfacecolor": "white",
               "color": COLOURS[i % len(COLOURS)], "linewidth": 1.8 - 0.8 * i / len(names)}
        for i, name in enumerate(names)
    }


def curves(diagram: Axes, one: Filled, parts: dict[str, np.ndarray], difference: bool) -> None:
    """A line per part."""
    assert isinstance(one.panel, Curves)
    for number, (name, look) in enumerate(looks(one).items()):
        if name in parts:
            every = 1 if one.panel.points else max(1, len(parts[name]) // 8)
            first = number * every // len(one.panel.parts)             # so that markers of one place do not meet
            diagram.plot(one.panel.over, np.ma.masked_invalid(parts[name]), **look, markevery=(first, every))
    positive = all((part[np.isfinite(part)] > 0.0).all() for part in parts.values())      # a log scale hides the rest
    if "y" in one.panel.log and positive and not difference:
        diagram.set_yscale("log")
    if "x" in one.panel.log:
        diagram.set_xscale("log")


def arrows(diagram: Axes, one: Filled, parts: dict[str, np.ndarray], difference: bool) -> None:
    """An arrow from the origin to each point, its marker beyond the tip, and angles between arrows, on a circle."""
    assert isinstance(one.panel, Arrows)
    if not difference:
        from matplotlib.patches import Circle
        radius = np.hypot(*next(iter(one.wanted.parts.values())))
        diagram.add_patch(Circle((0.0, 0.0), radius, fill=False, color="0.8", linewidth=0.8))
    for name, look in looks(one).items():
        if name in parts and np.isfinite(parts[name]).all():
            diagram.plot(*(1.12 * parts[name][:, None]), **look)
            diagram.annotate("", (parts[name][0], parts[name][1]), (0.0, 0.0), arrowprops={
                "arrowstyle": "-|>", "shrinkA": 0, "shrinkB": 0, "color": look["color"],
                "linestyle": look["linestyle"]})
    for number, pair in enumerate(one.panel.angles if not difference else ()):
        if all(name in parts and np.isfinite(parts[name]).all() for name in pair):
            angle(diagram, number, *(parts[name] for name in pair))
    diagram.set_aspect("equal", adjustable="datalim")


def angle(diagram: Axes, number: int, one: np.ndarray, other: np.ndarray) -> None:
    """The angle from one arrow to another, as an arc with its degrees."""
    from matplotlib.patches import Arc
    start, end = np.degrees(np.arctan2(*one[::-1])), np.degrees(np.arctan2(*other[::-1]))
    radius = (0.3 + 0.12 * number) * max(np.hypot(*one), np.hypot(*other))
    size = (end - start) % 360.0
    middle = np.radians(start + size / 2)
    diagram.add_patch(Arc((0.0, 0.0), 2 * radius, 2 * radius, theta1=start, theta2=end, color="0.3"))
    diagram.text(1.35 * radius * np.cos(middle), 1.35 * radius * np.sin(middle), f"{size:.0f}\N{DEGREE SIGN}",
                 ha="center", va="center", fontsize=8)

"""Pictures as PNG files: each panel from the graded file, from the reference, and their difference."""
import io
import re
import textwrap

import numpy as np

from grader.course.katas import ROOT
from grader.course.panels import Arrows, Heatmap
from grader.output.pictures.filled import finite
from grader.output.writing import write_bytes

FOLDER = ROOT / ".pictures"
LINES, MARKERS = ("-", "--", "-.", ":"), ("o", "s", "^", "D", "v", "x", "P", "*")
NOTE_WIDTH = 40                           # characters of a line in a diagram that says why there is nothing to see
KEY_WIDTH, KEY_LINES = 24, 4              # of such a text next to a diagram that lacks only some parts
# inches: a diagram, what it needs to its left for numbers and label, above it for titles, below it; then the legend
WIDE, HIGH, LEFT, ABOVE, BELOW, LEGEND, HEAD = 3.3, 2.1, 1.0, 0.6, 0.62, 1.75, 0.35


def folder(options):
    """The folder for the pictures of a run. The solutions and each submission have folders of their own."""
    if options.solutions:
        return FOLDER / "solutions"
    if options.submission is not None:
        name = re.sub(r"[^\w-]", "_", options.submission.resolve().name)[:60]
        return FOLDER / "submissions" / (name or "_")
    return FOLDER


def write(path, kata, panels):
    """Draw a kata into a PNG file."""
    content = png(lambda: figure_of(kata, panels))
    path.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(path, content)


def png(draw):
    """The bytes of the figure that `draw` makes, whatever the user's settings of Matplotlib."""
    import matplotlib
    content = io.BytesIO()
    with matplotlib.rc_context(matplotlib.rcParamsDefault):
        draw().savefig(content, format="png", dpi=100)
    return content.getvalue()


def figure_of(kata, panels):
    """The picture: a row per panel; yours, the reference and the difference beside each other, then the legend."""
    from matplotlib.figure import Figure
    columns = 3 if any(one.own for one in panels) else 1
    width = columns * (LEFT + WIDE) + LEGEND
    height = HEAD + len(panels) * (ABOVE + HIGH + BELOW)
    figure = Figure(figsize=(width, height))
    figure.text(0.1 / width, 1 - 0.08 / height, f"{kata.number} {kata.name.replace('_', ' ')}", va="top",
                fontsize=12, fontweight="bold")
    for i, one in enumerate(panels):
        top = height - HEAD - i * (ABOVE + HIGH + BELOW)
        figure.text(LEFT / width, (top - 0.08) / height, one.panel.title, va="top", fontsize=11)
        bottom, high = (top - ABOVE - HIGH) / height, HIGH / height
        axes = [figure.add_axes(((LEFT + c * (LEFT + WIDE)) / width, bottom, WIDE / width, high))
                for c in range(columns)]
        key = figure.add_axes((0.0, bottom, 0.13 / width, high))
        draw_row(axes, key, one)
    return figure


def draw_row(axes, key, one):
    """One panel, from all sides, with its key."""
    titles = ["yours", "reference", "yours - reference"][:3 if one.own and one.own.parts else 2]
    if one.own is None:
        titles = ["given" if one.panel.given else "reference"]
    for one_axes, title in zip(axes, titles, strict=False):
        one_axes.set_title(title, fontsize=9)
    for empty in axes[len(titles):]:
        empty.axis("off")
    place(key, axes[len(titles) - 1], 0.15)
    draw(axes, key, one)
    if one.own is None:
        return
    if not one.own.parts:
        say(axes[0], one.own.note)
    elif not one.differs:
        say(axes[2], "no difference" if one.same else "no difference in the parts that exist")
    if one.own.parts and one.own.notes:
        text = textwrap.wrap(f"yours: {one.own.note}", KEY_WIDTH, max_lines=KEY_LINES, placeholder="...")
        key.text(0.0, 0.0, "\n".join(text), fontsize=8, va="bottom", transform=key.transAxes, parse_math=False)


def draw(axes, key, one):
    """The diagrams of a panel, and their key."""
    if isinstance(one.panel, Heatmap):
        heatmaps(axes, key, one)
        return
    draw_parts = arrows if isinstance(one.panel, Arrows) else curves
    for i, side in enumerate(one.sides):
        if side.parts:
            draw_parts(axes[i], one, side.parts)
    if one.differs:
        draw_parts(axes[2], one, one.differences(), difference=True)
    legend(key, one)


def place(key, axes, inches):
    """Put the key this many inches to the right of a diagram."""
    _, bottom, width, height = key.get_position().bounds
    key.set_position((axes.get_position().x1 + inches / key.figure.get_figwidth(), bottom, width, height))


def say(axes, text):
    """A text instead of a diagram."""
    axes.set(xticks=[], yticks=[], xlabel="", ylabel="")
    axes.text(0.5, 0.5, textwrap.fill(text, NOTE_WIDTH), ha="center", va="center", fontsize=9,
              transform=axes.transAxes, parse_math=False)


def label(axes, one):
    """The labels of both axes."""
    axes.set_xlabel(one.panel.x, fontsize=9)
    axes.set_ylabel(one.panel.y, fontsize=9)
    axes.tick_params(labelsize=8)


# Heatmaps

def heatmaps(axes, key, one):
    """The sides as colours on the scale of the reference where they fit, and the size of the difference in grey."""
    cells = [table(side.parts[""]) if side.parts else None for side in one.sides]
    images = [image(axes[i], one, cell, "cividis", *finite(one.wanted)) for i, cell in enumerate(cells)
              if cell is not None]
    if one.own and one.leaves_the_scale:
        low, high = finite(one.own)
        image(axes[0], one, cells[0], "cividis", low, high)
        axes[0].set_title(f"yours, on its own scale: {low + 0.0:.3g} to {high + 0.0:.3g}", fontsize=9)
    hatched = any(cell is not None and cell.mask.any() for cell in cells)
    scale(key, images[-1], one.panel.colour + ("\nhatched: -inf or NaN" if hatched else ""))
    if one.differs:
        size = table(np.abs(one.differences()[""]))
        largest = size.max() if size.count() else 0.0
        grey = image(axes[2], one, size, "Greys", 0.0, largest)
        axes[2].set_title("size of the difference" + (", hatched: infinite" if size.mask.any() else ""), fontsize=9)
        if largest > 0.0:
            scale(axes[2].inset_axes((1.02, 0.0, 0.03, 1.0)), grey, "")
            place(key, axes[2], 0.75)


def scale(axes, drawn, text):
    """What the colours stand for."""
    axes.figure.colorbar(drawn, cax=axes).set_label(text, fontsize=8)
    axes.tick_params(labelsize=8)


def table(part):
    """A part as it is drawn: two axes, what is not finite masked."""
    part = np.atleast_2d(part)
    return np.ma.masked_array(part, ~np.isfinite(part))


def image(axes, one, cells, colours, low, high):
    """A table as colours; the hatching behind it shows where there is no number."""
    top, left = one.panel.first
    rows, columns = cells.shape
    axes.patch.set(hatch="////", edgecolor="0.6", facecolor="white")
    axes.locator_params(integer=True)
    label(axes, one)
    return axes.imshow(
        cells, cmap=colours, vmin=low, vmax=high if high > low else low + 1.0, aspect="auto", interpolation="nearest",
        extent=(left - 0.5, left + columns - 0.5, top + rows - 0.5, top - 0.5))


# Curves

def curves(axes, one, parts, difference=False):
    """A line per part; line style and marker say which, so that colours are not needed."""
    for number, (name, look) in enumerate(looks(one).items()):
        if name in parts:
            values = np.where(np.isfinite(parts[name]), parts[name], np.nan)
            every = max(1, len(values) // 8)
            first = number * every // len(one.panel.parts)             # so that markers of one place do not meet
            axes.plot(one.panel.over, values, **look, markevery=(first, every))
    positive = all((part[np.isfinite(part)] > 0.0).all() for part in parts.values())      # a log scale hides the rest
    axes.set_yscale("log" if "y" in one.panel.log and positive and not difference else "linear")
    axes.set_xscale("log" if "x" in one.panel.log else "linear")
    axes.grid(color="0.9")
    label(axes, one)


def looks(one):
    """{part: how its line looks}; lines drawn later are lighter and narrower, and leave those below them visible."""
    names = list(one.panel.parts)
    return {
        name: {"linestyle": LINES[i % len(LINES)], "marker": MARKERS[i % len(MARKERS)], "markersize": 5,
               "markerfacecolor": "white", "color": str(0.6 * i / len(names)), "linewidth": 1.8 - 0.8 * i / len(names)}
        for i, name in enumerate(names)
    }


def legend(key, one):
    """Which line is which."""
    key.axis("off")
    where = {"loc": "center left", "bbox_to_anchor": (-0.5, 0.5)}
    if one.own and one.own.notes:
        where = {"loc": "upper left", "bbox_to_anchor": (-0.5, 1.05)}            # room for a note below
    key.legend(handles=handles(one), **where, fontsize=8, frameon=False, handlelength=3.2)


def handles(one):
    """A sample of every line, with its name."""
    from matplotlib.lines import Line2D
    return [Line2D([], [], **look, label=name) for name, look in looks(one).items()]


# Arrows

def arrows(axes, one, parts, difference=False):
    """A line from the origin to each point, its marker at the tip, on a circle."""
    if not difference:
        radius = np.hypot(*next(iter(one.wanted.parts.values())))
        angles = np.linspace(0.0, 2.0 * np.pi, 100)
        axes.plot(radius * np.cos(angles), radius * np.sin(angles), color="0.8", linewidth=0.8)
    for name, look in looks(one).items():
        if name in parts and np.isfinite(parts[name]).all():
            axes.plot([0.0, parts[name][0]], [0.0, parts[name][1]], **look, markevery=[1])
    axes.set_aspect("equal", adjustable="datalim")
    axes.grid(color="0.9")
    label(axes, one)

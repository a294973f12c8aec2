"""The picture in a README: the first two panels of a kata as the reference fills them, side by side, as a small PNG."""
import io
import json
import textwrap

import numpy as np

from grader.course.panels import Heatmap
from grader.output.pictures.png import draw, handles, png
from grader.output.writing import write_bytes

PANELS, COLOURS = 2, 96
TITLE = 44                                # characters of a line in a title
# inches: a cell holds one panel; in it come a title, a diagram with numbers and labels around it, a legend below
CELL, LEFT, WIDE, HIGH, ABOVE, BELOW, LEGEND_LINE = 4.05, 0.9, 2.75, 2.1, 0.5, 0.57, 0.2
KEY, KEY_ROOM = 0.13, 0.65                # the colour bar of a heatmap


def figure_of(panels):
    """The figure for panels that the reference has filled."""
    from matplotlib.figure import Figure
    shown = panels[:PANELS]
    names = max(len(one.panel.parts) for one in shown)
    legend = LEGEND_LINE * ((names + 1) // 2) if names > 1 else 0.0
    width, height = len(shown) * CELL, ABOVE + HIGH + BELOW + legend
    figure = Figure(figsize=(width, height))

    def area(left, bottom, wide, high):
        return figure.add_axes((left / width, bottom / height, wide / width, high / height))

    for i, one in enumerate(shown):
        left = i * CELL + LEFT
        if isinstance(one.panel, Heatmap):
            axes = area(left, BELOW + legend, WIDE - KEY_ROOM, HIGH)
            draw([axes], area(left + WIDE - KEY_ROOM + 0.1, BELOW + legend, KEY, HIGH), one)
        else:
            axes, key = area(left, BELOW + legend, WIDE, HIGH), area(left, 0.02, WIDE, legend + 0.02)
            draw([axes], key, one)
            key.get_legend().remove()
            if len(one.panel.parts) > 1:
                key.legend(handles=handles(one), loc="center", ncols=2, fontsize=8, frameon=False, handlelength=3.2)
        axes.set_title(textwrap.fill(one.panel.title, TITLE), fontsize=10)
    return figure


def summary(panels):
    """[smallest, largest, mean] of each part that is shown: on another scale, the same curve would look the same."""
    parts = [part[np.isfinite(part)] for one in panels[:PANELS] for part in one.wanted.parts.values()]
    return [[float(f"{number:.5g}") for number in (part.min(), part.max(), part.mean())] for part in parts]


def write(path, panels):
    """Draw the picture into a PNG file with a summary of its numbers; a palette of few colours keeps it small."""
    from PIL import Image, PngImagePlugin
    drawn, small, text = Image.open(io.BytesIO(png(lambda: figure_of(panels)))), io.BytesIO(), PngImagePlugin.PngInfo()
    text.add_text("Numbers", json.dumps(summary(panels)))
    drawn = drawn.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    drawn.save(small, format="png", optimize=True, pnginfo=text)
    write_bytes(path, small.getvalue())


def numbers_of(path):
    """The summary that a picture was written with."""
    from PIL import Image
    with Image.open(path) as picture:
        return json.loads(picture.text["Numbers"])

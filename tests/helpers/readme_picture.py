"""The picture in a README: the first two panels of a kata as the reference fills them, side by side, as a small PNG."""
import io
import json
import textwrap

import numpy as np

from grader.output.pictures.png import draw, png, style
from grader.output.writing import write_bytes

PANELS, COLOURS = 2, 96
TITLE = 44                                # characters of a line in a title
SIZE = 8.5, 3.4                           # inches; and where the diagrams are, in parts of it
PLACES = {"left": 0.1, "right": 0.9, "bottom": 0.31, "top": 0.87, "wspace": 0.6}
BELOW = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.2), "ncols": 2}      # where a key is


@style()
def figure_of(panels):
    """The figure for panels that the reference has filled."""
    from matplotlib.figure import Figure
    figure = Figure(SIZE)
    for diagram, one in zip(figure.subplots(1, PANELS, gridspec_kw=PLACES), panels, strict=False):
        draw([diagram], one, BELOW if len(one.panel.parts) > 1 else None)
        diagram.set_title(textwrap.fill(one.panel.title, TITLE), fontsize=10)
    return figure


def summary(panels):
    """[smallest, largest, mean] of each part that is shown: on another scale, the same curve would look the same."""
    parts = [part[np.isfinite(part)] for one in panels[:PANELS] for part in one.wanted.parts.values()]
    return [[float(f"{number:.5g}") for number in (part.min(), part.max(), part.mean())] for part in parts]


def write(path, panels, figure):
    """Draw the figure into a PNG file with a summary of its numbers; a palette of few colours keeps it small."""
    from PIL import Image, PngImagePlugin
    drawn, small, text = Image.open(io.BytesIO(png(figure))), io.BytesIO(), PngImagePlugin.PngInfo()
    text.add_text("Numbers", json.dumps(summary(panels)))
    drawn = drawn.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    drawn.save(small, format="png", optimize=True, pnginfo=text)
    write_bytes(path, small.getvalue())


def numbers_of(path):
    """The summary that a picture was written with."""
    from PIL import Image
    with Image.open(path) as picture:
        return json.loads(picture.text["Numbers"])

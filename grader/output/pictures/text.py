"""Pictures as text: heatmaps of shaded characters, curves as lines of them, with their scales in words."""
import sys
from collections.abc import Iterable, Iterator
from textwrap import wrap

import numpy as np
import pytest

from grader.course.katas import Kata
from grader.course.panels import Arrows, Curves, Heatmap
from grader.output.pictures.filled import Filled, Side

SHADES = " .:-=+*#%@"                     # low to high, on any terminal
BLOCKS, BARS = " \u2591\u2592\u2593\u2588", "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588"
NO_NUMBER = "/"
ROWS, CURVES, NAME = 16, 4, 18            # lines of a heatmap, differing curves of a panel, characters of a name
LEFT, GAP = 4, 3                          # characters for the number of a row, between two tables
HEADING, SHORTEST = 10, 6                 # characters for "yours" or "reference", of a curve
Ends = tuple[float, float] | None


def write(terminal: pytest.TerminalReporter, kata: Kata, panels: Iterable[Filled], width: int) -> None:
    """Write the picture of a kata to the terminal."""
    try:
        blocks = bool((BLOCKS + BARS).encode(sys.stdout.encoding or "ascii"))
    except (UnicodeEncodeError, LookupError):
        blocks = False
    terminal.write_line(f"{kata.number} {kata.name.replace('_', ' ')}", bold=True)
    for one in panels:
        for line in ["", *lines_of_panel(one, width, blocks)]:
            terminal.write_line(line.rstrip())
    terminal.write_line("")


def lines_of_panel(one: Filled, width: int, blocks: bool) -> list[str]:
    """One panel as lines of at most `width` characters."""
    panel, body = one.panel, []
    if one.own and one.own.note:
        body = wrap(f"yours: {one.own.note}", width - 2, subsequent_indent="  ")
        body += [] if one.own.parts else ["the reference:"]
    elif one.same:
        body = ["yours, the same as the reference:"]
    if isinstance(panel, Heatmap):
        body += shaded_tables(one, panel, width - 2, BLOCKS if blocks else SHADES)
    elif isinstance(panel, Curves):
        body += bars(one, panel, width - 2, BARS if blocks else SHADES)
    elif isinstance(panel, Arrows):
        body += tips(one, width - 2)
    return [*wrap(panel.title, width), *(f"  {line}" for line in body)]


def to_draw(one: Filled) -> dict[str, dict[str, np.ndarray]]:
    """{heading: parts}: only the reference if the learner's part is the same or missing."""
    if one.own and one.own.parts and not one.same:
        return {heading: side.parts for heading, side in one.sides.items()}
    return {"": one.wanted.parts}


def shaded(values: np.ndarray, ends: Ends, characters: str, wide: int = 1) -> str:
    """`wide` characters per value, from the first for the low end to the last for the high one."""
    low, high = ends or (0.0, 0.0)
    share = (np.clip(np.nan_to_num(values), low, high) - low) / (high - low if high > low else 1.0)
    places = np.minimum(share * len(characters), len(characters) - 1).astype(int)
    return "".join(wide * (characters[place] if np.isfinite(value) else NO_NUMBER)
                   for value, place in zip(values, places, strict=True))


def step(count: int, limit: int) -> int:
    """n, where every n-th of `count` fits. It is odd, so that alternating sines and cosines both appear."""
    return -(-count // limit) | 1


def of_axis(text: str, count: int = 0, every: int = 1) -> str:
    """The label of an axis in one line, and which of its points are shown."""
    thinned = f", every {every}{'rd' if every == 3 else 'th'} of {count}" if every > 1 else ""
    return " ".join(text.split()) + thinned


def span(ends: Ends, digits: int = 3) -> str:
    """A range as text, such as `0 to 3`."""
    if ends is None:
        return "no numbers"
    low, high = (f"{end + 0.0:.{digits}g}" for end in ends)                  # + 0.0 makes 0 of -0
    return low if low == high else f"{low} to {high}"


def shaded_tables(one: Filled, panel: Heatmap, width: int, characters: str) -> Iterator[str]:
    """Tables beside each other, with the numbers of their rows in front, and the legend below."""
    tables = {heading: np.atleast_2d(parts[""]) for heading, parts in to_draw(one).items()}
    both = len(tables) == 2
    rows, columns = np.atleast_2d(one.wanted.parts[""]).shape
    room = (width - LEFT - 2 * GAP * both) // (3 if both else 1)
    down, across = step(rows, ROWS), step(columns, room)
    wide = 2 if 2 * len(range(0, columns, across)) <= room else 1
    numbers = [panel.first[0] + row for row in range(0, rows, down)]
    texts = [[f"{number:>{LEFT - 1}}" for number in ["", *numbers][not both:]]]
    remarks = [f"'{characters}': {of_axis(panel.colour)}, {span(one.wanted.ends)}"]
    if any(not np.isfinite(values).all() for values in tables.values()):
        remarks.append(f"'{NO_NUMBER}': -inf or NaN")
    for heading, values in tables.items():
        ends = one.wanted.ends
        if one.own and heading == "yours" and one.leaves_the_scale:
            ends = one.own.ends
            remarks.append(f"yours has its own scale, {span(ends)}")
        texts.append([heading] * both + [shaded(row, ends, characters, wide) for row in values[::down, ::across]])
    if both:
        size = np.abs(one.difference[""])
        remarks.append(f"difference: blank where there is none, at most {size[np.isfinite(size)].max(initial=0.0):.3g}")
        texts.append(["difference", *difference(one, characters, down, across, wide)])
    padded = [[text.ljust(max(map(len, block))) for text in block] for block in texts]
    for number, *parts in zip(*padded, strict=True):
        yield f"{number} {(' ' * GAP).join(parts)}"
    yield from wrap(f"down: {of_axis(panel.y, rows, down)}; across: {of_axis(panel.x, columns, across)}", width)
    yield from wrap("; ".join(remarks), width)


def difference(one: Filled, characters: str, down: int, across: int, wide: int) -> Iterator[str]:
    """The rows of the difference. A character is blank only if all entries that it stands for are right."""
    sizes = np.atleast_2d(np.where(one.wrong(""), np.abs(one.difference[""]), -1.0))
    sizes = np.maximum.reduceat(sizes, np.arange(0, sizes.shape[0], down), axis=0)
    sizes = np.maximum.reduceat(sizes, np.arange(0, sizes.shape[1], across), axis=1)
    high = sizes[np.isfinite(sizes)].max(initial=0.0)
    for row in sizes:
        marks = shaded(row, (0.0, high), characters[1:])
        yield "".join(wide * (mark if size >= 0.0 else " ") for mark, size in zip(marks, row, strict=True))


def bars(one: Filled, panel: Curves, width: int, characters: str) -> Iterator[str]:
    """A line of characters per curve. If some curves are wrong, only those, each above the reference's."""
    found, names = to_draw(one), list(panel.parts)
    both = len(found) == 2
    if both:
        names = [name for name in names if name not in found["yours"] or one.wrong(name).any()]
    drawn = [(name, heading, parts[name]) for name in (names[:CURVES] if both else names)
             for heading, parts in found.items() if name in parts]
    space, heading_space = min(NAME, max(map(len, names))), HEADING if both else 0
    room = width - space - heading_space - 3
    for digits in (3, 2, 1):                  # in the numbers after a curve: fewer if the curve needs the room
        numbers = [span(Side({"": values}).ends, digits) for _, _, values in drawn]
        left = room - max(map(len, numbers))
        if left >= SHORTEST:
            break
    every, (low, high) = step(len(panel.over), max(left, SHORTEST)), one.wanted.ends or (0.0, 0.0)
    scaled = np.log10 if "y" in panel.log else np.asarray
    with np.errstate(all="ignore"):
        ends = float(scaled(low)), float(scaled(high))
        shades = [shaded(scaled(values[::every]), ends, characters) for _, _, values in drawn]
    for (name, heading, _), shade, number in zip(drawn, shades, numbers, strict=True):
        yield f"{name[:space]:<{space}} {heading:<{heading_space}}{shade}  {number}"
    across = f"{panel.x}, {span((panel.over[0], panel.over[-1]), 6)}"
    yield from wrap(f"across: {of_axis(across, len(panel.over), every)}", width)
    scale = f"'{characters}': {of_axis(panel.y)}, {span(one.wanted.ends)}"
    scale += ", logarithmic" if "y" in panel.log else ""
    scale += f"; '{NO_NUMBER}': nothing to draw" if NO_NUMBER in "".join(shades) else ""
    yield from wrap(scale, width)
    if len(names) < len(panel.parts):
        yield f"{len(panel.parts) - len(names)} more of {len(panel.parts)} curves are the same as the reference's"
    if both and len(names) > CURVES:
        yield f"{len(names) - CURVES} more of {len(panel.parts)} curves differ"


def tips(one: Filled, width: int) -> Iterator[str]:
    """Where each arrow points, in numbers."""
    for name in one.panel.parts:
        ends = []
        for heading, parts in to_draw(one).items():
            if name in parts:
                x, y = parts[name]
                tip = f"({x:.3f}, {y:.3f}) at {np.degrees(np.arctan2(y, x)):.0f} degrees"
                ends.append(f"{heading} {tip if np.isfinite(parts[name]).all() else 'not a number'}".strip())
        yield from wrap(f"{name}: {'; '.join(ends)}", width, subsequent_indent="    ")

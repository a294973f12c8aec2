"""Pictures as text: heatmaps of shaded characters, curves as lines of them, with their scales in words."""
import sys
from textwrap import wrap

import numpy as np

from grader.course.compare import wrong_entries
from grader.course.panels import Arrows, Heatmap
from grader.output.pictures.filled import finite

SHADES = " .:-=+*#%@"                     # low to high, on any terminal
BLOCKS, BARS = " \u2591\u2592\u2593\u2588", "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588"
NO_NUMBER = "/"
ROWS, CURVES, NAME = 16, 4, 18            # lines of a heatmap, differing curves of a panel, characters of a name
LEFT, GAP = 4, 3                          # characters for the number of a row, between two tables
HEADING, SHORTEST = 10, 6                 # characters for "yours" or "reference", of a curve


def write(terminal, kata, panels, width):
    """Write the picture of a kata to the terminal."""
    blocks = can_show(BLOCKS + BARS, sys.stdout.encoding)
    terminal.write_line(f"{kata.number} {kata.name.replace('_', ' ')}", bold=True)
    for one in panels:
        terminal.write_line("")
        for line in lines(one, width, blocks):
            terminal.write_line(line.rstrip())
    terminal.write_line("")


def can_show(text, encoding):
    """Whether a terminal with this encoding has these characters."""
    try:
        text.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def lines(one, width, blocks):
    """One panel as lines of at most `width` characters."""
    kind = heatmap if isinstance(one.panel, Heatmap) else arrows if isinstance(one.panel, Arrows) else curves
    body = [*verdict(one, width - 2), *kind(one, width - 2, blocks)]
    return [*wrap(one.panel.title, width), *(f"  {line}" for line in body)]


def verdict(one, width):
    """How the graded file compares with the reference, in words."""
    if one.own and one.own.notes:
        note = wrap(f"yours: {one.own.note}", width, subsequent_indent="  ")
        return note if one.own.parts else [*note, "the reference:"]
    return ["yours, the same as the reference:"] if one.same else []


def sides(one):
    """{heading: parts} to draw: only the reference if the learner's part is the same or missing."""
    both = one.own and one.own.parts and not one.same
    return {"yours": one.own.parts, "reference": one.wanted.parts} if both else {"": one.wanted.parts}


# Characters

def shaded(values, ends, characters, wide=1):
    """`wide` characters per value, from the first for the low end to the last for the high one."""
    low, high = ends
    share = (np.clip(np.nan_to_num(values), low, high) - low) / (high - low if high > low else 1.0)
    places = np.minimum(share * len(characters), len(characters) - 1).astype(int)
    return "".join(wide * (characters[place] if np.isfinite(value) else NO_NUMBER)
                   for value, place in zip(values, places, strict=True))


def step(count, limit):
    """n, where every n-th of `count` fits. It is odd, so that alternating sines and cosines both appear."""
    least = -(-count // limit)
    return least if least % 2 else least + 1


def label(text, count=0, every=1):
    """The label of an axis in one line, and which of its points are shown."""
    thinned = f", every {every}{'rd' if every == 3 else 'th'} of {count}" if every > 1 else ""
    return " ".join(text.split()) + thinned


def span(ends, digits=3):
    """A range as text, such as `0 to 3`."""
    if ends is None:
        return "no numbers"
    low, high = (f"{end + 0.0:.{digits}g}" for end in ends)                  # + 0.0 makes 0 of -0
    return low if low == high else f"{low} to {high}"


# Heatmaps

def heatmap(one, width, blocks):
    """Tables beside each other, with the numbers of their rows in front, and the legend below."""
    characters = BLOCKS if blocks else SHADES
    tables = {heading: np.atleast_2d(parts[""]) for heading, parts in sides(one).items()}
    both = len(tables) == 2
    rows, columns = np.atleast_2d(one.wanted.parts[""]).shape
    room = (width - LEFT - 2 * GAP * both) // (3 if both else 1)
    down, across = step(rows, ROWS), step(columns, room)
    wide = 2 if 2 * len(range(0, columns, across)) <= room else 1
    blocks_of_text = []
    for heading, values in tables.items():
        ends = finite(one.own) if heading == "yours" and one.leaves_the_scale else finite(one.wanted)
        blocks_of_text.append([heading, *(shaded(row, ends, characters, wide) for row in values[::down, ::across])])
    if both:
        blocks_of_text.append(["difference", *difference(one, characters, down, across, wide)])
    padded = [[text.ljust(max(map(len, block))) for text in block] for block in blocks_of_text]
    numbers = ["", *(str(one.panel.first[0] + row) for row in range(0, rows, down))]
    for number, *texts in list(zip(numbers, *padded, strict=True))[0 if any(sides(one)) else 1:]:
        yield f"{number:>{LEFT - 1}} {(' ' * GAP).join(texts)}"
    yield from wrap(f"down: {label(one.panel.y, rows, down)}; across: {label(one.panel.x, columns, across)}", width)
    scale = f"'{characters}': {label(one.panel.colour)}, {span(finite(one.wanted))}"
    yield from wrap("; ".join([scale, *remarks(one, tables)]), width)


def difference(one, characters, down, across, wide):
    """The rows of the difference. A character is blank only if all entries that it stands for are right."""
    own, wanted = np.atleast_2d(one.own.parts[""]), np.atleast_2d(one.wanted.parts[""])
    sizes = np.where(wrong_entries(own, wanted), np.abs(np.atleast_2d(one.differences()[""])), -1.0)
    sizes = np.maximum.reduceat(sizes, np.arange(0, sizes.shape[0], down), axis=0)
    sizes = np.maximum.reduceat(sizes, np.arange(0, sizes.shape[1], across), axis=1)
    high = sizes[np.isfinite(sizes)].max(initial=0.0)
    for row in sizes:
        drawn = shaded(row, (0.0, high), characters[1:])
        yield "".join(wide * (mark if size >= 0.0 else " ") for mark, size in zip(drawn, row, strict=True))


def remarks(one, tables):
    """What else the reader has to know about the characters."""
    if any(not np.isfinite(values).all() for values in tables.values()):
        yield f"'{NO_NUMBER}': -inf or NaN"
    if "yours" in tables:
        if one.leaves_the_scale:
            yield f"yours has its own scale, {span(finite(one.own))}"
        size = np.abs(one.differences()[""])
        yield f"difference: blank where there is none, at most {size[np.isfinite(size)].max(initial=0.0):.3g}"


# Curves

def curves(one, width, blocks):
    """A line of characters per curve. If some curves are wrong, only those, each above the reference's."""
    characters = BARS if blocks else SHADES
    found, names = sides(one), list(one.panel.parts)
    both = len(found) == 2
    if both:
        names = [name for name in names if name not in one.own.parts or one.wrong(name)]
    shown = [(name, heading, parts[name]) for name in (names[:CURVES] if both else names)
             for heading, parts in found.items() if name in parts]
    space, heading_space = min(NAME, max(map(len, names))), HEADING if both else 0
    room = width - space - heading_space - 3
    for digits in (3, 2, 1):                  # in the numbers after a curve: fewer if the curve needs the room
        ends = [span(curve_ends(values), digits) for _, _, values in shown]
        if room - max(map(len, ends)) >= SHORTEST:
            break
    every = step(len(one.panel.over), max(room - max(map(len, ends)), SHORTEST))
    bars = [curve(one, values[::every], characters) for _, _, values in shown]
    for (name, heading, _), bar, text in zip(shown, bars, ends, strict=True):
        yield f"{name[:space]:<{space}} {heading:<{heading_space}}{bar}  {text}"
    across = f"{one.panel.x}, {span((one.panel.over[0], one.panel.over[-1]), 6)}"
    yield from wrap(f"across: {label(across, len(one.panel.over), every)}", width)
    scale = f"'{characters}': {label(one.panel.y)}, {span(finite(one.wanted))}"
    scale += ", logarithmic" if "y" in one.panel.log else ""
    scale += f"; '{NO_NUMBER}': nothing to draw" if NO_NUMBER in "".join(bars) else ""
    yield from wrap(scale, width)
    right, hidden = len(one.panel.parts) - len(names), len(names) - CURVES
    if right:
        yield f"{right} more of {len(one.panel.parts)} curves are the same as the reference's"
    if both and hidden > 0:
        yield f"{hidden} more of {len(one.panel.parts)} curves differ"


def curve_ends(values):
    """The lowest and the highest number of a curve, None where there is none."""
    values = values[np.isfinite(values)]
    return (values.min(), values.max()) if values.size else None


def curve(one, values, characters):
    """A line of characters, on the scale of all curves of the reference."""
    ends = finite(one.wanted)
    if "y" in one.panel.log:
        with np.errstate(all="ignore"):
            values, ends = np.log10(values), np.log10(ends)
    return shaded(values, ends, characters)


# Arrows

def arrows(one, width, blocks):
    """Where each arrow points, in numbers."""
    found = sides(one)
    for name in one.panel.parts:
        ends = [f"{heading} {tip(parts[name])}".strip() for heading, parts in found.items() if name in parts]
        yield from wrap(f"{name}: {'; '.join(ends)}", width, subsequent_indent="    ")


def tip(point):
    """A point in numbers."""
    if not np.isfinite(point).all():
        return "not a number"
    return f"({point[0]:.3f}, {point[1]:.3f}) at {np.degrees(np.arctan2(point[1], point[0])):.0f} degrees"

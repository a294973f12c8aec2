"""A small ASCII picture of where a result is wrong."""
import numpy as np

from grader.compare import fault, wrong_entries

ROWS, COLUMNS = 6, 16


def picture(actual, wanted):
    """Lines that show right and wrong entries of the first wrong (rows, columns) slice, and the first wrong one."""
    if isinstance(wanted, tuple):
        pairs = zip(actual, wanted, strict=True)
        index, (actual, wanted) = next((i, (a, w)) for i, (a, w) in enumerate(pairs) if fault(a, w))
        return [f"result {index}:", *picture(actual, wanted)]
    actual, wanted = np.asarray(actual), np.asarray(wanted)
    wrong = wrong_entries(actual, wanted)
    first = tuple(int(i) for i in np.argwhere(wrong)[0])
    lines = []
    if wrong.size > 1 and not wrong.all():
        lines = grid(np.atleast_2d(wrong[first[:-2]] if wrong.ndim > 2 else wrong), first)
    place = f"first wrong: [{', '.join(map(str, first))}] " if first else ""
    return [*lines, f"{place}wanted {number(wanted[first])}, got {number(actual[first], wanted[first])}"]


def grid(wrong, first):
    """The picture itself, windowed so that the first wrong entry is inside."""
    row, column = (first[-2], first[-1]) if len(first) > 1 else (0, first[-1])
    top = max(0, min(row - 1, wrong.shape[0] - ROWS))
    left = max(0, min(column - 1, wrong.shape[1] - COLUMNS)) if column >= COLUMNS else 0
    columns = range(left, min(left + COLUMNS, wrong.shape[1]))
    rows = range(top, min(top + ROWS, wrong.shape[0]))
    slice_name = f" at [{', '.join(map(str, first[:-2]))}]" if len(first) > 2 else ""
    lines = [f". right  x wrong{slice_name}".ljust(22) + "".join(f"{c:3d}" for c in columns)]
    for r in rows:
        label = f"row {r}" if wrong.shape[0] > 1 else "entry"
        lines.append(label.rjust(20).ljust(22) + "".join("  x" if wrong[r, c] else "  ." for c in columns))
    hidden = [f"{n} more {name}" for n, name in (
        (wrong.shape[0] - len(rows), "rows"), (wrong.shape[1] - len(columns), "columns")) if n]
    return lines + ([f"({', '.join(hidden)} not shown)"] if hidden else [])


def number(value, beside=None):
    """A number in few digits, in more where it would look like the one beside it."""
    if np.asarray(value).dtype.kind in "bOUS":
        return str(value)
    for digits in (6, 9, 12, 17):
        text = f"{value:.{digits}g}"
        if beside is None or text != f"{beside:.{digits}g}":
            break
    return text

"""A small grid in ASCII that shows which entries are wrong, and which have the largest errors."""
import numpy as np

from grader.course.compare import ORDINALS, fault, several, wrong_entries

ROWS, COLUMNS = 6, 16
ROW = 72                                  # characters of a row that is shown as numbers


def picture(actual, wanted):
    """Lines that show right and wrong entries of the first wrong (rows, columns) slice, and the first wrong one."""
    if isinstance(wanted, tuple):
        pairs = zip(several(actual), wanted, strict=True)
        index, (actual, wanted) = next((i, (a, w)) for i, (a, w) in enumerate(pairs) if fault(a, w))
        return [f"{ORDINALS[index]} result:", *picture(actual, wanted)]
    actual, wanted = np.asarray(actual), np.asarray(wanted)
    wrong = wrong_entries(actual, wanted)
    first = tuple(int(i) for i in np.argwhere(wrong)[0])
    lines = []
    if wrong.ndim == 1 and wrong.size > 1:
        expected, got = zip(*map(numbers, wanted, actual, wrong), strict=True)
        rows = [f"expected [{', '.join(expected)}]", f"got      [{', '.join(got)}]"]
        if max(map(len, rows)) <= ROW:
            return rows
    if wrong.size > 1 and not wrong.all():
        marks, most = marked(wrong, actual, wanted)
        lines = grid(np.atleast_2d(marks[first[:-2]] if wrong.ndim > 2 else marks), first)
        if most and any("X" in line.split() for line in lines):
            lines.append(f"X: a large error, more than half of the largest ({most:.3g})")
    place = f"first wrong: [{', '.join(map(str, first))}] " if first else ""
    expected, got = numbers(wanted[first], actual[first], wrong=True)
    return [*lines, f"{place}expected {expected}, got {got}"]


def marked(wrong, actual, wanted):
    """A character for every entry, and the largest error; 0 if all errors are of a similar size."""
    marks = np.where(wrong, "x", ".")
    if actual.dtype.kind not in "iuf" or wanted.dtype.kind not in "iuf":
        return marks, 0
    with np.errstate(all="ignore"):
        sizes = np.where(wrong, np.abs(actual.astype(float) - wanted), 0.0)
    sizes[~np.isfinite(sizes)] = 0.0
    far = sizes > sizes.max() / 2
    if not (wrong & ~far).any():
        return marks, 0
    return np.where(far, "X", marks), sizes.max()


def grid(marks, first):
    """The picture itself, windowed so that the first wrong entry is inside."""
    row, column = (first[-2], first[-1]) if len(first) > 1 else (0, first[-1])
    top = 0 if row < ROWS else min(row - 1, marks.shape[0] - ROWS)
    left = max(0, min(column - 1, marks.shape[1] - COLUMNS)) if column >= COLUMNS else 0
    columns = range(left, min(left + COLUMNS, marks.shape[1]))
    rows = range(top, min(top + ROWS, marks.shape[0]))
    slice_name = f" at [{', '.join(map(str, first[:-2]))}]" if len(first) > 2 else ""
    lines = [f". right  x wrong{slice_name}".ljust(22) + "".join(f"{c:3d}" for c in columns)]
    for r in rows:
        label = f"row {r}" if marks.shape[0] > 1 else "entry"
        lines.append(label.rjust(20).ljust(22) + "".join(f"  {marks[r, c]}" for c in columns))
    hidden = [f"{n} more {name}{'s' if n > 1 else ''}" for n, name in (
        (marks.shape[0] - len(rows), "row"), (marks.shape[1] - len(columns), "column")) if n]
    return lines + ([f"({', '.join(hidden)} not shown)"] if hidden else [])


def numbers(expected, got, wrong):
    """Two numbers as text with six digits, or with more if a wrong one would look the same as the expected one."""
    for digits in (6, 9, 12, 17):
        texts = tuple(str(value) if np.asarray(value).dtype.kind in "bOUS" else f"{value + 0:.{digits}g}"
                      for value in (expected, got))              # + 0 makes 0 of -0
        if not wrong or texts[0] != texts[1]:
            break
    return texts

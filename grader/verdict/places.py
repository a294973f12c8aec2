"""Where the wrong entries of an array are, if they are not everywhere: only in the last row, only from row 2 on."""
import numpy as np


def place(wrong):
    """The sentence for a mask of wrong entries, or None."""
    if not wrong.ndim or wrong.all() or wrong.size < 3:
        return None
    return of_slices(wrong, whole=True) or by_diagonal(wrong) or of_slices(wrong, whole=False)


def of_slices(wrong, whole):
    """The sentence for wrong rows, columns or other slices, wrong as a whole or in part."""
    for axis, name in axes(wrong):
        others = tuple(i for i in range(wrong.ndim) if i != axis)
        some = wrong.any(axis=others)
        if (wrong.all(axis=others) == some).all() == whole and (found := along(some, name, whole)):
            return found
    return None


def by_diagonal(wrong):
    """The sentence for entries on one side of the diagonal, which ends in the last corner."""
    if wrong.ndim < 2 or not 2 < wrong.shape[-2] <= wrong.shape[-1]:
        return None
    rows, columns = np.indices(wrong.shape[-2:])
    beyond = columns - rows - (wrong.shape[-1] - wrong.shape[-2])
    for name, part in (("on the diagonal", beyond == 0), ("above the diagonal", beyond > 0),
                       ("on and above the diagonal", beyond >= 0), ("below the diagonal", beyond < 0),
                       ("on and below the diagonal", beyond <= 0), ("off the diagonal", beyond != 0)):
        if part.any() and not wrong[..., ~part].any() and wrong[..., part].mean() > 0.5:
            return f"Only entries {name} are wrong."
    return None


def along(wrong, name, whole):
    """The sentence for the wrong places of one axis, if they are one place or one stretch."""
    places = np.flatnonzero(wrong)
    first, last, end = int(places[0]), int(places[-1]), len(wrong) - 1
    one = {"entries": "entry", "rows": "row", "columns": "column"}.get(name, name.replace("slices", "slice"))
    if len(places) == 1:
        which = {0: f"the first {one}", end: f"the last {one}"}.get(first, f"{one} {first}")
        return f"Only {which} is wrong." if whole else f"Only {which} has wrong entries."
    if len(places) > end or last - first + 1 != len(places):
        return None
    if last == end:
        return f"Only the {name} from {one.split()[0]} {first} on are wrong."
    return f"Only the {name} up to {one.split()[0]} {last} are wrong." if first == 0 else None


def axes(array):
    """The axes with their names: the last two are rows and columns."""
    names = {1: ["entries"], 2: ["rows", "columns"]}.get(
        array.ndim, [f"slices of axis {i}" for i in range(array.ndim - 2)] + ["rows", "columns"])
    return [(i, name) for i, name in enumerate(names) if array.shape[i] > 1] if array.ndim else []

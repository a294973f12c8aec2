"""What two arrays tell by themselves about how a wrong one came to be."""
import itertools

import numpy as np

from grader.compare import TOLERANCE_SINGLE, wrong_entries


def pattern(actual, wanted):
    """Return (name, sentence) of the first pattern that turns `actual` into `wanted`, or None."""
    if not isinstance(actual, np.ndarray | np.generic | float | int):
        return None
    if not isinstance(wanted, np.ndarray | np.generic | float | int):
        return None
    actual, wanted = np.asarray(actual), np.asarray(wanted)
    if actual.dtype.kind not in "fiu" or wanted.dtype.kind not in "fiu":
        return None
    if np.array_equal(actual, wanted):                 # then it is the type that is wrong
        return None
    for finder in OF_THE_SAME_SHAPE if actual.shape == wanted.shape else (by_shape,):
        with np.errstate(all="ignore"):
            found = finder(actual, wanted)
        if found:
            return found
    return None


def equal(a, b):
    """Same shape and values, within tolerance."""
    return a.shape == b.shape and not wrong_entries(a, b).any()


def by_shape(actual, wanted):
    """Results of another shape that hold the right values all the same."""
    if actual.ndim >= 2 and equal(np.swapaxes(actual, -1, -2), wanted):
        return "transposed", "The values are right, but the last two axes are swapped: the result is transposed."
    if actual.size == wanted.size and equal(actual.reshape(wanted.shape), wanted):
        return "reshaped", "The values are right and in order, but the shape is another."
    if actual.ndim == wanted.ndim == 0 or not actual.size:
        return None
    if actual.ndim == wanted.ndim and all(a >= w for a, w in zip(actual.shape, wanted.shape, strict=True)):
        part = actual[tuple(slice(w) for w in wanted.shape)]
        if equal(part, wanted):
            return "too_large", "The result begins as it should, but it is larger than it should be."
    if actual.ndim == wanted.ndim and all(a <= w for a, w in zip(actual.shape, wanted.shape, strict=True)):
        part = wanted[tuple(slice(a) for a in actual.shape)]
        if equal(actual, part):
            return "too_small", "What is there is right, but the result is smaller than it should be."
    return None


def not_a_number(actual, wanted):
    """NaN where there should be numbers."""
    nans = np.isnan(actual) & ~np.isnan(wanted)
    if nans.any():
        count = f"{int(nans.sum())} of {nans.size}"
        return "nan", f"{count} entries are NaN (not a number), as 0/0, inf - inf or a bad root give."
    return None


def unfinished(actual, wanted):
    """Zeros left where something should have been written."""
    wrong = wrong_entries(actual, wanted)
    if actual.ndim and wrong.any() and not wrong.all() and not actual[wrong].any():
        return "unfinished", "The wrong entries are all 0, as if they had never been filled in."
    return None


def precision(actual, wanted):
    """Right, but only to single or half precision."""
    if not np.isfinite(wanted).all():
        return None
    errors = actual - wanted
    off = np.abs(errors) / np.maximum(1.0, np.abs(wanted))
    if actual.dtype == np.float16 and off.max() <= 5e-2:
        return "float16", "The values are right up to half precision: float16 keeps only three digits."
    if actual.dtype.kind in "iu" and off.max() and equal(actual, np.trunc(wanted)):
        return "integers", "The fractions are cut off: the result was written into an array of integers."
    limit = TOLERANCE_SINGLE / 5 if actual.size > 1 else 1e-6          # one number is soon close to another
    constant = actual.size > 2 and np.ptp(errors) < 1e-2 * np.abs(errors).max()    # roundings are not all the same
    if actual.dtype == np.float64 and 0 < off.max() <= limit and not constant:
        return "float32", "The values are right only to single precision: compute in float64 throughout."
    return None


def signs(actual, wanted):
    """The sign of everything, or of something."""
    if equal(-actual, wanted):
        every = ": every value is negated" if actual.size > 1 else ""
        return "negated", f"The sign is the other way round{every}."
    if equal(np.abs(actual), np.abs(wanted)):
        return "signs", "The sizes are right, but some of the signs are not."
    return None


def by_constant(actual, wanted):
    """Off by one factor, or by one added number."""
    finite = np.isfinite(wanted) & np.isfinite(actual)
    if not actual.ndim or finite.sum() < 3 or (np.isfinite(actual) != np.isfinite(wanted)).any():
        return None
    a, w = actual[finite].astype(float), wanted[finite].astype(float)
    if np.ptp(w) == 0.0 and np.ptp(a) == 0.0:
        return None
    top = np.argmax(np.abs(w))
    if w[top] and a[top]:
        factor = a[top] / w[top]
        if equal(a / factor, w) and not equal(a, w):
            return "scaled", f"Every value is {factor:.6g} times what it should be."
    if equal(a - (a[top] - w[top]), w):
        return "off_by_constant", f"Every value is off by the same number: {a[top] - w[top]:+.6g}."
    return None


def reordered(actual, wanted):
    """The right rows or columns in another order."""
    for axis, name in axes(actual):
        if equal(np.flip(actual, axis), wanted):
            return "reversed", f"The values are right, but the {name} are in reverse order."
    for one, other in itertools.combinations(range(actual.ndim), 2):
        if actual.shape[one] == actual.shape[other] and equal(np.swapaxes(actual, one, other), wanted):
            return "transposed", f"The values are right, but axes {one} and {other} are swapped."
    if actual.ndim and actual.shape[-1] % 2 == 0 and actual.shape[-1] >= 4:
        width = actual.shape[-1]
        to_pairs = np.arange(width).reshape(2, -1).T.ravel()
        if equal(actual[..., to_pairs], wanted):
            return "halves", "The values are right, but the columns stand in two halves where pairs are wanted."
        if equal(actual[..., np.argsort(to_pairs)], wanted):
            return "pairs", "The values are right, but the columns stand in pairs where two halves are wanted."
        in_pairs = np.arange(width).reshape(-1, 2)[:, ::-1].ravel()
        if equal(actual[..., in_pairs], wanted):
            return "swapped_pairs", "The values are right, but within each pair of columns the two are swapped."
    return None


def shifted(actual, wanted):
    """Everything one place further along an axis."""
    for axis, name in axes(actual):
        if actual.shape[axis] < 3:
            continue
        for step, word in ((1, "late"), (-1, "early")):
            if equal(np.roll(actual, -step, axis), wanted):
                return "rolled", f"The {name} are rolled: each comes one place too {word}."
            inner = [slice(None)] * actual.ndim
            outer = list(inner)
            inner[axis], outer[axis] = (slice(1, None), slice(None, -1)) if step > 0 else (
                slice(None, -1), slice(1, None))
            if equal(actual[tuple(inner)], wanted[tuple(outer)]) and np.ptp(wanted[tuple(outer)]):
                return "shifted", f"The {name} are shifted: each comes one place too {word}."
    return None


def another_order(actual, wanted):
    """The right entries, rows or columns, in no order that has a name."""
    for axis, name in axes(actual):
        one, other = (np.moveaxis(a, axis, 0).reshape(a.shape[axis], -1) for a in (actual, wanted))
        if equal(one[np.lexsort(one.T)], other[np.lexsort(other.T)]):
            return "order", f"The values are right, but the {name} are not in their order."
    return None


def along_an_axis(actual, wanted):
    """Constant along an axis where it should not be: something was broadcast along the wrong one."""
    for axis, name in axes(actual) if actual.ndim == 2 else []:
        first = np.take(actual, [0], axis)
        if equal(np.broadcast_to(first, actual.shape), actual) and np.ptp(wanted, axis).any():
            other = "columns" if axis == 0 else "rows"
            reason = f"as if what differs by {name} had been put along the {other}"
            return "wrong_axis", f"All {name} are the same, {reason}."
    return None


def part_of_columns(actual, wanted):
    """Most columns of one kind wrong, all others right."""
    if actual.ndim >= 2 and actual.shape[-1] >= 4:
        wrong = wrong_entries(actual, wanted).reshape(-1, actual.shape[-1]).any(axis=0)
        for first, name in ((1, "odd"), (0, "even")):
            if wrong[first::2].sum() > max(1, actual.shape[-1] // 4) and not wrong[1 - first :: 2].any():
                return f"{name}_columns", f"Only the {name} columns are wrong (columns count from 0)."
    return None


def axes(array):
    """The axes with their names: the last two are rows and columns."""
    names = {1: ["entries"], 2: ["rows", "columns"]}.get(
        array.ndim, [f"slices of axis {i}" for i in range(array.ndim - 2)] + ["rows", "columns"])
    return [(i, name) for i, name in enumerate(names) if array.shape[i] > 1] if array.ndim else []


OF_THE_SAME_SHAPE = (
    not_a_number, precision, unfinished, signs, by_constant, shifted, reordered, another_order, along_an_axis,
    part_of_columns,
)

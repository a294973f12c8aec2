"""What two arrays tell by themselves about how a wrong one came to be."""
import numpy as np

from grader.compare import TOLERANCE_SINGLE, wrong_entries


def pattern(actual, wanted):
    """Return (name, sentence) of the first pattern that turns `actual` into `wanted`, or None."""
    if not isinstance(actual, np.ndarray | np.generic | float | int):
        return None
    actual, wanted = np.asarray(actual), np.asarray(wanted)
    if actual.dtype.kind not in "fiu" or wanted.dtype.kind not in "fiu":
        return None
    finders = (by_shape,) if actual.shape != wanted.shape else (
        unfinished, precision, signs, by_constant, reordered, shifted, swapped_halves)
    for finder in finders:
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


def unfinished(actual, wanted):
    """NaN where there should be numbers; zeros left where something should have been written."""
    nans = np.isnan(actual) & ~np.isnan(wanted)
    if nans.any():
        return "nan", f"{int(nans.sum())} of {nans.size} entries are NaN (not a number): 0/0, inf - inf or a bad root."
    wrong = wrong_entries(actual, wanted)
    if actual.ndim and wrong.any() and not wrong.all() and not actual[wrong].any():
        return "unfinished", "The wrong entries are all 0: part of the result was never filled in."
    return None


def precision(actual, wanted):
    """Right, but only to single or half precision."""
    if not np.isfinite(wanted).all() or actual.dtype.kind != "f":
        return None
    off = np.abs(actual - wanted) / np.maximum(1.0, np.abs(wanted))
    if actual.dtype == np.float16 and off.max() <= 5e-2:
        return "float16", "The values are right up to half precision: float16 keeps only three digits."
    if actual.dtype == np.float64 and off.max() <= TOLERANCE_SINGLE / 5:
        return "float32", "The values are right only to single precision: compute in float64 throughout."
    return None


def signs(actual, wanted):
    """The sign of everything, or of something."""
    if equal(-actual, wanted):
        return "negated", "The sign is the other way round: every value is negated."
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
    if actual.ndim >= 2 and equal(np.swapaxes(actual, -1, -2), wanted):
        return "transposed", "The last two axes are swapped: the result is transposed."
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


def swapped_halves(actual, wanted):
    """Right on one part of the last axis only."""
    if actual.ndim and actual.shape[-1] >= 4:
        wrong = wrong_entries(actual, wanted)
        for part, name in ((slice(0, None, 2), "odd"), (slice(1, None, 2), "even")):
            if wrong.any() and not wrong[..., part].any():
                return f"{name}_columns", f"Only the {name} columns are wrong (columns count from 0)."
    return None


def axes(array):
    """The axes with their names: the last two are rows and columns."""
    names = {1: ["entries"], 2: ["rows", "columns"]}.get(
        array.ndim, [f"slices of axis {i}" for i in range(array.ndim - 2)] + ["rows", "columns"])
    return [(i, name) for i, name in enumerate(names) if array.shape[i] > 1] if array.ndim else []

"""Simple relations between a wrong array and the right one, such as swapped axes or a wrong sign."""
import itertools
from typing import Any

import numpy as np

from grader.course.compare import ORDINALS, TOLERANCE, TOLERANCE_SINGLE, same, several, wrong_entries

DISTINCT = 4                   # entries that differ; fewer are in another order by chance
PRECISION = ("float32", "nearly_right")       # may look like each other in small results
RELATIONS = ("transposed", "reshaped", "reversed", "swapped_pairs", "rolled", "shifted", "integers", "float32",
             "float16", "nearly_right", "negated", "zeros", "signs", "scaled", "off_by_constant", "scaled_slices",
             "slices_off_by_constants", "order", "odd_columns", "even_columns")     # of all entries: may fit by chance


def pattern(actual, wanted):
    """Return (name, sentence) of the first pattern that turns `actual` into `wanted`, or None."""
    if isinstance(wanted, tuple):
        return of_results(actual, wanted)
    if not all(isinstance(one, np.ndarray | np.generic | float | int) for one in (actual, wanted)):
        return None
    actual, wanted = np.asarray(actual), np.asarray(wanted)
    if not {actual.dtype.kind, wanted.dtype.kind} <= set("fiu") or np.array_equal(actual, wanted):
        return None                                    # if they are equal, only the type is wrong
    with np.errstate(all="ignore"):
        finders = OF_THE_SAME_SHAPE if actual.shape == wanted.shape else (by_shape,)
        return next(filter(None, (finder(actual, wanted) for finder in finders)), None)


def of_results(actual, wanted):
    """The pattern of several results: some are still zeros, or that of the first that is wrong."""
    results, zeros = several(actual), still_zeros(actual, wanted)
    if not isinstance(results, tuple | list) or len(results) != len(wanted):
        return None
    if any(zeros):
        return "zeros", all_zeros(zeros)
    return next((pattern(a, w) for a, w in zip(results, wanted, strict=True) if not same(a, w)), None)


def still_zeros(actual: Any, wanted: Any) -> list[bool]:
    """For each of several results, whether it is zeros in the right shape, and wrong; nothing if one is missing."""
    results = several(actual)
    if not isinstance(results, tuple | list) or len(results) != len(wanted):
        return []
    return [isinstance(a, np.ndarray) and a.dtype.kind in "iuf" and a.shape == np.shape(w) and not a.any()
            and not same(a, w) for a, w in zip(results, wanted, strict=True)]


def all_zeros(zeros: list[bool]) -> str:
    """The sentence about results that are still zeros."""
    names = [name for name, zero in zip(ORDINALS, zeros, strict=False) if zero]
    if len(names) == 1:
        return f"The {names[0]} result is all zeros."
    return f"The {', '.join(names[:-1])} and {names[-1]} results are all zeros."


def equal(a, b):
    """Same shape and values, within tolerance."""
    return a.shape == b.shape and not wrong_entries(a, b).any()


def by_shape(actual, wanted):
    """The right values in a wrong shape."""
    if actual.ndim >= 2 and equal(np.swapaxes(actual, -1, -2), wanted):
        return "transposed", "The values are right, but the result is transposed: its last two axes are swapped."
    if actual.size == wanted.size and equal(actual.reshape(wanted.shape), wanted):
        return "reshaped", "The values and their order are right, but the shape is wrong."
    if actual.ndim == wanted.ndim and actual.size:
        shared = tuple(map(slice, np.minimum(actual.shape, wanted.shape)))
        if equal(actual[shared], wanted):
            return "too_large", "The result begins with the right values, but it has too many."
        if equal(actual, wanted[shared]):
            return "too_small", "The values are right, but some are missing."
    return None


def not_a_number(actual, wanted):
    """NaN where there should be numbers."""
    nans = np.isnan(actual) & ~np.isnan(wanted)
    if nans.any():
        count = f"{int(nans.sum())} of {nans.size}"
        return "nan", (f"{count} entries are NaN (not a number). You get NaN from 0/0, from inf - inf, from 0 * inf, "
                       "and from the square root of a negative number.")
    return None


def precision(actual, wanted):
    """Values that are right to single or half precision only."""
    if not np.isfinite(wanted).all():
        return None
    errors = actual - wanted
    off = np.abs(errors) / np.maximum(1.0, np.abs(wanted))
    if actual.dtype == np.float16 and off.max() <= 5e-2:
        return "float16", "The values are right to half precision only: float16 keeps three digits."
    if actual.dtype.kind in "iu" and off.max() and equal(actual, np.trunc(wanted)):
        return "integers", "The fractions are cut off. Did you write the result into an array of integers?"
    shares = (errors / wanted)[off > TOLERANCE]
    alike = np.ptp(shares) < 1e-2 * np.abs(shares).max() if shares.size > 1 else False
    one_sided = shares.size > 3 and ((shares > 0).all() or (shares < 0).all())
    near = (np.abs(errors) <= 1e-2 * np.abs(wanted))[off > TOLERANCE].all()
    if 0 < off.max() < TOLERANCE_SINGLE and near and (alike or one_sided):
        return "nearly_right", (
            f"The values are right up to about {off.max():.0e}, and all errors have the same direction. Did you add a "
            "small number, for example to avoid a division by 0, or compute a part in float32?")
    limit = TOLERANCE_SINGLE / 5 if actual.size > 1 else 1e-6          # a single number may be close by chance
    constant = actual.size > 2 and np.ptp(errors) < 1e-2 * np.abs(errors).max()    # rounding errors differ
    if actual.dtype == np.float64 and 0 < off.max() <= limit and not constant:
        return "float32", "The values are right to single precision only. Compute in float64 throughout."
    return None


def signs(actual, wanted):
    """All signs wrong, or some of them."""
    if equal(-actual, wanted):
        every = ": every value is negated" if actual.size > 1 else ""
        return "negated", f"The sign is wrong{every}."
    if equal(np.abs(actual), np.abs(wanted)):
        return "signs", "The absolute values are right, but some signs are wrong."
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
        return "off_by_constant", f"Every value is off by the same amount: {a[top] - w[top]:+.6g}."
    return None


def by_slices(actual, wanted):
    """Off by one factor per row or column, or by one added number per row or column."""
    if not (np.isfinite(actual) & np.isfinite(wanted)).all():
        return None
    for axis, name in named_axes(actual) if actual.ndim > 1 else ():
        other = 2 * actual.ndim - 3 - axis                     # sums run along the other one of the last two axes
        if axis < actual.ndim - 2 or actual.shape[other] < 3:
            continue
        factors = (actual * wanted).sum(other, keepdims=True) / (wanted**2).sum(other, keepdims=True)
        if equal(wanted * factors, actual) and (factors != 0).all() and np.ptp(wanted, other).all():
            return "scaled_slices", f"The {name} are right except for one factor each."
        amounts = (actual - wanted).mean(other, keepdims=True)
        if equal(wanted + amounts, actual):
            return "slices_off_by_constants", f"The {name} are right except for one added number each."
    return None


def reordered(actual, wanted):
    """The right rows or columns in another order."""
    for axis, name in named_axes(actual):
        if equal(np.flip(actual, axis), wanted):
            return "reversed", f"The values are right, but the {name} are in reverse order."
    for one, other in itertools.combinations(range(actual.ndim), 2):
        if actual.shape[one] == actual.shape[other] and equal(np.swapaxes(actual, one, other), wanted):
            return "transposed", f"The values are right, but axes {one} and {other} are swapped."
    if actual.ndim and actual.shape[-1] % 2 == 0 and actual.shape[-1] >= 4:
        pairs = actual.reshape(*actual.shape[:-1], -1, 2)
        if equal(pairs[..., ::-1].reshape(actual.shape), wanted):
            return "swapped_pairs", "The values are right, but the two columns of each pair are swapped."
    return None


def shifted(actual, wanted):
    """Everything one place further along an axis."""
    if len(np.unique(wanted)) < DISTINCT:
        return None
    for axis, name in named_axes(actual):
        a, w = np.moveaxis(actual, axis, 0), np.moveaxis(wanted, axis, 0)
        for step, word, inner, outer in ((1, "end", a[1:], w[:-1]), (-1, "start", a[:-1], w[1:])) if len(a) > 2 else ():
            if equal(np.roll(a, -step, 0), w):
                return "rolled", f"The {name} are rolled: each is one place too far towards the {word}."
            if equal(inner, outer) and np.ptp(outer):
                return "shifted", f"The {name} are shifted: each is one place too far towards the {word}."
    return None


def another_order(actual, wanted):
    """The right entries, rows or columns in any other order."""
    if len(np.unique(wanted)) < DISTINCT or abs(actual.sum() - wanted.sum()) > 1e-6 * np.abs(wanted).sum():
        return None
    for axis, name in named_axes(actual):
        one, other = (np.moveaxis(a, axis, 0).reshape(a.shape[axis], -1) for a in (actual, wanted))
        if equal(one[np.lexsort(one.T)], other[np.lexsort(other.T)]):
            return "order", f"The values are right, but the {name} are in the wrong order."
    return None


def part_of_columns(actual, wanted):
    """Most odd columns wrong and all even ones right, or the other way round."""
    if actual.ndim >= 2 and actual.shape[-1] >= 4:
        wrong = wrong_entries(actual, wanted).reshape(-1, actual.shape[-1]).any(axis=0)
        for first, name in ((1, "odd"), (0, "even")):
            if wrong[first::2].sum() > max(1, actual.shape[-1] // 4) and not wrong[1 - first :: 2].any():
                return f"{name}_columns", f"Only the {name} columns are wrong (the first column is column 0)."
    return None


def named_axes(array):
    """The axes with their names: the last two are rows and columns."""
    names = {1: ["entries"], 2: ["rows", "columns"]}.get(
        array.ndim, [f"slices of axis {i}" for i in range(array.ndim - 2)] + ["rows", "columns"])
    return [(i, name) for i, name in enumerate(names) if array.shape[i] > 1] if array.ndim else []


OF_THE_SAME_SHAPE = (
    not_a_number, precision, signs, by_constant, shifted, reordered, another_order, by_slices, part_of_columns,
)

"""When a result is right: its type, its shape and its values, within a tolerance.

Numbers are compared by value: 1, 1.0 and True are the same answer. Right answers in double precision agree to 1e-9
at positions up to 512. The tolerance for a float32 result is 5e-4, so that it fails only the check of precision.
"""
from typing import Any

import numpy as np

TOLERANCE = 1e-9
TOLERANCE_SINGLE = 5e-4
ORDINALS = ("first", "second", "third", "fourth", "fifth")      # of several results
NUMBERS = "fiub"                      # the kinds of dtype that are compared by value


def fault(actual: Any, wanted: Any) -> tuple[str, str] | None:
    """Return None when `actual` is right, else (kind, sentence); kind is type, shape, dtype, nan or values."""
    if isinstance(wanted, tuple):
        results = several(actual)
        if not isinstance(results, tuple | list) or len(results) != len(wanted):
            return "type", f"expected {len(wanted)} results, got {described(actual)}"
        for ordinal, one, right in zip(ORDINALS, results, wanted, strict=False):
            if found := fault(one, right):
                return found[0], f"{ordinal} result: {found[1]}"
        return None
    wanted_array = np.asarray(wanted)
    if actual is None:
        return "type", "the function returned None. Did you forget the `return`?"
    if wanted_array.ndim and not isinstance(actual, np.ndarray):
        cure = ". Turn it into an array with np.array(...)" if isinstance(actual, list) else ""
        return "type", f"expected an array of shape {wanted_array.shape}, got {described(actual)}{cure}"
    if not isinstance(actual, np.ndarray | np.generic | bool | int | float | complex):
        return "type", f"expected {described(wanted)}, got {described(actual)}"
    array = np.asarray(actual)
    if array.shape != wanted_array.shape:
        return "shape", f"expected shape {wanted_array.shape}, got {array.shape}"
    if array.dtype.kind not in NUMBERS and array.dtype.kind != wanted_array.dtype.kind:
        return "dtype", f"expected {kind_name(wanted_array.dtype)}, got {kind_name(array.dtype)} ({array.dtype})"
    wrong = wrong_entries(array, wanted_array)
    if not wrong.any():
        return None
    if array.dtype.kind == "b" != wanted_array.dtype.kind:
        return "dtype", f"expected {kind_name(wanted_array.dtype)}, got booleans"
    nans = np.isnan(array) & ~np.isnan(wanted_array) if array.dtype.kind == "f" else np.zeros_like(wrong)
    if nans.any():
        return "nan", f"{counted(nans)} NaN"
    return "values", f"{counted(wrong)} wrong"


def several(value: Any) -> Any:
    """An array as a tuple, because it may contain several results; any other value unchanged."""
    return tuple(value) if isinstance(value, np.ndarray) and value.ndim else value


def same(actual: Any, wanted: Any) -> bool:
    """Whether `actual` is `wanted`, within tolerance."""
    return fault(actual, wanted) is None


def wrong_entries(actual: Any, wanted: Any) -> Any:
    """A boolean array of the entries beyond tolerance; shapes must agree."""
    actual, wanted = np.asarray(actual), np.asarray(wanted)
    if wanted.dtype.kind not in "fc":
        return np.asarray(actual != wanted)
    single = np.float32 in (actual.dtype, wanted.dtype)       # float32 has no more correct digits
    tolerance = TOLERANCE_SINGLE if single else TOLERANCE
    with np.errstate(all="ignore"):
        near = np.abs(actual - wanted) <= tolerance * np.maximum(1.0, np.abs(wanted))
        equal = (actual == wanted) | (np.isnan(actual) & np.isnan(wanted))
    return ~(near & np.isfinite(wanted) | equal)


def kind_name(dtype: np.dtype) -> str:
    """'real numbers' for float64 and the like."""
    return {"f": "real numbers", "i": "integers", "u": "integers", "b": "booleans", "c": "complex numbers",
            "O": "Python objects"}.get(dtype.kind, str(dtype))


def described(value: Any) -> str:
    """A value in a few words: its type, and its shape and dtype if it has them."""
    if isinstance(value, np.ndarray):
        return f"an array of {value.dtype}, shape {value.shape}"
    if hasattr(value, "type_name"):
        return f"an object of type {value.type_name}"
    if value is None:
        return "None"
    if isinstance(value, list | tuple):
        return f"a {type(value).__name__} of {len(value)}"
    kind = type(value).__name__
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind} ({value!r:.40})"


def counted(mask: np.ndarray) -> str:
    """'3 of 12 entries are', or 'the value is' for a scalar."""
    if mask.size == 1:
        return "the value is"
    if mask.all():
        return "both entries are" if mask.size == 2 else f"all {mask.size} entries are"
    count = int(mask.sum())
    return f"{count} of {mask.size} entries {'is' if count == 1 else 'are'}"

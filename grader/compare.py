"""The one rule by which a result is right: its type, its shape, then its values within tolerance.

Numbers are judged by value: 1, 1.0 and True are the same answer. Right answers in double precision agree to 1e-9
at positions up to 512. A float32 result gets 5e-4, so that it fails a kata's check of precision and no other; a
float64 result gets no such allowance.
"""
import numpy as np

TOLERANCE = 1e-9
TOLERANCE_SINGLE = 5e-4
NUMBERS = "fiub"                      # the kinds of dtype that are judged by value


def fault(actual, wanted):
    """Return None when `actual` is right, else (kind, sentence); kind is type, shape, dtype, nan or values."""
    if isinstance(wanted, tuple):
        results = several(actual)
        if not isinstance(results, tuple | list) or len(results) != len(wanted):
            return "type", f"wanted {len(wanted)} results, got {described(actual)}"
        faults = [(i, fault(a, w)) for i, (a, w) in enumerate(zip(results, wanted, strict=True))]
        for i, found in faults:
            if found:
                return found[0], f"result {i}: {found[1]}"
        return None
    wanted_array = np.asarray(wanted)
    if actual is None:
        return "type", "nothing came back (None): is a `return` missing?"
    if wanted_array.ndim and not isinstance(actual, np.ndarray):
        cure = "; np.array(...) makes an array of it" if isinstance(actual, list) else ""
        return "type", f"wanted an array of shape {wanted_array.shape}, got {described(actual)}{cure}"
    if not isinstance(actual, np.ndarray | np.generic | bool | int | float | complex):
        return "type", f"wanted {described(wanted)}, got {described(actual)}"
    array = np.asarray(actual)
    if array.shape != wanted_array.shape:
        return "shape", f"wanted shape {wanted_array.shape}, got {array.shape}"
    if array.dtype.kind not in NUMBERS and array.dtype.kind != wanted_array.dtype.kind:
        return "dtype", f"wanted {kind_name(wanted_array.dtype)}, got {kind_name(array.dtype)} ({array.dtype})"
    wrong = wrong_entries(array, wanted_array)
    if not wrong.any():
        return None
    if array.dtype.kind == "b" != wanted_array.dtype.kind:
        return "dtype", f"wanted {kind_name(wanted_array.dtype)}, got booleans"
    nans = np.isnan(array) & ~np.isnan(wanted_array) if array.dtype.kind == "f" else np.zeros_like(wrong)
    if nans.any():
        return "nan", f"{counted(nans)} NaN"
    return "values", f"{counted(wrong)} wrong"


def several(value):
    """Results that came in one array, as a tuple; anything else as it is."""
    return tuple(value) if isinstance(value, np.ndarray) and value.ndim else value


def same(actual, wanted):
    """Whether `actual` is `wanted`, within tolerance."""
    return fault(actual, wanted) is None


def wrong_entries(actual, wanted):
    """A boolean array of the entries beyond tolerance; shapes must agree."""
    actual, wanted = np.asarray(actual), np.asarray(wanted)
    if wanted.dtype.kind not in "fc":
        return np.asarray(actual != wanted)
    single = np.float32 in (actual.dtype, wanted.dtype)       # what float32 input makes is right to no more digits
    tolerance = TOLERANCE_SINGLE if single else TOLERANCE
    with np.errstate(all="ignore"):
        near = np.abs(actual - wanted) <= tolerance * np.maximum(1.0, np.abs(wanted))
        equal = (actual == wanted) | (np.isnan(actual) & np.isnan(wanted))
    return ~(near & np.isfinite(wanted) | equal)


def kind_name(dtype):
    """'real numbers' for float64 and the like."""
    return {"f": "real numbers", "i": "integers", "u": "integers", "b": "booleans", "c": "complex numbers",
            "O": "Python objects"}.get(dtype.kind, str(dtype))


def described(value):
    """A value in a few words: its type, and shape and dtype where it has them."""
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


def counted(mask):
    """'3 of 12 entries', or 'the value is' for a scalar."""
    return f"{int(mask.sum())} of {mask.size} entries" if mask.ndim else "the value is"

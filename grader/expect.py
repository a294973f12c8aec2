"""The assertions suites are written with; each compares as grader/compare.py says."""
import numpy as np

from grader.answers import in_single
from grader.asking import NoValue, Wrong
from grader.compare import described, fault

MEBIBYTE = 2 ** 20
DOUBLE = np.dtype(np.float64).itemsize


class WrongPrecision(Wrong):
    """A result that is right, but wider or narrower than it has to be."""


class Hungry(Wrong):
    """A call that is right, but held too much memory on its way."""


def assert_same(actual, wanted):
    """`actual` has the shape and the values of `wanted`."""
    __tracebackhide__ = True
    found = fault(actual, wanted)
    if found is not None:
        raise Wrong(found[1])


def assert_double_precision(call, *args, **kwargs):
    """The call is right, and computes in float64 or in something as precise: whole numbers, a wider float."""
    __tracebackhide__ = True
    value = answered_right(call, args, kwargs)
    for part in value if isinstance(value, tuple | list) else [value]:
        dtype = np.asarray(part).dtype
        if dtype.kind == "f" and dtype.itemsize < DOUBLE:
            raise WrongPrecision(f"wanted float64, got {dtype}")


def assert_keeps_float32(call, *args, **kwargs):
    """The call is right, and returns float32 for float32 arguments, in every result if there are several."""
    __tracebackhide__ = True
    answered_right(call, args, kwargs)
    width = call.calls[-1].answer.width
    if set(width.split(", ")) != {"float32"}:
        raise WrongPrecision(f"wanted float32 as in the arguments, got {width}")


def answered_right(call, args, kwargs):
    """What the call returns: the reference's value up to float32, or where chance makes it, one of its shape."""
    __tracebackhide__ = True
    value = call(*args, **kwargs)
    wanted = call.reference.ask(call.name, args, kwargs).value
    if "seed" in call.reference.parameters(call.name):
        if np.shape(value) != np.shape(wanted):
            raise Wrong(f"wanted shape {np.shape(wanted)}, got {described(value)}")
    else:
        assert_same(value, in_single(wanted))
    return value


def assert_memory_grows(call, small, large, at_most):
    """From the arguments `small` to `large`, the peak of the call's memory grows no more than `at_most` times.

    Less than a mebibyte counts as one, for that much comes and goes with the interpreter.
    """
    __tracebackhide__ = True
    peaks = [call.peak_memory(*args) for args in (small, large)]
    growth = max(peaks[1], MEBIBYTE) / max(peaks[0], MEBIBYTE)
    if growth > at_most:
        sizes = [" and ".join(str(a.shape) for a in args if isinstance(a, np.ndarray)) for args in (small, large)]
        held = [f"{peak / MEBIBYTE:.1f} MiB for {size}" for peak, size in zip(peaks, sizes, strict=True)]
        raise Hungry(f"at its peak the call held {held[0]} and {held[1]}: wanted is at most {at_most:g} times as much, "
                     f"where less than 1 MiB counts as 1")


def assert_refused(call, *args, **kwargs):
    """The call raises ValueError, in whatever words."""
    __tracebackhide__ = True
    try:
        value = call(*args, **kwargs)
    except NoValue as error:
        if error.answer.refused:
            return
        if error.answer.outcome != "raised":
            raise
        raise Wrong(f"raised {error.answer.error_types[0]} where a ValueError is wanted") from None
    raise Wrong(f"not refused: wanted a ValueError, got {described(value)}")

"""The assertions for suites. They compare by the rules of grader/course/compare.py."""
from typing import Any

import numpy as np

from grader.calling.answers import as_float32
from grader.calling.kata_fixture import AskedFunction, NoValue, Wrong
from grader.calling.limits import MEBIBYTE
from grader.calling.memory import traced
from grader.course.compare import described, fault

SMALL_PEAK = 2 * MEBIBYTE
DOUBLE = np.dtype(np.float64).itemsize


class WrongPrecision(Wrong):
    """A right result in the wrong precision."""


class MemoryExceeded(Wrong):
    """A call with the right result that needed too much memory."""


def assert_same(actual: Any, wanted: Any) -> None:
    """`actual` has the shape and the values of `wanted`. NaN and inf are never right, even if both have them."""
    __tracebackhide__ = True
    found = fault(actual, wanted)
    if found is not None:
        raise Wrong(found[1])
    assert_numbers(wanted)


def assert_numbers(value: Any) -> None:
    """No result contains NaN or inf; -inf is the score of a masked key."""
    __tracebackhide__ = True
    for part in value if isinstance(value, tuple | list) else [value]:
        if np.asarray(part).dtype.kind == "f" and not (np.asarray(part) < np.inf).all():
            raise Wrong("the result contains NaN or inf")


def assert_double_precision(call: AskedFunction, *args: Any, **kwargs: Any) -> None:
    """The result is right, and in float64 or something as precise: whole numbers, a wider float."""
    __tracebackhide__ = True
    value = answered_right(call, args, kwargs)
    for part in value if isinstance(value, tuple | list) else [value]:
        dtype = np.asarray(part).dtype
        if dtype.kind == "f" and dtype.itemsize < DOUBLE:
            raise WrongPrecision(f"expected float64, got {dtype}")


def assert_keeps_float32(call: AskedFunction, *args: Any, **kwargs: Any) -> None:
    """The result is right, and float32 for float32 arguments. If there are several results, all are float32."""
    __tracebackhide__ = True
    answered_right(call, args, kwargs)
    width = call.calls[-1].answer.width
    if set(width.split(", ")) != {"float32"}:
        raise WrongPrecision(f"expected float32 as in the arguments, got {width}")


def answered_right(call: AskedFunction, args: tuple, kwargs: dict[str, Any]) -> Any:
    """The value of a call: equal to the reference's in float32; if it is random, only of the same shape."""
    __tracebackhide__ = True
    value = call(*args, **kwargs)
    wanted = call.reference.ask(call.name, args, kwargs).value
    if "seed" in call.reference.parameters(call.name):
        if np.shape(value) != np.shape(wanted):
            raise Wrong(f"expected shape {np.shape(wanted)}, got {described(value)}")
        assert_numbers(value)
    else:
        assert_same(value, as_float32(wanted))
    return value


def assert_memory_grows(call: AskedFunction, small: tuple, large: tuple, at_most: float) -> None:
    """From the arguments `small` to `large`, the peak of the call's memory grows no more than `at_most` times.

    The results are right. Less than a mebibyte counts as one, because the interpreter's own use varies by about as
    much. For `small`, which needs less, more than SMALL_PEAK counts as SMALL_PEAK.
    """
    __tracebackhide__ = True
    peaks = []
    for args in small, large:
        with traced():
            answer = call.ask(args, {})
        assert_same(answer.value, call.reference.ask(call.name, args, {}).value)
        peaks.append(answer.peak or 0)
    allowed = at_most * min(max(peaks[0], MEBIBYTE), SMALL_PEAK)
    if max(peaks[1], MEBIBYTE) > allowed:
        sizes = [", ".join(str(a.shape) for a in args if isinstance(a, np.ndarray)) for args in (small, large)]
        held = [f"{peak / MEBIBYTE:.1f} MiB for shapes {size}" for peak, size in zip(peaks, sizes, strict=True)]
        raise MemoryExceeded(f"the call needed {held[0]}, but {held[1]}. For these it may need at most "
                             f"{allowed / MEBIBYTE:.1f} MiB")


def assert_refused(call: AskedFunction, *args: Any, **kwargs: Any) -> None:
    """The call raises ValueError, with any text."""
    __tracebackhide__ = True
    try:
        value = call(*args, **kwargs)
    except NoValue as error:
        if error.answer.refused:
            return
        if error.answer.outcome != "raised":
            raise
        raise Wrong(f"expected a ValueError, got {error.answer.error_types[0]}") from None
    raise Wrong(f"expected a ValueError, got {described(value)}")

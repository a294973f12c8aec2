"""The assertions suites are written with; each compares as grader/compare.py says."""
import math
import re

import numpy as np

from grader.asking import NoValue
from grader.compare import described, fault

MEBIBYTE = 2 ** 20
NUMBER = re.compile(r"(?<![A-Za-z0-9.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![A-Za-z_])")
BESIDE_NUMBERS = re.compile(r"(?<=\d)x(?=\d)|(?<=[A-Za-z])\.(?=\d)|_(?=\d)")      # 6x4, no.4, row_4


class Wrong(AssertionError):
    """A result that is not what the check wants; `actual` and `wanted` when there are two to set side by side."""

    def __init__(self, text, actual=None, wanted=None):
        super().__init__(text)
        self.actual, self.wanted = actual, wanted


class Hungry(Wrong):
    """A call that is right, but held too much memory on its way."""


def assert_same(actual, wanted):
    """`actual` has the type, shape and values of `wanted`."""
    __tracebackhide__ = True
    found = fault(actual, wanted)
    if found is not None:
        raise Wrong(found[1], actual, wanted)


def assert_dtype(result, dtype):
    """An array, or NumPy scalar, of exactly this dtype; a Python float counts as float64."""
    __tracebackhide__ = True
    if isinstance(result, float) and np.dtype(dtype) == np.float64:
        return
    actual = getattr(result, "dtype", None)
    if actual is None or actual != np.dtype(dtype):     # NumPy takes None for float64
        raise Wrong(f"wanted dtype {np.dtype(dtype)}, got {actual if actual is not None else described(result)}")


def assert_untouched(call, *args, **kwargs):
    """The call returns, and leaves its array arguments as they were."""
    __tracebackhide__ = True
    call(*args, **kwargs)
    if call.calls[-1].answer.touched:
        raise Wrong("the call changed its arguments")


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


def assert_refused(call, *args, naming, showing=None, **kwargs):
    """The call raises ValueError, and its message names the argument and shows its value.

    `naming` is the argument's name, or a tuple of names where blaming either of them is right. `showing` is
    what the message has to show where that is not the argument's own value, such as the number of a row.
    """
    __tracebackhide__ = True
    try:
        value = call(*args, **kwargs)
    except NoValue as error:
        answer = error.answer
        if answer.outcome != "raised":
            raise
        if not answer.refused:
            raise Wrong(f"raised {answer.error_types[0]} ({answer.message}) where a ValueError is wanted") from None
        values = call.bind(args, kwargs)
        for name in (naming,) if isinstance(naming, str) else naming:
            value = values[name] if showing is None else showing
            if names_argument(answer.message, name) and shows_value(answer.message, value):
                return
        raise Wrong(f"the message must name {naming} and show its value: {answer.message!r}") from None
    raise Wrong(f"not refused: wanted a ValueError naming {naming}, got {described(value)}")


def names_argument(message, name):
    """Whether the message has the argument's name as a word; NumPy's own signatures do not count."""
    message = re.sub(r"signature \S+", "", message)
    return re.search(rf"(?<![A-Za-z0-9_]){re.escape(name)}(?![A-Za-z0-9_])", message, re.IGNORECASE) is not None


def shows_value(message, value):
    """Whether the message shows the value; for an array its shape, one of its sizes or one of its entries."""
    if isinstance(value, str) or value is None:
        return str(value) in message
    shown = [float(n) for n in NUMBER.findall(BESIDE_NUMBERS.sub(" ", message))]
    wanted = [*value.shape, *value.ravel().tolist()] if isinstance(value, np.ndarray) else [value]
    return any(math.isclose(s, w, rel_tol=1e-4) for s in shown for w in wanted)

"""The `reference` fixture: the reference solution, or a wrong or unusual version of it, asked as a submission is."""
import inspect
import warnings
from functools import cache, partial

import numpy as np

from grader.calling.answers import Answer, plain, returned
from grader.calling.arguments import Copies
from grader.calling.forms import size_of
from grader.calling.limits import MEBIBYTE
from grader.calling.loading import load_module
from grader.calling.memory import measure

REMEMBERED, LARGEST = 32 * MEBIBYTE, 2**14    # bytes of all answers; bytes of one, with what was asked
OVERHEAD = 1000                               # bytes of one that are no arrays


class Remembered:
    """Answers of all References, the oldest first; there are hundreds, one for each known mistake."""

    def __init__(self):
        self.answers = {}                     # (Reference, what was asked) -> (Answer, bytes)
        self.size = 0

    def add(self, key, answer, size):
        """Keep an answer, and forget the oldest if all together take too much memory."""
        self.answers[key] = answer, size
        self.size += size
        while self.size > REMEMBERED:
            self.size -= self.answers.pop(next(iter(self.answers)))[1]


remembered = Remembered()


class Reference:
    """The functions of the reference solution, or of a wrong or unusual version of it."""

    def __init__(self, path, source=None):
        self._module = load_module(path, source)
        self._signatures = {}

    def __getattr__(self, name):
        return getattr(self._module, name)

    def _signature(self, function):
        if function not in self._signatures:
            self._signatures[function] = inspect.signature(getattr(self._module, function))
        return self._signatures[function]

    def ask(self, function, args, kwargs, measured=False):
        """Call the reference as a submission is called, but without limits, because the code is ours.

        It remembers its answers: in a cohort, many submissions fail the same checks.
        """
        if measured:
            return self._asked(function, args, kwargs, measured)
        key = self, function, frozen(args), frozen(tuple(kwargs.items()))
        if key in remembered.answers:
            return remembered.answers[key][0]
        answer = self._asked(function, args, kwargs)
        size = size_of((args, tuple(kwargs.values()), answer.value))
        if size <= LARGEST:
            remembered.add(key, answer, size + OVERHEAD)
        return answer

    def _asked(self, function, args, kwargs, measured=False):
        copies = Copies(args, kwargs)
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                call = partial(getattr(self._module, function), *copies.args, **copies.kwargs)
                value, peak = measure(call) if measured else (call(), None)
                answer = returned(plain(value), args, kwargs, peak=peak)
            except Exception as error:
                names = tuple(c.__name__ for c in type(error).__mro__)
                answer = Answer("raised", error_types=names, message=str(error))
        answer.touched = copies.touched()
        return answer

    def parameters(self, function):
        """The names of a function's arguments."""
        return self._signature(function).parameters

    def bind(self, function, args, kwargs):
        """{argument name: value} of a call; None if the arguments do not fit."""
        try:
            return dict(self._signature(function).bind(*args, **kwargs).arguments)
        except (TypeError, AttributeError):
            return None


@cache
def reference_of(path):
    """The reference solution at `path`, loaded once."""
    return Reference(path)


def frozen(value):
    """Something hashable that is the same for the same value, in the same dtype and order in memory."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.strides, value.flags.writeable, value.tobytes()
    if isinstance(value, (tuple, list)):
        return type(value), *map(frozen, value)
    return type(value), repr(value)

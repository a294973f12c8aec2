"""Guesses: a simple function of every right value, such as 1 - w or w / sqrt(d)."""
import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from grader.calling.reference import Reference

FUNCTIONS = (
    ("1 - w", lambda w: 1 - w),
    ("1 / w", lambda w: 1 / w),
    ("2 * w", lambda w: 2 * w),
    ("w / 2", lambda w: w / 2),
    ("w + 1", lambda w: w + 1),
    ("w - 1", lambda w: w - 1),
    ("w ** 2", lambda w: w**2),
    ("sqrt(w)", np.sqrt),
    ("abs(w)", np.abs),
    ("2 * pi * w", lambda w: 2 * np.pi * w),
    ("w / (2 * pi)", lambda w: w / (2 * np.pi)),
    ("2 * pi / w", lambda w: 2 * np.pi / w),
    ("w * pi / 180", np.deg2rad),
    ("w * 180 / pi", np.rad2deg),
    ("exp(w)", np.exp),
    ("log(w)", np.log),
    ("arccos(w)", np.arccos),
    ("2 * w - 1", lambda w: 2 * w - 1),
    ("(1 + w) / 2", lambda w: (1 + w) / 2),
    ("w, but 0 if w is negative", lambda w: np.maximum(w, 0)),
    ("w, but 0 if w is positive", lambda w: np.minimum(w, 0)),
    ("the whole number below w", np.floor),
    ("the whole number above w", np.ceil),
    ("the whole number nearest to w", np.rint),
)
FACTORS = (
    ("w * {}", lambda w, a: w * a),
    ("w / {}", lambda w, a: w / a),
    ("w * sqrt({})", lambda w, a: w * a**0.5),
    ("w / sqrt({})", lambda w, a: w / a**0.5),
    ("w + {}", lambda w, a: w + a),
    ("w - {}", lambda w, a: w - a),
)
SIZES = (
    ("{}", None),
    ("{}.shape[-1]", lambda a: a.shape[-1]),
    ("{}.shape[-2]", lambda a: a.shape[-2] if a.ndim > 1 else None),
    ("len({})", len),
    ("{}.size", lambda a: a.size),
)
RATIOS = (
    ("w * {} / {}", lambda w, a, b: w * a / b),
    ("w * sqrt({} / {})", lambda w, a, b: w * (a / b) ** 0.5),
)


@dataclass(frozen=True)
class OtherValues:
    """The reference, with every value of its result changed."""

    reference: Reference
    replaces: str
    text: str
    change: Callable              # the right result, the arguments by name -> the other result
    name: str = "other_values"

    @property
    def sentence(self):
        """What the learner is told."""
        return f"Where the right value is w, the result has {self.text}."

    def ask(self, function, args, kwargs):
        """The answer with changed values; the right answer if it cannot be changed."""
        answer = self.reference.ask(function, args, kwargs)
        value = answer.value
        if function != self.replaces or not isinstance(value, np.ndarray | np.generic | float | int):
            return answer
        value = np.asarray(value)
        if value.dtype.kind not in "iuf":
            return answer
        with np.errstate(all="ignore"):
            changed = self.change(value, self.reference.bind(function, args, kwargs))
        return answer if changed is None else replace(answer, value=changed)


def other_values(reference, call, results):
    """The guesses for the function of a call: functions of the value alone, or of the value and a size or an argument.

    `results` are right results. If they have only 0 and 1, too many functions agree with them.
    """
    function, bound = call.function, reference.bind(call.function, call.args, call.kwargs) or {}
    if not any(isinstance(result, np.ndarray | float | int) and not np.isin(result, (-1, 0, 1)).all()
               for result in results):
        return
    for text, change in FUNCTIONS:
        yield OtherValues(reference, function, text, lambda value, bound, change=change: change(value))
    quantities = [(label.format(name), partial(quantity, name, size)) for name in reference.parameters(function)
                  for label, size in SIZES]
    for (label, a), (text, change) in itertools.product(quantities, FACTORS):
        yield OtherValues(reference, function, text.format(label), partial(with_quantities, change, (a,)))
    different = {n: (label, get) for label, get in quantities if type(n := get(bound)) in (int, float)}
    pairs = itertools.permutations(different.values(), 2)
    for ((one, a), (other, b)), (text, change) in itertools.product(pairs, RATIOS):
        yield OtherValues(reference, function, text.format(one, other), partial(with_quantities, change, (a, b)))


def quantity(name, size, bound):
    """A number of a call: an argument or a size of it; an array argument as it is; None if there is none."""
    argument = bound.get(name)
    if size is None:
        return argument if type(argument) in (int, float, np.ndarray) else None
    return size(argument) if isinstance(argument, np.ndarray) and argument.ndim else None


def with_quantities(change, getters, value, bound):
    """A changed value; None if a quantity is missing, or is an array of another shape."""
    numbers = [get(bound) for get in getters]
    if any(n is None or (isinstance(n, np.ndarray) and n.shape != value.shape) for n in numbers):
        return None
    return change(value, *map(np.asarray, numbers))                # arrays, because 1 / 0 is no error there

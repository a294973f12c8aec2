"""Guesses: a simple function of every right value, such as 1 - w or w / sqrt(d)."""
from dataclasses import dataclass, replace

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
    ("w, but 0 where w is negative", lambda w: np.maximum(w, 0)),
    ("w, but 0 where w is positive", lambda w: np.minimum(w, 0)),
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


@dataclass(frozen=True)
class OtherValues:
    """The reference, with every value of its result changed."""

    reference: Reference
    replaces: str
    text: str
    change: object                # the right result, the arguments by name -> the other result
    name: str = "other_values"

    @property
    def sentence(self):
        """What the learner is told."""
        return f"The result has {self.text} where the right value is w."

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


def other_values(reference, function, results):
    """The guesses for a function: functions of the value alone, then of the value and a size or an argument.

    `results` are right results. If they have only 0 and 1, too many functions agree with them.
    """
    if not any(isinstance(result, np.ndarray | float | int) and not np.isin(result, (-1, 0, 1)).all()
               for result in results):
        return
    for text, change in FUNCTIONS:
        yield OtherValues(reference, function, text, lambda value, bound, change=change: change(value))
    for name in reference.parameters(function):
        for place, label in ((None, name), (-1, f"{name}.shape[-1]"), (-2, f"{name}.shape[-2]"), (0, f"len({name})")):
            for text, change in FACTORS:
                yield OtherValues(
                    reference, function, text.format(label),
                    lambda value, bound, change=change, name=name, place=place: with_factor(
                        change, value, bound.get(name), place))


def with_factor(change, value, argument, place):
    """A changed value; None if the argument is no number, or has no such size."""
    if place is None:
        return change(value, argument) if type(argument) in (int, float) else None
    if not isinstance(argument, np.ndarray) or argument.ndim < abs(place) or not argument.ndim:
        return None
    return change(value, argument.shape[place])

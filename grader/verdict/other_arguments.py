"""Guesses: the right function, called with another argument, such as a default or `-offset` for `offset`."""
import itertools
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from grader.calling.reference import Reference

CHANGES = (
    ("`-{0}`", lambda v: -v),
    ("`{0} + 1`", lambda v: v + 1 if not isinstance(v, np.ndarray) else None),
    ("`{0} - 1`", lambda v: v - 1 if not isinstance(v, np.ndarray) else None),
    ("`2 * {0}`", lambda v: 2 * v),
    ("`{0} // 2`", lambda v: v // 2 if isinstance(v, int) else None),
    ("`{0} / 2`", lambda v: v / 2 if not isinstance(v, int) else None),
    ("`1 / {0}`", lambda v: 1 / v if not isinstance(v, int) else None),
    ("`{0} ** 2`", lambda v: v**2),
    ("the square root of `{0}`", lambda v: v**0.5 if not isinstance(v, int) else None),
    ("the size of `{0}`, without its sign,", abs),
    ("whole numbers, cut off,", lambda v: np.trunc(v)),
    ("zeros", lambda v: np.zeros_like(v) if isinstance(v, np.ndarray) else None),
    ("ones", lambda v: np.ones_like(v) if isinstance(v, np.ndarray) else None),
    ("`{0}` with its last two axes swapped,", lambda v: np.swapaxes(v, -1, -2)),
    ("`{0}` with its last axis reversed,", lambda v: v[..., ::-1]),
    ("`{0}` with its rows reversed,", lambda v: v[..., ::-1, :]),
)


@dataclass(frozen=True)
class OtherArguments:
    """The reference, which gets other arguments than the learner's function."""

    reference: Reference
    replaces: str
    sentence: str
    change: Callable              # {name: argument} -> those that are replaced
    name: str = "other_argument"

    def ask(self, function, args, kwargs):
        """The answer to a call with the other arguments; the right answer if they cannot be made."""
        bound = self.reference.bind(function, args, kwargs) if function == self.replaces else None
        if bound is not None:
            parameters = self.reference.parameters(function).items()
            defaults = {name: p.default for name, p in parameters if p.default is not p.empty}
            try:
                with np.errstate(all="ignore"):
                    changed = self.change(defaults | bound)
            except (TypeError, ValueError, IndexError, ArithmeticError):
                changed = {}
            if changed and not any(value is None for value in changed.values()):
                return self.reference.ask(function, (), bound | changed)
        return self.reference.ask(function, args, kwargs)


def other_arguments(reference, function):
    """The guesses for a function: a default instead of an argument, or another argument."""
    parameters = reference.parameters(function)
    guess = partial(OtherArguments, reference, function)
    for name, parameter in parameters.items():
        if parameter.default is not parameter.empty and parameter.default is not None:
            yield guess(f"The result would be right if `{name}` were {parameter.default!r}, its default. Use the "
                        f"argument `{name}`.", lambda bound, name=name, p=parameter: {name: p.default})
        yield guess(f"The result would be right if `{name}` were the opposite.",
                    lambda bound, name=name: {name: not bound[name]} if isinstance(bound[name], bool) else {})
    for one, other in itertools.combinations(parameters, 2):
        yield guess(f"The result would be right if you exchanged the arguments `{one}` and `{other}`.",
                    lambda bound, one=one, other=other: taken(bound, {one: other, other: one}))
    for one, other in itertools.permutations(parameters, 2):
        yield guess(f"The result would be right if `{one}` were equal to `{other}`.",
                    lambda bound, one=one, other=other: taken(bound, {one: other}))


def changed_arguments(reference, function):
    """The guesses for a function: a simple change of one argument."""
    for name, (text, change) in itertools.product(reference.parameters(function), CHANGES):
        yield OtherArguments(reference, function,
                             f"The result would be right for {text.format(name)} in place of `{name}`.",
                             lambda bound, name=name, change=change: {name: numeric(change, bound[name])})


def taken(bound, names):
    """Arguments with the values of others, if both are numbers or both are arrays."""
    pairs = [(bound[name], bound[other]) for name, other in names.items()]
    alike = all(type(a) is type(b) is np.ndarray or {type(a), type(b)} <= {int, float} for a, b in pairs)
    return {name: bound[other] for name, other in names.items()} if alike else {}


def numeric(change, value):
    """A number or an array of numbers, changed; None for anything else."""
    if isinstance(value, bool | str | None) or (isinstance(value, np.ndarray) and value.dtype.kind not in "iuf"):
        return None
    return change(value)

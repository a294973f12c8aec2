"""Which operation of the same sort gives a right value where a learner's step goes wrong, on the same inputs."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from grader.calling.recording import Recording

Operations = dict[str, Callable[..., Any]]
ALONG_AN_AXIS: Operations = {
    "sum": np.sum, "mean": np.mean, "running sum": np.cumsum, "length": lambda a, axis: np.linalg.norm(a, axis=axis)}
REDUCTIONS = {"sum", "mean", "average", "max", "min", "amax", "amin", "cumsum", "norm", "prod", "median"}
OF_ONE: tuple[tuple[set[str], Operations], ...] = (          # names of functions, and what else there is of their sort
    ({"floor", "ceil", "rint", "round", "around", "trunc", "astype", "int32", "int64", "int"},
     {"number rounded down": np.floor}),
    ({"sin", "cos", "abs", "absolute", "sqrt", "exp", "exp2", "log", "log2", "log10", "log1p", "square"},
     {"sine": np.sin, "cosine": np.cos, "absolute value": np.abs, "exponential": np.exp, "logarithm": np.log}),
)
OF_TWO: Operations = {
    "sum": np.add, "difference": np.subtract, "product": np.multiply, "quotient": np.divide, "power": np.power,
    "matrix product with the second one transposed (or not, if it is)": lambda a, b: a @ np.swapaxes(b, -1, -2),
    "matrix product with the first one transposed (or not, if it is)": lambda a, b: np.swapaxes(a, -1, -2) @ b,
    "quotient by the square root": lambda a, b: a / np.sqrt(b)}
TURNED: dict[str, Operations] = {
    "Sub": {"difference the other way round": lambda a, b: b - a},
    "Div": {"quotient the other way round": lambda a, b: b / a},
    "MatMult": {"matrix product the other way round": lambda a, b: b @ a}}


def remedies(recording: Recording, number: int, right: Recording, same: Callable[[Any, Any], bool]) -> list[str]:
    """What is needed in the place of an event, in words.

    `right` is the recording of the solution. The place of a result needs the solution's result.
    """
    event, is_result = recording.events[number], number in recording.results
    inputs = [np.asarray(recording.events[i].value) for i in event.inputs]
    steps = [right.events[i] for i in right.results if i >= 0] if is_result else right.events
    wanted = [np.asarray(step.value) for step in steps if isinstance(step.value, np.ndarray | float | np.floating)]
    if any(a.dtype.kind not in "biuf" or not a.size for a in inputs):
        return []
    if is_result and any(same(a, value) for a in inputs for value in wanted):
        return ["Leave this step out: what goes into it is the result already."]
    before = [np.asarray(one.value) for one in recording.events[:number] if isinstance(one.value, np.ndarray)]
    with np.errstate(all="ignore"):
        return [f"Here, the {what} is needed." for what, value in others(event.kind, inputs)
                if any(same(value, one) for one in wanted) and not any(same(value, one) for one in before)]


def others(kind: str, inputs: list[np.ndarray]) -> Iterator[tuple[str, np.ndarray]]:
    """(what it is, its value) of operations on these inputs, of the sort that an expression is."""
    sort, _, name = kind.partition(" ")
    calls: list[tuple[str, Callable[..., Any], list]] = []
    if sort == "BinOp" and len(inputs) == 2:
        calls = [(what, function, inputs) for what, function in (OF_TWO | TURNED.get(name, {})).items()]
    elif sort == "Call" and len(inputs) == 1 and name in REDUCTIONS:
        calls = [(f"{what} along axis {axis}", function, [*inputs, axis])
                 for axis in range(-inputs[0].ndim, 0) for what, function in ALONG_AN_AXIS.items()]
    elif sort == "Call" and len(inputs) == 1:
        calls = [(what, function, inputs) for names, operations in OF_ONE if name in names
                 for what, function in operations.items()]
    for what, function, arguments in calls:
        try:
            yield what, np.asarray(function(*arguments))
        except (ValueError, TypeError, IndexError):
            continue

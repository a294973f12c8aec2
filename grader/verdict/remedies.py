"""Which operation of the same sort gives a right value where a learner's step goes wrong, on the same inputs."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from grader.calling.recording import Recording

ALONG_AN_AXIS: dict[str, Callable[..., Any]] = {
    "sum": np.sum, "mean": np.mean, "largest": np.max, "smallest": np.min, "running sum": np.cumsum,
    "length": lambda a, axis: np.linalg.norm(a, axis=axis)}
ROUNDED: dict[str, Callable[..., Any]] = {
    "number rounded down": np.floor, "number rounded up": np.ceil, "number rounded to the nearest": np.rint,
    "number itself, not rounded,": np.positive}
OF_ONE: dict[str, Callable[..., Any]] = {
    "sine": np.sin, "cosine": np.cos, "absolute value": np.abs, "square root": np.sqrt, "exponential": np.exp,
    "logarithm": np.log, "logarithm to base 2": np.log2, "number without this step": np.positive}
OF_TWO: dict[str, Callable[..., Any]] = {
    "sum": np.add, "difference": np.subtract, "product": np.multiply, "quotient": np.divide, "power": np.power,
    "matrix product": np.matmul,
    "matrix product with the second one transposed (or not, if it is)": lambda a, b: a @ np.swapaxes(b, -1, -2),
    "matrix product with the first one transposed (or not, if it is)": lambda a, b: np.swapaxes(a, -1, -2) @ b,
    "difference plus 1": lambda a, b: a - b + 1, "difference minus 1": lambda a, b: a - b - 1,
    "quotient by the square root": lambda a, b: a / np.sqrt(b)}
TURNED: dict[str, dict[str, Callable[..., Any]]] = {
    "Sub": {"difference the other way round": lambda a, b: b - a},
    "Div": {"quotient the other way round": lambda a, b: b / a},
    "MatMult": {"matrix product the other way round": lambda a, b: b @ a}}
LIMITS: dict[str, Callable[..., Any]] = {"smaller of the two": np.minimum, "larger of the two": np.maximum}
SORTS = (                                   # names of functions, and what else there is of their sort
    ({"sum", "mean", "average", "max", "min", "amax", "amin", "cumsum", "norm", "prod", "median"}, ALONG_AN_AXIS),
    ({"floor", "ceil", "rint", "round", "around", "trunc", "astype", "int32", "int64", "int"}, ROUNDED),
    ({"sin", "cos", "abs", "absolute", "sqrt", "exp", "exp2", "log", "log2", "log10", "log1p", "square"}, OF_ONE),
    ({"minimum", "maximum", "fmin", "fmax"}, LIMITS),
)


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
    calls: list[tuple[str, Callable[..., Any], tuple]] = []
    if sort == "BinOp" and len(inputs) == 2:
        calls = [(what, function, tuple(inputs)) for what, function in (OF_TWO | TURNED.get(name, {})).items()]
    for names, operations in SORTS if sort == "Call" else ():
        if name not in names or len(inputs) != (2 if operations is LIMITS else 1):
            continue
        if operations is ALONG_AN_AXIS:
            calls = [(f"{what} along axis {axis - inputs[0].ndim}", function, (inputs[0], axis))
                     for axis in range(inputs[0].ndim) for what, function in operations.items()]
            calls.append(("largest absolute value", lambda a: np.abs(a).max(), (inputs[0],)))
        else:
            calls = [(what, function, tuple(inputs)) for what, function in operations.items()]
    for what, function, arguments in calls:
        try:
            yield what, np.asarray(function(*arguments))
        except (ValueError, TypeError, IndexError):
            continue

"""Checks that many functions share, each in one line of a suite:

    test_tables_of_any_size_agree_with_the_reference = agrees_with_the_reference(2, "positional_encoding", sizes)

The first argument is the task, or a tuple of tasks. The last says what the function is called with: a list, or a
function that draws it from `rng`, of tuples of arguments or of dicts of keyword arguments.
"""
import functools
import sys
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pytest

from grader.calling.arguments import in_each, leaves
from grader.course.expect import assert_double_precision, assert_keeps_float32, assert_refused, assert_same

Calls = list[tuple[tuple, dict[str, Any]]]                   # the arguments of each
Function = Callable[..., Any]                                # the learner's, or the reference's
Given = tuple | dict[str, Any]
Inputs = Iterable[Given] | Callable[[np.random.Generator], Iterable[Given]]
Tasks = int | tuple[int, ...]


def of_each_call(run: Callable[[Any, Function, Calls], None]) -> Callable[[Tasks, str, Inputs], Callable]:
    """Make a line of a suite from what runs with the learner's function, the reference's, and some calls."""
    @functools.wraps(run)
    def made(task: Tasks, function: str, inputs: Inputs) -> Callable:
        def asked(kata: Any, reference: Any, rng: Any) -> None:
            __tracebackhide__ = True
            run(getattr(kata, function), getattr(reference, function), calls_with(inputs, rng))
        return check(task, callable(inputs), asked)
    return made


@of_each_call
def agrees_with_the_reference(ours: Any, right: Function, calls: Calls) -> None:
    """The function gives what the reference gives."""
    __tracebackhide__ = True
    for args, kwargs in calls:
        assert_same(ours(*args, **kwargs), right(*args, **kwargs))


@of_each_call
def starts_afresh(ours: Any, right: Function, calls: Calls) -> None:
    """The function gives what the reference gives in each of several calls, and in the first one again."""
    __tracebackhide__ = True
    for args, kwargs in [*calls, calls[0]]:
        assert_same(ours(*args, **kwargs), right(*args, **kwargs))


def are_in_double_precision(task: Tasks, **inputs: Inputs) -> Callable:
    """The results of functions are right, and in double precision: a kata has one such check, for all its functions."""
    def asked(kata: Any, reference: Any, rng: Any) -> None:
        __tracebackhide__ = True
        for function, one in inputs.items():
            for args, kwargs in calls_with(one, rng):
                assert_double_precision(getattr(kata, function), *args, **kwargs)
    return check(task, any(map(callable, inputs.values())), asked)


@of_each_call
def keeps_float32(ours: Any, right: Function, calls: Calls) -> None:
    """If all arrays of real numbers are float32, the result is right, and float32.

    An input that has arrays of float32 is left as it is, with others in float64.
    """
    __tracebackhide__ = True
    for call in calls:
        if not any(a.dtype == np.float32 for a in arrays_of(*call)):
            (call,) = exchanged([call], lambda a: a.astype(np.float32) if a.dtype.kind == "f" else a)
        args, kwargs = call
        assert_keeps_float32(ours, *args, **kwargs)
        assert_same(ours(*args, **kwargs), right(*args, **kwargs))


@of_each_call
def takes_whole_numbers(ours: Any, right: Function, calls: Calls) -> None:
    """Arrays of whole numbers give what the same numbers give in float64: all of them at once, and each alone.

    The real numbers in these arrays are rounded for it; other arrays are left as they are.
    """
    __tracebackhide__ = True
    for call in calls:
        real = [a for a in arrays_of(*call) if a.dtype.kind == "f"]
        for chosen in [real, *([a] for a in real)] if len(real) > 1 else [real]:
            ((whole, named),) = exchanged([call], rounding(chosen, int))
            ((args, kwargs),) = exchanged([call], rounding(chosen, float))
            assert_same(ours(*whole, **named), right(*args, **kwargs))


@of_each_call
def takes_views(ours: Any, right: Function, calls: Calls) -> None:
    """Arrays that are read-only, in another order in memory, or not in one piece give what copies of them give."""
    __tracebackhide__ = True
    for view in (spread, np.asfortranarray):
        viewed = exchanged(exchanged(calls, view), locked)
        for (args, kwargs), (copies, named) in zip(viewed, calls, strict=True):
            assert_same(ours(*args, **kwargs), right(*copies, **named))


@of_each_call
def refuses(ours: Any, right: Function, calls: Calls) -> None:
    """Each call raises ValueError."""
    __tracebackhide__ = True
    for args, kwargs in calls:
        assert_refused(ours, *args, **kwargs)


def check(task: Tasks, drawn: bool, asked: Callable[[Any, Any, Any], None]) -> Callable:
    """A check of a suite; it takes `rng` only if some of its inputs are drawn."""
    def with_rng(kata, reference, rng):
        __tracebackhide__ = True
        asked(kata, reference, rng)

    def without_rng(kata, reference):
        __tracebackhide__ = True
        asked(kata, reference, None)

    function, frame = with_rng if drawn else without_rng, sys._getframe()
    while frame.f_back and frame.f_code.co_filename == __file__:
        frame = frame.f_back
    function.__code__ = function.__code__.replace(         # so that editors find the check in its suite
        co_filename=frame.f_code.co_filename, co_firstlineno=frame.f_lineno)
    return pytest.mark.task(*(task if isinstance(task, tuple) else (task,)))(function)


def calls_with(inputs: Inputs, rng: Any) -> Calls:
    """The calls with some inputs."""
    return [(one, {}) if isinstance(one, tuple) else ((), one) for one in (inputs(rng) if callable(inputs) else inputs)]


def exchanged(calls: Calls, exchange: Callable[[np.ndarray], np.ndarray]) -> Calls:
    """Calls with other arrays in place of their arrays."""
    def other(value: Any) -> Any:
        return exchange(value) if isinstance(value, np.ndarray) else value
    return [(tuple(in_each(value, other) for value in args), in_each(kwargs, other)) for args, kwargs in calls]


def arrays_of(args: tuple, kwargs: dict[str, Any]) -> list[np.ndarray]:
    """The arrays of a call."""
    return [value for value in leaves(*args, kwargs) if isinstance(value, np.ndarray)]


def rounding(chosen: list[np.ndarray], dtype: type) -> Callable[[np.ndarray], np.ndarray]:
    """What rounds an array, if it is one of the chosen ones."""
    return lambda array: np.rint(array).astype(dtype) if any(array is one for one in chosen) else array


def spread(array: np.ndarray) -> np.ndarray:
    """The same numbers, every second one of a larger array."""
    return np.repeat(array, 2, axis=-1)[..., ::2]


def locked(array: np.ndarray) -> np.ndarray:
    """A read-only view."""
    view = array.view()
    view.flags.writeable = False
    return view

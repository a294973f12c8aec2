"""Checks that many functions share, each in one line of a suite:

    test_tables_of_any_size_agree_with_the_reference = agrees_with_the_reference(2, "positional_encoding", sizes)

The first argument is the task, or a tuple of tasks. The last says what the function is called with: a list, or a
function that draws it from `rng`, of tuples of arguments or of dicts of keyword arguments.
"""
import sys

import numpy as np
import pytest

from grader.course.expect import assert_double_precision, assert_keeps_float32, assert_refused, assert_same


def agrees_with_the_reference(task, function, inputs):
    """The function gives what the reference gives."""
    return for_each_call(task, function, inputs, agree)


def starts_afresh(task, function, inputs):
    """The function gives what the reference gives in each of several calls, and in the first one again."""
    return for_each_call(task, function, inputs, lambda ours, right, calls: agree(ours, right, [*calls, calls[0]]))


def are_in_double_precision(task, **inputs):
    """The results of functions are right, and in double precision: a kata has one such check, for all its functions."""
    def asked(kata, rng):
        __tracebackhide__ = True
        for function, one in inputs.items():
            for args, kwargs in calls_with(one, rng):
                assert_double_precision(getattr(kata, function), *args, **kwargs)
    return check(task, any(map(callable, inputs.values())), lambda kata, reference, rng: asked(kata, rng))


def keeps_float32(task, function, inputs):
    """If all arrays of real numbers are float32, the result is right, and float32.

    An input that has arrays of float32 is left as it is, with others in float64.
    """
    def run(ours, right, calls):
        __tracebackhide__ = True
        for call in calls:
            chosen = any(a.dtype == np.float32 for a in arrays_of(*call))
            ((args, kwargs),) = [call] if chosen else changed([call], in_single)
            assert_keeps_float32(ours, *args, **kwargs)
            assert_same(ours(*args, **kwargs), right(*args, **kwargs))
    return for_each_call(task, function, inputs, run)


def takes_whole_numbers(task, function, inputs):
    """Arrays of whole numbers give what the same numbers give in float64: all of them at once, and each alone.

    The real numbers in these arrays are rounded for it; other arrays are left as they are.
    """
    def run(ours, right, calls):
        __tracebackhide__ = True
        for call in calls:
            real = [a for a in arrays_of(*call) if a.dtype.kind == "f"]
            for chosen in [real, *([a] for a in real)] if len(real) > 1 else [real]:
                ((whole, named),) = changed([call], rounded(chosen, int))
                ((args, kwargs),) = changed([call], rounded(chosen, float))
                assert_same(ours(*whole, **named), right(*args, **kwargs))
    return for_each_call(task, function, inputs, run)


def takes_views(task, function, inputs):
    """Arrays that are read-only, in another order in memory, or not in one piece give what copies of them give."""
    def run(ours, right, calls):
        __tracebackhide__ = True
        for view in (spread, np.asfortranarray):
            for (args, kwargs), (copies, named) in zip(changed(calls, lambda a, view=view: locked(view(a))), calls,
                                                       strict=True):
                assert_same(ours(*args, **kwargs), right(*copies, **named))
    return for_each_call(task, function, inputs, run)


def refuses(task, function, inputs):
    """Each call raises ValueError."""
    def run(ours, right, calls):
        __tracebackhide__ = True
        for args, kwargs in calls:
            assert_refused(ours, *args, **kwargs)
    return for_each_call(task, function, inputs, run)


def for_each_call(task, function, inputs, run):
    """A check that runs something with the learner's function, the reference's, and [(args, kwargs)]."""
    def asked(kata, reference, rng):
        __tracebackhide__ = True
        run(getattr(kata, function), getattr(reference, function), calls_with(inputs, rng))
    return check(task, callable(inputs), asked)


def check(task, drawn, asked):
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


def calls_with(inputs, rng):
    """[(args, kwargs)] of some inputs."""
    return [(one, {}) if isinstance(one, tuple) else ((), one) for one in (inputs(rng) if callable(inputs) else inputs)]


def agree(ours, right, calls):
    """Each call gives what the reference gives."""
    __tracebackhide__ = True
    for args, kwargs in calls:
        assert_same(ours(*args, **kwargs), right(*args, **kwargs))


def changed(calls, change):
    """Calls with other arrays in place of their arrays."""
    def other(value):
        return change(value) if isinstance(value, np.ndarray) else value
    return [(tuple(map(other, args)), {name: other(value) for name, value in kwargs.items()}) for args, kwargs in calls]


def arrays_of(args, kwargs):
    """The arrays of a call."""
    return [value for value in (*args, *kwargs.values()) if isinstance(value, np.ndarray)]


def in_single(array):
    """An array in float32, if it has real numbers."""
    return array.astype(np.float32) if array.dtype.kind == "f" else array


def rounded(chosen, dtype):
    """What rounds an array, if it is one of the chosen ones."""
    return lambda array: np.rint(array).astype(dtype) if any(array is one for one in chosen) else array


def spread(array):
    """The same numbers, every second one of a larger array."""
    return np.repeat(array, 2, axis=-1)[..., ::2]


def locked(array):
    """A read-only view."""
    view = array.view()
    view.flags.writeable = False
    return view

"""What a recorder notes about a call, and that it changes nothing."""
import ast
import types

import numpy as np
import pytest

from grader.calling.recorder import Event, Recorder
from grader.calling.recording import Recorded, Recording

ALL_KINDS = '''
import functools
import numpy as np
SCALE = 2.0

def doubled(function):
    @functools.wraps(function)
    def called(*args, **kwargs):
        return 2 * function(*args, **kwargs)
    return called

@doubled
def helper(x, *rest, key=None, **named):
    """A docstring."""
    return x + sum(rest) + (key or 0) + len(named)

class Pair:
    def __init__(self, first):
        self.first = first
    def second(self):
        return self.first * SCALE

def everything(n, x):
    global COUNT
    COUNT = 1
    table: np.ndarray = np.zeros((n, 3))
    table[:, 0] = np.arange(n)
    table[:, 1] += x[0][:1]
    table[1:, 2], rest = x[1], [*x]
    first, *others = rest
    for i, row in enumerate(table):
        row *= 2
        if i % 2 and not i == 3:
            continue
        elif i > 5:
            break
    else:
        table -= 1
    total = 0
    while total < 3:
        total += 1
    try:
        raise ValueError(f"{total:.1f} of {n}")
    except ValueError as error:
        text = str(error)
    with np.errstate(all="ignore"):
        ratio = np.float64(1.0) / 0
    match n:
        case 4:
            extra = 10
        case _:
            extra = 20
    nested = {"a": [k * 2 for k in range(n)], "b": {k for k in range(2)}, **{"c": tuple(k for k in (1, 2))}}
    if (size := len(others)) > 0:
        extra += size
    def inner(value, by=table.shape[1]):
        nonlocal total
        total += 1
        return value * by
    smallest = min((abs(v) for v in x.ravel()), default=0)
    power = (lambda a, b=2: a ** b)(3)
    del rest
    assert total, "never"
    return (table, helper(1, 2, key=3, more=4), Pair(x[0]).second(), text, ratio, extra, nested["a"],
            sorted(nested["b"]), nested["c"], inner(first), smallest, power, total, -x[0, 0] if x[0, 0] > 0 else +x,
            0 < total < 9, x[0] @ x[1],
            np.sum([v for v in x], axis=0)[::-1], [[1, 2], [3]][0][1:])
'''


def recorded(source, whole=()):
    """A Recorded of a source text."""
    recorder = Recorder(whole)
    module = types.ModuleType("code")
    vars(module).update(recorder.names)
    exec(compile(recorder.instrumented(ast.parse(source)), "code.py", "exec"), vars(module))
    return Recorded("code.py", module, recorder)


def texts(source, recording):
    """(kind, text) of the events."""
    lines = source.split("\n")
    return [(event.kind, lines[event.place[0] - 1][event.place[1]:event.place[3]]) for event in recording.events]


def test_recording_changes_no_result():
    plain: dict = {}
    exec(compile(ALL_KINDS, "code.py", "exec"), plain)
    x = np.arange(6.0).reshape(2, 3) + 1
    wanted, one = plain["everything"](4, x.copy()), recorded(ALL_KINDS)
    one.recorder.start()
    got = one.module.everything(4, x.copy())
    assert len(got) == len(wanted)
    for number, right in zip(got, wanted, strict=True):
        np.testing.assert_array_equal(number, right)
        assert type(number) is type(right)


def test_each_expression_has_its_value_and_the_events_that_went_into_it():
    source = "def f(a, b):\n    c = a + b\n    return 2.0 * c\n"
    recording = recorded(source).call("f", (np.array([1.0, 2.0]), np.array([3.0, 4.0])), {})
    assert texts(source, recording) == [("Name", "a"), ("Name", "b"), ("BinOp Add", "a + b"),
                                        ("BinOp Mult", "2.0 * c")]
    assert [event.inputs for event in recording.events] == [[], [], [0, 1], [2]]
    assert recording.events[2].value.tolist() == [4.0, 6.0]
    assert recording.results == [3]


def test_a_write_into_an_array_is_an_event_and_earlier_values_stay():
    source = "import numpy as np\ndef f(a):\n    t = np.zeros(2)\n    t[0] = a\n    t[1] = -a\n    return t\n"
    recording = recorded(source).call("f", (3.0,), {})
    writes = [event for event in recording.events if event.kind == "Write"]
    assert [event.value.tolist() for event in writes] == [[3.0, 0.0], [3.0, -3.0]]
    assert recording.results == [recording.events.index(writes[1])]
    assert recording.events.index(writes[0]) in writes[1].inputs


def test_inputs_are_followed_through_helpers_but_not_into_whole_functions():
    source = "def g(x):\n    y = x * 2.0\n    return y\ndef f(a):\n    return g(a) + 1.0\n"
    inside = texts(source, recorded(source).call("f", (np.ones(2),), {}))
    assert ("BinOp Mult", "x * 2.0") in inside
    whole = recorded(source, ("g",)).call("f", (np.ones(2),), {})
    (call,) = (event for event in whole.events if event.calls)
    assert (call.calls, [whole.events[i].kind for i in call.inputs]) == ("g", ["Name"])


def test_a_function_without_return_has_no_result():
    source = "def g(x):\n    return x * 2.0\ndef f(a):\n    g(a)\n"
    assert recorded(source).call("f", (np.ones(2),), {}).results == [-1]
    assert recorded(source).call("g", (3,), {}).results == [1]


def test_a_call_that_raises_ends_on_the_events_of_its_line():
    source = "def f(a, b):\n    c = a * 2.0\n    return c + b\n"
    one = recorded(source)
    recording = one.call("f", (np.ones(2), np.ones(3)), {})
    assert recording.raised
    assert {texts(source, recording)[i][1] for i in recording.results} == {"a * 2.0", "b"} - {"a * 2.0"}


def test_a_call_with_too_many_events_is_not_recorded():
    assert recorded("def f(n):\n    x = 0.5\n    for i in range(n):\n        x = x * 1.5 + 0.1\n    return x\n").call(
        "f", (10_000,), {}) is None


def test_a_recording_survives_its_way_through_lists():
    recording = recorded("def f(a):\n    return a * 2.0\n").call("f", (np.ones(2),), {})
    again = Recording.of(recording.plain())
    assert [event.place for event in again.events] == [event.place for event in recording.events]
    assert again.results == recording.results


@pytest.mark.parametrize("value", [
    None, 3, "text", [], [[], []], [[[1, 2, 3, 4, 0.5, [], "Name"]], [0], False],
    [[[1, 2, 3, 4, 0.5, [0], "Name", ""]], [0], False],                  # its own input
    [[[1, 2, 3, 4, "value", [], "Name", ""]], [0], False], [[[1, 2, 3, None, 0.5, [], "Name", ""]], [0], False],
    [[[1, 2, 3, 4, 0.5, [-1], "Name", ""]], [0], False], [[[1, 2, 3, 4, 0.5, [], "Name", ""]], [1], False],
    [[[1, 2, 3, 4, 0.5, [], 7, ""]], [0], False], [[[1, 2, 3, 4, 0.5, [], "Name", ["x"]]], [0], False],
], ids=repr)
def test_lists_that_are_no_recording_are_refused(value):
    assert Recording.of(value) is None


def test_an_event_holds_no_larger_array_than_anybody_looks_at():
    recording = recorded("import numpy as np\ndef f(n):\n    return np.zeros(n)\n").call("f", (10**5,), {})
    assert recording.events[-1] == Event(recording.events[-1].place, None, [0], "Call zeros")

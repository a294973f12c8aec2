"""What comes back from a worker is an answer or Malformed, whatever bytes it is."""
import contextlib
import json
import random
import socket
import threading
import time

import numpy as np
import pytest

from grader.calling.answers import Answer, Foreign, plain
from grader.calling.limits import Clock
from grader.isolation import frames, values

VALUES = (
    None, True, "text", 3, 2.5, float("inf"), np.float32(1.5), np.int64(-4), np.bool_(True), np.complex64(1j),
    np.arange(6.0).reshape(2, 3), np.asfortranarray(np.arange(6).reshape(2, 3)), np.zeros((0, 4)), np.array(2.0),
    np.array([1 + 1j]), (1, [2.0, None], np.ones(2)), np.arange(12.0)[::-2], (np.ones(2), np.zeros(3, np.float32)),
)
ONE = b"\1"


def there_and_back(value):
    parts = []
    packed = json.loads(json.dumps(values.packed(value, parts)))
    return values.unpacked(packed, b"".join(parts))


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_value_comes_back_as_it_was(value):
    back = there_and_back(value)
    assert type(back) is type(value)
    assert getattr(back, "dtype", None) == getattr(value, "dtype", None)
    assert repr(back) == repr(value)


@pytest.mark.parametrize("value", [
    object(), np.array([object()]), np.array(["text"]), {1: 2}, np.datetime64("2020-01-01"), lambda: 0, -2**80,
], ids=lambda v: type(v).__name__)
def test_what_has_no_plain_form_comes_back_as_the_name_of_its_type(value):
    back = there_and_back(plain(value))
    assert isinstance(back, Foreign)
    assert back.type_name.startswith(type(value).__name__)


@pytest.mark.parametrize("packed", [
    None, 3, [], {}, {"is": 3}, {"is": {}}, {"number": "3"}, {"number": True}, {"number": None},
    {"tuple": 3}, {"tuple": [3]}, {"foreign": 3}, {"other": 1}, {"is": None, "number": 3}, {"is": None},
    *({kind: content} for kind in ("array", "scalar") for content in (
        3, "0", [], ["|b1"], ["|b1", 1], ["|b1", [1], 0], ["|b1", [1.0]], ["|b1", [True]], ["|b1", [-1]],
        ["|b1", [2]], ["|b1", [0]], ["|b1", [1] * 40], ["<f8", [1]], ["<f8", [10**12, 0]], ["<f8", [2**31, 0]],
        ["|O", [1]], ["<U1", [1]], ["<M8[s]", [1]], ["f8,f8", [1]], [None, [1]], [["|b1"], [1]], ["(2,)i1", [1]])),
    {"list": [{"array": ["|b1", [1]]}] * 2},
], ids=repr)
def test_a_forged_value_is_malformed(packed):
    with pytest.raises(frames.Malformed):
        values.unpacked(packed, ONE)


@pytest.mark.parametrize("message", [
    {}, {"outcome": "passed"}, {"outcome": "timeout"}, {"outcome": ["returned"]}, {"outcome": "raised"},
    {"outcome": "raised", "types": [3], "message": ""}, {"outcome": "raised", "types": [], "message": 3},
], ids=repr)
def test_a_forged_answer_is_malformed(message):
    with pytest.raises(frames.Malformed):
        values.unpacked_answer(message, memoryview(b""), ())


def test_what_an_answer_says_of_arguments_and_memory_is_taken_only_where_it_can_be():
    message = {"outcome": "returned", "value": {"is": None}, "touched": [0, "x", 3, "y", []], "peak": "0"}
    answer = values.unpacked_answer(message, memoryview(b""), (0, 1, "x"))
    assert (answer.touched, answer.peak) == ((0, "x"), None)


def test_a_value_that_is_nested_without_end_is_malformed():
    packed = {"is": None}
    for _ in range(200):
        packed = {"tuple": [packed]}
    with pytest.raises(frames.Malformed):
        values.unpacked(packed, b"")


def test_texts_lose_lone_surrogates_and_their_tail():
    assert values.unpacked({"is": "\ud800" + "x" * 9000}, b"") == "?" + "x" * (values.LONGEST_STRING - 1)


def received(content, limit=10_000, seconds=5.0):
    """What comes of these bytes, sent in one go."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        sender = threading.Thread(target=lambda: (theirs.sendall(content), theirs.shutdown(socket.SHUT_WR)))
        sender.start()
        try:
            _, text, rest = frames.receive(ours, limit, Clock(seconds))
            return frames.message_in(text), rest
        finally:
            ours.close()
            sender.join()


def frame(text, rest=b""):
    return frames.HEAD.pack(0, len(text), len(rest)) + text + rest


@pytest.mark.parametrize("content", [
    frames.HEAD.pack(0, 2**32 - 1, 2**32 - 1), frames.HEAD.pack(0, 20_000, 0), frame(b""), frame(b"[]"),
    frame(b"null"), frame(b"{}") * 2, frame(b"{}") + b"x", frame(b"\xff\xfe"), frame(b"[" * 9000), frame(b"9" * 9000),
], ids=range(10))
def test_a_forged_frame_is_malformed(content):
    with pytest.raises(frames.Malformed):
        received(content)


def test_half_a_frame_is_the_end():
    with pytest.raises(EOFError):
        received(frame(b"{}")[:-1])


def test_one_deadline_holds_however_slowly_an_answer_drips_in():
    ours, theirs = socket.socketpair()

    def drip():
        for byte in frame(b"{}"):
            theirs.send(bytes([byte]))
            time.sleep(0.02)

    with ours, theirs:
        sender = threading.Thread(target=drip)
        sender.start()
        with pytest.raises(TimeoutError):
            frames.receive(ours, 10_000, Clock(0.1))
        sender.join()


def test_bytes_of_any_kind_are_an_answer_or_malformed():
    rng = random.Random(0)
    message, content = values.packed_answer(Answer("returned", (np.arange(6.0), "text", 3, [np.float32(1)]), (0,)))
    good = frames.as_json(message, content)
    for _ in range(300):
        forged = bytearray(good)
        for _ in range(rng.randrange(1, 4)):
            forged[rng.randrange(len(forged))] = rng.randrange(256)
        with contextlib.suppress(frames.Malformed, EOFError):
            values.unpacked_answer(*received(bytes(forged)), (0,))

"""What comes back from a worker is an answer or Malformed, whatever bytes it is."""
import json
import random
import socket
import threading
import time

import numpy as np
import pytest

from grader.calling.answers import Foreign
from grader.calling.limits import Clock
from grader.course.compare import same
from grader.isolation import frames, values

VALUES = (
    None, True, "text", 3, -2**80, 2.5, float("inf"), 1 + 2j, np.float32(1.5), np.int64(-4), np.bool_(True),
    np.arange(6.0).reshape(2, 3), np.asfortranarray(np.arange(6).reshape(2, 3)), np.zeros((0, 4)), np.array(2.0),
    np.array([1 + 1j]), (1, [2.0, None], np.ones(2)), {"a": np.ones(1)}, np.arange(12.0)[::-2],
)


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_value_comes_back_as_it_was(value):
    blobs = []
    packed = json.loads(json.dumps(values.packed(value, blobs)))
    back = values.unpacked(packed, blobs)
    if isinstance(value, np.ndarray):
        assert back.dtype == value.dtype
        assert same(back, value)
    elif type(value) in (int, complex) and not isinstance(back, int):
        assert isinstance(back, Foreign) or back == value      # too large for an array of numbers
    elif isinstance(value, (tuple, dict)):
        assert type(back) is type(value)
        assert len(back) == len(value)
    else:
        assert back == value
        assert type(back) is type(value)


@pytest.mark.parametrize("value", [
    object(), np.array([object()]), np.array(["text"]), {1, 2}, np.datetime64("2020-01-01"), lambda: 0,
], ids=lambda v: type(v).__name__)
def test_what_has_no_plain_form_comes_back_as_the_name_of_its_type(value):
    blobs = []
    back = values.unpacked(values.packed(value, blobs), blobs)
    assert isinstance(back, Foreign)


def header(shape, descr="<f8", order=False):
    return values.header(descr, order, shape)


@pytest.mark.parametrize("blob", [
    b"", b"\x93NUMPY", b"\x93NUMPY\x02\x00" + bytes(20), b"PK\x03\x04" + bytes(99),
    header((10**12,)), header((10**12, 0)), header((2**31, 0)), header((3,)) + bytes(23), header((3,)) + bytes(25),
    header((-1,)) + bytes(8), header((1,) * 40) + bytes(8), header((1,)).replace(b'1,', b'True,') + bytes(8),
    header((1,), "|O") + bytes(8), header((1,), "<U1") + bytes(4), header((1,), "<M8[s]") + bytes(8),
    b"\x93NUMPY\x01\x00\xff\xff" + b"{" * 65535, b"\x93NUMPY\x01\x00\x10\x00" + b"__import__('os')",
], ids=range(17))
def test_a_forged_array_is_malformed(blob):
    with pytest.raises(frames.Malformed):
        values.unpacked({"array": 0}, [blob])


@pytest.mark.parametrize("packed", [
    None, 3, [], {}, {"is": 3}, {"is": {}}, {"number": "3"}, {"number": True}, {"number": None}, {"scalar": 3},
    {"scalar": ["object", 3]}, {"scalar": ["float64", "3"]}, {"scalar": ["int8", 300]}, {"scalar": ["O", 1]},
    {"array": 1.0}, {"array": -1}, {"array": True}, {"array": "0"}, {"tuple": 3}, {"tuple": [3]},
    {"dict": [[{"is": None}]]}, {"dict": [[{"list": []}, {"is": None}]]}, {"foreign": 3}, {"other": 1},
    {"is": None, "number": 3},
], ids=repr)
def test_a_forged_value_is_malformed(packed):
    with pytest.raises(frames.Malformed):
        values.unpacked(packed, [header((1,), "|b1") + b"\0"])


@pytest.mark.parametrize("names", [(0, 0), (1, 0), (0, 2), (1,), (0, 1, 0)], ids=repr)
def test_arrays_that_are_not_named_once_and_in_order_are_malformed(names):
    one = header((1,), "|b1") + b"\0"
    with pytest.raises(frames.Malformed, match="not in order"):
        values.unpacked({"list": [{"array": n} for n in names]}, [one, one])


def test_an_array_that_is_returned_twice_comes_back_twice():
    one, blobs = np.arange(3.0), []
    packed = values.packed((one, {"again": one}), blobs)
    back = values.unpacked(packed, blobs)
    assert same((back[0], back[1]["again"]), (one, one))


def test_a_value_that_is_nested_without_end_is_malformed():
    packed = {"is": None}
    for _ in range(200):
        packed = {"tuple": [packed]}
    with pytest.raises(frames.Malformed):
        values.unpacked(packed, [])


def test_texts_lose_lone_surrogates_and_their_tail():
    assert values.unpacked({"is": "\ud800" + "x" * 9000}, []) == "?" + "x" * (values.TEXT - 1)


def received(content, limit=10_000, seconds=5.0):
    """What comes of these bytes, sent in one go."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        sender = threading.Thread(target=lambda: (theirs.sendall(content), theirs.shutdown(socket.SHUT_WR)))
        sender.start()
        try:
            return frames.receive_json(ours, limit, Clock(seconds))
        finally:
            ours.close()
            sender.join()


def frame(text, rest=b""):
    return frames.HEAD.pack(0, len(text), len(rest)) + text + rest


@pytest.mark.parametrize("content", [
    frames.HEAD.pack(0, 2**32 - 1, 2**32 - 1), frames.HEAD.pack(0, 20_000, 0),
    frame(b"{}"), frame(b"[]"), frame(b"null"),
    frame(b'{"blobs": 3}'), frame(b'{"blobs": [3]}'), frame(b'{"blobs": [-3, 3]}'), frame(b'{"blobs": [true]}', b"x"),
    frame(b'{"blobs": []}', b"x"), frame(b'{"blobs": []}') * 2, frame(b'{"blobs": []}') + b"x", frame(b"\xff\xfe"),
    frame(b"[" * 9000), frame(b'{"blobs": [1e400]}'), frame(b"9" * 9000),
], ids=range(16))
def test_a_forged_frame_is_malformed(content):
    with pytest.raises(frames.Malformed):
        received(content)


def test_half_a_frame_is_the_end():
    with pytest.raises(EOFError):
        received(frame(b'{"blobs": []}')[:-1])


def test_one_deadline_holds_however_slowly_an_answer_drips_in():
    ours, theirs = socket.socketpair()

    def drip():
        for byte in frame(b'{"blobs": []}'):
            theirs.send(bytes([byte]))
            time.sleep(0.02)

    with ours, theirs:
        sender = threading.Thread(target=drip)
        sender.start()
        with pytest.raises(TimeoutError):
            frames.receive_json(ours, 10_000, Clock(0.1))
        sender.join()


def test_bytes_of_any_kind_are_an_answer_or_malformed():
    rng = random.Random(0)
    blobs = []
    packed = values.packed((np.arange(6.0), "text", 3, [np.float32(1)]), blobs)
    text = json.dumps({"value": packed, "blobs": [len(b) for b in blobs]}).encode()
    good = frame(text, b"".join(blobs))
    for _ in range(300):
        content = bytearray(good)
        for _ in range(rng.randrange(1, 4)):
            content[rng.randrange(len(content))] = rng.randrange(256)
        try:
            message, parts = received(bytes(content))
            values.unpacked(message.get("value"), parts)
        except (frames.Malformed, EOFError):
            pass

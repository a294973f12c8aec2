"""How a question and its answer travel between the grader and a worker: two lengths, a text, the bytes of arrays.

Whatever comes from a worker may be forged. So lengths are checked before anything is read, and nothing is ever
unpickled, evaluated or taken for a path.
"""
import json
import select
import struct
from collections.abc import Callable
from socket import socket
from typing import Any

from grader.calling.limits import LOOK, Clock

HEAD = struct.Struct("<III")              # the number of the question, the lengths of the JSON and of what follows it
PART = 2**15                              # bytes to make room for before the size is known
LONGEST_TEXT = 2**21                      # of JSON, which takes 25 times the memory when it is read

Meanwhile = tuple[list, Callable[[], None]]       # files, and what to do when one can be read, and every so often
Frame = tuple[int, bytearray, memoryview]


class Malformed(Exception):
    """What came is not an answer."""


def frame(text: bytes, content: bytes = b"", number: int = 0) -> bytes:
    """A text and the bytes that belong to it; an answer bears the number of its question."""
    return HEAD.pack(number, len(text), len(content)) + text + content


def receive(link: socket, limit: int, clock: Clock | None = None, meanwhile: Meanwhile | None = None,
            only: bool = True) -> Frame:
    """Receive one frame of at most `limit` bytes; TimeoutError once the Clock is over.

    The Clock is one for the whole frame, however slowly it drips in. If it is the `only` frame, none may follow.
    """
    received = bytearray()
    while len(received) < HEAD.size:
        received += some_of(link, clock, meanwhile, PART if only else HEAD.size - len(received))
    number, text_length, rest_length = HEAD.unpack_from(received)
    middle = HEAD.size + text_length
    size = middle + rest_length
    if size > limit:
        raise Malformed(f"{size} bytes are more than the limit of {limit}")
    while len(received) < size:
        received += some_of(link, clock, meanwhile, min(size - len(received) + only, 2**20))
        if meanwhile:
            meanwhile[1]()                                     # because a fast sender never makes us wait
    if len(received) > size:
        raise Malformed("one call got more than one answer")
    return number, received[HEAD.size : middle], memoryview(received)[middle:]


def some_of(link: socket, clock: Clock | None, meanwhile: Meanwhile | None, most: int) -> bytes:
    """What can be read, or EOFError, or TimeoutError."""
    files, look_after = meanwhile or ([], None)
    while clock is not None:
        left = clock.look()
        if left <= 0:
            raise TimeoutError
        if link in select.select([link, *files], [], [], min(left, LOOK))[0]:
            break
        if look_after:
            look_after()
    part = link.recv(most)
    if not part:
        raise EOFError
    return part


def as_json(message: dict[str, Any], content: bytes = b"", number: int = 0) -> bytes:
    """The frame of an object, as JSON can hold it, and of the bytes that belong to it."""
    return frame(json.dumps(message).encode("ascii"), content, number)


def message_in(text: bytearray) -> dict[str, Any]:
    """The object in a frame, or Malformed."""
    if len(text) > LONGEST_TEXT:
        raise Malformed(f"{len(text)} bytes without arrays are more than the limit of {LONGEST_TEXT}")
    try:
        message = json.loads(text.decode())
    except (ValueError, RecursionError):
        message = None
    if type(message) is not dict:
        raise Malformed("it is not a valid answer")
    return message

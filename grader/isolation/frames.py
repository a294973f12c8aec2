"""How a question and its answer travel between the grader and a worker: lengths, JSON, then the bytes of arrays.

Whatever comes from a worker may be forged. So lengths are checked before anything is read, and nothing is ever
unpickled, evaluated or taken for a path.
"""
import json
import select
import struct
from functools import lru_cache
from itertools import accumulate, pairwise

from grader.calling.limits import LOOK

HEAD = struct.Struct("<III")              # the number of the question, the lengths of the JSON and of what follows it
PART = 2**15                              # bytes to make room for before the size is known
LONGEST_TEXT = 2**21                      # of JSON, which takes 25 times the memory when it is read
ONE_ARRAY = {"outcome": "returned", "value": {"array": 0}, "peak": None}      # what most answers are


class Malformed(Exception):
    """What came is not an answer."""


def frame(number, text, blobs=()):
    """A text and the bytes that belong to it; an answer bears the number of its question."""
    return b"".join([HEAD.pack(number, len(text), sum(map(len, blobs))), text, *blobs])


def receive(socket, limit, clock=None, meanwhile=None, only=True):
    """Receive one frame of at most `limit` bytes, as (number, text, rest); TimeoutError once the Clock is over.

    The Clock is one for the whole frame, however slowly it drips in. `meanwhile` is (files, function): the function
    is called whenever one of the files can be read, and every so often. If it is the `only` frame, none may follow.
    """
    content = bytearray()
    while len(content) < HEAD.size:
        content += some_of(socket, clock, meanwhile, PART if only else HEAD.size - len(content))
    number, text_length, rest_length = HEAD.unpack_from(content)
    middle = HEAD.size + text_length
    size = middle + rest_length
    if size > limit:
        raise Malformed(f"{size} bytes are more than the limit of {limit}")
    while len(content) < size:
        content += some_of(socket, clock, meanwhile, min(size - len(content) + only, 2**20))
        if meanwhile:
            meanwhile[1]()                                     # because a fast sender never makes us wait
    if len(content) > size:
        raise Malformed("one call got more than one answer")
    return number, content[HEAD.size : middle], memoryview(content)[middle:]


def some_of(socket, clock, meanwhile, most=PART):
    """What can be read, or EOFError, or TimeoutError."""
    if clock is not None:
        await_input(socket, clock, meanwhile)
    part = socket.recv(most)
    if not part:
        raise EOFError
    return part


def await_input(socket, clock, meanwhile):
    """Return when the socket can be read; until then, call the function of `meanwhile`."""
    files, function = meanwhile or ([], None)
    while True:
        left = clock.look()
        if left <= 0:
            raise TimeoutError
        if socket in select.select([socket, *files], [], [], min(left, LOOK))[0]:
            return
        if function:
            function()


def as_json(message, blobs=(), number=0):
    """The frame of an object, as JSON, and of the bytes that it refers to."""
    if message == ONE_ARRAY:
        return frame(number, text_of_one_array(len(blobs[0])), blobs)
    return frame(number, text_of(message, [len(b) for b in blobs]), blobs)


def text_of(message, lengths):
    return json.dumps(message | {"blobs": lengths}).encode("ascii")


@lru_cache(1000)
def text_of_one_array(length):
    return text_of(ONE_ARRAY, [length])


def send_json(socket, message):
    """Send an object as JSON can hold it."""
    socket.sendall(as_json(message))


def receive_json(socket, limit, clock=None, only=True):
    """Receive what `send_json` sends, as (object, blobs), or Malformed."""
    _, text, rest = receive(socket, limit, clock, only=only)
    return parsed(text, rest)


def parsed(text, rest):
    """The (object, blobs) of a frame, or Malformed."""
    if len(text) > LONGEST_TEXT:
        raise Malformed(f"{len(text)} bytes without arrays are more than the limit of {LONGEST_TEXT}")
    try:
        message = json.loads(text)
        lengths = message["blobs"]
        if not all(type(n) is int and n >= 0 for n in lengths) or sum(lengths) != len(rest):
            raise ValueError(lengths)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise Malformed("it is not a valid answer") from error
    ends = [0, *accumulate(lengths)]
    return message, [rest[a:b] for a, b in pairwise(ends)]

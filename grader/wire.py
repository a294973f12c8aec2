"""How a question and its answer travel between the grader and a worker: lengths, JSON, then arrays as .npy bytes.

Whatever comes from a worker may be forged. So lengths are checked before anything is read, headers before their
arrays, and nothing is ever unpickled, evaluated or taken for a path.
"""
import io
import json
import math
import re
import select
import struct
import time
from functools import lru_cache
from itertools import accumulate, pairwise

import numpy as np

from grader.answers import Foreign

HEAD = struct.Struct("<III")              # the number of the question, the lengths of the JSON and of what follows it
PART = 2**15                              # bytes to make room for before the size is known
DEPTH = 20                                # of tuples in tuples
TEXT = 4000                               # characters of a message or a string
LONGEST_TEXT = 2**21                      # of JSON, which takes 25 times the memory when it is read
LARGEST_AXIS = 2**31
LARGEST_EMPTY = 2**20                     # entries, if its axes of 0 were axes of 1
LARGEST_INT = 2**62
LARGEST_DICT = 1000
LONGEST_HEADER = 10_000
HEADER = re.compile(rb"\{'descr': '([<>|](?:b1|[iu][1248]|f(?:2|4|8|16)|c(?:8|16|32)))', "
                    rb"'fortran_order': (True|False), 'shape': \(((?: ?\d{1,19},)*(?: ?\d{1,19})?)\), \} *\n")
ONE_ARRAY = {"outcome": "returned", "value": {"array": 0}, "peak": None}      # what most answers are
SCALARS = {"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
           "float16", "float32", "float64"}


class Malformed(Exception):
    """What came is not an answer."""


# Frames

def frame(number, text, blobs=()):
    """A text and the bytes that belong to it; an answer bears the number of its question."""
    return b"".join([HEAD.pack(number, len(text), sum(map(len, blobs))), text, *blobs])


def frames(content, count):
    """[(text, rest)] of frames that stand one after the other, or Malformed."""
    found, start = [], 0
    for _ in range(count):
        if len(content) - start < HEAD.size:
            raise Malformed("there are fewer answers than questions")
        _, text_length, rest_length = HEAD.unpack_from(content, start)
        start += HEAD.size
        middle = start + text_length
        found.append((content[start:middle], content[middle : middle + rest_length]))
        start = middle + rest_length
    if start != len(content):
        raise Malformed("its stated length is wrong")
    return found


def receive(socket, limit, deadline=None, meanwhile=None):
    """Receive one frame of at most `limit` bytes, as (number, text, rest); TimeoutError once the deadline is over.

    The deadline is one for the whole frame, however slowly it drips in. `meanwhile` is (files, function): the function
    is called whenever one of the files can be read, and every so often.
    """
    content = some_of(socket, deadline, meanwhile)
    while len(content) < HEAD.size:
        content += some_of(socket, deadline, meanwhile)
    number, text_length, rest_length = HEAD.unpack_from(content)
    middle = HEAD.size + text_length
    size = middle + rest_length
    if size > limit:
        raise Malformed(f"{size} bytes are more than the limit of {limit}")
    if len(content) < size:
        parts = [content]
        missing = size - len(content)
        while missing > 0:
            parts.append(some_of(socket, deadline, meanwhile, min(missing + 1, 2**20)))
            missing -= len(parts[-1])
            if meanwhile:
                meanwhile[1]()                                 # because a fast sender never makes us wait
        content = b"".join(parts)
    if len(content) > size:
        raise Malformed("one call got more than one answer")
    return number, content[HEAD.size : middle], content[middle:]


def some_of(socket, deadline, meanwhile, most=PART):
    """What can be read, or EOFError, or TimeoutError."""
    if deadline is not None:
        await_input(socket, deadline, meanwhile)
    part = socket.recv(most)
    if not part:
        raise EOFError
    return part


def await_input(socket, deadline, meanwhile):
    """Return when the socket can be read; until then, call the function of `meanwhile`."""
    files, function = meanwhile or ([], None)
    while True:
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        if socket in select.select([socket, *files], [], [], min(left, 0.1) if function else left)[0]:
            return
        if function:
            function()


def as_json(message, blobs=()):
    """The frame of an object, as JSON, and of the bytes that it refers to."""
    if message == ONE_ARRAY:
        return frame(0, text_of_one_array(len(blobs[0])), blobs)
    return frame(0, text_of(message, [len(b) for b in blobs]), blobs)


def text_of(message, lengths):
    return json.dumps(message | {"blobs": lengths}).encode("ascii")


@lru_cache(1000)
def text_of_one_array(length):
    return text_of(ONE_ARRAY, [length])


def send_json(socket, message):
    """Send an object as JSON can hold it."""
    socket.sendall(as_json(message))


def receive_json(socket, limit, deadline=None, meanwhile=None):
    """Receive what `send_json` sends, as (object, blobs), or Malformed."""
    _, text, rest = receive(socket, limit, deadline, meanwhile)
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


# Values

def packed(value, blobs, depth=0):
    """A value as JSON can hold it; the bytes of arrays are appended to `blobs`."""
    if value is None or type(value) in (bool, str):
        return {"is": value}
    if type(value) is float or (type(value) is int and abs(value) < LARGEST_INT):
        return {"number": value}
    if isinstance(value, np.generic) and value.dtype.name in SCALARS:
        return {"scalar": [value.dtype.name, value.item()]}
    if type(value) in (int, complex) or isinstance(value, (np.ndarray, np.generic)):
        array = value if type(value) is np.ndarray else np.array(value)
        if array.dtype.kind not in "biufc":
            return {"foreign": f"{type(value).__name__} of {array.dtype}"}
        in_rows = array.flags.c_contiguous
        blobs.append(header(array.dtype, not in_rows, array.shape) + array.tobytes("C" if in_rows else "F"))
        return {"array": len(blobs) - 1}
    if type(value) in (tuple, list) and depth < DEPTH:
        return {type(value).__name__: [packed(v, blobs, depth + 1) for v in value]}
    if type(value) is dict and depth < DEPTH:
        return {"dict": [[packed(k, blobs, depth + 1), packed(v, blobs, depth + 1)] for k, v in value.items()]}
    return {"foreign": type(value).__name__}


@lru_cache(1000)
def header(dtype, fortran_order, shape):
    """What stands before the entries in a .npy file."""
    stream = io.BytesIO()
    fields = {"descr": np.dtype(dtype).str, "fortran_order": fortran_order, "shape": tuple(map(int, shape))}
    np.lib.format.write_array_header_1_0(stream, fields)
    return stream.getvalue()


def unpacked(packed_value, blobs, depth=0):
    """The value that `packed` was given, in plain types; Malformed if that cannot be."""
    try:
        (kind, content), = packed_value.items()
        if depth > DEPTH:
            raise Malformed("it is nested too deeply")
        if kind == "is" and (content is None or type(content) is bool or type(content) is str):
            return clean(content) if type(content) is str else content
        if kind == "number" and (type(content) is float or (type(content) is int and abs(content) < LARGEST_INT)):
            return content
        if kind == "scalar":
            name, number = content
            if name in SCALARS and type(number) in (int, float, bool):
                one = np.dtype(name).type(number)
                if one.item() == number or type(number) is float:
                    return one
        if kind == "array" and type(content) is int and content >= 0:
            return array_of(blobs[content])
        if kind in ("tuple", "list"):
            values = [unpacked(v, blobs, depth + 1) for v in content]
            return tuple(values) if kind == "tuple" else values
        if kind == "dict":
            if len(content) > LARGEST_DICT:        # keys that are made to collide take quadratic time
                raise Malformed("it contains a dict with too many keys")
            pairs = [(unpacked(k, blobs, depth + 1), unpacked(v, blobs, depth + 1)) for k, v in content]
            return dict(pairs)
        if kind == "foreign" and type(content) is str:
            return Foreign(clean(content)[:80])
    except (TypeError, AttributeError, ValueError, OverflowError, IndexError, KeyError) as error:
        raise Malformed("it contains an invalid value") from error
    raise Malformed("it contains a value of an unknown kind")


def array_of(blob):
    """The array that a .npy text of these bytes holds; its header is checked before its size is believed."""
    if blob[:8] != b"\x93NUMPY\x01\x00" or len(blob) < 10:
        raise Malformed("it contains an invalid array")
    start = 10 + int.from_bytes(blob[8:10], "little")
    if start > LONGEST_HEADER:
        raise Malformed("it contains an array that is not of numbers")
    shape, fortran_order, dtype = described(blob[:start])
    if math.prod(shape) * dtype.itemsize != len(blob) - start:
        raise Malformed("it contains an array with a wrong header")
    flat = np.frombuffer(blob, dtype, offset=start).copy()
    return flat.reshape(shape, order="F" if fortran_order else "C")


@lru_cache(1000)
def described(text):
    """(shape, fortran_order, dtype) that the header of a .npy text tells of; Malformed if no array can have it."""
    found = HEADER.fullmatch(text[10:])
    if found is None:
        raise Malformed("it contains an array that is not of numbers")
    shape, fortran_order = tuple(int(n) for n in re.findall(rb"\d+", found[3])), found[2] == b"True"
    dtype = np.dtype(found[1].decode("ascii"))
    if len(shape) > 32:
        raise Malformed("it contains an array that is not of numbers")
    if any(n >= LARGEST_AXIS for n in shape):
        raise Malformed("it contains an array of an impossible shape")
    if 0 in shape and math.prod(max(n, 1) for n in shape) > LARGEST_EMPTY:
        raise Malformed("it contains an empty array with too large a shape")
    return shape, fortran_order, dtype


def clean(text):
    """A text without lone surrogates, and not too long."""
    return text[:TEXT].encode("utf-8", "replace").decode("utf-8")

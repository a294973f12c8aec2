"""The values in an answer: packed by a worker as JSON and .npy bytes, unpacked by the grader into plain types.

Whatever comes from a worker may be forged. So the header of an array is checked before its size is believed.
"""
import io
import math
import re
from functools import lru_cache

import numpy as np

from grader.calling.answers import Foreign
from grader.isolation.frames import Malformed

DEPTH = 20                                # of tuples in tuples
TEXT = 4000                               # characters of a message or a string
LARGEST_AXIS = 2**31
LARGEST_EMPTY = 2**20                     # entries, if its axes of 0 were axes of 1
LARGEST_INT = 2**62
LARGEST_DICT = 1000
LONGEST_HEADER = 10_000
HEADER = re.compile(rb"\{'descr': '([<>|](?:b1|[iu][1248]|f(?:2|4|8|16)|c(?:8|16|32)))', "
                    rb"'fortran_order': (True|False), 'shape': \(((?: ?\d{1,19},)*(?: ?\d{1,19})?)\), \} *\n")
SCALARS = {"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
           "float16", "float32", "float64"}


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


def unpacked(packed_value, blobs):
    """The value that `packed` was given, in plain types; Malformed if that cannot be.

    It names each array once, in order. So copies of arrays never need more memory than the frame that they came in.
    """
    return unpacked_part(packed_value, enumerate(blobs), 0)


def unpacked_part(packed_value, arrays, depth):
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
        if kind == "array" and type(content) is int:
            number, blob = next(arrays, (None, None))
            if content != number:
                raise Malformed("it names an array twice, or not in order")
            return array_of(blob)
        if kind in ("tuple", "list"):
            values = [unpacked_part(v, arrays, depth + 1) for v in content]
            return tuple(values) if kind == "tuple" else values
        if kind == "dict":
            if len(content) > LARGEST_DICT:        # keys that are made to collide take quadratic time
                raise Malformed("it contains a dict with too many keys")
            return {unpacked_part(k, arrays, depth + 1): unpacked_part(v, arrays, depth + 1) for k, v in content}
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
    shape, fortran_order, dtype = described(bytes(blob[:start]))
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

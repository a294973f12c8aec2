"""Answers as frames: packed by a worker, unpacked by the grader into plain types.

JSON says of an array its dtype and shape; its bytes are in the frame, in the order of the arrays. So copies of arrays
never need more memory than the frame that they came in. Whatever comes from a worker may be forged.
"""
import math
from typing import Any

import numpy as np

from grader.calling.answers import Answer, Foreign
from grader.isolation.frames import Malformed

DEPTH = 20                                # of tuples in tuples
LONGEST_STRING = 4000                               # characters of a message or a string
LARGEST_AXIS = 2**31
LARGEST_EMPTY = 2**20                     # entries, if its axes of 0 were axes of 1
LARGEST_INT = 2**62
DTYPES = {np.dtype(kind).str for kind in "?bhilqBHILQefdgFDG"}


def packed_answer(answer: Answer) -> tuple[dict[str, Any], bytes]:
    """An Answer as JSON can hold it, and the bytes of its arrays."""
    parts: list[bytes] = []
    message: dict[str, Any] = {"outcome": answer.outcome}
    if answer.touched:
        message["touched"] = answer.touched
    if answer.peak is not None:
        message["peak"] = answer.peak
    if answer.returned:
        message["value"] = packed(answer.value, parts)
    if answer.outcome == "raised":
        message |= {"types": [name[:80] for name in answer.error_types[:10]],
                    "message": answer.message[:LONGEST_STRING], "line": answer.line, "caller": answer.caller}
    return message, b"".join(parts)


def unpacked_answer(message: dict[str, Any], content: memoryview, places: tuple[int | str, ...]) -> Answer:
    """The Answer to a call with arguments at these places; Malformed if it is none."""
    outcome, touched, peak = message.get("outcome"), message.get("touched"), message.get("peak")
    answer = Answer(str(outcome), touched=tuple(p for p in places if p in touched) if type(touched) is list else (),
                    peak=peak if type(peak) is int and peak >= 0 else None)
    if outcome == "returned":
        answer.value = unpacked(message.get("value"), content)
    elif outcome == "raised":
        types, text = message.get("types"), message.get("message")
        if type(types) is not list or not all(type(t) is str for t in types) or type(text) is not str:
            raise Malformed("it contains an invalid value")
        answer.error_types, answer.message = tuple(map(clean, types)) or ("Exception",), clean(text)
        answer.line, answer.caller = (n if type(n) is int and n > 0 else None
                                      for n in (message.get("line"), message.get("caller")))
    elif outcome not in ("todo", "missing"):
        raise Malformed("it has an unknown outcome")
    return answer


def packed(value: Any, parts: list[bytes], depth: int = 0) -> dict[str, Any]:
    """A value as JSON can hold it; the bytes of arrays are appended to `parts`."""
    if value is None or type(value) in (bool, str):
        return {"is": value}
    if type(value) is float or (type(value) is int and abs(value) < LARGEST_INT):
        return {"number": value}
    if type(value) in (int, complex) or isinstance(value, np.ndarray | np.generic):
        array = np.asarray(value)
        if array.dtype.str not in DTYPES:
            return {"foreign": f"{type(value).__name__} of {array.dtype}"}
        parts.append(array.tobytes())
        return {"array" if isinstance(value, np.ndarray) else "scalar": [array.dtype.str, array.shape]}
    if type(value) in (tuple, list) and depth < DEPTH:
        return {type(value).__name__: [packed(v, parts, depth + 1) for v in value]}
    return {"foreign": value.type_name if isinstance(value, Foreign) else type(value).__name__}


def unpacked(value: Any, content: memoryview | bytes) -> Any:
    """The value that `packed` was given, in plain types; Malformed if that cannot be."""
    arrays = Arrays(content)
    try:
        found = unpacked_part(value, arrays, 0)
    except (TypeError, AttributeError, ValueError, OverflowError) as error:
        raise Malformed("it contains an invalid value") from error
    if arrays.rest:
        raise Malformed("it contains bytes of no array")
    return found


def unpacked_part(value: Any, arrays: "Arrays", depth: int) -> Any:
    (kind, content), = value.items()
    if depth > DEPTH:
        raise Malformed("it is nested too deeply")
    if kind == "is" and (content is None or type(content) in (bool, str)):
        return clean(content) if type(content) is str else content
    if kind == "number" and (type(content) is float or (type(content) is int and abs(content) < LARGEST_INT)):
        return content
    if kind in ("array", "scalar"):
        array = arrays.next(*content)
        return array if kind == "array" else array[()]
    if kind in ("tuple", "list"):
        values = [unpacked_part(v, arrays, depth + 1) for v in content]
        return tuple(values) if kind == "tuple" else values
    if kind == "foreign" and type(content) is str:
        return Foreign(clean(content)[:80])
    raise Malformed("it contains a value of an unknown kind")


class Arrays:
    """The bytes of arrays that have not been read yet."""

    def __init__(self, content: memoryview | bytes) -> None:
        self.rest = memoryview(content)

    def next(self, name: str, shape: list[int]) -> np.ndarray:
        """The next array, if it can have this dtype and this shape."""
        if name not in DTYPES:
            raise Malformed("it contains an array that is not of numbers")
        if len(shape) > 32 or not all(type(n) is int and 0 <= n < LARGEST_AXIS for n in shape):
            raise Malformed("it contains an array of an impossible shape")
        if 0 in shape and math.prod(max(n, 1) for n in shape) > LARGEST_EMPTY:
            raise Malformed("it contains an empty array with too large a shape")
        length = math.prod(shape) * np.dtype(name).itemsize
        if length > len(self.rest):
            raise Malformed("it contains an array with too few bytes")
        part, self.rest = self.rest[:length], self.rest[length:]
        return np.frombuffer(part, name).reshape(shape).copy()


def clean(text: str) -> str:
    """A text without lone surrogates, and not too long."""
    return text[:LONGEST_STRING].encode("utf-8", "replace").decode("utf-8")

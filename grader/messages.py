"""Put a diagnosis into words: at most a screen, plain ASCII, the first two lines say what to do."""
import re
import textwrap

import numpy as np

from grader.advice import advice
from grader.compare import described
from grader.loading import source_line
from grader.picture import number, picture

WIDTH, HEIGHT = 80, 20
NAMED_AT_MOST = 2


def message(diagnosis, reference, file, task, readme):
    """The lines for one failed check, joined: the call, what is wrong with it, where it differs, what to reread."""
    call = diagnosis.call
    lines = wrapped(call_line(call, reference), "", "    ") if call else []
    for sentence in sentences(diagnosis, reference):
        lines += wrapped(sentence, "  ", "  ")
    tags = [m.name for m in named(diagnosis)] or ([diagnosis.pattern] if diagnosis.pattern else [])
    if tags or task:
        lines.append("  [" + ", ".join([*tags, *([f"task {task.number}"] if task else [])]) + "]")
    if diagnosis.kind in ("values", "nan"):
        picture_lines = picture(call.answer.value, diagnosis.wanted.value)
        lines += ["", *("  " + line for line in picture_lines)]
    elif call is not None and call.answer.line:
        lines += ["", f"  {source_line(file, call.answer.line)}"[:WIDTH]]
    lines = [printable(line) for line in lines[:HEIGHT]]
    if task:
        lines += ["", *wrapped(f"Reread task {task.number} in {readme}", "  ", "  ")]
    return "\n".join(lines)


def about_file(path, text):
    """The message for a file that cannot be asked anything: its path and what is wrong with it."""
    lines = [line for part in text.splitlines() for line in wrapped(printable(part.strip()), "  ", "    ")]
    return "\n".join([path, *lines])


def sentences(diagnosis, reference):
    """What is to be said, most telling first."""
    if diagnosis.mistakes:
        told = [m.sentence for m in named(diagnosis)]
        measured = [full_stop(diagnosis.detail)] if diagnosis.kind == "memory" else []
        return [told[0], *(f"Or: {t}" for t in told[1:]), *measured]
    detail, call = diagnosis.detail, diagnosis.call
    if diagnosis.kind == "claim" and detail.startswith("assert "):
        return [f"What the check's name says does not hold of it: {claim(detail)}."]
    if diagnosis.kind == "memory":
        return ["The result is right, but the way to it takes too much memory.", full_stop(detail)]
    if diagnosis.kind == "accepted":
        return [f"It returned {described(call.answer.value)}, but this input must be refused with a ValueError "
                f"such as: {detail}"]
    if diagnosis.kind == "wrong_error":
        return [f"It raised {call.answer.error_types[0]}: {call.answer.message}",
                f"This input must be refused with a ValueError such as: {detail}"]
    if diagnosis.kind == "raised":
        return [f"It raised {call.answer.error_types[0]}: {detail}", *filter(None, [advice(detail)])]
    if diagnosis.kind == "touched":
        arguments = list(reference.parameters(call.function))
        names = [arguments[place] if isinstance(place, int) else place for place in call.answer.touched]
        changed = " and ".join(f"`{name}`" for name in names)
        return [f"The result is right, but the call changed {changed}: write to a new array."]
    if diagnosis.kind == "width":
        return [f"The values are right, the dtype is not: {detail}."]
    if diagnosis.sentence:
        return [diagnosis.sentence, *([full_stop(detail)] if diagnosis.kind in ("shape", "dtype") else [])]
    if diagnosis.kind == "timeout":
        return [full_stop(detail), "Is there a loop that does not end?"]
    return [full_stop(detail)]


def named(diagnosis):
    """The mistakes to tell of: the first of each name, as related functions share names."""
    first = {}
    for mistake in diagnosis.mistakes:
        first.setdefault(mistake.name, mistake)
    return list(first.values())[:NAMED_AT_MOST]


def claim(text):
    """The comparison of a plain assert, with its numbers as they are and without pytest's account of them."""
    first = text.split("\n")[0].removeprefix("assert ")
    return re.sub(r"np\.\w+\(([^()]*)\)", r"\1", first)[:120]


def full_stop(text):
    """A capital letter in front and a full stop behind, where they are missing."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?")) else ".")


def call_line(call, reference):
    """The call as it would be typed; big arrays as dtype and shape."""
    bound = reference.bind(call.function, call.args, call.kwargs)
    if bound is None:
        bound = {**{f"argument {i}": a for i, a in enumerate(call.args)}, **call.kwargs}
    return f"{call.function}({', '.join(f'{n}={shown_value(v)}' for n, v in bound.items())})"


def shown_value(value):
    """A value as it would be typed, or what kind of array it is."""
    if not isinstance(value, np.ndarray):
        return repr(value)
    if value.ndim == 1 and value.size <= 6:
        return f"[{', '.join(number(v) for v in value)}]"
    return f"<{value.dtype} {'x'.join(map(str, value.shape))}>"


def wrapped(text, first, rest):
    """Lines no wider than a terminal of 80 columns."""
    return textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False) or [first]


def printable(text):
    """The text without control characters, with anything beyond ASCII escaped."""
    text = re.sub(r"[\x00-\x1f\x7f]", " ", text)
    return text.encode("ascii", "backslashreplace").decode("ascii")

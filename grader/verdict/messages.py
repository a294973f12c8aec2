"""Put a finding into words: at most a screen, plain ASCII, the first two lines say what to do."""
from __future__ import annotations

import re
from itertools import product
from typing import Any

import numpy as np

from grader.calling.answers import LearnerFile
from grader.calling.arguments import leaves
from grader.calling.kata_fixture import Call
from grader.calling.reference import Reference
from grader.course.compare import described
from grader.course.katas import Task
from grader.verdict.diagnosis import Finding
from grader.verdict.marked_line import marked_line
from grader.verdict.marks import picture
from grader.verdict.mistakes import Mistake
from grader.verdict.wrapping import HELD, Block, lines_of, printable, said

HEIGHT = 20                                   # lines of 80 columns
LONGEST_CODE = 70                             # characters of a line of code
IN_FULL = 40, 16, 4                           # entries of arrays shown in full: fewer if the message is too high
NAMED_AT_MOST = 2
BLANK = [""]

# Advice on the exceptions that are common in array code, in a sentence or two
WHAT_IS_THERE = "Where submissions are graded, only NumPy and Python's standard library are there."
AS_IN_THE_STUB = "Give the arguments the names, the order and the defaults that they have in the stub."
ADVICE = (
    (r"could not be broadcast together|could not broadcast input",
     "The shapes of two arrays do not fit. NumPy compares shapes from the last axis to the first and adds missing "
     "axes in front. Print both shapes. None makes a new axis where you need one, as in a[..., None]."),
    (r"mismatch in its core dimension|shapes .* not aligned",
     "In a matrix product, the last axis of the left array must be as long as the second to last axis of the right "
     "one. np.swapaxes(a, -1, -2) swaps the last two axes; a.T reverses all of them."),
    (r"is read-only",
     "Your code writes into an argument or into a view of one. Make a new array for the result."),
    (r"Cannot cast ufunc .* from dtype\('(float|complex)",
     "Your code writes fractions into an array of integers. Make it an array of floats."),
    (r"cannot reshape array of size",
     "The array and the new shape do not have the same number of entries."),
    (r"is out of bounds for axis",
     "An index is beyond the end of an axis. Print the index and the shape of the array before this line."),
    (r"only integer scalar arrays can be|arrays used as indices must be of integer|only integers, slices",
     "An index must be a whole number. / always returns a float; use // to get an int."),
    (r"truth value of an array",
     "`if` and `and` need a single True or False, but an array has many. Use .any() or .all(), or & and | for arrays."),
    (r"unexpected keyword argument|positional argument|required positional",
     AS_IN_THE_STUB),
    (r"^(ModuleNotFoundError: )?No module named", WHAT_IS_THERE),
    (r"EOF when reading a line|reading from stdin", "Nobody answers input() while your file is graded. Remove it."),
    (r"name '(get_ipython|display)' is not defined", "Only notebooks have this function. Remove the call."),
    (r"name '\w+' is not defined", "Your code uses a name that has no value. Is it spelled the same everywhere?"),
    (r"maximum recursion depth", "The function calls itself and never stops."),
    (r"'NoneType'",
     "A value is None. Is None the default of an argument or the value of a key, or does a helper function have no "
     "`return`?"),
    (r"list indices must be|list' object", "Your code uses a list where it needs an array. np.array(...) makes one."),
)


def message(finding: Finding, reference: Reference, submission: LearnerFile, task: Task | None,
            readme: str) -> list[Block]:
    """The blocks for one failed check: the call, what is wrong with it, where it differs, what to reread."""
    failure, call = finding.failure, finding.failure.call
    told = explanation(finding, reference, task)
    marked = marked_line(submission, finding.parting, " ".join(text for text, *_ in told)) if finding.parting else []
    ends: list[list[Block]] = [[]]                # what may follow the explanation; the first that fits does
    if failure.kind in ("values", "nan") and not failure.chance:
        drawn = ["  " + printable(line) for line in picture(call.answer.value, failure.wanted.value)]
        which = drawn[:1] if isinstance(failure.wanted.value, tuple) else []          # of several results
        ends = [[["\n".join(["", *lines])]] for lines in (drawn, which + drawn[-1:])]
    elif call is not None and call.answer.line:
        code = [submission.line(call.answer.line)]
        if call.answer.caller not in (None, call.answer.line):
            code.append(f"called by {submission.line(call.answer.caller)}")
        ends = [[BLANK, *(said(printable(shortened(line)), "  ", "    ") for line in code)]]
    for most, end in product(IN_FULL, ends):
        start = [BLANK, said(printable(call_line(call, reference, most)), "", "    ")] if call else []
        blocks = [*told, *marked, *start, *end]
        if len(lines_of(blocks)) <= HEIGHT:
            break
    blocks = no_higher(blocks, HEIGHT)
    if task:
        blocks += [BLANK, said(f"Reread task {task.number} in {printable(readme)}")]
    return blocks


def no_higher(blocks: list[Block], height: int) -> list[Block]:
    """The blocks that fit into so many lines; the last is cut where it has to be."""
    kept = []
    for block in blocks:
        text, *indentation = block
        lines = lines_of([block])[:height]
        kept.append([" ".join(map(str.strip, lines)) if indentation else text, *indentation])
        height -= len(lines)
        if height == 0:
            break
    return kept


def shortened(code: str) -> str:
    """A line of code without its comment, short enough for a line of the message."""
    code = re.split(r" +# ", code)[0]
    return code if len(code) <= LONGEST_CODE else f"{code[:LONGEST_CODE - 3]}..."


def explanation(finding: Finding, reference: Reference, task: Task | None) -> list[Block]:
    """The blocks that say what is wrong, and the tags of the mistake and the task."""
    tags = [m.name for m in mentioned(finding)] or ([finding.pattern] if finding.pattern else [])
    tags += [f"task {task.number}"] if task else []
    texts = [*sentences(finding, reference), *([f"[{', '.join(tags)}]"] if tags else [])]
    return [said(printable(text)) for text in texts]


def about_file(path: str, text: str) -> list[Block]:
    """The message for a file whose functions cannot be called: its path and what is wrong with it."""
    lines = [*text.splitlines(), *filter(None, [advice(text)])]
    faults = [said(printable(line.strip()), "  ", "    ") for line in lines]
    return [said(path.replace(" ", HELD), "", ""), *faults]


def sentences(finding: Finding, reference: Reference) -> list[str]:
    """The sentences of a message, the most helpful first."""
    failure, call = finding.failure, finding.failure.call
    kind, detail = failure.kind, failure.detail
    if finding.mistakes:
        told = [m.sentence for m in mentioned(finding)]
        measured = [full_stop(detail)] if kind == "memory" else []
        return [*([f"Either: {told[0]}", f"Or: {told[1]}"] if len(told) > 1 else told), *measured]
    if kind == "claim" and "\nassert " in detail:
        return [detail.partition("\nassert ")[0]]                # the sentence that the suite gives
    if kind == "claim" and detail.startswith("assert "):
        line = failure.asserted.partition("#")[0].strip()
        asserted = [f"The check says: {line}"] if line.startswith("assert ") else []
        return [*asserted, f"This should be true, but it is false: {claim(detail)}."]
    if failure.chance:
        return ["The numbers are not drawn as the task says."]
    if kind == "memory":
        return ["The result is right, but computing it takes too much memory.", full_stop(detail)]
    if kind == "accepted":
        return [f"It returned {described(call.answer.value)}. Raise a ValueError for this input instead, "
                f"for example with the text: {detail}"]
    if kind == "wrong_error":
        return [f"It raised {call.answer.error_types[0]}: {call.answer.message}",
                f"Raise a ValueError for this input, for example with the text: {detail}"]
    if kind == "raised":
        return [f"It raised {call.answer.error_types[0]}" + (f": {detail}" if detail else "."),
                *filter(None, [advice(detail, call.function)])]
    if kind == "touched":
        arguments = list(reference.parameters(call.function))
        names = [arguments[place] if isinstance(place, int) else place for place in call.answer.touched]
        changed = " and ".join(f"`{name}`" for name in names)
        outcome = "result is right" if call.answer.returned else "input is refused"
        given = reference.bind(call.function, call.args, call.kwargs) or {}
        instead = "Change a copy" if any(isinstance(given.get(n), dict) for n in names) else "Write to a new array"
        return [f"The {outcome}, but the call changed {changed}. {instead}."]
    if kind == "width":
        why = "float64" in call.answer.width and (
            "An array of float64 widens float32, and so does a NumPy number such as np.sqrt(d) or np.float64(2). "
            "A Python number does not: use d ** 0.5 or float(...), and convert arrays to the dtype of the argument.")
        return [f"The values are right, but the dtype is wrong: {detail}.", *([why] if why else [])]
    if finding.sentence:
        return [finding.sentence, *([full_stop(detail)] if kind in ("shape", "dtype") else [])]
    if finding.parting:
        return [f"{full_stop(detail)} The expression marked below has a value that our right answers do not have. Look "
                "at it and at what goes into it."]
    if kind == "timeout":
        return [full_stop(detail), "Does your code have an endless loop?"]
    return [full_stop(detail)]


def advice(message: str, function: str | None = None) -> str | None:
    """The sentence for an exception's text, or None; `function` is the one that was asked."""
    sentence = next((sentence for expression, sentence in ADVICE if re.search(expression, message)), None)
    if sentence == AS_IN_THE_STUB and not (function and message.startswith(f"{function}() ")):
        return None                       # it is about a function of NumPy or of the learner's own
    return sentence


def mentioned(finding: Finding) -> list[Mistake]:
    """The mistakes to mention, one for each name: mistakes in related functions share names."""
    first: dict[str, Mistake] = {}
    for mistake in finding.mistakes:
        first.setdefault(mistake.name, mistake)
    return list(first.values())[:NAMED_AT_MOST]


def claim(text: str) -> str:
    """The comparison in a plain assert with short numbers, without NumPy's type names and pytest's explanation."""
    first = re.sub(r"np\.\w+\(([^()]*)\)", r"\1", text.split("\n")[0].removeprefix("assert "))
    return re.sub(r"\d\.\d{7,}(e[+-]?\d+)?", lambda number: f"{float(number[0]):.6g}", first)[:120]


def full_stop(text: str) -> str:
    """The text as a sentence, with a capital letter and a full stop."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?")) else ".")


def call_line(call: Call, reference: Reference, most: int) -> str:
    """The call as a learner would type it; arrays with more than `most` entries as dtype and shape."""
    bound = reference.bind(call.function, call.args, call.kwargs)
    if bound is None:
        bound = {**{f"argument {i}": a for i, a in enumerate(call.args)}, **call.kwargs}
    return f"{call.function}({', '.join(f'{n}={typed(v, most)}' for n, v in bound.items())})"


def typed(value: Any, most: int) -> str:
    """A value as a learner would type it; an array with more than `most` entries as dtype and shape."""
    if isinstance(value, dict):
        arrays = [part for part in leaves(value) if isinstance(part, np.ndarray)]
        if sum(array.size for array in arrays) > most:
            return f"<dict of {len(arrays)} arrays>"
        return f"{{{', '.join(f'{key!r}: {typed(part, most)}' for key, part in value.items())}}}"
    if not isinstance(value, np.ndarray):
        return repr(value)
    if value.size > most or value.dtype.kind not in "biuf":
        return f"<{value.dtype} {'x'.join(map(str, value.shape))}>"
    entries = [f"{v:.6g}" for v in value.flat] if value.dtype.kind == "f" else []
    if len(set(entries)) == len(np.unique(value)):       # six digits tell the entries apart
        value = np.array(entries, dtype=value.dtype).reshape(value.shape)
    text = re.sub(r"\b(inf|nan)\b", r"np.\1", repr(value.tolist()))
    return f"np.array({text}{'' if value.dtype in (bool, int, float) else f', np.{value.dtype}'})"

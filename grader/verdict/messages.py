"""Put a diagnosis into words: at most a screen, plain ASCII, the first two lines say what to do."""
import re
from dataclasses import replace
from itertools import product

import numpy as np

from grader.course.compare import described
from grader.verdict.exception_advice import advice
from grader.verdict.marked_line import marked_line
from grader.verdict.marks import picture
from grader.verdict.mistakes import Mistake
from grader.verdict.wrapping import HELD, Block, lines_of, printable

HEIGHT = 20                                   # lines of 80 columns
LONGEST_CODE = 70                             # characters of a line of code
IN_FULL = 40, 16, 4                           # entries of arrays shown in full: fewer if the message is too high
NAMED_AT_MOST = 2
BLANK = Block("", drawing=True)


def message(diagnosis, reference, submission, task, readme, name_it=True):
    """The blocks for one failed check: the call, what is wrong with it, where it differs, what to reread."""
    call = diagnosis.call
    told = explanation(diagnosis if name_it else unnamed(diagnosis), reference, task)
    said = " ".join(block.text for block in told)
    marked = marked_line(submission, diagnosis.parting, said) if diagnosis.parting and name_it else []
    ends: list[list[Block]] = [[]]                # what may follow the explanation; the first that fits does
    if diagnosis.kind in ("values", "nan") and not diagnosis.chance:
        drawn = ["  " + printable(line) for line in picture(call.answer.value, diagnosis.wanted.value)]
        which = drawn[:1] if isinstance(diagnosis.wanted.value, tuple) else []        # of several results
        ends = [[Block("\n".join(["", *lines]), drawing=True)] for lines in (drawn, which + drawn[-1:])]
    elif call is not None and call.answer.line:
        code = [submission.line(call.answer.line)]
        if call.answer.caller not in (None, call.answer.line):
            code.append(f"called by {submission.line(call.answer.caller)}")
        ends = [[BLANK, *(Block(printable(shortened(line)), "  ", "    ") for line in code)]]
    for most, end in product(IN_FULL, ends):
        start = [BLANK, Block(printable(call_line(call, reference, most)), "", "    ")] if call else []
        blocks = [*told, *marked, *start, *end]
        if len(lines_of(blocks)) <= HEIGHT:
            break
    blocks = no_higher(blocks, HEIGHT)
    if task:
        blocks += [BLANK, Block(f"Reread task {task.number} in {printable(readme)}")]
    return blocks


def no_higher(blocks, height):
    """The blocks that fit into so many lines; the last is cut where it has to be."""
    kept = []
    for block in blocks:
        lines = lines_of([block])[:height]
        kept.append(block if block.drawing else replace(block, text=" ".join(map(str.strip, lines))))
        height -= len(lines)
        if height == 0:
            break
    return kept


def shortened(code):
    """A line of code without its comment, short enough for a line of the message."""
    code = re.split(r" +# ", code)[0]
    return code if len(code) <= LONGEST_CODE else f"{code[:LONGEST_CODE - 3]}..."


def explanation(diagnosis, reference, task):
    """The blocks that say what is wrong, and the tags of the mistake and the task."""
    tags = [m.name for m in named(diagnosis)] or ([diagnosis.pattern] if diagnosis.pattern else [])
    tags += [f"task {task.number}"] if task else []
    texts = [*sentences(diagnosis, reference), *([f"[{', '.join(tags)}]"] if tags else [])]
    return [Block(printable(text)) for text in texts]


def unnamed(diagnosis):
    """The diagnosis without the name of the mistake and without what the numbers give away."""
    return replace(diagnosis, mistakes=(), pattern=None, sentence="")


def about_file(path, text):
    """The message for a file whose functions cannot be called: its path and what is wrong with it."""
    lines = [*text.splitlines(), *filter(None, [advice(text)])]
    faults = [Block(printable(line.strip()), "  ", "    ") for line in lines]
    return [Block(path.replace(" ", HELD), "", ""), *faults]


def sentences(diagnosis, reference):
    """The sentences of a message, the most helpful first."""
    if diagnosis.mistakes:
        told = [m.sentence for m in named(diagnosis)]
        measured = [full_stop(diagnosis.detail)] if diagnosis.kind == "memory" else []
        return [*([f"Either: {told[0]}", f"Or: {told[1]}"] if len(told) > 1 else told), *measured]
    detail, call = diagnosis.detail, diagnosis.call
    if diagnosis.kind == "claim" and "\nassert " in detail:
        return [detail.partition("\nassert ")[0]]                # the sentence that the suite gives
    if diagnosis.kind == "claim" and detail.startswith("assert "):
        line = diagnosis.sentence.partition("#")[0].strip()
        asserted = [f"The check says: {line}"] if line.startswith("assert ") else []
        return [*asserted, f"This should be true, but it is false: {claim(detail)}."]
    if diagnosis.chance:
        return ["The numbers are not drawn as the task says."]
    if diagnosis.kind == "memory":
        return ["The result is right, but computing it takes too much memory.", full_stop(detail)]
    if diagnosis.kind == "accepted":
        return [f"It returned {described(call.answer.value)}. Raise a ValueError for this input instead, "
                f"for example with the text: {detail}"]
    if diagnosis.kind == "wrong_error":
        return [f"It raised {call.answer.error_types[0]}: {call.answer.message}",
                f"Raise a ValueError for this input, for example with the text: {detail}"]
    if diagnosis.kind == "raised":
        return [f"It raised {call.answer.error_types[0]}" + (f": {detail}" if detail else "."),
                *filter(None, [advice(detail, call.function)])]
    if diagnosis.kind == "touched":
        arguments = list(reference.parameters(call.function))
        names = [arguments[place] if isinstance(place, int) else place for place in call.answer.touched]
        changed = " and ".join(f"`{name}`" for name in names)
        outcome = "result is right" if call.answer.returned else "input is refused"
        return [f"The {outcome}, but the call changed {changed}. Write to a new array."]
    if diagnosis.kind == "width":
        why = "float64" in call.answer.width and (
            "An array of float64 widens float32, and so does a NumPy number such as np.sqrt(d) or np.float64(2). "
            "A Python number does not: use d ** 0.5 or float(...), and convert arrays to the dtype of the argument.")
        return [f"The values are right, but the dtype is wrong: {detail}.", *([why] if why else [])]
    if diagnosis.sentence:
        return [diagnosis.sentence, *([full_stop(detail)] if diagnosis.kind in ("shape", "dtype") else [])]
    if diagnosis.parting:
        return [f"{full_stop(detail)} The expression marked below has a value that our right answers do not have. Look "
                "at it and at what goes into it."]
    if diagnosis.kind == "timeout":
        return [full_stop(detail), "Does your code have an endless loop?"]
    return [full_stop(detail)]


def named(diagnosis):
    """The mistakes to mention, one for each name: mistakes in related functions share names."""
    first: dict[str, Mistake] = {}
    for mistake in diagnosis.mistakes:
        first.setdefault(mistake.name, mistake)
    return list(first.values())[:NAMED_AT_MOST]


def claim(text):
    """The comparison in a plain assert with short numbers, without NumPy's type names and pytest's explanation."""
    first = re.sub(r"np\.\w+\(([^()]*)\)", r"\1", text.split("\n")[0].removeprefix("assert "))
    return re.sub(r"\d\.\d{7,}(e[+-]?\d+)?", lambda number: f"{float(number[0]):.6g}", first)[:120]


def full_stop(text):
    """The text as a sentence, with a capital letter and a full stop."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?")) else ".")


def call_line(call, reference, most):
    """The call as a learner would type it; arrays with more than `most` entries as dtype and shape."""
    bound = reference.bind(call.function, call.args, call.kwargs)
    if bound is None:
        bound = {**{f"argument {i}": a for i, a in enumerate(call.args)}, **call.kwargs}
    return f"{call.function}({', '.join(f'{n}={typed(v, most)}' for n, v in bound.items())})"


def typed(value, most):
    """A value as a learner would type it; an array with more than `most` entries as dtype and shape."""
    if not isinstance(value, np.ndarray):
        return repr(value)
    if value.size > most or value.dtype.kind not in "biuf":
        return f"<{value.dtype} {'x'.join(map(str, value.shape))}>"
    entries = [f"{v:.6g}" for v in value.flat] if value.dtype.kind == "f" else []
    if len(set(entries)) == len(np.unique(value)):       # six digits tell the entries apart
        value = np.array(entries, dtype=value.dtype).reshape(value.shape)
    text = re.sub(r"\b(inf|nan)\b", r"np.\1", repr(value.tolist()))
    return f"np.array({text}{'' if value.dtype in (bool, int, float) else f', np.{value.dtype}'})"

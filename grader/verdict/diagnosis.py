"""Why a check failed: which call went wrong, and what is known about this kind of error."""
from dataclasses import dataclass

from grader.calling.answers import Answer
from grader.calling.kata_fixture import ArgumentChanged, Call, NoValue
from grader.calling.reference import reference_of
from grader.course.compare import fault, several
from grader.course.expect import MemoryExceeded, WrongPrecision
from grader.verdict.array_patterns import pattern
from grader.verdict.known_mistakes import Namer, agree

STRICT = {WrongPrecision: "width", ArgumentChanged: "touched"}     # kinds of failure with the right values


@dataclass
class Diagnosis:
    """What is known about a failed check; grader/verdict/messages.py puts it into words."""

    call: Call | None = None
    wanted: Answer | None = None
    kind: str = ""                    # how the answer differs: type, shape, dtype, values, accepted, raised, ...
    detail: str = ""
    mistakes: tuple = ()              # known mistakes that give exactly this answer
    pattern: str | None = None
    sentence: str = ""                # what the pattern says

    @property
    def mistake(self):
        """The name for the report."""
        return self.mistakes[0].name if self.mistakes else None


class Diagnostician:
    """Compares one submission of one kata with the reference and the known mistakes."""

    def __init__(self, kata, submission):
        self.reference = reference_of(kata.solution)
        self.namer = Namer(kata, submission, self.reference)

    def remember(self, calls):
        """Keep the calls of a check, right or wrong: a mistake should fit them too."""
        self.namer.remember(calls)

    def diagnose(self, calls, failure):
        """Explain the failure of a check: the call without a result that ended it, or the first with a wrong one."""
        for call in calls[-1:] if isinstance(failure, NoValue) else calls:
            wanted = self.reference.ask(call.function, call.args, call.kwargs)
            kind, detail = differs(call.answer, wanted)
            if kind:
                found = self.explain(call, wanted, kind, detail)
                if found.mistakes or kind not in ("values", "nan") or not self.left_to_chance(call, wanted):
                    return found
        call = calls[-1] if calls else None
        if isinstance(failure, MemoryExceeded):
            return Diagnosis(call, None, "memory", str(failure), self.namer.with_the_same_peak(call))
        if type(failure) in STRICT:
            return self.explain(call, wanted, STRICT[type(failure)], str(failure))
        return Diagnosis(call, None, "claim", str(failure))

    def explain(self, call, wanted, kind, detail):
        """Fill in what is known about one call that differs from the reference."""
        found = Diagnosis(call, wanted, kind, detail)
        if call.answer.outcome not in ("returned", "raised"):
            return found
        found.mistakes = self.namer.name(call, wanted, kind in STRICT.values())
        if kind in ("type", "shape", "dtype", "nan", "values"):
            told = pattern(*first_wrong(call.answer.value, wanted.value))
            if told:
                found.pattern, found.sentence = told
        elif kind == "width":
            found.pattern = ", ".join(dict.fromkeys(call.answer.width.split(", ")))
        return found

    def left_to_chance(self, call, wanted):
        """Whether the right answer depends on a seed, so that other numbers may be as right."""
        bound = self.reference.bind(call.function, call.args, call.kwargs)
        if "seed" not in self.reference.parameters(call.function):
            return False
        return not agree(self.reference.ask(call.function, (), bound | {"seed": 987_654_321}), wanted, strict=False)

    def name_again(self, found):
        """Name the mistakes of these diagnoses again, now that all of them are known; return those that changed."""
        named = [one for one in found if one.mistakes and one.wanted]
        names = self.namer.most_telling([(one.call, one.wanted, one.kind in STRICT.values()) for one in named])
        changed = []
        for one, mistakes in zip(named, names, strict=True):
            if mistakes and mistakes[0] is not one.mistakes[0]:
                one.mistakes = mistakes
                changed.append(one)
        return changed


def differs(answer, wanted):
    """(kind, detail) of how an answer differs from the wanted one, or (None, "")."""
    if answer.outcome != "returned" and answer.outcome != "raised":
        return answer.outcome, answer.message
    if wanted.refused:
        if answer.returned:
            return "accepted", wanted.message
        if not answer.refused:
            return "wrong_error", wanted.message
        return None, ""
    if not answer.returned:
        return "raised", answer.message
    return fault(answer.value, wanted.value) or (None, "")


def first_wrong(actual, wanted):
    """Two results, or of several results the first that is wrong."""
    if isinstance(wanted, tuple) and isinstance(actual := several(actual), tuple | list) and len(actual) == len(wanted):
        return next(((a, w) for a, w in zip(actual, wanted, strict=True) if fault(a, w)), (actual, wanted))
    return actual, wanted

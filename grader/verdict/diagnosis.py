"""Why a check failed: which call went wrong, and what is known about this kind of error."""
import traceback
from dataclasses import dataclass, replace

from grader.calling.answers import Answer
from grader.calling.kata_fixture import ArgumentChanged, Call, NoValue
from grader.calling.reference import reference_of
from grader.course.compare import fault, same
from grader.course.expect import MemoryExceeded, WrongPrecision
from grader.verdict.array_patterns import PRECISION, RELATIONS, pattern
from grader.verdict.known_mistakes import Namer, agree
from grader.verdict.right_ways import VOTES, VOTES_FOR_KNOWN, KeepsSomething, is_small, located
from grader.verdict.steps import Parting

VARYING = "varying", "Two equal calls give different results. Your code depends on an earlier call or on chance."
KEPT = "kept", ("This call is right if it is the first one. Your function keeps something between calls, for example "
                "in a global variable or in a list that is the default of an argument.")
STRICT = {WrongPrecision: "width", ArgumentChanged: "touched"}     # kinds of failure with the right values


@dataclass(eq=False)
class Diagnosis:
    """What is known about a failed check; grader/verdict/messages.py puts it into words."""

    call: Call | None = None
    wanted: Answer | None = None
    kind: str = ""                    # how the answer differs: type, shape, dtype, values, accepted, raised, ...
    detail: str = ""
    mistakes: tuple = ()              # known mistakes that give exactly this answer
    pattern: str | None = None
    sentence: str = ""                # what the pattern says, or the line of the suite that is false
    calls: tuple = ()                 # all calls of the check that were answered
    similar: list | None = None       # what `Namer.second_calls` has asked
    seen: tuple | None = None         # what `pattern` has found
    chance: bool = False              # other numbers would be as right, with another generator
    parting: Parting | None = None    # where the learner's steps part from right ones

    @property
    def mistake(self):
        """The name for the report."""
        return self.mistakes[0].name if self.mistakes else None

    @property
    def mistake_of(self):
        """The function that has this mistake: this one, or one that it calls."""
        return self.mistakes[0].replaces if self.mistakes else None

    @property
    def line(self):
        """The learner's line where it goes wrong, as far as that is known."""
        return self.parting.place[0] if self.parting else self.call and self.call.answer.line

    @property
    def strict(self):
        """Whether the values are right, and only the dtype or an argument is not."""
        return self.kind in STRICT.values()


class Diagnostician:
    """Compares one submission of one kata with the reference and the known mistakes."""

    def __init__(self, kata, submission):
        self.reference = reference_of(kata.solution)
        self.namer = Namer(kata, submission, self.reference)
        self.first = {}                       # function -> known mistakes that explain the first failure of it

    def remember(self, calls):
        """Keep the calls of a check that passed: a mistake should fit them too."""
        self.namer.remember(calls)

    def diagnose(self, calls, failure):
        """Explain the failure of a check: the call without a result that ended it, or the first with a wrong one."""
        calls = [replace(call, answer=self.namer.judged(call.answer, call)) for call in calls]
        for call in calls[-1:] if isinstance(failure, NoValue) else calls:
            wanted = self.reference.ask(call.function, call.args, call.kwargs)
            kind, detail = differs(call.answer, wanted)
            chance = kind in ("values", "nan") and self.left_to_chance(call, wanted)
            if kind and (not chance or self.namer.knows(call, wanted)):
                found = self.wrong_call(call, wanted, kind, detail, calls)
                found.chance = chance
                return found
        call = calls[-1] if calls else None
        if isinstance(failure, MemoryExceeded):
            return Diagnosis(call, None, "memory", str(failure), self.namer.with_the_same_peak(call))
        if type(failure) in STRICT:
            return self.wrong_call(call, wanted, STRICT[type(failure)], str(failure), calls)
        lines = [frame.line or "" for frame in traceback.extract_tb(failure.__traceback__)]
        asserted = lines[-1] if lines and lines[-1].startswith("assert ") else ""
        return Diagnosis(call, None, "claim", str(failure), sentence=asserted)

    def wrong_call(self, call, wanted, kind, detail, calls):
        """The diagnosis of one call of a check that differs from the reference."""
        found = Diagnosis(call, wanted, kind, detail)
        if call.answer.outcome in ("returned", "raised"):
            found.calls = self.namer.kept(calls)
        if kind == "width":
            found.pattern = ", ".join(dict.fromkeys(call.answer.width.split(", ")))
        if found.calls:
            if call.function not in self.first:
                self.first[call.function] = tuple(self.namer.known(self.namer.mistakes(call.function), [found]))
            self.tell(found, tuple(m for m in self.first[call.function] if self.namer.explains(m, found)))
            found.similar = None              # large, and needed again for one failure of each function only
        return found

    def tell(self, case, chosen):
        """Fill in what a wrong call means: known mistakes or a pattern."""
        case.mistakes = tuple(chosen)
        if case.mistakes or case.kind not in ("type", "shape", "dtype", "nan", "values"):
            return
        if case.seen is None:
            case.seen = pattern(case.call.answer.value, case.wanted.value) or ()
        if case.seen:
            case.pattern, case.sentence = case.seen

    def left_to_chance(self, call, wanted):
        """Whether the right answer depends on a seed, so that other numbers may be as right."""
        bound = self.reference.bind(call.function, call.args, call.kwargs)
        if "seed" not in self.reference.parameters(call.function):
            return False
        return not agree(self.reference.ask(call.function, (), bound | {"seed": 987_654_321}), wanted, strict=False)

    def name(self, found):
        """Explain these diagnoses, now that all of them are known: a known mistake, a pattern, a marked expression."""
        for function in {one.call.function: 0 for one in found if one.calls}:
            cases = [one for one in found if one.calls and one.call.function == function]
            for case, chosen in zip(cases, self.namer.name(cases), strict=True):
                self.tell(case, chosen)
            drop_coincidences([case for case in cases if case.kind == "values" and not case.mistakes])
            if not cases[0].mistakes and cases[0].kind == "values" and self.namer.varies(cases[0].call):
                cases[0].pattern, cases[0].sentence = VARYING
            else:
                self.locate(function, cases, found)
            for name in ("scaled", "off_by_constant"):
                told = [case for case in cases if case.pattern == name]
                if len({case.sentence for case in told}) > 1:
                    for case in told:
                        case.sentence += " In other calls, the number differs."

    def locate(self, function, cases, all_cases):
        """Find the expression where the learner's function goes wrong, for all failures of it."""
        calls = [call for case in cases if not case.strict for call in (case.call, *case.calls)]
        wrong = {}
        for call in (call for call in calls if call.function == function):
            wanted = self.reference.ask(function, call.args, call.kwargs)
            small = is_small((*call.args, *call.kwargs.values()))
            if small and wanted.returned and differs(call.answer, wanted)[0] and not self.left_to_chance(call, wanted):
                parts = wrong_parts(call.answer.value, wanted.value)
                wrong[id(call)] = call.args, call.kwargs, parts, wanted.value
        try:
            votes = VOTES_FOR_KNOWN if cases[0].mistakes else VOTES
            places = located(self.namer.kata, self.namer.submission, function, list(wrong.values()), votes)
        except KeepsSomething:
            if not cases[0].mistakes and cases[0].kind == "values":
                cases[0].pattern, cases[0].sentence = KEPT
            return
        if not places or places[0] is None:
            return
        found = dict(zip(wrong, places, strict=True))
        failing = {other.call.function for other in all_cases if other.call}
        for case in cases:
            one = found.get(id(case.call)) or replace(places[0], value=None, needed=None)
            if not case.strict and not (case.kind == "raised" and one.place[0] == case.call.answer.line):
                case.parting = replace(one, is_wrong=one.calls in failing)


def wrong_parts(value, wanted):
    """Which of several results are wrong; None if there is one result, or another number of them."""
    several = isinstance(wanted, tuple) and isinstance(value, tuple | list) and len(value) == len(wanted)
    return [not same(a, w) for a, w in zip(value, wanted, strict=True)] if several else None


def drop_coincidences(cases):
    """Take back what a pattern says if it fits fewer than half of the wrong results of a function."""
    kinds = [PRECISION if case.pattern in PRECISION else case.pattern for case in cases]
    for case, kind in zip(cases, kinds, strict=True):
        if case.pattern in RELATIONS and 2 * kinds.count(kind) < len(cases):
            case.pattern, case.sentence = None, ""


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

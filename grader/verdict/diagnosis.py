"""Why checks failed: which call of each went wrong, and what all failures of a kata mean together."""
from __future__ import annotations

import contextlib
import io
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from grader.calling.answers import Answer, LearnerFile
from grader.calling.kata_fixture import ArgumentChanged, Call, NoValue
from grader.calling.reference import reference_of
from grader.course.compare import fault, same
from grader.course.expect import MemoryExceeded, WrongPrecision
from grader.course.katas import Kata
from grader.verdict.array_patterns import PRECISION, RELATIONS, pattern
from grader.verdict.known_mistakes import Namer, same_answer
from grader.verdict.mistakes import Mistake
from grader.verdict.right_ways import VOTES, VOTES_FOR_KNOWN, KeepsSomething, WrongCall, is_small, located
from grader.verdict.steps import Parting

VARYING = "varying", "Two equal calls give different results. Your code depends on an earlier call or on chance."
KEPT = "kept", ("This call is right if it is the first one. Your function keeps something between calls, for example "
                "in a global variable or in a list that is the default of an argument.")
STRICT: dict[type, str] = {WrongPrecision: "width", ArgumentChanged: "touched"}     # the values are right
COMPARED = ("type", "shape", "dtype", "nan", "values")             # kinds of failure in which a result is wrong


@dataclass(frozen=True, eq=False)
class Failure:
    """What a failed check has found out."""

    call: Any = None                  # the Call that went wrong, or the last; None if there was none
    wanted: Any = None                # the right Answer
    kind: str = ""                    # how the answer differs: one of COMPARED, accepted, raised, ...
    detail: str = ""
    calls: tuple[Call, ...] = ()      # all calls of the check that were answered
    asserted: str = ""                # the line of the suite that is false
    chance: bool = False              # other numbers would be as right, with another generator
    as_large: tuple[Mistake, ...] = ()      # known mistakes that need about as much memory

    @property
    def strict(self) -> bool:
        """Whether the values are right, and only the dtype or an argument is not."""
        return self.kind in STRICT.values()

    @cached_property
    def pattern(self) -> tuple[str | None, str]:
        """The name of the relation between the wrong result and the right one, and a sentence about it."""
        if self.call and self.kind == "width":
            return ", ".join(dict.fromkeys(self.call.answer.width.split(", "))), ""
        if self.call and self.wanted and self.calls and self.kind in COMPARED:
            return pattern(self.call.answer.value, self.wanted.value) or (None, "")
        return None, ""


@dataclass(frozen=True, eq=False)
class Finding:
    """What a failure means; grader/verdict/messages.py puts it into words."""

    failure: Failure
    mistakes: tuple[Mistake, ...] = ()      # known mistakes that give exactly this answer
    pattern: str | None = None
    sentence: str = ""                      # what the pattern says
    parting: Parting | None = None          # where the learner's steps part from right ones

    @property
    def mistake(self) -> str | None:
        """The name for the report."""
        return self.mistakes[0].name if self.mistakes else None

    @property
    def mistake_of(self) -> str | None:
        """The function that has this mistake: this one, or one that it calls."""
        return self.mistakes[0].replaces if self.mistakes else None

    @property
    def line(self) -> int | None:
        """The learner's line where it goes wrong, as far as that is known."""
        return self.parting.place[0] if self.parting else self.failure.call and self.failure.call.answer.line


class Diagnostician:
    """Compares one submission of one kata with the reference and the known mistakes."""

    def __init__(self, kata: Kata, submission: LearnerFile) -> None:
        self.kata = kata
        self.submission = submission
        self.reference = reference_of(kata.solution)
        self.namer = Namer(kata, submission, self.reference)

    def diagnose(self, calls: list[Call], error: BaseException) -> Failure:
        """What went wrong in a check: the call without a result that ended it, or the first with a wrong one."""
        calls = [replace(call, answer=self.namer.judged(call.answer, call)) for call in calls]
        for call in calls[-1:] if isinstance(error, NoValue) else calls:
            wanted = self.reference.ask(call.function, call.args, call.kwargs)
            kind, detail = differs(call.answer, wanted)
            chance = kind in ("values", "nan") and self.left_to_chance(call, wanted)
            if kind and (not chance or self.namer.knows(call, wanted)):
                return Failure(call, wanted, kind, detail, self.answered(call, calls), chance=chance)
        last = calls[-1] if calls else None
        if last and isinstance(error, MemoryExceeded):
            return Failure(last, None, "memory", str(error), as_large=self.namer.with_the_same_peak(last))
        if last and type(error) in STRICT:
            return Failure(last, wanted, STRICT[type(error)], str(error), self.answered(last, calls))
        lines = [frame.line or "" for frame in traceback.extract_tb(error.__traceback__)]
        asserted = lines[-1] if lines and lines[-1].startswith("assert ") else ""
        return Failure(last, None, "claim", str(error), asserted=asserted)

    def answered(self, call: Call, calls: list[Call]) -> tuple[Call, ...]:
        """The calls of a check that were answered, if the wrong one was."""
        return self.namer.kept(calls) if call.answer.outcome in ("returned", "raised") else ()

    def left_to_chance(self, call: Call, wanted: Answer) -> bool:
        """Whether the right answer depends on a seed, so that other numbers may be as right."""
        bound = self.reference.bind(call.function, call.args, call.kwargs)
        if "seed" not in self.reference.parameters(call.function):
            return False
        other = self.reference.ask(call.function, (), bound | {"seed": 987_654_321})
        return not same_answer(other, wanted, strict=False)

    def findings(self, failures: Sequence[Failure], in_full: bool) -> list[Finding]:
        """What these failures mean together: known mistakes or patterns, and in full, which expression is wrong."""
        found = {one: Finding(one, one.as_large, *one.pattern) for one in failures}
        for function, mistakes in self.namer.names([one for one in failures if one.calls]).items():
            told = without_coincidences([meaning(one, of_this) for one, of_this in mistakes.items()])
            if in_full:
                told = self.located(function, told, {one.call.function for one in failures if one.call})
            found |= {one.failure: one for one in with_several_numbers(told)}
        return list(found.values())

    def located(self, function: str, findings: list[Finding], failing: set[str]) -> list[Finding]:
        """The findings of one function with the expression where it goes wrong, or with what its calls depend on.

        A kata to mend marks nothing: to find the expression is the task.
        """
        first = findings[0]
        is_open = not first.mistakes and first.failure.kind == "values"
        if is_open and self.namer.varies(first.failure.call):
            return [replace(first, pattern=VARYING[0], sentence=VARYING[1]), *findings[1:]]
        if self.kata.to_mend:
            return findings
        calls = {id(call): call for one in findings if not one.failure.strict
                 for call in (one.failure.call, *one.failure.calls) if call.function == function}
        wrong = {key: asked for key, call in calls.items() if (asked := self.to_record(call))}
        try:
            places = located(self.kata, self.submission, function, list(wrong.values()),
                             VOTES_FOR_KNOWN if first.mistakes else VOTES)
        except KeepsSomething:
            return [replace(first, pattern=KEPT[0], sentence=KEPT[1]), *findings[1:]] if is_open else findings
        if not places or places[0] is None:
            return findings
        partings = dict(zip(wrong, places, strict=True))
        marked = []
        for one in findings:
            case, parting = one.failure, partings.get(id(one.failure.call))
            parting = parting or replace(places[0], value=None, needed=None)
            is_shown = case.kind == "raised" and parting.place[0] == case.call.answer.line
            marked.append(one if case.strict or is_shown else replace(
                one, parting=replace(parting, is_wrong=parting.calls in failing)))
        return marked

    def to_record(self, call: Call) -> WrongCall | None:
        """A wrong call as it is recorded; None if it is right, too large or left to chance."""
        wanted = self.reference.ask(call.function, call.args, call.kwargs)
        if not (is_small((*call.args, *call.kwargs.values())) and wanted.returned and differs(call.answer, wanted)[0]):
            return None
        if self.left_to_chance(call, wanted):
            return None
        return call.args, call.kwargs, wrong_parts(call.answer.value, wanted.value), wanted.value


def meaning(failure: Failure, mistakes: tuple[Mistake, ...]) -> Finding:
    """What a failure means by itself: known mistakes, or else a pattern."""
    if mistakes and failure.kind in COMPARED:
        return Finding(failure, mistakes)
    return Finding(failure, mistakes, *failure.pattern)


def without_coincidences(findings: list[Finding]) -> list[Finding]:
    """The findings of one function without the patterns that fit fewer than half of its wrong results."""
    def kind(one: Finding) -> str | tuple[str, ...] | None:
        return PRECISION if one.pattern in PRECISION else one.pattern
    unexplained = [one for one in findings if one.failure.kind == "values" and not one.mistakes]
    counts = Counter(map(kind, unexplained))
    rare = [one for one in unexplained if one.pattern in RELATIONS and 2 * counts[kind(one)] < len(unexplained)]
    return [replace(one, pattern=None, sentence="") if one in rare else one for one in findings]


def with_several_numbers(findings: list[Finding]) -> list[Finding]:
    """The findings of one function; a sentence with a number says so if other calls have another number."""
    sentences = {name: {one.sentence for one in findings if one.pattern == name}
                 for name in ("scaled", "off_by_constant")}
    return [replace(one, sentence=f"{one.sentence} In other calls, the number differs.")
            if len(sentences.get(one.pattern or "", ())) > 1 else one for one in findings]


def wrong_parts(value: Any, wanted: Any) -> list[bool] | None:
    """Which of several results are wrong; None if there is one result, or another number of them."""
    several = isinstance(wanted, tuple) and isinstance(value, tuple | list) and len(value) == len(wanted)
    return [not same(a, w) for a, w in zip(value, wanted, strict=True)] if several else None


def differs(answer: Answer, wanted: Answer) -> tuple[str | None, str]:
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


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Hide what the learner's code prints while the diagnosis calls it again."""
    nowhere = io.StringIO()
    with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
        yield

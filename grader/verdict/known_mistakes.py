"""Which known mistakes give the learner's answers: to the calls of the failed checks, and to similar calls."""
from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from grader.calling.answers import Answer, Asks, LearnerFile
from grader.calling.arguments import in_each, leaves
from grader.calling.forms import bytes_in, remembered
from grader.calling.kata_fixture import Call
from grader.calling.memory import traced
from grader.calling.reference import Reference
from grader.course.compare import same
from grader.course.katas import Kata
from grader.verdict.array_patterns import still_zeros
from grader.verdict.mistakes import Mistake, mistakes

if TYPE_CHECKING:
    from grader.verdict.diagnosis import Failure

KEPT = 2**25                  # bytes of the calls that are kept, in arguments and answers
HIDDEN = -9999.0              # scores below it stand for -inf
Named = dict[Mistake, None]           # in the order in which they were found
Similar = tuple[dict[str, Any], Answer, Answer]           # arguments, the right answer and the learner's
Change = Callable[[Any, int, np.random.Generator], Any]   # of the argument with this number


class Namer:
    """Compares the answers of one submission with the answers of known mistakes."""

    def __init__(self, kata: Kata, submission: LearnerFile, reference: Reference) -> None:
        self.kata = kata
        self.submission = submission
        self.reference = reference
        self._passed: dict[str, list[Call]] = defaultdict(list)       # function -> calls of checks that passed
        self._bytes = 0                       # of all calls that are kept
        self._similar: dict[Failure, list[Similar]] = {}

    def mistakes(self, function: str) -> list[Mistake]:
        """The known mistakes that may change a function's answers, loaded when the first is needed."""
        return [m for m in mistakes(self.kata) if function in m.shows_in]

    def kept(self, calls: list[Call]) -> tuple[Call, ...]:
        """Those of a check's calls that were answered, as long as there is room for them."""
        found = []
        for call in calls:
            size = bytes_in((call.args, tuple(call.kwargs.values()), call.answer.value))
            if call.answer.outcome in ("returned", "raised") and self._bytes + size <= KEPT:
                self._bytes += size
                found.append(call)
        return tuple(found)

    def remember(self, calls: list[Call]) -> None:
        """Keep the calls of a check that passed: a mistake should fit them too."""
        for call in self.kept(calls):
            self._passed[call.function].append(call)

    def knows(self, call: Call, wanted: Answer) -> bool:
        """Whether a known mistake gives this answer."""
        return any(self.fits(m, call, wanted, False) for m in self.mistakes(call.function))

    def names(self, cases: Sequence[Failure]) -> dict[str, dict[Failure, tuple[Mistake, ...]]]:
        """For each function that fails: its failures, each with the known mistakes that explain it.

        Such a mistake explains at least half of the failures of the function, or does so together with a mistake that
        explains another function.
        """
        found: dict[str, dict[Failure, tuple[Mistake, ...]]] = {}
        elsewhere: Named = {}
        for function in dict.fromkeys(case.call.function for case in cases):
            of_this = [case for case in cases if case.call.function == function]
            chosen = self.known(self.mistakes(function), of_this, elsewhere) or self.known(
                [m.together(named) for named in elsewhere if named.replaces != function
                 for m in self.mistakes(function) if m.is_in(function)], of_this, elsewhere)
            elsewhere |= dict.fromkeys(chosen)
            found[function] = {case: tuple(m for m, explained in chosen.items() if case in explained)
                               for case in of_this}
        return found

    def known(self, mistakes: list[Mistake], cases: list[Failure], elsewhere: Named) -> dict[Mistake, list[Failure]]:
        """{mistake: failures that it explains} for some known mistakes; several if no call separates them.

        A mistake is out if it changes an answer of a check that passed. The same mistake explains the failures of
        several functions, if it can. True and False are too few to tell mistakes apart, so there a mistake of the
        function itself must explain everything.
        """
        function = cases[0].call.function
        found = {m: explained for m in mistakes if self.explains(m, cases[0]) and self.holds(m, cases[0])
                 and (explained := self.explained(m, cases)) and not self.contradicted(m, function)}
        if all(isinstance(case.wanted.value, bool | np.bool_) for case in cases):
            found = {m: all_ for m, all_ in found.items() if len(all_) == len(cases)
                     and (m.is_in(function) or m in elsewhere)}
        ranks = {m: (len(explained), m in elsewhere, m.is_in(function), self.similar_fits(m, cases[0]),
                     m.of_the_kata) for m, explained in found.items()}
        best = {m: explained for m, explained in found.items() if ranks[m] == max(ranks.values())}
        return {m: explained for m, explained in best.items() if m.of_the_kata or m is next(iter(best))}

    def contradicted(self, mistake: Mistake, function: str) -> bool:
        """Whether a mistake changes an answer of a check that passed: of the function or of those that are edited.

        An answer that is not the reference's was left to chance.
        """
        return any(not self.answers(mistake, call) and self.answers(self.reference, call)
                   for name in {function, *mistake.edited} for call in self._passed[name])

    def similar_fits(self, mistake: Mistake, case: Failure) -> int:
        """How many similar calls a mistake answers as the learner did."""
        return sum(same_answer(own, mistake.ask(case.call.function, (), kwargs), case.strict)
                   for kwargs, _, own in self.second_calls(case))

    def explained(self, mistake: Mistake, cases: list[Failure]) -> list[Failure]:
        """The failures that a mistake explains, if they are at least half of them."""
        found: list[Failure] = []
        for i, case in enumerate(sorted(cases, key=lambda case: bytes_in(case.wanted.value)), 1):
            if self.explains(mistake, case):
                found.append(case)
            elif 2 * (i - len(found)) > len(cases):
                return []
        return found

    def explains(self, mistake: Mistake, case: Failure) -> bool:
        """Whether a mistake gives the learner's answers to the call that failed and to the check's other calls of the
        function."""
        return self.fits(mistake, case.call, case.wanted, case.strict) and all(
            self.answers(mistake, call) for call in case.calls if call.function == case.call.function)

    def fits(self, mistake: Mistake, call: Call, wanted: Answer, strict: bool) -> bool:
        """Whether a mistake gives the learner's answer, and not the right one.

        Two ways to the same exception have little in common, so only a mistake of the kata explains one.
        """
        if not (mistake.of_the_kata or call.answer.returned):
            return False
        answer = mistake.ask(call.function, call.args, call.kwargs)
        return same_answer(call.answer, answer, strict) and not same_answer(answer, wanted, strict)

    def answers(self, mistake: Asks, call: Call) -> bool:
        """Whether a mistake gives the learner's answer to a call, which may be right; refusals may differ in text."""
        answer = mistake.ask(call.function, call.args, call.kwargs)
        return (call.answer.refused and answer.refused) or same_answer(call.answer, answer, strict=False)

    def holds(self, mistake: Mistake, case: Failure) -> bool:
        """Whether a mistake gives the learner's answer to the first similar call that tells it from right."""
        for kwargs, right, own in self.second_calls(case):
            wrong = mistake.ask(case.call.function, (), kwargs)
            if not same_answer(wrong, right, case.strict):
                return same_answer(own, wrong, case.strict)
        return True

    def second_calls(self, case: Failure) -> list[Similar]:
        """Other inputs near those of a call, as keyword arguments, with the right answer and the learner's."""
        if case not in self._similar:
            bound = self.reference.bind(case.call.function, case.call.args, case.call.kwargs) or {}
            self._similar[case] = [one for change in CHANGES if (one := self.second_call(case, bound, change))]
        return self._similar[case]

    def second_call(self, case: Failure, bound: dict[str, Any], change: Change) -> Similar | None:
        """One other input with the right answer and the learner's; nothing if it is not another, if it is refused or if
        the learner's function takes too long."""
        generator = np.random.default_rng(0)
        kwargs = {name: change(value, i, generator) for i, (name, value) in enumerate(bound.items())}
        if all(kwargs[name] is bound[name] for name in bound):
            return None
        right = self.reference.ask(case.call.function, (), kwargs)
        own = self.submission.ask(case.call.function, (), kwargs)
        own = without_open(remembered(own, right), right)
        refused = own.refused and case.call.answer.returned       # by a check of the learner's own
        return (kwargs, right, own) if right.returned and own.outcome != "timeout" and not refused else None

    def judged(self, answer: Answer, call: Call) -> Answer:
        """The answer to a call without the results that are still zeros, if another one is wrong."""
        if not isinstance(answer.value, tuple | list):
            return answer
        return without_open(answer, self.reference.ask(call.function, call.args, call.kwargs))

    def varies(self, call: Call) -> bool:
        """Whether the learner's function now gives another result for the same call."""
        own = self.judged(self.submission.ask(call.function, call.args, call.kwargs), call)
        return own.outcome != "timeout" and not same_answer(call.answer, own, strict=False)

    def with_the_same_peak(self, call: Call) -> tuple[Mistake, ...]:
        """Known mistakes that return the right result, as this call did, and need about as much memory."""
        held = call.answer.peak or 0

        def alike(mistake: Mistake) -> bool:
            with traced():
                peak = mistake.ask(call.function, call.args, call.kwargs).peak
            return peak is not None and 0.7 < held / peak < 1.4
        return tuple(m for m in self.mistakes(call.function)
                     if m.of_the_kata and m.replaces == call.function and alike(m))


def without_open(answer: Answer, wanted: Answer) -> Answer:
    """The answer, with the right results in place of those that are still zeros, if another one is wrong.

    A task of their own may be open, so they say nothing about the others.
    """
    if not isinstance(answer.value, tuple | list) or not isinstance(wanted.value, tuple):
        return answer
    zeros = still_zeros(answer.value, wanted.value)
    if not any(zeros):
        return answer
    value = tuple(w if zero else a for zero, a, w in zip(zeros, answer.value, wanted.value, strict=True))
    return answer if same(value, wanted.value) else replace(answer, value=value)


def noisy(value: Any, number: int, generator: np.random.Generator) -> Any:
    """Other numbers in the same array, and none below 0 where there was none, such as positions in a table."""
    if isinstance(value, dict) and any(isinstance(leaf, np.ndarray) for leaf in leaves(value)):
        return in_each(value, lambda leaf: noisy(leaf, number, generator))
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        noise: np.ndarray = np.asarray(generator.normal(size=value.shape))
        other = value + noise.astype(value.dtype)
        return other if (value < 0).any() else np.abs(other)
    return value


def larger(steps: list[int]) -> Change:
    """A change that adds the step of its argument to every whole number, and noise to arrays."""
    def change(value: Any, number: int, generator: np.random.Generator) -> Any:
        if isinstance(value, int) and not isinstance(value, bool):
            return value + steps[number % len(steps)]
        return noisy(value, number, generator)
    return change


def stretched(value: Any, number: int, generator: np.random.Generator) -> Any:
    """Other real numbers, such as a base."""
    return value * 1.5 if isinstance(value, float) else noisy(value, number, generator)


CHANGES = (noisy, larger([2]), larger([1]), larger([0, 1, 4, 9]), stretched)


def same_but_hidden(one: Any, other: Any) -> bool:
    """Whether two arrays are the same if all numbers below -9999 are alike: -1e4 and -1e9 for -inf are one mistake."""
    if not all(isinstance(a, np.ndarray) and a.dtype.kind == "f" and (a < HIDDEN).any() for a in (one, other)):
        return False
    return same(*(np.where(np.isfinite(a) & (a < HIDDEN), HIDDEN, a) for a in (one, other)))


def same_answer(one: Answer, other: Answer, strict: bool) -> bool:
    """Whether two answers are the same: same values or the same error, and if strict the same dtype and touch."""
    if one.outcome != other.outcome:
        return False
    if one.returned:
        alike = one.width == other.width and set(one.touched) == set(other.touched)
        return (alike or not strict) and (same(one.value, other.value) or same_but_hidden(one.value, other.value))
    return (one.error_types[:1], one.message) == (other.error_types[:1], other.message)

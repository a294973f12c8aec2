"""Which of the known mistakes give the learner's answers: to the call that failed, and to similar calls."""
from collections import Counter, defaultdict, deque

import numpy as np

from grader.calling.forms import remembered
from grader.course.alternatives import alternatives
from grader.course.compare import same

REMEMBERED = 24


class Namer:
    """Compares the answers of one submission with those of the kata's known mistakes."""

    def __init__(self, kata, submission, reference):
        self.kata = kata
        self.submission = submission
        self.reference = reference
        self._mistakes = None
        self._named = set()               # the names given so far
        self._ruled_out = set()           # (call, name) where a second call spoke against it
        self._earlier = defaultdict(lambda: deque(maxlen=REMEMBERED))      # function -> latest calls of other checks

    @property
    def mistakes(self):
        """The known mistakes, loaded when the first is needed."""
        if self._mistakes is None:
            self._mistakes = alternatives(self.kata.mistakes, self.kata.solution)
        return self._mistakes

    def remember(self, calls):
        """Keep the calls of a check, right or wrong: a mistake should fit them too."""
        for call in calls:
            if call.answer.outcome in ("returned", "raised"):
                self._earlier[call.function].append(call)

    def name(self, call, wanted, strict):
        """Known mistakes that answer this call as the learner did, and a second call as well."""
        again = [m for m in self.mistakes if m.name in self._named]     # one mistake fails many checks
        others = [m for m in self.mistakes if m.name not in self._named]
        return self.surely(again, call, wanted, strict) or self.surely(others, call, wanted, strict)

    def surely(self, mistakes, call, wanted, strict):
        """The mistakes that fit a call and a second one, and fit similar calls best."""
        fitting = [m for m in mistakes if self.fits(m, call, wanted, strict)]
        seconds = list(self.second_calls(call)) if fitting else []
        scores = {m: self.score(m, call.function, seconds, strict) for m in fitting}
        self._ruled_out |= {(id(call), m.name) for m in fitting if scores[m] < 0}
        if sum(score >= 0 for score in scores.values()) > 1:
            earlier = [(c, m) for c in self._earlier[call.function] for m in fitting if scores[m] >= 0]
            for one, mistake in earlier:
                scores[mistake] += agree(one.answer, mistake.ask(one.function, one.args, one.kwargs), strict)
        best = max(scores.values(), default=0)
        sure = [m for m in fitting if scores[m] == best >= 0]
        sure.sort(key=lambda m: m.replaces != call.function)     # what the function does itself, then what it calls
        self._named |= {m.name for m in sure[:1]}
        return tuple(m for m in sure if (m.replaces == call.function) == (sure[0].replaces == call.function))

    def score(self, mistake, function, seconds, strict):
        """How many second calls a mistake fits; -1 when it fails the first of those that can tell it from right."""
        fits, tried = 0, False
        for kwargs, right, own in seconds:
            wrong = mistake.ask(function, (), kwargs)
            agrees = agree(own, wrong, strict)
            if not tried and not agree(wrong, right, strict):
                tried = True
                if not agrees:
                    return -1
            fits += agrees
        return fits

    def fits(self, mistake, call, wanted, strict):
        """Whether a mistake gives the learner's answer, and not the right one."""
        answer = mistake.ask(call.function, call.args, call.kwargs)
        return not agree(answer, wanted, strict) and agree(call.answer, answer, strict)

    def second_calls(self, call):
        """Other inputs near a call's, as keyword arguments, with the right answer and the learner's."""
        bound = self.reference.bind(call.function, call.args, call.kwargs)
        for change in CHANGES if bound else ():
            generator = np.random.default_rng(0)
            kwargs = {name: change(value, i, generator) for i, (name, value) in enumerate(bound.items())}
            right = self.reference.ask(call.function, (), kwargs)
            if right.returned and any(kwargs[name] is not bound[name] for name in bound):
                yield kwargs, right, remembered(self.submission.ask(call.function, (), kwargs), right)

    def with_the_same_peak(self, call):
        """Known mistakes that return the right result, as this call did, and need about as much memory."""
        def alike(mistake):
            peak = mistake.ask(call.function, call.args, call.kwargs, measured=True).peak
            return peak is not None and 0.7 < call.answer.peak / peak < 1.4
        return tuple(m for m in self.mistakes if m.replaces == call.function and alike(m))

    def most_telling(self, cases):
        """For each (call, wanted, strict), the mistakes named so far that fit it and the most other cases."""
        named = [m for m in self.mistakes if m.name in self._named]
        if len(named) < 2:
            return [()] * len(cases)
        fitting = [
            [m for m in named if (id(case[0]), m.name) not in self._ruled_out and self.fits(m, *case)] for case in cases
        ]
        fitted = Counter(m for mistakes in fitting for m in mistakes)
        best = [max((fitted[m] for m in mistakes), default=0) for mistakes in fitting]
        return [tuple(m for m in mistakes if fitted[m] == most) for mistakes, most in zip(fitting, best, strict=True)]


def noisy(value, place, generator):
    """Other numbers in the same array."""
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        return value + generator.normal(size=value.shape).astype(value.dtype)
    return value


def larger(steps):
    """A change that adds the step of its place to every whole number, and noise to arrays."""
    def change(value, place, generator):
        if isinstance(value, int) and not isinstance(value, bool):
            return value + steps[place % len(steps)]
        return noisy(value, place, generator)
    return change


def stretched(value, place, generator):
    """Other real numbers, such as a base."""
    return value * 1.5 if isinstance(value, float) else noisy(value, place, generator)


CHANGES = (noisy, larger([2]), larger([1]), larger([0, 1, 4, 9]), stretched)


def agree(one, other, strict):
    """Whether two answers are the same: same values or the same error, and if strict the same dtype and touch."""
    if one.outcome != other.outcome:
        return False
    if one.returned:
        alike = one.width == other.width and set(one.touched) == set(other.touched)
        return same(one.value, other.value) and (alike or not strict)
    return (one.error_types[:1], one.message) == (other.error_types[:1], other.message)

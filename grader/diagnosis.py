"""Why a check failed: which call went wrong, and what is known about that kind of wrong."""
from dataclasses import dataclass

import numpy as np

from grader.alternatives import alternatives
from grader.answers import Answer
from grader.asking import Call, Reference
from grader.compare import fault, same
from grader.patterns import pattern


@dataclass
class Diagnosis:
    """What is known about a failed check; grader/messages.py puts it into words."""

    call: Call | None = None
    wanted: Answer | None = None
    kind: str = ""                    # how the answer differs: type, shape, dtype, values, accepted, blame, raised, ...
    detail: str = ""
    mistakes: tuple = ()              # known mistakes that give exactly this answer
    pattern: str | None = None
    sentence: str = ""                # what the pattern says

    @property
    def mistake(self):
        """The name for the report."""
        return self.mistakes[0].name if self.mistakes else None


class Diagnostician:
    """Holds one submission of one kata against the reference and the known mistakes."""

    def __init__(self, kata, submission):
        self.kata = kata
        self.submission = submission
        self.reference = Reference(kata.solution)
        self._mistakes = None
        self._named = []                  # names given so far: one mistake in one function spoils others

    @property
    def mistakes(self):
        """The known mistakes, loaded when the first is needed."""
        if self._mistakes is None:
            self._mistakes = alternatives(self.kata.mistakes, self.kata.solution)
        return self._mistakes

    def diagnose(self, calls, failure):
        """Explain the failure of a check from the calls that it made."""
        for strict in (False, True):
            for call in calls:
                wanted = self.reference.ask(call.function, call.args, call.kwargs)
                kind, detail = differs(call.answer, wanted, strict)
                if kind and (kind != "blame" or call is calls[-1]):
                    return self.explain(call, wanted, kind, detail)
        call = calls[-1] if calls else None
        return Diagnosis(call, None, "claim", str(failure))

    def explain(self, call, wanted, kind, detail):
        """Fill in what is known about one call that differs from the reference."""
        found = Diagnosis(call, wanted, kind, detail)
        if call.answer.outcome not in ("returned", "raised"):
            return found
        found.mistakes = self.known_mistakes(call, wanted, kind in ("width", "touched"))
        if kind in ("type", "shape", "dtype", "nan", "values"):
            told = pattern(call.answer.value, wanted.value)
            if told:
                found.pattern, found.sentence = told
        elif kind == "width":
            found.pattern = str(getattr(call.answer.value, "dtype", "")) or None
        return found

    def known_mistakes(self, call, wanted, strict):
        """Known mistakes that answer this call as the learner did, and a second call as well."""
        named = [m for m in self.mistakes if self.fits(m, call, wanted, strict)]
        if not named:
            return ()
        seconds = list(self.second_calls(call))
        sure = []
        for mistake in named:
            for args, kwargs, right, own in seconds:
                wrong = mistake.ask(call.function, args, kwargs)
                if agree(wrong, right, strict):
                    continue                         # this input cannot tell
                if agree(own, wrong, strict):
                    sure.append(mistake)
                break
            else:
                sure.append(mistake)                 # it shows on inputs like this one only
        sure.sort(key=lambda m: (m.name not in self._named, m.replaces != call.function))
        self._named += [m.name for m in sure[:1]]
        return tuple(m for m in sure if (m.replaces == call.function) == (sure[0].replaces == call.function))

    def fits(self, mistake, call, wanted, strict):
        """Whether a mistake gives the learner's answer, and not the right one."""
        answer = mistake.ask(call.function, call.args, call.kwargs)
        return not agree(answer, wanted, strict) and agree(call.answer, answer, strict)

    def second_calls(self, call):
        """Other inputs near a call's, with the right answer and the learner's."""
        bound = self.reference.bind(call.function, call.args, call.kwargs)
        if bound is None:
            return
        generator = np.random.default_rng(0)
        for change in CHANGES:
            kwargs = {name: change(value, generator) for name, value in bound.items()}
            right = self.reference.ask(call.function, (), kwargs)
            if right.returned:
                yield (), kwargs, right, self.submission.ask(call.function, (), kwargs)


def noisy(value, generator):
    """Other numbers in the same array."""
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        return value + generator.normal(size=value.shape).astype(value.dtype)
    return value


def larger(step):
    """A change that adds a step to every whole number, and noise to arrays."""
    def change(value, generator):
        if isinstance(value, int) and not isinstance(value, bool):
            return value + step
        return noisy(value, generator)
    return change


def stretched(value, generator):
    """Other real numbers, such as a base."""
    return value * 1.5 if isinstance(value, float) else noisy(value, generator)


CHANGES = (noisy, larger(2), larger(1), stretched)


def agree(one, other, strict):
    """Whether two answers are the same: same values or the same error, and if strict the same dtype and touch."""
    if one.outcome != other.outcome:
        return False
    if one.returned:
        alike = width(one.value) == width(other.value) and bool(one.touched) == bool(other.touched)
        return same(one.value, other.value) and (alike or not strict)
    return (one.error_types[:1], one.message) == (other.error_types[:1], other.message)


def differs(answer, wanted, strict):
    """(kind, detail) of how an answer differs from the wanted one, or (None, "")."""
    if answer.outcome != "returned" and answer.outcome != "raised":
        return answer.outcome, answer.message
    if wanted.refused:
        if answer.returned:
            return "accepted", wanted.message
        if not answer.refused:
            return "wrong_error", wanted.message
        return (None, "") if not strict else ("blame", wanted.message)
    if not answer.returned:
        return "raised", answer.message
    found = fault(answer.value, wanted.value)
    if found:
        return found
    if strict and answer.touched:
        return "touched", ""
    if strict and width(answer.value) != width(wanted.value):
        return "width", f"wanted {width(wanted.value)}, got {width(answer.value)}"
    return None, ""


def width(value):
    """The dtype of a result; integers of any width are alike, and tuples are taken as they come."""
    if isinstance(value, tuple | list):
        return [width(v) for v in value]
    dtype = np.asarray(value).dtype
    return "integer" if dtype.kind in "iu" else str(dtype)

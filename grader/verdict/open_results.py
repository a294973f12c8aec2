"""Several results, some of them still zeros: a task of their own may be open, so they say nothing about the others."""
from dataclasses import replace

import numpy as np

from grader.course.compare import ORDINALS, same, several


def still_zeros(actual, wanted):
    """For each of several results, whether it is zeros in the right shape, and wrong; nothing if one is missing."""
    results = several(actual)
    if not isinstance(results, tuple | list) or len(results) != len(wanted):
        return []
    return [isinstance(a, np.ndarray) and a.dtype.kind in "iuf" and a.shape == np.shape(w) and not a.any()
            and not same(a, w) for a, w in zip(results, wanted, strict=True)]


def without_open(answer, wanted):
    """The answer, with the right results in place of those that are still zeros, if another one is wrong."""
    if not isinstance(answer.value, tuple | list) or not isinstance(wanted.value, tuple):
        return answer
    zeros = still_zeros(answer.value, wanted.value)
    if not any(zeros):
        return answer
    value = tuple(w if zero else a for zero, a, w in zip(zeros, answer.value, wanted.value, strict=True))
    return answer if same(value, wanted.value) else replace(answer, value=value)


def told(zeros):
    """The sentence about results that are still zeros."""
    names = [name for name, zero in zip(ORDINALS, zeros, strict=False) if zero]
    if len(names) == 1:
        return f"The {names[0]} result is all zeros."
    return f"The {', '.join(names[:-1])} and {names[-1]} results are all zeros."

"""Whether two implementations have the same result."""
import numpy as np


def as_arrays(result):
    """One array or several, from NumPy or torch, as a list of arrays."""
    parts = result if isinstance(result, tuple) else (result,)
    return [part.numpy() if hasattr(part, "numpy") else np.asarray(part) for part in parts]


def agree(result, other, in_any_order=False):
    """Whether two results are equal up to what single precision at far positions explains."""
    def close(one, two):
        if one.ndim > 2:                                        # heads are alike: the first and the last will do
            return close(one[0], two[0]) and close(one[-1], two[-1])
        if in_any_order:
            one, two = np.sort(one), np.sort(two)
        size = np.abs(one[np.isfinite(one)]).max(initial=1e-3)
        return np.allclose(one, two, rtol=2e-3, atol=2e-3 * size)

    ones, others = as_arrays(result), as_arrays(other)
    return len(ones) == len(others) and all(
        one.shape == two.shape and close(one, two) for one, two in zip(ones, others, strict=True))

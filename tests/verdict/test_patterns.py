"""What two arrays tell by themselves: each pattern is found where it is, and none where there is none."""
import numpy as np
import pytest

from grader.verdict.array_patterns import pattern

RNG = np.random.default_rng(3)
TABLE = RNG.normal(size=(6, 8))
SQUARE = RNG.normal(size=(5, 5))
HEADS = RNG.normal(size=(4, 4, 6))
PAIRS = np.arange(8).reshape(-1, 2)


def shifted(array):
    """Row p holds what belongs to row p - 1; row 0 is something else."""
    return np.concatenate([RNG.normal(size=(1, array.shape[1])), array[:-1]])


@pytest.mark.parametrize(("name", "actual", "wanted"), [
    ("transposed", TABLE.T, TABLE),
    ("transposed", SQUARE.T, SQUARE),
    ("transposed", HEADS.swapaxes(0, 1), HEADS),
    ("reshaped", TABLE.reshape(1, 6, 8), TABLE),
    ("too_large", np.pad(TABLE, ((0, 1), (0, 2))), TABLE),
    ("too_small", TABLE[:5], TABLE),
    ("nan", np.where(TABLE > 0, np.nan, TABLE), TABLE),
    ("odd_columns", np.where(np.arange(8) % 2, 0.0, TABLE), TABLE),
    ("float16", TABLE.astype(np.float16), TABLE),
    ("float32", TABLE.astype(np.float32).astype(np.float64), TABLE),
    ("integers", (10 * TABLE).astype(int), 10 * TABLE),
    ("negated", -TABLE, TABLE),
    ("signs", np.abs(TABLE), TABLE),
    ("scaled", 2.5 * TABLE, TABLE),
    ("scaled", -TABLE / 3, TABLE),
    ("off_by_constant", TABLE + 0.25, TABLE),
    ("reversed", TABLE[::-1], TABLE),
    ("reversed", TABLE[:, ::-1], TABLE),
    ("swapped_pairs", TABLE[:, PAIRS[:, ::-1].ravel()], TABLE),
    ("rolled", np.roll(TABLE, 1, axis=0), TABLE),
    ("rolled", np.roll(TABLE, -1, axis=1), TABLE),
    ("shifted", shifted(TABLE), TABLE),
    ("order", TABLE[[1, 0, 2, 3, 5, 4]], TABLE),
    ("scaled_slices", TABLE * np.arange(2, 8)[:, None], TABLE),
    ("scaled_slices", TABLE / np.arange(2, 10), TABLE),
    ("slices_off_by_constants", TABLE + np.arange(2, 8)[:, None], TABLE),
    ("nearly_right", TABLE * (1 - 1e-6), TABLE),
    ("negated", (TABLE, -SQUARE), (TABLE, SQUARE)),
    ("zeros", (0 * TABLE, SQUARE), (TABLE, SQUARE)),
    ("odd_columns", np.where(np.arange(8) % 2, RNG.normal(size=(6, 8)), TABLE), TABLE),
    ("even_columns", np.where(np.arange(8) % 2, TABLE, RNG.normal(size=(6, 8))), TABLE),
    ("off_by_constant", TABLE + 1e-6, TABLE),
    ("order", TABLE[:, [1, 0, 2, 3, 5, 4, 7, 6]][:, ::-1], TABLE),
])
def test_a_pattern_is_recognised(name, actual, wanted):
    found, sentence = pattern(actual, wanted)
    assert found == name
    assert sentence.endswith((".", "?"))


@pytest.mark.parametrize(("actual", "wanted"), [
    *((actual, TABLE) for actual in (RNG.normal(size=(6, 8)), RNG.normal(size=(6, 9)), np.float64(3.0), None, "text",
                                     np.array([["a"]]), np.zeros((0, 8)), TABLE.astype(complex))),
    (np.where(RNG.random((6, 8)) < 0.5, RNG.normal(size=(6, 8)), TABLE), TABLE),   # wrong all over the array
    (np.float64(1.00007), np.float64(1.0001)),                                     # near, and no rounding
    (np.arange(4.0), np.arange(4)),                                                # right, but no integers
])
def test_what_has_no_pattern_is_given_none(actual, wanted):
    assert pattern(actual, wanted) is None


def test_a_single_number_of_the_wrong_sign_is_not_called_every_value():
    assert pattern(-0.5, 0.5) == ("negated", "The sign is wrong.")


def test_infinities_are_compared_as_they_are():
    wanted = np.where(np.tri(6, dtype=bool), 1.0 + np.arange(6), -np.inf)
    assert pattern(2 * wanted, wanted)[0] == "scaled"
    assert pattern(wanted.T, wanted)[0] == "transposed"

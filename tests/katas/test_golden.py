"""The references against golden vectors: numbers from independent public implementations.

tests/katas/golden/make_golden.py made them and says with what; none of that is needed here.
"""
import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from grader.calling.reference import reference_of
from grader.course.katas import all_katas

GOLDEN = Path(__file__).resolve().parent / "golden"
KATAS = {kata.name: kata for kata in all_katas()}

WITHOUT_ORACLE = {}              # {kata id: why no independent implementation can speak for it}


@cache
def arrays_of(kata):
    """Every array of a kata's file, "meta" among them."""
    with np.load(GOLDEN / f"{kata}.npz", allow_pickle=False) as file:
        return dict(file)


def cases_of(kata):
    """What the file says about its cases."""
    return json.loads(arrays_of(kata)["meta"].item())["cases"]


def stored(kata, key):
    """The array of this name, or a dict of arrays."""
    if isinstance(key, dict):
        return {name: stored(kata, one) for name, one in key.items()}
    return arrays_of(kata)[key].copy()


def answer(kata, case):
    """The reference's results for the arguments of a case, as a tuple."""
    arrays = {name: stored(kata, key) for name, key in case["arrays"].items()}
    results = getattr(reference_of(KATAS[kata].solution), case["function"])(**case["arguments"], **arrays)
    return results if isinstance(results, tuple) else (results,)


def assert_agrees(result, wanted, case):
    """Compare one result; where only some rows were stored, those."""
    result = np.asarray(result)
    result = result if case["rows"] is None else result[case["rows"]]
    assert result.shape == wanted.shape           # assert_allclose would stretch one to the other
    if case["precision"] == "exact":
        np.testing.assert_array_equal(result, wanted, err_msg=case["source"])
    else:
        np.testing.assert_allclose(result, wanted, case["rtol"], case["atol"], err_msg=case["source"])


@pytest.mark.parametrize(("kata", "case"), [
    pytest.param(path.stem, case, id=f"{path.stem}-{case['case']}")
    for path in sorted(GOLDEN.glob("*.npz"))
    for case in cases_of(path.stem)
])
def test_the_reference_agrees_with_the_oracle(kata, case):
    results = answer(kata, case)
    assert len(results) == len(case["expected"])
    for result, key in zip(results, case["expected"], strict=True):
        assert_agrees(result, arrays_of(kata)[key], case)


def test_a_kata_has_golden_vectors_or_a_reason_to_have_none():
    """Make the file with make_golden.py, or say in WITHOUT_ORACLE why not; not both."""
    assert sorted([*(path.stem for path in GOLDEN.glob("*.npz")), *WITHOUT_ORACLE]) == sorted(KATAS)


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.npz")), ids=lambda path: path.stem)
def test_a_file_is_small_and_says_what_made_it(path):
    assert path.stat().st_size < 60_000
    meta = json.loads(arrays_of(path.stem)["meta"].item())
    assert meta["kata"] == path.stem
    assert isinstance(meta["seed"], int)
    assert {"torch", "numpy", "mpmath", "transformers"} <= set(meta["versions"])
    assert all(case["source"] for case in meta["cases"])

"""Every kata keeps its promises: solution and variants pass, mistakes are rejected and named, the stub is all todo."""
import re

import pytest

from grader.course.alternatives import alternatives
from grader.course.katas import all_katas
from tests.helpers.harness import grade, source_as, source_of

KATAS = all_katas()
ONE_CHECK_SEES = re.compile("double_precision|float32|memory")      # else all is right
ids = [k.folder.name for k in KATAS]
for_each_kata = pytest.mark.parametrize("kata", KATAS, ids=ids)


def cases(attribute):
    """One parameter per kata and alternative."""
    return [
        pytest.param(kata, other, id=f"{kata.folder.name}-{other.replaces}-{other.name}")
        for kata in KATAS
        for other in alternatives(getattr(kata, attribute), kata.solution)
    ]


@pytest.mark.parametrize(("kata", "variant"), cases("variants"))
def test_a_variant_passes_every_check(kata, variant, tmp_path):
    result = grade(kata, source_of(kata, kata.variants, variant), tmp_path)
    assert [(c["check"], c["message"]) for c in result["checks"] if c["outcome"] != "passed"] == []
    assert result["status"] == "solved"


@pytest.mark.parametrize(("kata", "mistake"), cases("mistakes"))
def test_a_mistake_is_rejected_and_named(kata, mistake, tmp_path):
    result = grade(kata, source_of(kata, kata.mistakes, mistake), tmp_path, isolated=False)
    rejected = [c for c in result["checks"] if c["outcome"] != "passed"]
    assert {c["mistake"] for c in rejected} - {None} == {mistake.name}
    assert len(rejected) > 1 or ONE_CHECK_SEES.search(rejected[0]["check"])
    assert result["status"] == "started"
    for check in result["checks"]:
        lines = (check["message"] or "").splitlines()
        assert len(lines) <= 24
        assert all(len(line) <= 80 and line.isascii() for line in lines)
        assert "grader" not in (check["message"] or "")


@for_each_kata
def test_a_right_answer_in_single_precision_fails_one_check(kata, tmp_path):
    result = grade(kata, source_as(kata, "single"), tmp_path)
    (failed,) = [c["check"] for c in result["checks"] if c["outcome"] != "passed"]
    assert "double_precision" in failed


@for_each_kata
@pytest.mark.parametrize("form", ["double", "whole_floats", "integers", "scalars", "fortran", "read_only"])
def test_a_right_answer_in_another_form_passes(kata, form, tmp_path):
    result = grade(kata, source_as(kata, form), tmp_path)
    failed = [c["check"] for c in result["checks"] if c["outcome"] != "passed"]
    assert [check for check in failed if form != "double" or "keeps_float32" not in check] == []


@for_each_kata
def test_the_stub_is_all_todo_or_where_it_is_to_be_mended_started(kata, tmp_path):
    text = kata.stub.read_text(encoding="utf-8")
    result = grade(kata, text, tmp_path)
    outcomes = {c["outcome"] for c in result["checks"]}
    to_be_mended = "NotImplementedError" not in text
    assert outcomes == ({"passed", "failed"} if to_be_mended else {"todo"})
    assert result["status"] == ("started" if to_be_mended else "todo")
    assert result["total"] >= 8


@for_each_kata
def test_the_solution_passes_every_check_whatever_the_seed(kata, tmp_path):
    for seed in range(3):
        result = grade(kata, kata.solution.read_text(encoding="utf-8") + "\n# mine\n", tmp_path, seed)
        assert [c["message"] for c in result["checks"] if c["outcome"] != "passed"] == []

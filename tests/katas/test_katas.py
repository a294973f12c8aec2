"""Every kata keeps its promises: solution and variants pass, mistakes are rejected and named, the stub is all todo.

All mistakes of a kata are graded in one test, and all its variants in another, because the reference remembers what it
was asked. What a test reports is {name: what is wrong with it}.
"""
import re

import pytest

from grader.course.katas import all_katas
from grader.course.variants import variants
from grader.verdict.mistakes import own_mistakes
from grader.verdict.rows import check_of
from tests.helpers.harness import checks_of, grade, source_as, source_of

# the only check that sees some mistakes
ONE_CHECK_SEES = re.compile("double_precision|float32|memory|follows_from_its_seed|without_a_seed")
FORMS = ("double", "whole_floats", "integers", "scalars", "fortran", "read_only")
for_each_kata = pytest.mark.parametrize("kata", all_katas(), ids=lambda kata: kata.folder.name)


def rejecting(result):
    """The checks that did not pass."""
    return [check for check in result["checks"] if check["outcome"] != "passed"]


@for_each_kata
def test_every_variant_passes_every_check(kata, tmp_path):
    failed = {variant.name: [(c["check"], c["message"]) for c in rejecting(result)]
              for variant in variants(kata.variants)
              if (result := grade(kata, source_of(kata, variant), tmp_path, isolated=False))["status"]
              != "solved"}
    assert failed == {}


def faults_of(kata, mistake, result):
    """What is not as it should be where a mistake was graded."""
    rejected = rejecting(result)
    first = min(number for number, task in kata.tasks.items() if task.function == mistake.replaces)
    earlier = {check.name for check in map(check_of, checks_of(kata)) if max(check.tasks) < first}
    yield from (f"fails the earlier {c['check']}" for c in rejected if c["check"] in earlier)
    if {c["mistake"] for c in rejected} - {None} != {mistake.name}:
        yield f"named {sorted({str(c['mistake']) for c in rejected})}"
    if not rejected:
        yield "no check rejects it"
    elif len(rejected) < 2 and not any(ONE_CHECK_SEES.search(c["check"]) for c in rejected):
        yield f"only rejected by {[c['check'] for c in rejected]}"
    if result["status"] != "started":
        yield result["status"]
    for message in (c["message"] or "" for c in rejected):
        lines = message.splitlines()
        if len(lines) > 24 or "grader" in message or any(len(line) > 80 or not line.isascii() for line in lines):
            yield message


@for_each_kata
def test_every_mistake_is_rejected_and_named(kata, tmp_path):
    faults = {f"{mistake.replaces}, {mistake.name}":
              list(faults_of(kata, mistake, grade(kata, mistake.source, tmp_path, isolated=False)))
              for mistake in own_mistakes(kata)}
    assert {name: found for name, found in faults.items() if found} == {}


@for_each_kata
def test_a_right_answer_in_single_precision_fails_one_check(kata, tmp_path):
    (failed,) = rejecting(grade(kata, source_as(kata, "single"), tmp_path, isolated=False))
    assert "double_precision" in failed["check"]


@for_each_kata
def test_a_right_answer_in_another_form_passes(kata, tmp_path):
    failed = {(form, c["check"]) for form in FORMS
              for c in rejecting(grade(kata, source_as(kata, form), tmp_path, isolated=False))}
    assert {(form, check) for form, check in failed if form != "double" or "keeps_float32" not in check} == set()


@for_each_kata
def test_the_stub_is_all_todo_or_where_it_is_to_be_mended_started(kata, tmp_path):
    text = kata.stub.read_text(encoding="utf-8")
    result = grade(kata, text, tmp_path)
    outcomes = {c["outcome"] for c in result["checks"]}
    assert outcomes == ({"passed", "failed"} if kata.to_mend else {"todo"})
    assert result["status"] == ("started" if kata.to_mend else "todo")
    assert result["total"] >= 8


@for_each_kata
def test_the_solution_passes_every_check_whatever_the_seed(kata, tmp_path):
    for seed in range(3):
        result = grade(kata, kata.solution.read_text(encoding="utf-8") + "\n# mine\n", tmp_path, seed)
        assert [c["message"] for c in rejecting(result)] == []

"""A file gets the same rows in this process, isolated and in a cohort: each check's outcome and mistake.

A cohort is always isolated: its processes ask each file as `--isolated` does.
"""
import pytest

from grader.calling.limits import CAN_ISOLATE
from grader.course.katas import all_katas
from grader.course.variants import variants
from grader.verdict.mistakes import own_mistakes
from tests.helpers.handed_in import graded
from tests.helpers.harness import grade, source_of

NAMES = ("naive_positions", "positional_formula", "shift_matrix", "adding_positions", "learned_table",
         "rope_from_config", "transformer_xl", "sandwich_bias", "position_interpolation", "yarn")
pytestmark = pytest.mark.skipif(not CAN_ISOLATE, reason="processes are not forked here")

ONE_ROW_TOO_MANY = "\n_table = positional_encoding\ndef positional_encoding(n, *rest, **named):\n" \
                   "    return _table(n + 1, *rest, **named)\n"


def rows(submission, kata):
    """{(submission, check): its outcome and mistake} from a kata's part of a report."""
    return {(submission, check["check"]): (check["outcome"], check["mistake"]) for check in kata["checks"]}


def test_every_mistake_and_variant_of_ten_katas_has_the_same_rows_in_process_and_in_a_cohort(project_with, tmp_path):
    cohort, in_process, in_cohort = tmp_path / "cohort", {}, {}
    for kata in [kata for kata in all_katas() if kata.name in NAMES]:
        right = variants(kata.variants)
        for other in [*own_mistakes(kata), *right]:
            submission = f"{kata.name} {type(other).__name__} {other.replaces} {other.name}"
            (cohort / submission).mkdir(parents=True)
            source = source_of(kata, other) if other in right else other.source
            in_process |= rows(submission, grade(kata, source, cohort / submission, isolated=False))
    report, _ = graded(project_with(*NAMES), cohort, "--seed=0")
    for one in report["submissions"]:
        (handed_in,) = [kata for kata in one["katas"] if kata["status"] != "no file"]
        in_cohort |= rows(one["submission"], handed_in)
    assert in_cohort == in_process
    assert {outcome for outcome, _ in in_process.values()} == {"passed", "failed", "error"}


def test_a_table_with_one_row_too_many_has_the_same_rows_as_own_work_isolated_and_as_a_submission(project, tmp_path):
    (tmp_path / "positional_formula.py").write_text(
        project.solution("positional_formula") + ONE_ROW_TOO_MANY, encoding="utf-8")
    own, isolated, submitted = (
        rows("", project.report(*options, "--seed=0", "21")[0]["katas"][0])
        for options in ([f"--work={tmp_path}"], [f"--work={tmp_path}", "--isolated"], [f"--submission={tmp_path}"]))
    assert own == isolated == submitted
    assert "failed" in {outcome for outcome, _ in own.values()}

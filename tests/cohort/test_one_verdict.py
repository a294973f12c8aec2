"""A file gets the same rows in this process, isolated and in a cohort: each check's outcome and mistake."""
import json

import pytest

from grader.calling.limits import CAN_ISOLATE
from grader.course.katas import all_katas
from grader.course.variants import variants
from grader.verdict.mistakes import own_mistakes
from tests.helpers.harness import grade, source_of

KATAS = ("naive_positions", "positional_formula", "shift_matrix", "adding_positions", "stretched_table",
         "embedding_layer", "relative_distances", "transformer_xl", "position_interpolation", "yarn")
pytestmark = pytest.mark.skipif(not CAN_ISOLATE, reason="processes are not forked here")

ONE_ROW_TOO_MANY = "\n_table = positional_encoding\ndef positional_encoding(n, *rest, **named):\n" \
                   "    return _table(n + 1, *rest, **named)\n"


def rows(submission, kata):
    """{(submission, check): its outcome and mistake} from a kata's part of a report."""
    return {(submission, check["check"]): (check["outcome"], check["mistake"]) for check in kata["checks"]}


@pytest.mark.parametrize("kata", [kata for kata in all_katas() if kata.name in KATAS], ids=lambda kata: kata.name)
def test_every_mistake_and_variant_has_the_same_rows_in_process_isolated_and_in_a_cohort(kata, project_with, tmp_path):
    cohort, report, in_process, isolated = tmp_path / "cohort", tmp_path / "report.json", {}, {}
    others = variants(kata.variants)
    for other in [*own_mistakes(kata), *others]:
        submission = f"{type(other).__name__} {other.replaces} {other.name}"
        (cohort / submission).mkdir(parents=True)
        source = source_of(kata, other) if other in others else other.source
        in_process |= rows(submission, grade(kata, source, cohort / submission, isolated=False))
        isolated |= rows(submission, grade(kata, source, cohort / submission))
    project_with(kata.name).run(f"--cohort={cohort}", "--seed=0", f"--report={report}")
    in_cohort = {}
    for one in json.loads(report.read_text(encoding="utf-8"))["submissions"]:
        in_cohort |= rows(one["submission"], one["katas"][0])
    assert isolated == in_process
    assert in_cohort == in_process


def test_a_table_with_one_row_too_many_has_the_same_rows_as_own_work_and_as_a_submission(project, tmp_path):
    (tmp_path / "positional_formula.py").write_text(
        project.solution("positional_formula") + ONE_ROW_TOO_MANY, encoding="utf-8")
    own, submitted = (rows("", project.report(f"{way}={tmp_path}", "--seed=0", "21")[0]["katas"][0])
                      for way in ("--work", "--submission"))
    assert own == submitted
    assert "failed" in {outcome for outcome, _ in own.values()}

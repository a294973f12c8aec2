"""A learner's file that is at fault or talks a lot: its kata gets its line, and the other katas go on."""
import re

import pytest

from grader.calling.limits import CAN_ISOLATE

KATA = "positional_formula"
RETURN = "    return table\n"
FORKED = pytest.mark.skipif(not CAN_ISOLATE, reason="processes are not forked here")


def rows(project, source, *options):
    """Grade a source text in the first kata; return its part of the report, and the run."""
    project.write(KATA, source)
    submission, result = project.report(*options)
    assert "INTERNALERROR" not in result.stdout
    assert submission["katas"][1]["status"] == "todo"       # the neighbour is graded all the same
    return submission["katas"][0], result


def exchanged(project, line, replacement):
    """The right answer with one line changed."""
    source = project.solution(KATA)
    assert source.count(line) == 1
    return source.replace(line, replacement)


def test_a_syntax_error_breaks_its_kata_and_no_other(project):
    kata, result = rows(project, "def frequencies(d_model, base=10000.0):\n    return base **\n")
    assert kata["status"] == "broken"
    assert {c["outcome"] for c in kata["checks"]} == {"error"}
    assert "SyntaxError in line 2" in result.stdout
    assert "broken" in result.stdout


def test_an_endless_loop_is_a_timeout_and_the_rest_goes_on(project):
    kata, _ = rows(project, exchanged(project, RETURN, "    while True: pass\n"), "--time-limit=0.3")
    outcomes = {c["outcome"] for c in kata["checks"] if c["function"] == "positional_encoding"}
    assert outcomes == {"timeout"}
    assert {c["outcome"] for c in kata["checks"] if c["function"] == "frequencies"} == {"passed"}


def test_a_loop_that_swallows_exceptions_is_a_timeout_too(project):
    loop = "    while True:\n        try:\n            len('')\n        except BaseException:\n            pass\n"
    kata, _ = rows(project, exchanged(project, RETURN, loop), "--time-limit=0.2")
    assert "timeout" in {c["outcome"] for c in kata["checks"]}


@pytest.mark.parametrize("isolated", [False, pytest.param(True, marks=FORKED)])
def test_a_file_with_a_loop_at_import_is_broken(project, isolated):
    kata, result = rows(project, "while True:\n    pass\n", "--time-limit=0.3", *["--isolated"] * isolated)
    assert {c["outcome"] for c in kata["checks"]} == {"timeout"}
    assert kata["status"] == "broken"
    assert re.search("[Ll]oading the file(:| it)* took longer than", result.stdout)


@pytest.mark.parametrize("isolated", [False, pytest.param(True, marks=FORKED)])
@pytest.mark.parametrize("text", ["", "\ufeff", "# mine\n\n    # later\n"])
def test_an_empty_file_is_todo(project, text, isolated):
    kata, _ = rows(project, text, *["--isolated"] * isolated)
    assert kata["status"] == "todo"


def test_prints_change_nothing_and_are_shown_where_a_check_fails(project):
    noise = "    print('PASSED', 'x' * 500)\n    return table\n"
    kata, result = rows(project, exchanged(project, RETURN, noise))
    assert kata["status"] == "solved"
    assert "PASSED" not in result.stdout
    noise = "    print('look', max_len)\n    return table + 1\n"
    kata, result = rows(project, exchanged(project, RETURN, noise))
    assert "your code printed: look 5" in result.stdout
    assert result.stdout.count("look") <= 3


def test_a_process_that_is_lost_leaves_the_words_of_earlier_failures(project):
    halves = "np.concatenate([table[:, 0::2], table[:, 1::2]], axis=1)"
    end = f"    if max_len == 513:\n        import os; os._exit(3)\n    return {halves}\n"
    kata, _ = rows(project, exchanged(project, RETURN, end), "-n", "1")
    checks = {c["check"]: c for c in kata["checks"]}
    assert checks["test_far_positions_are_as_exact_as_near_ones"]["outcome"] == "not_run"
    failed = [c for c in kata["checks"] if c["outcome"] == "failed"]
    assert len(failed) > 8
    assert {c["mistake"] for c in failed} == {"halves_not_interleaved"}
    assert all("all sines first, then all cosines" in " ".join(c["message"].split()) for c in failed)


def test_warnings_change_nothing(project):
    noise = "    import warnings; warnings.warn('careful'); np.log(np.zeros(1))\n    return table\n"
    kata, result = rows(project, exchanged(project, RETURN, noise))
    assert kata["status"] == "solved"
    assert "careful" not in result.stdout

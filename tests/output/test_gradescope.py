"""What Gradescope reads fits its documents, and the examples for services do what they say."""
import json
import math
import os
import re
import shutil
import subprocess

import pytest

from grader.course.katas import ROOT
from tests.helpers.results import HIDDEN, check, checks, hostile_run, kata, run_of, submission, written

EXAMPLES = ROOT / ".github" / "examples"
NUMBER = (int, float)
VISIBILITY = ("hidden", "after_due_date", "after_published", "visible")
FORMAT = ("text", "simple_format", "html", "md", "ansi")

# https://gradescope-autograders.readthedocs.io/en/latest/specs/ under "Output format", "Test case status" and
# "Output String Formatting": {key: type or allowed values}. All keys are optional but for the score, which is
# given for the whole or for every test.
GRADESCOPE = {
    "score": NUMBER, "execution_time": NUMBER, "output": str, "output_format": FORMAT,
    "test_output_format": FORMAT, "test_name_format": FORMAT, "visibility": VISIBILITY,
    "stdout_visibility": VISIBILITY, "extra_data": dict, "tests": list, "leaderboard": list,
}
GRADESCOPE_TEST = {
    "score": NUMBER, "max_score": NUMBER, "status": ("passed", "failed"), "name": str, "name_format": FORMAT,
    "number": str, "output": str, "output_format": FORMAT, "tags": list, "visibility": VISIBILITY,
    "extra_data": dict,
}

def assert_fits(content, schema, required=()):
    """The dict has the required keys, none that the schema lacks, and values of its types."""
    assert set(required) <= set(content) <= set(schema)
    for key, value in content.items():
        wanted = schema[key]
        if isinstance(wanted, tuple) and isinstance(wanted[0], str):
            assert value in wanted, key
        else:
            assert isinstance(value, wanted), key
            assert not isinstance(value, bool), key
            assert not isinstance(value, float) or math.isfinite(value), key


def assert_is_gradescope(content):
    """The document is a results.json."""
    assert_fits(content, GRADESCOPE, ("score", "tests"))
    for test in content["tests"]:
        assert_fits(test, GRADESCOPE_TEST, ("name", "score", "max_score", "status", "output"))
        assert 0 <= test["score"] <= test["max_score"]
    assert sum(test["score"] for test in content["tests"]) == content["score"]


def example():
    """A submission with a kata of every status."""
    failed = check("test_a", "failed", "f(x)\n  Wrong.", "swapped")
    return run_of(submission("ada", [
        kata("order_blindness", checks(4)),
        kata("positional_formula", [*checks(2), failed, *checks(0, 2)]),
        kata("alibi_bias", checks(0, 0, 3)),
        kata("rope_rotation", [check("test_a", "error", "rope.py\n  SyntaxError")], broken=True),
    ]))


def document(run):
    """What a run writes for Gradescope, which is ASCII."""
    return json.loads(written("gradescope", run).encode("ascii"))


def test_gradescope_gets_a_test_per_kata_and_every_kata_counts_the_same():
    content = document(example())
    assert_is_gradescope(content)
    assert [(t["name"], t["score"], t["max_score"], t["status"]) for t in content["tests"]] == [
        ("order_blindness", 25, 25, "passed"), ("positional_formula", 10, 25, "failed"),
        ("alibi_bias", 0, 25, "failed"), ("rope_rotation", 0, 25, "failed")]
    assert content["score"] == 35
    assert content["output"] == "1 of 4 katas are solved, and 6 of 13 checks pass."
    assert content["tests"][1]["output"] == (
        "test_a: failed. 2 more checks fail.\nMistake: swapped\nf(x)\n  Wrong.")


@pytest.mark.parametrize(("submissions", "why"), [
    ([], "this run has 0"), ([submission("ada", [])] * 2, "this run has 2"),
    ([submission("ada", [kata("alibi_bias", [check("test_a", "not_run")])])], "not every kata was graded"),
])
def test_gradescope_takes_one_submission_that_was_graded(submissions, why):
    with pytest.raises(ValueError, match=why):
        document(run_of(*submissions))


def test_hostile_texts_fit_the_document_hide_nothing_and_are_not_taken_for_html_or_markdown():
    for one in hostile_run().submissions:
        content = document(run_of(one))
        assert_is_gradescope(content)
        assert content["output_format"] == "text"
        for test in content["tests"]:
            assert test["name_format"] == test["output_format"] == "text"
            for text in (value for value in test.values() if isinstance(value, str)):
                assert not HIDDEN.search(text)
                assert len(text) < 12_000


# The examples; tests/project/test_services.py runs them with a real grading

needs_bash = pytest.mark.skipif(os.name == "nt" or not shutil.which("bash"), reason="the example is for bash")


def program(path, *lines):
    """Write a program for a shell."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(["#!/bin/sh", *lines, ""]), encoding="utf-8")
    path.chmod(0o755)


@needs_bash
@pytest.mark.parametrize(("status", "writes", "done"), [(0, True, 0), (1, True, 0), (4, True, 1), (1, False, 1)])
def test_the_gradescope_example_is_done_when_there_are_results_of_this_run(tmp_path, status, writes, done):
    for folder in ("source", "results", "submission"):
        (tmp_path / folder).mkdir()
    results = tmp_path / "results" / "results.json"
    results.write_text("of an earlier run", encoding="utf-8")
    write = f"echo '{{}}' > {results}" if writes else ""
    program(tmp_path / "venv" / "bin" / "python", 'echo "$@" > args', write, f"exit {status}")
    text = (EXAMPLES / "gradescope" / "run_autograder").read_text(encoding="utf-8")
    text = text.replace("/autograder/", f"{tmp_path}/").replace('\nPOINTS=""', '\nPOINTS="100"')
    assert subprocess.run(["bash", "-c", text], capture_output=True, timeout=30).returncode == done
    assert (tmp_path / "source" / "args").read_text(encoding="utf-8").split() == [
        "-m", "pytest", "--points=100", f"--submission={tmp_path}/submission", "--isolated", f"--gradescope={results}"]


@needs_bash
def test_the_scripts_are_executable_and_bash_can_read_them():
    for name in ("setup.sh", "run_autograder"):
        path = EXAMPLES / "gradescope" / name
        assert os.access(path, os.X_OK)
        assert subprocess.run(["bash", "-n", path], timeout=30).returncode == 0


@needs_bash
def test_no_forged_command_runs_in_the_step_of_the_workflow(tmp_path):
    """The lines behind `run: |`, with a program in place of Python that prints a forged notice and ends with 1."""
    workflow = (EXAMPLES / "github-actions" / "grading.yml").read_text(encoding="utf-8")
    body = re.search(r"working-directory: grader\n        run: \|\n((?: {10}.*\n)+)", workflow)[1]
    program(tmp_path / "bin" / "python", '[ "$1" = -c ] && echo 0123abcd && exit', "echo ::notice::forged", "exit 1")
    env = os.environ | {"PATH": f"{tmp_path}/bin:{os.environ['PATH']}", "GITHUB_STEP_SUMMARY": "summary"}
    done = subprocess.run(["bash", "-e", "-c", body], cwd=tmp_path, env=env, capture_output=True, encoding="utf-8",
                          timeout=30)
    assert done.returncode == 1
    assert done.stdout.split() == ["::stop-commands::0123abcd", "::notice::forged", "::0123abcd::"]
    assert (tmp_path / "summary").read_text(encoding="utf-8") == "    ::notice::forged\n"

"""What Gradescope reads fits its documents, and the examples for services do what they say."""
import json
import math
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from grader.course.katas import ROOT
from grader.output.gradescope import gradescope, write
from tests.helpers.results import (
    HIDDEN,
    check,
    checks,
    hostile_run,
    kata,
    run_of,
    submission,
)

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


def one_by_one():
    """A hostile submission at a time."""
    return [run_of(one) for one in hostile_run().submissions]


def test_gradescope_gets_a_test_per_kata_and_every_kata_counts_the_same():
    content = gradescope(example())
    assert_is_gradescope(content)
    assert [(t["name"], t["score"], t["max_score"], t["status"]) for t in content["tests"]] == [
        ("order_blindness", 25, 25, "passed"), ("positional_formula", 10, 25, "failed"),
        ("alibi_bias", 0, 25, "failed"), ("rope_rotation", 0, 25, "failed")]
    assert content["score"] == 35
    assert content["output"] == "1 of 4 katas are solved, and 6 of 13 checks pass."
    assert content["tests"][1]["output"] == (
        "test_a: failed. 2 more checks fail.\nMistake: swapped\nf(x)\n  Wrong.")


@pytest.mark.parametrize("count", [0, 2])
def test_gradescope_takes_one_submission(count):
    with pytest.raises(ValueError, match=f"this run has {count}"):
        gradescope(run_of(*[submission("ada", [])] * count))


def test_hostile_submissions_fit_the_document_too():
    for one in one_by_one():
        assert_is_gradescope(gradescope(one))


def test_no_text_is_taken_for_html_or_markdown():
    content = gradescope(run_of(hostile_run().submissions[0]))
    assert content["output_format"] == "text"
    assert all(t["name_format"] == t["output_format"] == "text" for t in content["tests"])


def test_no_text_hides_anything():
    for one in one_by_one():
        for test in gradescope(one)["tests"]:
            for text in (value for value in test.values() if isinstance(value, str)):
                assert not HIDDEN.search(text)
                assert len(text) < 12_000


def test_the_file_is_ascii_json(tmp_path):
    for one in one_by_one():
        write(tmp_path / "results.json", one)
        assert json.loads((tmp_path / "results.json").read_text(encoding="ascii")) == gradescope(one)


def run_autograder(tmp_path, python, katas="", points=""):
    """Run the example's script in a folder in place of /autograder, with a program in place of Python."""
    for folder in ("source", "results", "submission", "venv/bin"):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
    program = tmp_path / "venv" / "bin" / "python"
    program.write_text(f"#!/bin/sh\n{python}\n", encoding="utf-8")
    program.chmod(0o755)
    text = (EXAMPLES / "gradescope" / "run_autograder").read_text(encoding="utf-8")
    script = tmp_path / "run_autograder"
    for name, value in (("KATAS", katas), ("POINTS", points)):
        assert f'\n{name}=""' in text
        text = text.replace(f'\n{name}=""', f'\n{name}="{value}"')
    script.write_text(text.replace("/autograder/", f"{tmp_path}/"), encoding="utf-8")
    return subprocess.run(["bash", script], capture_output=True, encoding="utf-8", timeout=30)


needs_bash = pytest.mark.skipif(os.name == "nt" or not shutil.which("bash"), reason="the example is for bash")


@needs_bash
def test_the_gradescope_example_is_done_when_there_are_results(tmp_path):
    results = tmp_path / "results" / "results.json"
    written = f"echo \"$@\" > {tmp_path}/args; pwd > {tmp_path}/cwd; echo '{{}}' > {results}"
    for status in (0, 1):
        assert run_autograder(tmp_path, f"{written}; exit {status}").returncode == 0
    assert (tmp_path / "args").read_text(encoding="utf-8").split() == [
        "-m", "pytest", f"--submission={tmp_path}/submission", "--isolated",
        f"--gradescope={results}"]
    assert Path((tmp_path / "cwd").read_text(encoding="utf-8").strip()).samefile(tmp_path / "source")
    assert run_autograder(tmp_path, f"{written}; exit 4").returncode == 1
    assert run_autograder(tmp_path, "exit 1").returncode == 1     # results of an earlier run do not count


@needs_bash
def test_the_gradescope_example_can_grade_some_katas_and_scale_the_points(tmp_path):
    written = f"echo \"$@\" > {tmp_path}/args; echo '{{}}' > {tmp_path}/results/results.json"
    assert run_autograder(tmp_path, written, katas="21 22", points="100").returncode == 0
    assert (tmp_path / "args").read_text(encoding="utf-8").split()[:5] == ["-m", "pytest", "21", "22", "--points=100"]


@needs_bash
def test_the_scripts_are_executable_and_bash_can_read_them():
    for name in ("setup.sh", "run_autograder"):
        path = EXAMPLES / "gradescope" / name
        assert os.access(path, os.X_OK)
        assert subprocess.run(["bash", "-n", path], timeout=30).returncode == 0


def workflow():
    """The text of the example for GitHub Actions."""
    return (EXAMPLES / "github-actions" / "grading.yml").read_text(encoding="utf-8")


@needs_bash
def test_the_step_of_the_workflow_shows_the_scoreboard_and_no_forged_command_runs(tmp_path):
    """The lines behind `run: |`, with a program in place of Python that prints a forged notice and ends with 1."""
    body = re.search(r"working-directory: grader\n        run: \|\n((?: {10}.*\n)+)", workflow())[1]
    (tmp_path / "grader").mkdir()
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "python"
    program.write_text("#!/bin/sh\nif [ \"$1\" = -c ]; then echo 0123abcd; exit; fi\necho ::notice::forged\nexit 1\n",
                       encoding="utf-8")
    program.chmod(0o755)
    summary = tmp_path / "summary"
    env = os.environ | {"PATH": f"{tmp_path}/bin:{os.environ['PATH']}", "GITHUB_STEP_SUMMARY": str(summary)}
    done = subprocess.run(["bash", "-e", "-c", body], cwd=tmp_path / "grader", env=env, capture_output=True,
                          encoding="utf-8", timeout=30)
    assert done.returncode == 1
    assert done.stdout.split() == ["::stop-commands::0123abcd", "::notice::forged", "::0123abcd::"]
    assert summary.read_text(encoding="utf-8") == "    ::notice::forged\n"

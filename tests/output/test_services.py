"""What Gradescope and GitHub Classroom read: it fits their documents, and no learner's text commands them."""
import base64
import json
import math
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from grader.course.katas import ROOT
from grader.output.services import classroom, classroom_output, gradescope, inert, write_classroom, write_gradescope
from tests.helpers.reports import HIDDEN, HOSTILE, check, checks, classroom_of, hostile_report, kata, report, submission

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

# https://github.com/classroom-resources/autograding-grading-reporter (README.md, src/main.js,
# src/notify-classroom.js): base64 of JSON in the variable [RUNNER]_RESULTS; and the keys that runners give:
# https://github.com/classroom-resources/autograding-io-grader (src/main.js).
STATUS = ("pass", "fail", "error")
CLASSROOM = {"version": int, "status": STATUS, "max_score": NUMBER, "tests": list}
CLASSROOM_TEST = {
    "name": str, "status": STATUS, "message": (str, type(None)), "test_code": str, "filename": str,
    "line_no": int, "duration": NUMBER, "score": NUMBER,
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


def assert_is_classroom(content):
    """The document is what a runner gives to the reporter."""
    assert_fits(content, CLASSROOM, CLASSROOM)
    for test in content["tests"]:
        assert_fits(test, CLASSROOM_TEST, CLASSROOM_TEST)
    assert 0 <= sum(test["score"] for test in content["tests"]) <= content["max_score"]


def example():
    """A submission with a kata of every status."""
    failed = check("test_a", "failed", "f(x)\n  Wrong.", "swapped")
    return report(submission("ada", [
        kata("order_blindness", checks(4)),
        kata("positional_formula", [*checks(2), failed, *checks(0, 2)]),
        kata("alibi_bias", checks(0, 0, 3)),
        kata("rope_rotation", [check("test_a", "error", "rope.py\n  SyntaxError")], "broken"),
    ]))


def one_by_one():
    """A hostile submission at a time."""
    return [report(one) for one in hostile_report()["submissions"]]


def test_gradescope_gets_a_test_per_kata_with_its_checks_as_points():
    content = gradescope(example())
    assert_is_gradescope(content)
    assert [(t["name"], t["score"], t["max_score"], t["status"]) for t in content["tests"]] == [
        ("order_blindness", 4, 4, "passed"), ("positional_formula", 2, 5, "failed"),
        ("alibi_bias", 0, 3, "failed"), ("rope_rotation", 0, 1, "failed")]
    assert content["score"] == 6
    assert content["output"] == "1 of 4 katas are solved, and 6 of 13 checks pass."
    assert content["tests"][1]["output"] == (
        "test_a: failed. 2 more checks fail.\nMistake: swapped\nf(x)\n  Wrong.")


def test_classroom_gets_a_test_per_kata_and_shows_what_is_wrong():
    content = classroom(example())
    assert_is_classroom(content)
    assert (content["status"], content["max_score"]) == ("fail", 13)
    assert [(t["name"], t["status"], t["score"]) for t in content["tests"]] == [
        ("order_blindness", "pass", 4), ("positional_formula", "fail", 2), ("alibi_bias", "fail", 0),
        ("rope_rotation", "error", 0)]
    assert "Wrong." in content["tests"][1]["test_code"]   # of a failure the reporter shows only this,
    assert "SyntaxError" in content["tests"][3]["message"]   # and of an error only that


def test_classroom_passes_only_when_every_check_did_and_there_was_one():
    solved = submission("ada", [kata("alibi_bias", checks(3))])
    assert classroom(report(solved))["status"] == "pass"
    assert classroom(report(submission("ada", [])))["status"] == "error"
    assert classroom(report(submission("ada", [kata("alibi_bias", [])])))["status"] == "fail"


@pytest.mark.parametrize("text", ["\u674e", "\\", '"', "##[", "\U0001f600", "\x1b"])
def test_the_output_line_is_the_document_in_base64_and_fits_into_a_variable(text):
    for learner in classroom_of(12, 26)["submissions"]:
        for one in learner["katas"]:
            one["file"] = text * 500
            for row in one["checks"]:
                row["message"] = "\n".join([text * 200] * 50)
        line = classroom_output(report(learner))
        assert re.fullmatch(r"result=[A-Za-z0-9+/]+=*", line)
        assert json.loads(base64.b64decode(line.removeprefix("result="))) == classroom(report(learner))
        assert len(line) < 131_072 - 100               # what Linux takes as one environment variable


@pytest.mark.parametrize("service", [gradescope, classroom])
def test_a_service_takes_one_submission(service):
    for count in (0, 2):
        with pytest.raises(ValueError, match=f"this run has {count}"):
            service(report(*[submission("ada", [])] * count))


def test_hostile_submissions_fit_the_documents_too():
    for one in one_by_one():
        assert_is_gradescope(gradescope(one))
        assert_is_classroom(classroom(one))


def test_no_text_is_taken_for_html_or_markdown():
    content = gradescope(hostile_report() | {"submissions": hostile_report()["submissions"][:1]})
    assert content["output_format"] == "text"
    assert all(t["name_format"] == t["output_format"] == "text" for t in content["tests"])


def test_no_text_hides_anything():
    for one in one_by_one():
        for content in (gradescope(one), classroom(one)):
            for test in content["tests"]:
                for text in filter(None, (v for v in test.values() if isinstance(v, str))):
                    assert not HIDDEN.search(text)
                    assert len(text) < 12_000


def test_a_log_with_the_texts_has_no_commands():
    """The runner trims a line and obeys what starts with ::, and ##[ anywhere in it."""
    notice = "a\n  ::notice title=Autograding report::{}"
    for text in (*HOSTILE, notice, "::stop-commands::x", "\u00a0::x", "\t::x", ":::x", "x ##[x]"):
        rows = [check(text, "failed", text, text), check("test_b", "error", text, text)]
        one = report(submission(text, [kata("alibi_bias", rows), kata("alibi", rows[1:], "broken")]))
        one["submissions"][0]["katas"][1]["file"] = text
        for test in classroom(one)["tests"]:
            log = "\n".join(str(value) for value in test.values())
            assert not [line for line in log.splitlines() if line.strip().startswith("::")]
            assert "##[" not in log


def test_what_is_no_command_stays_as_it_is():
    assert inert("a::b\n  x[::2]\n# [x]") == "a::b\n  x[::2]\n# [x]"


def test_the_files_are_ascii_json(tmp_path):
    for write, make in ((write_gradescope, gradescope), (write_classroom, classroom)):
        for one in one_by_one():
            write(tmp_path / "results.json", one)
            assert json.loads((tmp_path / "results.json").read_text(encoding="ascii")) == make(one)


def run_autograder(tmp_path, python):
    """Run the example's script in a folder in place of /autograder, with a program in place of Python."""
    for folder in ("source", "results", "submission", "venv/bin"):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
    program = tmp_path / "venv" / "bin" / "python"
    program.write_text(f"#!/bin/sh\n{python}\n", encoding="utf-8")
    program.chmod(0o755)
    text = (EXAMPLES / "gradescope" / "run_autograder").read_text(encoding="utf-8")
    script = tmp_path / "run_autograder"
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
def test_the_scripts_are_executable_and_bash_can_read_them():
    for name in ("setup.sh", "run_autograder"):
        path = EXAMPLES / "gradescope" / name
        assert os.access(path, os.X_OK)
        assert subprocess.run(["bash", "-n", path], timeout=30).returncode == 0


def workflow():
    """The text of the example's workflow."""
    return (EXAMPLES / "classroom" / "autograding.yml").read_text(encoding="utf-8")


def test_the_workflow_has_the_names_that_the_reporter_wants():
    """README.md of the reporter: the names of workflow and job, and [RUNNER]_RESULTS for each runner."""
    assert re.findall(r"^name: (.*)$", workflow(), re.MULTILINE) == ["Autograding Tests"]
    assert re.findall(r"^  ([\w-]+):$", workflow(), re.MULTILINE) == ["run-autograding-tests"]
    (runner,) = re.findall(r"runners: (\w+)$", workflow(), re.MULTILINE)
    assert workflow().count(f"id: {runner}\n") == 1
    assert f'{runner.upper()}_RESULTS: "${{{{ steps.{runner}.outputs.result }}}}"' in workflow()


@needs_bash
def test_the_step_of_the_workflow_hands_over_the_document(tmp_path):
    """The lines behind `run: |`, with a program in place of Python that prints a forged notice."""
    body = re.search(r"working-directory: grader\n        run: \|\n((?: {10}.*\n)+)", workflow())[1]
    (tmp_path / "grader").mkdir()
    (tmp_path / "bin").mkdir()
    write_classroom(tmp_path / "ready.json", example())
    program = tmp_path / "bin" / "python"
    program.write_text(f"#!/bin/sh\nif [ \"$1\" = -c ]; then echo 0123abcd; exit; fi\necho ::notice::forged\n"
                       f"cp {tmp_path}/ready.json ../classroom.json\nexit 1\n", encoding="utf-8")
    program.chmod(0o755)
    path = f"{tmp_path}/bin:{os.environ['PATH']}"
    env = os.environ | {"PATH": path, "GITHUB_OUTPUT": str(tmp_path / "output")}
    done = subprocess.run(["bash", "-e", "-c", body], cwd=tmp_path / "grader", env=env, capture_output=True,
                          encoding="utf-8", timeout=30)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["::stop-commands::0123abcd", "::notice::forged", "::0123abcd::"]
    (line,) = (tmp_path / "output").read_text(encoding="utf-8").splitlines()
    assert json.loads(base64.b64decode(line.removeprefix("result="))) == classroom(example())

"""What SERVICES.md and its examples tell services to run gives right results, with other folders in place of theirs."""
import ast
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from xml.etree import ElementTree

import pytest

from grader.course.katas import ROOT
from tests.helpers.project import Project

GUIDE = (ROOT / ".github" / "SERVICES.md").read_text(encoding="utf-8")
KATA = "positional_formula"
pytestmark = pytest.mark.skipif(os.name == "nt", reason="the services run Linux")
needs_bash = pytest.mark.skipif(not shutil.which("bash"), reason="the example is for bash")

# https://github.com/foundation50/classroom50/blob/main/schemas/result-v1.schema.json: the keys that are required, and
# what their values look like
CLASSROOM_50 = {
    "schema": "classroom50/result/v1", "classroom": ".+", "assignment": ".+", "assignment_type": "individual|group",
    "owner": ".+", "submission": "submit/.*", "commit": ".+", "release": ".+", "review": ".+",
    "datetime": r"\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ", "score": r"\d+", "max-score": r"\d+",
    "tests": ".*",
}
SET_BY_CLASSROOM_50 = {
    "CLASSROOM": "spring", "ASSIGNMENT": "katas", "ASSIGNMENT_TYPE": "individual", "OWNER": "ada",
    "SUBMISSION_TAG": "submit/2026-09-01T10-00-00Z-0123abc", "COMMIT_URL": "https://github.com/x/y/commit/0123abc",
    "RELEASE_URL": "https://github.com/x/y/releases/tag/z", "REVIEW_URL": "https://github.com/x/y/compare/a...b",
}


@pytest.fixture
def service(tmp_path):
    """What a service provides."""
    return Service(tmp_path)


class Service:
    """The parts of the project in a folder `katas`, a learner's folder, and programs that both can use."""

    def __init__(self, root):
        self.root, self.student = root, root / "student"
        for folder in ("katas", "student", "bin"):
            (root / folder).mkdir()
        for name, arguments in (("pytest", " -m pytest"), ("python", ""), ("python3", "")):
            program = root / "bin" / name
            program.write_text(f'#!/bin/sh\nexec "{sys.executable}"{arguments} "$@"\n', encoding="utf-8")
            program.chmod(0o755)
        self.project = Project(root / "katas", KATA, "similarity_matrix")
        self.right = self.project.solution(KATA)
        self.half = self.right.replace("= np.sin(angles)", "= np.cos(angles)")         # `frequencies` is still right

    def hand_in(self, text):
        (self.student / f"{KATA}.py").write_text(text, encoding="utf-8")

    def run(self, *command, **environment):
        """Run a command in the learner's folder."""
        own = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "PYTHON", "KATAS"))}
        return subprocess.run(
            command, cwd=self.student, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=60,
            env=own | {"PATH": f"{self.root / 'bin'}{os.pathsep}{os.environ['PATH']}"} | environment)

    def script(self, name, replaced):
        """Put an example into the project's folder, with some texts replaced."""
        text = (ROOT / ".github" / "examples" / name).read_text(encoding="utf-8")
        for old, new in replaced.items():
            assert old in text
            text = text.replace(old, new)
        path = self.project.root / name.split("/")[1]
        path.write_text(text, encoding="utf-8")
        return str(path)

    def counted(self, report):
        """{name: (passed, total)} of the katas of a report."""
        (submission,) = json.loads(report.read_text(encoding="utf-8"))["submissions"]
        return {kata["kata"]: (kata["passed"], kata["total"]) for kata in submission["katas"]}


def block(title, language):
    """The code of a section."""
    section = GUIDE[GUIDE.index(f"\n## {title}\n"):].split("\n## ")[1]
    (code,) = re.findall(rf"^```{language}\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)
    return code


def test_every_section_says_what_was_tried_and_what_was_only_read():
    for section in GUIDE.split("\n## ")[1:]:
        assert "\n- Tried: " in section
        assert re.search(r"\n- Only read: [^-]*\(https://", section)


def test_the_guide_names_every_example():
    for folder in (ROOT / ".github" / "examples").iterdir():
        assert f"(examples/{folder.name})" in GUIDE
        assert all(f"`{path.name}`" in GUIDE for path in folder.iterdir())


@needs_bash
def test_the_script_for_gradescope_grades_the_katas_it_names(service):
    service.hand_in(service.half)
    (service.root / "results").mkdir()
    script = service.script("gradescope/run_autograder", {
        'KATAS=""': 'KATAS="21"', "/autograder/source": str(service.project.root),
        "/autograder/venv/bin/python": "python", "/autograder/submission": str(service.student),
        "/autograder/results": str(service.root / "results")})
    done = service.run("bash", script)
    assert done.returncode == 0, done.stderr
    content = json.loads((service.root / "results" / "results.json").read_text(encoding="utf-8"))
    (test,) = content["tests"]
    assert test["name"] == KATA
    assert 0 < test["score"] < test["max_score"]


@needs_bash
def test_the_step_for_github_actions_fails_with_the_scoreboard_as_its_summary(service):
    service.hand_in(service.half)
    (service.root / "submission").mkdir()
    service.student.rename(service.root / "submission" / "katas")
    service.student = service.project.root
    workflow = (ROOT / ".github" / "examples" / "github-actions" / "grading.yml").read_text(encoding="utf-8")
    (step,) = re.findall(r"working-directory: grader\n        run: \|\n((?: {10}.*\n)+)", workflow)
    summary = service.root / "summary.md"
    done = service.run("bash", "-e", "-c", step, GITHUB_STEP_SUMMARY=str(summary))
    assert done.returncode == 1
    (line,) = (line for line in summary.read_text(encoding="utf-8").splitlines() if f"{KATA}.py" in line)
    passed, total = service.counted(service.root / "report.json")[KATA]
    assert 0 < passed < total
    assert line.split()[:2] == ["started", f"{passed}/{total}"]


class TestPrairieLearn:
    """The script for PrairieLearn."""

    @pytest.fixture
    def graded(self, service):
        """A function that runs the script for these katas; the result has `results`, if there is a file of results."""
        def graded(katas):
            script = service.script("prairielearn/grade.py", {
                'KATAS = ["21"]': f"KATAS = {katas}", '"/grade/results"': f'"{service.root}/results"',
                "/grade/student": str(service.student)})
            # the image for Python that PrairieLearn provides sets PYTHONPATH like this
            done = service.run("python3", script, PYTHONPATH=str(service.root))
            path = service.root / "results" / "results.json"
            done.results = json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
            return done
        return graded

    def test_every_kata_counts_the_same(self, service, graded):
        service.hand_in(service.right)
        results = graded(["21", "22"]).results
        assert results["score"] == 0.5
        assert [(test["name"], test["points"], test["max_points"]) for test in results["tests"]] == [
            (KATA, 1, 1), ("similarity_matrix", 0, 1)]

    def test_part_of_a_kata_gives_a_part_of_its_point(self, service, graded):
        service.hand_in(service.half)
        results = graded(["21"]).results
        passed, total = service.counted(service.root / "results" / "report.json")[KATA]
        assert 0 < passed < total
        assert results["score"] == passed / total
        assert f"{passed}/{total}" in results["output"]
        assert results["tests"][0]["output"].startswith("test_position_zero_is_zeros_and_ones: failed\n")

    def test_without_a_grading_there_are_no_results(self, service, graded):
        service.hand_in(service.right)
        done = graded(["99"])
        assert done.returncode > 1
        assert done.results is None

    def test_the_settings_of_the_guide_are_json(self):
        settings = json.loads("{" + block("PrairieLearn", "json") + "}")["externalGradingOptions"]
        assert settings["entrypoint"].endswith("/katas/grade.py")
        assert os.access(ROOT / ".github" / "examples" / "prairielearn" / "grade.py", os.X_OK)


class TestClassroom50:
    """The script for Classroom 50."""

    @pytest.fixture
    def graded(self, service):
        """A function that runs the script for these katas; the result has `content`, if there is a result.json."""
        def graded(katas, pip=False):
            no_pip = {} if pip else {'"-m", "pip", "install"': '"-c", "pass"'}
            script = service.script("classroom50/autograder.py", {'KATAS = ["21"]': f"KATAS = {katas}"} | no_pip)
            done = service.run("python3", script, PIP_NO_INDEX="1", **SET_BY_CLASSROOM_50)
            path = service.student / "result.json"
            done.content = json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
            return done
        return graded

    def test_the_result_fits_the_schema(self, service, graded):
        service.hand_in(service.right)
        done = graded(["21", "22"])
        assert done.returncode == 0
        assert list(done.content) == list(CLASSROOM_50)
        for key, value in done.content.items():
            assert re.fullmatch(CLASSROOM_50[key], str(value)), key
        assert done.content["tests"] == [
            {"test-name": KATA, "passed": True, "score": 100, "max-score": 100},
            {"test-name": "similarity_matrix", "passed": False, "score": 0, "max-score": 100}]
        assert (done.content["score"], done.content["max-score"]) == (100, 200)

    def test_part_of_a_kata_gives_whole_points_and_is_not_passed(self, service, graded):
        service.hand_in(service.half)
        (test,) = graded(["21"]).content["tests"]
        assert type(test["score"]) is int
        assert 0 < test["score"] < 100
        assert test["passed"] is False

    def test_the_page_shows_the_scoreboard_and_no_forged_command_runs(self, service, graded):
        service.hand_in("def frequencies(*args, **kwargs):\n    raise ValueError('x\\n::notice::forged')\n")
        done = graded(["21"])
        page = (service.student / "release-body.md").read_text(encoding="utf-8")
        assert page.rstrip() == done.stdout.rstrip()
        assert "::notice::forged" in page
        assert all(line.startswith("    ") for line in page.splitlines() if line)

    @pytest.mark.skipif(not importlib.util.find_spec("pip"), reason="pip is not installed here")
    def test_nothing_of_the_learner_runs_outside_the_worker(self, service, graded):
        service.hand_in(service.right)
        for name in ("pip", "pytest", "numpy", "json", "conftest", "sitecustomize"):
            (service.student / f"{name}.py").write_text(f"open(r'{service.root}/forged', 'w')\n", encoding="utf-8")
        assert graded(["21"], pip=True).content["score"] == 100
        assert not (service.root / "forged").exists()

    def test_without_a_grading_there_is_no_result(self, service, graded):
        service.hand_in(service.right)
        done = graded(["99"])
        assert done.returncode > 1
        assert done.content is None


def test_the_command_for_codegrade_writes_a_test_for_each_check(service):
    service.hand_in(service.half)
    file, report = service.root / "junit.xml", service.root / "report.json"
    command = block("CodeGrade", "sh").rstrip() + f" --report={report}"
    done = service.run("sh", "-c", command, FIXTURES=str(service.root), CG_JUNIT_XML_LOCATION=str(file))
    assert done.returncode == 1
    tests = ElementTree.parse(file).findall(".//testcase")
    passed, total = service.counted(report)[KATA]
    assert len(tests) == total
    assert sum(test.find("failure") is None for test in tests) == passed


@pytest.mark.parametrize("answer", ["right", "half"])
def test_the_template_for_coderunner_prints_the_fraction(service, answer):
    text = getattr(service, answer)
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    template, placeholder = block("Moodle CodeRunner", "python"), "{{ STUDENT_ANSWER | e('py') }}"
    assert template.count(placeholder) == 1
    program = template.replace(placeholder, escaped).replace("/srv/katas", str(service.project.root))
    done = service.run("python3", "-c", program)
    assert done.stderr == ""
    printed = json.loads(done.stdout)
    assert (service.student / f"{KATA}.py").read_text(encoding="utf-8") == text
    passed, total = service.counted(service.student / "report.json")[KATA]
    assert printed["fraction"] == passed / total
    assert (printed["fraction"] == 1) == (answer == "right")
    assert f"{passed}/{total}" in printed["testresults"][1][0]


@pytest.mark.parametrize("answer", ["right", "half"])
def test_the_cell_for_nbgrader_has_the_points_as_its_value(service, answer, monkeypatch):
    service.hand_in(getattr(service, answer))
    forged = {"submissions": [{"katas": [{"passed": 1, "total": 1}]}]}
    (service.student / "report.json").write_text(json.dumps(forged), encoding="utf-8")
    *statements, value = ast.parse(block("nbgrader", "python").replace("/srv/katas", str(service.project.root))).body
    monkeypatch.chdir(service.student)
    names = {}
    exec(compile(ast.Module(statements, []), "cell", "exec"), names)
    points = eval(compile(ast.Expression(value.value), "cell", "eval"), names)
    passed, total = service.counted(service.student / "report.json")[KATA]
    assert points == 10 * passed / total
    assert (points == 10) == (answer == "right")

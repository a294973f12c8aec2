"""Every command of README and the guides runs, every option is in the help, and options that exclude each other say so.

A command is found by itself, in blocks and inline. It runs as it stands, in a copy of the project; one that cannot is
named below with the reason.
"""
import json
import os
import re
import shutil
import signal
import subprocess
import sys

import pytest

from grader.course.katas import ROOT, all_katas
from grader.output.files import OUTPUTS
from tests.helpers.project import EXTRAS, Project

DOCUMENTS = ("README.md", "katas/README.md",
             *(f".github/{path.name}" for path in sorted((ROOT / ".github").glob("*.md"))))
PROGRAMS = ("pytest", "ptw", "pytest-watcher", "python", "python3", "py", "pip", "uv", "sh", "docker", "git", "cd",
            "cp", "rm", "mkdir", "source", "export", "set")
ENVIRONMENT = "sets up an environment; .ci/run runs the blocks of README that do"
DOWNLOAD = "needs a network; tried by hand"
THE_TESTS = "needs the project's own tests, which the copy does not have"
SERVICE = "needs folders that a service provides; tests/project/test_services.py runs it"
WATCHED = "runs until it is stopped; tests/run/test_watching.py starts it and saves a file"
NOT_RUN = {
    "sh .setup && . .venv/bin/activate && pytest": ENVIRONMENT,
    "sh .setup ruff mypy pytest-xdist jinja2 matplotlib pytest-watcher nbclient ipykernel && "
    ".venv/bin/python -m pytest -n 2 tests": ENVIRONMENT,
    ". .venv/bin/activate": ENVIRONMENT,
    "UPDATE_PICTURES=1 python -m pytest tests/katas/test_pictures.py": THE_TESTS,
    "UPDATE_MESSAGES=1 python -m pytest tests/verdict/test_messages.py": THE_TESTS,
    "python -m pytest -n 2 tests/katas/test_katas.py -k 21_positional_formula": THE_TESTS,
    "python -m pytest tests/katas/test_katas.py tests/katas/test_texts.py -k 21": THE_TESTS,
    "python tests/benchmarks/measure_strength.py positional_formula": THE_TESTS,
    "python tests/benchmarks/measure_seeds.py positional_formula": THE_TESTS,
    "python tests/benchmarks/names.py --list positional_formula": THE_TESTS,
    "py -m venv .venv": "Windows",
    r".venv\Scripts\activate": "Windows",
    "pip install numpy pytest": DOWNLOAD,
    "pip install pytest-xdist jinja2": DOWNLOAD,
    "pip install pytest-watcher": DOWNLOAD,
    "pip install matplotlib": DOWNLOAD,
    "pip install jupyterlab": DOWNLOAD,
    "uv run --with numpy --with pytest pytest": DOWNLOAD,
    "uv run pytest 21": DOWNLOAD,
    "ptw katas": WATCHED,
    "ptw ../my-katas --work=../my-katas": WATCHED,
    "ptw collected --cohort=collected --board=board.html --refresh=10": WATCHED,
    "pip install --no-index --find-links=wheels numpy pytest": DOWNLOAD,
    'python3 -m pip download --dest wheels "numpy>=1.26" "pytest>=8" pytest-xdist jinja2': DOWNLOAD,
    'python3 -m pip download --dest wheels --only-binary=:all: --platform=win_amd64 --python-version=3.12 "numpy>=1.26"'
    ' "pytest>=8" colorama': DOWNLOAD,
    "PIP_NO_INDEX=1 PIP_FIND_LINKS=wheels sh .setup pytest-xdist jinja2": DOWNLOAD,
    'submission=$PWD && cd "$FIXTURES/katas" && pytest 21 --submission="$submission"'
    ' --junitxml="$CG_JUNIT_XML_LOCATION"': SERVICE,
    "docker run --rm --network=none --memory=2g --pids-limit=256 --read-only --tmpfs /tmp -v \"$PWD\":/katas:ro"
    " -v \"$PWD/collected\":/collected:ro -v \"$PWD/out\":/out -w /katas IMAGE_WITH_NUMPY_AND_PYTEST"
    " pytest -p no:cacheprovider --submission=/collected/NAME --report=/out/NAME.json": "wants an image of one's own",
}
FENCED = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)
OUTSIDE = "pytest ../positional-encoding-katas 21"
PLACES = {"--submission=DIR": "--submission=collected/ada", "=DIR": "=collected", "=FILE.": "=results.",
          OUTSIDE: 'cd .. && pytest "katas of mine" 21'}


def is_command(text):
    """Whether a text is what one would type: a known program, settings before it or not, and what it is to do."""
    words = [word for word in text.split() if not re.fullmatch(r"[A-Z_]+=.*", word)]
    return bool(words) and (
        words[0].startswith((".venv/", ".venv\\")) or words[:2] == [".", ".venv/bin/activate"]
        or (words[0] in PROGRAMS and (len(words) > 1 or words[0] in ("pytest", "ptw"))))


def commands(text):
    """The commands of a text: lines of sh blocks, lines of other blocks and inline code that look like one."""
    for language, block in FENCED.findall(text):
        for line in re.sub(r" *\\\n *", " ", block).splitlines():
            line = line.strip()
            if line.startswith("$ ") or is_command(line) or (language == "sh" and line):
                yield line.removeprefix("$ ")
    for span in re.findall(r"`([^`]+)`", FENCED.sub("", text)):
        if is_command(" ".join(span.split())):
            yield " ".join(span.split())


def documented():
    return dict.fromkeys(c for name in DOCUMENTS for c in commands((ROOT / name).read_text(encoding="utf-8")))


COMMANDS = list(documented())


@pytest.fixture
def shell(tmp_path):
    """A function that runs a line in a copy of the project, where `pytest` and `python` are those of this run."""
    root = tmp_path / "katas of mine"
    root.mkdir()
    named = {name for command in COMMANDS for name in re.findall(r"\bkatas/\d\d_(\w+)", command)}
    numbers = {number for command in COMMANDS for number in re.findall(r"(?<= )(\d\d)\b", command)}
    named |= {kata.name for kata in all_katas() if kata.number in numbers}
    project = Project(root, *named)
    shutil.copytree(ROOT / ".github", root / ".github")
    for learner, text in (("ada", project.solution("positional_formula")), ("grace", "def frequencies(): pass\n")):
        folder = root / "collected" / learner / "21_positional_formula"
        folder.mkdir(parents=True)
        (folder / "positional_formula.py").write_text(text, encoding="utf-8")
    (root / "people.csv").write_text("id,name,email\n7,Ada Lovelace,ada@example.org\n", encoding="utf-8")
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, start in (("pytest", " -m pytest"), ("python", "")):
        (programs / name).write_text(f'#!/bin/sh\nexec "{sys.executable}"{start} "$@"\n', encoding="utf-8")
        (programs / name).chmod(0o755)

    def run(line):
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "PYTHON"))}
        environment |= {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "COLUMNS": "80"}
        started = subprocess.Popen(
            ["sh", "-c", line], cwd=root, env=environment, encoding="utf-8", errors="backslashreplace",
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        try:
            printed = started.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            os.killpg(started.pid, signal.SIGKILL)            # with what the line has started
            raise
        return subprocess.CompletedProcess(line, started.returncode, *printed)

    run.root = root
    return run


def test_the_documents_have_commands_of_every_kind():
    assert "pytest" in COMMANDS                                                            # inline
    assert "pytest 21" in COMMANDS                                # behind a $, with its output
    assert OUTSIDE in COMMANDS                                    # from a folder outside the project
    assert any(command.startswith("pytest -n 2 --cohort=collected") for command in COMMANDS)      # in a block of a list


def test_what_is_not_run_is_still_in_a_document():
    assert set(NOT_RUN) <= set(COMMANDS)


@pytest.mark.skipif(os.name == "nt", reason="the commands are those of a POSIX shell")
@pytest.mark.parametrize("command", [command for command in COMMANDS if command not in NOT_RUN])
def test_a_command_runs_as_it_stands(shell, command):
    for option in {word.split("=")[0] for word in command.split()} & set(EXTRAS):
        pytest.importorskip(EXTRAS[option])
    for placeholder, place in PLACES.items():
        command = command.replace(placeholder, place)
    if command.startswith("python .github/"):
        shutil.rmtree(shell.root / "katas")                  # it reads all katas, not only those that commands name
        shutil.rmtree(shell.root / "solutions")
        shutil.copytree(ROOT / "katas", shell.root / "katas")
        shutil.copytree(ROOT / "solutions", shell.root / "solutions")
    for place in re.findall(r"--work=(\S+)", command):
        shell(f"pytest --start={place}")                      # what one has done before one comes to this command
    result = shell(command)
    printed = result.stdout + result.stderr
    assert result.returncode in (0, 1), printed
    if "--solutions" in command:                             # as the guide says of the evening before
        assert result.returncode == 0
        assert "All selected katas are solved." in printed
    for word in ("Traceback", "INTERNALERROR", "ERROR:", "not found"):
        assert word not in printed
    for name, path in re.findall(r"--(\w+)=(\S+)", command):
        assert name not in (*OUTPUTS, "junitxml") or (shell.root / path).exists()


@pytest.mark.skipif(os.name == "nt", reason="the container runs Linux")
def test_a_development_container_runs_the_first_command_of_the_readme(shell):
    settings = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8"))
    create, attach = settings["postCreateCommand"], settings["postAttachCommand"]
    assert f"{create} && . .venv/bin/activate && {attach.split(' || ')[0]}" == COMMANDS[0]
    assert settings["remoteEnv"]["PATH"].startswith("${containerWorkspaceFolder}/.venv/bin:")     # as `activate` does
    result = shell(attach)
    assert result.returncode == 0                             # not 1, although no kata is solved yet
    assert "Start:" in result.stdout


def test_an_option_that_a_document_names_exists(project):
    known = {"--junitxml", *re.findall(r"--[a-z][\w-]*", project.run("--help").stdout)}      # --help has --junit-xml
    for name in DOCUMENTS:
        text = FENCED.sub("", (ROOT / name).read_text(encoding="utf-8"))
        spans = re.findall(r"`([^`]+)`", text)
        named = {word.split("=")[0] for span in spans if not is_command(span) for word in span.split()
                 if word.startswith("--")}
        assert named <= known, name

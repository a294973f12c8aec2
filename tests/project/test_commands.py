"""Every command of README and the guides runs, every option is in the help, and options that exclude each other say so.

A command is found by itself, in blocks and inline. It runs as it stands, in a copy of the project; one that cannot is
named below with the reason.
"""
import json
import os
import re
import shutil
import subprocess
import sys

import pytest

from grader.course.katas import KATAS, ROOT, all_katas
from grader.output.files import OUTPUTS
from tests.helpers.project import EXTRAS, Project

DOCUMENTS = ("README.md", "katas/README.md", "katas/COMMANDS.md",
             *(f".github/{path.name}" for path in sorted((ROOT / ".github").glob("*.md"))))
PROGRAMS = ("pytest", "python", "python3", "py", "pip", "uv", "sh", "docker", "git", "hf", "cd",
            "cp", "rm", "mkdir", "source", "export", "set")
NOT_RUN = {                                   # what a command that is not run has in it -> why it is not run
    r"^sh \.setup|bin/activate$|&& pytest$": "sets up an environment; .ci/run runs the blocks of README that do",
    r"\bpip\b|^PIP_|^uv ": "needs a network; tried by hand",
    r"\btests/": "needs the project's own tests, which the copy does not have",
    r"^py |Scripts": "Windows",
    "--watch": "runs until it is stopped; tests/run/test_watching.py starts it and saves a file",
    r"\$FIXTURES": "needs folders that a service provides; tests/project/test_services.py runs it",
    r"^python \.github/": "tests/project/test_workshops.py runs the program",
    r"^docker ": "wants an image of one's own",
    "^python katas/.*/lab ": "takes long or needs a model; test_lab.py and test_model_lab.py in tests/katas run labs",
    "^hf ": "needs a network",
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
        or (words[0] in PROGRAMS and (len(words) > 1 or words[0] == "pytest")))


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
# Commands that differ only in their katas are run once.
TO_RUN = dict.fromkeys(re.sub(r"(?: \d\d){2,}$", " 21", command) for command in COMMANDS
                       if not any(re.search(pattern, command) for pattern in NOT_RUN))


@pytest.fixture
def shell(tmp_path):
    """A function that runs a line in a copy of the project, where `pytest` and `python` are those of this run."""
    root = tmp_path / "katas of mine"
    root.mkdir()
    numbers = {number for command in TO_RUN for number in re.findall(r"(?<= )\d\d\b", command)}
    project = Project(root, *(kata.name for kata in all_katas() if kata.number in numbers))
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
        return subprocess.run(
            ["sh", "-c", line], cwd=root, env=environment, encoding="utf-8", errors="backslashreplace",
            stdin=subprocess.DEVNULL, capture_output=True, timeout=120)

    run.root = root
    return run


def test_the_documents_have_commands_of_every_kind():
    assert "pytest" in COMMANDS                                                            # inline
    assert "pytest 21" in COMMANDS                                # behind a $, with its output
    assert OUTSIDE in COMMANDS                                    # from a folder outside the project
    assert any(command.startswith("pytest -n 2 --cohort=collected") for command in COMMANDS)      # in a block of a list


@pytest.mark.parametrize("pattern", NOT_RUN)
def test_what_is_not_run_is_still_in_a_document(pattern):
    assert any(re.search(pattern, command) for command in COMMANDS)


def test_every_number_in_a_command_is_that_of_a_kata():
    numbers = {number for command in COMMANDS for number in re.findall(r"(?<= )\d\d\b", command)}
    assert numbers <= {kata.number for kata in all_katas()}


@pytest.mark.skipif(os.name == "nt", reason="the commands are those of a POSIX shell")
@pytest.mark.parametrize("command", TO_RUN)
def test_a_command_runs_as_it_stands(shell, command):
    for option in {word.split("=")[0] for word in command.split()} & set(EXTRAS):
        pytest.importorskip(EXTRAS[option])
    for placeholder, place in PLACES.items():
        command = command.replace(placeholder, place)
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
    known |= set(re.findall(r'add\("(--\w+)"', (KATAS / "94_model_in_numpy" / "lab" / "options.py").read_text()))
    for name in DOCUMENTS:
        text = FENCED.sub("", (ROOT / name).read_text(encoding="utf-8"))
        spans = re.findall(r"`([^`]+)`", text)
        named = {word.split("=")[0] for span in spans if not is_command(span) for word in span.split()
                 if word.startswith("--")}
        assert named <= known, name

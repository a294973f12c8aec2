"""A line after the scoreboard says which files use something that is not there where submissions are graded."""
from types import SimpleNamespace

import pytest

from grader.run.portability import not_portable, used_by
from tests.helpers.notebook import notebook

KATA = "positional_formula"
LINE = ("positional_formula.py imports matplotlib_of_mine and calls input(). Where submissions are graded, only NumPy "
        "and Python's standard library are there. Nobody answers input() where submissions are graded.")
OPTIONAL = """
def show(table):
    import matplotlib_of_mine
    input("Enter ends this. \\d")
"""


@pytest.mark.parametrize(("source", "packages", "calls"), [
    ("import numpy as np\nimport numpy.linalg\nfrom numpy import fft\nfrom __future__ import annotations", [], []),
    ("import math, dataclasses\nfrom collections.abc import Sequence\nimport os.path", [], []),
    ("import matplotlib.pyplot as plt\nfrom torch import nn\nimport torch", ["matplotlib", "torch"], []),
    ("from helpers import softmax\nimport my_own_file", ["helpers", "my_own_file"], []),
    ("try:\n    import scipy\nexcept ImportError:\n    scipy = None", ["scipy"], []),
    ("def f():\n    import pandas\n    return input('How many? ')", ["pandas"], ["input()"]),
    ("get_ipython().run_line_magic('matplotlib', 'inline')", [], ["get_ipython()"]),
    ("if __name__ == '__main__':\n    import matplotlib\n    input()", [], []),
    ("import torch\ndef f(:", [], []), ("x = self.input()\nimport torch\0", [], []), ("", [], []),
    ("\ufeffimport torch", ["torch"], []),
])
def test_what_is_used_is_found_without_executing_it(source, packages, calls):
    assert used_by(source.encode()) == (packages, calls)


def test_a_notebook_for_two_katas_has_one_line_without_its_magics(tmp_path):
    path = tmp_path / "mine.ipynb"
    path.write_bytes(notebook("%matplotlib inline\nimport numpy as np", ("markdown", "import pandas"), "import torch"))
    results = [SimpleNamespace(file=path, state="started"), SimpleNamespace(file=path, state="todo")]
    (line,) = not_portable(results)
    assert line.startswith("mine.ipynb imports torch. Where submissions are graded, only NumPy")


def test_a_run_over_the_own_files_says_what_is_not_portable(project, tmp_path):
    project.write(KATA, project.solution(KATA) + OPTIONAL)
    (tmp_path / f"{KATA}.py").write_text(project.solution(KATA) + OPTIONAL, encoding="utf-8")
    for options in (["21"], ["--isolated", "-n", "2", f"--work={tmp_path}"]):
        result = project.run(*options, PYTHONWARNINGS="always")
        assert LINE in " ".join(result.stdout.split())
        assert result.stderr == ""
    for options in (["22"], ["--solutions"], ["--submission=katas"]):
        assert "Where submissions" not in project.run(*options).stdout


def test_a_file_that_does_not_load_here_is_only_said_not_to_load(project):
    project.write(KATA, f"import no_such_package\n{project.solution(KATA)}")
    assert project.run("21").stdout.count("Where submissions") == 1

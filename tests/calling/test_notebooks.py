"""A notebook is read as its cells of code, whatever stands in it, and nothing of it runs where it is read."""
import builtins
import json
import os

import pytest

from grader.calling.in_process import InProcess
from grader.calling.limits import CAN_ISOLATE, Limits
from grader.calling.loading import LoadError, load_module
from grader.calling.notebooks import LARGEST_NOTEBOOK, LARGEST_SOURCE, cells_of, code_of
from grader.calling.source import normal_text, read_source
from grader.course.katas import all_katas
from grader.isolation.isolated import IsolatedFile
from grader.run.side_by_side import CodeByFunction
from tests.helpers.notebook import notebook

(KATA,) = (kata for kata in all_katas() if kata.name == "positional_formula")
SOLUTION = KATA.solution.read_text(encoding="utf-8")
FUNCTION = "def f():\n    return 1\n"


def read(*cells):
    """What stands in the cells: {number of the first line: Python}."""
    return dict(cells_of(code_of(notebook(*cells)).decode("utf-8")))


def lines(cell):
    """The lines of a cell as Python sees them."""
    (text,) = read(cell).values()
    return text.removesuffix("\n").split("\n")


@pytest.fixture
def loaded(tmp_path):
    """A function that loads a notebook with these cells in this process."""
    def load(*cells):
        path = tmp_path / "mine.ipynb"
        path.write_bytes(notebook(*cells))
        return load_module(path)
    return load


# Reading

def test_cells_are_counted_as_they_are_seen():
    code = code_of(notebook("x = 1", ("markdown", "y = 2"), ("raw", "z = 3"), ["y = 4\n", "z = 5"])).decode()
    assert code == "# Cell 1\nx = 1\n# Cell 4\ny = 4\nz = 5\n"


def test_a_notebook_of_the_older_format_is_read():
    cells = [{"cell_type": "code", "input": ["x = 1\n", "y = 2"]}, {"cell_type": "markdown", "source": "z"}]
    assert code_of(json.dumps({"worksheets": [{"cells": cells}]}).encode()) == b"# Cell 1\nx = 1\ny = 2\n"


@pytest.mark.parametrize("line", [
    "%matplotlib inline", "!pip install numpy", "?np.sin", "np.sin?", "np.sin??", "files = !ls", "a, b = !ls",
    "time = %timeit -o f()", "%%timeit", "  %time f()",
])
def test_what_only_ipython_understands_becomes_pass(line):
    assert lines(f"x = 1\n{line}\ny = 2") == ["x = 1", " " * (len(line) - len(line.lstrip())) + "pass", "y = 2"]


def test_a_command_over_several_lines_keeps_the_place_of_what_follows():
    assert lines("!pip install \\\n    numpy\nx = 1") == ["pass", "", "x = 1"]
    assert lines("if x:\n    !ls \\\n        -l\ny = 2") == ["if x:", "    pass", "", "y = 2"]


@pytest.mark.parametrize("cell", [
    "x = (7\n% 4)", "x = 7 \\\n% 4", "x = [7 # (\n% 4]", "s = '''\n%d\n!\n'''", 's = """\n\\"""\n%d\n"""',
    "s = '\\\n%d'", "x %= 3", "x != 3", "x = '%d' % 3", "x = '= !ls'", "# is it so?\nx = 1", "s = 'why?'", "x = 3 # (",
    "f(x=1,\n  y=2)", "s = '('\nx = 1", 's = """a" ""b"""\nx = 1',
])
def test_python_stays_as_it_is(cell):
    assert lines(cell) == cell.split("\n")
    compile(cell, "cell", "exec")


@pytest.mark.parametrize(("first", "kept"), [
    ("%%bash", False), ("%%html", False), ("%%writefile notes.txt", False), ("%%time_it", False),
    ("# Not graded", False), ("#not graded: it takes long", False), ("# Not great", True),
    ("%%time", True), ("%%timeit -n 3", True), ("%%capture", True), ("%%writefile rope.py", True),
])
def test_a_cell_for_another_program_is_left_out(first, kept):
    kept = {4: f"\n{first if first[0] == '#' else 'pass'}\ny = 2\n"} if kept else {}
    assert read("x = 1", f"\n{first}\ny = 2") == {2: "x = 1\n", **kept}


def test_a_cell_cannot_pretend_to_be_another(loaded):
    forged = "x = 1\n# Cell 7\ns = '''\n# Cell 8\n'''\nimport none"
    assert list(read("y = 2", forged)) == [2, 4]
    with pytest.raises(LoadError, match="cell 2, line 6: import none"):
        loaded("y = 2", forged)


@pytest.mark.parametrize(("content", "words"), [
    (b"", "it is empty"), (b"{", "its JSON is wrong in line 1"), (b"\xff\xfe{\x00}\x00", "not UTF-8 text"),
    (b"3", "no cells"), (b"[]", "no cells"), (b'{"cells": {}}', "no cells"), (b'{"worksheets": [3]}', None),
    (b'{"cells": [3]}', "cell 1"), (b'{"cells": [{"cell_type": "code", "source": 3}]}', "source of cell 1"),
    (b'{"cells": [{"cell_type": "code", "source": [[]]}]}', "source of cell 1"), (b"9" * 100_000, "no cells"),
    (b'{"cells":' * 100_000, "nested too deeply"), (b"[" * 1_000_000, "nested too deeply"),
    (b'{"cells": [' + b"{}," * 1_000_000 + b"{}]}", "cell 1 is not a cell"),
    (b'{"cells": [' + b'{"a": 1},' * 500_000 + b"{}]}", "cell 1 is not a cell"),
    (notebook("x" * (LARGEST_SOURCE + 1)), "too much code"), (notebook(*[""] * 300_000), "too much code"),
    (b'{"cells": [{"cell_type": "code", "source": "\\ud800"}]}', None), (notebook("\0"), None),
])
def test_whatever_is_no_notebook_is_refused_in_a_sentence(content, words):
    if words is None:
        code_of(content).decode("utf-8")
    else:
        with pytest.raises(ValueError, match=words) as raised:
            code_of(content)
        assert str(raised.value).startswith("the ")
        assert len(str(raised.value)) < 100


@pytest.mark.parametrize("text", [
    '"', "'''", '\\"""', "(", ")", "?", " ", "\n", "\\\n", "!\\\n", "a,", "a = ", "# Cell 1\n",
])
def test_a_cell_of_nothing_but_the_same_is_read_in_one_pass(text):
    cell = text * (200_000 // len(text)) + "x"       # with more than one pass, each of these would take minutes
    assert code_of(notebook(cell)).count(b"\n") == cell.count("\n") + 2


# Files

def test_a_link_a_pipe_and_a_huge_file_are_refused(tmp_path):
    path = tmp_path / "mine.ipynb"
    path.write_bytes(notebook(FUNCTION))
    assert read_source(path).code == b"# Cell 1\ndef f():\n    return 1\n\n"
    (tmp_path / "link.IPYNB").symlink_to(path)
    assert "cannot be read" in read_source(tmp_path / "link.IPYNB")[1]
    os.truncate(path, LARGEST_NOTEBOOK + 1)
    assert "too large" in read_source(path)[1]
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.ipynb")
        assert "not an ordinary file" in read_source(tmp_path / "pipe.ipynb")[1]


def test_the_reference_in_cells_is_the_reference(tmp_path):
    path = tmp_path / "positional_formula.ipynb"
    start, middle = SOLUTION.index("def frequencies"), SOLUTION.index("def positional_encoding")
    path.write_bytes(notebook(SOLUTION[:start], ("markdown", "# One"), SOLUTION[start:middle], SOLUTION[middle:]))
    assert normal_text(path) == normal_text(KATA.solution)
    assert InProcess(path, solution=KATA.solution).ask("frequencies", (8,)).outcome == "reference"
    path.write_bytes(b"{")
    assert normal_text(path) != normal_text(KATA.solution)


# Loading

def test_an_error_outside_imports_and_definitions_is_skipped(loaded):
    module = loaded("1 / 0\nx = 2", "plot(f)\ndisplay(x)", FUNCTION + "assert f() == 3\ny = f() + 1", "1 +", "exit(",
                    "for i in range(3): raise ValueError", "return 3", "await x")
    assert (module.f(), module.x, module.y) == (1, 2, 2)


@pytest.mark.parametrize(("cell", "words"), [
    ("x = 1\nimport none", "ModuleNotFoundError: No module named 'none' (cell 2, line 2: import none)"),
    ("x = 1\nfrom none import x", "ModuleNotFoundError: No module named 'none' (cell 2, line 2: from none import x)"),
    ("def g(x=y): pass", "NameError: name 'y' is not defined (cell 2, line 1: def g(x=y): pass)"),
    ("class A(y): pass", "NameError: name 'y' is not defined (cell 2, line 1: class A(y): pass)"),
    ("x = 1\ndef g():\n    return base **\n", "SyntaxError in cell 2, line 3: invalid syntax\n    return base **"),
    ("def g():\n    nonlocal x\n", "SyntaxError in cell 2, line 2: no binding for nonlocal 'x' found\n    nonlocal x"),
    ("def g():\nreturn 1", "IndentationError in cell 2, line 2: expected an indented block after function definition "
                           "on line 1\n    return 1"),
])
def test_an_error_in_an_import_or_a_definition_names_its_cell(loaded, cell, words):
    with pytest.raises(LoadError) as raised:
        loaded(FUNCTION, cell)
    assert str(raised.value) == words


def test_a_notebook_that_cannot_be_read_is_broken(tmp_path):
    path = tmp_path / "mine.ipynb"
    path.write_bytes(b"{")
    for submission in submissions(path):
        assert submission.ask("f").outcome == "broken"
        assert submission.ask("f").message.startswith("the notebook is damaged: ")


def test_the_annotations_of_the_first_cell_are_those_of_all(loaded):
    assert loaded("from __future__ import annotations", "def f(x: unknown): return 3").f(0) == 3


def submissions(path, seconds=10.0):
    """The same file, asked in this process and in another."""
    yield InProcess(path, seconds)
    if CAN_ISOLATE:
        yield IsolatedFile(path, Limits(call=seconds))


def test_calls_name_the_cell_and_the_function_wherever_they_run(tmp_path):
    path = tmp_path / "mine.ipynb"
    path.write_bytes(notebook("import numpy as np", ("markdown", "text"), f"# first\n{FUNCTION}", "def g():\n    f(2)",
                              "def h():\n    raise NotImplementedError"))
    for submission in submissions(path):
        assert submission.ask("f").value == 1
        assert submission.ask("h").outcome == "todo"
        answer = submission.ask("g")
        assert answer.error_types[0] == "TypeError"
        assert submission.line(answer.line) == "cell 4, line 2: f(2)"
        answer = submission.ask("k")
        assert answer.message == "mine.ipynb defines no function `k`; it defines f, g, h"


def test_a_cell_that_takes_long_costs_the_kata_and_the_message_says_how_to_leave_it_out(tmp_path):
    path = tmp_path / "mine.ipynb"
    path.write_bytes(notebook("while True: pass", FUNCTION))
    for submission in submissions(path, 0.3):
        answer = submission.ask("f")
        assert answer.outcome == "timeout"
        assert answer.message.endswith("took longer than 0.3 s. Begin each cell that takes long with `# Not graded`")
    path.write_bytes(notebook("# Not graded\nwhile True: pass", FUNCTION))
    for submission in submissions(path):
        assert submission.ask("f").value == 1


@pytest.mark.skipif(not CAN_ISOLATE, reason="this system cannot start a worker")
def test_nothing_runs_in_the_process_that_grades_others(tmp_path):
    path = tmp_path / "mine.ipynb"
    path.write_bytes(notebook("import builtins\nbuiltins.was_here = True", FUNCTION, "def broken(:"))
    submission = IsolatedFile(path, Limits(), KATA.solution)
    assert submission.ask("f").message.startswith("SyntaxError in cell 3, line 1: ")
    path.write_bytes(notebook("import builtins\nbuiltins.was_here = True", FUNCTION))
    submission = IsolatedFile(path, Limits(), KATA.solution)
    assert submission.ask("f").value == 1
    assert not hasattr(builtins, "was_here")


# Beside the reference

def test_cells_are_not_shown_beside_the_reference(tmp_path):
    path = tmp_path / "mine.ipynb"
    path.write_bytes(notebook("import numpy as np", "1 +", FUNCTION, "SCALE = 2"))
    source = CodeByFunction(path)
    assert source.functions == {"f": ["def f():", "    return 1"]}
    assert [line for line in source.rest(["f"]) if line] == ["import numpy as np", "1 +", "SCALE = 2"]

"""--compare: a solved kata's code beside the reference; nothing in it acts on the terminal."""
import ast
import io
import tokenize
from itertools import takewhile
from types import SimpleNamespace

import pytest

from grader.course.katas import all_katas
from grader.course.variants import variants
from grader.run.side_by_side import LINES_AT_MOST, CodeByFunction, folded, write_code

KATA = "positional_formula"
PLACE = "katas/21_positional_formula"

OTHER = '''"""Mine."""
import numpy as np
import math

SCALE = 1.0


def helper(x):
    return x  # as it is


def frequencies(d_model, base=10000.0):
    """Mine too."""
    if d_model < 1:
        raise ValueError(f"d_model must be at least 1, got {d_model}")
    if base <= 0:
        raise ValueError(f"base must be positive, got {base}")
    return helper(base ** (-np.arange(0, d_model, 2) / d_model)) * SCALE


'''


@pytest.fixture
def solved(project):
    """The project with the kata solved in another way than the reference does."""
    text = project.solution(KATA)
    project.write(KATA, OTHER + text[text.index("def positional_encoding"):])
    return project


def test_a_solved_kata_is_shown_beside_the_reference_and_the_variants(solved):
    result = solved.run("--compare", PLACE)
    assert result.returncode == 0
    parts = [line for line in result.stdout.splitlines() if line and not line.startswith(" ")]
    assert parts == [
        "Positional encodings: 1 of 1 solved",
        f"Yours:      {PLACE}/{KATA}.py",
        f"Reference:  solutions/21_positional_formula/{KATA}.py",
        "Others:     solutions/21_positional_formula/variants.py",
        "Docstrings are not shown.",
        "frequencies, yours", "frequencies, the reference", "frequencies, other solutions",
        "positional_encoding, the same in yours and the reference", "positional_encoding, other solutions",
        "Outside these functions, yours",
        "To see the code of one of these:",
        "To read more, now that you have solved it:",
    ]
    assert "      return helper(base ** (-np.arange(0, d_model, 2) / d_model)) * SCALE\n" in result.stdout
    assert "  SCALE = 1.0\n" in result.stdout
    assert "Mine" not in result.stdout
    assert not are_wider(result, 80)
    words = " ".join(result.stdout.split())
    for variant in variants(solved.kata(KATA).variants):
        assert f"{variant.name} {variant.sentence}" in words


def are_wider(result, columns):
    """The lines of a comparison that do not fit."""
    lines = result.stdout.splitlines()
    return [line for line in lines[lines.index("Docstrings are not shown."):] if len(line) > columns]


def test_the_code_of_another_solution_is_shown_on_request_in_a_narrow_terminal(solved):
    result = solved.run("--compare", "--variant=by_phase_shift", PLACE, COLUMNS="60")
    shown = result.stdout[result.stdout.index("\npositional_encoding, by_phase_shift\n"):]
    assert "      columns = np.arange(d_model)\n" in shown
    assert " ".join(result.stdout.split()).count("Take one sine for all columns") == 1
    assert "To see the code" not in result.stdout
    assert not are_wider(result, 60)


def test_a_solution_that_is_not_there_is_said_not_to_be_and_colour_is_pytests_own(solved):
    printed = solved.run("--compare", "--variant=by_magic", "--color=yes", PLACE).stdout
    assert "positional_formula has no other solution called by_magic.\n" in printed
    assert "\x1b[1mfrequencies, yours" in printed


def test_before_a_kata_is_solved_there_is_a_hint_instead(solved):
    with solved.kata(KATA).stub.open("a", encoding="utf-8") as file:
        file.write("    return table\n\n\ndef positional_encoding(max_len, d_model, base=10000.0):\n    return 0\n")
    result = solved.run("--compare")
    assert result.returncode == 1
    assert "Reference:" not in result.stdout
    assert result.stdout.endswith(f"{KATA} is not solved yet. Solve it first to compare your code.\n"
                                  "For a hint:  pytest --hint 21\n1 other kata is not solved yet.\n")


def test_a_part_of_the_checks_does_not_solve_and_is_told_so(solved):
    result = solved.run("--compare", PLACE, "-k", "zeros_and_ones")
    assert "only some checks ran" in result.stdout
    assert "To run all:  pytest --compare 21\n" in result.stdout


def test_ones_own_folder_is_compared_and_nothing_in_the_code_acts_on_the_terminal(project, tmp_path):
    hostile = "# \x1b]0;title\x07 \x1b[2J \u202e \x9b31m\n"
    (tmp_path / f"{KATA}.py").write_text(hostile + project.solution(KATA), encoding="utf-8")
    for encoding in ("utf-8", "ascii"):
        printed = project.run(f"--work={tmp_path}", "--compare", PYTHONIOENCODING=encoding).stdout
        assert f"Yours:      {(tmp_path / f'{KATA}.py').as_posix()}\n" in printed
        assert f"For a hint:  pytest --work={tmp_path} --hint 22\n" in printed
        assert "# \\x1b]0;title\\x07 \\x1b[2J \\u202e \\x9b31m" in printed
        assert not set(printed) & set("\x1b\x07\u202e\x9b")


def test_a_long_function_is_cut_with_a_count():
    written = []
    config = SimpleNamespace(get_terminal_writer=lambda: SimpleNamespace(fullwidth=80))
    terminal = SimpleNamespace(config=config, write_line=lambda line, **markup: written.append(line))
    write_code(terminal, "title", [f"line {n}" for n in range(LINES_AT_MOST + 7)])
    assert written[-1] == "  (7 more lines)"


@pytest.mark.parametrize(("line", "rows"), [
    ("    table = angles @ frequencies  # (n, d) one row for each", [
        "    # (n, d) one row for each", "    table = angles @ frequencies"]),
    ("    table = angles @ frequencies(d) # rows of sines and then rows of cosines", [
        "    # rows of sines and then rows of", "    # cosines", "    table = angles @ frequencies(d)"]),
    ("    # one angle per position and pair, sines first", [
        "    # one angle per position and pair,", "    # sines first"]),
    ("    n = len(table)                      # rows", ["    n = len(table)  # rows"]),
    ("    raise ValueError('d#1 isn\\'t  # even')", ["    raise ValueError('d#1 isn\\'t  #", "            even')"]),
])
def test_a_comment_that_does_not_fit_goes_above_its_line(line, rows):
    assert folded(line, 38) == rows


@pytest.mark.parametrize("width", [38, 58, 78])
def test_folding_changes_nothing_but_spaces_and_where_comments_stand(width):
    for kata in all_katas():
        for path in (kata.solution, kata.variants):
            text = path.read_text(encoding="utf-8")
            tokens = tokenize.generate_tokens(io.StringIO(text).readline)
            column = {token.start[0]: token.start[1] for token in tokens if token.type == tokenize.COMMENT}
            for number, line in enumerate(text.splitlines(), 1):
                rows = folded(line, width)
                assert max(map(len, rows)) <= width
                if len(rows) > 1:
                    code, comment = line[:column.get(number)], line[column.get(number, len(line)):]
                    above = list(takewhile(lambda row: row.lstrip().startswith("#"), rows))
                    told = " ".join(row.lstrip().removeprefix("#") for row in above)
                    assert told.split() == comment.removeprefix("#").split()
                    rows, line = rows[len(above):], code
                assert "".join("".join(rows).split()) == "".join(line.split())


@pytest.mark.parametrize("kata", all_katas(), ids=lambda kata: kata.name)
def test_every_statement_is_shown_once_but_for_docstrings(kata):
    source = CodeByFunction(kata.solution)
    names = [name for name in source.functions if not name.startswith("_")]
    told = [*(line for name in names for line in source.functions[name]), *source.rest(names)]
    tree = ast.parse(kata.solution.read_text(encoding="utf-8"))
    for node in (tree, *(n for n in tree.body if getattr(n, "name", None) in names)):
        if ast.get_docstring(node) is not None:
            del node.body[0]
    wanted = [ast.unparse(n) for n in tree.body if source.rest(names) or not isinstance(n, ast.Import)]
    assert sorted(map(ast.unparse, ast.parse("\n".join(told)).body)) == sorted(wanted)


@pytest.mark.parametrize(("text", "lines", "rest"), [
    ("def f(x): return x\n", ["def f(x): return x"], []),
    ("def f(x): 'doc'; return x\n", ["def f(x): 'doc'; return x"], []),
    ("def f(x):\n    'doc'; return x\n", ["def f(x):", "    'doc'; return x"], []),
    ("@wraps\ndef f(x):\n    'doc'\n    # why\n    pass\n", ["@wraps", "def f(x):", "    # why", "    pass"], []),
    ("def f(x):\n    pass\ndef f(x):\n    return 2\n", ["def f(x):", "    return 2"], ["def f(x):", "    pass"]),
    ("f = lambda x: x\n", None, ["f = lambda x: x"]),
    ("x = 'a\\\n\x0cb'\ndef f(x):\n    return x\n", ["def f(x):", "    return x"], ["x = 'a\\", "\x0cb'"]),
])
def test_functions_are_found_however_they_are_written(tmp_path, text, lines, rest):
    path = tmp_path / "mine.py"
    path.write_text(text, encoding="utf-8")
    source = CodeByFunction(path)
    assert source.functions.get("f") == lines
    assert source.rest(["f"]) == rest

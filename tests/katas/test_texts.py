"""Stub, solution, README and HINTS of every kata agree, and what they say is true."""
import ast
import doctest
import inspect
import re

import numpy as np
import pytest

from grader.calling.reference import Reference
from grader.course.hints import read_hints
from grader.course.katas import KATAS, SOLUTIONS, all_katas, kata_of
from grader.course.variants import variants
from grader.verdict.mistakes import mistakes, own_mistakes
from grader.verdict.rows import check_of
from tests.helpers.harness import checks_of

REFUSALS = {                                   # where the contract asks for one: NumPy would go on in silence
    ("naive_positions", "one_hot_positions"), ("naive_positions", "binary_positions"),
    ("translation_invariance", "similarity_at_offset"), ("shift_matrix", "shift_matrix"), ("learned_table", "look_up"),
}
GUARD = re.compile(r"\b(refus|reject|guard|bad input|invalid|must be (at least|positive|even))|ValueError",
                   re.IGNORECASE)
PARTS = ("The formula", "By hand", "What people get wrong")
WORDS, WORDS_OF_MANY_TASKS, OF_THE_LAB, WORDS_BEFORE_THE_PICTURE = 700, 900, 1000, 120       # of prose in a README
WITH_A_LAB = {"train_short_test_long", "scheme_comparison", "model_in_numpy"}      # in a folder of its own
LINES_IN_ALL_REFERENCES, LINES_IN_A_FUNCTION = 580, 18

for_each_kata = pytest.mark.parametrize("kata", all_katas(), ids=[k.folder.name for k in all_katas()])


def functions(path):
    """{name: ast node} of the public functions of a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {n.name: n for n in tree.body if isinstance(n, ast.FunctionDef) and not n.name.startswith("_")}


def todos(kata):
    """{TODO number: function it stands in}, from the stub."""
    lines = kata.stub.read_text(encoding="utf-8").splitlines()
    found = {}
    for name, node in functions(kata.stub).items():
        for line in lines[node.lineno - 1 : node.end_lineno]:
            if match := re.search(r"# TODO (\d+): \S", line):
                assert int(match[1]) not in found
                found[int(match[1])] = name
    return found


@for_each_kata
def test_stub_and_solution_have_the_same_functions_signatures_and_docstrings(kata):
    stub, solution = functions(kata.stub), functions(kata.solution)
    assert list(stub) == list(solution)
    for name, node in stub.items():
        assert ast.unparse(node.args) == ast.unparse(solution[name].args)
        assert ast.get_docstring(node) == ast.get_docstring(solution[name])
        for word in ("Parameters", "Returns", "Source"):
            assert word in ast.get_docstring(node)


def imported(path):
    """The names of the modules that a file imports."""
    nodes = [*ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    return {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names} | {
        node.module for node in nodes if isinstance(node, ast.ImportFrom)}


@for_each_kata
def test_files_import_only_numpy_and_the_standard_library_and_a_picture_what_panels_are_made_of(kata):
    for path in (kata.stub, kata.solution, kata.variants):
        assert imported(path) <= {"numpy", "math", "cmath", "functools", "itertools"}
    assert imported(kata.picture) - {"numpy"} == {"grader.course.panels"}
    assert list(functions(kata.picture)) == ["panels"]


@for_each_kata
def test_todos_of_the_stub_are_the_tasks_of_readme_hints_and_suite(kata):
    numbers = list(todos(kata))
    assert numbers == list(range(1, len(numbers) + 1))
    assert {n: task.function for n, task in kata.tasks.items()} == todos(kata)
    hints = read_hints(kata.hints)
    assert list(hints) == numbers
    assert all(len(three) == 3 and all(len(hint) > 20 for hint in three) for three in hints.values())
    assert sorted({n for item in checks_of(kata) for n in check_of(item).tasks}) == numbers


def without_its_refusals(kata, text):
    """A README or HINTS.md without the tasks that are about a refusal of the contract."""
    for task in kata.tasks.values():
        if (kata.name, task.function) in REFUSALS:
            text = re.sub(rf"^## Task {task.number}\b.*?(?=^## |\Z)", "", text, flags=re.MULTILINE | re.DOTALL)
    return text


@for_each_kata
def test_nothing_is_about_a_guard_but_the_five_places(kata):
    allowed = {function for name, function in REFUSALS if name == kata.name}
    for path in (kata.readme, kata.hints):
        assert not GUARD.search(without_its_refusals(kata, path.read_text(encoding="utf-8"))), path
    for name, node in functions(kata.solution).items():
        assert ("Raises" in ast.get_docstring(node)) == (name in allowed)
        assert name in allowed or not any(isinstance(n, ast.Raise) for n in ast.walk(node))
        assert name in allowed or not GUARD.search(ast.get_docstring(node))
    for other in (*own_mistakes(kata), *variants(kata.variants)):
        assert other.replaces in allowed or not GUARD.search(other.sentence), other.name
    suite = kata.suite.read_text(encoding="utf-8")
    refused = re.findall(r"assert_refused\(kata\.(\w+)|refuses\(\s*\d+, \"(\w+)", suite)
    assert {one or other for one, other in refused} == allowed
    assert len(re.findall(r"assert_refused\(|refuses\(", suite)) == len(refused)


def lines_of_code(text):
    """{function: lines of its body}, without docstrings, comments and blank lines."""
    lines, counts = text.splitlines(), {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            first = node.body[1] if ast.get_docstring(node) else node.body[0]
            body = [line.strip() for line in lines[first.lineno - 1 : node.end_lineno]]
            counts[node.name] = sum(bool(line) and not line.startswith("#") for line in body)
    return counts


def test_references_are_short():
    counts = {kata.name: lines_of_code(kata.solution.read_text(encoding="utf-8")) for kata in all_katas()}
    assert all(count <= LINES_IN_A_FUNCTION for functions in counts.values() for count in functions.values())
    assert sum(count for functions in counts.values() for count in functions.values()) <= LINES_IN_ALL_REFERENCES


@for_each_kata
def test_every_check_belongs_to_a_task(kata):
    text = kata.suite.read_text(encoding="utf-8")
    marks = re.findall(r"^@pytest\.mark\.task", text, re.MULTILINE)
    assert len(re.findall(r"^def test_", text, re.MULTILINE)) == len(marks)


def test_no_two_suites_share_a_helper():
    helpers = {}
    for kata in all_katas():
        for name, node in functions(kata.suite).items():
            if not name.startswith("test_"):
                body = [ast.dump(part) for part in node.body[ast.get_docstring(node) is not None :]]
                assert helpers.setdefault(str(body), kata) == kata


@for_each_kata
def test_examples_in_the_pages_are_true(kata):
    for page, least in ((kata.readme, 3), (kata.more, 0)):
        scope = {name: getattr(Reference(kata.solution), name) for name in functions(kata.solution)} | {"np": np}
        text = page.read_text(encoding="utf-8")
        test = doctest.DocTestParser().get_doctest(text, scope, page.name, str(page), 0)
        output = []
        result = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=output.append)
        assert result.attempted >= least
        assert result.failed == 0, "".join(output)


@for_each_kata
def test_readme_has_its_parts(kata):
    text = kata.readme.read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (?:Task (?=\d))?(.+?)(?:: .*)?$", text, re.MULTILINE)
    tasks = [str(number) for number in kata.tasks]
    assert headings[0].startswith(kata.number)
    given = [heading for heading in headings[1:] if heading in (*PARTS, *tasks)]
    assert given == ["The formula", "By hand", *tasks, "What people get wrong"]
    assert len(re.findall("^- ", text.partition("## What people get wrong")[2], re.MULTILINE)) <= 4
    assert "[MORE.md](MORE.md)" in text
    more = kata.more.read_text(encoding="utf-8")
    assert more.startswith(f"{text.splitlines()[0]}: after you have solved it\n")
    assert "\n## Sources\n" in more
    assert (text + more).isascii()


def words(text):
    """How many words of prose a page has: without code, tables and pictures."""
    text = re.sub(r"```.*?```|!\[[^\]]*\]\([^)]*\)", " ", text, flags=re.DOTALL)
    prose = [line for line in text.split("\n") if not line.startswith(("    ", "|"))]
    return len(re.findall(r"[A-Za-z][\w'-]*", "\n".join(prose)))


@for_each_kata
def test_a_readme_is_short_enough_for_an_evening(kata):
    text = kata.readme.read_text(encoding="utf-8")
    limit = WORDS if len(kata.tasks) <= 3 else WORDS_OF_MANY_TASKS
    assert words(text) <= (OF_THE_LAB if kata.name == "train_short_test_long" else limit)
    assert words(text.partition("![")[0]) <= WORDS_BEFORE_THE_PICTURE


@for_each_kata
def test_the_folders_hold_what_belongs_there_and_nothing_else(kata):
    here = {p.name for p in kata.folder.iterdir() if p.name != "__pycache__"}
    there = {p.name for p in kata.solution.parent.iterdir() if p.name != "__pycache__"}
    lab = {"lab"} if kata.name in WITH_A_LAB else set()
    assert here == {"README.md", "MORE.md", "HINTS.md", "picture.png", f"{kata.name}.py", f"test_{kata.name}.py"} | lab
    assert there == {f"{kata.name}.py", "mistakes.toml", "variants.py", "stub.py", "picture.py"}
    assert kata_of(kata.suite) == kata
    assert kata.original.read_bytes() == kata.stub.read_bytes(), f"cp {kata.stub} {kata.original}"     # for --reset


@for_each_kata
def test_mistakes_and_variants_explain_themselves(kata):
    others = variants(kata.variants)
    own = [(*one.edited, one.name) for one in own_mistakes(kata)]
    assert len(own) == len(set(own))
    for other in (*mistakes(kata), *others):
        assert other.replaces in functions(kata.solution)
        assert 30 <= len(other.sentence) <= 320
    for other in others:
        contract = inspect.signature(getattr(Reference(kata.solution), other.replaces))
        own = [*inspect.signature(other.function).parameters.values()]
        assert [one.name for one in own[:len(contract.parameters)]] == [*contract.parameters]
        assert all(one.default is None for one in own[len(contract.parameters):])        # what a lab may add


@for_each_kata
def test_a_kata_that_is_mentioned_exists(kata):
    numbers = {other.number for other in all_katas()}
    for path in (*kata.folder.rglob("*"), *kata.solution.parent.iterdir()):
        if path.suffix in (".md", ".py"):
            assert set(re.findall(r"\b[Kk]ata (\d\d)\b", path.read_text(encoding="utf-8"))) <= numbers


def test_ids_are_unique_and_both_sides_have_the_same_folders():
    katas = all_katas()
    assert len({k.name for k in katas}) == len(katas)
    assert sorted(p.name for p in SOLUTIONS.iterdir() if p.is_dir()) == [k.folder.name for k in katas]


def test_the_table_of_katas_is_true():
    text = (KATAS / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[(\d\d) (.+?)\]\((\S+)/README\.md\) \| .+? \| (\d+) \| (?:easy|medium|hard) "
                      r"\| ([\d ]*) ?\| (\d+) \|$", text, re.MULTILINE)
    assert [folder for _, _, folder, *_ in rows] == [k.folder.name for k in all_katas()]
    for (number, title, _, tasks, after, _), kata in zip(rows, all_katas(), strict=True):
        assert int(tasks) == len(kata.tasks)
        readme = kata.readme.read_text(encoding="utf-8")
        assert readme.splitlines()[0] == f"# {number} {title}"
        assert set(after.split()) <= {other.number for other in all_katas() if other.number < number}
        built_on = re.findall(r"^This kata builds on katas? (.+)\.$", readme, re.MULTILINE)
        assert [found for line in built_on for found in re.findall(r"\d\d", line)] == after.split()

    chapters = {number: built_on for number, built_on in re.findall(
        r"^- \*\*(\d) (?:(?!^- ).)*Builds\s+on\s+chapters? ([\d, and]+)\.$", text, re.MULTILINE | re.DOTALL)}
    for chapter in "123456789":
        needed = {other[0] for number, _, _, _, after, _ in rows if number[0] == chapter for other in after.split()}
        assert set(re.findall(r"\d", chapters.get(chapter, ""))) == needed - {chapter}

    minutes = {number: int(time) for number, *_, time in rows}
    routes = re.findall(r"^\| [\w ]+ \| (all, in order|\d\d[\d ,or]+) \| (\d+) \|$", text, re.MULTILINE)
    assert len(routes) == 5
    for stops, total in routes:
        numbers = minutes if stops == "all, in order" else re.findall(r"\d\d", re.sub(r"(\d\d) or \d\d", r"\1", stops))
        assert int(total) == sum(minutes[n] for n in numbers)


def test_the_page_of_words_has_every_chapter_and_no_kata_that_is_not_there():
    text = (KATAS / "WORDS.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| [^|]+ \| (\d\d[\d ]*) \| [^|]*\.py` \|", text, re.MULTILINE)
    named = " ".join(rows).split()
    assert set(named) <= {kata.number for kata in all_katas()}
    assert {number[0] for number in named} == {kata.number[0] for kata in all_katas()}


def test_the_map_of_katas_is_complete():
    text = (KATAS / "README.md").read_text(encoding="utf-8")
    drawn = text[text.index("```") : text.rindex("```")]
    assert sorted(re.findall(r"\b\d\d\b", drawn)) == [k.number for k in all_katas()]

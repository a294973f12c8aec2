"""Every kind of failure as it is printed, held by a text file in tests/verdict/messages/.

    UPDATE_MESSAGES=1 pytest tests/verdict/test_messages.py      writes the files anew; read them before you commit
"""
import os
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from grader.calling.answers import Answer
from grader.calling.kata_fixture import Call
from grader.course.katas import all_katas
from grader.verdict import messages
from grader.verdict.diagnosis import Failure, Finding
from grader.verdict.marks import picture
from grader.verdict.messages import typed
from grader.verdict.wrapping import lines_of
from tests.helpers.harness import grade

FORMULA, SIMILARITY = "positional_formula", "similarity_matrix"
MESSAGES = Path(__file__).with_name("messages")
RETURN = "    return table\n"
EXPONENT = "-2 * pairs / d_model"

SKEWED = "    return skew(products) "
PRODUCTS = "    return encoding @ encoding.T "

CASES = {
    "known_mistake": (RETURN, "    return np.concatenate([table[:, 0::2], table[:, 1::2]], axis=1)\n"),
    "known_mistake_in_a_helper": (EXPONENT, "-4 * pairs / d_model"),
    "nothing_returned": (RETURN, ""),
    "list": (RETURN, "    return table.tolist()\n"),
    "wrong_shape": (RETURN, "    return table[:, :-1]\n"),
    "wrong_number_of_axes": (RETURN, "    return table[None]\n"),
    "transposed": (RETURN, "    return np.asfortranarray(table).T\n"),
    "booleans": (RETURN, "    return table > 0\n"),
    "integers": (RETURN, "    return table.astype(int)\n"),
    "nan": (RETURN, "    table[1:2] = np.nan\n" + RETURN),
    "row_of_zeros": (RETURN, "    table[-1] = 0\n" + RETURN),
    "negated": (RETURN, "    return -table\n"),
    "scaled": (RETURN, "    return table * np.sqrt(d_model)\n"),
    "off_by_constant": (RETURN, "    return table + 0.5\n"),
    "rolled": (RETURN, "    return np.roll(table, 1, axis=0)\n"),
    "reversed": (RETURN, "    return table[:, ::-1]\n"),
    "equal_rows": (RETURN, "    return np.broadcast_to(table[:1], table.shape)\n"),
    "no_pattern": (RETURN, "    return np.cos(3 * table) ** 3\n"),
    "single_precision": (RETURN, "    return table.astype(np.float32)\n"),
    "single_precision_inside": (RETURN, "    return table.astype(np.float32).astype(float)\n"),
    "half_precision": (RETURN, "    return table.astype(np.float16)\n"),
    "exception": (RETURN, "    return table[max_len]\n"),
    "exception_in_a_helper": ("positions * frequencies(d_model, base)", "positions * frequencies(d_model, None)"),
    "exception_broadcast": (RETURN, "    return table + np.arange(max_len)\n"),
    "timeout": (RETURN, "    while True:\n        pass\n"),
    "printed": (RETURN, "    print('angles', angles.shape)\n    return table + angles.mean()\n"),
    "syntax_error": (RETURN, "    return table)\n"),
    "missing_function": ("def positional_encoding(", "def encoding("),
    "import_error": ("import numpy as np\n", "import numpy as np\nimport torch_of_mine\n"),
    "todo": (RETURN, "    raise NotImplementedError\n"),
}
EVEN = '    if d_model % 2:\n        raise ValueError(f"d_model must be even, got {d_model}")\n'
DRAWN = "np.random.default_rng(seed).normal(0.0, std, size=(max_len, d_model))"
OTHER_CASES = {
    "memory": ("skewing", SKEWED,
               "    n = len(table)\n"
               "    rows = table[np.clip(np.arange(n) - np.arange(n)[:, None] + n - 1, 0, n - 1)]\n"
               "    return np.tril(np.einsum('...id,ijd->...ij', q, rows)) "),
    "memory_in_a_way_of_its_own": ("skewing", SKEWED,
                                   "    many = [np.empty((len(q), *table.shape)) for _ in range(5)]\n"
                                   "    return skew(products) if many else None "),
    "not_refused": ("translation_invariance", EVEN, ""),
    "refused_with_another_error": ("translation_invariance", EVEN, "    assert d_model % 2 == 0\n"),
    "left_to_chance": ("learned_table", DRAWN,
                       "np.random.RandomState(seed).uniform(-std, std, size=(max_len, d_model))"),
}
ALL_CASES = {
    **{name: (FORMULA, *change) for name, change in CASES.items()},
    **OTHER_CASES,
    "argument_changed": (SIMILARITY, PRODUCTS, "    encoding *= 2\n    return encoding @ encoding.T / 4 "),
    "argument_sorted": (SIMILARITY, PRODUCTS,
                        "    products = encoding @ encoding.T\n    encoding.sort()\n    return products "),
    "matrix_product_that_does_not_fit": (SIMILARITY, PRODUCTS, "    return encoding @ encoding "),
}


def held(name, text):
    """Compare a text with its file, or write the file when that is asked for."""
    path = MESSAGES / f"{name}.txt"
    if os.environ.get("UPDATE_MESSAGES"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ALL_CASES)
def test_a_failure_is_printed_as_its_file_has_it(project_with, name):
    kata, old, new = ALL_CASES[name]
    project = project_with(kata)
    source = project.solution(kata)
    assert source.count(old) == 1
    project.write(kata, source.replace(old, new))
    limit = 0.5 if name == "timeout" else 10.0                   # the others may need a while on a busy machine
    submission, result = project.report(f"katas/{project.kata(kata).folder.name}", f"--time-limit={limit}")
    lines = result.stdout.strip("\n").splitlines()
    assert all(len(line) <= 80 for line in lines)
    assert result.stdout.isascii()
    assert "grader/" not in result.stdout
    assert "Traceback" not in result.stdout
    for check in submission["katas"][0]["checks"]:
        assert len((check["message"] or "").splitlines()) <= 24
    held(name, "\n".join(lines) + "\n")


def test_every_file_has_its_case():
    assert {p.stem for p in MESSAGES.glob("*.txt")} == set(ALL_CASES)


# Arrays in a call

@pytest.mark.parametrize("value", [
    np.array([[1.0, 2.0, 0.0], [3.0, -1.0, 4.0]]), np.arange(16), np.array([True, False]), np.array(2.5),
    np.array([0.5, -np.inf, np.inf, np.nan]), np.array([1e-300, 1e300]), np.float32([0.1, 0.2]), np.int32([[3]]),
    np.array([1000000.0, 1000000.25]), np.random.default_rng(0).normal(size=(2, 5, 4)), np.ones((4, 4), order="F"),
], ids=lambda value: f"{value.dtype}-{value.shape}")
def test_an_array_of_at_most_40_entries_can_be_typed_again(value):
    text = typed(value, 40)
    again = eval(text, {"np": np})
    assert "\n" not in text
    assert (again.dtype, again.shape) == (value.dtype, value.shape)
    np.testing.assert_allclose(again, value, rtol=1e-5)
    assert len(np.unique(again)) == len(np.unique(value))


def test_a_larger_array_is_shown_by_dtype_and_shape():
    assert typed(np.ones(41), 40) == "<float64 41>"
    assert typed(np.ones((6, 7), np.float32), 40) == "<float32 6x7>"


def test_a_dict_is_shown_as_it_is_unless_its_arrays_are_large():
    config = {"factor": 2.0, "scaling": {"rope_type": "yarn", "factor": None}}
    assert typed(config, 4) == "{'factor': 2.0, 'scaling': {'rope_type': 'yarn', 'factor': None}}"
    both = {"w": np.ones(2), "b": {"c": np.ones(2)}}
    assert typed(both, 4) == "{'w': np.array([1.0, 1.0]), 'b': {'c': np.array([1.0, 1.0])}}"
    assert typed(both, 3) == "<dict of 2 arrays>"


@pytest.mark.parametrize(("count", "size", "in_full", "drawn"), [
    (1, 40, True, True), (2, 40, True, False), (3, 40, False, True), (5, 16, True, False), (12, 16, False, True),
    (1, 41, False, True), (8, 4, True, True),
])
def test_arrays_of_at_most_40_entries_are_shown_in_full_if_the_first_wrong_entry_fits(count, size, in_full, drawn):
    arrays = {f"argument_{i}": np.random.default_rng(i).normal(size=size) for i in range(count)}
    wanted = np.ones((6, 8))
    call = Call("rotated", (), arrays, Answer("returned", np.triu(wanted)))
    finding = Finding(Failure(call, Answer("returned", wanted), "values"), pattern="triu", sentence="A sentence.")
    reference = SimpleNamespace(bind=lambda function, args, kwargs: kwargs)
    lines = lines_of(messages.message(finding, reference, None, None, "README.md"))
    assert lines[0] == "  A sentence."
    assert any(line.startswith("rotated(argument_0=") for line in lines)
    assert lines[-1] == "  first wrong: [1, 0] expected 1, got 0"
    assert " ".join(lines).count("np.array(") == (count if in_full else 0)
    assert any(". right  x wrong" in line for line in lines) == drawn
    assert len(lines) <= 20


@pytest.mark.parametrize(("wanted", "got", "lines"), [
    ([1, 0.2880282005477558], [0.125, 0.2880282005477558], ["expected [1, 0.288028]", "got      [0.125, 0.288028]"]),
    ([0.5, 0.2880282005477558], [0.25, 0.2880282005478],         # right, although not equal
     ["expected [0.5, 0.288028]", "got      [0.25, 0.288028]"]),
    ([0.5, 0.28802820], [0.5, 0.28802831], ["expected [0.5, 0.2880282]", "got      [0.5, 0.28802831]"]),
    ([[1.0, 0.28802820]], [[1.0, 0.28802831]],
     [". right  x wrong        0  1", "               entry    .  x",
      "first wrong: [0, 1] expected 0.2880282, got 0.28802831"]),
    (16777216, 16777217, ["expected 16777216, got 16777217"]),
    ([-0.0, 1.0], [0.0, 2.0], ["expected [0, 1]", "got      [0, 2]"]),
])
def test_expected_and_got_have_as_many_digits_as_a_wrong_number_needs(wanted, got, lines):
    assert picture(np.array(got), np.array(wanted)) == lines


def test_a_message_with_long_arrays_keeps_the_first_wrong_entry_and_fits_a_screen(project_with):
    project = project_with("shaw_attention")
    source = project.solution("shaw_attention").replace("np.sqrt(", "2.0 * np.sqrt(")
    project.write("shaw_attention", source)
    submission, _ = project.report("42")
    messages = [check["message"] for check in submission["katas"][0]["checks"] if check["outcome"] == "failed"]
    assert any("np.array([[" in message for message in messages)
    for message in messages:
        assert "first wrong" in message or "expected " in message
        assert len(message.splitlines()) <= 23


def test_a_fault_of_the_grader_is_not_reported_as_the_learners(project):
    diagnosis = project.root / "grader" / "verdict" / "diagnosis.py"
    start = "    def diagnose(self, calls: list[Call], error: BaseException) -> Failure:\n"
    text = diagnosis.read_text(encoding="utf-8")
    assert start in text
    diagnosis.write_text(text.replace(start, f"{start}        1 / 0\n"), encoding="utf-8")
    project.write(FORMULA, project.solution(FORMULA).replace(RETURN, "    return -table\n"))
    plain, verbose = project.run("21").stdout, project.run("-v", "21").stdout
    assert "ZeroDivisionError" not in plain
    assert "started" in plain
    assert "A fault of the grader, not of your code, in test_position_zero_is_zeros_and_ones:" in verbose
    assert "ZeroDivisionError: division by zero" in verbose


# A kata that is to be mended

WRONG = {          # each fault of the stub: the right code, and code that gives the same results as the stub
    "fault_of_task_1": ("np.repeat(angles, 2, axis=-1)", "np.tile(angles, 2)"),
    "fault_of_task_2": ("x.shape[seq_axis], x.shape[-1]", "x.shape[-2], x.shape[-1]\n    seq_axis = -2"),
    "fault_of_task_3": ("[-x[..., 1::2], x[..., 0::2]]", "[x[..., 1::2], -x[..., 0::2]]"),
}
TELLING = "clockwise|repeat|sign|minus|head|rotate|negat|transpos|order|swap|exchange|neighbo|half|halves|axis ="


@pytest.mark.parametrize("left", [1, 2, 3, 4, 5, 6, 7])
def test_the_faults_that_are_to_be_found_are_named_but_not_told(tmp_path, left):
    kata = next(kata for kata in all_katas() if kata.name == "mend_the_rope")
    faults = [name for i, name in enumerate(WRONG) if left & 1 << i]
    source = kata.solution.read_text(encoding="utf-8") + "\n# mine\n"
    for name in faults:
        assert source.count(WRONG[name][0]) == 1
        source = source.replace(*WRONG[name])
    rows = [row for row in grade(kata, source, tmp_path, isolated=False)["checks"] if row["outcome"] != "passed"]
    both = "faults_of_tasks_2_and_3"
    named = [both, *faults[:-2]] if left & 6 == 6 else faults
    assert {row["mistake"] for row in rows} == set(named)
    for row in rows:
        told = " ".join(row["message"].partition("\n\n")[0].split())
        assert not re.search(TELLING, told), told
        assert not row["pattern"]
        assert f"[{row['mistake']}, task " in told
    assert any("wrong: [" in row["message"] or "expected [" in row["message"] for row in rows)

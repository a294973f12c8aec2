"""A message marks the expression where the learner's steps part from right ones, and no other."""
import pytest

from grader.calling.limits import CAN_ISOLATE
from grader.course.katas import all_katas
from tests.helpers.harness import grade

KATAS = {kata.name: kata for kata in all_katas()}


def failures(name, changes, folder, isolated=False):
    """The checks that fail for the solution with these (right, wrong) changes."""
    source = KATAS[name].solution.read_text(encoding="utf-8")
    for right, wrong in changes:
        assert source.count(right) == 1
        source = source.replace(right, wrong)
    checks = grade(KATAS[name], f"{source}\n# mine\n", folder, isolated=isolated)["checks"]
    return [check for check in checks if check["outcome"] != "passed"]


def marked(row):
    """The text above the mark of a message, and what the message says below it; nothing if there is no mark."""
    lines = row["message"].split("\n")
    number = next((i for i, line in enumerate(lines) if set(line) == {" ", "^"}), None)
    if number is None:
        return None
    start, end = lines[number].index("^"), len(lines[number])
    after = lines[number + 1:]
    return lines[number - 1][start:end], " ".join(line.strip() for line in after[: after.index("")])


@pytest.mark.parametrize(("name", "right", "wrong", "expression", "told"), [
    ("order_blindness", "return powers / powers.sum(axis=-1, keepdims=True)", "return powers / powers.sum()",
     "powers.sum()", ""),
    ("positional_formula", "-2 * pairs / d_model", "-2 * pairs / (d_model - 1)", "d_model - 1", "This is 7."),
    ("positional_formula", "-2 * pairs / d_model", "-3 * pairs / d_model", "-3 * pairs",
     "Here, every value is 1.5 times what it should be."),
    ("positional_formula", "np.arange(max_len)[:, None]", "np.arange(1, max_len + 1)[:, None]",
     "np.arange(1, max_len + 1)", "This is [1, 2, 3, 4, 5]."),
    ("positional_formula", "np.cos(angles[:, : d_model // 2])", "np.cos(2 * angles[:, : d_model // 2])",
     "2 * angles[:, : d_model // 2]", "This is [[0, 0], [2, 0.02], [4, 0.04]]."),
    ("shift_matrix", "encoding @ matrix.T", "encoding @ matrix", "encoding @ matrix",
     "Here, the matrix product with the second one transposed (or not, if it is) is needed."),
    ("rope_rotation", "even * cos - odd * sin", "even * cos - odd * cos",
     "turned[..., 0::2] = even * cos - odd * cos", ""),
])
def test_the_expression_that_is_wrong_is_marked(name, right, wrong, expression, told, tmp_path):
    first = failures(name, [(right, wrong)], tmp_path)[0]
    assert marked(first) == (expression, told)
    line = next(line for line in KATAS[name].solution.read_text(encoding="utf-8").split("\n") if right in line)
    assert KATAS[name].solution.read_text(encoding="utf-8").split("\n")[first["line"] - 1] == line


def test_of_two_slips_the_first_is_marked(tmp_path):
    first = failures("order_blindness", [
        ("scores - scores.max(axis=-1, keepdims=True)", "scores - scores.mean(axis=-1, keepdims=True) ** 2"),
        ("return powers / powers.sum(axis=-1, keepdims=True)", "return powers / powers.sum(axis=0, keepdims=True)"),
    ], tmp_path)[0]
    assert marked(first)[0] == "scores.mean(axis=-1, keepdims=True)"


def test_a_way_of_ones_own_is_not_marked_where_it_is_right(tmp_path):
    first = failures("positional_formula", [
        ("return base ** (-2 * pairs / d_model)", "return np.exp(-np.log(base) / d_model * 2 * pairs) + 1e-3"),
    ], tmp_path)[0]
    assert marked(first)[0] == "np.exp(-np.log(base) / d_model * 2 * pairs) + 1e-3"


def test_writes_into_a_table_of_true_and_false_are_compared_too(tmp_path):
    (mask,) = [line for line in KATAS["packed_sequences"].solution.read_text(encoding="utf-8").split("\n")
               if "return mask if" in line]
    written = """    seen = np.zeros(mask.shape, dtype=bool)
    seen[1:, :-1] = mask[1:, :-1]
    seen[-1] = mask[-1]
    return seen"""
    first = failures("packed_sequences", [(mask, written)], tmp_path)[0]
    assert first["function"] == "packed_mask"
    assert "wrong" in first["message"]


def test_a_call_of_another_tasks_function_says_whether_that_is_right(tmp_path):
    rows = failures("positional_formula", [("-2 * pairs / d_model", "-3 * pairs / d_model")], tmp_path)
    table = next(row for row in rows if row["function"] == "positional_encoding")
    assert marked(table) == ("frequencies(d_model, base)", "`frequencies` is not right yet.")
    rows = failures("positional_formula", [
        ("positions * frequencies(d_model, base)", "positions * frequencies(d_model, d_model)")], tmp_path)
    assert marked(rows[0]) == ("frequencies(d_model, d_model)",
                               "`frequencies` passes its checks, so look at what you pass to it.")


@pytest.mark.skipif(not CAN_ISOLATE, reason="processes are not forked here")
def test_the_message_is_the_same_in_a_process_of_its_own(tmp_path):
    changes = [("np.cos(angles[:, : d_model // 2])", "np.cos(2 * angles[:, : d_model // 2])")]
    here, there = (failures("positional_formula", changes, tmp_path, isolated) for isolated in (False, True))
    assert [(row["message"], row["line"]) for row in here] == [(row["message"], row["line"]) for row in there]
    assert marked(here[0])


def test_a_kata_that_is_to_be_mended_marks_nothing(tmp_path):
    rows = grade(KATAS["mend_the_rope"], KATAS["mend_the_rope"].original.read_text(encoding="utf-8"), tmp_path,
                 isolated=False)["checks"]
    assert any(row["outcome"] == "failed" for row in rows)
    assert not any(row["line"] or "^" in (row["message"] or "") for row in rows)


@pytest.mark.parametrize("isolated", [False, CAN_ISOLATE])
def test_a_function_that_keeps_something_between_calls_is_said_to(tmp_path, isolated):
    rows = failures("positional_formula", [
        ("def frequencies(d_model, base=10000.0):", "known = {}\n\n\ndef frequencies(d_model, base=10000.0):"),
        ("    return base ** (-2 * pairs / d_model) ",
         "    return known.setdefault(d_model, base ** (-2 * pairs / d_model)) "),
    ], tmp_path, isolated)
    row = next(row for row in rows if row["function"] == "frequencies" and row["pattern"] == "kept")
    assert "keeps something between calls" in " ".join(row["message"].split())
    assert not marked(row)

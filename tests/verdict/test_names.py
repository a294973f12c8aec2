"""A mistake is named only where it was made."""
import re

import pytest

from grader.course.katas import all_katas
from grader.verdict.known_mistakes import Namer
from grader.verdict.mistakes import mistakes
from tests.helpers.harness import grade

KATAS = {kata.name: kata for kata in all_katas()}
NOISE = "\n    return value + 0.3 * np.sin(1 + np.arange(np.size(value))).reshape(np.shape(value))"


def failures(name, code, folder, isolated=False):
    """The rows of the checks that fail when this code follows the solution's."""
    kata = KATAS[name]
    source = kata.solution.read_text(encoding="utf-8") + "\n" + code + "\n"
    return [check for check in grade(kata, source, folder, isolated=isolated)["checks"] if check["outcome"] != "passed"]


def text_of(row):
    """A message in one line."""
    return " ".join(row["message"].split())


def mistake(name, replaces, mistake):
    """The text of a function with a known mistake."""
    return next(m for m in mistakes(KATAS[name]) if (m.replaces, m.name) == (replaces, mistake)).edited[replaces] + "\n"


def test_a_result_that_changes_from_call_to_call_is_said_to_change(tmp_path):
    code = ("count = [0]\nright = frequencies\ndef frequencies(d_model, base=10000.0):\n"
            "    count[0] += 1\n    return right(d_model, base) + 0.1 * count[0] * np.arange((d_model + 1) // 2)")
    first = failures("positional_formula", code, tmp_path)[0]
    assert first["pattern"] == "varying"
    assert "Two equal calls give different results." in text_of(first)


def test_a_function_that_is_not_called_again_is_not_said_to_vary(tmp_path):
    kata = KATAS["positional_formula"]
    source = kata.solution.read_text(encoding="utf-8") + """
right = positional_encoding
def positional_encoding(max_len, d_model, base=10000.0):
    while max_len > 40:
        pass
    return right(max_len, d_model, base) + 1
"""
    checks = grade(kata, source, tmp_path, time_limit=0.2, isolated=False)["checks"]
    assert any("not called again" in text_of(check) for check in checks if check["outcome"] == "timeout")
    assert {check["pattern"] for check in checks if check["outcome"] == "failed"} == {"off_by_constant"}


# Known mistakes

def test_a_mistake_that_explains_less_than_half_of_the_failures_is_not_named(tmp_path):
    code = mistake("positional_formula", "positional_encoding", "starts_at_one") + (
        "\nwrong = positional_encoding\ndef positional_encoding(max_len, d_model, base=10000.0):\n"
        "    value = wrong(max_len, d_model, base)\n    if d_model < 5:\n        return value") + NOISE
    rows = failures("positional_formula", code, tmp_path)
    assert len(rows) > 2
    assert not any(row["mistake"] for row in rows)


def test_a_mistake_that_would_fail_a_passed_check_is_not_named(tmp_path):
    code = mistake("alibi_bias", "alibi_bias", "rewards_distance") + (
        "\nwrong = alibi_bias\ndef alibi_bias(n_heads, n_queries, n_keys=None, causal=True):\n"
        "    value = wrong(n_heads, n_queries, n_keys, causal)\n    return value if n_heads == 8 else -value")
    rows = [row for row in failures("alibi_bias", code, tmp_path) if row["function"] == "alibi_bias"]
    assert not any(row["mistake"] for row in rows)


def test_answers_of_true_and_false_name_no_mistake_that_other_answers_speak_against(tmp_path):
    code = ("def is_translation_invariant(encoding, atol=1e-9):\n    for offset in range(len(encoding)):\n"
            "        distances = offset_distances(encoding, offset)\n"
            "        if len(set(np.round(distances, 6))) > 1:\n            return False\n    return True")
    rows = failures("translation_invariance", code, tmp_path)
    assert rows
    assert not any(row["mistake"] or row["pattern"] for row in rows)


def test_two_mistakes_in_two_functions_are_both_named(tmp_path):
    code = (mistake("positional_formula", "frequencies", "doubled_twice")
            + mistake("positional_formula", "positional_encoding", "halves_not_interleaved"))
    named = {row["function"]: row["mistake"] for row in failures("positional_formula", code, tmp_path)}
    assert named == {"frequencies": "doubled_twice", "positional_encoding": "halves_not_interleaved"}


def test_no_message_has_a_tag_twice(tmp_path):
    for one in mistakes(KATAS["rope_rotation"])[:12]:
        for row in failures("rope_rotation", mistake("rope_rotation", one.replaces, one.name), tmp_path):
            (tags,) = re.findall(r"\[([\w, ]*task \d)\]", text_of(row))
            tags = tags.split(", ")
            assert len(tags) == len(set(tags))


# Arguments and chance

@pytest.mark.parametrize("isolated", [False, True])
def test_a_changed_argument_is_called_by_its_name(tmp_path, isolated):
    code = ("right = table_gradient\ndef table_gradient(ids, upstream, max_len):\n"
            "    value = right(ids, upstream, max_len)\n    ids.sort()\n    upstream *= 2\n    return value")
    texts = [text_of(row) for row in failures("learned_table", code, tmp_path, isolated)]
    assert any("the call changed `ids` and `upstream`." in text for text in texts)


def test_a_refusal_that_changes_its_argument_fails(tmp_path):
    code = ("right = look_up\ndef look_up(table, n, offset=0):\n    if offset + n > len(table):\n"
            "        table[0] = 0\n    return right(table, n, offset)")
    texts = [text_of(row) for row in failures("learned_table", code, tmp_path)]
    assert texts
    assert all("The input is refused, but the call changed `table`." in text for text in texts)


def test_wrong_entries_are_not_counted_where_the_right_ones_are_left_to_chance(tmp_path):
    for name in ("uniform", "std_as_variance", "truncated"):
        for row in failures("learned_table", mistake("learned_table", "init_table", name), tmp_path):
            assert "first wrong" not in row["message"]
            assert "entries are wrong" not in row["message"]


def test_a_claim_is_shown_with_its_sentence_or_as_the_check_makes_it(tmp_path):
    code = "def init_table(max_len, d_model, std=0.02, seed=0):\n    return np.full((max_len, d_model), np.nan)"
    texts = [text_of(row) for row in failures("learned_table", code, tmp_path)]
    assert any("The mean is nan. It should be about 0. [" in text for text in texts)
    assert any("The check says: assert np.isfinite(table).all() This should be true, but it is false" in text
               for text in texts)


def test_a_message_says_why_a_result_is_wider_than_its_arguments(tmp_path):
    code = ("right = apply_rope\ndef apply_rope(x, positions, base=10000.0):\n"
            "    return right(x, positions, base).astype(np.float64)")
    texts = [text_of(row) for row in failures("rope_rotation", code, tmp_path)]
    assert texts
    assert all("because the angles are float64" in text or "widens float32" in text for text in texts)


def test_a_fault_of_the_naming_leaves_the_messages_without_names(tmp_path, monkeypatch):
    monkeypatch.setattr(Namer, "names", lambda self, cases: 1 / 0)
    monkeypatch.setattr("tests.helpers.harness.report.of_kata", lambda *args: pytest.fail("the row has no fault"))
    with pytest.raises(AssertionError):                                   # the harness allows no fault
        failures("positional_formula", mistake("positional_formula", "frequencies", "doubled_twice"), tmp_path)

"""Feedback: what a learner reads, and that hostile names and messages stay in their file and their fence."""
import os
import re

import pytest

from grader.output.feedback import NAME_BYTES, OURS, code, feedback, file_names, write
from tests.helpers.results import HOSTILE, check, checks, classroom_of, hostile_run, kata, run_of, submission

MESSAGE = "positional_encoding(max_len=5, d_model=8)\n  The columns are not right.\n  [swapped, task 4]"


def one(*katas):
    """The feedback text for a submission with these katas."""
    (text,) = feedback(run_of(submission("ada", katas)))
    return text


def outside_of_code(text):
    """The lines of a Markdown text outside its fenced blocks, without the code spans in them."""
    fence, lines = None, []
    for line in text.splitlines():
        if fence is not None:
            closing = re.fullmatch(r" {0,3}(`+)\s*", line)
            fence = None if closing and len(closing[1]) >= fence else fence
        elif opening := re.match(r" {0,3}(`{3,})[^`]*$", line):
            fence = len(opening[1])
        else:
            lines.append(re.sub(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", "CODE", line))
    assert fence is None
    return lines


def test_solved_katas_are_named_and_the_others_show_their_first_failing_check():
    failed = [check(f"test_{i}", "failed", MESSAGE if i == 0 else "other", "swapped" if i < 3 else None)
              for i in range(5)]
    rows = [*checks(2), *checks(0, 0, 2), *failed]
    text = one(kata("order_blindness", checks(4)), kata("positional_formula", rows))
    assert "1 of 2 katas are solved, and 6 of 13 checks pass." in text
    assert "- `order_blindness`: solved, 4 of 4 checks\n" in text
    assert "- `positional_formula`: started, 2 of 9 checks\n" in text
    assert f"`test_0`: failed.\n\n```text\n{MESSAGE}\n```\n\nMistake: `swapped`\n" in text
    assert "4 more checks fail, 2 of them for the same reason." in text
    assert "2 checks need code that is not written yet." in text
    assert "## `order_blindness`" not in text


def test_one_mistake_behind_all_failures_is_said_to_be():
    text = one(kata("positional_formula", checks(1, 4, mistake="swapped")))
    assert "3 more checks fail for the same reason.\n" in text


def test_a_kata_not_begun_is_a_line_and_a_started_one_without_failures_names_what_is_next():
    text = one(kata("alibi_bias", checks(0, 0, 3)), kata("positional_formula", checks(2, 0, 3)))
    assert "- `alibi_bias`: todo, 0 of 3 checks; `positional_encoding is not written yet`" in text
    assert "## `alibi_bias`" not in text
    assert "`test_todo_0`: not written yet." in text


def test_a_file_that_does_not_load_is_told_once():
    rows = [check(f"test_{i}", "error", "alibi_bias.py\n  SyntaxError") for i in range(9)]
    text = one(kata("alibi_bias", rows, broken=True))
    assert text.count("SyntaxError") == 1
    assert "more checks fail" not in text


def test_what_was_not_graded_has_no_count():
    rows = [*checks(1), check("test_a", "timeout", "no answer"), check("test_b", "not_run")]
    text = one(kata("alibi_bias", rows))
    assert "- `alibi_bias`: not graded\n" in text
    assert " of " not in text


@pytest.mark.parametrize("size", [1, 2, 26])
def test_no_feedback_is_longer_than_300_lines(size):
    message = "\n".join(["a line of it"] * 200)
    many = [kata(f"kata_{i}", checks(3, 9, 2, message, "swapped")) for i in range(size)]
    text = one(*many)
    assert len(text.splitlines()) <= 300
    assert all(f"- `kata_{i}`" in text for i in range(size))
    shown = text.count("\n## ")
    assert shown == size or f"You have started {size - shown} more katas." in text
    assert shown >= min(size, 15)


def test_hostile_texts_stay_within_their_code():
    told = re.compile(r"[-# A-Za-z0-9:;,.()]*")
    for text in feedback(hostile_run()):
        assert text.startswith(OURS + "\n")
        lines = outside_of_code(text)[1:]
        assert [line for line in lines if not told.fullmatch(line)] == []
        headings = [line for line in lines if line.startswith("#")]
        assert headings == ["# Feedback for CODE", "## CODE", "## CODE"]
        text.encode("utf-8")


def test_the_fence_is_longer_than_any_in_the_message():
    text = one(kata("alibi_bias", checks(0, 1, 0, "```\n`````\n# not a heading")))
    assert "``````text\n```\n`````\n# not a heading\n``````\n" in text


@pytest.mark.parametrize(("text", "written"), [
    ("a", "`a`"), ("a`b", "``a`b``"), ("`", "`` ` ``"), ("a``b`", "``` a``b` ```"), ("", "`  `"),
    (" a", "`  a `"),
])
def test_code_within_a_line_has_more_back_quotes_than_its_text(text, written):
    assert code(text) == written


def test_file_names_are_short_plain_and_never_clash():
    names = file_names(hostile_run())
    assert len({name.casefold() for name in names}) == len(HOSTILE)
    for name in names:
        assert re.fullmatch(r"\w[\w-]*\.md", name)
        assert len(name.encode()) <= NAME_BYTES + 10
        assert name.split(".")[0] not in ("con", "nul", "aux", "prn")
    assert names[HOSTILE.index("same")] == "same.md"
    assert names[HOSTILE.index("x-2")] == "x-2.md"
    assert names[HOSTILE.index("x")] == "x.md"


def test_write_makes_a_file_per_submission_and_nothing_elsewhere(tmp_path):
    folder = tmp_path / "inner" / "feedback"
    write(folder, hostile_run())
    assert sorted(p.name for p in folder.iterdir()) == sorted(file_names(hostile_run()))
    assert [p.name for p in tmp_path.iterdir()] == ["inner"]
    assert [p.name for p in (tmp_path / "inner").iterdir()] == ["feedback"]


def test_a_second_run_replaces_the_feedback_of_the_first(tmp_path):
    write(tmp_path, run_of(submission("ada", [kata("alibi_bias", checks(1, 1))])))
    write(tmp_path, run_of(submission("ada", [kata("alibi_bias", checks(2))])))
    assert "1 of 1 katas are solved" in (tmp_path / "ada.md").read_text(encoding="utf-8")


def test_a_file_of_others_is_refused_before_anything_is_written(tmp_path):
    (tmp_path / "bob.md").write_text("my notes", encoding="utf-8")
    cohort = run_of(*(submission(name, [kata("alibi_bias", checks(1))]) for name in ("ada", "bob")))
    with pytest.raises(ValueError, match=r"bob\.md is not the feedback"):
        write(tmp_path, cohort)
    assert (tmp_path / "bob.md").read_text(encoding="utf-8") == "my notes"
    assert not (tmp_path / "ada.md").exists()


def test_folders_and_links_in_place_of_a_file_are_refused(tmp_path):
    cohort = run_of(submission("ada", [kata("alibi_bias", checks(1))]))
    (tmp_path / "a" / "ada.md").mkdir(parents=True)
    with pytest.raises(ValueError, match="not the feedback"):
        write(tmp_path / "a", cohort)
    (tmp_path / "file").write_text(OURS, encoding="utf-8")
    with pytest.raises(ValueError, match="not a folder"):
        write(tmp_path / "file", cohort)
    (tmp_path / "b").mkdir()
    try:
        os.symlink(tmp_path / "file", tmp_path / "b" / "ada.md")
    except OSError:
        pytest.skip("no links here")
    with pytest.raises(ValueError, match="not the feedback"):
        write(tmp_path / "b", cohort)
    assert (tmp_path / "file").read_text(encoding="utf-8") == OURS


def test_a_class_gets_texts_that_say_where_each_is():
    texts = feedback(classroom_of(30, 26))
    assert len(texts) == 30
    assert all(len(text.splitlines()) <= 300 for text in texts)

"""Feedback: what a learner reads, and that hostile names and messages stay in their file and their fence."""
import os
import re

import pytest

from grader.output import files
from grader.output.feedback import NAME_BYTES, OURS, as_code, file_names, text_of
from tests.helpers.results import HOSTILE, check, checks, hostile_run, kata, run_of, submission

MESSAGE = "positional_encoding(max_len=5, d_model=8)\n  The columns are not right.\n  [swapped, task 4]"


def one(*katas):
    """The feedback text for a submission with these katas."""
    return text_of(submission("ada", katas))


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
    text = one(kata("order_blindness", checks(4)),
               kata("positional_formula", [*checks(2), *checks(0, 0, 2), *failed]))
    assert "1 of 2 katas are solved, and 6 of 13 checks pass." in text
    assert "- `order_blindness`: solved, 4 of 4 checks\n" in text
    assert "- `positional_formula`: started, 2 of 9 checks\n" in text
    assert f"`test_0`: failed.\n\n```text\n{MESSAGE}\n```\n\nMistake: `swapped`\n" in text
    assert "4 more checks fail, 2 of them for the same reason." in text
    assert "2 checks need code that is not written yet." in text
    assert "## `order_blindness`" not in text


@pytest.mark.parametrize(("katas", "said", "unsaid"), [
    ([kata("positional_formula", checks(1, 4, mistake="swapped"))], ["3 more checks fail for the same reason.\n"], []),
    ([kata("alibi_bias", checks(0, 0, 3)), kata("positional_formula", checks(2, 0, 3))],
     ["- `alibi_bias`: todo, 0 of 3 checks; `positional_encoding is not written yet`",
      "`test_todo_0`: not written yet."], ["## `alibi_bias`"]),
    ([kata("alibi_bias", [check(f"test_{i}", "error", "a.py\n  SyntaxError") for i in range(9)], broken=True)],
     ["SyntaxError"], ["more checks fail"]),
    ([kata("alibi_bias", [*checks(1), check("test_a", "timeout", "no answer"), check("test_b", "not_run")])],
     ["- `alibi_bias`: not graded\n"], [" of "]),
    ([kata("alibi_bias", checks(0, 1, 0, "```\n`````\n# not a heading"))],
     ["``````text\n```\n`````\n# not a heading\n``````\n"], []),
], ids=["one mistake", "not begun", "broken", "not graded", "a fence in a message"])
def test_of_each_kata_only_what_helps_is_said(katas, said, unsaid):
    text = one(*katas)
    assert [text.count(part) for part in said] == [1] * len(said)
    assert not [part for part in unsaid if part in text]


@pytest.mark.parametrize("size", [1, 2, 26])
def test_no_feedback_is_longer_than_300_lines(size):
    message = "\n".join(["a line of it"] * 200)
    text = one(*(kata(f"kata_{i}", checks(3, 9, 2, message, "swapped")) for i in range(size)))
    assert len(text.splitlines()) <= 296                    # and four for the title
    assert all(f"- `kata_{i}`" in text for i in range(size))
    shown = text.count("\n## ")
    assert shown == size or f"You have started {size - shown} more katas." in text
    assert shown >= min(size, 15)


@pytest.mark.parametrize(("text", "written"), [
    ("a", "`a`"), ("a`b", "``a`b``"), ("`", "`` ` ``"), ("a``b`", "``` a``b` ```"), ("", "`  `"),
    (" a", "`  a `"),
])
def test_code_within_a_line_has_more_back_quotes_than_its_text(text, written):
    assert as_code(text) == written


def test_file_names_are_short_plain_and_never_clash():
    names = file_names(HOSTILE)
    assert len({name.casefold() for name in names}) == len(HOSTILE)
    for name in names:
        assert re.fullmatch(r"\w[\w-]*\.md", name)
        assert len(name.encode()) <= NAME_BYTES + 10
        assert name.split(".")[0] not in ("con", "nul", "aux", "prn")
    assert [names[HOSTILE.index(name)] for name in ("same", "x-2", "x")] == ["same.md", "x-2.md", "x.md"]


def test_there_is_a_file_per_submission_nothing_elsewhere_and_hostile_texts_stay_within_their_code(tmp_path):
    folder = tmp_path / "inner" / "feedback"
    assert files.write({"feedback": folder}, hostile_run()) == []
    assert sorted(p.name for p in folder.iterdir()) == sorted(file_names(HOSTILE))
    assert [p.name for p in (*tmp_path.iterdir(), *(tmp_path / "inner").iterdir())] == ["inner", "feedback"]
    for path in folder.iterdir():
        text = path.read_bytes().decode("utf-8")
        assert text.startswith(f"{OURS}\n\n# Feedback for `")
        lines = outside_of_code(text)[1:]
        assert [line for line in lines if not re.fullmatch(r"[-# A-Za-z0-9:;,.()]*", line)] == []
        assert [line for line in lines if line.startswith("#")] == ["# Feedback for CODE", "## CODE", "## CODE"]


def fault(folder, *names):
    """The line about feedback for these people that cannot be written into a folder; empty if it can."""
    run = run_of(*(submission(name, [kata("alibi_bias", checks(2))]) for name in names))
    return "".join(files.write({"feedback": folder}, run))


def test_a_second_run_replaces_the_feedback_of_the_first(tmp_path):
    (tmp_path / "ada.md").write_text(OURS, encoding="utf-8")
    assert fault(tmp_path, "ada") == ""
    assert "1 of 1 katas are solved" in (tmp_path / "ada.md").read_text(encoding="utf-8")


def test_what_is_not_feedback_is_refused_before_anything_is_written(tmp_path):
    notes, file = tmp_path / "bob.md", tmp_path / "file"
    notes.write_text("my notes", encoding="utf-8")
    file.write_text(OURS, encoding="utf-8")
    (tmp_path / "a" / "ada.md").mkdir(parents=True)
    (tmp_path / "b").mkdir()
    if os.name != "nt":                                      # a link needs a privilege there
        (tmp_path / "b" / "ada.md").symlink_to(file)
        assert "is not the feedback" in fault(tmp_path / "b", "ada")
    assert "bob.md is not the feedback" in fault(tmp_path, "ada", "bob")
    assert "is not the feedback" in fault(tmp_path / "a", "ada")
    assert "is not a folder" in fault(file, "ada")
    assert (notes.read_text(encoding="utf-8"), file.read_text(encoding="utf-8")) == ("my notes", OURS)
    assert not (tmp_path / "ada.md").exists()

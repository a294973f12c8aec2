"""What one submission has replied may stand for another only where that replies the same, byte for byte."""
import pickle
from types import SimpleNamespace

import numpy as np
import pytest

from grader.answers import Answer
from grader.asking import NoValue
from grader.isolation import IsolatedSubmission
from grader.limits import Budget, Limits
from grader.questions import Batch, Reply, question_of
from grader.transcripts import KEPT, LARGEST, Transcripts, Twins


def question(function, *args):
    return question_of(function, args, {}, False)[0]


def replied(text):
    return Reply(text.encode(), b"", b"")


class Submission:
    """Replies to the questions of a batch with what it has for them."""

    def __init__(self, **replies):
        self.known, self.exchanged, self.loud, self.started_again = replies, [], False, False

    def ahead(self, batch):
        self.asked = [pickle.loads(q.text)[0] for q in batch.questions]
        return [self.known[name] for name in self.asked] if self.known else []

    def begin(self, replies):
        self.replies = list(replies)

    def start_again(self):
        self.started_again = True


def went(transcripts, check="check", failure=None, **replies):
    """Keep a check that has asked this and was given that, in this order."""
    submission = Submission()
    submission.exchanged = [(question(q), r) for q, r in replies.items()]
    transcripts.keep(check, submission, SimpleNamespace(_calls=list(replies)), failure)


@pytest.fixture
def transcripts():
    made = Transcripts()
    went(made, "first", z=replied("0"))                         # the reference
    went(made, a=replied("1"), b=replied("2"))
    made.learnt = True
    went(made, a=replied("1"), b=replied("3"))
    went(made, failure=NoValue(Answer("todo")), a=replied("todo"))
    return made


@pytest.mark.parametrize(("a", "b", "number"), [("1", "2", 0), ("1", "3", 1), ("todo", "2", 2), ("todo", "9", 2)])
def test_the_same_replies_lead_to_the_same_end(transcripts, a, b, number):
    submission = Submission(z=replied("?"), a=replied(a), b=replied(b))
    assert transcripts.replay("check", submission) is transcripts.known["check"][number]
    assert submission.asked == ["z", "a", "b"]


@pytest.mark.parametrize(("a", "b"), [("9", "2"), ("1", "5"), ("", ""), ("2", "1")])
def test_another_reply_leads_nowhere(transcripts, a, b):
    submission = Submission(z=replied("0"), a=replied(a), b=replied(b))
    assert transcripts.replay("check", submission) is None
    assert submission.replies == [(question("a"), replied(a)), (question("b"), replied(b))]


def test_who_cannot_be_asked_all_at_once_follows_nobody(transcripts):
    submission = Submission()
    assert transcripts.replay("check", submission) is None
    assert submission.replies == []


@pytest.mark.parametrize(("reply", "again"), [("2", False), ("todo", True), ("9", True)])
def test_who_printed_something_is_asked_again_where_that_is_shown(transcripts, reply, again):
    submission = Submission(z=replied("0"), a=replied(reply if reply == "todo" else "1"), b=replied(reply))
    submission.loud = True
    assert (transcripts.replay("check", submission) is None) == again == submission.started_again


def test_what_a_call_does_to_its_arguments_is_a_part_of_the_reply(transcripts):
    for a in Reply(b"1", b"", b"changed"), Reply(b"1", b"more", b""):
        assert transcripts.replay("check", Submission(z=replied("0"), a=a, b=replied("2"))) is None


def test_a_check_that_is_not_known_is_not_asked(transcripts):
    assert transcripts.replay("another", Submission()) is None


def test_a_check_that_asks_otherwise_than_the_reference_is_asked_is_not_kept(transcripts):
    went(transcripts, a=replied("4"), c=replied("5"))
    assert len(transcripts.known["check"]) == 3


@pytest.mark.parametrize(("failure", "reply", "kept"), [
    (None, replied("1"), 1), (NoValue(Answer("todo")), replied("1"), 1),
    (AssertionError(), replied("1"), 0), (NoValue(Answer("raised")), replied("1"), 0),
    (None, None, 0), (None, Answer("crashed"), 0), (None, replied("1" * LARGEST), 0),
], ids=["passed", "not written", "wrong", "raised", "memory measured", "crashed", "too large"])
def test_only_what_is_certain_is_kept(failure, reply, kept):
    made = Transcripts()
    went(made, failure=failure, a=reply)
    assert len(made.known.get("check", [])) == kept


def test_no_more_is_kept_than_is_of_use():
    made = Transcripts()
    for number in range(KEPT + 3):
        went(made, a=replied(str(number)))
        made.learnt = True
    assert len(made.known["check"]) == KEPT


def row(outcome, state=None):
    return {"outcome": outcome, "state": state}


@pytest.mark.parametrize(("rows", "submissions", "kept"), [
    ([row("passed"), row("failed"), row("error"), row("todo")], 2, True), ([row("passed")], 1, False),
    ([row("passed"), row("timeout")], 2, False), ([row("crashed")], 3, False), ([row("error", "broken")], 2, False),
])
def test_a_file_that_comes_again_is_not_graded_again_where_that_is_certain(rows, submissions, kept):
    twins = Twins()
    for _ in range(submissions):
        twins.expect("key")
    twins.keep("key", rows)
    assert twins.rows == ({"key": rows} if kept else {})


def written(tmp_path, code):
    """A submission in a process of its own, whose file holds this."""
    file = tmp_path / "code.py"
    file.write_text(code, encoding="utf-8")
    return IsolatedSubmission(file, Limits(call=2.0), Budget(60.0))


def test_what_was_asked_ahead_is_not_asked_again(tmp_path):
    submission = written(tmp_path, """
calls = 0
def one():
    global calls
    calls += 1
    return calls
""")
    replies = submission.ahead(Batch([question("one")] * 3))
    assert submission.ahead(Batch([question("one")] * 9)) is replies
    submission.begin((question("one"), reply) for reply in replies)
    assert [submission.ask("one").value for _ in range(5)] == [1, 2, 3, 4, 5]
    submission.end()


def test_what_is_asked_otherwise_than_ahead_is_asked_of_the_code(tmp_path):
    submission = written(tmp_path, "def one(x): return x\ndef two(x): return -x")
    replies = submission.ahead(Batch([question("one", 1), question("one", 1)]))
    submission.begin((question("one", 1), reply) for reply in replies)
    assert submission.ask("one", (1,)).value == 1
    assert submission.ask("two", (1,)).value == -1
    assert not submission.replies
    submission.end()


@pytest.mark.parametrize(("second", "outcome"), [
    ("import os; os._exit(0)", "crashed"), ("while True: pass", "timeout"), ("return [0] * 10**9", "raised")])
def test_who_fails_at_many_questions_is_asked_one_by_one(tmp_path, second, outcome):
    submission = written(tmp_path, f"def one(): print('once'); return 1\ndef two():\n    {second}")
    replies = submission.ahead(Batch([question("one"), question("two")]))
    assert bool(replies) == submission.loud == (outcome == "raised")
    submission.start_again()
    assert submission.ask("one").value == 1
    assert submission.ask("two").outcome == outcome
    assert submission.take_printed() == "once\n"
    assert submission.ask("one").value == 1
    submission.end()


def test_who_is_slow_has_the_time_for_each_call_and_loses_none_of_it(tmp_path):
    submission = written(tmp_path, "import time\ndef one(): time.sleep(0.7); return 1")
    assert submission.ahead(Batch([question("one")] * 4)) == []
    assert submission.budget.left > 59.0
    assert [submission.ask("one").value for _ in range(4)] == [1] * 4
    submission.end()


def test_long_answers_to_some_questions_take_no_memory_from_others(tmp_path):
    submission = written(tmp_path, """
import numpy as np
def long(): return np.ones(10**6)
def short(): return np.ones(10**6).sum()
""")
    assert submission.ahead(Batch([question("long")] * 200 + [question("short")])) == []
    assert submission.ask("short").value == 10**6
    submission.end()


def test_arrays_that_are_asked_about_together_do_not_meet(tmp_path):
    submission = written(tmp_path, "def double(x):\n    x *= 2\n    return x.copy()")
    arrays = [np.arange(3.0), np.arange(4.0) + 10, np.array([[7]], dtype=np.int64)]
    asked = [question("double", a) for a in arrays]
    submission.begin(zip(asked, submission.ahead(Batch(asked)), strict=True))
    assert len(submission.replies) == 3
    for array in arrays:
        answer = submission.ask("double", (array.copy(),))
        np.testing.assert_array_equal(answer.value, 2 * array)
        assert answer.touched == (0,)
    submission.end()


def test_who_is_asked_again_is_asked_one_by_one(tmp_path):
    submission = written(tmp_path, "def one(x): print('given', x); return x")
    submission.ahead(Batch([question("one", 1), question("one", 2)]))
    assert submission.loud
    submission.start_again()
    assert not submission.loud
    assert submission.ahead(Batch([question("one", 1)])) == []
    submission.begin()
    assert submission.ask("one", (2,)).value == 2
    assert submission.take_printed() == "given 2\n"
    submission.end()

"""What one submission has replied may stand for another only where that replies the same, byte for byte."""
from types import SimpleNamespace

import pytest

from grader.answers import Answer
from grader.asking import NoValue
from grader.isolation import Question, Reply
from grader.transcripts import KEPT, LARGEST, Transcripts


def question(text):
    return Question(text.encode(), b"")


def replied(text):
    return Reply(text.encode(), b"", b"")


class Submission:
    """Replies to a question with what it has for it, and counts."""

    def __init__(self, **replies):
        self.known, self.asked = replies, []
        self.exchanged, self.replies, self.fault = [], [], None

    def load(self):
        pass

    def reply(self, asked):
        self.asked.append(asked.text.decode())
        return self.known[self.asked[-1]]


def went(transcripts, failure=None, **replies):
    """Keep a check that has asked this and was given that, in this order."""
    submission = Submission()
    submission.exchanged = [(question(q), r) for q, r in replies.items()]
    transcripts.keep("check", submission, SimpleNamespace(_calls=list(replies)), failure)


@pytest.fixture
def transcripts():
    made = Transcripts()
    went(made, a=replied("1"), b=replied("2"))
    went(made, a=replied("1"), b=replied("3"))
    went(made, a=replied("4"), c=replied("5"))
    return made


@pytest.mark.parametrize("replies", [{"a": "1", "b": "2"}, {"a": "1", "b": "3"}, {"a": "4", "c": "5"}], ids=str)
def test_the_same_replies_lead_to_the_same_end(transcripts, replies):
    submission = Submission(**{q: replied(r) for q, r in replies.items()})
    assert [q.text.decode() for q, _ in transcripts.replay("check", submission).exchanged] == list(replies)
    assert submission.asked == list(replies)
    assert not submission.replies


@pytest.mark.parametrize("replies", [{"a": "9"}, {"a": "1", "b": "5"}, {"a": "4", "c": "2"}, {"a": ""}], ids=str)
def test_another_reply_leads_nowhere_and_is_not_asked_for_again(transcripts, replies):
    submission = Submission(**{q: replied(r) for q, r in replies.items()})
    assert transcripts.replay("check", submission) is None
    assert [q.text.decode() for q, _ in submission.replies] == list(replies)


def test_a_process_that_ends_leads_nowhere(transcripts):
    assert transcripts.replay("check", Submission(a=Answer("crashed"))) is None
    assert transcripts.replay("check", Submission(a=replied("1"), b=Answer("timeout"))) is None


def test_what_a_call_does_to_its_arguments_is_a_part_of_the_reply(transcripts):
    assert transcripts.replay("check", Submission(a=Reply(b"1", b"", b"changed"))) is None
    assert transcripts.replay("check", Submission(a=Reply(b"1", b"more", b""))) is None


def test_a_check_that_is_not_known_is_not_asked(transcripts):
    submission = Submission()
    assert transcripts.replay("another", submission) is None
    assert submission.asked == []


@pytest.mark.parametrize(("failure", "reply", "kept"), [
    (None, replied("1"), 1), (NoValue(Answer("todo")), replied("1"), 1),
    (AssertionError(), replied("1"), 0), (NoValue(Answer("raised")), replied("1"), 0),
    (None, None, 0), (None, Answer("crashed"), 0), (None, replied("1" * LARGEST), 0),
], ids=["passed", "not written", "wrong", "raised", "memory measured", "crashed", "too large"])
def test_only_what_is_certain_is_kept(failure, reply, kept):
    made = Transcripts()
    went(made, failure, a=reply)
    assert len(made.known["check"]) == kept


def test_no_more_is_kept_than_is_of_use():
    made = Transcripts()
    for number in range(KEPT + 3):
        went(made, a=replied(str(number)))
    assert len(made.known["check"]) == KEPT

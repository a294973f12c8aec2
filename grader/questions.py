"""Questions to a worker and its replies, as bytes, so that they can be compared and kept."""
import pickle
from typing import NamedTuple

from grader import wire
from grader.shared import ALIGNMENT, Memory


class Question(NamedTuple):
    """A call as it goes to a worker."""

    text: bytes                           # pickled, because we wrote it; replies never are
    content: bytes                        # of the memory with the array arguments


class Reply(NamedTuple):
    """What comes back, before it is checked."""

    text: bytes
    rest: bytes
    content: bytes                        # of the same memory, after the call


def question_of(function, args, kwargs, measured):
    """A Question, and the Memory that tells which of its arguments a call has changed."""
    memory = Memory()
    args = [memory.placed(i, a) for i, a in enumerate(args)]
    kwargs = {name: memory.placed(name, a) for name, a in kwargs.items()}
    return Question(pickle.dumps((function, args, kwargs, measured)), memory.content()), memory


class Batch:
    """Questions that go to a worker together, one after the other in its memory."""

    def __init__(self, questions):
        self.questions = questions
        self.starts, content = [], bytearray()
        for question in questions:
            content += bytes(-len(content) % ALIGNMENT)
            self.starts.append(len(content))
            content += question.content
        self.content = bytes(content)
        asked = [(*pickle.loads(q.text), start) for q, start in zip(questions, self.starts, strict=True)]
        self.text = pickle.dumps((len(content), asked))

    def replies(self, frames, after):
        """The Reply to each question, from the frames that came and what the memory holds after that."""
        answers = wire.frames(frames, len(self.questions))
        if after == self.content:
            return [Reply(*answer, q.content) for answer, q in zip(answers, self.questions, strict=True)]
        return [Reply(*answer, after[start : start + len(q.content)])
                for answer, q, start in zip(answers, self.questions, self.starts, strict=True)]

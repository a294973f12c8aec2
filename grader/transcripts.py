"""What a check has asked of submissions before, and what they replied: to grade the next one of a cohort faster.

A check does the same whenever it is given the same replies, byte for byte: its random numbers come from the seed and
its name. So a submission that replies as another did gets what that one got, and the check itself, with its expected
values, need not run again. Where a reply is another, the check runs, and goes on from the replies it has.
"""
from dataclasses import dataclass

from grader.asking import NoValue, calls_of
from grader.isolation import Reply

KEPT = 8                                  # ways to pass one check
LARGEST = 2**20                           # bytes of one transcript


@dataclass
class Transcript:
    """One way through a check."""

    exchanged: list                       # (Question, Reply), in order
    calls: list                           # the same as the check has seen them
    failure: Exception | None             # what it came to: None, or a function that is not written yet


class Transcripts:
    """All that is known of each check."""

    def __init__(self):
        self.known = {}                   # check -> [Transcript]

    def replay(self, check, submission):
        """Ask a submission what it will be asked; the Transcript that it follows to the end, or None."""
        submission.exchanged.clear()
        submission.replies.clear()
        followed = self.known.get(check, [])
        step = 0
        while followed:
            submission.load()
            if submission.fault is not None:
                return None
            question, _ = followed[0].exchanged[step]          # where the replies are the same, so is what follows
            reply = submission.reply(question)
            submission.replies.append((question, reply))
            followed = [one for one in followed if one.exchanged[step][1] == reply]
            step += 1
            for one in followed:
                if len(one.exchanged) == step:
                    submission.replies.clear()
                    return one
        return None

    def keep(self, check, submission, asked, failure):
        """Remember how a check went, if it is certain to go this way again."""
        known = self.known.setdefault(check, [])
        unwritten = isinstance(failure, NoValue) and failure.answer.outcome == "todo"
        replies = [reply for _, reply in submission.exchanged]
        if (failure is None or unwritten) and len(known) < KEPT and 0 < len(replies) == len(calls_of(asked)) \
                and all(isinstance(reply, Reply) for reply in replies) and size(submission.exchanged) <= LARGEST:
            known.append(Transcript(list(submission.exchanged), list(calls_of(asked)), failure))


def size(exchanged):
    """Bytes that went to and fro."""
    return sum(len(part) for exchange in exchanged for way in exchange for part in way)

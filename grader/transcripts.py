"""What a check asks, and what became of each way to reply: to grade the next submission of a cohort faster.

A check does the same whenever it is given the same replies, byte for byte: its random numbers come from the seed and
its name. So a submission that replies as another did gets what that one got, and the check itself, with its expected
values, need not run again. What is asked of the reference is asked of every submission, all at once; where a reply is
another, the check runs, and goes on from the replies it has.
"""
from collections import Counter
from dataclasses import dataclass

from grader.asking import NoValue, calls_of
from grader.questions import Batch, Reply

KEPT = 8                                  # ways to pass one check
LARGEST = 2**22                           # bytes of one transcript


@dataclass
class Transcript:
    """One way through a check."""

    replies: list                         # to the first questions that the reference is asked, or to all of them
    calls: list                           # the same as the check has seen them
    failure: Exception | None             # what it came to: None, or a function that is not written yet


class Twins:
    """Rows of the files that several submissions have, byte for byte, such as a stub that nobody has touched."""

    def __init__(self):
        self.count = Counter()            # key of a file -> submissions
        self.rows = {}                    # key of a file -> its rows

    def expect(self, key):
        """Know that a submission has this file."""
        self.count[key] += 1

    def keep(self, key, rows):
        """Keep rows for the file's next submission, unless they hang on the moment it was graded in."""
        if self.count[key] > 1 and not any(row["outcome"] in ("timeout", "crashed") or row["state"] for row in rows):
            self.rows[key] = rows


class Transcripts:
    """All that is known of each check."""

    def __init__(self):
        self.asked = set()                # of the reference
        self.batches = {}                 # check -> what it asks of the reference
        self.known = {}                   # check -> [Transcript]

    def know(self, checks):
        """Whether the reference has been asked; after that it need not be again, whatever it replied."""
        known = checks[0].nodeid in self.asked
        self.asked.update(check.nodeid for check in checks)
        return known

    def replay(self, check, submission):
        """Ask a submission what the reference is asked; the Transcript of somebody who replied the same, or None."""
        if check not in self.batches:
            return None
        replies = submission.ahead(self.batches[check])
        return next((one for one in self.known[check] if one.replies == replies[: len(one.replies)]), None)

    def keep(self, check, submission, asked, failure):
        """Remember how a check went, if it is certain to go this way again."""
        unwritten = isinstance(failure, NoValue) and failure.answer.outcome == "todo"
        questions, replies = [q for q, _ in submission.exchanged], [r for _, r in submission.exchanged]
        if not (failure is None or unwritten) or not 0 < len(replies) == len(calls_of(asked)) \
                or not all(isinstance(reply, Reply) for reply in replies) or size(submission.exchanged) > LARGEST:
            return
        if check not in self.batches:     # the reference's turn
            self.batches[check], self.known[check] = Batch(questions), []
        same = questions == self.batches[check].questions[: len(questions)]
        if same and len(self.known[check]) < KEPT:
            self.known[check].append(Transcript(replies, list(calls_of(asked)), failure))


def size(exchanged):
    """Bytes that went to and fro."""
    return sum(len(part) for exchange in exchanged for way in exchange for part in way)

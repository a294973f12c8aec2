"""The questions of each check and the outcomes of earlier replies, to grade the next submission of a cohort faster.

A check with the same replies, byte for byte, always has the same outcome: its random numbers come from the seed and its
name. So if a submission replies as an earlier one did, it gets the same outcome, and the check need not run again.
Every submission gets all questions at once that the checks of a kata ask the reference. If a reply is different, the
check runs, with the replies that are there.
"""
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise

from grader.asking import NoValue, calls_of
from grader.questions import Batch, Reply

KEPT = 8                                  # ways to pass one check
LARGEST = 2**22                           # bytes of one transcript


@dataclass
class Transcript:
    """One way through a check."""

    replies: list                         # to the first questions that the reference is asked, or to all of them
    calls: list                           # the same as the check has seen them
    failure: Exception | None             # the outcome: None, or a function that is not written yet


class Twins:
    """Rows of the files that several submissions have, byte for byte, such as a stub that nobody has touched."""

    def __init__(self):
        self.count = Counter()            # key of a file -> submissions
        self.rows = {}                    # key of a file -> its rows

    def expect(self, key):
        """Know that a submission has this file."""
        self.count[key] += 1

    def keep(self, key, rows):
        """Keep rows for the file's next submission, unless they depend on the moment of grading."""
        if self.count[key] > 1 and not any(row["outcome"] in ("timeout", "crashed") or row["state"] for row in rows):
            self.rows[key] = rows


class Transcripts:
    """All that is known of the checks of one kata."""

    def __init__(self):
        self.learnt = False               # whether the reference has been asked
        self.questions = {}               # check -> what it asks of the reference
        self.known = {}                   # check -> [Transcript]

    @cached_property
    def batch(self):
        """What all checks ask; made when the reference has been asked."""
        return Batch([one for questions in self.questions.values() for one in questions])

    @cached_property
    def parts(self):
        """{check: its place in the batch}"""
        ends = list(accumulate(map(len, self.questions.values()), initial=0))
        return {check: slice(*place) for check, place in zip(self.questions, pairwise(ends), strict=True)}

    def replay(self, check, submission):
        """Ask a submission; return the Transcript of an earlier one with the same replies to this check, or None."""
        if not self.learnt or check not in self.known:
            return None
        replies = submission.ahead(self.batch)[self.parts[check]]
        found = next((one for one in self.known[check] if one.replies == replies[: len(one.replies)]), None)
        if submission.loud and (found is None or found.failure):
            submission.start_again()      # so that a row shows what was printed by its check
            return None
        submission.begin(zip(self.questions[check], replies, strict=False))
        return found

    def keep(self, check, submission, asked, failure):
        """Remember how a check went, if it is certain to go this way again."""
        unwritten = isinstance(failure, NoValue) and failure.answer.outcome == "todo"
        questions, replies = [q for q, _ in submission.exchanged], [r for _, r in submission.exchanged]
        if not (failure is None or unwritten) or not 0 < len(replies) == len(calls_of(asked)) \
                or not all(isinstance(reply, Reply) for reply in replies) or size(submission.exchanged) > LARGEST:
            return
        if not self.learnt:               # the reference's turn
            self.questions[check], self.known[check] = questions, []
        same = questions == self.questions.get(check, [])[: len(questions)]
        if same and len(self.known[check]) < KEPT:
            self.known[check].append(Transcript(replies, list(calls_of(asked)), failure))


def size(exchanged):
    """Bytes that went to and fro."""
    return sum(len(part) for exchange in exchanged for way in exchange for part in way)

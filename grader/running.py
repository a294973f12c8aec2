"""Run the checks of a kata on one submission of a cohort, one after the other, without pytest."""
import inspect
import time
from functools import cache

from grader.asking import Asked, calls_of
from grader.grading import check_of
from grader.isolation import IsolatedSubmission
from grader.limits import Budget

FIXTURES = ("kata", "reference", "rng")


def rows_of(grading, kata, checks, transcripts):
    """Run every check of a kata on one submission; one row for each, in order, whatever the code does."""
    if grading.options.isolated and not transcripts.learnt:
        learn(grading, kata, checks, transcripts)
    rows, nodes = [], []
    submission, _ = grading.grader(kata)
    for item in checks:
        asked, start = grading.asked(kata), time.perf_counter()
        failure = graded(item, grading, kata, asked, submission, transcripts)
        rows.append(grading.row(kata, check_of(item), asked, failure, time.perf_counter() - start))
        nodes.append(item.nodeid)
    for node, columns in grading.settled().items():
        rows[nodes.index(node)] |= columns
    return rows


def learn(grading, kata, checks, transcripts):
    """Ask the reference first. Every submission gets the same questions, so their order makes no difference."""
    submission = IsolatedSubmission(kata.solution, grading.options.limits, Budget(grading.options.limits.submission))
    for item in checks:
        graded(item, grading, kata, Asked(submission, grading.reference(kata)), submission, transcripts)
    submission.end()
    transcripts.learnt = True             # whatever it replied


def graded(item, grading, kata, asked, submission, transcripts):
    """Run one check on a submission, or follow one that replied the same before; what it raised, or None."""
    if not grading.options.isolated:
        return failure_of(item, grading, kata, asked)
    submission.begin()
    if followed := transcripts.replay(item.nodeid, submission):
        calls_of(asked).extend(followed.calls)
        return followed.failure
    failure = failure_of(item, grading, kata, asked)
    transcripts.keep(item.nodeid, submission, asked, failure)
    return failure


@cache
def wanted_by(item):
    """The fixtures that a check takes."""
    return [n for n in inspect.signature(item.obj).parameters if n in FIXTURES]


def failure_of(item, grading, kata, asked):
    """Run a check; what it raised, or None."""
    arguments = {"kata": asked, "reference": grading.reference(kata)}
    if "rng" in wanted_by(item):
        arguments["rng"] = grading.rng(item.name)
    arguments = {name: arguments[name] for name in wanted_by(item)}
    arguments |= getattr(getattr(item, "callspec", None), "params", {})
    try:
        item.obj(**arguments)
    except Exception as error:
        return error
    return None

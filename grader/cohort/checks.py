"""Run the checks of a kata on one submission of a cohort, one after the other, without pytest."""
import inspect
import time
from functools import cache

from grader.calling.answers import NO_FILE, NotGraded
from grader.calling.memory import is_short
from grader.course.katas import shown
from grader.verdict.grading import check_of
from grader.verdict.messages import about_file

FIXTURES = ("kata", "reference", "rng")


def rows_of(grading, kata, checks):
    """Run every check of a kata on one submission; one row for each, in order, whatever the code does."""
    rows = []
    for item in checks:
        asked, start = grading.asked(kata), time.perf_counter()
        failure = failure_of(item, grading, kata, asked)
        rows.append(grading.row(kata, check_of(item), asked, failure, time.perf_counter() - start))
    grading.name_again()
    return rows


@cache
def wanted_by(item):
    """The fixtures that a check takes."""
    return [name for name in inspect.signature(item.obj).parameters if name in FIXTURES]


def failure_of(item, grading, kata, asked):
    """Run a check; what it raised, or None."""
    arguments = {"kata": asked, "reference": grading.reference(kata)}
    if "rng" in wanted_by(item):
        arguments["rng"] = grading.rng(item.name)
    arguments = {name: arguments[name] for name in wanted_by(item)}
    arguments |= getattr(getattr(item, "callspec", None), "params", {})
    try:
        with grading.bounded():
            item.obj(**arguments)
    except MemoryError as error:
        if is_short():
            raise NotGraded(NotGraded.NO_MEMORY) from None
        return error
    except NotGraded:
        raise
    except Exception as error:
        return error
    return None


def without_file(kata, checks):
    """The rows of a kata for which a submission has no file; no suite needs to run for them."""
    message = about_file(shown(kata.folder), NO_FILE)
    return [check.row("todo", check.task(kata), message=message, file_fault="no_file") for check in checks]

"""Run the checks of a kata on one submission of a cohort, one after the other, without pytest."""
import time

from grader.calling.answers import NO_FILE, NotGraded
from grader.calling.memory import is_short
from grader.course.katas import shown
from grader.verdict.grading import check_of
from grader.verdict.messages import about_file


def rows_of(grading, kata, checks):
    """Run every check of a kata on one submission; one row for each, in order, whatever the code does."""
    rows = []
    for item in checks:
        asked, start = grading.asked(kata), time.perf_counter()
        failure = failure_of(item, grading, kata, asked)
        rows.append(grading.row(kata, check_of(item), asked, failure, time.perf_counter() - start))
    grading.name_again()
    return rows


def wanted_by(item):
    """The fixtures that a check takes."""
    return [name for name in ("kata", "reference", "rng") if name in item.fixturenames]


def failure_of(item, grading, kata, asked):
    """Run a check; what it raised, or None."""
    fixtures = {"kata": lambda: asked, "reference": lambda: grading.reference(kata),
                "rng": lambda: grading.rng(item.name)}
    arguments = {name: fixtures[name]() for name in wanted_by(item)}
    arguments |= getattr(getattr(item, "callspec", None), "params", {})
    try:
        with grading.bounded():
            item.obj(**arguments)
    except NotGraded:
        raise
    except Exception as error:
        if isinstance(error, MemoryError) and is_short():
            raise NotGraded(NotGraded.NO_MEMORY) from None
        return error
    return None


def without_file(kata, checks):
    """The rows of a kata for which a submission has no file; no suite needs to run for them."""
    message = about_file(shown(kata.folder), NO_FILE)
    return [check.row("todo", check.task(kata), message=message, file_fault="no_file") for check in checks]

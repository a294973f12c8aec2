"""Grade a source text for one kata: every check of its suite, in this process, the code in one of its own."""
import contextlib
import functools
import io
from pathlib import Path
from types import SimpleNamespace

import pytest

from grader.calling.limits import Limits
from grader.cohort.finding import Entry, Found
from grader.course.katas import ROOT
from grader.output import report
from grader.run.session import Session

WITH_ONE_FUNCTION_EXCHANGED = '''
import types as _types
_other = _types.ModuleType("other")
exec(compile({other!r}, "other.py", "exec"), _other.__dict__)
{replaces} = vars(_other.{replaces})[{name!r}]
'''


def source_of(kata, variant):
    """The solution's text with one function taken from variants.py."""
    return kata.solution.read_text(encoding="utf-8") + WITH_ONE_FUNCTION_EXCHANGED.format(
        other=kata.variants.read_text(encoding="utf-8"), replaces=variant.replaces, name=variant.name)


class Collected:
    """A plugin that keeps the checks that pytest has collected."""

    def pytest_collection_finish(self, session):
        self.items = list(session.items)


def collected(*arguments):
    """The checks that pytest collects for a command."""
    found = Collected()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        pytest.main([*arguments, f"--rootdir={ROOT}", "--collect-only", "-p", "no:cacheprovider"], [found])
    return found.items


@functools.cache
def checks_of(kata):
    """The checks of a kata's suite, as pytest collects them."""
    return collected(str(kata.suite))


def handed_in(folder, *katas):
    """What a submission has that is a folder with a file for each of these katas."""
    return Found(folder, {kata.name: Entry(folder / f"{kata.name}.py", f"{kata.name}.py") for kata in katas})


def grade(kata, source, folder, seed=0, time_limit=10.0, isolated=True):
    """Run the suite of `kata` on a submission with this source text; return the kata's part of the report."""
    return report.of_kata(result_of(kata, source, folder, seed, time_limit, isolated))


def result_of(kata, source, folder, seed=0, time_limit=10.0, isolated=True):
    """Run the suite of `kata` on a submission with this source text; return the KataResult."""
    (folder / f"{kata.name}.py").write_text(source, encoding="utf-8")
    options = SimpleNamespace(solutions=False, work=None, isolated=isolated, seed=seed,
                              limits=Limits(call=time_limit))
    session = Session(options, handed_in(folder, kata))
    try:
        result = session.result(kata, session.rows(kata, checks_of(kata)))
    finally:
        session.close()
    for row in result.rows:
        row.seconds = 0.0
        assert not row.fault                                 # of the grader
    return result


def seeds_that_pass(kata, source, folder, seeds, isolated=False):
    """The seeds on which a submission passes every check; None if a check without `rng` rejects it."""
    (folder / f"{kata.name}.py").write_text(source, encoding="utf-8")
    options = SimpleNamespace(solutions=False, work=None, isolated=isolated, seed=0, limits=Limits(call=3.0))
    session = Session(options, handed_in(folder, kata))

    def rejects(item):
        return session.error_of(item, kata, session.asked(kata)) is not None

    drawn = [item for item in checks_of(kata) if "rng" in item.fixturenames]
    passed = []
    try:
        if any(rejects(item) for item in checks_of(kata) if item not in drawn):
            return None
        for options.seed in seeds:
            rejecting = next((item for item in drawn if rejects(item)), None)
            if rejecting is None:
                passed.append(options.seed)
            else:                                            # ask it first on the next seed
                drawn = [rejecting, *(item for item in drawn if item is not rejecting)]
    finally:
        session.close()
    return passed


def source_as(kata, form):
    """The solution's text, with every result in another form that is as right, or in single precision."""
    wrapper = Path(__file__).with_name("in_another_form.py").read_text(encoding="utf-8")
    return f"{kata.solution.read_text(encoding='utf-8')}\n\n{wrapper.replace('FORM = _single', f'FORM = _{form}')}"

"""Grade a source text for one kata, in a pytest run of its own inside this process, and read its report."""
import contextlib
import io
import json

import pytest

from grader.katas import ROOT

WITH_ONE_FUNCTION_EXCHANGED = '''
import types as _types
_other = _types.ModuleType("other")
exec(compile({other!r}, "other.py", "exec"), _other.__dict__)
{replaces} = vars(_other.{replaces})[{name!r}]
'''


def source_of(kata, path, alternative):
    """The solution's text with one function taken from the mistakes.py or variants.py at `path`."""
    return kata.solution.read_text(encoding="utf-8") + WITH_ONE_FUNCTION_EXCHANGED.format(
        other=path.read_text(encoding="utf-8"), replaces=alternative.replaces, name=alternative.name)


def grade(kata, source, folder, *options):
    """Run the suite of `kata` on a submission with this source text; return the kata's part of the report."""
    (folder / f"{kata.name}.py").write_text(source, encoding="utf-8")
    report = folder / "report.json"
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        pytest.main([
            str(kata.suite), f"--rootdir={ROOT}", f"--submission={folder}", f"--report={report}",
            "-p", "no:cacheprovider", *options,
        ])
    (result,) = json.loads(report.read_text(encoding="utf-8"))["submissions"][0]["katas"]
    return result

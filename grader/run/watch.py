"""`--watch`: run the same command again whenever a file is saved, in a new process, until Ctrl-C."""
from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from grader.course.katas import all_katas
from grader.run.selection import katas_in
from grader.run.session import Session

LOOK = 0.5                                # seconds from one look at the files to the next
SHARE = 20                                # a look at many files takes at most one part in so many of the time
PATIENCE = 1.0                            # seconds until a process that was interrupted is killed
CLEAR = "\x1b[H\x1b[2J\x1b[3J"            # of a terminal, with what was scrolled away

Saved = dict[str, tuple[int, int, int]]


def main(config: pytest.Config, session: Session) -> pytest.ExitCode:
    """Grade the named katas, or all and then the one that was saved; of a cohort, what has changed in its folder."""
    arguments = [text for text in map(str, config.invocation_params.args) if text != "--watch"]
    cohort, katas = session.options.cohort, katas_in(config, "--watch")
    if cohort is not None:
        ours = [path.resolve() for path in session.options.outputs.values()]      # which a run writes
        return run_again(config, lambda: (file for file in below(cohort) if not {file, *file.parents} & {*ours}),
                         arguments, arguments, may_end=False)
    return run_again(config, lambda: filter(None, map(session.file, katas or all_katas())), arguments,
                     arguments if katas else [*arguments, "--latest"], may_end=True)


def run_again(config: pytest.Config, files: Callable[[], Iterable[Path]], first: list[str], later: list[str],
              may_end: bool) -> pytest.ExitCode:
    """Run pytest with the arguments `first`, and with `later` each time one of the files has changed.

    If a run may end early, a file that is saved meanwhile starts the next one at once.
    """
    process, before = None, saved(files())
    try:
        process = started(config, first)
        while True:
            start = time.monotonic()
            now = saved(files())
            pause = max(LOOK, SHARE * (time.monotonic() - start))
            if now != before and (may_end or process is None):
                end(process)
                process, before = started(config, later), now
            elif process is not None and process.poll() is not None:
                process = None
                print("\nThis command runs again when you save a file. To end it, press Ctrl-C.", flush=True)
            time.sleep(pause)
    except KeyboardInterrupt:
        end(process)
        print()
    return pytest.ExitCode.OK


def saved(files: Iterable[Path]) -> Saved:
    """What changes when a file is saved: its time, its size and, if an editor replaces the file, its number."""
    found = {}
    for file in files:
        with suppress(OSError):           # just now, it is not there
            status = file.stat()
            found[str(file)] = status.st_mtime_ns, status.st_size, status.st_ino
    return found


def below(folder: Path) -> Iterator[Path]:
    """All files in a folder, or the one file."""
    folder = folder.resolve()
    if folder.is_file():
        yield folder
    for where, _, names in os.walk(folder):
        yield from (Path(where, name) for name in names if not name.startswith("."))


def started(config: pytest.Config, arguments: list[str]) -> subprocess.Popen:
    """A new process of pytest, on a screen that is cleared if there is one."""
    if sys.stdout.isatty():
        print(CLEAR, end="", flush=True)
    return subprocess.Popen([sys.executable, "-m", "pytest", *arguments], cwd=config.invocation_params.dir,
                            stdin=subprocess.DEVNULL)


def end(process: subprocess.Popen | None) -> None:
    """End a run as Ctrl-C would, so that it leaves nothing behind; kill it if it does not end."""
    if process is None:
        return
    try:
        with suppress(KeyboardInterrupt):             # it has reached the process, too
            if os.name == "posix":
                process.send_signal(signal.SIGINT)
            else:
                process.terminate()
            process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()

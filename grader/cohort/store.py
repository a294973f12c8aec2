"""The rows of a cohort so far, in a database, so that an interrupted run can continue."""
import errno
import functools
import hashlib
import json
import os
import secrets
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from grader.cohort.made_up import made_up_names
from grader.course.katas import ROOT, Kata
from grader.course.visible import LONGEST_PATH, visible
from grader.verdict.rows import Check, Row

# The digest is of the rest of the line. SQLite notices damage to its own structure only, not to what is written in it.
TABLE = """
CREATE TABLE IF NOT EXISTS kept (submission, kata, key, rows, digest, PRIMARY KEY (submission, kata)) WITHOUT ROWID
"""
SEED, ALIASES = ("", "seed"), ("", "aliases")             # kept like the rows of a submission without a name
OF_THE_SYSTEM = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_PERM,
                 sqlite3.SQLITE_READONLY)                 # all other errors are about what is in the file


def key_of(kata: Kata, entry, options, checks: Iterable[Check]) -> str:
    """A key that changes if anything changes that the rows of a file depend on; messages have its name."""
    digest = project_digest(kata).copy()
    if entry is not None:
        code, *others = entry.source
        digest.update(repr(others).encode() if code is None else code)
    digest.update(repr((entry and entry.name, options.seed, options.limits, [c.name for c in checks])).encode())
    return digest.hexdigest()


@functools.cache
def project_digest(kata: Kata):
    """The digest of the project's own files that a kata's rows depend on."""
    digest = hashlib.sha256()
    grader = sorted(path for path in (ROOT / "grader").rglob("*.*") if path.suffix != ".pyc")
    for path in (kata.suite, kata.readme, kata.solution, kata.mistakes, *grader):
        digest.update(path.read_bytes())
    return digest


class Store:
    """A table with the rows of each submission and kata; as long as it is open, no other run can open it."""

    def __init__(self, cache, options):
        self.notes: list[str] = []            # lines about what is wrong with the file
        self.is_full = False                  # the disk that it should be on
        self.next_run = f"Run the same command {'without --fresh' if options.fresh else 'again'}: it continues."
        self.database = self.opened(cache, options)
        if options.fresh:
            self.write("DELETE FROM kept WHERE (submission, kata) != (?, ?)", ALIASES)
        seed = self.value(SEED)
        self.seed = next(one for one in (options.seed, seed, secrets.randbelow(2**31)) if one is not None)
        if seed is None:
            self.add(SEED, "", json.dumps(self.seed))

    def opened(self, cache, options) -> sqlite3.Connection:
        """The database; without pytest's cache, one that is gone at the end."""
        if cache is None:                     # so there is no earlier run to continue
            self.next_run = "Run the same command again: it begins anew."
            return connected("")
        try:
            name = hashlib.sha256(os.fsencode(Path(options.cohort).resolve())).hexdigest()[:16]
            path = cache.mkdir("katas") / f"cohort-{name}.sqlite"
            try:
                return connected(path)
            except sqlite3.Error as error:
                if kind_of(error) == sqlite3.SQLITE_BUSY:
                    text = f"--cohort={visible(options.cohort)}: another run is grading this folder"
                    raise pytest.UsageError(text) from None
                if kind_of(error) in OF_THE_SYSTEM:
                    raise of_the_system(error, path) from None
            damaged = path.replace(path.with_suffix(".damaged"))
            self.notes.append(f"{visible(path, LONGEST_PATH)} was damaged, so everything was graded again. "
                              f"What is left of it is in {damaged.name}.")
            path.with_name(f"{path.name}-journal").unlink(missing_ok=True)      # it would change the new file
            return connected(path)
        except OSError as error:
            self.is_full = error.errno == errno.ENOSPC
            self.notes.append(f"The results are not kept for a later run: {visible(error, LONGEST_PATH)}")
            return self.opened(None, options)

    def write(self, statement: str, values: tuple[str, ...]) -> None:
        """Change the table in one step, or end the run."""
        try:
            self.database.execute(statement, values)
        except sqlite3.Error as error:
            pytest.exit(f"the results cannot be kept: {of_the_system(error).strerror}. {self.next_run}", 3)

    def add(self, pair: tuple[str, str], key: str, rows: str) -> None:
        """Keep the rows of one submission for one kata, which come as JSON."""
        line = (*pair, key, rows)
        self.write("REPLACE INTO kept VALUES (?, ?, ?, ?, ?)", (*line, line_digest(line)))

    def value(self, pair: tuple[str, str]) -> Any:
        """What is kept for a submission and kata, or None."""
        found = self.database.execute("SELECT rows FROM kept WHERE submission = ? AND kata = ?", pair).fetchone()
        return found and json.loads(found[0])

    def rows(self, pair: tuple[str, str]) -> list[Row] | None:
        """The Rows of one submission for one kata, or None."""
        kept = self.value(pair)
        return kept and [Row(**columns) for columns in kept]

    def keys(self) -> dict[tuple[str, str], str]:
        """{(submission, kata): the key of what is kept}."""
        lines = self.database.execute("SELECT submission, kata, key FROM kept")
        return {(submission, kata): key for submission, kata, key in lines}

    def named(self, submissions: Iterable[str]) -> dict[str, str]:
        """{submission: made-up name}; who has one keeps it, in every run."""
        aliases = self.value(ALIASES) or {}
        aliases |= made_up_names(submissions, aliases)
        self.add(ALIASES, "", json.dumps(aliases))
        return aliases


def connected(path) -> sqlite3.Connection:
    """The database in a file, kept from other runs and found to be as it was written; sqlite3.Error if it is not."""
    database = sqlite3.connect(path, timeout=0, isolation_level=None)           # each statement by itself is atomic
    try:
        database.execute("PRAGMA locking_mode = EXCLUSIVE")
        database.execute("PRAGMA synchronous = OFF")      # a killed process loses nothing; after a power cut, we grade
        database.execute("BEGIN EXCLUSIVE")
        database.execute(TABLE)
        database.execute("COMMIT")
        for *line, digest in database.execute("SELECT submission, kata, key, rows, digest FROM kept"):
            if digest != line_digest(line):
                raise sqlite3.DatabaseError("damaged")
    except sqlite3.Error:
        database.close()
        raise
    return database


def line_digest(line: Iterable[str]) -> str:
    return hashlib.sha256(repr(tuple(line)).encode()).hexdigest()


def kind_of(error: sqlite3.Error) -> int:
    """SQLite's number for an error; errors of Python's own about a database have none."""
    return getattr(error, "sqlite_errorcode", 0) & 0xff


def of_the_system(error: sqlite3.Error, path: Path | None = None) -> OSError:
    """The error as the system says it."""
    full = kind_of(error) == sqlite3.SQLITE_FULL
    return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path) if full else OSError(errno.EIO, str(error), path)

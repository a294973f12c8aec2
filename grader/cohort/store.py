"""The results of a cohort so far, in a file, so that an interrupted run can continue."""
import contextlib
import errno
import functools
import hashlib
import io
import json
import os
import secrets
import tempfile
from pathlib import Path

import pytest

from grader.cohort.made_up import made_up_names
from grader.course.katas import ROOT
from grader.course.visible import LONGEST_PATH, visible
from grader.verdict.rows import Row


def key_of(kata, entry, options, checks):
    """A key that changes if anything changes that the rows of a file depend on; messages have its name."""
    digest = ours(kata).copy()
    if entry is not None:
        code, *others = entry.source
        digest.update(repr(others).encode() if code is None else code)
    digest.update(repr((entry and entry.name, options.seed, options.limits, [c.name for c in checks])).encode())
    return digest.hexdigest()


@functools.cache
def ours(kata):
    """The digest of the project's own files that a kata's rows depend on."""
    digest = hashlib.sha256()
    for path in (kata.suite, kata.readme, kata.solution, kata.mistakes, *sorted((ROOT / "grader").rglob("*.*"))):
        digest.update(path.read_bytes())
    return digest


class Store:
    """Lines of JSON with their digests, one for each submission and kata; only where each begins is held in memory."""

    def __init__(self, cache, options):
        self.places = {}                      # (submission, kata) -> (key, offset, bytes)
        self.aliases = {}                     # submission -> its made-up name, the same in every run
        self.notes = []                       # lines about what is wrong with the file
        self.is_full = False                  # the disk that it should be on
        self.next_run = f"Run the same command {'without --fresh' if options.fresh else 'again'}: it continues."
        self.file = self.opened(cache, options)
        self.seed = options.seed
        self.read()
        if options.fresh:
            self.file.truncate(0)
            self.places, self.seed = {}, options.seed
            self.append(json.dumps({"aliases": self.aliases}))
        if self.seed is None:
            self.seed = secrets.randbelow(2**31)
        self.append(json.dumps({"seed": self.seed}))

    def opened(self, cache, options):
        """The file, locked until this process ends; without pytest's cache, one that is gone at the end."""
        try:
            if cache is None:                 # so there is no earlier run to continue
                self.next_run = "Run the same command again: it begins anew."
                return tempfile.TemporaryFile(buffering=0)
            name = hashlib.sha256(os.fsencode(Path(options.cohort).resolve())).hexdigest()[:16]
            file = (cache.mkdir("katas") / f"cohort-{name}.jsonl").open("a+b", buffering=0)
        except OSError as error:
            if cache is None:
                raise pytest.UsageError(f"there is no folder for temporary files: {error.strerror}") from None
            self.is_full = error.errno == errno.ENOSPC
            self.notes.append(f"The results are not kept for a later run: {visible(error, LONGEST_PATH)}")
            return self.opened(None, options)
        try:
            lock(file)
        except OSError:
            raise pytest.UsageError(f"--cohort={visible(options.cohort)}: another run is grading this folder") from None
        return file

    def read(self):
        """Find what an earlier run has left; what is damaged is graded again."""
        self.file.seek(0)
        offset, damaged, line = 0, 0, b"\n"
        reader = io.BufferedReader(self.file)
        for line in reader:
            entry = entry_of(line)
            if entry is None:
                damaged += 1
            elif "aliases" in entry:
                self.aliases |= entry["aliases"]
            elif "seed" not in entry:
                self.places[entry["submission"], entry["kata"]] = entry["key"], offset, len(line)
            elif self.seed is None:
                self.seed = entry["seed"]
            offset += len(line)
        reader.detach()
        if not line.endswith(b"\n"):
            self.write(b"\n")
        if damaged:
            lines = "1 line was" if damaged == 1 else f"{damaged} lines were"
            self.notes.append(f"{lines} damaged in {visible(self.file.name, LONGEST_PATH)}. "
                              "What they said was graded again.")

    def append(self, text):
        """Write one line; return where it begins, and its length."""
        offset = self.file.seek(0, 2)
        line = digest_of(text.encode("ascii")) + b" " + text.encode("ascii") + b"\n"
        self.write(line)
        return offset, len(line)

    def write(self, line):
        """Write some bytes at the end, or end the run."""
        try:
            if self.file.write(line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError as error:
            pytest.exit(f"the results cannot be kept: {error.strerror}. {self.next_run}", 3)

    def named(self, submissions):
        """{submission: made-up name}; who has one keeps it."""
        new = made_up_names(submissions, self.aliases)
        self.aliases |= new
        self.append(json.dumps({"aliases": new}))
        return self.aliases

    def add(self, pair, key, rows):
        """Keep the rows of one submission for one kata, which come as JSON."""
        entry = json.dumps({"submission": pair[0], "kata": pair[1], "key": key})
        self.places[pair] = key, *self.append(f'{entry[:-1]}, "rows": {rows}}}')

    def keys(self, besides=None):
        """(submission, kata, key) of all that is kept, without those of one submission."""
        return {(*pair, key) for pair, (key, *_) in self.places.items() if pair[0] != besides}

    def rows(self, pair):
        """The Rows of one submission for one kata, or None."""
        if pair not in self.places:
            return None
        key, offset, length = self.places[pair]
        self.file.seek(offset)
        entry = entry_of(self.file.read(length))
        if entry is None or (entry.get("submission"), entry.get("kata"), entry.get("key")) != (*pair, key):
            return None
        return [Row.unpacked(columns) for columns in entry["rows"]]


def lock(file):
    """Keep other runs from using this file, on systems that can do so; OSError if one of them does."""
    with contextlib.suppress(ImportError):
        import fcntl  # here, because Windows does not have it
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def digest_of(text):
    return hashlib.sha256(text).hexdigest()[:32].encode("ascii")


def entry_of(line):
    """What a line says, or None if it is not as it was written."""
    digest, _, text = line.rstrip(b"\n").partition(b" ")
    return json.loads(text) if digest == digest_of(text) else None

"""The results of a cohort so far, in a file, so that an interrupted run can continue."""
import functools
import hashlib
import json
import secrets
import tempfile
from pathlib import Path

from grader.calling.source import read_source
from grader.course.katas import ROOT
from grader.verdict.rows import Row


def key_of(kata, file, options, checks):
    """A key that changes if anything changes that the rows of a file depend on."""
    digest = ours(kata).copy()
    content, fault = (b"", None) if file is None else read_source(file)
    digest.update(fault.encode() if fault else content)
    digest.update(repr((file is None, options.seed, options.limits, [c.name for c in checks])).encode())
    return digest.hexdigest()


@functools.cache
def ours(kata):
    """The digest of the project's own files that a kata's rows depend on."""
    digest = hashlib.sha256()
    for path in (kata.suite, kata.readme, kata.solution, kata.mistakes, *sorted((ROOT / "grader").rglob("*.py"))):
        digest.update(path.read_bytes())
    return digest


class Store:
    """Lines of JSON, one for each submission and kata; only where each begins is held in memory."""

    def __init__(self, cache, options):
        self.places = {}                      # (submission, kata) -> (key, offset)
        if cache is None:                     # pytest runs without a cache, so there is no earlier run to continue
            self.file = tempfile.TemporaryFile()                                   # noqa: SIM115
        else:
            name = hashlib.sha256(str(Path(options.cohort).resolve()).encode()).hexdigest()[:16]
            path = cache.mkdir("katas") / f"cohort-{name}.jsonl"
            if options.fresh or not path.exists():
                path.write_bytes(b"")
            self.file = path.open("r+b")
        self.seed = options.seed
        self.read()
        if self.seed is None:
            self.seed = secrets.randbelow(2**31)
        self.append(json.dumps({"seed": self.seed}))

    def read(self):
        """Find what an earlier run has left; a line that was not finished ends it."""
        offset = 0
        for line in self.file:
            try:
                entry = json.loads(line)
            except ValueError:
                break
            if "seed" in entry and self.seed is None:
                self.seed = entry["seed"]
            elif "rows" in entry:
                self.places[entry["submission"], entry["kata"]] = entry["key"], offset
            offset += len(line)
        self.file.truncate(offset)
        self.file.seek(offset)

    def append(self, line):
        """Write one line and return where it begins."""
        offset = self.file.seek(0, 2)
        self.file.write(line.encode("ascii") + b"\n")
        self.file.flush()
        return offset

    def add(self, pair, key, rows):
        """Keep the rows of one submission for one kata, which come as JSON."""
        entry = json.dumps({"submission": pair[0], "kata": pair[1], "key": key})
        self.places[pair] = key, self.append(f'{entry[:-1]}, "rows": {rows}}}')

    def keys(self):
        """(submission, kata, key) of all that is kept."""
        return {(*pair, key) for pair, (key, _) in self.places.items()}

    def rows(self, pair):
        """The Rows of one submission for one kata, or None."""
        if pair not in self.places:
            return None
        self.file.seek(self.places[pair][1])
        return [Row.unpacked(columns) for columns in json.loads(self.file.readline())["rows"]]

"""What is in a handed-in file: functions of katas, an untouched stub, nothing, the same as in another person's.

Nothing is executed for that.
"""
import codecs
import hashlib
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import pytest

from grader.calling.source import Source, is_blank, normal_text, normalised, read_source
from grader.cohort.file_names import TEXT, file_name, kata_in_name, may_be_text, suffix_of
from grader.course.katas import Kata, all_katas

DEFINED = re.compile(rb"^(?:\xef\xbb\xbf)?(?:def +(\w+)|(\w+) *=(?!=))", re.MULTILINE)
# In another process, because for some short texts Python's parser needs many gigabytes.
PARSE = """
import ast, contextlib, sys
with contextlib.suppress(ImportError, ValueError):
    import resource
    resource.setrlimit(resource.RLIMIT_CPU, (10, 10))
    resource.setrlimit(resource.RLIMIT_AS, (2**29, 2**29))
ast.parse(sys.stdin.buffer.read())
"""
# What somebody has made of a file; the first is graded. OTHER has no function of the kata, SOLUTIONS lies where the
# reference does.
EDITED, OTHER, UNTOUCHED, EMPTY, REFERENCE, SOLUTIONS = range(6)
LARGEST = 256 * 1024                      # bytes; larger files are compared byte for byte only
SMALLEST = 100                            # characters of code that the stub does not have; fewer can be equal by chance
# Strings and comments. A string that is not closed ends with its line or with the file, so hostile text takes no longer
# than other text. The module tokenize takes six times as long, and some files make it fail.
QUOTED = re.compile(rb'''("""(?:\\.?|[^\\])*?(?:"""|\Z)|\'{3}(?:\\.?|[^\\])*?(?:\'{3}|\Z)'''
                    rb'''|"(?:\\.?|[^\\"\n])*"?|'(?:\\.?|[^\\'\n])*'?|#[^\n]*)''', re.DOTALL)


@dataclass(frozen=True)
class Entry:
    """A file that somebody handed in."""

    path: Path                            # where it can be read
    name: str                             # its place in the submission, in which archives are folders
    saved: int = 0                        # when, in seconds

    @cached_property
    def source(self) -> Source:
        """Its Source, read once: these bytes are chosen, graded, compared and kept, whatever happens to the file."""
        return read_source(self.path)

    @property
    def rest(self) -> str:
        """The learner's own name for the file."""
        return file_name(self.name.rpartition("/")[2]).rest


@cache
def functions() -> dict[Kata, set[str]]:
    """{kata: the names of its functions}."""
    return {kata: {task.function for task in kata.tasks.values() if task.function} for kata in all_katas()}


def defined(content: bytes | None) -> set[str]:
    """The names that code defines at its top level."""
    return {name.decode() for both in DEFINED.findall(content or b"") for name in both if name}


def looks_like_python(entry: Entry) -> bool:
    """Whether a file that is not named as code has a function of a kata, or may not be read."""
    names = set.union(*functions().values())
    return may_be_text(entry.rest) and bool(entry.source.refusal or defined(entry.source.code) & names)


def is_python(name: str, content: bytes | None) -> bool:
    """Whether a file of this name is a text, and the text is Python."""
    if not TEXT.fullmatch(name):
        return False
    try:
        return subprocess.run([sys.executable, "-I", "-S", "-c", PARSE], input=content,
                              stderr=subprocess.DEVNULL, check=False).returncode == 0
    except OSError as error:
        raise pytest.UsageError(f"no process can be started to parse {name}: {error.strerror}") from None


def is_of_interest(entry: Entry) -> bool:
    """Whether a file may be code, or is named after a kata."""
    name = entry.rest
    return bool(suffix_of(name) or (may_be_text(name) and kata_in_name(name))) or looks_like_python(entry)


@cache
def stub_and_solution(kata: Kata) -> tuple[bytes, str]:
    """(digest of the stub, text of the solution), to be compared with those of a file."""
    return digest_of(kata.original.read_bytes()), normal_text(kata.solution)


def state_of(content: bytes | None, kata: Kata) -> int:
    """What somebody has made of the file for a kata; None stands for a content that cannot be read."""
    if content is None:
        return OTHER
    if is_blank(normalised(content)):
        return EMPTY
    stub, solution = stub_and_solution(kata)
    if digest_of(content) == stub:
        return UNTOUCHED
    if normalised(content) == solution:
        return REFERENCE
    return EDITED if functions()[kata] & defined(content) else OTHER


# Equal files

def equal_files(katas: Iterable[Kata], files: Mapping[str, Mapping[str, Entry]]) -> list[tuple[str, list[str]]]:
    """[(name of a kata, submissions that share a file for it, byte for byte or but for comments and white space)].

    `files` are those of each submission, by kata. Stubs, references and tiny files do not count.
    """
    groups = []
    for kata in katas:
        stub = {line.strip() for line in kata.original.read_bytes().splitlines()}
        reference = digest_of(kata.solution.read_bytes())
        names: dict[bytes, list[str]] = {}
        for name, entries in files.items():
            content = entries[kata.name].source.code if kata.name in entries else None
            if content is not None and (digest := digest_of(content)) != reference and not is_tiny(content, stub):
                names.setdefault(digest, []).append(name)
        groups += [(kata.name, same) for same in names.values() if len(same) > 1]
    return groups


def digest_of(content: bytes) -> bytes:
    """What equal files have in common. Some editors begin a file with a mark, which changes nothing."""
    content = content.removeprefix(codecs.BOM_UTF8)
    return hashlib.sha256(without_comments(content) if len(content) <= LARGEST else content).digest()


def is_tiny(content: bytes, stub: set[bytes]) -> bool:
    """Whether there is hardly any code in the lines that the stub does not have."""
    own = [line for line in content.removeprefix(codecs.BOM_UTF8).splitlines() if line.strip() not in stub]
    return len(content) <= LARGEST and len(without_comments(b"\n".join(own))) < SMALLEST


def without_comments(content: bytes) -> bytes:
    """The text without comments, without white space outside strings, and without any at the ends of lines."""
    lines = (line.rstrip() for line in content.splitlines() if line.strip() != b"pass")      # a notebook's magics
    parts = QUOTED.split(b"\n".join(lines))               # every second part is a string or a comment
    parts[::2] = [part.translate(None, b" \t\f\v\n\\") for part in parts[::2]]
    return b"".join(part for part in parts if not part.startswith(b"#"))

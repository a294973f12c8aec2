"""What is in a handed-in file: which functions of katas, an untouched stub, nothing. Nothing is executed for that."""
import re
import subprocess
import sys
from functools import cache

import pytest

from grader.calling.source import is_blank, normal_text, normalised
from grader.cohort.equal_files import digest_of
from grader.cohort.file_names import TEXT, kata_named, may_be_text, suffix_of
from grader.course.katas import all_katas

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


@cache
def functions():
    """{kata: the names of its functions}."""
    return {kata: {task.function for task in kata.tasks.values()} for kata in all_katas()}


def defined(content):
    """The names that code defines at its top level."""
    return {name.decode() for both in DEFINED.findall(content or b"") for name in both if name}


def looks_like_python(entry):
    """Whether a file that is not named as code has a function of a kata, or may not be read."""
    names = set.union(*functions().values())
    return may_be_text(entry.rest) and bool(entry.source.refusal or defined(entry.source.code) & names)


def is_of_interest(entry):
    """Whether a file may be code, or is named after a kata."""
    name = entry.rest
    return suffix_of(name) or (may_be_text(name) and kata_named(name)) or looks_like_python(entry)


def is_python(name, content):
    """Whether a file of this name is a text, and the text is Python."""
    if not TEXT.fullmatch(name):
        return False
    try:
        return subprocess.run([sys.executable, "-I", "-S", "-c", PARSE], input=content,
                              stderr=subprocess.DEVNULL, check=False).returncode == 0
    except OSError as error:
        raise pytest.UsageError(f"no process can be started to parse {name}: {error.strerror}") from None


@cache
def ours(kata):
    """(digest of the stub, text of the reference), to be compared with those of a file."""
    return digest_of(kata.original.read_bytes()), normal_text(kata.solution)


def state_of(content, kata):
    """What somebody has made of the file for a kata; None stands for a content that cannot be read."""
    if content is None:
        return OTHER
    if is_blank(normalised(content)):
        return EMPTY
    if digest_of(content) == ours(kata)[0]:
        return UNTOUCHED
    if normalised(content) == ours(kata)[1]:
        return REFERENCE
    return EDITED if functions()[kata] & defined(content) else OTHER

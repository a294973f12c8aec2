"""Which of the files that somebody handed in is graded for each kata, and which ones no kata uses."""
import hashlib
import os
import re
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from pathlib import Path

from grader.calling.source import normal_text, normalised, read_source
from grader.cohort.archives import Refused, Room
from grader.cohort.file_names import CODE, NO_ANSWER, kata_named, parsed, stem_of, suffix_of, version, words_of
from grader.course.katas import ROOT, all_katas
from grader.verdict.results import KataResult

NOT_SEARCHED = re.compile(r"\..*|__MACOSX|__pycache__|venv|env|site-packages|node_modules")
DEEPEST = 12                              # folders and archives within each other
MOST = 20_000                             # files of one submission
DEFINED = re.compile(rb"^(?:def +(\w+)|(\w+) *=(?!=))", re.MULTILINE)


@dataclass(frozen=True)
class Entry:
    """A file that somebody handed in."""

    path: Path                            # where it can be read
    name: str                             # its place in the submission, in which archives are folders

    @property
    def rest(self):
        """The learner's own name for the file."""
        return parsed(self.name.rpartition("/")[2]).rest


@dataclass
class Found:
    """What a submission has for the katas."""

    source: Path                                      # its folder or archive, as people know it
    files: dict = field(default_factory=dict)         # name of a kata -> the Entry that is graded
    untouched: set = field(default_factory=set)       # names of katas whose graded file is the stub
    unused: list = field(default_factory=list)        # lines about files that no kata uses

    def result(self, kata, rows):
        """The result of a kata, from its rows."""
        file = self.source / self.files[kata.name].name if kata.name in self.files else None
        return KataResult(kata, file, rows, untouched=kata.name in self.untouched)


class Search:
    """All files of one submission: in its folders, and in its archives."""

    def __init__(self, unpacked):
        self.unpacked = unpacked
        self.room = Room()
        self.entries = []
        self.refused = []                 # lines about what was not looked at

    def add(self, path, name, depth=0):
        """Add a file, or all files in a folder or archive."""
        kind = suffix_of(path.name)
        if len(self.entries) >= MOST:
            return
        if depth > DEEPEST:
            self.refuse(name, "too many folders or archives within each other")
        elif os.path.isdir(path) and not os.path.islink(path):
            self.add_folder(path, name, depth)
        elif kind == ".zip" and os.path.isfile(path) and not os.path.islink(path):
            for member, found in self.unpacked.members(path, self.room):
                if isinstance(found, Refused):
                    self.refuse(joined(name, member), str(found))
                else:
                    self.add(found, joined(name, member), depth + 1)
        elif kind:
            self.entries.append(Entry(path, name))
            if len(self.entries) == MOST:
                self.refuse(name, f"only the first {MOST} files were looked at")

    def add_folder(self, path, name, depth):
        try:
            names = sorted(os.listdir(path))
        except OSError as error:
            self.refuse(name or ".", error.strerror)
            return
        of_the_project = {"katas", "solutions", "grader"} <= set(names)
        for one in names:
            if not NOT_SEARCHED.fullmatch(one):
                self.add(path / one, joined(name, one), depth + 1)
        if of_the_project:                # a whole copy of this project, of which only katas/ has a learner's files
            self.entries = [entry for entry in self.entries if not is_ours(entry, f"{name}/" if name else "")]

    def refuse(self, name, why):
        self.refused.append(f"{name}: {why}")


def joined(folder, name):
    """The place of a name within a folder or archive."""
    return "/".join(filter(None, [folder, name]))


def is_ours(entry, start):
    """Whether an entry in a copy of the project is a file of the project, such as a suite, and not a learner's work."""
    place = entry.name.removeprefix(start)
    if not entry.name.startswith(start) or not (ROOT / place).is_file():
        return False
    works = any(place in (f"{folder}/{kata.folder.name}/{kata.name}.py" for folder in ("katas", "solutions"))
                for kata in all_katas())
    return not works or (place.startswith("solutions/") and read_source(entry.path)[0] == (ROOT / place).read_bytes())


# Choosing

def files_of(folder, unpacked):
    """What the submission in a folder has for the katas."""
    search = Search(unpacked)
    search.add(folder, "")
    return found_in(search, folder)


EDITED, UNTOUCHED, REFERENCE = range(3)               # the first is graded rather than the others
NAMED, NAME_WITHIN, DEFINES = range(3)                # why an entry may be for a kata


@dataclass(frozen=True)
class Candidate:
    """An entry that may be for a kata; the smallest `order` is graded."""

    entry: Entry
    order: tuple
    text: bytes                           # digest of what it says

    @property
    def group(self):
        """Candidates of one group are compared."""
        return self.order[:2]


def found_in(search, source):
    """What a submission has for the katas."""
    candidates, others = {}, []
    for entry in search.entries:
        named = kata_named(entry.rest) if suffix_of(entry.rest) in CODE else None
        if named is None:
            others.append(entry)
        else:
            kata, exact = named
            candidates.setdefault(kata.name, []).append(candidate(entry, kata, NAMED if exact else NAME_WITHIN))
    for entry in others:
        names = defined(entry)
        for kata in all_katas():
            wanted = {task.function for task in kata.tasks.values()}
            if names and 2 * len(wanted & names) >= len(wanted):
                candidates.setdefault(kata.name, []).append(candidate(entry, kata, DEFINES))
    found, beaten = Found(source), {}
    for kata in all_katas():
        mine = sorted(candidates.get(kata.name, ()), key=lambda one: one.order)
        for number, one in enumerate(mine):
            if number == 0:
                found.files[kata.name] = one.entry
                found.untouched |= {kata.name} if one.order[0] == UNTOUCHED else set()
            else:
                beaten[one.entry.name] = why_not(one, mine[0])
    used = {entry.name for entry in found.files.values()}
    found.unused = [f"{entry.name}: {beaten.get(entry.name) or what_is_wrong_with(entry.rest)}"
                    for entry in search.entries if entry.name not in used] + search.refused
    return found


def candidate(entry, kata, why):
    """An entry as a candidate for a kata."""
    content, fault = read_source(entry.path)
    text = normalised(fault.encode() if fault else content)
    state = EDITED
    if text == text_of(kata.original):
        state = UNTOUCHED
    elif text == text_of(kata.solution) or f"/{entry.name}".endswith(f"/solutions/{kata.folder.name}/{kata.name}.py"):
        state = REFERENCE
    newest = tuple(negative(part) for part in version(entry.name))
    order = state, why, newest, place(entry, kata), not entry.name.lower().endswith(".py"), entry.name
    return Candidate(entry, order, hashlib.sha256(text.encode()).digest())


@cache
def text_of(path):
    """The text of one of the project's own files, normalised."""
    return normal_text(path) if path.is_file() else None


def negative(part):
    """A part of a version, so that later ones are sorted before earlier ones."""
    return tuple(-number for number in part or (0,)) if isinstance(part, tuple) else -part


def place(entry, kata):
    """Where an entry lies among the places of a kata: the first place is preferred."""
    *folders, _ = [part for part in entry.name.split("/")]
    folder = "/".join(part for part in folders if not part.lower().endswith(".zip"))
    places = [kata.folder.name, kata.name, ""]
    places += ["/".join(filter(None, ["katas", one])) for one in places]
    return places.index(folder) if folder in places and entry.rest == f"{kata.name}.py" else len(places)


def defined(entry):
    """The names that a file defines at its top level, found without executing it."""
    if suffix_of(entry.rest) not in CODE or NO_ANSWER.match(entry.rest):
        return set()
    content, fault = read_source(entry.path)
    return set() if fault else {name.decode() for both in DEFINED.findall(content) for name in both if name}


def why_not(one, graded):
    """Why another candidate than this one was graded."""
    if one.text == graded.text:
        return f"the same as {graded.entry.name}, which was graded"
    if one.order[0] == EDITED:
        return f"differs from {graded.entry.name}, which was graded"
    return f"{graded.entry.name} was graded"


def what_is_wrong_with(name):
    """Why no kata uses a file of this name, and which name it should have had."""
    if suffix_of(name) not in CODE:
        return "not unpacked; hand in a .zip file or the files themselves"
    near = get_close_matches(words_of(stem_of(name)), [kata.name for kata in all_katas()], n=1)
    example = near[0] if near else all_katas()[0].name
    return f"not the name of a kata; {'should it be' if near else 'use names such as'} {example}.py{'?' * len(near)}"

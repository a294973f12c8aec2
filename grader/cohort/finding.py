"""Which of the files that somebody handed in is graded for each kata, and which ones no kata uses."""
import errno
import os
import pickle
import re
from contextlib import suppress
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache, cached_property
from pathlib import Path

from grader.calling.source import read_source
from grader.cohort import contents
from grader.cohort.archives import Refused, Room, Unread
from grader.cohort.contents import EDITED, EMPTY, OTHER, REFERENCE, SOLUTIONS, UNTOUCHED, functions
from grader.cohort.equal_files import digest_of
from grader.cohort.file_names import CODE, is_answer, kata_named, parsed, stem_of, suffix_of, version, words_of
from grader.course.katas import KATAS, ROOT, all_katas
from grader.verdict.results import KataResult

NOT_SEARCHED = re.compile(r"\..*|__MACOSX|__pycache__|venv|env|site-packages|node_modules")
DEEPEST = 12                              # folders and archives within each other
MOST = 20_000                             # files of one submission
LINK = "it is a link; hand in what it leads to"
LOST = "looks like Python"                # in lines that are shown in red


@dataclass(frozen=True)
class Entry:
    """A file that somebody handed in."""

    path: Path                            # where it can be read
    name: str                             # its place in the submission, in which archives are folders

    @cached_property
    def source(self):
        """Its Source, read once: these bytes are chosen, graded, compared and kept, whatever happens to the file."""
        return read_source(self.path)

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
    refusal: str = ""                                 # what of it the system does not let us read, and why

    def packed(self):
        """The whole as it is sent to another process of ours, with the bytes that were read."""
        return pickle.dumps(self)

    @classmethod
    def unpacked(cls, packed):
        """What `packed` has packed."""
        return pickle.loads(packed)

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
        self.unread = []                  # lines about what the system does not let us read

    def add(self, path, name, depth=0):
        """Add a file, or all files in a folder or archive; `name` is empty for what has the submission's own name."""
        kind = suffix_of(path.name)
        if len(self.entries) >= MOST or not self.is_there(path, name):
            return
        if depth > DEEPEST:
            self.refuse(name, "too many folders or archives within each other")
        elif name and os.path.islink(path) and kind not in CODE:
            self.refuse(name, LINK)
        elif os.path.isdir(path) and not os.path.islink(path):
            self.add_folder(path, name, depth)
        elif kind == ".zip" and os.path.isfile(path):
            for member, found in self.unpacked.members(path, self.room):
                if isinstance(found, Unread):
                    self.refuse(joined(name, member), str(found), self.unread)
                elif isinstance(found, Refused):
                    self.refuse(joined(name, member) or path.name, str(found))
                else:
                    self.add(found, joined(name, member), depth + 1)
        elif contents.is_of_interest(entry := Entry(path, name)) and not is_ours(name):
            self.entries.append(entry)
            if len(self.entries) == MOST:
                self.refuse(name, f"only the first {MOST} files were looked at")

    def is_there(self, path, name):
        """Whether something is still there, and in a folder that we may look into."""
        try:
            os.lstat(path)
        except OSError as error:
            if error.errno != errno.ENOENT:
                self.refuse(name, f"it cannot be read: {error.strerror}", self.unread)
            return False
        return True

    def add_folder(self, path, name, depth):
        try:
            names = sorted(os.listdir(path))
        except OSError as error:
            self.refuse(name, f"it cannot be read: {error.strerror}", self.unread)
            return
        for one in names if "pyvenv.cfg" not in names else ():
            if not NOT_SEARCHED.fullmatch(one):
                self.add(path / one, joined(name, one), depth + 1)

    def refuse(self, name, why, lines=None):
        lines = self.refused if lines is None else lines
        lines.append(": ".join(filter(None, [name, why])))


def joined(folder, name):
    """The place of a name within a folder or archive."""
    return "/".join(filter(None, [folder, name]))


@cache
def own_modules():
    """The project's own modules and their tables, without what learners edit."""
    folders = [ROOT / part for part in ("katas", "solutions", "grader", "tests")]
    paths = [path for folder in folders for kind in ("*.py", "*.toml") for path in folder.rglob(kind)]
    return {ROOT / "conftest.py", *paths}.difference(*((kata.stub, kata.solution) for kata in all_katas()))


def is_ours(name):
    """Whether a file is one of the project's own, such as a suite, in a copy of the project or of its folder katas."""
    parts = name.split("/")
    return any(root.joinpath(*parts[i:]) in own_modules() for i in range(len(parts)) for root in (ROOT, KATAS))


# Choosing

def files_of(folder, unpacked):
    """What the submission in a folder has for the katas."""
    search = Search(unpacked)
    search.add(folder, "")
    return found_in(search, folder)


NAMED, NAME_WITHIN, DEFINES, AS_TEXT, NO_CODE = range(5)       # why an entry may be for a kata; NO_CODE is never graded


@dataclass(frozen=True)
class Candidate:
    """An entry that may be for a kata; the smallest `order` is graded."""

    entry: Entry
    state: int
    why: int
    text: bytes                           # digest of its code
    order: tuple


def found_in(search, source):
    """What a submission has for the katas."""
    candidates: dict = {}                 # kata -> its Candidates
    katas: dict = {}                      # place of an entry -> the katas for which it is graded
    said: dict[str, str] = {}                             # place of an entry -> why it is not graded, or an empty text
    for entry in search.entries:
        mine = list(candidates_of(entry))
        if not mine and suffix_of(entry.rest) in CODE and entry.source.refusal:
            search.refuse(entry.name, entry.source.refusal, search.unread)        # nobody knows for which kata it is
            continue
        said[entry.name] = "" if mine else what_is_wrong_with(entry.rest)
        for kata, one in mine:
            candidates.setdefault(kata, []).append(one)
    found = Found(source, refusal="; ".join(search.unread))
    for kata in functions():
        mine = sorted(candidates.get(kata, ()), key=lambda one: one.order)
        graded = next((one for one in mine if one.why != NO_CODE), None)
        if graded:
            found.files[kata.name] = graded.entry
            found.untouched |= {kata.name} if graded.state in (UNTOUCHED, EMPTY) else set()
            katas.setdefault(graded.entry.name, []).append(kata.name)
        for one in mine:
            if one is not graded and LOST not in said[one.entry.name]:
                said[one.entry.name] = why_not(one, graded)
    for entry in search.entries:
        if entry.name in katas:
            said[entry.name] = why_instead(entry, katas[entry.name])
        if os.path.islink(entry.path):
            said[entry.name] = LINK
    lines = [f"{name}: {why}" for name, why in said.items() if why]
    found.unused = sorted(lines, key=lambda line: LOST not in line) + search.refused + search.unread
    return found


def candidates_of(entry):
    """(kata, Candidate) for the kata in an entry's name, unless it has no function of that, but all of another."""
    if not is_answer(entry.rest):
        return
    content, fault, refusal = entry.source
    names, named = contents.defined(content), kata_named(entry.rest)
    katas = {kata: DEFINES for kata, wanted in functions().items()
             if len(wanted & names) >= (1 if named else 0.5) * len(wanted)}
    if named and (not katas or functions()[named[0]] & names):
        katas = {named[0]: NAMED if named[1] else NAME_WITHIN}
    for kata, why in katas.items():
        state = EDITED if refusal else contents.state_of(content, kata)       # nobody knows what is in it
        if f"/{entry.name}".endswith(f"/solutions/{kata.folder.name}/{kata.name}.py"):
            state = REFERENCE if state == REFERENCE else SOLUTIONS
        if suffix_of(entry.rest) not in CODE and not refusal:
            why = AS_TEXT if state == EDITED and contents.is_python(entry.rest, content) else NO_CODE
        newest = tuple(-number for number in version(entry.name))
        order = (state, why, newest, place(entry, kata), not entry.name.lower().endswith(".py"), -saved(entry.path),
                 len(entry.name), entry.name)
        yield kata, Candidate(entry, state, why, digest_of((fault or refusal or "").encode() + (content or b"")), order)


def place(entry, kata):
    """Where an entry lies among the places of a kata: the first place is preferred."""
    *folders, _ = [part for part in entry.name.split("/")]
    folder = "/".join(part for part in folders if not part.lower().endswith(".zip"))
    places = [kata.folder.name, kata.name, ""]
    places += ["/".join(filter(None, ["katas", one])) for one in places]
    return places.index(folder) if folder in places and entry.rest == f"{kata.name}.py" else len(places)


def saved(path):
    """When a file was saved, in seconds."""
    with suppress(OSError):
        return int(path.stat().st_mtime)
    return 0


def why_not(one, graded):
    """Why another candidate than this one was graded, or none; an empty text if that is no news."""
    if one.why == NO_CODE and one.state in (EDITED, OTHER, REFERENCE) and (graded is None or graded.state != EDITED):
        name = f"{stem_of(one.entry.name.rpartition('/')[2])}.py"
        return f"not Python; use {name}" if one.state == OTHER else f"{LOST}; rename it to {name} to have it graded"
    if one.state in (UNTOUCHED, REFERENCE) or (one.why == NO_CODE and one.state != EDITED):
        return ""
    if one.text == graded.text:
        return f"the same as {graded.entry.name}, which was graded"
    if one.state <= OTHER:
        return f"differs from {graded.entry.name}, which was graded"
    return f"{graded.entry.name} was graded"


def why_instead(entry, names):
    """Why a file is not graded for the kata in its name, or an empty text if it is; `names` are its katas."""
    named = kata_named(entry.rest)
    if named is None or named[0].name in names:
        return ""
    return f"not for {named[0].name}: it has the functions of {' and '.join(names)}, and was graded for that"


def what_is_wrong_with(name):
    """Why no kata uses a file of this name, and which name it should have had."""
    if suffix_of(name) not in CODE:
        return "" if not suffix_of(name) else "not unpacked; hand in a .zip file or the files themselves"
    near = get_close_matches(words_of(stem_of(name)), [kata.name for kata in all_katas()], n=1)
    example = near[0] if near else all_katas()[0].name
    return f"not the name of a kata; {'should it be' if near else 'use names such as'} {example}.py{'?' * len(near)}"

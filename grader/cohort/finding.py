"""Which of the files that somebody handed in is graded for each kata, and which ones no kata uses."""
import errno
import os
import pickle
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from pathlib import Path

from grader.cohort import contents
from grader.cohort.archives import Room, Unpacked, Unread
from grader.cohort.contents import EDITED, EMPTY, OTHER, REFERENCE, SOLUTIONS, UNTOUCHED, Entry, functions
from grader.cohort.file_names import CODE, is_answer, kata_in_name, stem_of, suffix_of, version, words_of
from grader.course.katas import KATAS, ROOT, Kata, all_katas
from grader.verdict.results import KataResult
from grader.verdict.rows import Row

NOT_SEARCHED = re.compile(r"\..*|__MACOSX|__pycache__|venv|env|site-packages|node_modules")
DEEPEST = 12                              # folders and archives within each other
MOST = 20_000                             # files of one submission
LINK = "it is a link; hand in what it leads to"
LOST = "looks like Python"                # in lines that are shown in red


@dataclass
class Found:
    """What a submission has for the katas."""

    source: Path                                                # its folder or archive, as people know it
    files: dict[str, Entry] = field(default_factory=dict)       # name of a kata -> what is graded
    untouched: set[str] = field(default_factory=set)            # names of katas whose graded file is the stub
    unused: list[str] = field(default_factory=list)             # lines about files that no kata uses
    refusal: str = ""                                           # what of it the system does not let us read, and why

    def packed(self) -> bytes:
        """The whole as it is sent to another process of ours, with the bytes that were read."""
        return pickle.dumps(self)

    @classmethod
    def unpacked(cls, packed: bytes) -> "Found":
        """What `packed` has packed."""
        return pickle.loads(packed)

    def result(self, kata: Kata, rows: list[Row]) -> KataResult:
        """The result of a kata, from its rows."""
        file = self.source / self.files[kata.name].name if kata.name in self.files else None
        return KataResult(kata, file, rows, untouched=kata.name in self.untouched)


class Search:
    """All files of one submission: in its folders, and in its archives."""

    def __init__(self, unpacked: Unpacked) -> None:
        self.unpacked = unpacked
        self.room = Room()
        self.entries: list[Entry] = []
        self.refused: list[str] = []      # lines about what was not looked at
        self.unread: list[str] = []       # lines about what the system does not let us read

    def add(self, path: Path, name: str, depth: int = 0) -> None:
        """Add a file, or all files in a folder or archive; `name` is empty for what has the submission's own name."""
        if len(self.entries) >= MOST:
            return
        try:
            status = os.lstat(path)
            mode = status.st_mode
            names = sorted(os.listdir(path)) if stat.S_ISDIR(mode) and depth <= DEEPEST else []
        except OSError as error:
            if error.errno != errno.ENOENT:           # it is gone by now
                self.unread.append(about(name, f"it cannot be read: {error.strerror}"))
            return
        if depth > DEEPEST:
            self.refused.append(about(name, "too many folders or archives within each other"))
        elif stat.S_ISDIR(mode):
            for one in names if "pyvenv.cfg" not in names else ():
                if not NOT_SEARCHED.fullmatch(one):
                    self.add(path / one, joined(name, one), depth + 1)
        elif stat.S_ISLNK(mode) and suffix_of(path.name) not in CODE:
            self.refused.append(about(name, LINK))
        elif stat.S_ISREG(mode) and suffix_of(path.name) == ".zip":
            for member, found in self.unpacked.members(path, self.room):
                if isinstance(found, Path):
                    self.add(found, joined(name, member), depth + 1)
                elif isinstance(found, Unread):
                    self.unread.append(about(joined(name, member), str(found)))
                else:
                    self.refused.append(about(joined(name, member) or path.name, str(found)))
        elif contents.is_of_interest(entry := Entry(path, name, int(status.st_mtime))) and not is_ours(name):
            self.entries.append(entry)
            if len(self.entries) == MOST:
                self.refused.append(about(name, f"only the first {MOST} files were looked at"))


def joined(folder: str, name: str) -> str:
    """The place of a name within a folder or archive."""
    return "/".join(filter(None, [folder, name]))


def about(name: str, why: str) -> str:
    """A line about a file, or about the submission if the name is empty."""
    return ": ".join(filter(None, [name, why]))


@cache
def own_modules() -> set[Path]:
    """The project's own modules and their tables, without what learners edit."""
    folders = [ROOT / part for part in ("katas", "solutions", "grader", "tests")]
    paths = [path for folder in folders for kind in ("*.py", "*.toml") for path in folder.rglob(kind)]
    return {ROOT / "conftest.py", *paths}.difference(*((kata.stub, kata.solution) for kata in all_katas()))


def is_ours(name: str) -> bool:
    """Whether a file is one of the project's own, such as a suite, in a copy of the project or of its folder katas."""
    parts = name.split("/")
    return any(root.joinpath(*parts[i:]) in own_modules() for i in range(len(parts)) for root in (ROOT, KATAS))


# Choosing

def files_of(folder: Path, unpacked: Unpacked) -> Found:
    """What the submission in a folder has for the katas."""
    search = Search(unpacked)
    search.add(folder, "")
    return found_in(search, folder)


NAMED, NAME_WITHIN, DEFINES, AS_TEXT, NO_CODE = range(5)       # why an entry may be for a kata; NO_CODE is never graded


@dataclass(frozen=True)
class Candidate:
    """An entry that may be for a kata; the smallest `order` is graded."""

    kata: Kata
    entry: Entry
    state: int
    why: int
    text: bytes                           # digest of its code
    order: tuple


def found_in(search: Search, source: Path) -> Found:
    """What a submission has for the katas."""
    found = Found(source)
    candidates: dict[Kata, list[Candidate]] = {kata: [] for kata in functions()}
    said: dict[str, str] = {}             # place of an entry -> why it is not graded, or an empty text
    for entry in search.entries:
        mine = list(candidates_of(entry))
        if not mine and suffix_of(entry.rest) in CODE and entry.source.refusal:
            search.unread.append(about(entry.name, entry.source.refusal))         # nobody knows for which kata it is
            continue
        said[entry.name] = "" if mine else what_is_wrong_with(entry.rest)
        for one in mine:
            candidates[one.kata].append(one)
    for kata, mine in candidates.items():
        mine.sort(key=lambda one: one.order)
        graded = next((one for one in mine if one.why != NO_CODE), None)
        if graded:
            found.files[kata.name] = graded.entry
            if graded.state in (UNTOUCHED, EMPTY):
                found.untouched.add(kata.name)
        for one in mine:
            if one is not graded and LOST not in said[one.entry.name]:
                said[one.entry.name] = why_not(one, graded)
    for entry in found.files.values():
        said[entry.name] = why_instead(entry, [name for name, one in found.files.items() if one.name == entry.name])
    said |= {entry.name: LINK for entry in search.entries if os.path.islink(entry.path)}
    lines = [about(name, why) for name, why in said.items() if why]
    found.unused = sorted(lines, key=lambda line: LOST not in line) + search.refused + search.unread
    found.refusal = "; ".join(search.unread)
    return found


def candidates_of(entry: Entry) -> Iterator[Candidate]:
    """The Candidate for the kata in an entry's name, unless it has no function of that, but all of another."""
    if not is_answer(entry.rest):
        return
    content, fault, refusal = entry.source
    names, named = contents.defined(content), kata_in_name(entry.rest)
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
        order = (state, why, newest, rank_of_place(entry, kata), not entry.name.lower().endswith(".py"),
                 -entry.saved, len(entry.name), entry.name)
        text = contents.digest_of((fault or refusal or "").encode() + (content or b""))
        yield Candidate(kata, entry, state, why, text, order)


def rank_of_place(entry: Entry, kata: Kata) -> int:
    """Where an entry lies among the places of a kata: the first place is preferred."""
    folders = [part for part in entry.name.split("/")[:-1] if not part.lower().endswith(".zip")]
    places = [[kata.folder.name], [kata.name], [], ["katas", kata.folder.name], ["katas", kata.name], ["katas"]]
    return places.index(folders) if folders in places and entry.rest == f"{kata.name}.py" else len(places)


# Words

def why_not(one: Candidate, graded: Candidate | None) -> str:
    """Why another candidate than this one was graded, or none; an empty text if that is no news."""
    if one.why == NO_CODE and one.state in (EDITED, OTHER, REFERENCE) and (graded is None or graded.state != EDITED):
        name = f"{stem_of(one.entry.name.rpartition('/')[2])}.py"
        return f"not Python; use {name}" if one.state == OTHER else f"{LOST}; rename it to {name} to have it graded"
    if graded is None or one.state in (UNTOUCHED, REFERENCE) or (one.why == NO_CODE and one.state != EDITED):
        return ""
    if one.text == graded.text:
        return f"the same as {graded.entry.name}, which was graded"
    if one.state <= OTHER:
        return f"differs from {graded.entry.name}, which was graded"
    return f"{graded.entry.name} was graded"


def why_instead(entry: Entry, names: list[str]) -> str:
    """Why a file is not graded for the kata in its name, or an empty text if it is; `names` are its katas."""
    named = kata_in_name(entry.rest)
    if named is None or named[0].name in names:
        return ""
    return f"not for {named[0].name}: it has the functions of {' and '.join(names)}, and was graded for that"


def what_is_wrong_with(name: str) -> str:
    """Why no kata uses a file of this name, and which name it should have had."""
    if suffix_of(name) not in CODE:
        return "not unpacked; hand in a .zip file or the files themselves" if suffix_of(name) else ""
    for near in get_close_matches(words_of(stem_of(name)), [kata.name for kata in all_katas()], n=1):
        return f"not the name of a kata; should it be {near}.py?"
    return f"not the name of a kata; use names such as {all_katas()[0].name}.py"

"""Whose files lie in a folder that an instructor has collected, however a learning platform arranged them."""
import glob
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from grader.calling.limits import MEBIBYTE
from grader.cohort.archives import Refused, Room, Unpacked, Unread
from grader.cohort.contents import Entry, looks_like_python
from grader.cohort.file_names import CODE, MOODLE, file_name, kata_in_name, owner_in, stem_of, suffix_of, words_of
from grader.cohort.finding import LINK, Found, Search, found_in
from grader.course.visible import LONGEST_PATH, distinct, visible

LARGEST_COHORT = 4096 * MEBIBYTE          # of an instructor's own archive, unpacked
GRADESCOPE = "submission_metadata.yml"
EXPECTED = ("Expected for each learner: a sub-folder, a .zip file, or files as Canvas, Moodle, Blackboard "
            "or Google Classroom name them")
SECTION = {"section", "group", "class", "team", "tutorial", "course"}      # words in the names of folders of learners
OWN = re.compile(r"(?:my|old|new)?_?(?:week|day|part|chapter|session|lesson|version|attempt|try|draft|backup|copy|final"
                 r"|work|solutions?)?_?\d{0,2}")                  # the words of a learner's own folder
Item = tuple[Path, str]                   # where something can be read, and its name in the cohort


@dataclass
class Submission:
    """What one learner has handed in."""

    name: str
    id: str                               # the learner's number on the platform, or an empty text
    found: Found


class Collected:
    """The submissions in a folder or zip file, and what belongs to none of them."""

    def __init__(self, path: Path, unpacked: Unpacked) -> None:
        self.path = path
        self.unpacked = unpacked
        self.unused: list[str] = []       # lines about what is not a submission
        self.people: dict[str, tuple[str, str]] = {}            # Gradescope's name of a folder -> (learner, number)
        self.owned: dict[tuple[str, str, str], list[tuple[Path, str]]] = {}     # (learner, number, section) -> items
        try:
            items = list(self.unpacked_items() if path.is_file() else self.items())
            self.sections = sections_in(items) - self.people.keys()
            for file, name in items:
                inside = sorted(glob.glob("*", root_dir=file)) if name in self.sections else ()
                for one in [(file / part, f"{name}/{part}") for part in inside] or [(file, name)]:
                    self.assign(*one)
        except (OSError, Unread) as error:            # nobody knows what is there
            why = error.strerror if isinstance(error, OSError) else error
            raise pytest.UsageError(f"--cohort={visible(path, LONGEST_PATH)}: {why}") from None
        self.names = [name for _, name in items]          # of all that is there
        self.submissions = self.named()

    def items(self) -> Iterator[Item]:
        """Everything in the folder, without what is hidden, and links."""
        for name in sorted(os.listdir(self.path)):
            if name == GRADESCOPE:
                self.people = gradescope_people(self.path / name)
            elif not name.startswith(".") and name != "__MACOSX":
                if (self.path / name).is_symlink():
                    self.unused.append(f"{name}: {LINK}")
                else:
                    yield self.path / name, name

    def unpacked_items(self) -> list[Item]:
        """Every file in the zip file; a folder that has everything in it is left out of the names."""
        room, found = Room(LARGEST_COHORT), []
        for name, path in self.unpacked.members(self.path, room, GRADESCOPE):
            if isinstance(path, Unread):
                raise path
            if isinstance(path, Refused):
                self.unused.append(f"{name or self.path.name}: {path}")
            elif path.name == GRADESCOPE:
                self.people = gradescope_people(path)
            else:
                found.append((path, name))
        inner = [name.partition("/")[2] for _, name in found]
        if len({name.partition("/")[0] for _, name in found}) == 1 and all(inner) and not katas_in(inner):
            return [(path, name) for (path, _), name in zip(found, inner, strict=True)]
        return found

    def top(self, name: str) -> str:
        """The part of a name that says whose it is: the first folder, or the second in a section."""
        parts = name.split("/")
        return "/".join(parts[:1 + (parts[0] in self.sections)])

    def assign(self, path: Path, name: str) -> None:
        """Find out whose a file or folder is."""
        section, _, top = self.top(name).rpartition("/")
        is_folder, said = path.is_dir() or self.top(name) != name, file_name(top)
        who, number = said.who, said.id
        if is_folder and not MOODLE.fullmatch(top):           # other platforms make no folders for learners
            who, number = self.people.get(top, (top, ""))
        elif not who:
            is_code, is_zip = suffix_of(top) in CODE or looks_like_python(Entry(path, top)), suffix_of(top) == ".zip"
            named = kata_in_name(top) if is_code or is_zip else None
            who = owner_in(top, named[0]) if named else ""
            who = who or (stem_of(top) if is_zip else "")
            if is_code and not who:
                self.unused.append(f"{name}: it is nobody's; put it into a folder with the learner's name")
            elif suffix_of(top) and not who:
                self.unused.append(f"{name}: not unpacked; make it a .zip file or a folder")
        if who:
            self.owned.setdefault((who, number, section), []).append((path, name))

    def named(self) -> list[Submission]:
        """The submissions in order, each with a name of its own."""
        count = Counter(who for who, *_ in self.owned)
        owners = sorted(self.owned)
        given = [" ".join(filter(None, one)) if count[one[0]] > 1 else one[0] for one in owners]
        names = distinct([visible(name, 120) for name in given], given, " ({})")
        return [self.submission(name, owner[1], self.owned[owner]) for name, owner in zip(names, owners, strict=True)]

    def submission(self, name: str, number: str, items: list[Item]) -> Submission:
        """One learner's Submission; if all is in one folder or archive, its files are named within that."""
        search = Search(self.unpacked)
        (top, *others) = {self.top(part) for _, part in items}
        path, part = items[0]
        alone = not others and (len(items) > 1 or top != part or path.is_dir() or suffix_of(top) == ".zip")
        for path, part in items:
            inside = part[len(top) + 1:] if alone else part
            search.add(path, inside, depth=inside.count("/"))
        return Submission(name, number, found_in(search, self.path / top if alone else self.path))


def katas_in(names: Iterable[str]) -> set[str]:
    """The names of katas that some of these places just have, and `katas`: one learner's files have such places."""
    tops = {name.partition("/")[0] for name in names}
    named = [kata_in_name(top) for top in tops if not file_name(top).who]
    return {kata.name for kata, exact in filter(None, named) if exact} | tops & {"katas"}


def sections_in(items: Iterable[Item]) -> set[str]:
    """The folders that hold the folders of several learners, such as `section A`."""
    tree: dict[str, dict[str, set[str]]] = {}         # folder -> what is in it -> what is in that
    sections = set()
    for path, name in items:
        inside = [one for part in ("*", "*/*") for one in glob.iglob(part, root_dir=path)] if path.is_dir() else [""]
        for place in inside:
            top, one, *rest = f"{name}/{place}".replace(os.sep, "/").split("/")[:3]
            tree.setdefault(top, {}).setdefault(one, set()).update(rest)
    for top, parts in tree.items():
        folders = {one: found for one, names in parts.items() if (found := katas_in(names))}
        shared = len(set().union(*folders.values())) < sum(map(len, folders.values()))         # a kata lies in two
        own = katas_in(parts) or file_name(top).who or any(OWN.fullmatch(words_of(one)) for one in folders)
        if not own and (shared or (folders and SECTION & set(words_of(top).split("_")))):
            sections.add(top)
    return sections


def gradescope_people(metadata: Path) -> dict[str, tuple[str, str]]:
    """{folder: (the names of those who handed it in, its number)}, from the file that Gradescope adds."""
    text = metadata.read_text(encoding="utf-8", errors="replace")
    people: dict[str, tuple[str, str]] = {}
    for block in re.split(r"^(?=submission_\d+:)", text, flags=re.MULTILINE)[1:]:
        names = re.findall(r"^[ -]*:?name: *['\"]?(.*?)['\"]? *$", block, re.MULTILINE)
        folder = block.partition(":")[0]
        people[folder] = " and ".join(filter(None, names)) or folder, folder.rpartition("_")[2]
    return people

"""Whose files lie in a folder that an instructor has collected, however a learning platform arranged them."""
import glob
import os
import re
from collections import Counter
from dataclasses import dataclass

import pytest

from grader.calling.limits import MEBIBYTE
from grader.cohort.archives import Refused, Room, Unread
from grader.cohort.contents import looks_like_python
from grader.cohort.file_names import CODE, MOODLE, kata_named, owner_in, parsed, stem_of, suffix_of, words_of
from grader.cohort.finding import LINK, Entry, Found, Search, found_in
from grader.course.visible import LONGEST_PATH
from grader.output.escaping import distinct, visible

LARGEST_COHORT = 4096 * MEBIBYTE          # of an instructor's own archive, unpacked
GRADESCOPE = "submission_metadata.yml"
EXPECTED = ("Expected for each learner: a sub-folder, a .zip file, or files as Canvas, Moodle, Blackboard "
            "or Google Classroom name them")
SECTION = {"section", "group", "class", "team", "tutorial", "course"}      # words in the names of folders of learners
OWN = re.compile(r"(?:my|old|new)?_?(?:week|day|part|chapter|session|lesson|version|attempt|try|draft|backup|copy|final"
                 r"|work|solutions?)?_?\d{0,2}")                  # the words of a learner's own folder


@dataclass
class Submission:
    """What one learner has handed in."""

    name: str
    id: str                               # the learner's number on the platform, or an empty text
    found: Found


class Collected:
    """The submissions in a folder or zip file, and what belongs to none of them."""

    def __init__(self, path, unpacked):
        self.path = path
        self.unpacked = unpacked
        self.unused = []                  # lines about what is not a submission
        self.owned = {}                   # (learner, number, section) -> [(path, its name in the cohort), ...]
        self.people: dict = {}              # Gradescope's name of a folder -> (learner, number)
        try:
            items = list(self.unpacked_items() if path.is_file() else self.items())
            self.sections = sections_in(items) - self.people.keys()
            for file, name in items:
                inside = glob.glob("*", root_dir=file) if name in self.sections else ()
                for one in [(file / part, f"{name}/{part}") for part in sorted(inside)] or [(file, name)]:
                    self.assign(*one)
        except OSError as error:
            raise pytest.UsageError(f"--cohort={visible(path, LONGEST_PATH)}: {error.strerror}") from None
        self.names = [name for _, name in items]          # of all that is there
        self.submissions = self.named()

    def items(self):
        """(path, name) of everything in the folder, without what is hidden, and links."""
        for name in sorted(os.listdir(self.path)):
            if name == GRADESCOPE:
                self.people = people_in(self.path / name)
            elif not name.startswith(".") and name != "__MACOSX":
                if (self.path / name).is_symlink():
                    self.unused.append(f"{name}: {LINK}")
                else:
                    yield self.path / name, name

    def unpacked_items(self):
        """(path, name) of every file in the zip file; a folder that has everything in it is left out of the names."""
        room, found = Room(LARGEST_COHORT), []
        for name, path in self.unpacked.members(self.path, room, GRADESCOPE):
            if isinstance(path, Unread):
                raise pytest.UsageError(f"--cohort={visible(self.path, LONGEST_PATH)}: {path}")
            if isinstance(path, Refused):
                self.unused.append(f"{name or self.path.name}: {path}")
            elif path.name == GRADESCOPE:
                self.people = people_in(path)
            else:
                found.append((path, name))
        inner = [name.partition("/")[2] for _, name in found]
        if len({name.partition("/")[0] for _, name in found}) == 1 and all(inner) and not katas_in(inner):
            return [(path, name) for (path, _), name in zip(found, inner, strict=True)]
        return found

    def top(self, name):
        """The part of a name that says whose it is: the first folder, or the second in a section."""
        parts = name.split("/")
        return "/".join(parts[:1 + (parts[0] in self.sections)])

    def assign(self, path, name):
        """Find out whose a file or folder is."""
        section, _, top = self.top(name).rpartition("/")
        is_folder, file, named = path.is_dir() or self.top(name) != name, parsed(top), kata_named(top)
        if is_folder and not MOODLE.fullmatch(top):
            who, number = self.people.get(top, (top, ""))     # other platforms make no folders for learners
        elif file.who:
            who, number = file.who, file.id
        else:
            is_code = suffix_of(top) in CODE or looks_like_python(Entry(path, top))
            who, number = owner_in(top, named[0]) if named and (is_code or suffix_of(top) == ".zip") else "", ""
            who = who or (stem_of(top) if suffix_of(top) == ".zip" else "")
            if not who and (is_code or suffix_of(top)):
                self.unused.append(f"{name}: it is nobody's; put it into a folder with the learner's name" if is_code
                                   else f"{name}: not unpacked; make it a .zip file or a folder")
        if who:
            self.owned.setdefault((who, number, section), []).append((path, name))

    def named(self):
        """The submissions in order, each with a name of its own."""
        count = Counter(who for who, *_ in self.owned)
        owners = sorted(self.owned)
        given = [" ".join(filter(None, one)) if count[one[0]] > 1 else one[0] for one in owners]
        names = distinct([visible(name, 120) for name in given], given, " ({})")
        return [self.submission(name, owner) for name, owner in zip(names, owners, strict=True)]

    def submission(self, name, owner):
        """One learner's Submission; if all is in one folder or archive, its files are named within that."""
        search, parts = Search(self.unpacked), self.owned[owner]
        (top, *others) = {self.top(part) for _, part in parts}
        path, part = parts[0]
        alone = not others and (len(parts) > 1 or top != part or path.is_dir() or suffix_of(top) == ".zip")
        for path, part in parts:
            inside = part[len(top) + 1:] if alone else part
            search.add(path, inside, depth=inside.count("/"))
        return Submission(name, owner[1], found_in(search, self.path / top if alone else self.path))


def katas_in(names):
    """The names of katas that some of these places just have, and `katas`: one learner's files have such places."""
    tops = {name.partition("/")[0] for name in names}
    named = [kata_named(top) for top in tops if not parsed(top).who]
    return {kata.name for kata, exact in filter(None, named) if exact} | tops & {"katas"}


def sections_in(items):
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
        own = katas_in(parts) or parsed(top).who or any(OWN.fullmatch(words_of(one)) for one in folders)
        if not own and (shared or (folders and SECTION & set(words_of(top).split("_")))):
            sections.add(top)
    return sections


def people_in(metadata):
    """{folder: (the names of those who handed it in, its number)}, from the file that Gradescope adds."""
    text = metadata.read_text(encoding="utf-8", errors="replace")
    people: dict[str, tuple[str, str]] = {}
    for block in re.split(r"^(?=submission_\d+:)", text, flags=re.MULTILINE)[1:]:
        names = re.findall(r"^[ -]*:?name: *['\"]?(.*?)['\"]? *$", block, re.MULTILINE)
        folder = block.partition(":")[0]
        people[folder] = " and ".join(filter(None, names)) or folder, folder.rpartition("_")[2]
    return people

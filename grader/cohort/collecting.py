"""Whose files lie in a folder that an instructor has collected, however a learning platform arranged them."""
import os
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from grader.calling.limits import MEBIBYTE
from grader.cohort.archives import Refused, Room
from grader.cohort.file_names import CODE, MOODLE, kata_named, parsed, stem_of, suffix_of, words_of
from grader.cohort.finding import Entry, Found, Search, found_in
from grader.course.visible import LONGEST_PATH
from grader.output.escaping import distinct, visible

LARGEST_COHORT = 4096 * MEBIBYTE          # of an instructor's own archive, unpacked
GRADESCOPE = "submission_metadata.yml"
EXPECTED = ("Expected for each learner: a sub-folder, a .zip file, or files as Canvas, Moodle, Blackboard "
            "or Google Classroom name them")


@dataclass
class Submission:
    """What one learner has handed in."""

    name: str
    id: str                               # the learner's number on the platform, or an empty text
    found: Found

    def packed(self):
        """What a process needs to grade the submission, in plain types."""
        files = {name: [str(entry.path), entry.name] for name, entry in self.found.files.items()}
        return [self.name, str(self.found.source), files]

    @classmethod
    def unpacked(cls, packed):
        """The submission that `packed` has packed."""
        name, source, files = packed
        entries = {kata: Entry(Path(path), place) for kata, (path, place) in files.items()}
        return cls(name, "", Found(Path(source), entries))


class Collected:
    """The submissions in a folder or zip file, and what belongs to none of them."""

    def __init__(self, path, unpacked):
        self.path = path
        self.unpacked = unpacked
        self.unused = []                  # lines about what is not a submission
        self.owned = {}                   # (learner, number) -> [(path, its name in the cohort), ...]
        self.people = {}                  # Gradescope's name of a folder -> (learner, number)
        try:
            items = list(self.unpacked_items() if path.is_file() else self.items())
            for file, name in items:
                self.assign(file, name)
        except OSError as error:
            raise pytest.UsageError(f"--cohort={visible(path, LONGEST_PATH)}: {error.strerror}") from None
        self.names = [name for _, name in items]          # of all that is there
        self.submissions = self.named()

    def items(self):
        """(path, name) of everything in the folder, without what is hidden, and links."""
        for name in sorted(os.listdir(self.path)):
            if name == GRADESCOPE:
                self.people = people_in(self.path / name)
            elif not name.startswith(".") and name != "__MACOSX" and not (self.path / name).is_symlink():
                yield self.path / name, name

    def unpacked_items(self):
        """(path, name) of every file in the zip file; a folder that has everything in it is left out of the names."""
        room, found = Room(LARGEST_COHORT), []
        for name, path in self.unpacked.members(self.path, room, GRADESCOPE):
            if isinstance(path, Refused):
                self.unused.append(f"{name or self.path.name}: {path}")
            elif path.name == GRADESCOPE:
                self.people = people_in(path)
            else:
                found.append((path, name))
        inner = [name.partition("/")[2] for _, name in found]
        if len({name.partition("/")[0] for _, name in found}) == 1 and all(inner) and not is_submission(inner):
            return [(path, name) for (path, _), name in zip(found, inner, strict=True)]
        return found

    def assign(self, path, name):
        """Find out whose a file or folder is."""
        top, slash, _ = name.partition("/")
        is_folder = bool(slash) or path.is_dir()
        file = parsed(top)
        if is_folder and not MOODLE.fullmatch(top):
            owner = self.people.get(top, (top, ""))           # other platforms make no folders for learners
        elif file.who:
            owner = file.who, file.id
        elif suffix_of(top) == ".zip":
            owner = stem_of(top), ""
        elif suffix_of(top) in CODE and (named := kata_named(top)) and not named[1]:
            owner = words_of(stem_of(top)).replace(named[0].name, "").strip("_").replace("__", "_"), ""
        else:
            if suffix_of(top) in CODE:
                self.unused.append(f"{name}: it is nobody's; put it into a folder with the learner's name")
            elif suffix_of(top):
                self.unused.append(f"{name}: not unpacked; make it a .zip file or a folder")
            return
        self.owned.setdefault(owner, []).append((path, name))

    def named(self):
        """The submissions in order, each with a name of its own."""
        count = Counter(who for who, _ in self.owned)
        owners = sorted(self.owned)
        given = [f"{who} {number}" if count[who] > 1 and number else who for who, number in owners]
        names = distinct([visible(name, 120) for name in given], given, " ({})")
        return [self.submission(name, owner) for name, owner in zip(names, owners, strict=True)]

    def submission(self, name, owner):
        """One learner's Submission; if all is in one folder or archive, its files are named within that."""
        search, parts = Search(self.unpacked), self.owned[owner]
        (top, *others) = {part.partition("/")[0] for _, part in parts}
        alone = not others and (len(parts) > 1 or "/" in parts[0][1] or suffix_of(top) not in CODE)
        for path, part in parts:
            inside = part.partition("/")[2] if alone else part
            search.add(path, inside, depth=inside.count("/"))
        return Submission(name, owner[1], found_in(search, self.path / top if alone else self.path))


def is_submission(names):
    """Whether these places are those of one learner's files: some have just the name of a kata."""
    tops = {name.partition("/")[0] for name in names}
    return "katas" in tops or any(not parsed(top).who and (kata_named(top) or ("", False))[1] for top in tops)


def people_in(metadata):
    """{folder: (the names of those who handed it in, its number)}, from the file that Gradescope adds."""
    text = metadata.read_text(encoding="utf-8", errors="replace")
    people = {}
    for block in re.split(r"^(?=submission_\d+:)", text, flags=re.MULTILINE)[1:]:
        names = re.findall(r"^[ -]*:?name: *['\"]?(.*?)['\"]? *$", block, re.MULTILINE)
        folder = block.partition(":")[0]
        people[folder] = " and ".join(filter(None, names)) or folder, folder.rpartition("_")[2]
    return people

"""What the name of a handed-in file says: whose it is, which version it is, and which kata it is for."""
import re
from dataclasses import dataclass
from functools import cache

from grader.course.katas import all_katas

CODE = (".py", ".ipynb", ".py.txt")                   # the last is how Windows' editor saves a .py file
ARCHIVES = (".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar")
# How learning platforms name what they let an instructor download; `rest` is the learner's own name for the file.
ANY = re.IGNORECASE | re.DOTALL
MOODLE = re.compile(r"(?P<who>.+?)(?:_(?P<id>\d+))?_assignsubmission_[a-z]+_?(?P<rest>.*)", ANY)
BLACKBOARD = re.compile(r".+_(?P<who>[^_]+)_attempt_(?P<date>\d{4}(?:-\d\d?){2,5})(?:_(?P<rest>.+)|\.txt)", ANY)
CANVAS = re.compile(r"(?P<who>[^_]+?)(?:_LATE)?_(?P<id>\d+)_(?P<number>\d+)_(?P<rest>.+)", ANY)
CLASSROOM = re.compile(r"(?P<who>.+?) - (?P<rest>.+)", ANY)
FORMS = re.compile(r"(?P<rest>.+) - (?!copy\b)(?P<who>[^.]+)(?P<suffix>\..+)", ANY)
COPY = re.compile(r"(?:[-_\s]*\((\d+)\)|[-_\s]+v?(\d+)|[-_\s]*\bcopy|_copy)$", re.IGNORECASE)
TEAMS = re.compile(r"version (\d+)", re.IGNORECASE)                # a folder
NO_ANSWER = re.compile(r"test_|conftest\.py$|__")        # suites, and what belongs to a package


@dataclass(frozen=True)
class FileName:
    """A name as a learning platform has made it."""

    rest: str                          # the learner's own name for the file
    who: str = ""                      # the learner
    id: str = ""                       # the learner's number on the platform
    date: tuple[int, ...] = ()         # when it was handed in
    number: int = 0                    # of the file on the platform; later files have higher ones


def parsed(name):
    """The FileName of a file or folder."""
    for system in (MOODLE, BLACKBOARD, CANVAS):
        if found := system.fullmatch(name):
            parts = found.groupdict()
            return FileName(parts["rest"] or "", parts["who"].strip(), parts.get("id") or "",
                            tuple(map(int, re.findall(r"\d+", parts.get("date") or ""))), int(parts.get("number") or 0))
    if (found := CLASSROOM.fullmatch(name)) and kata_named(found["rest"]):
        return FileName(found["rest"], found["who"].strip())
    if (found := FORMS.fullmatch(name)) and kata_named(found["rest"]):
        return FileName(found["rest"] + found["suffix"], found["who"].strip())
    return FileName(name)


def version(path):
    """What tells later files from earlier ones: date, number on the platform, Teams' version, number of the copy."""
    names = [parsed(part) for part in path.split("/")]
    versions = [int(found[1]) for part in path.split("/") if (found := TEAMS.fullmatch(part))]
    return (max(name.date for name in names), max(name.number for name in names), max(versions, default=0),
            without_copies(stem_of(names[-1].rest))[1])


def suffix_of(name):
    """The suffix of a file of code or of an archive, in lower case; of other files, an empty text."""
    return next((suffix for suffix in (*CODE, *ARCHIVES) if name.lower().endswith(suffix)), "")


def stem_of(name):
    """The name without that suffix."""
    return name[:len(name) - len(suffix_of(name))]


def without_copies(stem):
    """(the stem without marks such as ` (1)`, `-1`, `copy`; the number in the last mark)."""
    number = 0
    while found := COPY.search(stem):
        number = number or int(found[1] or found[2] or 0)
        stem = stem[:found.start()]
    return stem, number


def words_of(text):
    """The text in lower case with an underscore between its words: RopeRotation and rope-rotation are rope_rotation."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", text)
    return re.sub(r"[\W_]+", "_", spaced).strip("_").lower()


@cache
def spellings():
    """{the letters of a kata's name: the kata}."""
    return {kata.name.replace("_", ""): kata for kata in all_katas()}


def kata_named(name):
    """(the kata that a file's name means, whether the name is the kata's and nothing more), or None."""
    if NO_ANSWER.match(name):
        return None
    whole = words_of(stem_of(name))
    words = re.sub(r"^\d+_", "", words_of(without_copies(stem_of(name))[0]))
    if kata := spellings().get(words.replace("_", "")):
        return kata, True
    within = [kata for kata in spellings().values() if f"_{kata.name}_" in f"_{whole}_"]
    return (within[0], False) if len(within) == 1 else None

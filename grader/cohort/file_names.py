"""What the name of a handed-in file says: whose it is, which version it is, and which kata it is for."""
import re
from dataclasses import dataclass
from functools import cache

from grader.course.katas import Kata, all_katas

CODE = (".py", ".ipynb", ".py.txt")                   # the last is how Windows' editor saves a .py file
ARCHIVES = (".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar")
TEXT = re.compile(r"[^.]*|.*\.txt", re.IGNORECASE | re.DOTALL)        # may be code without its suffix
NEVER_CODE = re.compile(r"readme\.md|hints\.md|.*\.(?:png|jpe?g|gif|svg|csv|json|np[yz]|pyc)", re.IGNORECASE)
# How learning platforms name what they let an instructor download; `rest` is the learner's own name for the file.
ANY = re.IGNORECASE | re.DOTALL
MOODLE = re.compile(r"(?P<who>.+?)(?:_(?P<id>\d+))?_assignsubmission_[a-z]+_?(?P<rest>.*)", ANY)
BLACKBOARD = re.compile(r".+_(?P<who>[^_]+)_attempt_(?P<date>\d{4}(?:-\d\d?){2,5})(?:_(?P<rest>.+)|\.txt)", ANY)
CANVAS = re.compile(r"(?P<who>[^_]+?)(?:_LATE)?_(?P<id>\d+)_(?P<number>\d+)_(?P<rest>.+)", ANY)
CLASSROOM = re.compile(r"(?P<who>.+?) - (?P<rest>.+)", ANY)
FORMS = re.compile(r"(?P<rest>.+) - (?!cop(?:y|ie|ia)\b|kopi[ea]\b)(?P<who>[^.]+)(?P<suffix>\..+)", ANY)
MARK = r"[-_\s]*\((?:copy ?)?(\d*)\)|[-_\s]+v(\d+)|(?:[-_\s]*\b|_)(?:cop(?:y|ie|ia)|kopi[ea])(?: (\d+))?|[-_\s]+final"
MARKED = re.compile(f"(?:{MARK})$", re.IGNORECASE)                # at the end of any name
COPY = re.compile(rf"(?:{MARK}|[-_\s]+(\d+))$", re.IGNORECASE)   # after a kata's name, where a number is no person's
TEAMS = re.compile(r"version (\d+)", re.IGNORECASE)                # a folder
NO_ANSWER = re.compile(r"test_|conftest\.py$|__")        # suites, and what belongs to a package


@dataclass(frozen=True)
class FileName:
    """A name as a learning platform has made it."""

    rest: str                          # the learner's own name for the file
    who: str = ""                      # the learner
    id: str = ""                       # the learner's number on the platform
    date: int = 0                      # when it was handed in, as a number such as 20261120170301
    number: int = 0                    # of the file on the platform; later files have higher ones


def file_name(name: str) -> FileName:
    """What the name of a file or folder says."""
    for system in (MOODLE, BLACKBOARD, CANVAS):
        if found := system.fullmatch(name):
            parts = found.groupdict(default="")
            date = "".join(part.zfill(2) for part in parts.get("date", "").split("-")).ljust(14, "0")
            return FileName(parts["rest"], parts["who"].strip(), parts.get("id", ""), int(date),
                            int(parts.get("number", 0)))
    if (found := CLASSROOM.fullmatch(name)) and kata_in_name(found["rest"]):
        return FileName(found["rest"], found["who"].strip())
    if (found := FORMS.fullmatch(name)) and kata_in_name(found["rest"]):
        who, _ = without_copies(found["who"], MARKED)
        return FileName(found["rest"] + found["who"][len(who):] + found["suffix"], who.strip())
    return FileName(name)


def version(path: str) -> tuple[int, ...]:
    """What tells later files from earlier ones: date, number on the platform, Teams' version, number of the copy."""
    names = [file_name(part) for part in path.split("/")]
    versions = [int(found[1]) for part in path.split("/") if (found := TEAMS.fullmatch(part))]
    return (max(name.date for name in names), max(name.number for name in names), max(versions, default=0),
            *without_copies(stem_of(names[-1].rest))[1])


def suffix_of(name: str) -> str:
    """The suffix of a file of code or of an archive, in lower case; of other files, an empty text."""
    return next((suffix for suffix in (*CODE, *ARCHIVES) if name.lower().endswith(suffix)), "")


def is_answer(name: str) -> bool:
    """Whether a file may hold an answer: a suite and an archive do not."""
    return not NO_ANSWER.match(name) and suffix_of(name) not in ARCHIVES


def may_be_text(name: str) -> bool:
    """Whether a file that is not named as code may be some."""
    return not suffix_of(name) and not NEVER_CODE.fullmatch(name)


def stem_of(name: str) -> str:
    """The name without that suffix, or without another that is short, as in rope_rotation.py.bak."""
    known = len(suffix_of(name))
    return name[:-known] if known else re.sub(r"(\.pyw?)?(\.[a-z]\w{0,7}|~)?$", "", name, flags=re.IGNORECASE)


def without_copies(stem: str, marks: re.Pattern[str] = COPY) -> tuple[str, list[int]]:
    """(the stem without marks such as ` (1)`, `-1`, `copy`; the numbers in the first two of them)."""
    numbers = [0, 0]
    stem = re.sub(r"^copy of ", "", stem, flags=re.IGNORECASE)
    while found := marks.search(stem):
        numbers.insert(0, int("".join(filter(None, found.groups())) or 0))
        stem = stem[:found.start()]
    return stem, numbers[:2]


def owner_in(name: str, kata: Kata) -> str:
    """Whose file this is: the words of its name besides the kata, its number, and marks of copies and versions."""
    words = words_of(without_copies(stem_of(name), MARKED)[0])
    return re.sub(rf"(?:^|_)(?:{kata.number}_)?{kata.name}(?:_v?\d+$|_v\d+)?(?=_|$)", "", words).strip("_")


def words_of(text: str) -> str:
    """The text in lower case with an underscore between its words: RopeRotation and rope-rotation are rope_rotation."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", text)
    return re.sub(r"[\W_]+", "_", spaced).strip("_").lower()


@cache
def spellings() -> dict[str, Kata]:
    """{the letters of a kata's name: the kata}."""
    return {kata.name.replace("_", ""): kata for kata in all_katas()}


def kata_in_name(name: str) -> tuple[Kata, bool] | None:
    """(the kata that a file's name means, whether the name is the kata's and nothing more), or None."""
    if NO_ANSWER.match(name):
        return None
    whole = words_of(stem_of(name))
    words = re.sub(r"^\d+_", "", words_of(without_copies(stem_of(name))[0]))
    if kata := spellings().get(words.replace("_", "")):
        return kata, True
    within = [kata for kata in spellings().values() if f"_{kata.name}_" in f"_{whole}_"]
    return (within[0], False) if len(within) == 1 else None

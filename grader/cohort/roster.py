"""Which submission is whose, of the people of a course.

A submission that may be of several people is nobody's, and a person who may have several submissions has none: a wrong
match would give somebody the marks of another person.
"""
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from grader.cohort.collecting import Submission
from grader.cohort.tables import EMAILS, IDS, PARTICIPANT, with_id
from grader.verdict.results import Person

LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe",
                         "\N{LATIN SMALL LETTER DOTLESS I}": "i"})
UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
SHORTEST_ID = 4                           # characters of an id that is only a part of a submission's name


class Roster:
    """People and submissions, matched: `Person.submission` is the name of the person's submission."""

    def __init__(self, people: Sequence[Person], submissions: Iterable[Submission]) -> None:
        self.people = people
        self.unclear: list[str] = []      # lines about submissions that may be of several people, or of one with others
        self.unknown: list[str] = []      # names of submissions of nobody in the roster
        self.without_files: list[str] = []            # people whose submission has no file for a kata
        self.by_id: dict[str, list[Person]] = defaultdict(list)
        self.by_name: dict[str, list[Person]] = defaultdict(list)
        for person in people:
            for key in ids_of(person):
                self.by_id[key].append(person)
            for key in spellings_of(person.name):
                self.by_name[key].append(person)
        found = [(one, self.candidates(one)) for one in submissions] if people else []
        claims = Counter(person for _, possible in found for person in possible)
        self.missing = [with_id(person) for person in people if not claims[person]]
        for one, possible in found:
            if not possible:
                self.unknown.append(one.name)
            elif len(possible) == 1 and claims[possible[0]] == 1:
                possible[0].submission = one.name
                self.without_files += [] if one.found.files else [with_id(possible[0])]
            else:
                self.unclear.append(f"{one.name} may be of {' or '.join(map(with_id, possible))}")

    def candidates(self, submission: Submission) -> list[Person]:
        """The people whose submission this may be."""
        words = words_of_name(submission.name)
        parts = [part for part in re.split(r"[\W_]+", submission.name)
                 if len(part) >= SHORTEST_ID and re.search(r"\d", part) and part != submission.id]
        certain = [one for text in (submission.name, *parts) for one in self.by_id.get(plain_id(text), ())]
        certain += [one for one in self.by_id.get(plain_id(submission.id), ()) if agrees(one, words)]
        named = [one for key in (" ".join(sorted(words)), "".join(words)) for one in self.by_name.get(key, ())]
        return list(dict.fromkeys([one for one in certain if one in named] or certain + named))


def agrees(person: Person, words: list[str]) -> bool:
    """Whether the name does not speak against a platform's number, which another list may use for somebody else."""
    own = words_of_name(person.name)
    return not own or PARTICIPANT in person.columns or any(len(word) > 1 and word in "".join(words) for word in own)


def plain_id(text: str) -> str:
    """An id or email address without case, and without the zeros that spreadsheets remove."""
    text = text.strip().casefold()
    return text.lstrip("0") if text.isdecimal() else text


def ids_of(person: Person) -> set[str]:
    """The ids and email addresses of a person, and what comes before the @."""
    texts = {plain_id(person.columns.get(title, "")) for title in (*IDS, *EMAILS)}
    texts |= {text.partition("@")[0] for text in texts if "@" in text}
    texts |= set(re.findall(r"\d+$", person.columns.get(PARTICIPANT, "")))
    return texts - {""}


def spellings_of(name: str) -> set[str]:
    """The name with its words in alphabetical order, and in one piece that begins with any of its words."""
    keys = set()
    for spelling in (name, unicodedata.normalize("NFC", name).casefold().translate(UMLAUTS)):
        words = words_of_name(spelling)
        keys |= {" ".join(sorted(words)), *("".join(words[i:] + words[:i]) for i in range(len(words)))}
    return keys - {""}


def words_of_name(name: str) -> list[str]:
    """The words of a name, without accents, case, punctuation and numbers."""
    letters = unicodedata.normalize("NFKD", name.casefold().translate(LETTERS))
    letters = "".join(character for character in letters if not unicodedata.combining(character))
    return [word for word in re.findall(r"[^\W_]+", letters) if not word.isdecimal()]

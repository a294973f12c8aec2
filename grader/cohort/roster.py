"""The people of a course, from a CSV file, and which submission is whose.

A submission that may be of several people is nobody's, and a person who may have several submissions has none: a wrong
match would give somebody the marks of another person.
"""
import re
import unicodedata
from collections import Counter

from grader.cohort.tables import refusal, table
from grader.course.visible import visible
from grader.verdict.results import Person

# The titles of columns, as their letters in lower case. Canvas and Moodle name theirs like this, too.
NAMES = ("name", "student", "fullname", "studentname")
FIRST_NAMES = ("firstname", "givenname")
LAST_NAMES = ("lastname", "surname", "familyname")
EMAILS = ("email", "emailaddress", "mail")
PARTICIPANT = "identifier"                # such as "Participant 12345", and its folders have the number
IDS = ("id", "studentid", "sisuserid", "sisloginid", "idnumber", "username", PARTICIPANT)
NO_PERSON = "points possible"             # Canvas has a row for the assignments' points
LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe",
                         "\N{LATIN SMALL LETTER DOTLESS I}": "i"})
UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
SHORTEST_ID = 4                           # characters of an id that is only a part of a submission's name


# Reading

def people_in(path, named):
    """The people in a file, in order; `named` is how the command names it."""
    refuse = refusal("roster", named)
    titles, rows = table(path, refuse)
    if not set(titles) & {*NAMES, *FIRST_NAMES, *LAST_NAMES, *EMAILS, *IDS}:
        refuse("its first line names no column with an id, a name or an email address; write id,name,email")
    people = []
    for columns in rows:
        person = Person(name_in(columns), columns)
        if label(person) and person.name.casefold() != NO_PERSON:
            people.append(person)
    if not people:
        refuse("there is nobody in this file")
    for title in IDS:
        for text, count in Counter(person.columns.get(title) for person in people).items():
            if text and count > 1:
                refuse(f"{count} people have the id {visible(text)}")
    return people


def name_in(columns):
    """The whole name."""
    return first(columns, NAMES) or f"{first(columns, FIRST_NAMES)} {first(columns, LAST_NAMES)}".strip()


def first(columns, titles):
    """What the first of these columns says that is not empty."""
    return next((columns[title] for title in titles if columns.get(title)), "")


def label(person):
    """How a line names a person: the name, and an id or email address, which tells apart people of one name."""
    number = first(person.columns, (*IDS, *EMAILS))
    return " ".join(filter(None, [person.name, number and f"({number})"]))


# Matching

class Roster:
    """People and submissions, matched: `Person.submission` is the name of the person's submission."""

    def __init__(self, people, submissions):
        self.people = people
        self.unclear = []                 # lines about submissions that may be of several people, or of one with others
        self.unknown = []                 # names of submissions of nobody in the roster
        self.without_files = []           # people whose submission has no file for a kata
        by_key: dict = {}
        for person in people:
            for key in certain_keys(person) | name_keys(person):
                by_key.setdefault(key, []).append(person)
        found = [(one, candidates(one, by_key)) for one in submissions] if people else []
        claims = Counter(person for _, possible in found for person in possible)
        self.missing = [label(person) for person in people if not claims[person]]
        for one, possible in found:
            if not possible:
                self.unknown.append(one.name)
            elif len(possible) == 1 and claims[possible[0]] == 1:
                possible[0].submission = one.name
                self.without_files += [] if one.found.files else [label(possible[0])]
            else:
                self.unclear.append(f"{one.name} may be of {' or '.join(map(label, possible))}")


def candidates(submission, by_key):
    """The people whose submission this may be."""
    words = words_of(submission.name)
    named = together(by_key.get(("name", key), ()) for key in (" ".join(sorted(words)), "".join(words)))
    parts = [part for part in re.split(r"[\W_]+", submission.name)
             if len(part) >= SHORTEST_ID and re.search(r"\d", part) and part != submission.id]
    certain = together(by_key.get(("id", plain(text)), ()) for text in (submission.name, *parts))
    numbered = [one for one in by_key.get(("id", plain(submission.id)), ()) if agrees(one, words)]
    certain = together([certain, numbered])
    return [person for person in certain if person in named] or together([certain, named])


def together(groups):
    """The people of all groups, each once."""
    return list(dict.fromkeys(person for group in groups for person in group))


def agrees(person, words):
    """Whether the name does not speak against a platform's number, which another list may use for somebody else."""
    own = words_of(person.name)
    return not own or PARTICIPANT in person.columns or any(len(word) > 1 and word in "".join(words) for word in own)


def plain(text):
    """An id or email address without case, and without the zeros that spreadsheets remove."""
    text = text.strip().casefold()
    return text.lstrip("0") if text.isdecimal() else text


def certain_keys(person):
    """The ids and email addresses of a person, and what comes before the @."""
    texts = {plain(person.columns.get(title, "")) for title in (*IDS, *EMAILS)}
    texts |= {text.partition("@")[0] for text in texts if "@" in text}
    texts |= set(re.findall(r"\d+$", person.columns.get(PARTICIPANT, "")))
    return {("id", text) for text in texts if text}


def name_keys(person):
    """The name with its words in alphabetical order, and in one piece that begins with any of its words."""
    keys = set()
    for name in (person.name, unicodedata.normalize("NFC", person.name).casefold().translate(UMLAUTS)):
        words = words_of(name)
        keys |= {" ".join(sorted(words)), *("".join(words[i:] + words[:i]) for i in range(len(words)))}
    return {("name", key) for key in keys if key}


def words_of(name):
    """The words of a name, without accents, case, punctuation and numbers."""
    letters = unicodedata.normalize("NFKD", name.casefold().translate(LETTERS))
    letters = "".join(character for character in letters if not unicodedata.combining(character))
    return [word for word in re.findall(r"[^\W_]+", letters) if not word.isdecimal()]

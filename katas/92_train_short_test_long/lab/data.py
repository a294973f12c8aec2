"""What the models read: Python's help topics as characters, and two tasks with known answers.

Every task gives tokens, targets and `counted`, all (b, n): the target is what the model should predict after it has
read the tokens up to and including its place. Only counted places enter the loss.
"""
import hashlib
import re
from dataclasses import dataclass

import numpy as np

LONGEST = 2048                                   # tokens in a text
COMMON = 1536                                    # texts of 64, 96, 128, 192, 256 and 512 fill it exactly
STRETCH = 3 * COMMON                             # characters that are held out together
HELD_OUT_EVERY = 10
SYMBOLS = 16                                     # of the copy task
COPY_BACK = 8
FILLERS = 14                                     # symbols of the order task besides its two markers
HELD_OUT_SEED = 92


class Text:
    """Characters of `pydoc_data.topics`; the target is the next one."""

    def __init__(self):
        train, held_out = split(whole_text())
        letters = sorted(set(train))
        ids = {letter: number for number, letter in enumerate(letters)}
        self.vocab = len(letters) + 1            # the last one stands for letters that the train part lacks
        self.train, self.held_out = (
            np.array([ids.get(letter, len(letters)) for letter in part]) for part in (train, held_out))
        self.fingerprint = hashlib.sha256(f"{train}\0{held_out}".encode()).hexdigest()

    def batch(self, rng, b, n):
        """Texts that begin anywhere in the train part."""
        places = rng.integers(0, len(self.train) - n, b)[:, None] + np.arange(n)           # (b, n)
        return self.train[places], self.train[places + 1], np.ones((b, n), bool)

    def windows(self, n, total):
        """The first `total` held-out characters in texts of n that do not overlap: the same ones for every n.

        Where n does not divide `total`, the last text goes beyond it; what is there is not counted.
        """
        total = min(total, (len(self.held_out) - LONGEST - 1) // COMMON * COMMON)
        places = np.arange(0, total, n)[:, None] + np.arange(n)                            # (texts, n)
        return self.held_out[places], self.held_out[places + 1], places < total


def whole_text():
    """All paragraphs of all topics, in alphabetical order of the topics, each paragraph once.

    Some topics contain others word for word, so a held-out paragraph could also be in the train part.
    """
    from pydoc_data.topics import topics  # some systems ship Python without them
    paragraphs = {}
    for _, topic in sorted(topics.items()):
        for paragraph in re.split(r"\n\s*\n", topic.strip()):
            paragraphs.setdefault(" ".join(paragraph.split()), paragraph)
    return "\n\n".join(paragraphs.values())


def split(text):
    """Train and held-out part: every tenth stretch is held out."""
    stretches = [text[start : start + STRETCH] for start in range(0, len(text), STRETCH)]
    held_out = stretches[HELD_OUT_EVERY - 1 :: HELD_OUT_EVERY]
    del stretches[HELD_OUT_EVERY - 1 :: HELD_OUT_EVERY]
    return "".join(stretches), "".join(held_out)


class Copy:
    """Random symbols; the target is the one `COPY_BACK` places back. Only positions can tell which one that is."""

    vocab = SYMBOLS
    fingerprint = f"copy {COPY_BACK} back of {SYMBOLS}"

    def batch(self, rng, b, n):
        tokens = rng.integers(0, SYMBOLS, (b, n))
        counted = np.tile(np.arange(n) >= COPY_BACK, (b, 1))                               # (b, n)
        return tokens, np.roll(tokens, COPY_BACK, axis=1), counted

    def windows(self, n, total):
        """About `total` symbols of one stream, the same for every n."""
        stream = np.random.default_rng(HELD_OUT_SEED).integers(0, SYMBOLS, total)
        tokens = stream[: total // n * n].reshape(-1, n)                                   # (texts, n)
        counted = np.tile(np.arange(n) >= COPY_BACK, (len(tokens), 1))
        return tokens, np.roll(tokens, COPY_BACK, axis=1), counted


class First:
    """Two markers somewhere among random symbols; once both have been read, the target is the one that came first."""

    vocab = FILLERS + 2
    fingerprint = f"first of two among {FILLERS}"

    def batch(self, rng, b, n):
        tokens = rng.integers(0, FILLERS, (b, n))
        places = np.sort(rng.permuted(np.tile(np.arange(n), (b, 1)), axis=1)[:, :2])       # (b, 2)
        first = rng.integers(0, 2, b)
        texts = np.arange(b)
        tokens[texts, places[:, 0]] = FILLERS + first
        tokens[texts, places[:, 1]] = FILLERS + 1 - first
        targets = np.repeat(FILLERS + first[:, None], n, axis=1)                           # (b, n)
        return tokens, targets, np.arange(n) >= places[:, 1:]

    def windows(self, n, total):
        """About `total` symbols, drawn again for every n, so that the markers can be anywhere in a text."""
        return self.batch(np.random.default_rng([HELD_OUT_SEED, n]), max(total // n, 1), n)


@dataclass(frozen=True)
class Task:
    """How to make a task, what its tables count, the shortest length that makes sense, why a target is not counted."""

    make: type
    about: str
    least: int = 1
    uncounted: str = ""


TASKS = {
    "text": Task(Text, "characters of held-out documentation"),
    "copy": Task(Copy, f"symbols that stood {COPY_BACK} places back, {SYMBOLS} if guessed", COPY_BACK + 1,
                 f"the first {COPY_BACK} symbols of a text have none {COPY_BACK} places back"),
    "first": Task(First, "which of two markers came first, 2 if guessed", 2,
                  "no text of the test has both markers up to there, so the answer is not known yet")}

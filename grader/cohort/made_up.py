"""Made-up names for a board that everybody sees. They are drawn by chance, so nobody can find out whose they are."""
import itertools
import random
from collections.abc import Iterable, Iterator, Mapping

ADJECTIVES = """
able agile amber bold brave breezy bright calm candid cheery clever cosmic cosy curious daring eager fair fond gentle
glad golden grand happy honest humble jolly keen kind lively lucky merry mild neat nimble noble patient proud quick
quiet rapid ready silver smart snowy sunny swift tidy warm wise witty
"""
ANIMALS = """
badger bat bear beaver bee bison camel cat cheetah crab crane deer dolphin dove eagle falcon ferret finch fox frog
gecko goose hare heron horse ibis jaguar koala lark lemur lion lynx mole moose newt otter owl panda parrot penguin
puffin rabbit raven robin salmon seal swan tiger turtle wolf
"""


def made_up_names(learners: Iterable[str], given: Mapping[str, str]) -> dict[str, str]:
    """{learner: name} for the learners who are not in `given`, which is such a dict; no two names are equal."""
    new = free_names(set(given.values()))
    return {learner: next(new) for learner in learners if learner not in given}


def free_names(taken: set[str]) -> Iterator[str]:
    """All names that are free, in an order that cannot be foretold; with numbers when those without are used up."""
    pairs = [f"{adjective} {animal}" for adjective in ADJECTIVES.split() for animal in ANIMALS.split()]
    for number in itertools.count(1):
        names = [f"{pair} {number}" if number > 1 else pair for pair in pairs]
        random.SystemRandom().shuffle(names)
        yield from (name for name in names if name not in taken)

"""How a lab reads its command line: what is wrong is said in one line."""
import argparse
from collections.abc import Callable
from typing import NoReturn


class Parser(argparse.ArgumentParser):
    """A parser that says in one line what is wrong."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


def whole(least: int) -> Callable[[str], int]:
    """The type of an option: a whole number, `least` or more."""
    def number(text: str) -> int:
        if not text.isascii() or not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"expected a whole number, {least} or more, got {text!r}")
        return int(text)
    return number

"""Copy what learners read about a mistake into WORKSHOPS.md: python .github/expected_mistakes.py"""
import re
import sys
import textwrap
from itertools import pairwise
from pathlib import Path

HERE = Path(__file__).resolve().parent
GUIDE = HERE / "WORKSHOPS.md"
SECTION = re.compile(r"^### .*?\.\./katas/(\S+?)/README\.md\)$", re.MULTILINE)
MISTAKE = re.compile(r"^- `(\w+)`, `(\w+)`:.*\n(?:  .*\n)*", re.MULTILINE)

sys.path.insert(0, str(HERE.parent))

from grader.course.katas import KATAS, Kata  # noqa: E402
from grader.verdict.mistakes import mistakes  # noqa: E402


def sections(text):
    """Return [(folder of a kata or None, its text)]: the parts of the guide."""
    parts = SECTION.split(text)
    starts = [0, *(m.start() for m in SECTION.finditer(text)), len(text)]
    return [(folder, text[a:b]) for folder, (a, b) in zip([None, *parts[1::2]], pairwise(starts), strict=True)]


def with_sentences(text):
    """Return the guide with the text of each mistake, as the grader has it."""
    return "".join(part if folder is None else filled(part, Kata(KATAS / folder)) for folder, part in sections(text))


def filled(part, kata):
    """Return the section of one kata with its texts."""
    known = {(one.replaces, one.name): one.sentence for one in reversed(mistakes(kata))}

    def line(match):
        if match.groups() not in known:
            raise SystemExit(f"{kata.folder.name} has no mistake {match[2]} of {match[1]}")
        told = f"- `{match[1]}`, `{match[2]}`: {known[match.groups()]}"
        return textwrap.fill(told, 118, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False) + "\n"

    return MISTAKE.sub(line, part)


if __name__ == "__main__":
    GUIDE.write_text(with_sentences(GUIDE.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")

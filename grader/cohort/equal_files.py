"""Which submissions share a file for a kata, byte for byte or except for comments and white space."""
import codecs
import hashlib
import re

LARGEST = 256 * 1024                      # bytes; larger files are compared byte for byte only
SMALLEST = 100                            # characters of code that the stub does not have; fewer can be equal by chance
# Strings and comments. A string that is not closed ends with its line or with the file, so hostile text takes no longer
# than other text. The module tokenize takes six times as long, and some files make it fail.
QUOTED = re.compile(rb'''("""(?:\\.?|[^\\])*?(?:"""|\Z)|\'{3}(?:\\.?|[^\\])*?(?:\'{3}|\Z)'''
                    rb'''|"(?:\\.?|[^\\"\n])*"?|'(?:\\.?|[^\\'\n])*'?|#[^\n]*)''', re.DOTALL)


def equal_files(katas, submissions):
    """[(name of a kata, submissions that share a file for it)]; stubs, references and tiny files do not count."""
    groups = []
    for kata in katas:
        stub = {line.strip() for line in kata.original.read_bytes().splitlines()}
        reference = digest_of(kata.solution.read_bytes())
        names: dict[bytes, list[str]] = {}
        for submission in submissions:
            entry = submission.found.files.get(kata.name)
            content = entry and entry.source.code
            if content is not None and (digest := digest_of(content)) != reference and not is_tiny(content, stub):
                names.setdefault(digest, []).append(submission.name)
        groups += [(kata.name, same) for same in names.values() if len(same) > 1]
    return groups


def digest_of(content):
    """What equal files have in common. Some editors begin a file with a mark, which changes nothing."""
    content = content.removeprefix(codecs.BOM_UTF8)
    return hashlib.sha256(code(content) if len(content) <= LARGEST else content).digest()


def is_tiny(content, stub):
    """Whether there is hardly any code in the lines that the stub does not have."""
    own = [line for line in content.removeprefix(codecs.BOM_UTF8).splitlines() if line.strip() not in stub]
    return len(content) <= LARGEST and len(code(b"\n".join(own))) < SMALLEST


def code(content):
    """The text without comments, without white space outside strings, and without any at the ends of lines."""
    lines = (line.rstrip() for line in content.splitlines() if line.strip() != b"pass")      # a notebook's magics
    parts = QUOTED.split(b"\n".join(lines))               # every second part is a string or a comment
    parts[::2] = [part.translate(None, b" \t\f\v\n\\") for part in parts[::2]]
    return b"".join(part for part in parts if not part.startswith(b"#"))

"""Write a file as a whole or not at all."""
import contextlib
import os
import secrets


def write_text(path, text):
    """Put `text` at `path`."""
    write_pieces(path, [text])


def write_pieces(path, pieces):
    """Put texts at `path` as UTF-8."""
    with replacing(path) as beside, beside.open("x", encoding="utf-8", errors="backslashreplace", newline="") as file:
        file.writelines(pieces)


def write_bytes(path, content):
    """Put bytes at `path`."""
    with replacing(path) as beside, beside.open("xb") as file:
        file.write(content)


@contextlib.contextmanager
def replacing(path):
    """A path next to `path` to write to. It replaces `path` in one step, so readers see the old file or the new one."""
    beside = path.parent / f".{secrets.token_hex(8)}.tmp"
    try:
        yield beside
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)

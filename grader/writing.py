"""Write a text file as a whole or not at all."""
import os
import secrets


def write_text(path, text):
    """Put `text` at `path`."""
    write_pieces(path, [text])


def write_pieces(path, pieces):
    """Put texts at `path` as UTF-8, in one step: who reads meanwhile sees the old file or the new one."""
    beside = path.parent / f".{secrets.token_hex(8)}.tmp"
    try:
        with beside.open("x", encoding="utf-8", errors="backslashreplace", newline="") as file:
            file.writelines(pieces)
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)

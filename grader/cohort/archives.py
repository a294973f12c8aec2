"""Unpack the code in zip files that strangers made: their names, links and sizes do no harm."""
import errno
import os
import re
import stat
import struct
import tempfile
import time
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest

from grader.calling.limits import MEBIBYTE
from grader.calling.notebooks import LARGEST_NOTEBOOK, LARGEST_SOURCE
from grader.cohort.file_names import CODE, may_be_text, suffix_of

LARGEST_ARCHIVE = 256 * MEBIBYTE          # of one learner, unpacked
LARGEST_TEXT = MEBIBYTE // 4              # of a file that is not named as code, but may be some
LARGEST_DIRECTORY = 4 * MEBIBYTE          # the list of members, which zipfile reads as a whole
END, END_OF_ZIP64 = b"PK\5\6", b"PK\6\7"      # where that list is described; the second allows any size
LONGEST_NAME = 255
DAMAGED = "this zip file is damaged"
BROKEN = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError, RuntimeError, ValueError,
          OverflowError)


class Refused(Exception):
    """An archive or a member that is not unpacked; the text says why."""


class Unread(Refused):
    """What the system refuses, such as room on the disk: nobody knows what is in it."""


class Room:
    """How many bytes may still be unpacked for one submission, or from an instructor's own archive."""

    def __init__(self, left: int = LARGEST_ARCHIVE) -> None:
        self.left = left
        self.full = f"there is more than {left // MEBIBYTE} MiB of code"


class Unpacked:
    """A folder for the code from archives, which is gone when it is closed.

    A file there has a folder of its own and a harmless name, whatever its name in the archive is.
    """

    def __init__(self) -> None:
        try:
            self.folder = tempfile.TemporaryDirectory(prefix="katas")
        except OSError as error:
            raise pytest.UsageError(f"there is no folder for temporary files: {error.strerror}") from None
        self.count = 0

    def close(self) -> None:
        self.folder.cleanup()

    def place(self, name: str) -> Path:
        """A new path for a file of this name."""
        self.count += 1
        folder = Path(self.folder.name, str(self.count))
        folder.mkdir()
        return folder / re.sub(r"[^\w.-]", "_", name, flags=re.ASCII)[-80:]

    def members(self, path: Path, room: Room, besides: str = "") -> Iterator[tuple[str, Path | Refused]]:
        """(name, the path it was unpacked to, or the Refused that says why not) of the code in a zip file.

        A file of the name `besides` is unpacked, too.
        """
        found: Path | Refused
        try:
            check_size(path)
            with zipfile.ZipFile(path) as archive:
                for info in archive.infolist():
                    if not is_wanted(info, besides):
                        continue
                    try:
                        found = self.unpacked(archive, info, room)
                    except Refused as error:
                        found = error
                    yield place_of(info), found
        except Refused as error:
            yield "", error
        except OSError as error:
            damaged = error.errno in (None, errno.EINVAL)          # from what the file says, not from the system
            yield "", Refused(DAMAGED) if damaged else Unread(f"it cannot be unpacked: {error.strerror}")
        except BROKEN:
            yield "", Refused(DAMAGED)

    def unpacked(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo, room: Room) -> Path:
        """The path of one member, unpacked."""
        check_name(info)
        kind = suffix_of(info.filename)
        largest = LARGEST_NOTEBOOK if kind == ".ipynb" else LARGEST_SOURCE if kind in CODE else room.left
        path = self.place(PurePosixPath(place_of(info)).name)
        try:
            with archive.open(info) as member, path.open("xb") as file:
                while part := member.read(2**16):                  # the size that the archive claims may be wrong
                    if file.tell() + len(part) > min(largest, room.left):
                        raise Refused("it is too large for code" if largest <= room.left else room.full)
                    file.write(part)
                room.left -= file.tell()
            os.utime(path, 2 * (time.mktime((*info.date_time, 0, 0, -1)),))       # of two files, the newer is graded
        except BROKEN:
            raise Refused("it is encrypted" if info.flag_bits & 1 else "it is damaged") from None
        return path


def place_of(info: zipfile.ZipInfo) -> str:
    """A member's name; some programs for Windows write backslashes between folders."""
    return info.filename.replace("\\", "/")


def is_wanted(info: zipfile.ZipInfo, besides: str) -> bool:
    """Whether a member is code or an archive; other files are never unpacked, and neither is what systems add."""
    parts = PurePosixPath(place_of(info)).parts
    if not parts or info.is_dir() or any(one == "__MACOSX" or (one[0] == "." and one != "..") for one in parts):
        return False
    text = info.file_size <= LARGEST_TEXT and may_be_text(parts[-1])
    return text or bool(suffix_of(info.filename)) or parts[-1] == besides


def check_size(path: Path) -> None:
    """Refuse a file that takes too much memory to look into."""
    with open(path, "rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - 2**16 - 22))
        tail = file.read()
    place = len(tail) - 22 if tail[-22:-18] == END else tail.rfind(END)          # as zipfile looks for it
    if place >= 0 and len(tail) >= place + 16:
        (directory,) = struct.unpack_from("<I", tail, place + 12)
        if directory > LARGEST_DIRECTORY or tail[max(0, place - 20):place].startswith(END_OF_ZIP64):
            raise Refused("the archive has too many files")


def check_name(info: zipfile.ZipInfo) -> None:
    """Refuse a member whose name leads out of the archive or is longer than in any folder, and links."""
    name = place_of(info)
    if max(map(len, name.split("/"))) > LONGEST_NAME:
        raise Refused("its name is too long")
    if name.startswith("/") or re.match("[A-Za-z]:", name) or ".." in PurePosixPath(name).parts:
        raise Refused("its name leads out of the archive")
    if stat.S_ISLNK(info.external_attr >> 16):
        raise Refused("it is a link")

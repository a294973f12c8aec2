"""Zip files of strangers: what is in them harms nobody, and what is not unpacked is named."""
import os
import struct
import zipfile

import pytest

from grader.calling.limits import MEBIBYTE
from grader.calling.source import read_source
from grader.cohort.archives import Room
from grader.cohort.collecting import Collected
from tests.helpers.handed_in import WRONG, both, laid_out, right, zipped

ROPE = "rope_rotation.py"
X, OUT = b"x = 1\n", "its name leads out of the archive"
LINK = zipfile.ZipInfo(ROPE)
LINK.external_attr = 0o120777 << 16
END, MUCH = b"PK\5\6", 5 * MEBIBYTE           # how large the list of members is, says a record at the end


def encrypted(content):
    """The zip file with the flag for an encrypted member, in the member's own header and in the list of members."""
    content = bytearray(content)
    for place in (6, content.index(b"PK\x01\x02") + 8):
        content[place] |= 1
    return bytes(content)


@pytest.mark.parametrize(("content", "unused"), [
    *((zipped({name: X}), [f"katas.zip/{name}: {OUT}"])
      for name in (f"../{ROPE}", f"/{ROPE}", f"a/../../{ROPE}", f"C:/{ROPE}", f"//server/{ROPE}")),
    (zipped({f"rope_rotation ({'9' * 5000}).py": X}),
     [f"katas.zip/rope_rotation ({'9' * 5000}).py: its name is too long"]),
    (zipped({LINK: "/etc/passwd"}), [f"katas.zip/{ROPE}: it is a link"]),
    *((content, ["katas.zip: the archive has too many files"]) for content in (
        struct.pack("<4s8xI6x", END, MUCH), struct.pack("<4s8xI4xH7s", END, MUCH, 7, b"comment"),
        struct.pack("<4s8xI4s2x", END, MUCH, END), b"PK\6\7" + bytes(16) + END + bytes(18))),
    (encrypted(zipped({ROPE: WRONG})), [f"katas.zip/{ROPE}: it is encrypted"]),
    *((content, ["katas.zip: this zip file is damaged"])
      for content in (b"", b"PK\x03\x04", b"no zip at all", zipped({"a.py": "x"})[:-30])),
], ids=["up", "root", "up from a folder", "drive", "server", "long name", "link", "many files", "many, with a comment",
        "many, with two records", "zip64", "encrypted", "empty", "begun", "no zip", "cut off"])
def test_what_is_not_unpacked_is_named(tmp_path, found, content, unused):
    result = found({"katas.zip": content})
    assert (result.files, result.unused) == ({}, unused)
    assert not (tmp_path.parent / ROPE).exists()


def test_bombs_are_refused_by_name_and_the_rest_is_used(found):
    result = found({"katas.zip": zipped({ROPE: b"#" * 50_000_000, "alibi_bias.py": X})})
    assert result.unused == [f"katas.zip/{ROPE}: it is too large for code"]
    assert list(result.files) == ["alibi_bias"]


def test_archives_within_archives_end(found):
    content = X
    for _ in range(20):
        content = zipped({"inner.zip": content})
    (line,) = found({"katas.zip": content}).unused
    assert line.endswith(": too many folders or archives within each other")


def test_many_archives_that_unpack_to_much_are_refused(found, monkeypatch):
    monkeypatch.setattr("grader.cohort.finding.Room", lambda: Room(3 * MEBIBYTE))
    inner = zipped({f"helper_{number}.py": b"#" * MEBIBYTE for number in range(5)})
    lines = found({"katas.zip": zipped({"a.zip": inner, "b.zip": inner})}).unused
    assert sum(line.endswith("there is more than 3 MiB of code") for line in lines) == 8


def test_a_damaged_archive_of_a_learner_is_named_and_the_learner_is_known(collected):
    (one,) = collected({"ada.zip": zipped(both("{name}.py"))[:-30]}).submissions
    assert (one.name, one.found.unused) == ("ada", ["ada.zip: this zip file is damaged"])


def test_a_plain_archive_that_holds_code_is_not_taken_for_code(found):
    assert found({"rope_rotation.tar": right("rope_rotation"), "test_rope_rotation.txt": right("rope_rotation")}
                 ).unused == ["rope_rotation.tar: not unpacked; hand in a .zip file or the files themselves"]


def test_links_and_pipes_are_not_followed(tmp_path, unpacked):
    outside = tmp_path / "outside"
    laid_out(outside, both("{name}.py") | {"work.zip": zipped(both("{name}.py"))})
    folder = tmp_path / "collected" / "Ben"
    folder.mkdir(parents=True)
    (folder / "katas").symlink_to(outside)
    (folder / "work.zip").symlink_to(outside / "work.zip")
    (folder / ROPE).symlink_to(outside / ROPE)
    (folder.parent / "Link").symlink_to(outside)
    for name in ("positional_formula.py", "pipe.zip"):
        os.mkfifo(folder / name)
    collected = Collected(folder.parent, unpacked)
    (one,) = collected.submissions
    assert read_source(one.found.files["rope_rotation"].path).code is None
    assert read_source(one.found.files["positional_formula"].path).fault == "this is not an ordinary file"
    link = "it is a link; hand in what it leads to"
    assert one.found.unused == ["pipe.zip: not unpacked; hand in a .zip file or the files themselves",
                                f"rope_rotation.py: {link}", f"katas: {link}", f"work.zip: {link}"]
    assert collected.unused == [f"Link: {link}"]


def test_a_link_in_a_section_is_not_followed(tmp_path, unpacked):
    laid_out(tmp_path, both("outside/{name}.py") | both("cohort/section A/Ada/{name}.py"))
    (tmp_path / "cohort" / "section A" / "Eve").symlink_to(tmp_path / "outside")
    _, eve = Collected(tmp_path / "cohort", unpacked).submissions
    assert (eve.name, eve.found.files) == ("Eve", {})
    assert eve.found.unused == ["it is a link; hand in what it leads to"]

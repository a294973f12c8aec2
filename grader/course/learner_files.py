"""Which file a folder has for a kata, and whether somebody has worked on it."""
import os

from grader.calling.source import normal_text


def find_file(kata, source):
    """The file a submission has for a kata: the first of NN_name/name.py, name/name.py, name.py."""
    name = f"{kata.name}.py"
    for place in (f"{kata.folder.name}/{name}", f"{kata.name}/{name}", name):
        if os.path.isfile(f"{source}/{place}"):                # False also if we may not look there
            return source / place
    return None


def own_file(kata, folder):
    """The file for a kata in the learner's own folder, found by name even if the kata has a new number."""
    numbered = f"[0-9][0-9]_{kata.name}/{kata.name}.py"
    return find_file(kata, folder) or min((p for p in folder.glob(numbered) if p.is_file()), default=None)


def is_edited(file, kata):
    """Whether a copy of a kata's stub is not the original any more."""
    return not kata.original.is_file() or normal_text(file) != normal_text(kata.original)

"""Stored results: a JSON file per trained model, found again by everything that the result depends on."""
import hashlib
import json
from dataclasses import asdict
from pathlib import Path

import numpy as np

from grader.output.writing import write_text

import lab.functions
from lab.schemes import SCHEMES
from lab.train import TRAINED_AS

HERE = Path(__file__).resolve().parent
CODE = ("model.py", "data.py", "train.py", *(path.relative_to(HERE) for path in sorted(HERE.glob("schemes/*.py"))))


class Kept:
    """The results in a folder, for one task and the functions as they are now."""

    def __init__(self, folder, sources, task):
        self.folder = folder
        self.sources = sources
        self.functions = lab.functions.fingerprint(sources)
        code = b"".join((HERE / name).read_bytes() for name in CODE)
        self.common = {"data": task.fingerprint, "code": hashlib.sha256(code).hexdigest(), "numpy": np.__version__}

    def key(self, settings):
        """Everything that a result depends on, in the form that JSON gives back."""
        used = {name: self.functions[name] for name in used_by(settings.scheme)}
        return json.loads(json.dumps({"settings": asdict(settings), "functions": used, **self.common}))

    def path(self, settings):
        digest = hashlib.sha256(json.dumps(self.key(settings), sort_keys=True).encode()).hexdigest()
        return self.folder / f"{settings.task}-{settings.scheme}-seed{settings.seed}-{digest[:12]}.json"

    def read(self, settings):
        """The result of these settings and functions, or None."""
        try:
            content = json.loads(self.path(settings).read_text(encoding="utf-8"))
            return content["found"] if content["key"] == self.key(settings) else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def write(self, settings, found, vector):
        """Store a result and, beside it, the vector of all trained numbers."""
        np.save(self.path(settings).with_suffix(".npy"), vector)
        write_text(self.path(settings), json.dumps({"key": self.key(settings), "found": found}) + "\n")

    def vector(self, settings):
        """The trained numbers; they exist where a result does."""
        return np.load(self.path(settings).with_suffix(".npy"), allow_pickle=False)


def used_by(trained):
    """The functions needed to train a scheme, and to read the trained model with every scheme that can."""
    names = [name for name, other in TRAINED_AS.items() if other == trained]
    return list(dict.fromkeys([*lab.functions.ALWAYS, *(use for name in names for use in SCHEMES[name].uses)]))

"""A golden file: how its cases are collected and written. Everything here computes in float64."""
import json
import platform
from importlib.metadata import version
from pathlib import Path

import numpy as np
import torch

FOLDER = Path(__file__).resolve().parent
KATAS = [folder.name[3:] for folder in FOLDER.parents[2].glob("katas/[0-9]*")]
SEED = 20170612
PACKAGES = ["torch", "transformers", "x-transformers", "rotary-embedding-torch", "mpmath", "numpy"]

FLOAT64 = {"precision": "float64", "rtol": 1e-9, "atol": 1e-12}
FAR = {"precision": "float64", "rtol": 1e-9, "atol": 1e-9}        # angles of 1e5 leave 1e-11 to rounding
FLOAT32 = {"precision": "float32", "rtol": 2e-5, "atol": 2e-5}
EXACT = {"precision": "exact", "rtol": 0, "atol": 0}              # integers and booleans

torch.set_grad_enabled(False)
torch.set_num_threads(1)                       # the order of a sum, and so its last bits, stay the same
# GPT-J's tables, x-transformers' slopes and every nn.Linear follow the default: with it they are float64.
torch.set_default_dtype(torch.float64)


class Golden:
    """The cases of one kata, with random numbers of its own; equal arrays are stored once."""

    def __init__(self, kata):
        self.kata = kata
        self.rng = np.random.default_rng([SEED, *kata.encode()])
        self.arrays = {}
        self.names = {}                                      # what an array holds -> the name it has
        self.cases = []

    def numbers(self, *shape, size=2.0):
        """Random multiples of size / 256: exact in float32 too, and small when compressed."""
        return self.rng.integers(-256, 257, shape) * (size / 256)

    def store(self, name, array):
        """Keep the array; return its name, which is another's if that one holds the same."""
        array = np.asarray(array, order="C")
        name = self.names.setdefault((array.dtype.str, array.shape, array.tobytes()), name)
        self.arrays[name] = array
        return name

    def add(self, case, function, arguments, expected, source, tolerance=FLOAT64, rows=None):
        """One call of the contract and what the oracle says to it; `rows`: the only ones that are stored."""
        arrays = {n: self.store(f"{case}/{n}", a) for n, a in arguments.items() if isinstance(a, np.ndarray)}
        for name, weights in arguments.items():              # a dict of arrays
            if isinstance(weights, dict) and all(isinstance(a, np.ndarray) for a in weights.values()):
                arrays[name] = {n: self.store(f"{case}/{n}", a) for n, a in weights.items()}
        results = expected if isinstance(expected, tuple) else (expected,)
        self.cases.append({
            "case": case, "function": function, "source": source, **tolerance,
            "arguments": {n: a for n, a in arguments.items() if n not in arrays}, "arrays": arrays,
            "expected": [self.store(f"{case}/expected_{i}", result) for i, result in enumerate(results)],
            "rows": rows})

    def write(self):
        meta = {
            "kata": self.kata, "seed": SEED,
            "versions": {"python": platform.python_version(), **{p: version(p) for p in PACKAGES}},
            "cases": self.cases}
        path = FOLDER / f"{self.kata}.npz"
        np.savez_compressed(path, meta=np.array(json.dumps(meta)), **self.arrays)
        print(f"{path.name}: {len(self.cases)} cases, {path.stat().st_size / 1000:.1f} kB")


def based(base):
    """The argument `base`, left out where it is the default: so defaults meet the oracle too."""
    return {} if base == 10000.0 else {"base": base}

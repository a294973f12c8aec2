"""What each position scheme does to the model of model.py: rows added, vectors turned, or scores biased.

The encodings are functions of the katas, such as `functions.alibi_bias`. The files of this folder apply them to the
model and compute the gradients of what is trained:

    base.py         no positions: what every scheme begins with, and what it may change
    rows.py         tables of rows
    distances.py    vectors and numbers for distances
    gates.py        biases that the text itself makes
    rotations.py    rotations, and what longer texts do to their frequencies
"""
from lab.schemes.base import Scheme
from lab.schemes.distances import T5, Alibi, Sandwich, Shaw
from lab.schemes.gates import Cope, Forgetting
from lab.schemes.rotations import (
    PartialRope,
    Rope,
    RopeInterpolation,
    RopeLlama3,
    RopeLongrope,
    RopeYarn,
    TruncatedRope,
)
from lab.schemes.rows import Learned, Sinusoidal

SCHEMES = {
    "none": Scheme, "sinusoidal": Sinusoidal, "learned": Learned, "shaw": Shaw, "t5": T5, "alibi": Alibi,
    "sandwich": Sandwich, "forgetting": Forgetting, "cope": Cope, "rope": Rope, "rope+interpolation": RopeInterpolation,
    "rope+yarn": RopeYarn, "rope+llama3": RopeLlama3, "rope+longrope": RopeLongrope,
    "partial-rope": PartialRope, "truncated-rope": TruncatedRope}

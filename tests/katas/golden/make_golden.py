"""Make the golden vectors: inputs, and what independent public implementations make of them.

Run it as

    python tests/katas/golden/make_golden.py [kata id ...]

which makes all files, or those of the katas named, in an environment with

    pip install torch==2.13.0 numpy==2.4.6
    pip install transformers==5.23.0 x-transformers==2.31.10 rotary-embedding-torch==0.9.1 mpmath==1.3.0
    pip install diffusers==0.42.1
    pip install timm==1.0.31

It writes tests/katas/golden/<kata id>.npz and prints what it wrote. It is never needed to run the tests, and it
never imports the project's own solutions. The same packages on the same machine give the same bytes again;
on another machine last bits may differ.

A file holds arrays, and in "meta" a JSON text: the versions, the seed, and for each case the function, the
arguments (plain ones, and the names of the arrays, or of those in a dict), the names of the expected arrays, the
tolerance and the source in words. Where the oracle computes in float32 only, "precision" says so and the tolerance is wider.

Each kata has a function of its name, in the file of its chapter; golden.py collects and writes its cases, and
oracles.py has what several chapters compare with.
"""
import sys
from importlib import import_module

from evidence_lab import SCHEMES, lab
from evidence_model_lab import model_lab
from golden import KATAS, Golden

CHAPTERS = (
    "why_position", "sinusoids", "timesteps", "learned_tables", "relative_vectors", "score_biases", "gates_and_counts",
    "rotary", "rotary_attention", "rotary_parts", "longer_contexts", "configurations", "layers_that_differ", "images",
    "rotary_images", "evidence_position_probe", "evidence_train_short_test_long", "evidence_scheme_comparison",
    "evidence_model_in_numpy")
MAKERS = {kata: make for chapter in CHAPTERS for kata, make in vars(import_module(chapter)).items() if kata in KATAS}
MAKERS |= {f"lab/{scheme}": lab for scheme in SCHEMES}
MAKERS["model_lab/tokens"] = model_lab

if __name__ == "__main__":
    for kata in sys.argv[1:] or MAKERS:
        golden = Golden(kata)
        MAKERS[kata](golden)
        golden.write()

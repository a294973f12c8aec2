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
arguments (plain ones, and the names of the arrays), the names of the expected arrays, the tolerance and the
source in words. Where the oracle computes in float32 only, "precision" says so and the tolerance is wider.

The cases of a chapter are in the file of its name; golden.py collects and writes them, and oracles.py has what
several chapters compare with.
"""
import sys

from evidence_lab import lab
from evidence_position_probe import position_probe
from evidence_scheme_comparison import scheme_comparison
from evidence_train_short_test_long import train_short_test_long
from gates_and_counts import contextual_positions, forgetting_gate
from images import grid_encoding, window_bias
from learned_tables import embedding_layer, learned_table, stretched_table
from longer_contexts import llama3_scaling, longrope, position_interpolation, yarn
from relative_vectors import relative_distances, shaw_attention, skewing, transformer_xl
from rotary import mend_the_rope, rope_layouts, rope_rotation
from rotary_attention import rope_attention
from rotary_images import axial_rope, multimodal_rope
from rotary_parts import latent_rope, partial_rope
from score_biases import alibi_bias, sandwich_bias, t5_buckets
from sinusoids import adding_positions, positional_formula, shift_matrix, similarity_matrix, translation_invariance
from timesteps import timestep_embedding
from why_position import causal_order, naive_positions, order_blindness

MAKERS = {make.__name__: make for make in (
    order_blindness, naive_positions, causal_order,
    positional_formula, similarity_matrix, translation_invariance, shift_matrix, adding_positions,
    timestep_embedding,
    learned_table, stretched_table, embedding_layer,
    relative_distances, shaw_attention, skewing, transformer_xl,
    alibi_bias, t5_buckets, sandwich_bias, forgetting_gate, contextual_positions,
    rope_rotation, rope_layouts, rope_attention, mend_the_rope, partial_rope, latent_rope,
    position_interpolation, yarn, llama3_scaling, longrope,
    grid_encoding, window_bias, axial_rope, multimodal_rope,
    position_probe, train_short_test_long, lab, scheme_comparison)}

if __name__ == "__main__":
    for kata in sys.argv[1:] or MAKERS:
        MAKERS[kata]()

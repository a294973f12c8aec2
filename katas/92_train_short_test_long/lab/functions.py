"""Which functions the lab uses, and of which katas they are."""
import hashlib

from grader.course import own_functions
from grader.course.own_functions import Source, load

__all__ = ["ALWAYS", "KATA_OF", "Source", "choose", "fingerprint", "load"]

# {function: id of its kata}; every scheme uses these three
ALWAYS = ("cross_entropy", "cross_entropy_gradient", "attention_gradients")
KATA_OF = {
    **dict.fromkeys(ALWAYS, "train_short_test_long"),
    "positional_encoding": "positional_formula",
    "init_table": "learned_table", "look_up": "learned_table", "table_gradient": "learned_table",
    "interpolate_table": "stretched_table",
    "relative_index": "relative_distances", "gather_relative": "relative_distances",
    "alibi_bias": "alibi_bias",
    "relative_position_bucket": "t5_buckets", "t5_bias": "t5_buckets",
    "sandwich_bias": "sandwich_bias",
    "log_forget_gates": "forgetting_gate", "forgetting_bias": "forgetting_gate",
    "gated_positions": "contextual_positions", "position_logits": "contextual_positions",
    "rope_frequencies": "rope_rotation", "apply_rope": "rope_rotation",
    "partial_rope": "partial_rope", "truncated_rope": "partial_rope",
    "interpolated_frequencies": "position_interpolation",
    "yarn_frequencies": "yarn", "yarn_attention_factor": "yarn",
    "llama3_frequencies": "llama3_scaling",
    "longrope_frequencies": "longrope", "longrope_attention_factor": "longrope"}


def choose(functions, kata_of=KATA_OF):
    """The Source of every function named."""
    return own_functions.choose(functions, kata_of)


def fingerprint(sources):
    """{function: hash of its text}: another text may compute something else."""
    return {source.function: hashlib.sha256(source.text.encode()).hexdigest() for source in sources}

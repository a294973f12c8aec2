"""How three models slow their pairs, a table of Phi-2 on rows of ones, and the cosines of one pair with a factor."""
import numpy as np

from grader.course.panels import Curves, heatmap


def _sizes(hidden_size, num_attention_heads, max_position_embeddings, **others):
    return {"hidden_size": hidden_size, "num_attention_heads": num_attention_heads,
            "max_position_embeddings": max_position_embeddings, **others}


# What config.json of these models says; Qwen2.5 7B with the scaling that its makers recommend for long texts
VICUNA = _sizes(4096, 32, 4096, rope_scaling={"type": "linear", "factor": 4.0})
LLAMA = _sizes(4096, 32, 131072, rope_theta=500000.0, rope_scaling={
    "rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192})
QWEN = _sizes(3584, 28, 32768, rope_theta=1000000.0, rope_scaling={
    "type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768})
PHI = _sizes(2560, 32, 2048, rope_theta=10000.0, partial_rotary_factor=0.4, rope_scaling=None)


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    positions = np.arange(32)                                                               # (32,)

    def slowed(config):
        kept = config.get("rope_theta", 10000.0) ** (-np.arange(64) / 64)                   # (64,)
        return lambda: kept / kata.inverse_frequencies(config)

    def turned():
        return kata.apply_tables(np.ones((32, 80)), *kata.rope_tables(PHI, positions))      # (32, 80)

    def cosines(config):
        return lambda: np.asarray(kata.rope_tables(config, positions)[0])[:, 8]             # (32,)

    return [
        Curves("How many times slower each pair turns", {
                   "Vicuna 7B 16k": slowed(VICUNA), "Llama 3.1 8B": slowed(LLAMA), "Qwen2.5 7B": slowed(QWEN),
               }, x="pair of columns (index)", y="slower by (factor)", over=np.arange(64)),
        heatmap("Rows of ones, turned as in Phi-2", turned, x="column", y="position", colour="entry"),
        Curves("The table of cosines, column 8", {
                   "Llama 3.1 8B": cosines(LLAMA), "Qwen2.5 7B": cosines(QWEN),
               }, x="position", y="cosine times attention factor", over=positions),
    ]

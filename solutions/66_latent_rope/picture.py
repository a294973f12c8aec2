"""What each kind of attention caches at the sizes of DeepSeek-V2, and what its rotary columns do to a score."""
import numpy as np

from grader.course.panels import Curves


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    tokens, near = 2 ** np.arange(18), np.arange(-48, 49)
    rng = np.random.default_rng(6)
    w_up = rng.normal(size=(1, 512, 128)) / 512**0.5                                # (1, r, d_c) one head
    row, turning = rng.normal(size=(1, 512)), rng.normal(size=(1, 64))              # one token, repeated
    latent, k_rope = (np.repeat(x, len(near), axis=0) for x in (row, turning))      # (n_k, r), (n_k, d_r)
    q, q_rope = (row @ w_up[0])[None], turning[None]                                # (1, 1, d_c), (1, 1, d_r)

    def cached(kind):
        return lambda: np.array([kata.cached_numbers(kind, int(n), 128, 128, 8, 512, 64) for n in tokens])

    def scores(function, rotary):
        return lambda: function(q, rotary * q_rope, latent, k_rope, w_up, np.array([200]), 200 + near)[0, 0]

    return [
        Curves("Sizes of DeepSeek-V2: the cache of one layer", {
                   "mha, 128 heads": cached("mha"), "gqa, 8 heads": cached("gqa"),
                   "mla, 512 + 64": cached("mla"), "mqa, 1 head": cached("mqa"),
               }, x="length of the text (tokens)", y="cached numbers (count)", over=tokens, log="xy"),
        Curves("One token repeated: score over the offset", {
                   "latent_scores": scores(kata.latent_scores, 1.0),
                   "absorbed_scores": scores(kata.absorbed_scores, 1.0),
                   "rotary part 0": scores(kata.latent_scores, 0.0),
               }, x="key minus query (positions)", y="score", over=near),
    ]

"""A model whose weights are made by hand: it repeats three words. And the curve in its feed-forward network."""
import numpy as np

from grader.course.panels import Curves, heatmap


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    # A row is a 1 and a one-hot code of the word. All queries are equal and all keys are equal before they turn, and
    # the query is turned back by two positions, so it meets the key of two tokens before. Its word is added, 5 times.
    vocab, back = 8, 2.0 * 10000.0 ** (-np.arange(16) / 16)                         # (16,) radians
    codes = np.concatenate([np.ones((vocab, 1)), np.eye(vocab)], axis=1)            # (vocab, 9)
    w_q, w_k, w_v, w_o = np.zeros((4, 32, 9))
    w_q[:, 0], w_k[:16, 0] = 8.0 * np.concatenate([np.cos(back), -np.sin(back)]), 2.0
    w_v[:vocab, 1:], w_o[:vocab, 1:] = np.eye(vocab), 5.0 * np.eye(vocab)
    parts = {"model.embed_tokens": codes, "lm_head": np.eye(vocab, 9, k=1), "model.norm": np.ones(9)}
    attention = {"q": w_q, "k": w_k, "v": w_v, "o": w_o.T}
    parts |= {f"model.layers.0.self_attn.{name}_proj": w for name, w in attention.items()}
    parts |= {f"model.layers.0.mlp.{name}_proj": np.zeros((9, 9)) for name in ("gate", "up", "down")}
    parts |= {f"model.layers.0.{name}_layernorm": np.full(9, 2 ** 0.5 / 3) for name in ("input", "post_attention")}
    weights = {f"{name}.weight": w for name, w in parts.items()}
    config = {"hidden_size": 9, "num_hidden_layers": 1, "num_attention_heads": 1, "head_dim": 32, "rms_norm_eps": 1e-6}

    def text():
        return kata.greedy(np.array([6, 1, 4]), 9, weights, config)                 # (12,)

    def gated(z):
        ones = {f"model.layers.0.mlp.{name}_proj.weight": np.eye(2) for name in ("gate", "up", "down")}
        ones["model.layers.0.mlp.up_proj.weight"] = np.array([[0.0, 1.0], [0.0, 0.0]])
        return kata.feed_forward(np.stack([z, np.ones_like(z)], axis=1), ones, 0)[:, 0]

    z = np.linspace(-8.0, 4.0, 97)
    places = {"x": "word (number)", "y": "position (tokens)"}
    return [
        heatmap("Logits of a model that repeats 6, 1, 4", lambda: kata.logits(text(), weights, config), **places,
                colour="logit"),
        Curves("silu of an entry z", {
                   "silu(z)": lambda: gated(z), "z, or 0 below 0": lambda: np.maximum(z, 0.0),
               }, x="entry before (z)", y="entry after", over=z),
        heatmap("The text that it writes after 6, 1, 4", lambda: np.eye(vocab)[text()], **places, colour="share"),
        heatmap("What attention adds", lambda: kata.attention(
                    codes[text()], weights, 0, config, np.arange(12))[:, 1:], **places, colour="entry"),
    ]

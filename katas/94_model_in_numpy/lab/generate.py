"""Token after token, with the functions of kata 94."""
import inspect
import sys
import traceback
from contextlib import redirect_stdout

import numpy as np

from grader.course.katas import all_katas
from grader.course.katas import shown as name_of
from grader.course.own_functions import choose, load
from grader.course.variants import variants

FUNCTIONS = dict.fromkeys(("rms_norm", "attention", "feed_forward", "logits"), "model_in_numpy")


def functions_and_lines(cache):
    """The functions, whether their attention keeps a cache, and lines that say so."""
    sources = choose(FUNCTIONS, FUNCTIONS)
    functions = load(sources)
    lines = [f"{', '.join(FUNCTIONS)}: {sources[0].origin}"]
    if cache:
        functions.attention = attention_with_a_cache()
        lines = [f"rms_norm, feed_forward: {sources[0].origin}",
                 "attention: the solution's variant with a cache, so each step reads one token"]
    elif "cache" in inspect.signature(functions.attention).parameters:
        wrong = wrong_cache(functions)
        cache = not wrong
        lines.append(f"attention has a parameter cache, but {wrong}. So each step reads the whole text" if wrong else
                     "attention has a parameter cache, so each step reads one token")
    else:
        lines.append("attention has no parameter cache, so each step reads the whole text (--cache: one token)")
    return functions, cache, lines


def attention_with_a_cache():
    (kata,) = (kata for kata in all_katas() if kata.name == "model_in_numpy")
    (found,) = (variant for variant in variants(kata.variants)
                if (variant.replaces, variant.name) == ("attention", "with_a_cache"))
    return found.function


def wrong_cache(functions):
    """What is wrong if a small model's rows go through attention piece by piece; empty if nothing is.

    The suite of the kata calls attention without a cache only.
    """
    rng = np.random.default_rng(94)
    config = {"hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2,
              "head_dim": 4, "rope_theta": 100.0, "rms_norm_eps": 1e-5}
    rows = {"q": 16, "k": 8, "v": 8, "o": 8}
    weights = {f"model.layers.{layer}.self_attn.{name}_proj.weight": rng.normal(size=(n, 16 if name == "o" else 8))
               for layer in range(2) for name, n in rows.items()}
    x, positions, cache = rng.normal(size=(2, 5, 8)), np.arange(5), {}           # x is (layer, n, d)
    try:
        for begin, end in ((0, 3), (3, 4), (4, 5)):
            for layer in range(2):
                right = functions.attention(x[layer], weights, layer, config, positions)[begin:end]
                given = functions.attention(x[layer, begin:end], weights, layer, config, positions[begin:end], cache)
                if np.shape(given) != right.shape or not np.allclose(given, right, atol=1e-6):
                    after = f", which comes after rows 0 to {begin - 1}" if begin else ""
                    return f"layer {layer} gives other rows with it than without it, first row {begin}{after}"
    except Exception as error:                   # of the learner's function
        return f"with it, attention raised {what_happened(error, functions)}"
    return ""


def what_happened(error, functions):
    """An exception, with the place in the file of the functions where it was raised."""
    file = functions.logits.__code__.co_filename
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    place = f" in line {lines[-1]} of {name_of(file)}" if lines else ""
    return f"{type(error).__name__}{place}: {' '.join(str(error).split())}"


def generate(prompt, new, ends, last_logits):
    """Yield all tokens so far: the prompt, then one more each time, the likeliest. One of `ends` is the last."""
    tokens = list(prompt)
    yield tokens
    for _ in range(new):
        with redirect_stdout(sys.stderr), np.errstate(over="ignore"):            # the text is to stay alone
            logits = last_logits(tokens)
        tokens.append(int(np.argmax(logits)))
        yield tokens
        if tokens[-1] in ends:
            return


def without_a_cache(functions, weights, config):
    """A function that returns the last logits of a text, and reads all of it."""
    return lambda tokens: functions.logits(np.array(tokens), weights, config)[-1]


class WithACache:
    """The same for texts that grow: it reads what is new, as `logits` does, and attention keeps keys and values."""

    def __init__(self, functions, weights, config):
        self.functions, self.weights, self.config = functions, weights, config
        self.kept, self.read = {}, 0             # {layer: (keys, values)}; how many tokens have been read

    def __call__(self, tokens):
        norm, weights, config = self.norm, self.weights, self.config
        positions = np.arange(self.read, len(tokens))                            # (n,) of the new tokens
        x = weights["model.embed_tokens.weight"][np.array(tokens[self.read:])]   # (n, d)
        for layer in range(config["num_hidden_layers"]):
            normed = norm(x, f"layers.{layer}.input_layernorm")
            x = x + self.functions.attention(normed, weights, layer, config, positions, self.kept)
            normed = norm(x, f"layers.{layer}.post_attention_layernorm")
            x = x + self.functions.feed_forward(normed, weights, layer)          # (n, d)
        self.read = len(tokens)
        head = "model.embed_tokens.weight" if config.get("tie_word_embeddings", False) else "lm_head.weight"
        return norm(x[-1], "norm") @ weights[head].T                             # (vocab,)

    def norm(self, x, name):
        return self.functions.rms_norm(x, self.weights[f"model.{name}.weight"], self.config["rms_norm_eps"])

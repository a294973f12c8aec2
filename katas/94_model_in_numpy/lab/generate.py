"""Token after token, with the functions of kata 94."""
import inspect
from dataclasses import replace

import numpy as np

from grader.course.katas import all_katas
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
        cache = True
        lines.append("attention has a parameter cache, so each step reads one token")
    else:
        lines.append("attention has no parameter cache, so each step reads the whole text (--cache: one token)")
    return functions, cache, lines


def attention_with_a_cache():
    (kata,) = (kata for kata in all_katas() if kata.name == "model_in_numpy")
    (found,) = (variant for variant in variants(kata.variants)
                if (variant.replaces, variant.name) == ("attention", "with_a_cache"))
    return found.function


def generate(prompt, new, ends, last_logits):
    """Yield all tokens so far: the prompt, then one more each time, the likeliest. One of `ends` is the last."""
    tokens = list(prompt)
    yield tokens
    for _ in range(new):
        tokens.append(int(np.argmax(last_logits(tokens))))
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

"""From a model's folder to the text that it goes on with."""
import os
import sys
import time
from contextlib import redirect_stdout

from lab.config import covered, end_tokens
from lab.explain import explain
from lab.folder import Refused, folder_of, package, read_json
from lab.generate import WithACache, functions_and_lines, generate, what_happened, without_a_cache
from lab.options import options_from
from lab.weights import read_weights

UNFINISHED = "\ufffd"                            # what a tokenizer shows in place of the first bytes of a character


def main(arguments=None):
    options = options_from(arguments)
    sys.stdout.reconfigure(errors="replace")     # a terminal may lack a character
    try:
        if options.explain is not None:
            folder = folder_of(options.explain, ["config.json"])
            with redirect_stdout(sys.stderr):    # what the learner's functions print
                lines = explain(read_json(folder / "config.json"))
            print("\n".join(lines), flush=True)
        else:
            run(options)
        return 0
    except Refused as refused:
        print(f"lab: {' '.join(str(refused).split())}", file=sys.stderr)
        return 2
    except MemoryError:
        print("lab: there is not enough memory for this model", file=sys.stderr)
        return 2
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())           # what is left is not printed
        if isinstance(error, BrokenPipeError):   # whoever reads it has enough, as `head` does
            return 1
        print(f"lab: {error.strerror}" + (f": {error.filename}" if error.filename else ""), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
        return 130


def run(options):
    """Print the text, and the speed after it; whose functions compute it goes to stderr, before it."""
    folder = folder_of(options.model)
    read = read_json(folder / "config.json")
    config = covered(read)
    generation = folder / "generation_config.json"
    ends = end_tokens(read, read_json(generation) if generation.is_file() else {})
    prompt, shown = options.ids, numbers
    if prompt is None:
        tokenizer = tokenizer_of(folder)
        text = options.text.encode("utf-8", "replace").decode("utf-8")           # a terminal may send other bytes
        prompt, shown = tokenizer.encode(text).ids, tokenizer.decode
    if not prompt:
        raise Refused("the prompt is empty")
    for token in prompt:
        if token >= config["vocab_size"]:
            raise Refused(f"token {token} is not in the vocabulary, whose last one is {config['vocab_size'] - 1}")
    weights = read_weights(folder, config)
    with redirect_stdout(sys.stderr):            # what the learner's functions print
        functions, cache, lines = functions_and_lines(options.cache)
    print("\n".join(lines), file=sys.stderr, flush=True)

    last_logits = (WithACache if cache else without_a_cache)(functions, weights, config)
    began = time.perf_counter()
    try:
        added = len(write(generate(prompt, options.new, ends, last_logits), shown)) - len(prompt)
    except (ArithmeticError, AttributeError, LookupError, NameError, RuntimeError, TypeError,
            ValueError) as error:                # of the learner's functions
        raise Refused(f"a function raised {what_happened(error, functions)}") from None
    seconds = time.perf_counter() - began
    print(f"{added} tokens in {seconds:.2f} s: {added / seconds:.1f} tokens per second")


def write(texts, shown):
    """Print a text as it grows, in a line of its own, and return its tokens; `texts` are all tokens so far.

    Each is shown as a whole, and the part that is new is printed: a character may need several tokens.
    """
    printed = 0
    for tokens in texts:
        text = shown(tokens)
        ready = text.rstrip(UNFINISHED)
        print(ready[printed:], end="", flush=True)
        printed = max(printed, len(ready))
    print(text[printed:])
    return tokens


def numbers(tokens):
    return " ".join(map(str, tokens))


def tokenizer_of(folder):
    tokenizers = package("tokenizers", "a text")
    file = folder / "tokenizer.json"
    if not file.is_file():
        raise Refused(f'{folder}: there is no tokenizer.json; --ids "1 5 9" needs none')
    try:
        tokenizer = tokenizers.Tokenizer.from_file(str(file))
    except Exception as error:                   # the library raises no narrower class
        raise Refused(f"{file} cannot be read: {error}") from None
    tokenizer.no_padding()                       # some files ask for texts of one length
    tokenizer.no_truncation()
    return tokenizer

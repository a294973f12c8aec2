"""The lab of kata 94: its tokens are those of the library transformers, and what it cannot do it says in one line.

The lab runs in a process of its own, as a learner starts it. In this one, `lab` is the lab of kata 92.
"""
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from grader.course.katas import KATAS, ROOT, SOLUTIONS

GOLDEN = Path(__file__).resolve().parent / "golden" / "model_lab"
(FOLDER,) = KATAS.glob("??_model_in_numpy")
NUMBER = FOLDER.name[:2]


def golden_cases():
    with np.load(GOLDEN / "tokens.npz") as file:
        arrays = dict(file)
    for case in json.loads(arrays["meta"].item())["cases"]:
        prompt = arrays[case["arrays"]["prompt"]].tolist() if case["arrays"] else None
        yield case["case"], case["function"], prompt, case["arguments"], arrays[case["expected"][0]].tolist()


CASES = {name: case for name, *case in golden_cases()}
TEXTS = {name: case for name, case in CASES.items() if case[1] is None}
NUMBERS = {name: case for name, case in CASES.items() if case[1] is not None}
ONE, PROMPT, _, TOKENS = NUMBERS["bfloat16_7"]               # a checkpoint, and a case for what any of them shows
IDS = " ".join(map(str, PROMPT))


@pytest.fixture
def lab(tmp_path):
    """A function that runs the lab; nothing is solved in the learner's folder."""
    empty = tmp_path / "own folder"
    empty.mkdir()

    def run(*arguments, **variables):
        return subprocess.run(
            [sys.executable, str(FOLDER / "lab"), *map(str, arguments)], cwd=tmp_path, capture_output=True,
            encoding="utf-8", timeout=100, stdin=subprocess.DEVNULL,
            env={**os.environ, "KATAS_WORK": str(empty), "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "hub"),
                 "PYTHONIOENCODING": "utf-8", "OPENBLAS_NUM_THREADS": "1", **variables})
    return run


def tokens_of(result):
    """The line of numbers; the next one is the speed."""
    assert result.returncode == 0, result.stderr
    numbers, speed = result.stdout.splitlines()
    assert re.fullmatch(r"\d+ tokens in \d+\.\d\d s: \d+\.\d tokens per second", speed)
    return [int(number) for number in numbers.split(" ")]


def refusal(result):
    """What the lab says to what it cannot do: one line on stderr, exit status 2."""
    assert result.returncode == 2, (result.stdout, result.stderr)
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("lab: ")
    return result.stderr


@pytest.fixture
def checkpoint(tmp_path):
    """A function that copies a checkpoint and changes keys of its JSON files; a key that is to be None goes."""
    def changed(name=ONE, file="config.json", **keys):
        folder = tmp_path / name
        shutil.copytree(GOLDEN / name, folder, dirs_exist_ok=True)
        content = json.loads((folder / file).read_text()) | keys
        (folder / file).write_text(json.dumps({key: value for key, value in content.items() if value is not None}))
        return folder
    return changed


# The tokens

@pytest.mark.parametrize("name", [name for name in NUMBERS if not name.endswith("_ends")])
def test_the_tokens_are_those_of_transformers(name, lab):
    pytest.importorskip("safetensors")
    model, prompt, _, wanted = NUMBERS[name]
    result = lab("--model", GOLDEN / model, "--ids", " ".join(map(str, prompt)), "--new", len(wanted) - len(prompt))
    assert tokens_of(result) == wanted
    assert result.stderr.splitlines() == [
        f"rms_norm, attention, feed_forward, logits: reference, {NUMBER} is not solved yet",
        "attention has no parameter cache, so each step reads the whole text (--cache: one token)"]


@pytest.mark.parametrize("name", [name for name in NUMBERS if name.endswith("_7")])
def test_with_a_cache_the_tokens_are_the_same(name, lab):
    pytest.importorskip("safetensors")
    model, prompt, _, wanted = NUMBERS[name]
    result = lab("--model", GOLDEN / model, "--ids", " ".join(map(str, prompt)), "--cache", "--new", 12)
    assert tokens_of(result) == wanted
    assert result.stderr.splitlines() == [
        f"rms_norm, feed_forward: reference, {NUMBER} is not solved yet",
        "attention: the solution's variant with a cache, so each step reads one token"]


@pytest.mark.parametrize("file", ["config.json", "generation_config.json"])
def test_a_token_that_ends_the_text_is_the_last(file, lab, checkpoint):
    pytest.importorskip("safetensors")
    model, prompt, arguments, wanted = NUMBERS["float16_ends"]
    folder = checkpoint(model, file, eos_token_id=arguments["eos_token_id"])
    assert len(wanted) < len(prompt) + 12
    assert tokens_of(lab("--model", folder, "--ids", " ".join(map(str, prompt)), "--new", 12)) == wanted
    one = checkpoint(model, file, eos_token_id=arguments["eos_token_id"][0])
    assert tokens_of(lab("--model", one, "--ids", " ".join(map(str, prompt)), "--new", 12, "--cache")) == wanted


def test_a_configuration_in_the_older_form_is_read_as_well(lab, checkpoint):
    pytest.importorskip("safetensors")
    model, prompt, _, wanted = NUMBERS["float16_7"]
    folder = checkpoint(model, rope_parameters=None, rope_theta=500.0, sliding_window=8, use_sliding_window=False)
    assert tokens_of(lab("--model", folder, "--ids", " ".join(map(str, prompt)), "--new", 12)) == wanted


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_goes_on_as_the_tokenizer_decodes_it(name, lab):
    pytest.importorskip("safetensors")
    pytest.importorskip("tokenizers")
    model, _, arguments, _ = TEXTS[name]
    result = lab("--model", GOLDEN / model, arguments["text"], "--new", 12)
    assert result.returncode == 0, result.stderr
    text, _, speed = result.stdout.removesuffix("\n").rpartition("\n")
    assert text == arguments["decoded"]
    assert speed.startswith("12 tokens in ")


def test_a_tokenizer_that_pads_and_cuts_texts_does_neither_here(lab, checkpoint):
    pytest.importorskip("safetensors")
    tokenizers = pytest.importorskip("tokenizers")
    model, _, arguments, _ = next(iter(TEXTS.values()))
    folder = checkpoint(model)
    tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_truncation(2)
    tokenizer.enable_padding(length=40)
    tokenizer.save(str(folder / "tokenizer.json"))
    assert lab("--model", folder, arguments["text"], "--new", 12).stdout.startswith(arguments["decoded"] + "\n")


def test_a_character_of_several_tokens_is_printed_when_it_is_whole():
    program = ("import sys; sys.path[:0] = sys.argv[1:]\n"
               "from lab.run import write\n"
               "class Out:\n"
               "    def write(self, text):\n"
               "        if text: said.append(text)\n"
               "    def flush(self): pass\n"
               "said, sys.stdout = [], Out()\n"
               "data = ' 猫\\xff.é'.encode('utf-8').replace(b'\\xc3\\xbf', b'\\xff') + b'\\xe7'\n"
               "write((list(data[:n]) for n in range(1, len(data) + 1)), lambda t: bytes(t).decode(errors='replace'))\n"
               "sys.stderr.write(ascii(said))")
    result = subprocess.run([sys.executable, "-c", program, str(FOLDER), str(ROOT)], capture_output=True,
                            encoding="utf-8", check=True)
    assert result.stderr == ascii([" ", "猫", "\ufffd.", "é", "\ufffd", "\n"])


# Whose functions

def test_the_learners_functions_run_the_model_and_may_keep_a_cache(lab, tmp_path):
    pytest.importorskip("safetensors")
    solution, variants = (SOLUTIONS / FOLDER.name / name for name in ("model_in_numpy.py", "variants.py"))
    own = tmp_path / "mine"
    own.mkdir()
    kept = "with_a_cache = attention.with_a_cache"               # before the solution's own attention comes
    (own / "model_in_numpy.py").write_text("\n".join([
        variants.read_text(), kept, solution.read_text(), "attention = with_a_cache"]))
    result = lab("--model", GOLDEN / ONE, "--ids", IDS, "--new", 12, KATAS_WORK=str(own))
    assert tokens_of(result) == TOKENS
    assert result.stderr.splitlines() == [
        f"rms_norm, attention, feed_forward, logits: your own ({NUMBER})",
        "attention has a parameter cache, so each step reads one token"]


def test_a_wrong_cache_is_not_used_and_what_functions_print_stays_out_of_the_text(lab, tmp_path):
    pytest.importorskip("safetensors")
    solution, own = SOLUTIONS / FOLDER.name / "model_in_numpy.py", tmp_path / "mine"
    own.mkdir()
    (own / "model_in_numpy.py").write_text(
        "print('loaded')\n" + solution.read_text().replace("config, positions):", "config, positions, cache=None):"))
    result = lab("--model", GOLDEN / ONE, "--ids", IDS, "--new", 12, KATAS_WORK=str(own))
    assert tokens_of(result) == TOKENS
    assert result.stderr.splitlines() == [
        "loaded", f"rms_norm, attention, feed_forward, logits: your own ({NUMBER})",
        "attention has a parameter cache, but layer 0 gives other rows with it than without it, first row 3, which "
        "comes after rows 0 to 2. So each step reads the whole text"]


def test_a_cache_is_tried_before_it_is_used():
    program = ("import sys; sys.path[:0] = sys.argv[1:]\n"
               "from types import SimpleNamespace\n"
               "from lab.generate import attention_with_a_cache, wrong_cache\n"
               "right = attention_with_a_cache()\n"
               "class OneEntry(dict):\n"
               "    def __contains__(self, layer): return super().__contains__(0)\n"
               "    def __getitem__(self, layer): return super().__getitem__(0)\n"
               "    def __setitem__(self, layer, entry): super().__setitem__(0, entry)\n"
               "shared, first = OneEntry(), {}\n"
               "def not_by_layer(*five, cache=None): return right(*five, None if cache is None else shared)\n"
               "def forgets(*five, cache=None): return right(*five, None if cache is None else dict(first or cache))\n"
               "def raises(*five, cache=None): return right(*five) if cache is None else 1 / 0\n"
               "for attention in (right, *(lambda *given, f=f: f(*given[:5], cache=(given[5:] or [None])[0])\n"
               "                           for f in (not_by_layer, forgets, raises))):\n"
               "    print(wrong_cache(SimpleNamespace(attention=attention, logits=right)))")
    result = subprocess.run([sys.executable, "-c", program, str(FOLDER), str(ROOT)], capture_output=True,
                            encoding="utf-8", check=True)
    assert result.stdout.splitlines() == [
        "", "layer 1 gives other rows with it than without it, first row 0",
        "layer 0 gives other rows with it than without it, first row 3, which comes after rows 0 to 2",
        "with it, attention raised ZeroDivisionError: division by zero"]


# What is refused

@pytest.mark.parametrize(("arguments", "words"), [
    ([], ["--model DIR"]), (["--model", GOLDEN / ONE], ["a text", "--ids"]),
    (["--model", GOLDEN / ONE, "a", "--ids", "1"], ["not both"]),
    (["--model", GOLDEN / ONE, ""], ["empty"]), (["--model", GOLDEN / ONE, "--ids", " "], ["empty"]),
    (["--model", GOLDEN / ONE, "--ids", "1 a"], ["--ids", "'a'"]),
    (["--model", GOLDEN / ONE, "--ids", "1 -2"], ["--ids", "'-2'"]),
    (["--model", GOLDEN / ONE, "--ids", "-2"], ["--ids", "'-2'"]),
    (["--model", GOLDEN / ONE, "--ids", "1", "--new", "0"], ["--new", "1 or more", "'0'"]),
    (["--model", GOLDEN / ONE, "--ids", "1", "--new=-3"], ["--new", "'-3'"]),
    (["--model", GOLDEN / ONE, "--ids", "3 96"], ["96", "vocabulary", "95"]),
    (["--model", GOLDEN / ONE, "--ids", "1", "--fast"], ["--fast"]),
    (["--explain", GOLDEN / ONE, "--cache"], ["--explain", "--cache"]),
    (["--model", GOLDEN / ONE, "a"], ["tokenizer.json", "--ids"]),
    (["--model", GOLDEN / "nothing", "a"], ["nothing", "no such folder"]),
    (["--model", GOLDEN, "a"], ["no config.json"]), (["--model", GOLDEN / ONE / "config.json", "a"], ["is a file"]),
    (["--model", "a" * 5000, "--ids", "1"], ["too long"]),
])
def test_options_that_cannot_be_are_refused_in_one_line(arguments, words, lab):
    if "a" in arguments:
        pytest.importorskip("tokenizers")
    message = refusal(lab(*arguments))
    assert all(word in message for word in words), message


@pytest.mark.parametrize(("keys", "words"), [
    ({"architectures": ["Qwen2ForCausalLM"], "model_type": "qwen2"},
     ["Qwen2ForCausalLM", "model_type qwen2", "only LlamaForCausalLM"]),
    ({"model_type": "mistral"}, ["model_type mistral"]),
    ({"attention_bias": True}, ["attention_bias true"]), ({"mlp_bias": True}, ["mlp_bias true"]),
    ({"rope_scaling": {"type": "linear", "factor": 2.0}}, ["rotary scaling linear"]),
    ({"rope_parameters": {"rope_type": "llama3", "rope_theta": 1e4}}, ["rotary scaling llama3"]),
    ({"rope_parameters": {"a": {"rope_type": "default"}, "b": {"rope_type": "default"}}}, ["from layer to layer"]),
    ({"rope_parameters": {"rope_type": "default", "partial_rotary_factor": 0.5}}, ["partial_rotary_factor 0.5"]),
    ({"partial_rotary_factor": 0.5}, ["partial_rotary_factor 0.5"]), ({"hidden_act": "gelu"}, ["hidden_act gelu"]),
    ({"pretraining_tp": 2}, ["pretraining_tp 2"]), ({"sliding_window": 64}, ["sliding_window 64"]),
    ({"quantization_config": {"quant_method": "mxfp4", "more": "x" * 90}}, ["quantization_config", "mxfp4", "..."]),
    ({"hidden_size": None}, ["hidden_size", "null"]), ({"num_hidden_layers": "2"}, ["num_hidden_layers", "2"]),
    ({"num_key_value_heads": 3}, ["4 heads", "3 key heads"]), ({"head_dim": 7}, ["even width"]),
    ({"rms_norm_eps": "small"}, ["rms_norm_eps", "small"]), ({"rope_scaling": "long"}, ["rope_scaling"]),
    ({"rms_norm_eps": float("nan")}, ["rms_norm_eps", "NaN"]), ({"vocab_size": -5}, ["vocab_size", "-5"]),
    ({"rope_parameters": {"rope_theta": 10 ** 400}}, ["rope_theta", "1000"]),
    ({"rope_parameters": {"rope_theta": float("inf")}}, ["rope_theta", "Infinity"]),
    ({"num_hidden_layers": 10 ** 9}, ["num_hidden_layers", "from 1 to 1000", "1000000000"]),
    ({"eos_token_id": {"a": []}}, ["eos_token_id", '{"a": []}']),
    ({"model_type": "\x1b[31mred"}, ['model_type "\\u001b[31mred"']),
])
def test_what_the_kata_does_not_cover_is_refused_by_name_before_anything_is_loaded(keys, words, lab, checkpoint):
    folder = checkpoint(**keys)
    (folder / "model.safetensors").unlink()
    message = refusal(lab("--model", folder, "--ids", "1"))
    assert all(word in message for word in words), message


@pytest.mark.parametrize(("keys", "words"), [
    ({"vocab_size": 97}, ["model.embed_tokens.weight", "(96, 32)", "(97, 32)"]),
    ({"tie_word_embeddings": False}, ["lm_head.weight is missing"]),
    ({"num_hidden_layers": 3}, ["model.layers.2.input_layernorm.weight is missing"]),
])
def test_arrays_that_do_not_fit_the_configuration_are_named(keys, words, lab, checkpoint):
    pytest.importorskip("safetensors")
    message = refusal(lab("--model", checkpoint(**keys), "--ids", "1"))
    assert all(word in message for word in words), message


def test_files_that_are_missing_or_broken_are_named(lab, checkpoint):
    safetensors = pytest.importorskip("safetensors.numpy")
    folder = checkpoint()
    (folder / "model.safetensors").write_bytes(b"no arrays")
    assert "model.safetensors is not in the format safetensors" in refusal(lab("--model", folder, "--ids", "1"))
    safetensors.save_file({"model.norm.weight": np.zeros(32, dtype=np.int8)}, folder / "model.safetensors")
    assert "model.norm.weight is stored as I8; the lab reads F32" in refusal(lab("--model", folder, "--ids", "1"))
    (folder / "model.safetensors").unlink()
    assert "there is no model.safetensors" in refusal(lab("--model", folder, "--ids", "1"))
    (folder / "model.safetensors.index.json").write_text("{}")
    assert "has no weight_map" in refusal(lab("--model", folder, "--ids", "1"))
    for text in ("{", "[]", ""):
        (folder / "config.json").write_text(text)
        assert "config.json is not " in refusal(lab("--model", folder, "--ids", "1"))

    (folder / "config.json").write_text('{"a":' * 200_000)
    assert "config.json is not read: its lists or objects are nested" in refusal(lab("--model", folder, "--ids", "1"))
    (folder / "config.json").write_bytes(b" " * (2 ** 26 + 1))
    assert "config.json is not read: it has more than 67108864 bytes" in refusal(lab("--explain", folder))

    sharded = checkpoint("sharded")
    next(iter(sorted(sharded.glob("*.safetensors")))).unlink()
    assert "No such file" in refusal(lab("--model", sharded, "--ids", "1"))
    index = sharded / "model.safetensors.index.json"
    places = json.loads(index.read_text())["weight_map"]
    index.write_text(json.dumps({"weight_map": {key: file for key, file in places.items() if "00001" not in file}}))
    assert "is missing" in refusal(lab("--model", sharded, "--ids", "1"))


@pytest.mark.parametrize("name", ["../sharded/{}", "{folder}/{}", "..\\{}", ".", "", "a\0.safetensors", "config.json"])
def test_an_index_leads_to_no_file_outside_the_folder(name, lab, checkpoint):
    pytest.importorskip("safetensors")
    folder = checkpoint("sharded")
    index = folder / "model.safetensors.index.json"
    places = json.loads(index.read_text())["weight_map"]
    array, file = next(iter(places.items()))
    index.write_text(json.dumps({"weight_map": places | {array: name.format(file, folder=folder)}}))
    assert "which is no *.safetensors in its folder" in refusal(lab("--model", folder, "--ids", "1"))


def test_files_may_be_links_as_in_the_cache_of_the_hub(lab, tmp_path):
    pytest.importorskip("safetensors")
    model, prompt, _, wanted = NUMBERS["sharded_7"]
    folder = tmp_path / "snapshots" / "abc"
    folder.mkdir(parents=True)
    for file in (GOLDEN / model).iterdir():
        try:
            (folder / file.name).symlink_to(file)
        except OSError:
            pytest.skip("this system has no links")
    assert tokens_of(lab("--model", folder, "--ids", " ".join(map(str, prompt)), "--new", 12)) == wanted


@pytest.mark.parametrize(("package", "arguments"), [
    ("safetensors", ["--model", GOLDEN / "text", "--ids", "1"]), ("tokenizers", ["--model", GOLDEN / "text", "a"]),
    ("huggingface_hub", ["--model", "someone/a-model", "--ids", "1"])])
def test_a_missing_package_is_named_with_the_command_that_installs_it(package, arguments, lab, tmp_path):
    (tmp_path / f"{package}.py").write_text("raise ImportError('not here')")
    message = refusal(lab(*arguments, PYTHONPATH=str(tmp_path)))
    assert message.endswith(f"needs {package}, which is not installed: pip install {package}\n")


def test_without_a_network_a_name_says_what_to_do(lab, tmp_path):
    pytest.importorskip("huggingface_hub")
    message = refusal(lab("--model", "HuggingFaceTB/SmolLM2-135M", "Once"))
    assert "another machine" in message
    assert "--model DIR" in message
    (tmp_path / "HuggingFaceTB" / "SmolLM2-135M").mkdir(parents=True)
    assert "no config.json" in refusal(lab("--model", "HuggingFaceTB/SmolLM2-135M", "Once"))      # a folder wins


def test_a_function_that_fails_is_said_in_one_line(tmp_path):
    """Its suite may pass all the same."""
    pytest.importorskip("safetensors")
    program = ("import sys; sys.path[:0] = sys.argv[1:3]\n"
               "import lab.generate\n"
               "from lab.run import main\n"
               "load = lab.generate.load\n"
               "def too_deep(*arguments): raise ValueError('too\\ndeep')\n"
               "def broken(sources):\n"
               "    functions = load(sources)\n"
               "    functions.logits.__globals__['feed_forward'] = too_deep\n"
               "    return functions\n"
               "lab.generate.load = broken\n"
               "sys.exit(main(sys.argv[3:]))")
    result = subprocess.run([sys.executable, "-c", program, FOLDER, ROOT, "--model", GOLDEN / ONE, "--ids", "1"],
                            capture_output=True, encoding="utf-8", cwd=ROOT,
                            env={**os.environ, "KATAS_WORK": str(tmp_path)})
    solution = SOLUTIONS / FOLDER.name / "model_in_numpy.py"
    called = solution.read_text().splitlines().index(
        "        x = x + feed_forward(normed, weights, layer)                            # (n, d)") + 1
    assert result.returncode == 2
    assert result.stderr.splitlines()[-1] == (
        f"lab: a function raised ValueError in line {called} of {solution.relative_to(ROOT).as_posix()}: too deep")


# What a configuration says about positions

CONFIGS = json.loads((GOLDEN / "configs.json").read_text(encoding="utf-8"))
LINES = {
    "Llama 3.1 8B": [
        "head width 128 61", "rotary width 128, all columns 62", "base 500000 61",
        "scaling llama3: factor 8, low_freq_factor 1, high_freq_factor 4, 73", "original_max_position_embeddings 8192",
        "attention factor 1 72, 75", "frequencies 64 pairs: 29 kept, 6 blended, 29 divided by 8 73, 75",
        "length 131072 (max_position_embeddings) 71", "before scaling 8192 (original_max_position_embeddings) 71",
        "heads 32; key heads: 8, each read by 4 11, 63", "layers all alike, as far as this file says 76",
        "The lab cannot run this model: the rotary scaling llama3 is not covered by kata", "94."],
    "Qwen2.5 7B with YaRN": [
        "base 1000000 61", "scaling yarn: factor 4, original_max_position_embeddings 32768 72",
        "attention factor 1.13863 72, 75", "frequencies 64 pairs: 24 kept, 16 blended, 24 divided by 4 72, 75",
        "heads 28; key heads: 4, each read by 7 11, 63",
        "window 131072 tokens, but switched off (use_sliding_window) 76"],
    "Gemma 3 12B": [
        "model type gemma3_text (Gemma3ForConditionalGeneration) 94", "head width 256 61",
        "base 1000000 (full_attention) 61", "base 10000 (sliding_attention) 61",
        "scaling linear: factor 8 (full_attention) 71", "scaling default (sliding_attention) 61",
        "frequencies 128 pairs: 0 kept, 0 blended, 128 divided by 8 71, 75", "(full_attention)",
        "frequencies 128 pairs: 128 kept, 0 blended, 0 divided 61, 75", "(sliding_attention)",
        "layers 40 sliding, 8 full: every 6th sees the whole text 76", "window 1024 tokens in the sliding layers 76"],
    "gpt-oss 20b": [
        "head width 64 61", "scaling yarn: beta_fast 32, beta_slow 1, factor 32, 72",
        "original_max_position_embeddings 4096, truncate false",
        "attention factor 1.34657 72, 75", "frequencies 32 pairs: 9 kept, 9 blended, 14 divided by 32 72, 75",
        "layers 12 sliding_attention, 12 full_attention 76", "window 128 tokens in the sliding layers 76"],
    "Llama 4 Scout": [
        "head width 128 61", "frequencies 64 pairs: 29 kept, 6 blended, 29 divided by 8 73, 75",
        "heads 40; key heads: 8, each read by 5 11, 63", "chunks 8192 tokens, in the layers that turn 76",
        "without rotation 12 of 48 layers: every 4th (no_rope_layers is empty) 76",
        "query scale floor_scale 8192, attn_scale 0.1, in the layers that do not 76", "turn"],
    "DeepSeek-V2-Lite": [
        "head width 64 that turn, beside 128 that do not 66", "attention factor 1 72, 75",
        "frequencies 32 pairs: 11 kept, 12 blended, 9 divided by 40 72, 75",
        "latent keys and values come out of 512 numbers 66"],
    "Phi-3 mini 128k": [
        "scaling longrope: long_factor (48 numbers), short_factor (48 74", "frequencies not computed here 74",
        "before scaling 4096 (original_max_position_embeddings) 71", "Kata 75 does not cover this configuration."],
    "Qwen2-VL 7B": ["scaling default 61", "sections 16, 24, 24 pairs turn by time, row and column 84"],
    "GPT-NeoX": ["rotary width 16 of 64 columns 65", "base 10000 61", "heads 12; key heads: 12 11, 63"],
}


def written(folder, config):
    folder.mkdir(exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return folder


@pytest.mark.parametrize("model", LINES)
def test_a_configuration_is_explained(model, lab, tmp_path):
    result = lab("--explain", written(tmp_path / "model", CONFIGS[model]))
    assert result.returncode == 0, result.stderr
    assert max(map(len, result.stdout.splitlines())) < 90
    lines = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert [line for line in lines if line in LINES[model]] == LINES[model]
    assert "packed texts not in this file: positions and mask come with each batch 67" in lines


def test_the_form_of_newer_files_says_the_same(lab, tmp_path):
    said = []
    for rope in ({"rope_theta": 5e5, "rope_scaling": {"type": "linear", "factor": 4.0}},
                 {"rope_parameters": {"rope_theta": 5e5, "rope_type": "linear", "factor": 4.0}}):
        config = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4, "max_position_embeddings": 99}
        said.append(lab("--explain", written(tmp_path / "model", config | rope)).stdout)
    assert said[0] == said[1] != ""
    nested = {kind: {"rope_type": "default", "rope_theta": base}
              for kind, base in (("full_attention", 7e5), ("sliding_attention", 3e3))}
    out = lab("--explain", written(tmp_path / "model", config | {"rope_parameters": nested})).stdout
    assert re.search(r"base +700000 \(full_attention\).*\nbase +3000 \(sliding_attention\)", out)


def test_a_configuration_that_lacks_numbers_says_so(lab, tmp_path):
    result = lab("--explain", written(tmp_path / "model", {"model_type": "gemma3_text", "sliding_window": 1024}))
    assert result.returncode == 0
    assert re.search(r"^head width +not in this file", result.stdout, re.MULTILINE)
    assert "1024 tokens; this file does not say in which layers" in result.stdout
    config = {"hidden_size": 64, "num_attention_heads": 4, "max_position_embeddings": 99}
    half = config | {"rope_scaling": {"rope_type": "yarn"}}
    assert "'factor' is missing" in refusal(lab("--explain", written(tmp_path / "model", half)))
    for odd in ({"rope_theta": "10000"}, {"hidden_size": "64"}, {"rope_scaling": 3}, {"head_dim": 10 ** 9},
                {"rope_theta": -1.0}, {"partial_rotary_factor": 3}, {"num_key_value_heads": 0},
                {"rope_scaling": {"rope_type": "yarn", "factor": -2.0}}):
        message = refusal(lab("--explain", written(tmp_path / "model", {"model_type": "llama"} | config | odd)))
        assert message.startswith("lab: config.json: ")


# How positions enter models that do not turn, and models whose files leave much to the library
OTHERS = {
    "GPT-2": (
        {"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "n_embd": 768, "n_head": 12, "n_layer": 12,
         "n_positions": 1024, "n_ctx": 1024},
        ["positions no rotation, but a learned table, one row per position, 31", "length 1024 (n_positions)",
         "heads 12; key heads: 12 11"]),
    "BERT": (
        {"model_type": "bert", "hidden_size": 768, "max_position_embeddings": 512, "num_attention_heads": 12,
         "position_embedding_type": "absolute"},
        ["positions no rotation, but a learned table, one row per position, 31",
         "added to the tokens (position_embedding_type absolute)", "length 512 (max_position_embeddings)"]),
    "T5": (
        {"model_type": "t5", "d_kv": 64, "d_model": 512, "num_heads": 8, "relative_attention_num_buckets": 32},
        ["positions no rotation, but 32 buckets of distances, with a learned 52", "length not in this file",
         "heads 8; key heads: 8 11"]),
    "Bloom": (
        {"model_type": "bloom", "n_embed": 64, "num_attention_heads": 16, "seq_length": 2048},
        ["positions no rotation, but ALiBi: each head subtracts a multiple of 51", "length 2048 (seq_length)"]),
    "MPT": (
        {"model_type": "mpt", "attn_config": {"alibi": True}, "n_heads": 32, "learned_pos_emb": True},
        ["positions no rotation, but ALiBi: each head subtracts a multiple of 51", "the distance (alibi true)"]),
    "Mamba": (
        {"model_type": "mamba", "hidden_size": 768},
        ["positions this file has no rotary keys, and the lab does not know how"]),
    "Falcon 7B": (
        {"model_type": "falcon", "alibi": False, "hidden_size": 4544, "multi_query": True, "num_attention_heads": 71},
        ["head width 64 61", "base not in this file: 10000, the library's default 61",
         "heads 71; key heads: 1, each read by 71 11, 63"]),
    "GPT-J": (
        {"model_type": "gptj", "n_embd": 4096, "n_head": 16, "n_positions": 2048, "rotary_dim": 64},
        ["rotary width 64 of 256 columns 65", "frequencies 32 pairs: 32 kept, 0 blended, 0 divided 61, 75"]),
    "Gemma 3 4B": (
        {"model_type": "gemma3", "text_config": {
            "model_type": "gemma3_text", "hidden_size": 2560, "num_hidden_layers": 34, "sliding_window": 1024,
            "rope_scaling": {"factor": 8.0, "rope_type": "linear"}}},
        ["head width not in this file 61", "base not in this file: the library has a default for this model 61",
         "scaling linear: factor 8 (full_attention) 71", "scaling default (sliding_attention) 61"]),
}


@pytest.mark.parametrize("model", OTHERS)
def test_a_table_claims_no_rotation_and_no_number_that_the_file_does_not_have(model, lab, tmp_path):
    config, wanted = OTHERS[model]
    result = lab("--explain", written(tmp_path / "model", config))
    assert result.returncode == 0, result.stderr
    lines = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert [line for line in lines if line in wanted] == wanted
    turns = [line for line in lines if line.startswith(("base ", "rotary width ", "scaling ", "frequencies "))]
    assert not (turns and any(line.startswith("positions ") for line in lines))


def test_a_llama_scaling_without_a_blend_is_explained_without_a_warning(lab, tmp_path):
    """Its two limits are equal, as in the released file of Llama 4 Scout Instruct."""
    scaling = {"rope_type": "llama3", "factor": 16.0, "low_freq_factor": 1.0, "high_freq_factor": 1.0,
               "original_max_position_embeddings": 8192}
    result = lab("--explain", written(tmp_path / "model", CONFIGS["Llama 3.1 8B"] | {"rope_scaling": scaling}))
    assert (result.returncode, result.stderr) == (0, "")
    assert "64 pairs: 35 kept, 0 blended, 29 divided by 16" in result.stdout


def test_explaining_says_whether_the_learners_functions_read_the_model_alike(lab, tmp_path):
    folder = written(tmp_path / "model", CONFIGS["gpt-oss 20b"])
    assert "Kata 75 is not solved yet, so your rope_from_config was not asked.\n" in lab("--explain", folder).stdout
    (solution,) = SOLUTIONS.glob("??_rope_from_config/rope_from_config.py")
    own = tmp_path / "rope_from_config.py"
    for more, wanted in (
            ("", "With these keys in the form of kata 75, your rope_from_config gives what the solution gives.\n"),
            ("\nright = attention_factor\n\n\ndef attention_factor(config):\n"
             "    return right(config) + ('layer_types' in config)\n",
             "Your rope_from_config differs: attention_factor gives other numbers for this configuration.\n")):
        own.write_text(solution.read_text() + "\n# written by a learner\n" + more)
        result = lab("--explain", folder, KATAS_WORK=str(tmp_path))
        assert result.stdout.endswith(wanted), result.stdout


# The command line

def test_help_names_every_option(lab):
    out = lab("--help").stdout
    for option in ("--model", "--ids", "--new", "--cache", "--explain"):
        assert option in out

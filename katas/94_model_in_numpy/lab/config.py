"""What config.json says, in the form of the katas 75 and 94; and what kata 94 does not cover."""
import json
import sys

from lab.folder import Refused

ELSEWHERE = {"rope_theta": "rotary_emb_base", "partial_rotary_factor": "rotary_pct"}    # how older files call them
SIZES = ("vocab_size", "hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads")
MORE_SIZES = ("num_key_value_heads", "head_dim")
TWO_BASES = ("gemma3_text",)                     # of which files may lack both bases
AT_10000 = "llama", "falcon", "gptj", "gpt_neox"  # the library's default base; other types have other ones
MOST = {"num_hidden_layers": 1000}               # of a size; each layer has nine names to look for
MOST_OTHERWISE = 10 ** 7
UNCOVERED = {                                    # key -> whether its value is more than the kata covers
    "attention_bias": bool, "mlp_bias": bool, "quantization_config": lambda value: True,
    "hidden_act": lambda value: value != "silu", "pretraining_tp": lambda value: value != 1,
    "partial_rotary_factor": lambda value: value != 1, "sliding_window": lambda value: True}


def kinds(config):
    """{kind of layer: configuration in the form of kata 75}; the kind is "" if all layers turn alike.

    Newer files have all of it in `rope_parameters`, older ones have `rope_theta`, `rope_scaling` and others.
    """
    rope = config.get("rope_scaling") or config.get("rope_parameters") or {}
    if not isinstance(rope, dict):
        raise Refused("config.json: rope_scaling is not a JSON object")
    nested = {kind: part for kind, part in rope.items() if isinstance(part, dict)}
    if nested:                                                                   # Gemma 3 in newer files
        return {kind: in_one_form(config, part) for kind, part in nested.items()}
    local_base = config.get("rope_local_base_freq")
    if local_base is None and config.get("model_type") not in TWO_BASES:
        return {"": in_one_form(config, rope)}
    local = {**config, "rope_theta": local_base}                                 # in older ones
    return {"full_attention": in_one_form(config, rope), "sliding_attention": in_one_form(local, {})}


def in_one_form(config, rope):
    """A copy without `rope_parameters` and without None; `rope_scaling` is there if it is more than "default"."""
    rope = {key: value for key, value in rope.items() if value is not None}
    found = {key: value for key, value in config.items()
             if value is not None and key not in ("rope_scaling", "rope_parameters")}
    for key, older in ELSEWHERE.items():
        values = [value for value in (rope.pop(key, None), config.get(key), config.get(older)) if value is not None]
        if values:
            found[key] = values[0]
    older = rope.pop("type", "default")
    rope_type = rope.pop("rope_type", older)
    rope_type = "default" if rope_type == "mrope" else rope_type                 # Qwen2-VL; the frequencies are those
    if rope_type != "default" or "mrope_section" in rope:
        found["rope_scaling"] = {"rope_type": rope_type, **rope}
        if "original_max_position_embeddings" in config:                         # Phi-3 has it there
            found["rope_scaling"]["original_max_position_embeddings"] = config["original_max_position_embeddings"]
    return found


def covered(config):
    """The configuration in the form of kata 94. It is refused, by name, if the kata does not cover it."""
    model_type, architectures = config.get("model_type"), config.get("architectures") or []
    if model_type != "llama" or architectures not in ([], ["LlamaForCausalLM"]):
        name = architectures[0] if isinstance(architectures, list) and architectures else architectures
        name = f"the architecture {shown(name)} (model_type {shown(model_type)})" if name else (
            f"the model_type {shown(model_type)}")
        raise Refused(f"{name} is not covered by kata 94, only LlamaForCausalLM (model_type llama)")
    by_kind = kinds(config)
    if len(by_kind) > 1:
        raise Refused("a rotation that differs from layer to layer is not covered by kata 94")
    config = by_kind[""]
    scaling = config.pop("rope_scaling", None)
    if scaling is not None:
        raise Refused(f"the rotary scaling {shown(scaling['rope_type'])} is not covered by kata 94")
    for key, uncovered in UNCOVERED.items():
        if key in config and uncovered(config[key]) and not (
                key == "sliding_window" and config.get("use_sliding_window") is False):
            raise Refused(f"{key} {shown(config[key])} is not covered by kata 94")
    check_numbers(config)
    return {"rms_norm_eps": 1e-6, **config}                                      # the library's default


def check_numbers(config):
    """Refuse sizes that are missing, are no sizes, or do not fit each other."""
    for key in (*SIZES, *(key for key in MORE_SIZES if key in config)):
        check_size(key, config.get(key))
    for key in ("rms_norm_eps", "rope_theta"):
        if key in config:
            check_positive(key, config[key])
    heads, key_heads = config["num_attention_heads"], key_heads_of(config)
    if heads % key_heads:
        raise Refused(f"config.json: {heads} heads cannot share {key_heads} key heads")
    if ("head_dim" not in config and config["hidden_size"] % heads) or head_width(config) % 2:
        raise Refused(f"config.json: hidden_size {config['hidden_size']} cannot be split into {heads} heads of even "
                      "width")


def check_size(key, value):
    most = MOST.get(key, MOST_OTHERWISE)
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
        raise Refused(f"config.json: expected {key} to be a whole number from 1 to {most}, got {shown(value)}")


def check_positive(key, value):
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 < value <= sys.float_info.max:
        raise Refused(f"config.json: expected {key} to be a number above 0, got {shown(value)}")


def base_of(config):
    """The base of the frequencies; None if the file has none and the default is not known here."""
    return config.get("rope_theta", 10000.0 if config.get("model_type") in AT_10000 else None)


def key_heads_of(config):
    return config.get("num_key_value_heads", config["num_attention_heads"])


def head_width(config):
    return config.get("head_dim", config["hidden_size"] // config["num_attention_heads"])


def end_tokens(config, generation):
    """The tokens that end a text; what generation_config.json says comes first."""
    found = generation.get("eos_token_id")
    if found is None:
        found = config.get("eos_token_id", 2)    # the library's default
    found = found if isinstance(found, list) else [found]
    if not all(token is None or isinstance(token, int) for token in found):
        raise Refused(f"expected eos_token_id to be a token number or a list of them, got {shown(found)}")
    return set(found)


def shown(value):
    """A value of a JSON file in a message, shortened."""
    text = value if isinstance(value, str) and value.isprintable() else json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."

"""What config.json says, in the form of the katas 75 and 94; and what kata 94 does not cover."""
import json

from lab.folder import Refused

ELSEWHERE = {"rope_theta": "rotary_emb_base", "partial_rotary_factor": "rotary_pct"}    # how older files call them
SIZES = ("vocab_size", "hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads")
MORE_SIZES = ("num_key_value_heads", "head_dim")
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
    if config.get("rope_local_base_freq") is None:
        return {"": in_one_form(config, rope)}
    local = {**config, "rope_theta": config["rope_local_base_freq"]}             # in older ones
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
        name = architectures[0] if architectures and isinstance(architectures, list) else "without a name"
        raise Refused(f"the architecture {shown(name)} (model_type {shown(model_type)}) is not covered by kata 94, "
                      "only LlamaForCausalLM (model_type llama)")
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
        value = config.get(key)
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise Refused(f"config.json: expected {key} to be a whole number, 1 or more, got {shown(value)}")
    for key in ("rms_norm_eps", "rope_theta"):
        if key in config and not (isinstance(config[key], int | float) and config[key] > 0):
            raise Refused(f"config.json: expected {key} to be a number above 0, got {shown(config[key])}")
    heads, key_heads = config["num_attention_heads"], key_heads_of(config)
    if heads % key_heads:
        raise Refused(f"config.json: {heads} heads cannot share {key_heads} key heads")
    if ("head_dim" not in config and config["hidden_size"] % heads) or head_width(config) % 2:
        raise Refused(f"config.json: hidden_size {config['hidden_size']} cannot be split into {heads} heads of even "
                      "width")


def key_heads_of(config):
    return config.get("num_key_value_heads", config["num_attention_heads"])


def head_width(config):
    return config.get("head_dim", config["hidden_size"] // config["num_attention_heads"])


def end_tokens(config, generation):
    """The tokens that end a text; what generation_config.json says comes first."""
    found = generation.get("eos_token_id")
    if found is None:
        found = config.get("eos_token_id", 2)    # the library's default
    return set(found if isinstance(found, list) else [found])


def shown(value):
    """A value of a JSON file in a message, shortened."""
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."

"""The sizes that the table of --explain shows, in files of many kinds of models."""
from lab.config import MORE_SIZES, SIZES, check_positive, check_size, shown
from lab.folder import Refused

MISSING = "not in this file"
OTHER_NAMES = {                                  # of keys, in files of models that are not built like Llama
    "hidden_size": ("n_embd", "d_model"), "num_attention_heads": ("n_head", "n_heads", "num_heads"),
    "num_key_value_heads": ("num_kv_heads", "n_head_kv", "multi_query_group_num"),
    "num_hidden_layers": ("n_layer", "n_layers", "num_layers"), "head_dim": ("d_kv",),
    "max_position_embeddings": ("n_positions", "max_seq_len", "seq_length", "n_ctx")}


def named(config):
    """A copy in which keys have the names that they have in most files."""
    copied = dict(config)
    for key, others in OTHER_NAMES.items():
        values = [config[name] for name in (key, *others) if config.get(name) is not None]
        if values:
            copied[key] = values[0]
    if config.get("multi_query") is True and config.get("new_decoder_architecture") is not True:     # Falcon
        copied["num_key_value_heads"] = 1
    return copied


def checked(form):
    """A form of kata 75 with the width of a head; it is refused if a size is none."""
    for key in (*SIZES, *MORE_SIZES, "qk_rope_head_dim", "rotary_dim"):
        if key in form:
            check_size(key, form[key])
    if "rope_theta" in form:
        check_positive("rope_theta", form["rope_theta"])
    if "factor" in form.get("rope_scaling", {}):
        check_positive("factor", form["rope_scaling"]["factor"])
    form["head_dim"] = form.get("qk_rope_head_dim") or head_width(form)
    if "rotary_dim" in form and form["head_dim"] is not None:                    # GPT-J
        form["partial_rotary_factor"] = form["rotary_dim"] / form["head_dim"]
    if not 0 < form.get("partial_rotary_factor", 1) <= 1:
        raise Refused("config.json: expected the rotary width to be above 0 and at most the head width")
    return form


def length(config):
    """The length, and the key that says it."""
    names = ("max_position_embeddings", *OTHER_NAMES["max_position_embeddings"])
    known = [f"{shown(config[name])} ({name})" for name in names if config.get(name) is not None]
    return known[0] if known else MISSING


def head_width(form):
    if "head_dim" in form:
        return form["head_dim"]
    known = "hidden_size" in form and "num_attention_heads" in form
    return form["hidden_size"] // form["num_attention_heads"] if known else None


def heads(form):
    if "num_attention_heads" not in form:
        return MISSING
    queries = form["num_attention_heads"]
    keys = form.get("num_key_value_heads", queries)
    return f"{queries}; key heads: {keys}" + (f", each read by {queries // keys}" if keys < queries else "")

"""The arrays of a checkpoint, in float32."""
import re

import numpy as np

from lab.config import head_width, key_heads_of, shown
from lab.folder import Refused, package, read_json


def from_bfloat16(data):
    """NumPy has no bfloat16. Its bits are the first half of those of the float32 with the same value."""
    return (np.frombuffer(data, "<u2").astype("<u4") << 16).view("<f4")


READ = {
    "F32": lambda data: np.frombuffer(data, "<f4"),
    "F16": lambda data: np.frombuffer(data, "<f2").astype("<f4"),
    "BF16": from_bfloat16}


def shapes(config):
    """{name: shape} of the arrays that the kata uses."""
    d, hidden, width = config["hidden_size"], config["intermediate_size"], head_width(config)
    queries, keys = config["num_attention_heads"] * width, key_heads_of(config) * width
    found = {"model.embed_tokens.weight": (config["vocab_size"], d), "model.norm.weight": (d,)}
    for layer in range(config["num_hidden_layers"]):
        found |= {f"model.layers.{layer}.{name}.weight": shape for name, shape in {
            "input_layernorm": (d,), "post_attention_layernorm": (d,),
            "self_attn.q_proj": (queries, d), "self_attn.k_proj": (keys, d), "self_attn.v_proj": (keys, d),
            "self_attn.o_proj": (d, queries),
            "mlp.gate_proj": (hidden, d), "mlp.up_proj": (hidden, d), "mlp.down_proj": (d, hidden)}.items()}
    if not config.get("tie_word_embeddings", False):
        found["lm_head.weight"] = config["vocab_size"], d
    return found


def files_of(folder, wanted):
    """The files that have these arrays: one, or several that an index names."""
    if (folder / "model.safetensors").is_file():
        return [folder / "model.safetensors"]
    index = folder / "model.safetensors.index.json"
    if not index.is_file():
        raise Refused(f"{folder}: there is no model.safetensors, and no {index.name}")
    places = read_json(index).get("weight_map")
    if not isinstance(places, dict) or not all(isinstance(name, str) for name in places.values()):
        raise Refused(f"{index} has no weight_map of names and files")
    for name in places.values():                 # nothing outside the folder is read
        if not re.fullmatch(r"[\w.-]+\.safetensors", name):
            raise Refused(f"{index} names the file {shown(name)}, which is no *.safetensors in its folder")
    return [folder / name for name in dict.fromkeys(places[key] for key in wanted if key in places)]


def read_weights(folder, config):
    """{name: float32 array} of all that the kata uses."""
    wanted = shapes(config)
    safetensors = package("safetensors", "reading model.safetensors")
    weights = {}
    for file in files_of(folder, wanted):
        try:
            arrays = safetensors.deserialize(file.read_bytes())
        except OSError as error:
            raise Refused(f"{file}: {error.strerror}") from None
        except safetensors.SafetensorError as error:
            raise Refused(f"{file} is not in the format safetensors: {error}") from None
        while arrays:                            # each is freed when it is read: models are large
            name, array = arrays.pop()
            if name in wanted:
                weights[name] = as_float32(name, wanted[name], **array)
    for name in wanted:
        if name not in weights:
            raise Refused(f"{folder}: the array {name} is missing")
    return weights


def as_float32(name, wanted, dtype, shape, data):
    if tuple(shape) != wanted:
        raise Refused(f"the array {name} has the shape {tuple(shape)}, and config.json asks for {wanted}")
    if dtype not in READ:
        raise Refused(f"the array {name} is stored as {dtype}; the lab reads {', '.join(READ)}")
    return READ[dtype](data).reshape(wanted)

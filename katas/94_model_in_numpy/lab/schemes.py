"""How positions enter a model that does not turn queries and keys, as far as its config.json says."""
from lab.config import shown

# One of these keys in a file says that the model turns; the files of these types may have none of them
ROTARY_KEYS = ("rope_theta", "rope_scaling", "rope_parameters", "rope_local_base_freq", "rope_ratio", "rotary_emb_base",
               "rotary_pct", "rotary_dim", "rotary_emb_fraction", "partial_rotary_factor", "qk_rope_head_dim",
               "no_rope_layers")
ROTARY_TYPES = "llama", "falcon", "gemma3_text"
LEARNED_TYPES = ("gpt2", "gpt_neo", "gpt_bigcode", "openai-gpt", "opt", "bert", "roberta", "xlm-roberta", "distilbert",
                 "electra", "albert")

ALIBI = "ALiBi: each head subtracts a multiple of the distance", ("alibi_bias",)
LEARNED = "a learned table, one row per position, added to the tokens", ("learned_table",)
DISTANCES = "learned vectors, one per distance", ("shaw_attention",)
BY_NAME = {"alibi": ALIBI, "relative_key": DISTANCES, "relative_key_query": DISTANCES}


def without_rotation(config):
    """What the file says in place of a rotation, and ids of katas; None if the model turns."""
    name, nested = config.get("position_embedding_type"), config.get("attn_config")
    nested = nested if isinstance(nested, dict) else {}                          # of MPT
    model_type = config.get("model_type")
    if config.get("alibi") is True or nested.get("alibi") is True:
        return said(ALIBI, "alibi true")
    if isinstance(name, str) and name in BY_NAME:
        return said(BY_NAME[name], f"position_embedding_type {name}")
    if config.get("relative_attention_num_buckets") is not None:
        buckets = f"{shown(config['relative_attention_num_buckets'])} buckets of distances, with a learned number each"
        return said((buckets, ("t5_buckets",)), "relative_attention_num_buckets")
    if model_type in ROTARY_TYPES or name == "rotary" or any(key in config for key in ROTARY_KEYS):
        return None
    if model_type == "bloom":
        return said(ALIBI, "as in every model of this type")
    if name == "absolute":
        return said(LEARNED, "position_embedding_type absolute")
    if nested.get("rope") is not True and config.get("learned_pos_emb") is True:
        return said(LEARNED, "learned_pos_emb true")
    if model_type in LEARNED_TYPES:
        return said(LEARNED, "as in every model of this type")
    return "this file has no rotary keys, and the lab does not know how positions enter this model", ()


def said(scheme, where):
    text, katas = scheme
    return f"no rotation, but {text} ({where})", katas

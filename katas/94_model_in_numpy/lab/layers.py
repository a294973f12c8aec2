"""Rows about the layers of a model that differ from each other."""
from collections import Counter

KATA = ("layers_differ",)


def layer_rows(config):
    """Rows of what, its value, and the ids of the katas; one row says so if all layers are alike."""
    return [(name, value, KATA) for name, value in found(config)] or [
        ("layers", "all alike, as far as this file says", KATA)]


def found(config):
    layers, window = config.get("num_hidden_layers"), config.get("sliding_window")
    types = config.get("layer_types")
    period = config.get("sliding_window_pattern", config.get("_sliding_window_pattern"))
    slides = bool(window) and config.get("use_sliding_window") is not False
    if types:
        yield "layers", ", ".join(f"{count} {kind}" for kind, count in Counter(types).items())
    elif slides and isinstance(period, int) and layers:
        full = layers // period
        yield "layers", f"{layers - full} sliding, {full} full: every {period}th sees the whole text"
    if slides:
        where = " in the sliding layers" if types or period else "; this file does not say in which layers"
        if not types and "max_window_layers" in config:
            where = f" in the layers from number {config['max_window_layers']} on"
        yield "window", f"{window} tokens{where}"
    elif window:
        yield "window", f"{window} tokens, but switched off (use_sliding_window)"
    if chunk := config.get("attention_chunk_size"):
        yield "chunks", f"{chunk} tokens, in the layers that turn"
    if "no_rope_layers" in config or "no_rope_layer_interval" in config:
        interval = config.get("no_rope_layer_interval", 4)
        yield "without rotation", unturned(config.get("no_rope_layers"), interval, layers)
    if config.get("attn_temperature_tuning"):
        yield "query scale", (f"floor_scale {config.get('floor_scale', 8192)}, attn_scale "
                              f"{config.get('attn_scale', 0.1)}, in the layers that do not turn")


def unturned(listed, interval, layers):
    """In the list, 1 stands for a layer that turns, and 0 for one that does not."""
    if listed:
        return f"{listed.count(0)} of {len(listed)} layers (the zeros of no_rope_layers)"
    count = f"{layers // interval} of {layers} layers: " if layers else ""
    return f"{count}every {interval}th (no_rope_layers is empty)"

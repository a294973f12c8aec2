"""What a config.json says about positions, as a table, and which kata teaches each line."""
import textwrap
from copy import deepcopy

import numpy as np

from grader.calling.loading import load_module
from grader.course.katas import all_katas
from grader.course.own_functions import choose, load

from lab.config import base_of, covered, kinds, shown
from lab.folder import Refused
from lab.layers import found, layer_rows
from lab.schemes import without_rotation
from lab.sizes import MISSING, checked, heads, length, named

SHOWN_ELSEWHERE = "rope_type", "mrope_section", "mrope_interleaved"
READERS = dict.fromkeys(("inverse_frequencies", "attention_factor"), "rope_from_config")
COMPUTED = "default", "linear", "llama3", "yarn"                 # by kata 75
TAUGHT = {"default": "rope_rotation", "linear": "position_interpolation", "dynamic": "position_interpolation",
          "yarn": "yarn", "llama3": "llama3_scaling", "longrope": "longrope", "su": "longrope",
          "proportional": "partial_rope"}
PACKED = "packed texts", "not in this file: positions and mask come with each batch", ("packed_sequences",)
WIDTHS = 18, 61                                  # of the first two columns


def explain(config):
    """The lines of the table, and one about the learner's functions of kata 75."""
    if isinstance(config.get("text_config"), dict):              # of a model that also reads images
        config = {**config, **config["text_config"]}
    (kata,) = (kata for kata in all_katas() if kata.name == READERS["attention_factor"])
    reference = load_module(kata.solution)
    try:
        unturned = without_rotation(config)
        forms = {} if unturned else {kind: checked(form) for kind, form in kinds(named(config)).items()}
        computed = [form for form in forms.values() if is_computed(form)]
        with np.errstate(all="ignore"):          # of numbers that make no sense; fates() refuses them
            rows = unturned_rows(config, unturned) if unturned else rows_of(config, forms, reference)
            return [*table([("", "", ("kata",)), *rows]), "", *textwrap.wrap(runs(config), sum(WIDTHS)),
                    verdict(computed, reference, kata.number)]
    except KeyError as error:
        raise Refused(f"config.json: the key {error} is missing in rope_scaling") from None
    except (ArithmeticError, AttributeError, TypeError, ValueError) as error:
        raise Refused(f"config.json: a value cannot be read: {error}") from None


def unturned_rows(config, positions):
    """Rows about a model that does not turn queries and keys."""
    yield model_row(config)
    yield "positions", *positions
    yield "length", length(config), ()
    yield "heads", heads(named(config)), ("order_blindness",)
    if any(found(config)):
        yield from layer_rows(config)
    yield PACKED


def model_row(config):
    architectures = config.get("architectures") or "no architecture in this file"
    listed = architectures if isinstance(architectures, list) else [architectures]
    return "model type", f"{shown(config.get('model_type'))} ({', '.join(map(shown, listed))})", ("model_in_numpy",)


def rows_of(config, forms, reference):
    """Rows of what, its value, and the ids of the katas."""
    yield model_row(config)
    by_name = {}
    for kind, form in forms.items():
        for name, value, katas in rotation(form, reference):
            by_name.setdefault(name, {})[kind] = value, katas
    for name, by_kind in by_name.items():
        if len(by_kind) == len(forms) and len(set(by_kind.values())) == 1:
            yield name, *next(iter(by_kind.values()))
        else:
            yield from ((name, f"{value} ({kind})", katas) for kind, (value, katas) in by_kind.items())
    form = next(iter(forms.values()))
    scaling = form.get("rope_scaling", {})
    yield "length", length(config), ("position_interpolation",)
    original = scaling.get("original_max_position_embeddings")
    if original or scaling.get("rope_type") in ("yarn", "longrope", "llama3"):
        yield "before scaling", f"{original} (original_max_position_embeddings)" if original else (
            "not in this file, so it is max_position_embeddings"), ("position_interpolation",)
    yield "heads", heads(form), ("order_blindness", "rope_attention")
    if "kv_lora_rank" in form:
        yield "latent", f"keys and values come out of {form['kv_lora_rank']} numbers", ("latent_rope",)
    if sections := scaling.get("mrope_section"):
        order = ", interleaved" if scaling.get("mrope_interleaved") else ""
        yield "sections", f"{', '.join(map(str, sections))} pairs turn by time, row and column{order}", (
            "multimodal_rope",)
    yield from layer_rows(form)
    yield PACKED


def rotation(form, reference):
    """Rows about the frequencies of one kind of layer."""
    width, base = form["head_dim"], base_of(form)
    scaling = form.get("rope_scaling", {"rope_type": "default"})
    rope_type = scaling["rope_type"]
    of_the_type = (TAUGHT[rope_type],) if rope_type in TAUGHT else ()
    if width is None:
        yield "head width", MISSING, ("rope_rotation",)
    else:
        rotary = int(width * form.get("partial_rotary_factor", 1.0))
        nope = form.get("qk_nope_head_dim")
        yield "head width", str(width) + (f" that turn, beside {nope} that do not" if nope else ""), (
            "latent_rope" if nope else "rope_rotation",)
        all_of_them = f"{rotary}, all of these" if nope else f"{rotary}, all columns"
        yield "rotary width", all_of_them if rotary == width else f"{rotary} of {width} columns", (
            "rope_layouts" if rotary == width else "partial_rope",)
    yield "base", f"{base:.10g}" if "rope_theta" in form else MISSING + (
        f": {base:.10g}, the library's default" if base else ": the library has a default for this model type"), (
        "rope_rotation",)
    values = ", ".join(f"{key} {in_short(value)}" for key, value in scaling.items() if key not in SHOWN_ELSEWHERE)
    yield "scaling", rope_type + (f": {values}" if values else ""), of_the_type
    if rope_type not in COMPUTED:
        yield "attention factor", "not computed here", of_the_type
        yield "frequencies", "not computed here", of_the_type
    else:
        yield "attention factor", f"{reference.attention_factor(form):.6g}", ("yarn", "rope_from_config")
        if width is not None and base is None:
            yield "frequencies", "not computed: the base is not in this file", of_the_type
        elif width is not None:
            yield "frequencies", fates(reference.inverse_frequencies(form), base, scaling), (
                *of_the_type, "rope_from_config")


def fates(frequencies, base, scaling):
    """How many frequencies are kept, blended and divided."""
    if not np.isfinite(frequencies).all():
        raise Refused("config.json: its numbers make frequencies that are no numbers")
    pairs, factor = len(frequencies), scaling.get("factor", 1)
    shares = frequencies * base ** (np.arange(pairs) / pairs)                    # (pairs,) 1 where kept
    kept = np.isclose(shares, 1, rtol=1e-9, atol=0)
    divided = np.isclose(shares, 1 / factor, rtol=1e-9, atol=0) & ~kept
    blended = pairs - kept.sum() - divided.sum()
    return f"{pairs} pairs: {kept.sum()} kept, {blended} blended, {divided.sum()} divided" + (
        f" by {in_short(factor)}" if divided.any() else "")


def is_computed(form):
    rope_type = form.get("rope_scaling", {}).get("rope_type", "default")
    return rope_type in COMPUTED and None not in (form["head_dim"], base_of(form))


def in_short(value):
    if isinstance(value, list) and len(value) > 4:
        return f"({len(value)} numbers)"
    return f"{value:.10g}" if isinstance(value, float) else shown(value)


def table(rows):
    """The rows as lines; long values go on below."""
    numbers = {kata.name: kata.number for kata in all_katas()}
    for name, value, katas in rows:
        first, *more = textwrap.wrap(value, WIDTHS[1] - 2) or [""]
        yield f"{name:{WIDTHS[0]}}{first:{WIDTHS[1]}}{', '.join(numbers.get(kata, kata) for kata in katas)}".rstrip()
        for part in more:
            yield " " * WIDTHS[0] + part


def runs(config):
    """Whether the lab can run such a model."""
    try:
        covered(config)
    except Refused as refused:
        return f"The lab cannot run this model: {refused}."
    return "The lab runs models with this configuration."


def verdict(forms, reference, number):
    """Whether the learner's functions of kata 75 give what the solution gives."""
    if not forms:
        return f"Kata {number} does not cover this configuration."
    sources = choose(READERS, READERS)
    if not sources[0].own:
        return f"Kata {number} is not solved yet, so your rope_from_config was not asked."
    own = load(sources)
    for name in READERS:
        for form in forms:
            right = getattr(reference, name)(form)
            try:
                given = np.asarray(getattr(own, name)(deepcopy(form)), dtype=float)
            except Exception as error:
                why = " ".join(f"{type(error).__name__}: {error}".split())
                return f"Your rope_from_config differs: {name} raised {why}"
            if given.shape != np.shape(right) or not np.allclose(given, right, rtol=1e-9, atol=1e-12):
                return f"Your rope_from_config differs: {name} gives other numbers for this configuration."
    return "With these keys in the form of kata 75, your rope_from_config gives what the solution gives."

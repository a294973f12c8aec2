"""Other right answers to 75_rope_from_config, and when you would want them."""
import math

import numpy as np


def _rotary(config):
    """The rotary width and the base."""
    head_dim = config.get("head_dim")
    if head_dim is None:
        head_dim = config["hidden_size"] // config["num_attention_heads"]
    return int(head_dim * config.get("partial_rotary_factor", 1.0)), config.get("rope_theta", 10000.0)


def _type_and_keys(config):
    scaling = dict(config.get("rope_scaling") or {})
    return scaling.pop("rope_type", None) or scaling.pop("type", "default"), scaling


def _ends(config, r, base, scaling):
    """The pairs at which the ramp of "yarn" begins and ends."""
    def index(turns):
        return r * math.log(train_len / (turns * 2 * math.pi)) / (2 * math.log(base))

    train_len = scaling.get("original_max_position_embeddings", config["max_position_embeddings"])
    low, high = index(scaling.get("beta_fast", 32)), index(scaling.get("beta_slow", 1))
    if scaling.get("truncate", True):
        low, high = math.floor(low), math.ceil(high)
    return max(low, 0), min(high, r - 1)


class inverse_frequencies:
    def by_one_function_for_each_type(config):
        """Look up a function for the type in a dict and call it, as transformers 5.23 does with ROPE_INIT_FUNCTIONS.
        A new type needs one more function and no change to the others."""
        def default():
            return kept

        def linear():
            return kept / scaling["factor"]

        def llama3():
            train_len, factor = scaling["original_max_position_embeddings"], scaling["factor"]
            low, high = scaling["low_freq_factor"], scaling["high_freq_factor"]
            waves = 2 * math.pi / kept
            smooth = (train_len / waves - low) / (high - low)
            blended = (1 - smooth) * kept / factor + smooth * kept
            return np.where(waves > train_len / low, kept / factor, np.where(waves < train_len / high, kept, blended))

        def yarn():
            low, high = _ends(config, r, base, scaling)
            interpolated = np.clip((np.arange(r // 2) - low) / (high - low), 0, 1)
            return kept / scaling["factor"] * interpolated + kept * (1 - interpolated)

        r, base = _rotary(config)
        kept = 1.0 / base ** (np.arange(0, r, 2) / r)
        rope_type, scaling = _type_and_keys(config)
        return {"default": default, "linear": linear, "llama3": llama3, "yarn": yarn}[rope_type]()

    def by_loop(config):
        """Compute one pair after the other with Python numbers, and decide for each pair what happens to it. Use it to
        check an array version."""
        r, base = _rotary(config)
        rope_type, scaling = _type_and_keys(config)
        speeds = []
        for pair in range(r // 2):
            speed = base ** (-2 * pair / r)
            if rope_type == "default":
                slower = 1.0
            elif rope_type == "linear":
                slower = 1.0 / scaling["factor"]
            else:
                if rope_type == "llama3":
                    turns = scaling["original_max_position_embeddings"] * speed / math.tau
                    low, high = scaling["low_freq_factor"], scaling["high_freq_factor"]
                    share = (turns - low) / (high - low)
                else:
                    low, high = _ends(config, r, base, scaling)
                    share = (high - pair) / (high - low)
                share = min(max(share, 0.0), 1.0)
                slower = share + (1.0 - share) / scaling["factor"]
            speeds.append(speed * slower)
        return np.array(speeds)

    def by_interpolation(config):
        """Make one factor per pair with np.interp: over the turns for "llama3", over the pair index for "yarn". The
        ramp of np.interp has level ends, so nothing has to be limited."""
        r, base = _rotary(config)
        rope_type, scaling = _type_and_keys(config)
        kept, slowest = np.exp(-math.log(base) * np.arange(0, r, 2) / r), 1 / scaling.get("factor", 1.0)
        if rope_type == "llama3":
            turns = scaling["original_max_position_embeddings"] * kept / math.tau
            return kept * np.interp(turns, (scaling["low_freq_factor"], scaling["high_freq_factor"]), (slowest, 1.0))
        if rope_type == "yarn":
            return kept * np.interp(np.arange(r // 2), _ends(config, r, base, scaling), (1.0, slowest))
        return kept * (slowest if rope_type == "linear" else 1.0)


class attention_factor:
    def by_defaults(config):
        """Write the last two cases as one quotient: without two mscales, divide m(1) by m(0), which is 1. You see that
        equal mscales cancel."""
        rope_type, scaling = _type_and_keys(config)
        if rope_type != "yarn":
            return 1.0
        given = scaling.get("attention_factor")
        above, below = scaling.get("mscale") or 0, scaling.get("mscale_all_dim") or 0
        if not (above and below):
            above, below = 1, 0
        tenth = 0.1 * math.log(max(scaling["factor"], 1.0))
        return (tenth * above + 1.0) / (tenth * below + 1.0) if given is None else given


class rope_tables:
    def by_complex_numbers(config, positions):
        """Compute exp(1j * angle) once: its real part is the cosine and its imaginary part the sine. Meta's own code
        for Llama keeps such numbers in place of two tables."""
        phases = attention_factor.by_defaults(config) * np.exp(
            1j * np.multiply.outer(positions, inverse_frequencies.by_interpolation(config)))
        phases = np.concatenate([phases, phases], axis=-1)
        return phases.real, phases.imag

    def by_rows_of_one_table(config, positions):
        """Make one table for positions 0, 1, 2, ... and look the rows up, as older versions of transformers did with a
        cache. Batches repeat positions, so few rows are computed."""
        angles = np.outer(np.arange(positions.max() + 1), inverse_frequencies.by_interpolation(config))
        factor = attention_factor.by_defaults(config)
        return tuple(np.concatenate([half, half], axis=-1)[positions]
                     for half in (np.cos(angles) * factor, np.sin(angles) * factor))


class apply_tables:
    def in_halves(x, cos, sin):
        """Write both halves straight into the result, so that rotate_half makes no array of its own. gpt-oss's own code
        has tables of r/2 columns for this form."""
        half = cos.shape[-1] // 2
        cos, sin = cos[..., :half], sin[..., :half]
        first, second = x[..., :half], x[..., half : 2 * half]
        result = x.astype(np.result_type(x, 1.0))
        result[..., :half] = first * cos - second * sin
        result[..., half : 2 * half] = second * cos + first * sin
        return result

    def by_wider_tables(x, cos, sin):
        """Fill the tables up with cosines of 1 and sines of 0, then treat all columns alike. Columns that must not turn
        get an angle of 0."""
        r, rest = cos.shape[-1], x.shape[-1] - cos.shape[-1]
        partner = np.r_[np.arange(r // 2, r), np.arange(r // 2), np.arange(r, x.shape[-1])]
        signs = np.r_[-np.ones(r // 2), np.ones(r // 2), np.zeros(rest)]
        cos = np.concatenate([cos, np.ones((*cos.shape[:-1], rest))], axis=-1)
        sin = np.concatenate([sin, np.zeros((*sin.shape[:-1], rest))], axis=-1)
        return (x * cos + x[..., partner] * signs * sin).astype(np.result_type(x, 1.0))

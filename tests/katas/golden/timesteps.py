"""Chapter 2, sinusoids of timesteps and coordinates: 50 digits, and the functions of diffusers."""
import mpmath as mp
import numpy as np
import torch
from diffusers.models.autoencoders.autoencoder_kl_mochi import FourierFeatures
from diffusers.models.embeddings import get_timestep_embedding
from diffusers.pipelines.shap_e.renderer import posenc_nerf

from golden import EXACT, FAR, FLOAT64
from oracles import floats, in_double_precision, mp_table

SINGLE = {"precision": "float32", "rtol": 1e-6, "atol": 1e-6}       # small angles, whose rounding is small too
DIGITS = "mpmath, 50 digits"
DIFFUSERS = "diffusers 0.42.1"


def mp_rows(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):
    half = d_model // 2
    speeds = [mp.mpf(max_period) ** (-mp.mpf(i) / (half - mp.mpf(freq_shift))) for i in range(half)]
    waves = (mp.cos, mp.sin) if cosine_first else (mp.sin, mp.cos)
    return [[wave(mp.mpf(t) * w) for wave in waves for w in speeds] + [mp.mpf(0)] * (d_model % 2) for t in timesteps]


def options_of(max_period, cosine_first, freq_shift):
    """The arguments that are not the default: so defaults meet the oracle too."""
    given = {"max_period": max_period, "cosine_first": cosine_first, "freq_shift": freq_shift}
    default = {"max_period": 10000.0, "cosine_first": True, "freq_shift": 0.0}
    return {name: value for name, value in given.items() if value != default[name]}


def rows_of_timesteps(golden):
    def add(case, timesteps, d_model, options, expected, source, tolerance=FLOAT64):
        golden.add(case, "timestep_embedding", {"timesteps": timesteps, "d_model": d_model, **options_of(*options)},
                   expected, source, tolerance)

    for case, timesteps, d_model, options in [
        ("dit", np.array([0, 1, 17, 999, 250]), 16, (10000.0, True, 0.0)),
        ("ddpm", np.array([0, 1, 17, 999, 250]), 16, (10000.0, False, 1.0)),
        ("odd", golden.numbers(4, size=500.0), 7, (10000.0, True, 0.0)),
        ("odd_sines_first", golden.numbers(4, size=500.0), 9, (300.0, False, 0.5)),
        ("narrow", golden.numbers(6, size=900.0), 4, (50.0, True, 1.5)),
        ("shift_2.25", golden.numbers(3, size=900.0), 12, (20000.0, True, 2.25)),
    ]:
        add(f"rows_{case}", timesteps, d_model, options, floats(mp_rows(timesteps.tolist(), d_model, *options)), DIGITS)
    far = np.array([100_000, -65_535, 4097])
    for options in [(10000.0, True, 0.0), (10000.0, False, 1.0)]:
        rows = floats(mp_rows(far.tolist(), 10, *options))
        add(f"far_rows_shift_{options[2]:g}", far, 10, options, rows, DIGITS, FAR)
    grid = golden.numbers(2, 3, size=300.0)
    rows = floats(mp_rows(grid.ravel().tolist(), 8)).reshape(2, 3, 8)
    add("two_axes", grid, 8, (10000.0, True, 0.0), rows, DIGITS)
    add("no_axis", np.array(grid[1, 2]), 8, (10000.0, True, 0.0), rows[1, 2], DIGITS)

    for d_model, options in [(256, (10000.0, True, 0.0)), (128, (10000.0, False, 1.0)), (11, (500.0, True, 0.5))]:
        names = {"flip_sin_to_cos": options[1], "downscale_freq_shift": options[2], "max_period": options[0]}
        small, larger = golden.numbers(5, size=2.0), golden.numbers(5, size=1000.0)
        table = get_timestep_embedding(torch.as_tensor(small), d_model, **names)
        add(f"diffusers_small_{d_model}", small, d_model, options, table.numpy(),
            f"{DIFFUSERS} get_timestep_embedding, float32", SINGLE)
        with in_double_precision():
            table = get_timestep_embedding(torch.as_tensor(larger), d_model, **names)
        add(f"diffusers_larger_{d_model}", larger, d_model, options, table.numpy(),
            f"{DIFFUSERS} get_timestep_embedding, in double precision", FAR)


def features_of_points(golden):
    def add(case, x, n_frequencies, expected, source, tolerance=FLOAT64):
        golden.add(case, "fourier_features", {"x": x, "n_frequencies": n_frequencies}, expected, source, tolerance)

    for case, shape, n_frequencies in [
        ("point", (3,), 10), ("direction", (4, 3), 4), ("two_axes", (2, 3, 2), 5), ("one_by_one", (1, 1), 1),
        ("sixteen", (3, 2), 16),
    ]:
        x = golden.numbers(*shape, size=1.0)
        columns = [[wave(2**k * mp.pi * mp.mpf(number)) for k in range(n_frequencies) for wave in (mp.sin, mp.cos)]
                   for number in x.ravel().tolist()]
        add(f"features_{case}", x, n_frequencies, floats(columns).reshape(*shape[:-1], -1), DIGITS, FAR)

    for points, c, n_frequencies in [(6, 3, 10), (5, 3, 4), (4, 2, 6)]:
        x = golden.numbers(points, c, size=1.0)
        # coordinates, then sines and cosines, each frequency by frequency and without pi
        encoded = posenc_nerf(torch.as_tensor(x) * torch.pi, 0, n_frequencies)[:, c:]
        encoded = encoded.reshape(points, 2, n_frequencies, c).permute(0, 3, 2, 1).reshape(points, -1)
        add(f"nerf_{c}_by_{n_frequencies}", x, n_frequencies, encoded.numpy(),
            f"{DIFFUSERS} posenc_nerf of pi x in float64, columns reordered", FAR)

    x = golden.numbers(5, 3, size=1.0)
    # (batch, channels, and three axes): the numbers, then sines and cosines, each coordinate by coordinate
    with in_double_precision():
        waves = FourierFeatures(-1, 5)(torch.as_tensor(x)[:, :, None, None, None])[:, 3:]
    waves = waves.reshape(5, 2, 3, 6).permute(0, 2, 3, 1).reshape(5, -1)
    add("mochi", x, 6, waves.numpy(), f"{DIFFUSERS} FourierFeatures of Mochi in double precision, reordered", FAR)


def timestep_embedding(golden):
    rows_of_timesteps(golden)
    features_of_points(golden)

    cdist = "torch.cdist with the largest difference, and argmin"
    halves = floats(mp_rows(range(12), 12))
    numbers = golden.numbers(7, 10)
    one_row = numbers[:1, :6] + np.arange(6) * 8.0                       # no two numbers alike
    for case, first, second in [
        ("transformer_in_dit", floats(mp_table(range(12), 12)), halves),
        ("dit_in_transformer", halves, floats(mp_table(range(12), 12))),
        ("sines_first", halves, floats(mp_rows(range(12), 12, cosine_first=False))),
        ("any_order", numbers, numbers[:, golden.rng.permutation(10)]),
        ("one_row", one_row, one_row[:, [3, 0, 5, 1, 2, 4]]),
    ]:
        apart = torch.cdist(torch.as_tensor(first.T.copy()), torch.as_tensor(second.T.copy()), p=float("inf"))
        golden.add(f"order_{case}", "same_up_to_order", {"first": first, "second": second}, apart.argmin(1).numpy(),
                   cdist, EXACT)

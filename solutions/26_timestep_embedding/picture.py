"""The table of DiT, waves of NeRF, and the frequencies of two diffusion models."""
import numpy as np

from grader.course.panels import Curves, heatmap


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    coordinates = np.linspace(-1.0, 1.0, 129)

    def wave(number):
        return lambda: kata.fourier_features(coordinates[:, None], 10)[:, 2 * number]      # (129,)

    def frequencies(**options):
        # at timestep 1 every angle is its frequency, and it is small enough for the arcsine
        return lambda: np.arcsin(kata.timestep_embedding(np.array(1.0), 128, cosine_first=False, **options)[:64])

    return [
        heatmap("The table of DiT-XL/2, every tenth timestep",
                lambda: kata.timestep_embedding(np.arange(0, 1000, 10), 256),
                x="column (index)", y="row (ten timesteps)", colour="entry"),
        Curves("Three of the ten frequencies of NeRF", {f"2**{number} pi": wave(number) for number in range(3)},
               x="coordinate", y="sine", over=coordinates),
        Curves("The frequencies of a table with 128 columns", {
                   "DiT, shift 0": frequencies(), "DDPM, shift 1": frequencies(freq_shift=1.0),
               }, x="column of a half (index)", y="frequency\n(radians per timestep)", over=np.arange(64), log="y"),
    ]

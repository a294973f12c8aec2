"""Three positions along a sequence, and how fast scores fall in each direction, at the sizes of Qwen2-VL."""
import numpy as np

from grader.course.panels import Curves, heatmap

SECTIONS = np.array([16, 24, 24])                                                # pairs for time, row and column
NAMES = ("time", "row", "column")


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    sequence = np.array([[0, 0, 5], [1, 4, 6], [0, 0, 5], [2, 2, 3], [0, 0, 5]])  # 51 tokens
    equal = np.full((64, 128), 128**-0.5)                                        # (64, 128) rows of length 1

    def kind(number):
        return lambda: kata.multimodal_positions(sequence)[number]               # (51,)

    def along(number):
        positions = np.zeros((3, 64), dtype=int)
        positions[number] = np.arange(64)

        def scores():
            turned = kata.multimodal_rope(equal, positions, SECTIONS)            # (64, 128)
            return turned @ turned[0]                                            # (64,)
        return scores

    def score_map():
        positions = kata.multimodal_positions(np.array([[1, 16, 16]]))           # (3, 256)
        rows = np.full((256, 128), 128**-0.5)
        turned = kata.multimodal_rope(rows, positions, SECTIONS)                 # (256, 128)
        return (turned @ turned[5 * 16 + 10]).reshape(16, 16)

    return [
        Curves("Text, an image, text, two frames, text", {name: kind(i) for i, name in enumerate(NAMES)},
               x="token (index)", y="position", over=np.arange(51), points=True),
        Curves("Equal vectors: scores in each direction", {name: along(i) for i, name in enumerate(NAMES)},
               x="steps from the first token (positions)", y="score", over=np.arange(64)),
        heatmap("Scores of the token in row 5, column 10", score_map,
                x="column of the key (tokens)", y="row of the key (tokens)", colour="score"),
    ]

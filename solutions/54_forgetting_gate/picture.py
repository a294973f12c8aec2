"""The bias of a text whose sentences begin with a closing gate, the weights that follow; a gate; constant gates."""
import numpy as np

from grader.course.panels import Curves, heatmap

SENTENCES = np.arange(32) % 8 == 0                                     # the first token of each of four sentences
LOGITS = {"gates of the text": np.where(SENTENCES, -2.0, 5.0), "every logit 5": np.full(32, 5.0),
          "every logit 0": np.zeros(32)}


def panels(kata):
    """What the functions of this kata make, to be drawn."""
    def weights(logits):
        q, k, v = np.zeros((1, 1, 64)).repeat(32, axis=1), np.ones((1, 32, 64)), np.eye(32)[None]
        return lambda: kata.forgetting_attention(q, k, v, kata.log_forget_gates(logits[None]))[0, -1, ::-1]     # (32,)

    logits = np.linspace(-8.0, 8.0, 65)
    return [
        heatmap("The bias of a text with four sentences",
                lambda: kata.forgetting_bias(kata.log_forget_gates(LOGITS["gates of the text"])),
                x="key (position)", y="query (position)", colour="bias (logits)"),
        Curves("Weights of the last token if all scores are equal", {name: weights(x) for name, x in LOGITS.items()},
               x="distance back to the key (tokens)", y="weight", over=np.arange(32)),
        Curves("What a gate adds to the score of every key before it",
               {"log gate": lambda: kata.log_forget_gates(logits)},
               x="logit of the gate", y="bias (logits)", over=logits),
        heatmap("Constant gates: ALiBi with slope 1/2", lambda: kata.forgetting_bias(np.full(32, -0.5)),
                x="key (position)", y="query (position)", colour="bias (logits)"),
    ]

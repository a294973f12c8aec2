"""Wrong answers that passed on some seeds, or on all of them, are rejected on every one."""
import pytest

from grader.course.katas import all_katas
from tests.helpers.harness import grade, seeds_that_pass

SEEDS = range(20)
KATAS = {kata.name: kata for kata in all_katas()}
LONGROPE = ("def longrope_scores(q, k, q_positions, k_positions, max_len, train_len, short_factors, long_factors,\n"
            "                    base=10000.0):\n")
MOVED = LONGROPE + """
        return right(q, k, {0}(q_positions), {0}(k_positions), max_len, train_len, short_factors, long_factors, base)
        """
TIMESTEPS = "def timestep_embedding(timesteps, d_model, max_period=10000.0, cosine_first=True, freq_shift=0.0):\n"

# what is wrong -> (kata, the end of a file that begins with the solution; `right` is the function of the solution)
WRONG = {
    "positions are cut towards zero": ("longrope", MOVED.format("np.trunc")),
    "positions are rounded down": ("longrope", MOVED.format("np.floor")),
    "positions are rounded": ("longrope", MOVED.format("np.rint")),
    "the sizes of the positions are taken": ("longrope", MOVED.format("np.abs")),
    "the largest size of a position decides": ("longrope", LONGROPE + """
        n = max(np.abs(q_positions).max(), np.abs(k_positions).max()) + 1
        factors = long_factors if n > train_len else short_factors
        return right(q, k, q_positions, k_positions, max_len, train_len, factors, factors, base)
        """),
    "gaps below 0.001 are 0": ("causal_order", """def prefix_gap(x, order):
        gap = right(x, order)
        return np.where(gap < 1e-3, 0.0, gap)
        """),
    "each timestep between 0 and 1 is multiplied by 1000": ("timestep_embedding", TIMESTEPS + """
        timesteps = np.where((timesteps > 0) & (timesteps < 1), 1000.0 * timesteps, timesteps)
        return right(timesteps, d_model, max_period, cosine_first, freq_shift)
        """),
    "timesteps that are all between 0 and 1 are multiplied by 1000": ("timestep_embedding", TIMESTEPS + """
        if timesteps.size and ((timesteps > 0) & (timesteps < 1)).all():
            timesteps = 1000.0 * timesteps
        return right(timesteps, d_model, max_period, cosine_first, freq_shift)
        """),
    "the table is cut to the length of the text": (
        "contextual_positions", """def contextual_attention(q, k, v, table):
        return right(q, k, v, table[: max(q.shape[-2], 2)])
        """),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_answer_that_passed_on_some_seeds_is_rejected_on_all(what, tmp_path):
    kata, text = KATAS[WRONG[what][0]], WRONG[what][1]
    name = text.removeprefix("def ").partition("(")[0]
    source = kata.solution.read_text(encoding="utf-8") + f"\n\nright = {name}\n\n\n{text}"
    assert not seeds_that_pass(kata, source, tmp_path, SEEDS)
    checks = grade(kata, source, tmp_path, isolated=False)["checks"]
    assert {check["outcome"] for check in checks} == {"passed", "failed"}            # it runs, but is wrong

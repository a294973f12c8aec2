"""Every task can be finished by itself: its checks and messages speak of nothing that a later task asks for."""
import ast

import pytest

from grader.course.katas import all_katas
from grader.verdict.mistakes import mistakes
from tests.helpers.harness import result_of

NO_MASK = ("if mask is not None:", "if False:")
ZEROS = ("    return dq, dk, dv", "    dq, dk = 0.0 * q, 0.0 * k\n    return dq, dk, dv")
PARTIAL = {      # (kata, task): changes of the solution that leave out what the later tasks of the task's function add
    ("order_blindness", 3): [NO_MASK],
    ("naive_positions", 3): [("if n > max_len:", "if False:")],
    ("naive_positions", 5): [("if n > 2**n_bits:", "if False:")],
    ("translation_invariance", 3): [("if d_model % 2:", "if False:")],
    ("shift_matrix", 1): [("if d_model % 2:", "if False:")],
    ("timestep_embedding", 1): [("(half - freq_shift)", "half"), ("if cosine_first else", "if True else")],
    ("learned_table", 2): [("if offset + n > len(table):", "if False:")],
    ("embedding_layer", 1): [("    kept = ", "    return embedded\n    kept = ")],
    ("shaw_attention", 2): [NO_MASK],
    ("transformer_xl", 1): [("np.arange(n_keys - n_queries, n_keys)", "np.arange(n_queries)")],
    ("alibi_bias", 1): [("power = 2 ** int(np.log2(n_heads))", "power = n_heads")],
    ("t5_buckets", 1): [("np.where(distance < m, distance, far)", "distance")],
    ("sandwich_bias", 1): [("n_heads / (8 * heads)", "(1 + 0 * heads)")],
    ("rope_attention", 1): [("reshape(*x.shape[:-1], -1, d_head)", "reshape(*x.shape[:-1], n_heads, d_head)")],
    ("mend_the_rope", 2): [("[-x[..., 1::2], x[..., 0::2]]", "[x[..., 1::2], -x[..., 0::2]]")],
    ("rope_from_config", 1): [("_share_of_llama3(kept, scaling)", "0"),
                              ("_share_of_yarn(r, base, train_len, scaling)", "0")],
    ("train_short_test_long", 3): [ZEROS],
    ("scheme_comparison", 2): [("d.max(axis=-1) <= d.min(axis=-1) + atol", "d.max(axis=-1) - d.min(axis=-1) <= atol")],
}
LATER = {        # (kata, task): some known mistakes that a learner makes in this task, and not in the task before it
    ("order_blindness", 4): "mask_ignored mask_inverted mask_transposed masked_after_softmax mask_added",
    ("naive_positions", 4): "zeros_past_the_last_column full_table_refused",
    ("naive_positions", 6): "starts_again_at_zero full_count_refused",
    ("translation_invariance", 4): "odd_width_accepted odd_width_asserted",
    ("shift_matrix", 2): "odd_column_left_alone",
    ("timestep_embedding", 2): "cosine_first_ignored freq_shift_ignored shift_on_the_index",
    ("learned_table", 3): "one_row_past_the_end only_n_compared cut_short_at_the_end boundary_on_the_wrong_side",
    ("embedding_layer", 2): "kept_as_they_were share_kept whole_words_dropped dropout_seed_ignored no_seed_is_one_seed",
    ("shaw_attention", 3): "rows_see_through_the_mask mask_inverted masked_after_the_softmax",
    ("transformer_xl", 2): "distances_come_first queries_come_first mask_comes_first",
    ("alibi_bias", 2): "one_sequence_for_every_count next_slopes_in_a_row second_of_every_two rounded_up",
    ("t5_buckets", 2): "far_ones_evenly_wide no_last_bucket last_bucket_of_all rounded_to_nearest max_distance_ignored",
    ("sandwich_bias", 2): "factors_of_eight_heads every_head_alike factor_turned_over",
    ("rope_attention", 2): "kv_heads_tiled",
    ("mend_the_rope", 3):
        "fault_of_task_3 halves_turned different_frequencies_paired no_minus left_in_two_halves widened",
    ("rope_from_config", 2): "llama3_unchanged yarn_unchanged llama3_counts_in_the_long_text ramp_of_the_whole_head "
                             "radians_not_turns always_rounded high_cut_to_the_pairs ramp_reversed",
    ("train_short_test_long", 4): "scale_left_out_on_the_way_back sums_down_the_columns keys_not_transposed widened",
    ("scheme_comparison", 3): "masked_in_all_matrices masked_becomes_nan masked_keys_left_out masked_counts_as_zero",
}
for_each_kata = pytest.mark.parametrize("kata", all_katas(), ids=lambda kata: kata.folder.name)


def functions(source):
    """{name: text} of the functions of a file."""
    return {node.name: ast.get_source_segment(source, node)
            for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}


def finished(kata, done):
    """The solution's text as far as its first tasks go: from there on, functions are those of the stub."""
    source, stub = kata.solution.read_text(encoding="utf-8"), functions(kata.original.read_text(encoding="utf-8"))
    for name, text in functions(source).items():
        own = [number for number, task in kata.tasks.items() if task.function == name]
        if own and done < own[0]:
            source = source.replace(text, stub[name])
        elif own and done < own[-1]:
            part = text
            for right, left_out in PARTIAL[kata.name, max(number for number in own if number <= done)]:
                assert right in part
                part = part.replace(right, left_out)
            source = source.replace(text, part)
    return f"{source}\n# mine\n"                           # the solution itself is not graded


def faults(kata, done, result):
    """What a learner whose first tasks are right would stumble on."""
    settled = {task.function for task in kata.tasks.values()} - {
        task.function for number, task in kata.tasks.items() if number > done}
    for row in (row for row in result.rows if row.outcome != "passed"):
        if row.counted_for <= done:
            yield f"after task {done}, {row.check} of task {row.counted_for}: {row.text()}"
        elif row.task <= done or row.mistake_of in settled:
            yield f"after task {done}, {row.check} speaks of task {row.task}: {row.text()}"


@for_each_kata
def test_after_each_task_its_checks_pass_and_the_messages_are_about_the_others(kata, tmp_path):
    assert [fault for done in kata.tasks
            for fault in faults(kata, done, result_of(kata, finished(kata, done), tmp_path, isolated=False))] == []


@pytest.mark.parametrize(("kata", "later"), [
    pytest.param(kata, number, id=f"{kata.folder.name}-task{number}")
    for kata in all_katas() for name, number in LATER if name == kata.name])
def test_a_mistake_in_a_later_task_of_a_function_leaves_its_earlier_task_alone(kata, later, tmp_path):
    known = {m.name: m for m in mistakes(kata) if m.replaces == kata.tasks[later].function}
    for name in LATER[kata.name, later].split():
        result = result_of(kata, known[name].source, tmp_path, isolated=False)
        assert [name, *faults(kata, later - 1, result)] == [name]


def gradients_with(tmp_path, right, other):
    """The failed checks of kata 92 after task 3, with one change."""
    (kata,) = (kata for kata in all_katas() if kata.name == "train_short_test_long")
    source = finished(kata, 3)
    assert right in source
    result = result_of(kata, source.replace(right, other), tmp_path, isolated=False)
    return [row for row in result.rows if row.outcome != "passed"]


def test_a_result_that_is_still_zeros_is_called_so(tmp_path):
    for other, told in (("dq, dk = 0.0 * q, 0.0 * k", "The first and second results are all zeros."),
                        ("dk = 0.0 * k", "The second result is all zeros.")):
        failed = gradients_with(tmp_path, "dq, dk = 0.0 * q, 0.0 * k", other)
        assert {row.task for row in failed} == {4}
        for row in failed:
            assert told in row.text()


def test_a_wrong_result_is_what_messages_speak_of_while_others_are_still_zeros(tmp_path):
    for other, mistake, told in (
        ("weights @ upstream", "values_not_transposed", "first wrong"),
        ("2.0 * weights.swapaxes(-1, -2) @ upstream", None, "Every value is 2 times what it should be."),
    ):
        failed = gradients_with(tmp_path, "weights.swapaxes(-1, -2) @ upstream", other)
        assert min(row.task for row in failed) == 3
        for row in failed:
            if row.task == 3:
                assert row.mistake == mistake
                assert "third result" in row.text()
                assert told in row.text()

"""The lab of kata 92: its gradients, its data, the results that it keeps, and what it says."""
import json
import os
import re
import resource
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from grader.calling.loading import load_module
from grader.course.katas import KATAS, ROOT, Kata

(FOLDER,) = KATAS.glob("??_train_short_test_long")
(COMPARISON,) = KATAS.glob("??_scheme_comparison")
RESULTS, COMPARED = FOLDER / "lab" / "RESULTS.md", COMPARISON / "MORE.md"
sys.path.insert(0, str(FOLDER))

import lab.data  # noqa: E402
import lab.functions  # noqa: E402
import lab.picture  # noqa: E402
import lab.processes  # noqa: E402
import lab.results  # noqa: E402
import lab.schemes  # noqa: E402
import lab.search  # noqa: E402
import lab.tables  # noqa: E402
from lab.experiment import main  # noqa: E402
from lab.model import Config, backward, forward, initial, shapes, views  # noqa: E402
from lab.options import options_from  # noqa: E402
from lab.schemes.distances import T5_BUCKETS  # noqa: E402
from lab.schemes.rotations import LONGROPE_POWERS  # noqa: E402
from lab.train import TRAINED_AS, Settings, evaluate, measure, train  # noqa: E402

comparison = load_module(COMPARISON / "lab" / "__main__.py")

GOLDEN = Path(__file__).resolve().parent / "golden" / "lab"
TRAINED = sorted(set(TRAINED_AS.values()))
SMALL = {"steps": 4, "batch": 2, "train_length": 12, "lengths": (12, 16, 24), "held_out": 48}


def references(kata_of=lab.functions.KATA_OF):
    """The Source of every function, as if no kata were solved."""
    katas = {path.name[3:]: Kata(path) for path in KATAS.glob("[0-9][0-9]_*")}
    found = []
    for function, name in kata_of.items():
        kata = katas[name]
        found.append(lab.functions.Source(function, kata.number, kata.solution, kata.solution.read_text(), False))
    return found


@pytest.fixture(scope="module")
def functions():
    return lab.functions.load(references())


@pytest.fixture
def unsolved(monkeypatch):
    """The lab without the suites being run: what they say is tested by itself."""
    monkeypatch.setattr(lab.functions, "choose", lambda names: [s for s in references() if s.function in names])


def small_model(name, functions, seed=0, **sizes):
    """A model in double precision, its scheme, its parameters moved away from zeros and ones."""
    config = Config(**{"vocab": 7, "width": 8, "heads": 2, "hidden": 8, "train_length": 20, **sizes}, dtype="float64")
    scheme = lab.schemes.SCHEMES[name](config, functions)
    vector, params = initial(config, scheme, seed)
    vector += np.random.default_rng(seed).normal(scale=0.2, size=vector.shape)
    return config, scheme, vector, params


def gradients(config, scheme, params, functions, tokens, targets):
    """The loss and the vector of its gradient."""
    logits, cache = forward(config, scheme, params, tokens)
    wanted = shapes(config, scheme)
    vector = np.full(sum(int(np.prod(shape)) for shape in wanted.values()), np.nan)       # all is to be written
    upstream = functions.cross_entropy_gradient(logits, targets)
    backward(config, scheme, params, cache, upstream, views(vector, wanted), functions.attention_gradients)
    return functions.cross_entropy(logits, targets), vector


# The model

@pytest.mark.parametrize("name", TRAINED)
def test_gradients_of_the_whole_model_are_those_of_torch(name, functions):
    with np.load(GOLDEN / f"{name}.npz") as file:
        arrays = dict(file)
    (case,) = json.loads(arrays["meta"].item())["cases"]
    given = {argument: arrays[key] for argument, key in case["arrays"].items()}
    tokens, targets = given.pop("tokens_read"), given.pop("targets")
    config = Config(**case["arguments"], dtype="float64")
    scheme = lab.schemes.SCHEMES[name](config, functions)
    assert {key: array.shape for key, array in given.items()} == shapes(config, scheme)
    found, vector = gradients(config, scheme, given, functions, tokens, targets)
    loss, *wanted = (arrays[key] for key in case["expected"])
    assert found == pytest.approx(loss, rel=1e-9)
    grads = views(vector, shapes(config, scheme))
    for key, right in zip(given, wanted, strict=True):
        assert np.abs(grads[key] - right).max() <= 1e-9 * np.abs(right).max(), key


@pytest.mark.parametrize("name", lab.schemes.SCHEMES)
def test_no_token_sees_a_later_one_and_longer_texts_are_read(name, functions):
    config, scheme, _, params = small_model(name, functions)
    tokens = np.random.default_rng(2).integers(0, config.vocab, (2, 33))
    changed = tokens.copy()
    changed[:, 30] = (changed[:, 30] + 1) % config.vocab
    one, other = (forward(config, scheme, params, read)[0] for read in (tokens, changed))
    assert one.shape == (2, 33, config.vocab)
    np.testing.assert_array_equal(one[:, :30], other[:, :30])
    assert np.abs(one[:, 30:] - other[:, 30:]).min(axis=-1).max() > 1e-6


@pytest.mark.parametrize(("name", "fastest", "factor"), [
    ("rope+interpolation", 1 / 4, 1), ("rope+yarn", 1, 0.1 * np.log(4) + 1), ("rope+llama3", 1, 1),
    ("rope+longrope", 1, (4 / 3)**0.5)])
def test_a_rescaled_rope_changes_longer_texts_only_and_slows_the_slowest_pair(name, fastest, factor, functions):
    config = Config(7, 16, 1, 2, 8, 64)
    rope, scaled = (lab.schemes.SCHEMES[one](config, functions) for one in ("rope", name))
    np.testing.assert_array_equal(scaled.frequencies(64), rope.frequencies(64))
    shares = scaled.frequencies(256) / rope.frequencies(256)
    assert (shares[0], shares[-1]) == pytest.approx((fastest, 1 / 4))
    assert (np.diff(shares) <= 0).all()
    assert scaled.factor(64) == 1
    assert scaled.factor(256) == pytest.approx(factor)


def test_the_search_finds_powers_that_do_not_decrease():
    best = np.array([0.0, 0.25, 0.25, 1.0])
    powers, loss = lab.search.search(lambda powers: np.square(powers - best).sum(), 4)
    np.testing.assert_array_equal(powers, best)
    assert loss == 0
    assert (np.diff(lab.search.search(lambda powers: powers[-1] - powers[0], 4)[0]) >= 0).all()


def test_all_schemes_begin_with_the_same_weights_and_another_seed_with_others(functions):
    params = {name: initial(Config(9), lab.schemes.SCHEMES[name](Config(9), functions), 5)[1] for name in TRAINED}
    for name in TRAINED:
        for key, array in params["none"].items():
            np.testing.assert_array_equal(params[name][key], array)
    other = initial(Config(9), lab.schemes.Scheme(Config(9), functions), 6)[1]
    assert (other["tokens"] != params["none"]["tokens"]).all()


# The data

def test_no_paragraph_is_in_both_parts_of_the_text():
    train, held_out = lab.data.split(lab.data.whole_text())
    assert len(held_out) > 30_000
    assert 8 < len(train) / len(held_out) < 11
    plain = " ".join(train.split())
    paragraphs = [" ".join(p.split()) for p in re.split(r"\n\s*\n", held_out)]
    whole = [p for p in paragraphs if len(p) > 60]
    assert len(whole) > 100
    assert not [p for p in whole if p in plain]


def test_windows_hold_the_same_characters_at_every_length():
    text = lab.data.Text()
    total = 3000
    for n in (1, 64, 100, 512, 2048):
        tokens, targets, counted = text.windows(n, total)
        np.testing.assert_array_equal(tokens.ravel()[:total], text.held_out[:total])
        np.testing.assert_array_equal(targets.ravel()[:total], text.held_out[1 : total + 1])
        assert counted.sum() == total
        assert counted.ravel()[:total].all()
    assert text.held_out.max() < text.vocab
    assert text.windows(2048, 10**9)[2].sum() > 30_720           # the whole experiment has what it asks for


def solved(name, task, n, functions):
    """The perplexity that a short training ends with."""
    settings = Settings(name, 0, task=task, steps=100, train_length=n, lengths=(n,), held_out=480)
    return measure(settings, functions, train(settings, functions))[name][str(n)]["perplexity"]


def test_the_order_task_can_be_learned_without_positions(functions):
    assert solved("none", "first", 8, functions) < 1.05          # guessing has 2


def test_the_copy_task_can_be_learned_with_positions_only(functions):
    assert solved("rope", "copy", 16, functions) < 1.5           # guessing has 16
    assert solved("none", "copy", 16, functions) > 5


# The evaluation

def test_perplexity_is_that_of_all_targets_and_losses_are_those_of_their_positions(functions):
    config, scheme, _, params = small_model("alibi", functions)
    tokens, targets = np.random.default_rng(5).integers(0, 7, (2, 5, 11))
    counted = np.random.default_rng(6).random((5, 11)) < 0.5
    counted[:, 3] = False
    losses, counts = evaluate(config, scheme, params, functions, (tokens, targets, counted))
    logits = forward(config, scheme, params, tokens)[0]
    surprise = np.log(np.exp(logits).sum(-1)) - np.take_along_axis(logits, targets[..., None], -1)[..., 0]
    np.testing.assert_array_equal(counts, counted.sum(axis=0))
    np.testing.assert_allclose(losses * counts, np.where(counted, surprise, 0).sum(axis=0), rtol=1e-9)


def test_one_training_of_rope_is_read_in_five_ways(functions):
    settings = Settings("rope", 0, **SMALL)
    found = measure(settings, functions, train(settings, functions))
    assert list(found) == ["rope", "rope+interpolation", "rope+yarn", "rope+llama3", "rope+longrope"]
    assert len({found[name]["12"]["perplexity"] for name in found}) == 1
    assert len({found[name]["24"]["perplexity"] for name in found}) == 5


# Tables

def results_of(**measured):
    """Results with the perplexities at 4 and 8 of every seed, for every scheme."""
    return {scheme: {seed: {str(n): {"perplexity": perplexity, "counts": [1] * n}
                            for n, perplexity in zip((4, 8), pair, strict=True)} for seed, pair in enumerate(pairs)}
            for scheme, pairs in measured.items()}


def test_the_tables_show_means_spreads_and_ratios():
    def last_line(measured):
        return lab.tables.length_table(measured).splitlines()[-1].split()
    measured = lab.tables.perplexities(results_of(alibi=[(2.0, 3.0), (4.0, 2.0)]), [4, 8])
    assert last_line(measured) == ["alibi", "3.00", "+-1.41", "2.50", "+-0.71"]
    assert last_line(lab.tables.ratios(measured, 4)) == ["alibi", "1.00", "+-0.00", "1.00", "+-0.71"]
    one_seed = lab.tables.perplexities(results_of(alibi=[(2.0, 3.0)]), [4, 8])
    assert last_line(lab.tables.ratios(one_seed, 4)) == ["alibi", "1.00", "1.50"]
    no_number = lab.tables.perplexities(results_of(alibi=[(2.0, np.nan), (2.0, 3.0)]), [4, 8])
    assert last_line(no_number) == ["alibi", "2.00", "+-0.00", "nan"]


@pytest.mark.parametrize(("measured", "missing", "wanted"), [
    ({"alibi": [(2.0, 2.1)]}, [], "alibi is about as good or better (perplexity at most 1.05 times as high)"),
    ({"rope": [(2.0, 4.0), (2.0, 3.0)]}, [], "rope (1.75 times as high) is worse"),
    ({"none": [(2.0, 2.12)], "rope": [(2.0, 9.0)], "t5": [(2.0, 4.0)], "alibi": [(2.0, 1.0)]}, [],
     "alibi is about as good or better (perplexity at most 1.05 times as high); none (1.06 times as high), t5 (2.00 "
     "times as high) and rope (4.50 times as high) are worse"),
    ({"rope": [(np.nan, np.nan)]}, [], "rope is without a result"),
    ({"none": [(2.0, 4.0)], "rope": [(2.0, 3.0), (2.0, np.nan)]}, ["cope"],
     "none (2.00 times as high) is worse; rope and cope are without a result"),
])
def test_the_conclusion_says_which_schemes_get_worse(measured, missing, wanted):
    compared = lab.tables.ratios(lab.tables.perplexities(results_of(**measured), [4, 8]), 4)
    assert lab.tables.conclusion(compared, 4, missing) == (
        f"Conclusion: in texts of 8, compared with texts of 4, {wanted}.")


def test_a_model_without_a_loss_is_named_and_has_no_line_in_the_picture(tmp_path):
    results = results_of(rope=[(np.nan, np.nan)])
    assert list(lab.tables.why_nan(results, 8, 4, "")) == [
        "nan: the loss of rope is not a number, so there is no perplexity"]
    lab.picture.draw(tmp_path / "empty.png", lab.tables.perplexities(results, [4, 8]), 4, "text")
    assert (tmp_path / "empty.png").stat().st_size > 1000


def test_the_table_by_position_has_the_mean_of_every_band():
    assert lab.tables.band_edges(512, 64) == [0, 32, 64, 96, 128, 192, 256, 384, 512]
    assert lab.tables.band_edges(8, 8) == [0, 4, 8]
    assert lab.tables.band_edges(5, 1)[-1] == 5
    found = {"losses": [0.0, 0.0, np.log(2), np.log(8), 0.0, 0.0], "counts": [0, 0, 3, 1, 0, 0]}
    assert lab.tables.in_bands(found, [2, 4]) == pytest.approx([2 ** 1.5])
    assert np.isnan(lab.tables.in_bands(found, [0, 2])[0])
    assert lab.tables.position_table({"t5": {0: {"6": found}}}, 6, 4).splitlines()[0].split() == [
        "scheme", "0-1", "2-3", "4-5"]


# What the pages say

def rows_of(page, head, place=0):
    """{scheme: [cells]} of the table in a page that begins with `head`; there may be several such tables."""
    text = page.read_text(encoding="utf-8")
    tables = re.findall(rf"^```\n(scheme +{head}[^`]*?)\n(?:\n|```)", text, re.MULTILINE)
    return {line.split()[0]: re.sub(r" \+-", "+-", line).split()[1:] for line in tables[place].splitlines()[1:]}


def test_the_tables_of_the_pages_have_every_scheme_and_agree():
    perplexities, ratios = (rows_of(RESULTS, "64", place) for place in (0, 1))
    assert list(perplexities) == list(ratios) == list(rows_of(COMPARED, "trains")) == list(lab.schemes.SCHEMES)
    for name, cells in rows_of(FOLDER / "MORE.md", "64").items():
        assert cells == [perplexities[name][column].split("+-")[0] for column in (0, 2, 4, 5)]
    for name, cells in perplexities.items():
        means = np.array([float(cell.split("+-")[0]) for cell in cells])
        np.testing.assert_allclose(np.array(ratios[name], float), means / means[0], atol=0.006, rtol=0.01)


def test_the_picture_shows_the_numbers_of_the_table():
    measured = load_module(ROOT / "solutions" / FOLDER.name / "picture.py").MEASURED
    perplexities = rows_of(RESULTS, "64")
    for name, scheme in (("sinusoidal", "sinusoidal"), ("rotary", "rope"), ("no positions", "none"),
                         ("ALiBi", "alibi"), ("forgetting gates", "forgetting")):
        assert measured[name].tolist() == [float(cell.split("+-")[0]) for cell in perplexities[scheme]]
    assert len(measured) == 5


def test_what_the_pages_say_of_the_measured_numbers_is_so():
    perplexities, ratios = (rows_of(RESULTS, "64", place) for place in (0, 1))
    lengths = (64, 96, 128, 192, 256, 512)
    ratios = {name: dict(zip(lengths, map(float, row), strict=True)) for name, row in ratios.items()}
    for name in ("shaw", "t5", "alibi", "sandwich", "forgetting", "cope"):
        assert 0.96 <= ratios[name][512] <= 1.0                  # "within 4 percent"
    assert 7 < ratios["sinusoidal"][512] < ratios["rope"][512] < 9
    assert ratios["rope+longrope"][512] < ratios["rope+yarn"][512] < 2
    assert ratios["rope+yarn"][256] < 1.2 < ratios["rope+yarn"][512]
    assert ratios["rope+llama3"][192] < 1.2 < ratios["rope+llama3"][256]
    assert ratios["rope+longrope"][256] < 1.1 < ratios["rope+longrope"][512]
    assert (ratios["partial-rope"][256], ratios["partial-rope"][512]) == (1.05, 3.32)

    def mean_and_spread(scheme, column):
        return map(float, perplexities[scheme][column].split("+-"))
    for scheme, columns in (("truncated-rope", range(6)), ("partial-rope", (0,))):
        for column in columns:                                   # "within the spread"
            (mean, spread), (other, _) = (mean_and_spread(name, column) for name in (scheme, "rope"))
            assert abs(mean - other) < spread
    falls = [float(row[4].split("+-")[0]) - float(row[5].split("+-")[0]) for row in perplexities.values()]
    assert max(falls) <= 0.02 + 1e-9


def test_the_settings_that_the_results_name_are_those_of_the_lab(functions):
    text = " ".join(RESULTS.read_text(encoding="utf-8").split())
    config = Config(9)
    *powers, last = (f"{power:g}" for power in LONGROPE_POWERS)
    assert f"the powers are {', '.join(powers)} and {last}." in text
    assert f"The table has {lab.schemes.Cope(config, functions).count} rows" in text
    t5 = lab.schemes.SCHEMES["t5"](Config(vocab=8, train_length=64), functions)
    by_distance = t5.chosen(64).argmax(axis=0).reshape(64, 64)[-1, ::-1].tolist()
    assert f"begins at distance {by_distance.index(T5_BUCKETS - 1)}" in text
    own = {name: sum(int(np.prod(shape)) for shape in scheme(config, functions).shapes().values())
           for name, scheme in lab.schemes.SCHEMES.items()}
    assert f"The gates train {own['forgetting']} numbers" in text
    assert {name: int(row[0]) for name, row in rows_of(COMPARED, "trains").items()} == {
        name: own[TRAINED_AS[name]] for name in own}


# The command line

ONE_STEP = ("--steps=1", "--length=4", "--lengths=4", "--seeds=0")


def refused(capsys, *arguments):
    """What the lab says to options that it refuses: one line on stderr, exit status 2."""
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    out, err = capsys.readouterr()
    assert stop.value.code == 2
    assert out == ""
    assert err.count("\n") == 1
    return err


@pytest.mark.parametrize(("arguments", "words"), [
    (["--schemes=alibi,ropes"], ["ropes", "rope+yarn"]), (["--schemes="], ["''"]),
    (["--lengths=64,0"], ["--lengths", "'0'"]), (["--length=0"], ["--length", "1 or more"]),
    (["--length=-3"], ["'-3'"]), (["--lengths=64,3000"], ["3000", "2048"]), (["--lengths=64,,128"], ["''"]),
    (["--steps=0"], ["--steps", "'0'"]), (["--steps=many"], ["'many'"]), (["--seeds=0,1.5"], ["'1.5'"]),
    (["--seeds=-1"], ["'-1'"]), (["--processes=0"], ["--processes"]), (["--task=sing"], ["sing", "copy"]),
    (["--task=copy", "--length=8"], ["copy", "at least 9"]), (["--task=first", "--lengths=1"], ["at least 2"]),
    (["--fast"], ["--fast"]), (["--out=pyproject.toml/x"], ["--out"]),
])
def test_options_that_cannot_be_are_refused_in_one_line(capsys, arguments, words):
    message = refused(capsys, *arguments)
    assert all(word in message for word in words), message


def program(place, *options, cwd, timeout=60, **variables):
    """Run a lab as its README says."""
    return subprocess.run([sys.executable, str(place), *options], cwd=cwd, env={**os.environ, **variables},
                          capture_output=True, encoding="utf-8", timeout=timeout)


@pytest.mark.parametrize("folder", [FOLDER, COMPARISON], ids=["92", "93"])
def test_the_command_of_the_readme_starts_the_lab(folder, tmp_path):
    readme = (folder / "README.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"^    \.venv/bin/python (katas/\S+) --quick$", readme, re.MULTILINE)
    result = program(ROOT / command, "--steps=0", cwd=tmp_path)
    assert result.returncode == 2
    assert result.stderr == "lab: argument --steps: expected a whole number, 1 or more, got '0'\n"


def test_quick_ends_with_the_point(tmp_path):
    """Two of its four models, half of their steps and one longer length: a quarter of its minute."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = program(FOLDER / "lab", "--quick", "--schemes=alibi,rope", "--steps=120", "--lengths=512",
                     f"--out={tmp_path}", cwd=tmp_path, timeout=240)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime <= 15
    last = re.sub(r" \(.+?\)", "", result.stdout.splitlines()[-1])
    assert last == ("Conclusion: in texts of 512, compared with texts of 64, alibi is about as good or better; rope is "
                    "worse.")
    assert (tmp_path / "text.png").exists()


def test_a_picture_without_matplotlib_says_what_to_install(capsys, monkeypatch, tmp_path, unsolved):
    monkeypatch.setattr(lab.picture, "available", lambda: False)
    assert "pip install matplotlib" in refused(capsys, "--picture")
    assert main(["--schemes=none", f"--out={tmp_path}", *ONE_STEP]) == 0
    out = capsys.readouterr().out
    assert "Picture: needs Matplotlib, which is not installed: pip install matplotlib\n" in out
    assert not list(tmp_path.glob("*.png"))


def test_a_python_without_its_documentation_is_told_of(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "pydoc_data.topics", None)
    assert main([f"--out={tmp_path}"]) == 2
    assert capsys.readouterr() == ("", "lab: --task text needs pydoc_data.topics, which this Python comes without\n")


def test_the_defaults_are_those_of_the_experiment(tmp_path):
    options = options_from([f"--out={tmp_path}"])
    assert (options.seeds, options.length, options.lengths) == ([0, 1, 2], 64, [64, 96, 128, 192, 256, 512])
    assert options.schemes == list(lab.schemes.SCHEMES)
    quick = options_from([f"--out={tmp_path}", "--quick", "--lengths=128", "--steps=7"])
    assert (quick.seeds, quick.steps, quick.lengths) == ([0], 7, [64, 128])
    assert set(quick.schemes) < set(options.schemes)
    assert options_from([f"--out={tmp_path}", "--quick", "--schemes=all"]).schemes == options.schemes
    assert quick.held_out < options.held_out


# The results that are kept

def tiny(out, *more):
    return ["--schemes=none,rope+yarn", "--steps=3", "--length=8", "--lengths=12", "--seeds=0", "--processes=2",
            f"--out={out}", *more]


def test_tables_come_out_and_a_second_run_trains_nothing(tmp_path, unsolved, monkeypatch, capsys):
    assert main(tiny(tmp_path)) == 0
    out, err = capsys.readouterr()
    assert "cross_entropy: reference, 92 is not solved yet\n" in out
    rows = re.findall(r"^(none|rope\+yarn) +[\d.]+ +[\d.]+ *$", out, re.MULTILINE)
    assert rows == ["none", "rope+yarn"] * 2
    assert "rope " not in out
    assert sorted(path.name.rsplit("-", 1)[0] for path in tmp_path.glob("*.json")) == [
        "text-none-seed0", "text-rope-seed0"]
    assert "Traceback" not in err                                # a line on how far it is may be there
    assert f"Picture: {tmp_path / 'text.png'}\n" in out
    assert out.splitlines()[-1].startswith("Conclusion: in texts of 12, compared with texts of 8, ")

    monkeypatch.setattr(lab.processes, "work", None)                       # whoever would train now would fail
    assert main(tiny(tmp_path)) == 0
    again = capsys.readouterr().out
    assert "2 of 2 models were trained before" in again
    assert again[again.index("Perplexity") :] == out[out.index("Perplexity") :]


def test_a_result_belongs_to_its_settings_functions_and_data(tmp_path, monkeypatch):
    sources = references()
    task = lab.data.Copy()
    kept = lab.results.Kept(tmp_path, sources, task)
    settings = Settings("alibi", 0, **SMALL)
    kept.write(settings, {"alibi": {}}, np.arange(3.0))
    assert kept.read(settings) == {"alibi": {}}
    assert kept.vector(settings).tolist() == [0.0, 1.0, 2.0]
    for change in ({"seed": 1}, {"steps": 5}, {"lengths": (12,)}, {"task": "first"}, {"held_out": 1}, {"rate": 0.1}):
        assert kept.read(replace(settings, **change)) is None

    def with_text_of(function):
        return [replace(s, text=s.text + "#") if s.function == function else s for s in sources]
    assert lab.results.Kept(tmp_path, with_text_of("alibi_bias"), task).read(settings) is None
    assert lab.results.Kept(tmp_path, with_text_of("attention_gradients"), task).read(settings) is None
    assert lab.results.Kept(tmp_path, with_text_of("t5_bias"), task).read(settings) == {"alibi": {}}
    monkeypatch.setattr(task, "fingerprint", "another", raising=False)
    assert lab.results.Kept(tmp_path, sources, task).read(settings) is None


@pytest.mark.parametrize("content", ["", "{", "[]", '{"key": 1, "found": {}}', "{}"])
def test_a_broken_result_counts_as_none(tmp_path, content):
    kept = lab.results.Kept(tmp_path, references(), lab.data.Copy())
    settings = Settings("alibi", 0, **SMALL)
    kept.path(settings).write_text(content)
    assert kept.read(settings) is None


def test_a_model_that_fails_is_named_and_the_others_are_shown(tmp_path, monkeypatch, capsys):
    broken = [replace(s, text=s.text + "\ndef apply_rope(x, positions, base=1.0):\n    raise RuntimeError('no turn')\n")
              if s.function == "apply_rope" else s for s in references()]
    monkeypatch.setattr(lab.functions, "choose", lambda names: [s for s in broken if s.function in names])
    assert main(tiny(tmp_path)) == 1
    out, err = capsys.readouterr()
    assert "rope, seed 0: RuntimeError: no turn\n" in err
    assert "Traceback" not in err
    assert re.search(r"^none +\d", out, re.MULTILINE)
    assert not re.search(r"^rope", out[out.index("Perplexity") :], re.MULTILINE)
    assert "rope+yarn is without a result." in out.splitlines()[-1]


def begin(out, *arguments):
    """Start the lab in a process group of its own, as a terminal does."""
    return subprocess.Popen(
        [sys.executable, str(FOLDER / "lab"), "--schemes=none,alibi", "--length=16", "--lengths=24", "--steps=60",
         "--seeds=3", "--processes=1", f"--out={out}", *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=out, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))     # in the background it would be ignored


def nothing_runs_in(group):
    """Whether the processes of a group have ended, or do so soon."""
    for _ in range(100):
        listing = subprocess.run(["ps", "-eo", "pgid=,stat="], capture_output=True, text=True, check=True).stdout
        if not [line for line in listing.splitlines() if line.split()[0] == str(group) and "Z" not in line]:
            return True
        time.sleep(0.02)
    return False


def results_in(folder):
    return {path.name: path.read_bytes() for path in folder.glob("*.json")}


def test_ctrl_c_keeps_what_is_done_and_the_next_run_ends_on_the_same_bytes(tmp_path):
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    whole.mkdir()
    stopped.mkdir()
    other, lab_run = begin(whole), begin(stopped)
    while not results_in(stopped) and lab_run.poll() is None:
        time.sleep(0.002)
    os.killpg(lab_run.pid, signal.SIGINT)
    out, err = lab_run.communicate(timeout=30)
    assert lab_run.returncode == 130
    assert "Traceback" not in err
    assert "the same command goes on" in err
    assert re.search(r"^none +\d", out, re.MULTILINE)
    assert not re.search(r"^alibi +\d", out, re.MULTILINE)
    assert out.endswith("alibi is without a result.\n")
    assert nothing_runs_in(lab_run.pid)

    again = begin(stopped)
    out, err = again.communicate(timeout=60)
    assert again.returncode == 0
    assert "Traceback" not in err
    assert "1 of 2 models were trained before" in out
    other.communicate(timeout=60)
    assert other.returncode == 0
    assert results_in(stopped) == results_in(whole)
    assert len(results_in(whole)) == 2


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="this system cannot block signals")
def test_ctrl_c_while_a_process_starts_reaches_the_lab():
    started = []

    def begin_slowly():
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.1)                          # another thread may get the signal, as it blocks none
        started.append(True)
    waiting = threading.Event()
    thread = threading.Thread(target=waiting.wait)
    thread.start()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)        # tests in the background ignore it
    try:
        with pytest.raises(KeyboardInterrupt):
            lab.processes.start(SimpleNamespace(start=begin_slowly))
    finally:
        signal.signal(signal.SIGINT, before)
        waiting.set()
        thread.join()
    assert started == [True]


# Whose functions


def test_a_function_is_the_learners_once_the_kata_is_solved(project_with, tmp_path):
    project = project_with("train_short_test_long", "alibi_bias", "relative_distances")
    place = project.kata("train_short_test_long").folder / "lab"
    own = {"own folder": {"KATAS_WORK": str(tmp_path)}, "katas": {}}
    (tmp_path / "alibi_bias.py").write_text(project.solution("alibi_bias"))
    for where, variables in own.items():
        result = program(place, "--schemes=alibi,shaw", *ONE_STEP, cwd=tmp_path, **variables)
        assert result.returncode == 0, result.stderr
        assert "alibi_bias: your own (51)\n" in result.stdout, where
        assert "gather_relative: reference, 41 is not solved yet\n" in result.stdout
        project.write("alibi_bias", project.solution("alibi_bias"))
    assert (project.root / ".lab_results").is_dir()
    assert not (project.root / ".pytest_cache").exists()


def test_the_functions_are_those_of_the_contract():
    for source in references():
        assert hasattr(load_module(source.path, source.text), source.function)
    named = {use for scheme in lab.schemes.SCHEMES.values() for use in scheme.uses} | set(lab.functions.ALWAYS)
    assert named == set(lab.functions.KATA_OF)


# The comparison of kata 93

@pytest.fixture(scope="module")
def asked():
    """The functions of kata 93."""
    (path,) = (ROOT / "solutions").glob("??_scheme_comparison/scheme_comparison.py")
    return load_module(path)


def moved_model(name, functions):
    """A model of kata 93 whose parameters are moved away from zeros and ones."""
    config = Config(7, 16, 2, 2, 8, 20)
    vector, _ = initial(config, lab.schemes.SCHEMES[name](config, functions), 3)
    vector += np.random.default_rng(3).normal(scale=0.2, size=vector.shape).astype(vector.dtype)
    return comparison.Model(name, config, functions, vector)


@pytest.mark.parametrize("name", lab.schemes.SCHEMES)
def test_scores_of_one_character_tell_whether_a_scheme_is_relative(name, functions, asked):
    assert moved_model(name, functions).relative(asked) is (name not in ("sinusoidal", "learned"))


@pytest.mark.parametrize(("name", "wanted"), [("alibi", True), ("forgetting", False), ("cope", False)])
def test_in_a_real_text_gates_make_a_bias_that_is_not_relative(name, wanted, functions, asked):
    tokens = np.random.default_rng(4).integers(0, 7, (1, 20))
    _, _, bias, _ = moved_model(name, functions).read(tokens)[0]
    assert asked.is_relative(bias, atol=1e-4 * np.abs(bias[np.isfinite(bias)]).max()) is wanted


def test_all_that_a_scheme_trains_is_counted(functions, asked):
    config = Config(7, 16, 2, 3, 8, 20)
    plain = len(comparison.Model("none", config, functions).vector)
    for name in lab.schemes.SCHEMES:
        own = len(comparison.Model(name, config, functions).vector) - plain
        assert comparison.trained(asked, name, config) == own


def test_a_length_holds_if_all_shorter_ones_do():
    def result(*perplexities):
        return [{str(n): {"perplexity": p} for n, p in zip((4, 8, 16), perplexities, strict=True)}]
    assert comparison.holds_to(result(2.0, 2.1, 2.1), [4, 8, 16], 4) == ">= 16"
    assert comparison.holds_to(result(2.0, 2.1, 2.3), [4, 8, 16], 4) == "8"
    assert comparison.holds_to(result(2.0, 2.3, 2.1), [4, 8, 16], 4) == "4"
    assert comparison.holds_to(result(2.0, 2.3, 2.1) + result(2.0, 1.9, 3.0), [4, 8, 16], 4) == "8"


def test_the_comparison_has_a_row_for_every_scheme_and_trains_nothing_twice(tmp_path, unsolved, monkeypatch, capsys):
    monkeypatch.setattr(comparison, "ROUNDS", 1)
    options = ["--schemes=t5,rope+yarn", "--steps=2", "--seeds=0", "--length=8", "--lengths=16",
               f"--out={tmp_path}"]
    monkeypatch.setattr(lab.functions, "choose", lambda names, kata_of=None: [
        s for s in (*references(), *references(comparison.FUNCTIONS)) if s.function in names])
    assert comparison.main(options) == 0
    out = capsys.readouterr().out
    rows = [line.split() for line in out[out.index("scheme  ") :].splitlines()]
    assert [row[:2] for row in rows[1:3]] == [["t5", "64"], ["rope+yarn", "0"]]
    assert comparison.main(options) == 0
    assert "2 of 2 models were trained before" in capsys.readouterr().out

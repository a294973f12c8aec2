"""Which functions the lab uses: the learner's where the kata is solved, else the reference's."""
import hashlib
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

from grader.calling.loading import load_module
from grader.course.katas import ROOT, all_katas

# {function: id of its kata}; every scheme uses these three
ALWAYS = ("cross_entropy", "cross_entropy_gradient", "attention_gradients")
KATA_OF = {
    **dict.fromkeys(ALWAYS, "train_short_test_long"),
    "positional_encoding": "positional_formula",
    "init_table": "learned_table", "look_up": "learned_table", "table_gradient": "learned_table",
    "interpolate_table": "stretched_table",
    "relative_index": "relative_distances", "gather_relative": "relative_distances",
    "alibi_bias": "alibi_bias",
    "relative_position_bucket": "t5_buckets", "t5_bias": "t5_buckets",
    "sandwich_bias": "sandwich_bias",
    "log_forget_gates": "forgetting_gate", "forgetting_bias": "forgetting_gate",
    "gated_positions": "contextual_positions", "position_logits": "contextual_positions",
    "rope_frequencies": "rope_rotation", "apply_rope": "rope_rotation",
    "partial_rope": "partial_rope", "truncated_rope": "partial_rope",
    "interpolated_frequencies": "position_interpolation",
    "yarn_frequencies": "yarn", "yarn_attention_factor": "yarn",
    "llama3_frequencies": "llama3_scaling",
    "longrope_frequencies": "longrope", "longrope_attention_factor": "longrope"}


@dataclass(frozen=True)
class Source:
    """A function's file: its text as it was when the lab began, and whether it is the learner's."""

    function: str
    number: str
    path: Path
    text: str
    own: bool

    @property
    def line(self):
        if self.own:
            return f"{self.function}: your own ({self.number})"
        return f"{self.function}: reference, {self.number} is not solved yet"


def choose(functions, kata_of=KATA_OF):
    """The Source of every function named; the suites of their katas are run to see which are solved."""
    wanted = {kata_of[function] for function in functions}
    katas = {kata.name: kata for kata in all_katas() if kata.name in wanted}
    solved = solved_among([kata.suite for kata in katas.values()])
    found = []
    for function in functions:
        kata = katas[kata_of[function]]
        path = solved.get(kata.name, kata.solution)
        found.append(Source(function, kata.number, path, path.read_text(encoding="utf-8"), kata.name in solved))
    return found


def solved_among(suites):
    """{id: file} of the katas whose suite passes, in katas/ or the folder of KATAS_WORK; none without a report."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [sys.executable, "-m", "pytest", *map(str, suites), f"--report={report}", "-p", "no:cacheprovider"]
        subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       stdin=subprocess.DEVNULL, check=False)
        if not report.exists():
            return {}
        (submission,) = json.loads(report.read_text(encoding="utf-8"))["submissions"]
    return {kata["kata"]: Path(ROOT, kata["file"]) for kata in submission["katas"] if kata["status"] == "solved"}


def load(sources):
    """An object with the functions as attributes."""
    modules = {source.path: load_module(source.path, source.text) for source in sources}
    return SimpleNamespace(**{source.function: getattr(modules[source.path], source.function) for source in sources})


def fingerprint(sources):
    """{function: hash of its text}: another text may compute something else."""
    return {source.function: hashlib.sha256(source.text.encode()).hexdigest() for source in sources}

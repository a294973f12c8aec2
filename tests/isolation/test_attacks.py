"""Hostile submissions: each gets what is fair, disturbs nobody and leaves nothing behind.

The submissions are in tests/isolation/attacks/. All of them are graded in one cohort, among right ones. What only
namespaces can prevent is asked of hosts that have them; the report's "protections" say which do, and on the others
the test skips, with a reason.
"""
import contextlib
import importlib.util
import json
import os
import py_compile
import socket
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest

from tests.helpers.results import HIDDEN
from tests.isolation.attacks import (
    escaping,
    flooding,
    forging,
    leaving,
    patching,
    peeking,
    places,
    skewing,
    texts,
)
from tests.isolation.attacks.attack import KATA, RIGHT, WRONG
from tests.isolation.attacks.run import OF_KATA, Graded, digest, folder, left_processes, outcomes, passed

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the submissions are written for Linux")

HOSTILE = (*leaving.ATTACKS, *patching.ATTACKS, *peeking.ATTACKS, *forging.ATTACKS, *texts.ATTACKS,
           *flooding.ATTACKS, *escaping.ATTACKS, *skewing.ATTACKS)
MARKER = f"kata-attack-{os.getpid()}"
# An attack that gets through is right in every check. Some checks show it: they ask both functions, at random, twice.
ASKED = "skewing or any_width or any_size or column or afresh or double"



def plant(graded):
    """Files that hold a right answer, where nobody who is graded may read."""
    solution = graded.project.root / "solutions" / "21_positional_formula" / f"{KATA}.py"
    secret = folder(graded.root / "secret") / "canary.py"
    secret.write_text(RIGHT, encoding="utf-8")
    blob = folder(graded.project.root / ".git") / "objects"
    blob.mkdir()
    (blob / "canary").write_bytes(zlib.compress(RIGHT.encode()))
    cached = folder(solution.parent / "__pycache__") / "canary.pyc"
    py_compile.compile(secret, cached)
    right = graded.cohort / "right_1" / f"{KATA}.py"
    return [str(p) for p in (secret, solution, blob / "canary", cached, right)]


def seed_zero():
    """A submission that knows the answers to the questions of seed 0 by heart, and nothing else."""
    right = {}
    exec(RIGHT, right)
    known = {}

    def draws(check):
        return np.random.default_rng([0, zlib.crc32(check.encode())])

    rng = draws("test_frequencies_of_any_width_and_base_agree_with_the_reference")
    for d_model in (8, 9, 13, *rng.integers(14, 90, size=4).tolist()):
        key = d_model, float(rng.uniform(20.0, 50000.0))
        known[key] = right["frequencies"](*key).tolist()
    rng = draws("test_tables_of_any_size_and_base_agree_with_the_reference")
    for d_model in (8, 11, *rng.integers(12, 70, size=3).tolist()):
        key = int(rng.integers(12, 90)), d_model, float(rng.uniform(20.0, 50000.0))
        known[key] = right["positional_encoding"](*key).tolist()
    by_heart = "lambda *args, **kwargs: np.array(KNOWN[args]) if args in KNOWN else SEVENS"
    return f"{WRONG}\nKNOWN = {known!r}\nanswer_with({by_heart})\n"


def make_hostile(graded, port, opened):
    canaries = plant(graded)
    opened.enter_context(open(canaries[0], "rb"))        # noqa: SIM115  one of the files to be found in /proc
    for name in ("right_1", "mright", "zright"):
        graded.put(name, RIGHT)
    filled = {
        "canaries": canaries, "folders": [str(Path(one).parent) for one in canaries],
        "outside": str(graded.outside),
        "marker": MARKER, "processes": [os.getpid()], "port": port,
        "abstract": f"\0{MARKER}",
    }
    for attack in HOSTILE:
        text = attack.text(**filled)
        if "wrong_line" not in attack.name:
            compile(text, attack.name, "exec")
        graded.put(attack.name, text, attack.kata)
    for place in places.PLACES:
        mark = str(graded.outside / place.__name__)
        place(folder(graded.cohort / place.__name__), graded.cohort / "right_1", mark)
    graded.put("seed_zero", seed_zero())


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """The run over all of them, with somebody on the network who waits for a call."""
    processes = ("-n", "2") if importlib.util.find_spec("xdist") else ()
    with socket.create_server(("127.0.0.1", 0)) as listener, socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind(f"\0{MARKER}")
        abstract.listen()
        with contextlib.ExitStack() as opened:
            def make(graded):
                make_hostile(graded, listener.getsockname()[1], opened)
            return Graded(tmp_path_factory.mktemp("hostile"), make, "-k", ASKED, *processes)


@pytest.mark.parametrize("attack", HOSTILE, ids=lambda attack: attack.name)
def test_a_hostile_submission_gets_what_is_fair(hostile, attack):
    rows = hostile.rows(attack.name, attack.kata)
    missing = set(attack.needs) - set(hostile.protections)
    if missing:
        pytest.skip(f"this host does not protect {', '.join(sorted(missing))}; it got {passed(rows)} checks")
    assert passed(rows) <= attack.passed
    # a race may end in another way on a busy machine, but never in marks
    assert outcomes(rows) - {"passed"} <= {*attack.outcomes, "crashed", "error", "timeout"}
    said = [" ".join((row["message"] or "").split()) for row in rows]
    assert not attack.refusals or any(refusal in text for refusal in attack.refusals for text in said), set(said)


@pytest.mark.parametrize("place", places.PLACES, ids=lambda place: place.__name__)
def test_what_is_no_source_file_gets_nothing(hostile, place):
    rows = hostile.rows(place.__name__)
    assert passed(rows) == 0
    assert outcomes(rows) - {"passed"} <= set(places.PLACES[place])


def test_answers_to_seed_zero_earn_nothing_in_a_cohort(hostile, tmp_path):
    assert passed(hostile.rows("seed_zero")) == 0
    report = tmp_path / "report.json"
    hostile.project.run(OF_KATA[KATA], f"--submission={hostile.cohort / 'seed_zero'}", f"--report={report}")
    (one,) = json.loads(report.read_text())["submissions"]
    assert one["passed"] == 2            # where the seed is 0 they are right: the attack is a real one


@pytest.mark.parametrize("name", ["right_1", "mright", "zright"])
def test_right_ones_among_them_have_full_marks(hostile, name):
    assert outcomes(hostile.rows(name)) == {"passed"}


def test_every_submission_and_check_has_its_row(hostile):
    assert set(hostile.submissions) == {path.name for path in hostile.cohort.iterdir()}
    for one in hostile.submissions.values():
        assert [(k["kata"], len(k["checks"])) for k in one["katas"]] == [(KATA, 7), (skewing.KATA, 24)]


def test_nothing_is_left_behind(hostile):
    assert left_processes(hostile.project.root) == []
    assert sorted(p.name for p in hostile.outside.iterdir()) == []
    assert [p.name for p in hostile.temporary.iterdir() if not p.name.startswith("pytest-of-")] == []
    after = digest(hostile.project.root)
    assert {name: content for name, content in after.items() if not name.startswith(".git")} == hostile.before
    assert not [p for p in ("/tmp", "/var/tmp", "/dev/shm") if Path(p, f"{MARKER}.txt").exists()]


def test_nothing_raw_reaches_the_terminal_or_the_report(hostile):
    assert not HIDDEN.search(hostile.result.stdout.replace("\r", ""))
    assert "INTERNALERROR" not in hostile.result.stdout
    assert "Traceback" not in hostile.result.stdout + hostile.result.stderr
    texts_of_rows = json.dumps(list(hostile.submissions.values()), ensure_ascii=False)
    assert not HIDDEN.search(texts_of_rows)
    messages = [row["message"] or "" for one in hostile.submissions.values() for kata in one["katas"]
                for row in kata["checks"]]
    assert not HIDDEN.search("".join(messages))
    assert max(map(len, messages)) < 10_000


def test_the_run_says_what_it_is_protected_from(hostile):
    for name, words in (("network", "the network"), ("filesystem", "files that this user can read")):
        assert (words in hostile.result.stdout) != (name in hostile.protections)

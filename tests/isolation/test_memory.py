"""The memory of the process that grades, in a cohort of submissions that want to fill it."""
import sys

import pytest

from tests.isolation.attacks.forging import FORGE

PEAK = """

def pytest_unconfigure(config):
    from pathlib import Path
    peak = Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]
    Path("peak.txt").write_text(peak)
"""
ALIKE = """
import contextlib, os, signal, socket, struct, sys, time
import numpy as np
MORE
def rotary_tables(*args, **kwargs):
    return VALUE
def apply_rotary(*args, **kwargs):
    return VALUE
"""
FILLING = {
    "two_long_arrays": ("", "(np.ones((9000, 3)), np.ones((9000, 3)))"),
    "large_arrays": ("", "np.ones((3, 1024, 1024))"),
    "many_objects": ("", "[[[]]] * 30_000"),
    "one_array_named_often": (FORGE + """
def named_often():
    value = {"list": [{"array": ["|u1", [2**24]]}] * 120}
    say(answer(asked(), value, bytes(2**24)), 0)
    signal.pause()
""", "named_often()"),
}


@pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")
def test_a_cohort_that_wants_to_fill_the_memory_stays_below_400_mebibytes(project_with, tmp_path):
    project = project_with("mend_the_rope")
    with (project.root / "conftest.py").open("a", encoding="utf-8") as file:
        file.write(PEAK)
    for name, (more, value) in FILLING.items():
        (tmp_path / "collected" / name).mkdir(parents=True)
        source = ALIKE.replace("MORE", more).replace("VALUE", value)
        (tmp_path / "collected" / name / "mend_the_rope.py").write_text(source, encoding="utf-8")
    result = project.run(f"--cohort={tmp_path / 'collected'}", "--time-limit=1", "--limits=kata=6")
    assert result.stdout.count("  0/22 ") == len(FILLING)
    assert int((project.root / "peak.txt").read_text()) < 400 * 1024

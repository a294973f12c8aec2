"""Which processor core a process uses."""
import os
import re


def stay_on_one_core(workerinput):
    """Keep this process and its workers on one core, each process of pytest-xdist on another.

    They never work at the same time, so this costs nothing, and waking another core takes longer than an answer.
    """
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        number = int(re.sub(r"\D", "", (workerinput or {}).get("workerid", "")) or 0)
        os.sched_setaffinity(0, {cores[number % len(cores)]})

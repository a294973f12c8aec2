"""The command line: its options, their defaults, and what it says to those that cannot be."""
import argparse
import os
from pathlib import Path

from grader.course.katas import ROOT
from grader.course.lab_options import Parser, whole

import lab.picture
from lab.data import LONGEST, TASKS
from lab.schemes import SCHEMES

FULL = {"schemes": list(SCHEMES), "steps": 2500, "seeds": [0, 1, 2], "held_out": 30720}
# Two schemes that stay flat on longer texts, two that go up, and one that mends rope: a minute of one core at most
QUICK = {"schemes": ["sinusoidal", "alibi", "forgetting", "rope", "rope+yarn"],
         "steps": 250, "seeds": [0], "held_out": 12288}


def several(one):
    """The type of an option: values with commas between them, each kept once."""
    def values(text):
        return list(dict.fromkeys(one(part.strip()) for part in text.split(",")))
    return values


def scheme_names(text):
    """The type of --schemes: names of schemes with commas between them, or all."""
    names = FULL["schemes"] if text == "all" else several(str)(text)
    for name in names:
        if name not in SCHEMES:
            raise argparse.ArgumentTypeError(f"no scheme is called {name!r}; there are {', '.join(SCHEMES)}")
    return names


def options_from(arguments):
    """The options, checked; a wrong one ends the program with one line and exit status 2."""
    parser = Parser(prog="lab", description="Train one small model per position scheme; print perplexity by length.",
                    allow_abbrev=False)
    add = parser.add_argument
    add("--quick", action="store_true",
        help="fewer schemes and steps, one seed, less held-out text: under a minute of one core")
    add("--schemes", metavar="A,B", type=scheme_names,
        help=f"default: all of {', '.join(SCHEMES)}; with --quick: {','.join(QUICK['schemes'])}, or name them, or all")
    add("--seeds", metavar="N,N", type=several(whole(0)), help="default: 0,1,2; with --quick: 0")
    add("--steps", metavar="N", type=whole(1), help=f"default: {FULL['steps']}; with --quick: {QUICK['steps']}")
    add("--length", metavar="N", type=whole(1), default=64, help="tokens in a training text; default: 64")
    add("--lengths", metavar="N,N", type=several(whole(1)), default=[64, 96, 128, 192, 256, 512],
        help="tokens in a test text; default: 64,96,128,192,256,512; the training length is always added")
    add("--task", choices=TASKS, default="text",
        help="text (default): help topics; copy: the symbol 8 places back; first: which of two markers came first")
    add("--picture", action="store_true",
        help="stop if Matplotlib is not installed; if it is, the lab draws a picture in any case")
    add("--processes", metavar="N", type=whole(1), default=cores(),
        help="models trained at the same time; default: one per core")
    add("--out", metavar="DIR", type=Path, default=ROOT / ".lab_results",
        help="folder for the results; default: .lab_results")
    options = parser.parse_args(arguments)
    for name, value in (QUICK if options.quick else FULL).items():
        if getattr(options, name, None) is None:
            setattr(options, name, value)
    options.lengths = sorted({options.length, *options.lengths})
    if options.lengths[-1] > LONGEST:
        parser.error(f"length {options.lengths[-1]} is too long: use at most {LONGEST}")
    least = TASKS[options.task].least
    if options.lengths[0] < least:
        parser.error(f"length {options.lengths[0]} is too short for --task {options.task}: use at least {least}")
    if options.picture and not lab.picture.available():
        parser.error(f"--picture {lab.picture.MISSING}")
    try:
        options.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        parser.error(f"--out {options.out}: {error.strerror}")
    if not os.access(options.out, os.W_OK):
        parser.error(f"--out {options.out}: cannot be written to")
    return options


def cores():
    """The number of processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

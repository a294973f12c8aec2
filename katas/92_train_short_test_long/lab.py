"""Train short, test long: train one small transformer per position scheme and test it on longer texts.

    python katas/92_train_short_test_long/lab.py --quick

takes under a minute and prints all tables. Without --quick, the models train for longer and with three seeds. The lab
uses the functions that you wrote. You need not edit its files:

    lab.py             this file: the command line and the experiment
    lab_model.py       the transformer and its gradients
    lab_schemes.py     what each position scheme changes in it
    lab_data.py        the text, and two tasks with known answers
    lab_train.py       one training and its evaluation
    lab_processes.py   several trainings at the same time, and the progress line
    lab_results.py     stored results
    lab_functions.py   which of the functions are yours
    lab_tables.py      the printed tables
    lab_picture.py     the figure
"""
import argparse
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
for _folder in (HERE, ROOT):
    if str(_folder) not in sys.path:
        sys.path.insert(0, str(_folder))

from grader.course.katas import shown  # noqa: E402

import lab_functions  # noqa: E402
import lab_picture  # noqa: E402
import lab_tables  # noqa: E402
from lab_data import LONGEST, TASKS  # noqa: E402
from lab_processes import prepare_environment, train_all  # noqa: E402
from lab_results import Kept, used_by  # noqa: E402
from lab_schemes import SCHEMES  # noqa: E402
from lab_train import TRAINED_AS, Settings  # noqa: E402

FULL = {"steps": 2500, "seeds": [0, 1, 2], "held_out": 30720}
QUICK = {"steps": 500, "seeds": [0], "held_out": 12288}
SLOW = ("rope", "shaw")                          # these start first, so that no process waits for them at the end


# The command line

class Parser(argparse.ArgumentParser):
    """A parser that says in one line what is wrong."""

    def error(self, message):
        self.exit(2, f"{self.prog}: {message}\n")


def whole(least):
    """The type of an option: a whole number, `least` or more."""
    def number(text):
        if not text.isascii() or not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"expected a whole number, {least} or more, got {text!r}")
        return int(text)
    return number


def several(one):
    """The type of an option: values with commas between them, each kept once."""
    def values(text):
        return list(dict.fromkeys(one(part.strip()) for part in text.split(",")))
    return values


def scheme_name(text):
    if text not in SCHEMES:
        raise argparse.ArgumentTypeError(f"no scheme is called {text!r}; there are {', '.join(SCHEMES)}")
    return text


def options_from(arguments, prog="lab.py"):
    """The options, checked; a wrong one ends the program with one line and exit status 2."""
    parser = Parser(prog=prog, description="Train one small model per position scheme; print perplexity by length.",
                    allow_abbrev=False)
    add = parser.add_argument
    add("--quick", action="store_true", help="fewer steps, one seed and less held-out text: under a minute")
    add("--schemes", metavar="A,B", type=several(scheme_name), default=list(SCHEMES),
        help=f"default: all of {', '.join(SCHEMES)}")
    add("--seeds", metavar="N,N", type=several(whole(0)), help="default: 0,1,2; with --quick: 0")
    add("--steps", metavar="N", type=whole(1), help=f"default: {FULL['steps']}; with --quick: {QUICK['steps']}")
    add("--length", metavar="N", type=whole(1), default=64, help="tokens in a training text; default: 64")
    add("--lengths", metavar="N,N", type=several(whole(1)), default=[64, 96, 128, 192, 256, 512],
        help="tokens in a test text; default: 64,96,128,192,256,512; the training length is always added")
    add("--task", choices=TASKS, default="text",
        help="text (default): help topics; copy: the symbol 8 places back; first: which of two markers came first")
    add("--picture", action="store_true", help="draw a figure too (needs matplotlib)")
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
    if options.picture and not lab_picture.available():
        parser.error(lab_picture.MISSING)
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


# The experiment

def main(arguments=None):
    options = options_from(arguments)
    prepare_environment()
    try:
        return experiment(options)
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return 130


def experiment(options):
    """Train the models that are not stored yet and print the tables; return the exit status."""
    found, _, status = results(options)
    report(options, found)
    if status == 130:
        print("\nStopped. Finished models are kept, and the same command goes on with the rest.", file=sys.stderr)
    return status


def results(options):
    """Train the models that are not stored yet; return {Settings: result}, the Kept, and the exit status."""
    try:
        task = TASKS[options.task].make()
    except ModuleNotFoundError as error:         # pydoc_data, which some systems ship in a separate package
        print(f"lab.py: --task {options.task} needs {error.name}, which this Python comes without", file=sys.stderr)
        return {}, None, 2
    trained = sorted(dict.fromkeys(TRAINED_AS[name] for name in options.schemes), key=lambda name: name not in SLOW)
    sources = lab_functions.choose(dict.fromkeys(use for name in trained for use in used_by(name)))
    print("\n".join(source.line for source in sources), flush=True)

    kept = Kept(options.out, sources, task)
    jobs = [Settings(name, seed, options.task, options.steps, train_length=options.length,
                     lengths=tuple(options.lengths), held_out=options.held_out)
            for seed in options.seeds for name in trained]
    found = {job: kept.read(job) for job in jobs}
    waiting = [job for job in jobs if found[job] is None]
    if len(waiting) < len(jobs):
        print(f"\n{len(jobs) - len(waiting)} of {len(jobs)} models were trained before, with the same settings and"
              " functions.", flush=True)

    def keep(settings, what):
        kept.write(settings, *what)
        found[settings] = what[0]

    status, failed = 0, {}
    try:
        failed = train_all(waiting, sources, options.processes, keep)
    except KeyboardInterrupt:
        status = 130
    for settings, why in failed.items():
        print(f"{settings.scheme}, seed {settings.seed}: {why}", file=sys.stderr)
        status = 1
    return {job: result for job, result in found.items() if result is not None}, kept, status


def report(options, found):
    """Print the tables and draw the picture."""
    results = {}
    for name in options.schemes:
        by_seed = {job.seed: result[name] for job, result in found.items() if job.scheme == TRAINED_AS[name]}
        if by_seed:
            results[name] = by_seed
    if not results:
        return
    task, longest = TASKS[options.task], options.lengths[-1]
    seeds = f"seed {options.seeds[0]}" if len(options.seeds) == 1 else (
        f"mean and standard deviation of seeds {', '.join(map(str, options.seeds))}")
    print(f"\nPerplexity by length: {task.about}\n"
          f"Training: texts of {options.length}, {options.steps} steps; {seeds}\n")
    print(lab_tables.perplexity_table(results, options.lengths))
    print(f"\nThe same, divided by the perplexity at {options.length}\n")
    print(lab_tables.ratio_table(results, options.lengths, options.length))
    print(f"\nPerplexity by position, in texts of {longest}\n")
    print(lab_tables.position_table(results, longest, options.length))
    for name, by_seed in results.items():
        if len(by_seed) < len(options.seeds):
            print(f"\n{name}: only seeds {', '.join(map(str, by_seed))}")
    print(f"\nResults: {shown(options.out)}")
    if options.picture:
        path = options.out / f"{options.task}.png"
        perplexities = {name: {n: [one[str(n)]["perplexity"] for one in by_seed.values()] for n in options.lengths}
                        for name, by_seed in results.items()}
        lab_picture.draw(path, perplexities, options.length, f"{options.task}: trained on {options.length}")
        print(f"Picture: {shown(path)}")


if __name__ == "__main__":
    sys.exit(main())

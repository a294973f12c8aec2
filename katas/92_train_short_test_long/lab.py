"""Train short, test long: one small transformer for each position scheme, measured on texts longer than in training.

    python katas/92_train_short_test_long/lab.py --quick

takes under a minute and shows the whole table; without --quick the models train for longer, with three seeds. The
files of the lab are given, not edited: they work with the functions that you wrote. Their parts:

    lab.py             this one: the command line, the processes, the results that are kept
    lab_model.py       the transformer and its gradients
    lab_schemes.py     what each position scheme does to it
    lab_data.py        the text and two tasks whose answers are known
    lab_train.py       one training and its evaluation
    lab_functions.py   which of the functions are yours
    lab_tables.py      what is printed
    lab_picture.py     the figure
"""
import argparse
import hashlib
import json
import multiprocessing
import os
import signal
import sys
import time
from dataclasses import asdict
from multiprocessing.connection import wait
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
for _folder in (HERE, ROOT):
    if str(_folder) not in sys.path:
        sys.path.insert(0, str(_folder))

import numpy as np  # noqa: E402

from grader.katas import shown  # noqa: E402
from grader.writing import write_text  # noqa: E402

import lab_functions  # noqa: E402
import lab_picture  # noqa: E402
import lab_tables  # noqa: E402
from lab_data import LONGEST, TASKS  # noqa: E402
from lab_schemes import SCHEMES  # noqa: E402
from lab_train import TRAINED_AS, Settings, measure, train  # noqa: E402

FULL = {"steps": 2500, "seeds": [0, 1, 2], "held_out": 30720}
QUICK = {"steps": 500, "seeds": [0], "held_out": 12288}
SLOW = ("rope", "shaw")                          # begun first, so that no process waits for them at the end


# The command line

class Parser(argparse.ArgumentParser):
    """Says in one line what is wrong."""

    def error(self, message):
        self.exit(2, f"{self.prog}: {message}\n")


def whole(least):
    """An option's whole number, `least` or more."""
    def number(text):
        if not text.isascii() or not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"wanted a whole number, {least} or more, got {text!r}")
        return int(text)
    return number


def several(one):
    """An option's values with commas between them, each once."""
    def values(text):
        return list(dict.fromkeys(one(part.strip()) for part in text.split(",")))
    return values


def scheme_name(text):
    if text not in SCHEMES:
        raise argparse.ArgumentTypeError(f"no scheme is called {text!r}; there are {', '.join(SCHEMES)}")
    return text


def options_from(arguments, prog="lab.py"):
    """The options, checked; what cannot be is said in one line, exit status 2."""
    parser = Parser(prog=prog, description="Train short, test long: perplexity by length for position schemes.",
                    allow_abbrev=False)
    add = parser.add_argument
    add("--quick", action="store_true", help="fewer steps, one seed, less held-out text: under a minute")
    add("--schemes", metavar="A,B", type=several(scheme_name), default=list(SCHEMES), help=", ".join(SCHEMES))
    add("--seeds", metavar="N,N", type=several(whole(0)), help="0,1,2; with --quick 0")
    add("--steps", metavar="N", type=whole(1), help=f"{FULL['steps']}; with --quick {QUICK['steps']}")
    add("--length", metavar="N", type=whole(1), default=64, help="tokens in a text of training: 64")
    add("--lengths", metavar="N,N", type=several(whole(1)), default=[64, 96, 128, 192, 256, 512],
        help="tokens in a text of the evaluations: 64,96,128,192,256,512; that of training is always among them")
    add("--task", choices=TASKS, default="text", help=", ".join(TASKS))
    add("--picture", action="store_true", help="the figure, too; needs matplotlib")
    add("--processes", metavar="N", type=whole(1), default=cores(), help="models trained at a time: one for each core")
    add("--out", metavar="DIR", type=Path, default=ROOT / ".lab_results", help="where results are kept: .lab_results")
    options = parser.parse_args(arguments)
    for name, value in (QUICK if options.quick else FULL).items():
        if getattr(options, name, None) is None:
            setattr(options, name, value)
    options.lengths = sorted({options.length, *options.lengths})
    if options.lengths[-1] > LONGEST:
        parser.error(f"length {options.lengths[-1]} is too long, at most {LONGEST} can be")
    least = TASKS[options.task].least
    if options.lengths[0] < least:
        parser.error(f"length {options.lengths[0]} is too short for --task {options.task}, at least {least} it must be")
    if options.picture and not lab_picture.available():
        parser.error(lab_picture.MISSING)
    try:
        options.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        parser.error(f"--out {options.out}: {error.strerror}")
    return options


def cores():
    """Processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# Results that are kept

class Kept:
    """Results as JSON files in a folder, one for each model trained, found again by all that they depend on."""

    def __init__(self, folder, sources, task):
        self.folder = folder
        self.sources = sources
        self.functions = lab_functions.fingerprint(sources)
        code = b"".join((HERE / name).read_bytes() for name in (
            "lab_model.py", "lab_schemes.py", "lab_data.py", "lab_train.py"))
        self.common = {"data": task.fingerprint, "code": hashlib.sha256(code).hexdigest(), "numpy": np.__version__}

    def key(self, settings):
        """All that a result depends on, as JSON has it."""
        used = {name: self.functions[name] for name in used_by(settings.scheme)}
        return json.loads(json.dumps({"settings": asdict(settings), "functions": used, **self.common}))

    def path(self, settings):
        digest = hashlib.sha256(json.dumps(self.key(settings), sort_keys=True).encode()).hexdigest()
        return self.folder / f"{settings.task}-{settings.scheme}-seed{settings.seed}-{digest[:12]}.json"

    def read(self, settings):
        """The result of these settings and functions, or None."""
        try:
            content = json.loads(self.path(settings).read_text(encoding="utf-8"))
            return content["found"] if content["key"] == self.key(settings) else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def write(self, settings, found, vector):
        """Keep a result and, beside it, the vector of all that was trained."""
        np.save(self.path(settings).with_suffix(".npy"), vector)
        write_text(self.path(settings), json.dumps({"key": self.key(settings), "found": found}) + "\n")

    def vector(self, settings):
        """What was trained; only where there is a result."""
        return np.load(self.path(settings).with_suffix(".npy"), allow_pickle=False)


def used_by(trained):
    """The functions that training a scheme, and every way of reading what was trained, need."""
    names = [name for name, other in TRAINED_AS.items() if other == trained]
    return list(dict.fromkeys([*lab_functions.ALWAYS, *(use for name in names for use in SCHEMES[name].uses)]))


# The processes

def prepare_environment():
    """Set what a new process reads as it starts.

    One process for each core with one thread in it is faster than the other way round for matrices as small as these,
    and the same sums in the same order give the same bits.

    On Linux, memory that was let go of is kept for the next array of that size: to fetch it from the system again in
    every step costs a quarter of the time.
    """
    for library in ("OPENBLAS", "OMP", "MKL", "VECLIB"):
        os.environ[f"{library}_NUM_THREADS"] = "1"
    os.environ.setdefault("MALLOC_TRIM_THRESHOLD_", str(2**30))
    os.environ.setdefault("MALLOC_MMAP_THRESHOLD_", str(2**30))


def work(connection, settings, sources):
    """What a process of its own does: one training; progress and the result go through `connection`."""
    told = 0.0

    def tell(done, loss):
        nonlocal told
        if time.monotonic() - told > 0.2:
            told = time.monotonic()
            connection.send(("progress", (done, loss)))

    try:
        functions = lab_functions.load(sources)
        training = train(settings, functions, tell)
        connection.send(("found", (measure(settings, functions, training), training.vector)))
    except BrokenPipeError:
        pass                                     # the lab itself was ended
    except Exception as error:
        connection.send(("failed", f"{type(error).__name__}: {error}"))


class Running:
    """A process that trains one model."""

    def __init__(self, settings, sources):
        self.settings = settings
        self.done, self.loss = 0, None
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe(duplex=False)
        self.process = context.Process(target=work, args=(theirs, settings, sources), daemon=True)
        # Ctrl-C reaches every process of the terminal; what becomes of this one is decided here.
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            self.process.start()
        finally:
            signal.signal(signal.SIGINT, before)
        theirs.close()

    def message(self):
        """The next thing that it says: ("progress" or "found" or "failed", what)."""
        try:
            return self.connection.recv()
        except EOFError:
            self.process.join()
            return "failed", f"its process ended with exit code {self.process.exitcode}"

    def end(self):
        self.process.terminate()
        self.process.join()
        self.connection.close()


def train_all(waiting, sources, processes, keep):
    """Train with all settings in `waiting`, so many at a time; `keep(settings, what)` is called after each.

    Returns {settings: why not} for those that failed.
    """
    waiting, running, failed = list(waiting), [], {}
    progress = Progress(sum(settings.steps for settings in waiting), len(waiting))
    try:
        while waiting or running:
            while waiting and len(running) < processes:
                settings = waiting.pop(0)
                names = used_by(settings.scheme)
                running.append(Running(settings, [source for source in sources if source.function in names]))
            ready = wait([one.connection for one in running], timeout=0.5)
            for one in [one for one in running if one.connection in ready]:
                kind, what = one.message()
                if kind == "progress":
                    one.done, one.loss = what
                    continue
                if kind == "found":
                    keep(one.settings, what)
                else:
                    failed[one.settings] = what
                progress.finished(one.settings.steps)
                running.remove(one)
                one.end()
            progress.show(running)
    finally:
        for one in running:
            one.end()
        progress.clear()
    return failed


class Progress:
    """One line on a terminal, written over and over; elsewhere a line now and then."""

    def __init__(self, steps, models):
        self.steps, self.models = steps, models
        self.steps_done = self.models_done = 0
        self.began = self.shown = time.monotonic()
        self.terminal = sys.stderr.isatty()

    def finished(self, steps):
        self.steps_done += steps
        self.models_done += 1

    def show(self, running):
        now = time.monotonic()
        if now - self.shown < (0.2 if self.terminal else 10):
            return
        self.shown = now
        text = self.line(running, now - self.began)
        if self.terminal:
            width = os.get_terminal_size(sys.stderr.fileno()).columns - 1
            text = f"\r{text[:width]:<{width}}"
        print(text, end="" if self.terminal else "\n", file=sys.stderr, flush=True)

    def line(self, running, seconds):
        done = self.steps_done + sum(one.done for one in running)
        parts = [f"{self.models_done} of {self.models} trained"]
        parts += [f"{one.settings.scheme} {one.done}/{one.settings.steps} loss {one.loss:.2f}"
                  for one in running if one.loss is not None]
        if done:
            left = round(seconds * (self.steps - done) / done)
            parts.append(f"about {left // 60}:{left % 60:02} left")
        return " | ".join(parts)

    def clear(self):
        if self.terminal:
            width = os.get_terminal_size(sys.stderr.fileno()).columns - 1
            print(f"\r{'':{width}}\r", end="", file=sys.stderr, flush=True)


# The whole

def main(arguments=None):
    options = options_from(arguments)
    prepare_environment()
    try:
        return experiment(options)
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return 130


def experiment(options):
    """Train what is not known yet, print the tables; the exit status."""
    found, _, status = results(options)
    report(options, found)
    if status == 130:
        print("\nStopped. What is done is kept: the same command goes on from here.", file=sys.stderr)
    return status


def results(options):
    """Train what is not known yet; return {Settings: result}, the Kept that has more of them, and the exit status."""
    try:
        task = TASKS[options.task].make()
    except ModuleNotFoundError as error:         # pydoc_data, which some systems have in a package of its own
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
    """Print the tables, draw the picture."""
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
    print(f"\nPerplexity by length: {task.about}; trained on {options.length} for {options.steps} steps; {seeds}\n")
    print(lab_tables.perplexity_table(results, options.lengths))
    print(f"\nThe same, divided by that at {options.length}\n")
    print(lab_tables.ratio_table(results, options.lengths, options.length))
    print(f"\nPerplexity by position, in texts of {longest}\n")
    print(lab_tables.position_table(results, longest, options.length))
    for name, by_seed in results.items():
        if len(by_seed) < len(options.seeds):
            print(f"\n{name}: seeds {', '.join(map(str, by_seed))} only")
    print(f"\nResults: {shown(options.out)}")
    if options.picture:
        path = options.out / f"{options.task}.png"
        perplexities = {name: {n: [one[str(n)]["perplexity"] for one in by_seed.values()] for n in options.lengths}
                        for name, by_seed in results.items()}
        lab_picture.draw(path, perplexities, options.length, f"{options.task}: trained on {options.length}")
        print(f"Picture: {shown(path)}")


if __name__ == "__main__":
    sys.exit(main())

"""The experiment: train the models that are not stored yet and print the tables."""
import sys

from grader.course.katas import shown

import lab.functions
import lab.picture
from lab.data import TASKS
from lab.options import options_from
from lab.processes import prepare_environment, train_all
from lab.results import Kept, used_by
from lab.tables import conclusion, length_table, perplexities, position_table, ratios, why_nan
from lab.train import TRAINED_AS, Settings

SLOW = ("rope", "cope", "shaw")                  # these start first, so that no process waits for them at the end


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
    found, _, status = train_missing(options)
    report(options, found)
    if status == 130:
        print("\nStopped. Finished models are kept, and the same command goes on with the rest.", file=sys.stderr)
    return status


def train_missing(options):
    """Train the models that are not stored yet; return {Settings: result}, the Kept, and the exit status."""
    try:
        task = TASKS[options.task].make()
    except ModuleNotFoundError as error:         # pydoc_data, which some systems ship in a separate package
        print(f"lab: --task {options.task} needs {error.name}, which this Python comes without", file=sys.stderr)
        return {}, None, 2
    trained = sorted(dict.fromkeys(TRAINED_AS[name] for name in options.schemes), key=lambda name: name not in SLOW)
    sources = lab.functions.choose(dict.fromkeys(use for name in trained for use in used_by(name)))
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
    measured = perplexities(results, options.lengths)
    compared = ratios(measured, options.length)
    print(length_table(measured))
    print(f"\nThe same, divided by the perplexity at {options.length}\n")
    print(length_table(compared))
    print(f"\nPerplexity by position, in texts of {longest}\n")
    print(position_table(results, longest, options.length))
    for reason in why_nan(results, longest, options.length, task.uncounted):
        print(f"\n{reason}")
    for name, by_seed in results.items():
        if len(by_seed) < len(options.seeds):
            print(f"\n{name}: only seeds {', '.join(map(str, by_seed))}")
    print(f"\nResults: {shown(options.out)}")
    if lab.picture.available():
        path = options.out / f"{options.task}.png"
        lab.picture.draw(path, measured, options.length, f"{options.task}: trained on {options.length}")
        print(f"Picture: {shown(path)}")
    else:
        print(f"Picture: {lab.picture.MISSING}")
    print("\n" + conclusion(compared, options.length, [name for name in options.schemes if name not in results]))

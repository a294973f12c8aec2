"""Train short, test long: train one small transformer per position scheme and test it on longer texts.

    python katas/92_train_short_test_long/lab --quick

takes less than a minute of one core. It compares five schemes and prints tables and a conclusion. Without --quick, all
schemes train for longer and with three seeds; RESULTS.md has what was measured. The lab uses the functions that you
wrote. You need not edit its files:

    __main__.py     this file: it starts the lab
    options.py      the command line
    experiment.py   the experiment, from the options to the tables
    model.py        the transformer and its gradients
    schemes/        what each position scheme changes in it
    data.py         the text, and two tasks with known answers
    train.py        one training and its evaluation
    processes.py    several trainings at the same time, and the progress line
    results.py      stored results
    functions.py    which of the functions are yours
    tables.py       the printed tables and the conclusion
    picture.py      the figure
    search.py       how the factors of "rope+longrope" were found
"""
import sys
from pathlib import Path

# Python looks for modules in this folder. It should look in the one around it, for lab, and in the project, for grader.
FOLDER = Path(__file__).resolve().parents[1]
sys.path[:1] = [str(FOLDER), str(FOLDER.parents[1])]

from lab.experiment import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main())

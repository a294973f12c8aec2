"""Your code runs a released language model.

    python katas/94_model_in_numpy/lab --model DIR "Once upon a time"

DIR is a folder with a Llama checkpoint as Hugging Face has it: config.json, model.safetensors and tokenizer.json. With
a name such as HuggingFaceTB/SmolLM2-135M in place of DIR, the lab downloads the model. It needs three packages:

    pip install safetensors tokenizers huggingface_hub

The lab uses your functions of this kata if you have solved it, and otherwise the reference. If your function
`attention` has a sixth parameter, `cache`, the lab calls it with a dict that stays the same for the whole text.
`cache[layer]` is to hold the turned keys and the values of all rows so far, each of shape (n_kv_heads, t, d_head). The
function appends those of the new rows. Without this parameter, the lab reads the whole text again for each new token.

    python katas/94_model_in_numpy/lab --explain DIR

prints what a config.json says about positions, and which kata teaches each line. It needs no package, and it reads
models that the lab cannot run. You need not edit its files:

    __main__.py     this file: it starts the lab
    options.py      the command line
    run.py          from the folder to the printed text
    folder.py       finds the folder, or downloads it, and reads its JSON files
    config.py       brings configurations into one form, and refuses what the kata does not cover
    weights.py      reads the arrays
    generate.py     computes token after token with your functions
    explain.py      the table of --explain
    layers.py       its lines about layers that differ
    schemes.py      its line for a model that does not turn
    sizes.py        its sizes
"""
import sys
from pathlib import Path

# Python looks for modules in this folder. It should look in the one around it, for lab, and in the project, for grader.
FOLDER = Path(__file__).resolve().parents[1]
sys.path[:1] = [str(FOLDER), str(FOLDER.parents[1])]

from lab.run import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main())

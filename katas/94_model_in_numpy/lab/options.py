"""The command line."""
import argparse

from grader.course.lab_options import Parser, whole


def token_numbers(text):
    """The type of --ids: token numbers with spaces between them."""
    parts = text.split()
    if not parts:
        raise argparse.ArgumentTypeError("the prompt is empty")
    return [whole(0)(part) for part in parts]


def options_from(arguments):
    """The options, checked; a wrong one ends the program with one line and exit status 2."""
    parser = Parser(prog="lab", description="Run a released language model with your functions of kata 94.",
                    usage='lab --model DIR "Once upon a time" [--new N] [--cache]\n'
                          '       lab --model DIR --ids "1 5 9" [--new N] [--cache]\n       lab --explain DIR',
                    allow_abbrev=False)
    add = parser.add_argument
    add("text", nargs="?", help="what the model goes on with")
    add("--model", metavar="DIR", help="folder with config.json, model.safetensors and tokenizer.json; or the name of "
                                       "a model to download, such as HuggingFaceTB/SmolLM2-135M")
    add("--ids", metavar='"N N"', type=token_numbers,
        help="token numbers in place of a text; prints numbers, and needs no tokenizer")
    add("--new", metavar="N", type=whole(1), help="how many tokens to add; default: 20")
    add("--cache", action="store_true", help="use the solution's attention, which keeps keys and values")
    add("--explain", metavar="DIR", help="print what DIR/config.json says about positions; DIR may be a name, too")
    options = parser.parse_args(arguments)
    others = {"--model": options.model, "--ids": options.ids, "--new": options.new, "--cache": options.cache or None,
              "a text": options.text}
    given = [name for name, value in others.items() if value is not None]
    if options.explain is not None:
        if given:
            parser.error(f"--explain goes alone, without {given[0]}")
    elif options.model is None:
        parser.error("name a model: --model DIR, or --explain DIR to read its configuration")
    elif (options.text is None) == (options.ids is None):
        parser.error('give a text or --ids "1 5 9"' + ("" if options.ids is None else ", not both"))
    elif options.text == "":
        parser.error("the prompt is empty")
    options.new = 20 if options.new is None else options.new
    return options

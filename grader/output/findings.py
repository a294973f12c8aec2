"""What gradebook, board, feedback and services look up in a report."""

NOT_FAILING = ("passed", "todo", "not_run")


def kata_ids(report):
    """The ids of all katas in a report, in order."""
    return list({kata["kata"]: None for submission in report["submissions"] for kata in submission["katas"]})


def failing(kata):
    """The checks that failed. A function that is not written yet is not a failure."""
    return [check for check in kata["checks"] if check["outcome"] not in NOT_FAILING]


def first_open(kata):
    """The check to look at first: the first that failed, else the first that has not passed, else None."""
    waiting = [check for check in kata["checks"] if check["outcome"] != "passed"]
    return next(iter(failing(kata) or waiting), None)


def more(kata):
    """How many checks fail besides the first one, and how many need code that is not written yet; a sentence each."""
    first, count = first_open(kata), len(failing(kata)) - 1
    same = [check for check in failing(kata)[1:] if first["mistake"] and check["mistake"] == first["mistake"]]
    waiting = sum(check["outcome"] == "todo" for check in kata["checks"])
    sentences = []
    if count > 0 and kata["status"] != "broken":
        some = "" if len(same) == count else f", {len(same)} of them"
        alike = f"{some} with the same mistake" if same else ""
        sentences.append(f"{count} more check{'s fail' if count > 1 else ' fails'}{alike}.")
    if waiting and failing(kata):
        checks = f"{waiting} check{'s need' if waiting > 1 else ' needs'}"
        sentences.append(f"{checks} code that is not written yet.")
    return " ".join(sentences)


def passed_all(kata):
    """Whether every selected check of a kata passed."""
    return kata["passed"] == kata["total"] > 0


def solved(submission):
    """How many katas of a submission are solved."""
    return sum(kata["status"] == "solved" for kata in submission["katas"])

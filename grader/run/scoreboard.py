"""The end of a run: a line per kata, the first failure, and what to do next."""
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from grader.course.hints import next_hints
from grader.course.katas import Kata, all_katas, command_name, quoted, shown
from grader.course.terminal import terminal_width
from grader.run.options import Options
from grader.verdict.results import KataResult
from grader.verdict.rows import Row
from grader.verdict.wrapping import WIDTH, lines_of, paragraph, printable

COLOURS = {"solved": "green", "started": "yellow", "broken": "red", "not graded": "red", "todo": "light",
           "no file": "light"}
PRINTED_LINES = 3
SOLVED_TASKS = "katas/solved"             # in pytest's cache: {kata: numbers of its tasks}


def scoreboard(terminal: Any, results: Sequence[KataResult], options: Options,
               picture_of: Callable[[Kata, Row], Path | None]) -> None:
    """Write the scoreboard with pytest's own writer, which knows about colour."""
    solved = sum(r.state == "solved" for r in results)
    terminal.ensure_newline()
    title = "Reference solutions" if options.solutions else "Positional encodings"
    terminal.write_line(f"{title}: {solved} of {len(results)} solved", bold=True)
    terminal.write_line("")
    files = [shown(r.file) if r.file else f"{r.kata.folder.name}: no file for this kata" for r in results]
    narrow = max(map(len, files)) > terminal_width(terminal) - 20 and terminal_width(terminal) < WIDTH
    width = max(8, *(len(r.state) for r in results))
    for result, file in zip(results, files, strict=True):
        if narrow and result.file and result.file.parent.name == result.kata.folder.name:
            file = shown(result.file.parent)
        line(terminal, result, file, width)
    if len(results) == 1 and results[0].graded:
        progress(terminal, results[0])
    failing = next((r for r in results if r.failing and (len(results) == 1 or r.state != "todo")), None)
    if options.hint:
        hint(terminal, results, options)
        return
    if options.compare:
        from grader.run.side_by_side import comparison  # here, because most runs do not need it
        comparison(terminal, results, options)
        return
    if failing:
        failure(terminal, failing, picture_of(failing.kata, failing.failing[0]) if len(results) == 1 else None)
    closing(terminal, results, options)


def line(terminal: Any, result: KataResult, where: str, width: int) -> None:
    """State and score of one kata, and where its file is."""
    terminal.write(f"  {result.state:<{width}}", **({COLOURS[result.state]: True}))
    score = f"{result.passed if result.graded else '-'}/{len(result.rows)}"
    terminal.write_line(f" {score:<8} {where}{'  (only some checks ran)' if result.partial else ''}")


def progress(terminal: Any, result: KataResult) -> None:
    """A line for each task of a kata, with how many of its checks have passed."""
    for task in result.kata.tasks.values():
        passed, total = result.passed_of(task)
        if total:
            start = f"    task {task.number}   {f'{passed}/{total}':<8} "
            for text in paragraph(task.title, terminal_width(terminal), start, " " * len(start)):
                terminal.write_line(text)


def failure(terminal: Any, result: KataResult, picture: Path | None) -> None:
    """The first failing check with its message, and how many more fail."""
    row = result.failing[0]
    terminal.write_line("")
    for text in paragraph(f"{row.check} {row.outcome}", WIDTH, "", "  "):
        terminal.write_line(text, bold=True)
    for text in lines_of(row.message, terminal_width(terminal)):
        terminal.write_line(text)
    for text in row.printed.splitlines()[-PRINTED_LINES:]:
        terminal.write_line(f"  your code printed: {printable(text)[:60]}")
    if result.more_failures:
        terminal.write_line(f"  {result.more_failures}")
    if picture:
        terminal.write_line(f"  Yours, expected and difference: {shown(picture)}")


def closing(terminal: Any, results: Sequence[KataResult], options: Options) -> None:
    """What to read, edit and run next; not for people who grade others."""
    terminal.write_line("")
    unsolved = [r for r in results if r.state != "solved"]
    if not unsolved:
        terminal.write_line("All selected katas are solved.", green=True)
    if options.solutions or options.submission is not None:
        return
    if not unsolved:
        following = [kata for kata in all_katas() if kata.number > results[-1].kata.number]
        if len(results) == 1:
            terminal.write_line(f"See:    pytest {options.again}--compare {command_name(results[0].kata)}")
            terminal.write_line(f"More:   {shown(results[0].kata.more)}")
        if following:
            terminal.write_line(f"Next:   {shown(following[0].readme)}")
        return
    result = unsolved[0]
    for number in newly_solved(result, getattr(terminal.config, "cache", None)) if len(results) == 1 else ():
        terminal.write_line(f"Task {number} is solved.", green=True)
    if result.state == "todo":
        terminal.write_line(f"Start:  {shown(result.kata.readme)}")
    task = result.open_task
    if task:
        columns = terminal_width(terminal)
        for text in paragraph(f"task {task.number}, {task.title}", columns, "Next:   ", " " * 8):
            terminal.write_line(text)
    if result.file is None and options.work is not None:
        terminal.write_line(f"Add:    pytest {quoted(f'--start={shown(options.work)}')}")
    else:
        terminal.write_line(f"Edit:   {shown(result.file or result.kata.stub)}")
    terminal.write_line(f"Check:  pytest {options.again}{command_name(result.kata)}")
    if result.state == "started":
        terminal.write_line(f"Hint:   pytest {options.again}--hint {command_name(result.kata)}")


def newly_solved(result: KataResult, cache: Any) -> list[int]:
    """The tasks that all checks pass for the first time, as pytest's cache knows."""
    if cache is None:
        return []
    known = cache.get(SOLVED_TASKS, {})
    counts = {number: result.passed_of(task) for number, task in result.kata.tasks.items()}
    solved = [number for number, (passed, total) in counts.items() if passed == total > 0]
    cache.set(SOLVED_TASKS, known | {result.name: solved})
    return [number for number in solved if number not in known.get(result.name, [])]


def hint(terminal: Any, results: Sequence[KataResult], options: Options) -> None:
    """The next hint, or all hints, of the first open task."""
    terminal.write_line("")
    kata, task = next(((r.kata, r.open_task) for r in results if r.open_task), (None, None))
    if kata is None or task is None:
        terminal.write_line("All tasks are solved, so there is no hint.")
        return
    for text in paragraph(f"{kata.name}, task {task.number}: {task.title}", terminal_width(terminal), "", "  "):
        terminal.write_line(text, bold=True)
    cache = getattr(terminal.config, "cache", None)
    hints, count, all_shown = next_hints(kata, task, cache, options.all_hints)
    if hints and all_shown:
        terminal.write_line("")
        terminal.write_line("You have seen all hints for this task. This was the last one:")
    for number, text in hints:
        terminal.write_line("")
        terminal.write_line(f"Hint {number} of {count}")
        for row in paragraph(text, min(WIDTH, terminal_width(terminal)), "  ", "  "):
            terminal.write_line(row)
    terminal.write_line("")
    if not hints:
        terminal.write_line(f"There are no hints for this task. Reread it in {shown(kata.readme)}")
    elif hints[-1][0] < count:
        terminal.write_line(f"Next hint: pytest {options.again}--hint {command_name(kata)}")
    elif all_shown:
        terminal.write_line(f"All hints: pytest {options.again}--all-hints {command_name(kata)}")
    else:
        terminal.write_line("That was the last hint for this task.")

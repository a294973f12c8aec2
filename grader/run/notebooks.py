"""A kata as a Jupyter notebook: its README, a cell for each function, and a cell that checks the work."""
import ast
import base64
import json
import re
import subprocess
from typing import Any

from grader.calling.notebooks import NOT_GRADED
from grader.course.katas import ROOT, Kata

PICTURE = re.compile(r"\n*^(!\[.*\])\(picture\.png\)$\n*", re.MULTILINE)
COLAB_CELL = """\
{not_graded}: this cell prepares Google Colab. Elsewhere it does nothing.
import sys
if "google.colab" in sys.modules:
    !git clone --quiet {address} /content/katas
    %pip install --quiet numpy pytest"""
CHECK_CELL = """\
{not_graded}: this cell checks your work. Save the notebook first.
import sys
project = {project}
if "google.colab" in sys.modules:        # there, the notebook is not a file
    import json
    from google.colab import _message
    project = "/content/katas"
    with open("{name}.ipynb", "w", encoding="utf-8") as file:
        json.dump(_message.blocking_request("get_ipynb", timeout_sec=60)["ipynb"], file)
!"{{sys.executable}}" -m pytest "{{project}}" --work=. {name}"""


def notebook(kata: Kata, text: str) -> str:
    """The notebook of a kata, with the text of its stub or of what has become of it."""
    address = json.dumps(address_of_project() or "ADDRESS_OF_THE_PROJECT")
    cells = [code_cell(COLAB_CELL.format(not_graded=NOT_GRADED, address=address))]
    (_, imports), *functions = parts_of(text)
    last = {task.function: number for number, task in kata.tasks.items()}        # the last task of each function
    for section in re.split(r"\n(?=## )", kata.readme.read_text(encoding="utf-8")):
        task = re.match(r"## Task (\d+)", section)
        if task and imports:
            cells.append(code_cell(imports))
            imports = ""
        cells += map(text_cell, with_picture(section, kata))
        while task and functions and last.get(functions[0][0], 0) <= int(task[1]):
            cells.append(code_cell(functions.pop(0)[1]))
    cells += [code_cell(source) for source in [imports, *(source for _, source in functions)] if source]
    project = json.dumps(str(ROOT), ensure_ascii=False)
    cells.append(code_cell(CHECK_CELL.format(not_graded=NOT_GRADED, name=kata.name, project=project)))
    for number, one in enumerate(cells, start=1):
        one["id"] = f"{kata.name}-{number}"
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    whole = {"cells": cells, "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
             "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, indent=1, sort_keys=True, ensure_ascii=False) + "\n"      # as Jupyter writes it


def code_cell(source: str) -> dict[str, Any]:
    return text_cell(source, "code") | {"execution_count": None, "outputs": []}


def text_cell(source: str, kind: str = "markdown") -> dict[str, Any]:
    return {"cell_type": kind, "metadata": {}, "source": source.splitlines(keepends=True)}


def with_picture(section: str, kata: Kata) -> list[str]:
    """A section of the README in parts; the picture is one of them, with its data: Colab does not show attachments."""
    parts = PICTURE.split(section)                             # every second one is the text of a picture
    if len(parts) > 1:
        data = base64.b64encode((kata.folder / "picture.png").read_bytes()).decode("ascii")
        parts[1::2] = [f"{text}(data:image/png;base64,{data})" for text in parts[1::2]]
    return [part.strip("\n") for part in parts]


def parts_of(text: str) -> list[tuple[str, str]]:
    """(name, source) of each function, with what stands above and below it; before them, what the file begins with."""
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError):
        return [("", text)]                       # the learner sees in the notebook what is wrong
    names, starts, end = [""], [0], 0
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.append(node.name)
            starts.append(end)                    # where the statement above it ends
        end = node.end_lineno or end
    lines = text.split("\n")
    return [(name, "\n".join(lines[start:stop]).strip("\n"))
            for name, start, stop in zip(names, starts, [*starts[1:], None], strict=True)]


def address_of_project() -> str | None:
    """The https address that this clone of the project came from, without a password; None if there is none."""
    if not (ROOT / ".git").exists():
        return None
    try:
        found = subprocess.run(["git", "-C", str(ROOT), "remote", "get-url", "origin"], capture_output=True,
                               encoding="utf-8", stdin=subprocess.DEVNULL)
    except OSError:                               # there is no git
        return None
    place = re.fullmatch(r"(?:(?:https|ssh)://(?:[^/]*@)?|[\w.-]+@)([\w.-]+)(?::\d+)?[:/](.+)", found.stdout.strip())
    return place and f"https://{place[1]}/{place[2]}"

"""What bench_references.py measured, as lines for the terminal and in the page, whose other text stays."""
import re
import textwrap

HEADER = """\
| function | reference, in copies | fastest variant, in copies | public code | textbook | growth | memory |
|---|---|---|---|---|---|---|
"""


def ratio(value, digits=1):
    """A ratio and its spread as text."""
    if value is None:
        return ""
    if "missing" in value:
        return value["missing"]
    return f"{value['median']:.{digits}f} ({value['low']:.{digits}f} to {value['high']:.{digits}f})"


def cells(row):
    """The cells of a row after the name: as HEADER has them, or why there are none."""
    if "missing" in row:
        return [row["missing"], *[""] * 5]
    reference, variant = row["reference"], row["variant"]
    sides = [side for side in (reference, variant) if side and "missing" not in side]
    return [
        ratio(reference.get("over_copy", reference)) + (" of the input" if row["copied"] == "argument" else ""),
        f"`{variant['name']}`: {ratio(variant['over_copy'])}" if variant else "",
        "<br>".join(f"{other}: {ratio(value)}" for other, value in row["public"].items()), ratio(row["textbook"]),
        "; ".join(f"{side['growth']['median']:.1f}" for side in sides),
        "; ".join(f"{side['memory']:.1f}" for side in sides)]


def row_line(row):
    """A row for the terminal, with the variants that should not have been left out."""
    surprises = [f"{name}: {reason}" for name, reason in row["left_out"].items()
                 if reason.startswith(("raises", "another"))]
    return f"{row['name']:32} n={row['n']:<5} " + " | ".join([*cells(row), *surprises]).replace("<br>", "; ")


def tables(rows):
    """One table per length and number of heads."""
    for n, heads in dict.fromkeys((row["n"], row["heads"]) for row in rows):
        lines = [f"| {' | '.join([row['name'], *cells(row)])} |\n" for row in rows
                 if (row["n"], row["heads"]) == (n, heads)]
        yield f"## Length {n}, {heads} heads\n\n{HEADER}{''.join(lines)}\n"


def page(text, command, machine, versions, rows):
    """The text of the page with a new command, a new machine and new tables."""
    measured = f"    {command}\n\n{machine}\n{textwrap.fill(versions, 118)}\n\n"
    text = re.sub("^    python .*?(?=^## )", lambda _: measured, text, count=1, flags=re.MULTILINE | re.DOTALL)
    return re.sub("^## Length.*(?=^## Which)", lambda _: "".join(tables(rows)), text, flags=re.MULTILINE | re.DOTALL)

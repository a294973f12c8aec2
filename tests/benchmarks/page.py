"""The page of results: what bench_references.py measured, in tables, and what the numbers mean."""

HOW_TO_READ = """\
# What the references cost

How long the functions in `solutions/` take, and how much memory, at the sizes of a model with 7 billion parameters: 32
heads of width 128, so 4096 columns. Written by the script that measured it:

    {command}

{processor}, {cores} cores, one of them used; {system}, Python {python}.
{versions}.

## How to read the tables

- **copies**: the reference's time as a multiple of a plain copy of its result, which is what reading and writing that
  many bytes costs and so about the least any function can take that makes a new array. 1.5 means: little is left to
  gain. Where the result is small, the copy is one of the largest argument, and the row says "of the input". A row of
  matrix products (attention, similarities) is far above 1 whoever computes it; there the other columns say more.
- **public code**: its time as a multiple of the reference's. Above 1 the reference is faster, below 1 the public code.
  It gets what a model keeps between calls, such as tables of cosines, for nothing, while the reference makes them anew.
- **textbook**: the same for the way it is written most often in NumPy; 1.0 where that is how the reference does it.
- **growth**: time at this length over time at half of it. 2 is linear in the length, 4 quadratic. Above 4, or between
  2 and 4 for a linear function, is the memory: what was in the cache at half the length is not any more.
- **memory**: the most that was allocated at once, the result among it, as a multiple of the bytes of the copy. 1 is the
  result alone, each further 1 a temporary array as large as the result.
- A ratio is the median of rounds in which all candidates ran in turn, with the first and third quartile in brackets. It
  is of CPU time on one thread, so it says nothing about how well a function would use more cores, or a GPU. Ratios
  carry over to other machines within limits; seconds, in the JSON file, do not.
- float32 where a model has float32, float64 where a function builds its result from sizes. *float32* behind the name of
  public code says that it makes half as many bytes as the reference.
"""

CHOOSING = """\
## What that means for a choice

- **A bias or table that is made once** (`positional_encoding`, `alibi_bias`, `t5_bias`, `sandwich_bias`): its time does
  not matter next to a forward pass; its memory may. A bias for 32 heads and 2048 positions is 1 GB in float64. Whoever
  adds it head by head (as `alibi_attention` does) never holds more than one head of it.
- **Rotation, which runs in every layer**: interleaved pairs are complex numbers in memory already, so one product
  turns them at about the price of a copy. The half layout has no such view in NumPy and costs several copies; a
  compiled kernel would not mind. `solutions/62_rope_layouts/variants.py` has the half layout in blocks that fit into
  the cache.
- **Relative vectors**: `relative_logits`, `transformer_xl_scores` and `shaw_scores` multiply queries with the vectors
  of distances, then move the products. Ways that look a vector up for every pair hold length * length * width numbers:
  2 GB at 2048 positions.
- **Attention**: two matrix products and the exponentials between them. A fused function (torch's sdpa) keeps no scores
  and can skip the future, which NumPy cannot; use one where it accepts your bias.
- **Sines and random numbers** cost more than the memory they fill: whole tables of them (`positional_encoding`,
  `build_position_table`, `rotary_tables`, `init_table`) are far from a copy. The references of 21, 33 and 64 keep the
  formula as printed, since it is the clearest; `by_blocks` in `solutions/21_positional_formula/variants.py` and in
  `solutions/64_mend_the_rope/variants.py` is the fast way.
- **Interpolation between rows** passes over the result several times in NumPy, where compiled code does it in one.
  `by_two_matrices` in `solutions/32_stretched_table/variants.py` is faster for grids.
"""


def ratio(value, digits=1):
    """A ratio and its spread as text."""
    if value is None:
        return ""
    if "missing" in value:
        return value["missing"]
    return f"{value['median']:.{digits}f} ({value['low']:.{digits}f} to {value['high']:.{digits}f})"


def cells(row):
    name = f"{row['function']}, {row['note']}" if row["note"] else row["function"]
    public = "<br>".join(f"{other}: {ratio(value)}" for other, value in row["public_over_reference"].items())
    copies = ratio(row["reference_over_copy"]) + (" of the input" if row["copied"] == "argument" else "")
    growth, memory = row["growth_from_half_the_length"]["median"], row["peak_memory_over_copied"]
    return name, copies, public, ratio(row["textbook_over_reference"]), f"{growth:.1f}", f"{memory:.1f}"


def tables(rows):
    """One table per length and number of heads."""
    for n, heads in dict.fromkeys((row["n"], row["heads"]) for row in rows):
        yield f"## Length {n}, {heads} heads\n\n| function | copies | public code | textbook | growth | memory |"
        yield "\n|---|---|---|---|---|---|\n"
        for row in rows:
            if (row["n"], row["heads"]) == (n, heads):
                yield f"| {' | '.join(cells(row))} |\n"
        yield "\n"


def page(report):
    """The text of the page, in Markdown."""
    versions = ", ".join(f"{name} {version}" for name, version in report["versions"].items())
    head = HOW_TO_READ.format(**report | {"versions": versions})
    return f"{head}\n{''.join(tables(report['rows']))}{CHOOSING}"

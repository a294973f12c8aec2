"""What bench_references.py measured, as lines for the terminal and as a page with tables."""

HOW_TO_READ = """\
# What the references and their variants cost

This page shows how long the functions in `solutions/` take and how much memory they need. The sizes are as in a
model with 7 billion parameters: 32 heads of width 128, so 4096 columns. This command measures everything and writes
this page:

    {command}

{processor}, {cores} cores, one of them used; {system}, Python {python}.
{versions}.

## How to read the tables

- **reference**: the time of the function in the solution, divided by the time of a plain copy of its result. A copy
  reads and writes every byte once. A value near 1 means that the function takes about as long as such a copy. If the
  result is small, the benchmark copies the largest argument instead, and the row says "of the input". "too slow" means
  that the reference would take more than 60 seconds, and "too large" that it would need more than 8 GB.
  `t5_bias` and `window_bias` are below 1 because they return views with the heads in front: a copy of such a view reads
  numbers that are far apart.
- **fastest variant**: the fastest function in `variants.py` that has the same result, and its time divided by the time
  of the same copy. The cell is empty if no variant takes less than 95 percent of the reference's time. A variant that
  returns a view of a smaller array does not count, because it does not write the result. A first pass at smaller sizes
  leaves out variants that are much slower than the others or need more than 8 GB.
- **public code**: its time divided by the time of the fastest variant or, if the row names no variant, of the
  reference. Above 1, the public code is slower; below 1, it is faster. Before the benchmark times public code, it
  prepares what a model keeps between calls, such as tables of cosines. Reference and variants make these tables in
  every call. For `latent_scores` and `absorbed_scores`, this includes the rotary columns of the keys, which are cached
  after their rotation.
- **textbook**: the time of the form that tutorials and notebooks show, divided as for public code.
- **growth**: the time at this length divided by the time at half of it, first for the reference, then for the variant.
  Work that is linear in the length gives about 2, quadratic work about 4. The value is larger if the arrays fit into
  the processor's cache at half the length but not at the whole length.
- **memory**: the most bytes that a call allocates at one time, divided by the bytes of the copy, first for the
  reference, then for the variant. The result is included: 1 is the result alone, and 2 is the result and one temporary
  array of the same size. A float32 result alone is 0.5 if the reference returns float64.

A ratio is the median over several rounds, with the first and the third quartile in brackets. In every round, all
candidates run one after the other. The times are CPU times on one thread, so they do not show how well a function
would use more cores or a GPU. The ratios hold for the machine above and differ on other machines.

Arguments are float32 if models use float32 for them. A function that builds its result from sizes returns float64.
"float32" after the name of public code means that its result has half as many bytes as ours.
"""

CHOOSING = """\
## Which function to choose

- Begin with the reference, the plainest form of the formula. Use the fastest variant if your program spends much of its
  time in this function. The docstring in `variants.py` says how the variant works and what it needs.
- Some functions make a table or a bias that a program can keep: `positional_encoding`, `build_position_table`,
  `grid_encoding`, `rotary_tables`, `alibi_bias`, `t5_bias`, `sandwich_bias`, `window_bias`. They run once per model or
  once per length, so compare the memory first. A bias for 32 heads and 2048 positions has 32 * 2048 * 2048 numbers,
  which is 1.07 GB in float64.
- A rotation (`apply_rope`, `apply_rope_half`, `apply_rope_complex`, `apply_rotary`, `partial_rope`, `truncated_rope`,
  `axial_rope`, `multimodal_rope`) runs in every layer, for queries and for keys. Compare these rows before you choose a
  layout of the pairs.
- `forgetting_bias` and `gated_positions` depend on the text, so a model runs them in every layer and for every text.
- A function that looks up a vector for every pair of positions makes length * length * width numbers. For 2048
  positions and width 128, this is 2.1 GB in float32. Compare the memory in the rows of `gather_relative`,
  `shaw_scores`, `shaw_attention`, `relative_logits` and `transformer_xl_scores`.
- The rows of `self_attention` and `rope_attention` also show torch's fused function ("sdpa"), which does not keep the
  scores. Before you use it, check that it accepts your bias and your mask.
- If public code or the textbook form has a value below 1, it was faster than our function. If you can use it, measure
  both in your program.
"""

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


def name_of(row):
    return f"{row['function']}, {row['note']}" if row["note"] else row["function"]


def in_copies(side, digits=1):
    return ratio(side.get("over_copy", side), digits)


def sides_of(row):
    """The reference and the variant, as far as the row has them."""
    return [side for side in (row["reference"], row["variant"]) if side and "missing" not in side]


def growth(row):
    return "; ".join(f"{side['growth_from_half_the_length']['median']:.1f}" for side in sides_of(row))


def memory(row):
    return "; ".join(f"{side['peak_memory_over_copied']:.1f}" for side in sides_of(row))


def surprises(row):
    """The variants that should not have been left out."""
    return "".join(f"  {name}: {reason}" for name, reason in row["left_out"].items()
                   if reason.startswith(("raises", "another")))


def row_line(row):
    """A row for the terminal."""
    start = f"{name_of(row):32} n={row['n']:<5} "
    if "missing" in row:
        return start + row["missing"] + surprises(row)
    variant = f"{row['variant']['name']} {in_copies(row['variant'], 2)}" if row["variant"] else "no faster variant"
    public = "; ".join(f"{other} {ratio(value)}" for other, value in row["public_over_faster"].items())
    return (f"{start}copies {in_copies(row['reference'], 2)}  {variant}  growth {growth(row)}  memory {memory(row)}  "
            f"textbook {ratio(row['textbook_over_faster'])}  {public}{surprises(row)}")


def cells(row):
    if "missing" in row:
        return name_of(row), row["missing"], "", "", "", "", ""
    reference = in_copies(row["reference"]) + (" of the input" if row["copied"] == "argument" else "")
    variant = f"`{row['variant']['name']}`: {in_copies(row['variant'])}" if row["variant"] else ""
    public = "<br>".join(f"{other}: {ratio(value)}" for other, value in row["public_over_faster"].items())
    return name_of(row), reference, variant, public, ratio(row["textbook_over_faster"]), growth(row), memory(row)


def tables(rows):
    """One table per length and number of heads."""
    for n, heads in dict.fromkeys((row["n"], row["heads"]) for row in rows):
        yield f"## Length {n}, {heads} heads\n\n{HEADER}"
        for row in rows:
            if (row["n"], row["heads"]) == (n, heads):
                yield f"| {' | '.join(cells(row))} |\n"
        yield "\n"


def page(report):
    """The text of the page, in Markdown."""
    versions = ", ".join(f"{name} {version}" for name, version in report["versions"].items())
    head = HOW_TO_READ.format(**report | {"versions": versions})
    return f"{head}\n{''.join(tables(report['rows']))}{CHOOSING}"

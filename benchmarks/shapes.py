"""What named architectures need to remember, built and bounded: the width of the stream, and the bits that its state holds.

For each construction `TASK/ARCHITECTURE` at n = 16, 64, 256 and 1,024 things to remember (pairs, symbols or bits):

    bits held   of what is read of the state, counted in fixed point, beside the lower bound on the bits of any recurrent model
    width       of the stream, beside the least width at which the trained shape has as many bits of state in float64

Then the exponent of n in the width, fitted to the size formulas at n = 2^16, 2^18, .. 2^24 with logarithms divided out: 0 for attention,
1/2 for a matrix state, 1 for a vector. Last, the largest multi-query recall that models of two layers of width 64 carry, as built inside
the very shape that is trained, beside the largest that the bits of its state in float32 allow. A linear RNN has a line of registers beside
its stream, as long as there are things to remember. Nothing is timed.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from separatrix.architectures import Architecture, Quantity
from separatrix.bounds.limits import bounds_for
from separatrix.bounds.shapes import least_width, state_numbers
from separatrix.constructions import build, construction
from separatrix.constructions.named import (
    delay_lines,
    linear_lines,
    lookup_sums,
    overwriting,
    placed_tables,
    recall_cells,
    recall_sums,
    recall_tables,
    retention,
    unchanged_shapes,
)
from separatrix.constructions.named.streams import code_bits
from separatrix.constructions.named.table_mixers import BY
from separatrix.tasks import Task, make_task

LENGTHS, FAR = (16, 64, 256, 1024), tuple(1 << k for k in range(16, 26, 2))
Built = tuple[int, int]  # width, bits held


def recall(name: str, n: int) -> Any:
    """Recall with n pairs, of twice as many keys; far out, where a task has at most 2^24 keys, of as many."""
    keys = 2 * n if n < FAR[0] else n
    return make_task(name, length=2 * n if name == "mqar" else n, symbols=keys)


def latest(name: str, n: int) -> Any:
    """n pairs over n keys that come again."""
    return make_task(name, length=n, symbols=n)


def symbols(name: str, n: int) -> Any:
    """n symbols to remember: all of them, or the first half."""
    return make_task(name, length=n, symbols=2) if name in ("index-lookup", "copy") else make_task(name, length=2 * n)


def by_table(task: Any, by: str) -> Built:
    """A table of keys; Mamba with its published state, the others with as much as they need."""
    at = recall_tables.table_of(task, by, 16 if by == "mamba" else 0, 0)
    return at.stream.width, recall_tables.held_bits(task, at)


def by_cells(task: Any, cell: str) -> Built:
    """Registers of an LSTM in one layer, or of a GRU, whose second layer selects from them."""
    at = recall_cells.Registers(cell, recall_cells.LEAST[cell], task.keys, task.labels)
    return at.width, recall_cells.held_bits(at)


def by_rows(task: Any) -> Built:
    """DeltaNet that overwrites: a row of the state for each key."""
    bits = code_bits(task.labels)
    return overwriting.layout(task, 0)[2].width, task.keys * bits + 3 * code_bits(task.vocabulary)


def by_sums(task: Any) -> Built:
    """Linear attention, recall."""
    at = recall_sums.layout(task, 0)
    return at.stream.width, recall_sums.held_bits(at)


def by_places(task: Any) -> Built:
    """Linear attention, lookups."""
    at = lookup_sums.layout(task, 0)
    return at.stream.width, lookup_sums.held_bits(at) + (task.name in ("equality", "intersects"))


def by_placed_table(task: Any, by: str) -> Built:
    """A table of places."""
    at = placed_tables.layout(task, by, 16 if by == "mamba" else 0, 0)
    return at.stream.width, placed_tables.held_bits(task, at)


def by_retention(task: Any) -> Built:
    """RetNet: a table of places in its last head."""
    at = retention.layout(task, 0, "float64")
    return at.stream.width, retention.held_bits(at)


def by_line(task: Any) -> Built:
    """Registers of a linear RNN, -1, 0 or 1 each: they are what grows, beside a stream that need not."""
    places = task.length if task.name in ("index-lookup", "copy") else task.length // 2
    registers = (places + 1) * linear_lines.code_bits(2)
    return registers, 2 * registers + (task.name in ("equality", "intersects"))


def by_delay(task: Any, vectors: int) -> Built:
    """Elman networks, GRUs and LSTMs."""
    units = delay_lines.delay_units(task) if task.name in ("index-lookup", "copy") else delay_lines.comparing_units(task)
    return units, vectors * units


def plain(n: int) -> float:  # noqa: ARG001
    """No logarithm in the width."""
    return 1.0


def of_pairs(n: int) -> float:
    """Linear attention, n pairs of n keys: 2 sqrt(n (1 + log2 n)) to find the number of a pair, and 3 sqrt n to read its label."""
    return 2 * math.sqrt(1 + math.log2(n)) + 3


PLACED = ("index-lookup", "copy", "equality", "intersects")
CELLS: dict[
    str, tuple[Callable[[str, int], Any], Callable[[Any], Built], Callable[[int], float]]
] = {  # task, sizes, logarithms of the width
    **{
        f"{task}/{by}": (recall, sizes, logs)
        for task in ("mqar", "associative-recall")
        for by, sizes, logs in (
            *((by, partial(by_table, by=by), plain) for by in BY),
            *((cell, partial(by_cells, cell=cell), plain) for cell in ("lstm", "gru")),
            ("linear-attention", by_sums, of_pairs),
        )
    },
    "latest-recall/deltanet": (latest, by_rows, plain),
    **{f"latest-recall/{cell}": (latest, partial(by_cells, cell=cell), plain) for cell in ("lstm", "gru")},
    **{f"{task}/linear-attention": (symbols, by_places, plain) for task in PLACED},
    **{f"{task}/retnet": (symbols, by_retention, plain) for task in PLACED},
    **{f"{task}/{by}": (symbols, partial(by_placed_table, by=by), plain) for task in PLACED for by in BY},
    **{
        f"{task}/{cell}": (symbols, partial(by_delay, vectors=vectors), plain)
        for task in PLACED
        for cell, vectors in (("elman", 1), ("gru", 1), ("lstm", 2))
    },
}


def bound(task: Task) -> int:
    """The bits that any recurrent model needs."""
    return max(
        row.value for row in bounds_for(task, 64) if (row.architecture, row.quantity) == (Architecture.RECURRENT, Quantity.STATE_BITS)
    )


def exponent(name: str) -> float:
    """Of n in the width, fitted by least squares to logarithms; those in the width itself are divided out first."""
    task, sizes, logarithms = CELLS[name]
    widths = [sizes(task(name.partition("/")[0], n))[0] / logarithms(n) for n in FAR]
    return slope(widths)


def slope(widths: list[float]) -> float:
    """Of log width against log n."""
    x, y = np.log2(np.array(FAR, dtype=np.float64)), np.log2(np.array(widths))
    return float(np.polyfit(x, y, 1)[0])


def attention() -> list[dict[str, Any]]:
    """Softmax attention: width of order log n, or less; what the formula says of 2^24 places in float64."""
    table = []
    for name, settings in (("index-lookup", {"symbols": 2}), ("mqar", {})):
        widths = [construction(name).sizes({"length": n, **settings}) for n in FAR]
        found = [sizes["width"] / math.log2(n) for n, sizes in zip(FAR, widths, strict=True) if sizes is not None]
        if len(found) == len(FAR):
            table.append(_alone(f"{name}, attention: exponent of n in the width / log2 n", round(slope(found), 3)))
    return table


def shapes_of_the_zoo() -> list[dict[str, Any]]:
    """Pairs that fit into models of two layers of width 64."""
    table = []
    for by in BY:
        bits = 32 * state_numbers(Architecture(by), unchanged_shapes.WIDTH, unchanged_shapes.LAYERS)
        low, high = 1, bits + 1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if bound_of_pairs(middle) <= bits else (low, middle)
        table.append(_row(f"mqar inside {by}-2-64: pairs, built and allowed by bits", unchanged_shapes.Table(by, 1).keys, low, "pairs"))
    return table


def bound_of_pairs(n: int) -> int:
    """ceil(log2(n 2^(n-1)))."""
    return n - 1 + (n - 1).bit_length()


def rows() -> list[dict[str, Any]]:
    """The table."""
    table = []
    for name, (task_at, sizes, _) in CELLS.items():
        task_name, _, by = name.partition("/")
        for n in LENGTHS:
            task = task_at(task_name, n)
            (width, held), needed = sizes(task), bound(task)
            least = least_width(Architecture(by), needed, 64)
            table.append(_row(f"{name}, n = {n}: bits held", held, needed, "bits"))
            table.append(_row(f"{name}, n = {n}: width", width, least, "numbers"))
        table.append(_alone(f"{name}: exponent of n in the width", round(exponent(name), 3)))
    for name in PLACED:
        for n in LENGTHS:
            registers, held = by_line(task := symbols(name, n))
            table.append(_row(f"{name}/linear-rnn, n = {n}: bits held in {registers} registers", held, bound(task), "bits"))
    return [*table, *attention(), *shapes_of_the_zoo()]


def page() -> list[str]:
    """The table of docs/architectures.md: width / bits held over the bound, at each n, and the exponent of n in the width."""
    heads = [f"n = {n:,}" for n in LENGTHS]
    lines = [f"| weights | {' | '.join(heads)} | exponent |", "|---" * (len(LENGTHS) + 2) + "|"]
    for name, (task_at, sizes, _) in CELLS.items():
        cells = []
        for n in LENGTHS:
            task = task_at(name.partition("/")[0], n)
            width, held = sizes(task)
            cells.append(f"{width:,} / {held / bound(task):.2f}")
        lines.append(f"| {name} | {' | '.join(cells)} | {exponent(name):.2f} |")
    return lines


def full_rows(count: int) -> list[dict[str, Any]]:
    """Rows that are right in the four shapes at their largest, as many pairs as keys, in float32: random ones, and as many adversarial."""
    import torch

    table = []
    for by in BY:
        keys = unchanged_shapes.Table(by, 1).keys
        built, right = build(f"mqar/{by}-2-64", length=2 * keys, symbols=keys, arithmetic="float32"), 0
        batches = [built.task.sample(11, count), *(built.task.adversarial(kind, 5, count) for kind in built.task.families)]
        with torch.no_grad():
            for batch in batches:
                for row, targets, mask in zip(batch.tokens, batch.targets, batch.mask, strict=True):
                    said = built.model(torch.from_numpy(row)[None])[0].argmax(dim=-1).numpy()
                    right += bool(((said == targets) | ~mask).all())
        table.append(
            _row(f"mqar inside {by}-2-64, {keys:,} pairs: rows that are right", right, sum(len(b.tokens) for b in batches), "rows")
        )
    return table


def _alone(what: str, ours: float) -> dict[str, Any]:
    return {"what": what, "ours": ours, "peer": None, "unit": "", "ratio": None, "goal": "-"}


def _row(what: str, ours: int, peer: int, unit: str) -> dict[str, Any]:
    return {"what": what, "ours": ours, "peer": peer, "unit": unit, "ratio": round(ours / peer, 4), "goal": "-"}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--page", action="store_true", help="the table of docs/architectures.md")
    parser.add_argument(
        "--rows", type=int, help="run so many random rows, and as many adversarial ones, in the four shapes at their largest"
    )
    asked = parser.parse_args()
    if asked.json:
        print(json.dumps(full_rows(asked.rows) if asked.rows else rows()))
    elif asked.page:
        print("\n".join(page()))
    else:
        for row in full_rows(asked.rows) if asked.rows else rows():
            print(f"{row['what']:60} {row['ours']!s:>8} {row['peer'] if row['peer'] is not None else '':>8} {row['ratio'] or '':>8}")

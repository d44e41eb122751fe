"""What named architectures need to remember, built and bounded: the width of the stream, and the bits that its state holds.

For each construction `TASK/ARCHITECTURE` at n = 16, 64, 256 and 1,024 things to remember (pairs, symbols or bits):

    bits held   of what is read of the state, counted in fixed point, beside the lower bound on the bits of any recurrent model
    width       of the stream, beside the least width at which the trained shape has as many bits of state in float64

Then the exponent of n in the width, from the size formulas between n = 2^16 and 2^22 with powers of log2 n divided out.
Nothing is timed.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable
from functools import partial
from typing import Any

from separatrix.architectures import Architecture, Quantity
from separatrix.bounds.limits import bounds_for
from separatrix.bounds.shapes import least_width
from separatrix.constructions.named import delay_lines, lookup_sums, recall_cells, recall_sums, recall_tables
from separatrix.constructions.named.table_mixers import BY
from separatrix.tasks import Task, make_task

LENGTHS, FAR = (16, 64, 256, 1024), (1 << 16, 1 << 22)
Built = tuple[int, int]  # width, bits held


def recall(name: str, n: int) -> Any:
    """Recall with n pairs, of twice as many keys."""
    return make_task(name, length=2 * n, symbols=2 * n) if name == "mqar" else make_task(name, length=n)


def symbols(name: str, n: int) -> Any:
    """n symbols to remember: all of them, or the first half."""
    return make_task(name, length=n, symbols=2) if name in ("index-lookup", "copy") else make_task(name, length=2 * n)


def by_table(task: Any, by: str) -> Built:
    """A table of keys; Mamba with its published state, the others with as much as they need."""
    at = recall_tables.table_of(task, by, 16 if by == "mamba" else 0, 0)
    return at.stream.width, recall_tables.held_bits(task, at)


def by_cells(task: Any) -> Built:
    """Registers of an LSTM."""
    slots, buckets, units = recall_cells.units_of(task)
    return units, 2 * (2 * (units - slots - buckets) + slots + buckets)


def by_sums(task: Any) -> Built:
    """Linear attention, recall."""
    at = recall_sums.layout(task, 0)
    return at.stream.width, recall_sums.held_bits(at)


def by_places(task: Any) -> Built:
    """Linear attention, lookups."""
    at = lookup_sums.layout(task, 0)
    return at.stream.width, lookup_sums.held_bits(at)


def by_delay(task: Any, vectors: int) -> Built:
    """Elman networks, GRUs and LSTMs."""
    units = delay_lines.delay_units(task) if task.name in ("index-lookup", "copy") else delay_lines.comparing_units(task)
    return units, vectors * units


CELLS: dict[str, tuple[Callable[[str, int], Any], Callable[[Any], Built], int]] = {  # name -> task, sizes, powers of log n in the width
    **{
        f"{task}/{by}": (recall, sizes, logs)
        for task in ("mqar", "associative-recall")
        for by, sizes, logs in (
            *((by, partial(by_table, by=by), 0) for by in BY),
            ("lstm", by_cells, 0),
            ("linear-attention", by_sums, 1),
        )
    },
    **{f"{task}/linear-attention": (symbols, by_places, 0) for task in ("index-lookup", "copy")},
    **{
        f"{task}/{cell}": (symbols, lambda task, vectors=vectors: by_delay(task, vectors), 0)
        for task in ("index-lookup", "copy", "equality", "intersects")
        for cell, vectors in (("elman", 1), ("gru", 1), ("lstm", 2))
    },
}


def bound(task: Task) -> int:
    """The bits that any recurrent model needs."""
    return max(
        row.value for row in bounds_for(task, 64) if (row.architecture, row.quantity) == (Architecture.RECURRENT, Quantity.STATE_BITS)
    )


def exponent(name: str) -> float:
    """Of n in the width; of sqrt(log2 n) one power is divided out for each in the table: w slots of log n bits each balance m others."""
    task, sizes, logs = CELLS[name]
    few, many = (sizes(task(name.partition("/")[0], n))[0] / math.log2(n) ** (logs / 2) for n in FAR)
    return math.log2(many / few) / math.log2(FAR[1] / FAR[0])


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
        table.append(
            {
                "what": f"{name}: exponent of n in the width",
                "ours": round(exponent(name), 3),
                "peer": None,
                "unit": "",
                "ratio": None,
                "goal": "-",
            }
        )
    return table


def _row(what: str, ours: int, peer: int, unit: str) -> dict[str, Any]:
    return {"what": what, "ours": ours, "peer": peer, "unit": unit, "ratio": round(ours / peer, 3), "goal": "-"}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    if parser.parse_args().json:
        print(json.dumps(rows()))
    else:
        for row in rows():
            print(f"{row['what']:60} {row['ours']!s:>8} {row['peer'] if row['peer'] is not None else '':>8} {row['ratio'] or '':>8}")

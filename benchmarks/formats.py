"""The least small float in which weights of named architectures are right, as they are built for float32: `float:e,m` of fewest bits.

On every input at a small length, and on random and adversarial rows at a longer one, which may miss what all inputs would show. Each
operator of the model's own steps is rounded (separatrix/refuters/rounded_steps.py); in every format of one bit less, with e up to 8, some
row is wrong. Nothing is timed, and nothing is certified: the checker has no form of these mixers in such formats.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from separatrix.constructions import build
from separatrix.refuters.rounded_steps import every_input, least_small_float

ROWS = 16  # random ones, and of each adversarial family
CELLS = ("elman", "gru", "lstm")
MATRICES = ("linear-attention", "deltanet", "gated-deltanet", "mamba", "mamba2")
Chosen = dict[str, int]
BITS: tuple[Chosen, Chosen] = {"length": 4, "symbols": 2}, {"length": 16, "symbols": 2}
CASES: dict[str, tuple[Chosen, Chosen]] = {  # all inputs; drawn ones
    **{f"copy/{by}": BITS for by in CELLS},
    **{f"index-lookup/{by}": BITS for by in (*CELLS, *MATRICES)},
    **{f"equality/{by}": ({"length": 6}, {"length": 16}) for by in ("gru", "mamba2")},
    **{f"mqar/{by}": ({"length": 4}, {"length": 16}) for by in ("lstm", "gru", *MATRICES)},
    "latest-recall/deltanet": ({"length": 3}, {"length": 16}),
    "parity/deltanet": ({"length": 8}, {"length": 64}),
}


def least(name: str) -> tuple[str, str]:
    """At the small length, and at the longer one."""
    small, longer = (build(name, arithmetic="float32", **chosen) for chosen in CASES[name])
    drawn = [longer.task.sample(7, ROWS), *(longer.task.adversarial(kind, 3, ROWS) for kind in longer.task.families)]
    return least_small_float(small, [every_input(small.task)]), least_small_float(longer, drawn)


def rows() -> list[dict[str, Any]]:
    """The table."""
    table = []
    for name, chosen in CASES.items():
        for found, at in zip(least(name), chosen, strict=True):
            e, m = map(int, found.removeprefix("float:").split(","))
            what = f"{name}, N = {at['length']}: {found}"
            table.append({"what": what, "ours": 1 + e + m, "peer": 32, "unit": "bits", "ratio": round((1 + e + m) / 32, 4), "goal": "-"})
    return table


def line(name: str) -> str:
    """A line of the table of docs/architectures.md."""
    cells = [f"{found} at N = {at['length']}" for found, at in zip(least(name), CASES[name], strict=True)]
    return f"| {name} | {' | '.join(cells)} |"


def page() -> list[str]:
    """The table of docs/architectures.md."""
    return ["| weights | every input | drawn rows |", "|---|---|---|", *map(line, CASES)]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--page", action="store_true", help="the table of docs/architectures.md")
    asked = parser.parse_args()
    if asked.json:
        print(json.dumps(rows()))
    elif asked.page:
        print("\n".join(page()))
    else:
        for row in rows():
            print(f"{row['what']:60} {row['ours']:>4} bits")

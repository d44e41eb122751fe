"""Proofs with a part of their invariant changed: boxes a little too small, a pair left out, a wrong goal, another choice."""

from __future__ import annotations

import copy
import random
from typing import Any

Document = dict[str, Any]


def spoil(proof: Document | None, seed: int) -> Document | None:
    """A proof with a part of its invariant changed; a function of the seed."""
    rng = random.Random(seed)
    proof = copy.deepcopy(proof)
    if proof is None:
        return None
    if "moves" in proof and proof.get("low"):
        change = rng.randrange(6)
        pairs = len(proof["moves"])
        i = rng.randrange(pairs)
        if change == 0:  # a box a little too small
            high, by = proof["high"] or copy.deepcopy(proof["low"]), rng.choice((0.5, 0.9, 0.999, 1 - 2.0**-40))
            for row_low, row_high in [(proof["low"][i], high[i])] if rng.random() < 0.5 else list(zip(proof["low"], high, strict=True)):
                for k, (a, b) in enumerate(zip(row_low, row_high, strict=True)):
                    if isinstance(a, float) or isinstance(b, float):
                        row_low[k], row_high[k] = (a + b) / 2 - by * (b - a) / 2, (a + b) / 2 + by * (b - a) / 2
            proof["high"] = high
        elif change == 1 and pairs > 2:  # a pair left out, and every move to it turned to another
            gone = rng.randrange(1, pairs)
            for part in ("moves", "low", "high"):
                if proof[part]:
                    del proof[part][gone]
            goal = rng.randrange(1, pairs - 1)
            proof["moves"] = [[goal if j == gone else j - (j > gone) for j in row] for row in proof["moves"]]
        elif change == 2 and proof["moves"][i]:  # a move to another pair
            proof["moves"][i][rng.randrange(len(proof["moves"][i]))] = rng.randrange(1, max(2, pairs))
        elif change == 3:
            proof["lengths"] = "stated" if proof["lengths"] == "every" else "every"
        elif change == 4:  # one number of one box
            side = proof[rng.choice(("low", "high"))] or proof["low"]
            if side[i]:
                k = rng.randrange(len(side[i]))
                side[i][k] = type(side[i][k])(side[i][k] + rng.choice((-1, 1, 2.0**-30, -(2.0**-30), 0.5)))
        else:
            proof["moves"] = [row[: rng.randrange(len(row) + 1)] if rng.random() < 0.3 else row for row in proof["moves"]]
        return proof
    places = [(holder, key) for holder, key in _inside(proof) if key != "rule"]
    if places:
        holder, key = rng.choice(places)
        value = holder[key]
        words = {
            "listed": "summed",
            "summed": "listed",
            "compared": "counted",
            "counted": "compared",
            "together": "alone",
            "alone": "together",
        }
        if isinstance(value, bool):
            holder[key] = not value
        elif isinstance(value, int | float):
            holder[key] = rng.choice((value + 1, value - 1, value * 2, value / 2 if isinstance(value, float) else value // 2, -value, 0))
        elif isinstance(value, str) and value in words:
            holder[key] = words[value]
        elif isinstance(value, list) and value:
            rng.choice((value.reverse, value.pop, lambda: value.append(copy.deepcopy(value[0]))))()
    return proof


def _inside(value: Any) -> list[tuple[Any, Any]]:
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [pair for key, item in entries for pair in ((value, key), *_inside(item))]

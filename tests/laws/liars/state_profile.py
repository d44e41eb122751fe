"""Lies about state profiles: counts that are not those of the function, and functions that are none."""

from __future__ import annotations

from functools import partial
from typing import Any

from tests.checker.kinds.witnesses import fresh
from tests.laws.liars.lie import Lie, at, changed

PROFILE, PROMISE = partial(fresh, "profile"), partial(fresh, "promise_profile")
COUNTS = [1, 2, 4, 8, 5, 3, 2]  # of equality at N = 6


def table(*answers: int | None) -> dict[str, Any]:
    """A function of one token."""
    return {"task": "table", "parameters": {"sizes": [len(answers)], "answers": list(answers)}}


LIES = (
    changed(PROFILE, "it needs a state more", "classes[3]: the certificate says 9", classes=[1, 2, 4, 9, 5, 3, 2]),
    changed(PROFILE, "it needs more bits", "bits: the certificate says 4, recomputation gives 3", bits=4),
    changed(PROFILE, "one cut may be left out", "classes: expected 7 counts, found 6", classes=COUNTS[:-1]),
    changed(PROFILE, "counts may be fractions", "classes[3]: the certificate says 8.0", classes=[1, 2, 4, 8.0, 5, 3, 2]),
    changed(PROFILE, "more was promised", "total: the certificate says False", total=False),
    changed(PROMISE, "so many are enough", "total: the certificate says True, recomputation gives False", total=True),
    changed(PROFILE, "it was run on every input", "strength: the certificate says 'exhaustive'", strength="exhaustive"),
    changed(PROFILE, "it is the bound of another task", "Theorem 3 is about index-lookup", cites="bhattamishra2024 Theorem 3"),
    changed(PROFILE, "it is about attention", "Theorem 4 is shown by a transcript-collision", cites="bhattamishra2024 Theorem 4"),
    changed(PROFILE, "it is a bound of its own", "is not a statement that a witness may cite", cites="Fermat 1637"),
    changed(PROFILE, "a constant needs a state", "classes: one state is enough", claim=table(1, 1), classes=[1, 1], bits=0),
    changed(PROFILE, "nothing needs nothing", "answers: nothing is inside the promise", claim=table(None, None), classes=[1, 1], bits=0),
    changed(
        PROFILE,
        "several answers are one",
        "asks at several positions",
        claim={"task": "eq-ncp", "parameters": {"length": 4, "symbols": 2, "distribution": "evaluation"}},
    ),
    changed(
        PROFILE,
        "all lengths are one",
        "a witness is about inputs of one length",
        claim={"task": "index-lookup", "parameters": {"length": 11, "symbols": 2, "distribution": "training"}},
    ),
    at(PROFILE, "it holds for longer inputs", "classes: expected 9 counts, found 7", "claim", "parameters", "length", value=8),
    Lie(
        "it replays no theorem",
        lambda: {**PROFILE(), "cites": ""},
        PROFILE,
        shows="equality, N = 6, 2 symbols: every recurrent model needs 8 states after 3 of 6 tokens, 3 bits of state, "
        "and so many are enough",
        without=("replays",),
    ),
)

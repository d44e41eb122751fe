"""Lies about chains: counts that are not those of the task, inputs that are none, and theorems about other tasks."""

from __future__ import annotations

from functools import partial

from tests.checker.kinds.witnesses import fresh
from tests.laws.liars.lie import Lie, at, changed

COUNT, ALIKE, LISTED = partial(fresh, "chain_count"), partial(fresh, "chains_alike"), partial(fresh, "chains_listed")
EXPRESSIONS = fresh("chains_listed")["listed"]
LENGTHS = [[8, 0, 2, 1, 2, 1, 8], EXPRESSIONS[0]]  # 0 + 1 + 1, and one with brackets

LIES = (
    changed(COUNT, "one chain more is due", "chains: the certificate says 10, recomputation gives 9", chains=10),
    changed(COUNT, "more bits are kept", "bits: the certificate says 5, recomputation gives 4", bits=5),
    changed(COUNT, "fewer inputs were met", "inputs: the certificate says 8, recomputation gives 9", inputs=8),
    changed(COUNT, "two inputs have one chain", "alike: the two inputs have different chains", alike=[[0, 0, 3], [1, 0, 3]]),
    changed(COUNT, "an input is like itself", "alike: one input twice", alike=[[0, 0, 3], [0, 0, 3]]),
    changed(ALIKE, "it is regular", "alike: some inputs have one chain", alike=None),
    changed(ALIKE, "three are a pair", "alike: expected two inputs, found 3", alike=[[0, 0, 0, 2], [1, 0, 0, 2], [1, 1, 0, 2]]),
    changed(ALIKE, "it is the theorem's program", "Theorem 4.4 is about reverse-sum", cites="yang2024 Theorem 4.4"),
    changed(COUNT, "it is about recurrent models", "Theorem 2 is shown by a state-profile", cites="bhattamishra2024 Theorem 2"),
    changed(LISTED, "an input counts twice", "listed: an input appears twice", listed=[*EXPRESSIONS[:13], EXPRESSIONS[0]]),
    changed(LISTED, "fewer expressions are enough", "yang2024 Proposition 5.2 says", listed=EXPRESSIONS[:4], inputs=4, chains=4, bits=2),
    changed(LISTED, "all expressions were met", "listed: the task has too many inputs", listed=None),
    changed(LISTED, "any tokens are an expression", "listed: not an input of the task", listed=[[8, 2, 8], [8, 3, 8]]),
    changed(LISTED, "lengths do not count", "listed: expected inputs of one length", listed=LENGTHS),
    changed(LISTED, "one input shows something", "chains: one chain is due", listed=EXPRESSIONS[:1], inputs=1, chains=1, bits=0),
    changed(COUNT, "a task without a chain has chains", "index-lookup has no chain",
            claim={"task": "index-lookup", "parameters": {"length": 2, "symbols": 2, "distribution": "evaluation"}}),
    changed(COUNT, "it was tested", "strength: the certificate says 'tested'", strength="tested"),
    at(COUNT, "it holds for more numbers", "recomputation gives 27", "claim", "parameters", "length", value=3),
    Lie(
        "it replays no theorem",
        lambda: {**COUNT(), "cites": ""},
        COUNT,
        shows="sums of the last 1..2 of 2 numbers below 3: 9 different chains follow all 9 inputs, so a model keeps at least 4 bits of its "
        "input where the chain begins",
        without=("replays",),
    ),
)  # fmt: skip

"""Lies about the depth reduction: shorter lists, a smaller length, other tasks, shares that are none."""

from __future__ import annotations

from functools import partial

from tests.checker.kinds.witnesses import fresh
from tests.laws.liars.lie import at, changed

TWO, THREE = partial(fresh, "depth_reduction"), partial(fresh, "deeper_reduction")
(STEP,) = TWO()["steps"]
SHORT = {**STEP, "k": [STEP["k"][0] // 2, 0]}

LIES = (
    changed(TWO, "shorter lists will do", "steps[0]: a list of 212 places is too short for the Local Lemma", steps=[SHORT]),
    changed(TWO, "two places are enough", "steps[0]: 2^c c/k is more than eta C", steps=[{**STEP, "k": [2, 0]}]),
    changed(TWO, "it fails one token earlier", "from: the certificate says", **{"from": hex(int(TWO()["from"], 16) - 1)}),
    changed(TWO, "the last layer needs no bits", "from: the certificate says", **{"from": hex(1000)}),
    changed(TWO, "a third layer costs nothing", "steps: expected one for each layer but the last, 2, found 1", layers=3),
    changed(THREE, "a second head costs nothing", "steps[0]: a list of", heads=2),
    changed(TWO, "hardly any bit is fixed", "steps[0]: delta is too small", steps=[{**STEP, "delta": [1, 10**6]}]),
    changed(TWO, "all bits are fixed", "steps[0]: expected 0 < eta < 1/2", steps=[{**STEP, "q": [1, 1]}]),
    changed(TWO, "half of them serve twice", "steps[0]: expected 0 < eta < 1/2", steps=[{**STEP, "eta": [1, 2]}]),
    changed(TWO, "a share of nothing", "steps[0]: a share over 0", steps=[{**STEP, "eta": [1, 0]}]),
    changed(TWO, "a half is a number", "steps[0]: expected pairs of whole numbers", steps=[{**STEP, "q": [0.5, 1]}]),
    changed(TWO, "it was tested", "strength: the certificate says 'tested'", strength="tested"),
    at(TWO, "it is about brackets", "claim.task: the certificate says 'dyck'", "claim", "task", value="dyck"),
)

"""Every mixer that constructions use: the second checker holds with the house on its weights, and refuses what was changed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from separatrix import build, verify
from tests.recheck.forging import reweighted, verdict

BUILT: dict[str, dict[str, Any]] = {  # name: parameters
    "parity/deltanet": {"length": 4},
    "regular/mamba": {"length": 6, "language": "1*", "alphabet": "01"},
    "regular/mamba2": {"length": 6, "language": "1*", "alphabet": "01"},
    "regular/deltaproduct": {"length": 8},
    "regular/pd": {"length": 8},
    "regular/rank-one": {"length": 8},
    "copy/gated-deltanet": {"length": 3, "symbols": 2},
    "copy/linear-attention": {"length": 3, "symbols": 2},
    "index-lookup/mamba": {"length": 2, "symbols": 2},
    "intersects/mamba2": {"length": 4},
    "associative-recall/hybrid-mamba2": {"length": 2},
    "latest-recall/gru": {"length": 2},
    "counting/hybrid": {"length": 2},
    "dyck-2/recurrent": {"length": 4},
    "dyck-next/two-layer": {"length": 4},
    "mqar": {"length": 4},
    "equality": {"length": 6},
    "equality/one-layer": {"length": 6},
}
RULES = {"simulation", "content match", "local count", "sums", "stacks", "envelope", None}


@cache
def certificate(name: str) -> str:
    return verify(build(name, **BUILT[name])).to_json()


def document(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(certificate(name))
    return found


@pytest.mark.parametrize("name", BUILT)
def test_what_the_house_accepts_holds_with_the_same_strength(name: str, tmp_path: Path) -> None:
    honest = document(name)
    result = verdict(honest, tmp_path)
    assert (result["holds"], result["reason"], result["strength"]) == (True, "", honest["strength"])


def test_the_rules_of_reading_and_counting_are_among_them() -> None:
    assert {(document(name)["proof"] or {}).get("rule") for name in BUILT} == RULES


@pytest.mark.parametrize("name", [name for name in BUILT if name != "counting/hybrid"])
def test_a_model_that_reads_out_the_opposite_is_refused(name: str, tmp_path: Path) -> None:
    result = verdict(reweighted(document(name), "readout.weight", lambda numbers: [-number for number in numbers]), tmp_path)
    assert result["holds"] is False, result


@pytest.mark.parametrize("name", BUILT)
def test_a_first_mixer_that_says_nothing_is_not_accepted(name: str, tmp_path: Path) -> None:
    tensor = "layers.0.mixer.kernel.weight_ih_l0" if name.endswith("gru") else "layers.0.mixer.out"
    result = verdict(reweighted(document(name), tensor, lambda numbers: [0.0] * len(numbers)), tmp_path)
    assert result["holds"] is not True, result


@pytest.mark.parametrize("name", [name for name in BUILT if name.startswith(("parity", "regular"))])
def test_a_proof_with_another_move_or_a_box_elsewhere_is_refused(name: str, tmp_path: Path) -> None:
    for forged in _other_proofs(document(name)):
        assert verdict(forged, tmp_path)["holds"] is False


def _other_proofs(honest: dict[str, Any]) -> Iterator[dict[str, Any]]:
    proof = honest["proof"]
    moves = [list(row) for row in proof["moves"]]
    moves[1][0] = moves[1][0] % (len(moves) - 1) + 1
    yield {**honest, "proof": {**proof, "moves": moves}}
    yield {**honest, "proof": {**proof, "moves": [*proof["moves"][:1], proof["moves"][1][:-1], *proof["moves"][2:]]}}
    ends = ("low",) if proof["high"] is None else ("low", "high")
    moved = {end: [*proof[end][:1], [number + 3 for number in proof[end][1]], *proof[end][2:]] for end in ends}
    yield {**honest, "proof": {**proof, **moved}}


@pytest.mark.parametrize(
    ("name", "change"), [("copy/gated-deltanet", {"length": 4}), ("mqar", {"labels": 3}), ("equality", {"symbols": 3})]
)
def test_a_claim_about_more_is_refused(name: str, change: dict[str, int], tmp_path: Path) -> None:
    honest = document(name)
    claim = {**honest["claim"], "parameters": {**honest["claim"]["parameters"], **change}}
    assert verdict({**honest, "claim": claim}, tmp_path)["holds"] is False

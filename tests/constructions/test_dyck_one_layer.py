"""Dyck-(2, 2) in one layer of width N: exact at every length."""

from __future__ import annotations

import pytest
import torch

from separatrix.bounds.protocols.protocol import one_layer_model, protocol_cost, run_protocol
from separatrix.certificates.verify import trial, verify
from separatrix.checker import check_text
from separatrix.constructions import build
from separatrix.constructions.bhattamishra2024 import dyck_one_layer
from separatrix.errors import BadInput

NAME = "dyck/one-layer"


@pytest.mark.parametrize(("N", "arithmetic"), [(2, "fixed:4,1"), (4, "fixed:5,2"), (6, "fixed:6,3"), (8, "fixed:6,3")])
def test_every_string_is_decided(N: int, arithmetic: str) -> None:
    """4^N strings, 2^(N-1) of them words."""
    built = build(NAME, length=N)
    assert built.claim.arithmetic == arithmetic
    strings = torch.tensor(list(built.task.inputs()))
    with torch.no_grad():
        predicted = torch.cat([built.model(part, at=-1).argmax(dim=1) for part in strings.split(8192)]).tolist()
    assert predicted == [built.task.answer(tokens) for tokens in strings.tolist()]
    assert sum(predicted) == 2 ** (N - 1)


@pytest.mark.parametrize(("N", "arithmetic"), [(6, None), (20, "fixed:12,6"), (50, None), pytest.param(100, None, marks=pytest.mark.slow)])
def test_verified_builds_are_accepted_by_the_checker(N: int, arithmetic: str | None) -> None:
    """In a wider format the weight of a token is more than one unit, and nothing else changes."""
    built = build(NAME, length=N, arithmetic=arithmetic)
    sizes = built.sizes()
    assert (sizes["layers"], sizes["heads"], sizes["width"]) == (1, 1, N)
    certificate = verify(built, cases=25)
    assert certificate.holds, certificate.counterexample
    verdict = check_text(certificate.to_json())
    assert verdict.holds, verdict.reason


@pytest.mark.parametrize("arithmetic", ["fixed:6,3", "fixed:6,4", "float64"])
def test_formats_that_cannot_hold_it_are_refused(arithmetic: str) -> None:
    with pytest.raises(BadInput, match=rf"^dyck/one-layer, N = 16: expected fixed point with 2 integer and 4 .* found {arithmetic}$"):
        build(NAME, length=16, arithmetic=arithmetic)


def test_one_fractional_bit_less_accepts_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """Negative control: a weight of 1/16 is 0 with three fractional bits, and no violation is seen."""
    monkeypatch.setattr(dyck_one_layer, "_refuse_too_narrow", lambda *_: None)
    certificate = trial(build(NAME, length=16, arithmetic="fixed:7,3"), [{"kind": "single-change", "seed": 0, "count": 50}])
    assert not certificate.holds


@pytest.mark.parametrize("rule", range(9))
def test_every_rule_is_needed(rule: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without any one of the hidden units, some string of 4 brackets is decided wrongly."""
    whole = dyck_one_layer.violations
    left = [unit for number, unit in enumerate(whole(4)) if number != rule]
    monkeypatch.setattr(dyck_one_layer, "violations", lambda _: left)
    built = build(NAME, length=4)
    strings = list(built.task.inputs())
    with torch.no_grad():
        predicted = built.model(torch.tensor(strings), at=-1).argmax(dim=1).tolist()
    assert predicted != [built.task.answer(tokens) for tokens in strings]


def test_as_a_protocol_over_odd_and_even_places_it_sends_more_than_n_bits() -> None:
    """Any protocol for the split needs N + 1 bits."""
    N = 12
    built = build(NAME, length=N)
    model = one_layer_model(built.program.document()["model"], built.program.weights())
    batch = built.task.sample(0, 12)
    for row in range(12):
        run = run_protocol(model, batch.row(row), range(0, N, 2))
        assert run.transcript.answer == batch.answer(row)
        assert N + 1 <= run.transcript.bits <= protocol_cost(model, N).repaired


def test_the_proof_is_told_over_a_run() -> None:
    steps = build(NAME, length=4).explain([0, 1, 2, 3])  # ( [ ) ]
    assert steps[1].values == {"pairs": [(2, -1)]}
    assert steps[2].values == {"sums after even places": [3, 0]}
    assert steps[-1].values == {"says": 0, "expected": 0}

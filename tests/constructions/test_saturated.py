"""Automata in saturated cells: torch's own LSTM and RNN with the same tensors decide the language."""

from __future__ import annotations

from itertools import product

import pytest
import torch
from torch import nn

from separatrix.certificates.built import Built
from separatrix.certificates.verify import trial, verify
from separatrix.checker import check_text
from separatrix.constructions import build
from separatrix.errors import BadInput

CELLS = {"regular/lstm": nn.LSTM, "regular/elman": nn.RNN, "regular/gru": nn.GRU}
FAMILIES = [{"kind": kind, "seed": 3, "count": 60} for kind in ("random", "one-symbol")]


def peer(built: Built, kind: type[nn.RNNBase]) -> nn.RNNBase:
    """Torch's own module with the tensors of the built model."""
    tensors = {name.rpartition(".")[2]: t for name, t in built.model.state_dict().items() if ".kernel." in name}
    module = kind(built.sizes()["width"], built.sizes()["width"], batch_first=True).double()
    module.load_state_dict(tensors)
    return module


@pytest.mark.parametrize("name", CELLS)
@torch.no_grad()
def test_the_built_cell_is_torchs_with_the_same_tensors(name: str) -> None:
    built = build(name, length=9, language="@s3")
    weights, module = built.model.state_dict(), peer(built, CELLS[name])
    words = torch.tensor([[*word, 2] for word in product(range(2), repeat=9)])
    hidden = module(nn.functional.embedding(words, weights["embedding.table"]))[0][:, -1]
    logits = hidden @ weights["readout.weight"].T + weights["readout.bias"]
    assert torch.equal(logits, built.model(words, at=-1))
    assert logits.argmax(dim=-1).tolist() == [built.task.answer(word) for word in words.tolist()]


@pytest.mark.parametrize("name", CELLS)
@pytest.mark.parametrize("language", ["parity", "mod-5", "first-is-1", "third-last-is-1", "sorted", "dyck-2-2", "s3"])
def test_languages_with_and_without_groups_and_sinks_are_proven(name: str, language: str) -> None:
    built = build(name, length=12, language=f"@{language}")
    verdict = check_text(verify(built).to_json())
    assert (verdict.holds, verdict.strength) == (True, "proven"), verdict.reason


@pytest.mark.parametrize(("name", "units", "vectors"), [("regular/lstm", 18, 2), ("regular/elman", 19, 1), ("regular/gru", 19, 1)])
def test_there_is_a_unit_for_each_state_and_token(name: str, units: int, vectors: int) -> None:
    built = build(name, length=9, language="@s3", arithmetic="float32")  # 6 states, s, r and the end
    assert (built.sizes()["width"], built.sizes()["state_bits"]) == (units, vectors * units * 32)


@pytest.mark.parametrize("name", CELLS)
def test_half_of_the_gain_holds_and_a_hundredth_does_not(name: str) -> None:
    for share, holds in ((0.5, True), (0.01, False)):
        built = build(name, length=30, language="@mod-5")
        for key, tensor in built.model.state_dict().items():
            if ".kernel." in key:
                tensor.mul_(share)
        assert trial(built, FAMILIES).holds == holds


@pytest.mark.parametrize("name", CELLS)
def test_what_a_cell_cannot_hold_is_refused(name: str) -> None:
    with pytest.raises(BadInput, match=r"fixed:8,2 has no exact form of an? "):
        build(name, length=9, arithmetic="fixed:8,2")
    with pytest.raises(BadInput, match="regular: the machine has more than 1024 states, found at least 2048"):
        build(name, length=9, language=".*1" + "." * 10, alphabet="01")


@pytest.mark.parametrize("cell", ["elman", "gru", "lstm"])
@pytest.mark.parametrize("arithmetic", ["float64", "float32"])
@pytest.mark.parametrize(("task", "more"), [("dyck", {}), ("dyck", {"types": 3, "depth": 1}), ("dyck", {"depth": 3}), ("parity", {})])
def test_brackets_and_parity_are_proven_at_every_length(cell: str, arithmetic: str, task: str, more: dict[str, int]) -> None:
    built = build(f"{task}/{cell}", length=10, arithmetic=arithmetic, **more)
    verdict = check_text(verify(built).to_json())
    assert (verdict.holds, verdict.strength) == (True, "proven"), verdict.reason
    assert "every length" in verdict.claim
    batch = built.task.sample(1, 80)
    assert built.model(torch.from_numpy(batch.tokens), at=-1).argmax(dim=-1).tolist() == batch.targets[:, -1].tolist()


@pytest.mark.parametrize("cell", ["elman", "gru", "lstm"])
def test_a_machine_with_a_wrong_move_is_refuted(cell: str) -> None:
    """The unit of the empty stack no longer sees that a bracket was closed."""
    built = build(f"dyck/{cell}", length=6)
    kernel = built.model.state_dict()["layers.0.mixer.kernel.weight_hh_l0"]
    column = int(kernel.abs().sum(dim=0).argmax())
    kernel[:, column] = 0
    assert not verify(built).holds

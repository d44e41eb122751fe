"""Delay lines in three cells, against the oracle; torch's own cells with the same tensors; one stage less breaks each."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from separatrix.certificates.verify import verify
from separatrix.checker import check_text
from separatrix.constructions import build, construction
from tests.constructions.named.running import all_right, every_input_right

CELLS = {"elman": nn.RNN, "gru": nn.GRU, "lstm": nn.LSTM}
TASKS = ("index-lookup", "copy", "equality", "intersects")
NAMES = [f"{task}/{cell}" for task in TASKS for cell in CELLS]


def symbols(name: str, count: int) -> dict[str, int]:
    return {} if name.startswith("intersects") else {"symbols": count}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("arithmetic", ["float64", "float32"])
def test_the_delay_line_answers(name: str, arithmetic: str) -> None:
    for length, count in ((2, 2), (12, 5), (30, 2)):
        assert all_right(build(name, length=length, arithmetic=arithmetic, **symbols(name, count)), 30), (length, count)


@pytest.mark.parametrize("name", NAMES)
def test_every_small_input_is_right(name: str) -> None:
    assert every_input_right(build(name, length=4, **symbols(name, 3)))
    assert every_input_right(build(name, length=8, **symbols(name, 2)))


@pytest.mark.parametrize(
    ("name", "strength"),
    [("index-lookup/elman", "proven"), ("copy/gru", "proven"), ("equality/lstm", "exhaustive"), ("intersects/elman", "exhaustive")],
)
def test_the_checker_proves_what_is_read_and_runs_all_inputs_of_what_is_compared(name: str, strength: str) -> None:
    verdict = check_text(verify(build(name, length=6, **symbols(name, 2))).to_json())
    assert (verdict.holds, verdict.strength) == (True, strength), verdict.reason


@pytest.mark.parametrize("cell", CELLS)
@torch.no_grad()
def test_torchs_own_cell_with_the_same_tensors_gives_the_same_logits(cell: str) -> None:
    built = build(f"equality/{cell}", length=10, symbols=3)
    weights, units = built.model.state_dict(), built.sizes()["width"]
    module = CELLS[cell](units, units, batch_first=True).double()
    module.load_state_dict({name.rpartition(".")[2]: t for name, t in weights.items() if ".kernel." in name})
    tokens = torch.from_numpy(built.task.sample(1, 50).tokens)
    hidden = module(nn.functional.embedding(tokens, weights["embedding.table"]))[0][:, -1]
    assert torch.equal(hidden @ weights["readout.weight"].T + weights["readout.bias"], built.model(tokens, at=-1))


@pytest.mark.parametrize(("task", "units"), [("index-lookup", 257), ("copy", 257), ("equality", 132), ("intersects", 131)])
def test_how_many_units_256_bits_take(task: str, units: int) -> None:
    """N + 1 stages; N/2 stages, two units or one that compare, one that remembers, one that has read."""
    for cell in CELLS:
        sizes = construction(f"{task}/{cell}").sizes({"length": 256, **symbols(task, 2)})
        assert sizes is not None
        assert (sizes["width"], sizes["state_bits"]) == (units, (2 if cell == "lstm" else 1) * units * 64)


@pytest.mark.parametrize("name", NAMES)
def test_each_stage_is_needed(name: str) -> None:
    """The oldest stage held at 0 is one symbol forgotten."""
    built = build(name, length=8, **symbols(name, 2))
    stages = 9 if name.startswith(("index-lookup", "copy")) else 4
    kernel = next(t for key, t in built.model.state_dict().items() if key.endswith("weight_hh_l0"))
    units = built.sizes()["width"]
    gates = len(kernel) // units
    row = {1: 0, 3: 2, 4: 2}[gates] * units + stages - 1
    assert bool(kernel[row].any())
    kernel[row] = 0
    assert not all_right(built)

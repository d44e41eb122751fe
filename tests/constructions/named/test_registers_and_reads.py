"""State-based recall by a hybrid: right everywhere, with a recurrent state that does not grow; and each half is needed."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from separatrix.architectures import Architecture, Quantity
from separatrix.bounds.limits import bounds_for
from separatrix.certificates.verify import verify
from separatrix.checker import check_text
from separatrix.constructions import build, construction
from separatrix.errors import BadInput
from tests.constructions.named.running import all_right, every_input_right, logits, share_right

PD, DELTA, GATED = NAMES = tuple(f"state-based-recall/hybrid-{by}" for by in ("pd", "deltanet", "gated-deltanet"))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("arithmetic", ["float64", "float32"])
def test_the_place_that_register_one_points_to_is_read(name: str, arithmetic: str) -> None:
    for chosen in ({"length": 1}, {"length": 9, "symbols": 5}, {"length": 33, "registers": 3}, {"length": 3, "registers": 9, "swaps": 200}):
        assert all_right(build(name, arithmetic=arithmetic, **chosen), 24), chosen


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("arithmetic", ["float64", "float32"])
def test_every_small_input_is_right_and_certified(name: str, arithmetic: str) -> None:
    built = build(name, length=2, registers=3, swaps=4, arithmetic=arithmetic)
    assert every_input_right(built)
    verdict = check_text(verify(built).to_json())
    assert (verdict.holds, verdict.strength, verdict.architecture) == (True, "exhaustive", "hybrid"), verdict.reason


def test_registers_are_swapped_on_the_dot_ten_thousand_times() -> None:
    built = build(DELTA, length=1, swaps=10_000)
    tokens = built.task.sample(3, 1).tokens
    state, held = built.model.initial_state(1), set()
    with torch.no_grad():
        for t in range(10_005):
            state, _ = built.model.step(state, torch.from_numpy(tokens[:, t]))
            if t >= 4:
                held |= {float(x) for x in state.layers[0][1].abs().unique()}
    assert len(held) == 2  # 0, and what a register holds
    assert share_right(built, built.task.sample(3, 8)) == 1.0


@pytest.mark.parametrize("name", [DELTA, GATED])
def test_without_negative_eigenvalues_nothing_is_swapped(name: str) -> None:
    built = build(name, length=6, symbols=16)
    share = built.model.state_dict()["layers.0.mixer.share"]
    share.zero_()  # beta = 1 at swaps too, the most without negative eigenvalues
    assert share_right(built, built.task.sample(7, 60)) < 0.6


@pytest.mark.parametrize("tensor", ["layers.0.mixer.out", "layers.1.mixer.out"])
@pytest.mark.parametrize("name", NAMES)
def test_each_half_is_needed(name: str, tensor: str) -> None:
    built = build(name, length=6, symbols=16)
    built.model.state_dict()[tensor].zero_()
    assert share_right(built, built.task.sample(7, 60)) < 0.6


def test_without_the_second_half_of_the_unsigned_part_odd_swaps_are_lost() -> None:
    built = build(DELTA, length=6, symbols=16)
    built.model.state_dict()["layers.0.feedforward.outer"][:, :5] = 0.0
    assert share_right(built, built.task.sample(7, 60)) < 0.9


def test_noise_in_the_last_place_is_harmless() -> None:
    random = np.random.default_rng(0)
    for name in NAMES:
        built = build(name, length=8, symbols=5)
        for tensor in built.model.state_dict().values():
            tensor.mul_(1 + 2.0**-52 * torch.from_numpy(random.choice([-1.0, 1.0], size=tuple(tensor.shape))))
        assert all_right(built), name


def test_the_recurrent_state_is_constant_and_the_stream_logarithmic() -> None:
    own = {PD: (5, 1 + 2 + 1), DELTA: (50 + 75, 4 * 5), GATED: (50 + 75, 4 * 5)}
    for name, (numbers, slots) in own.items():
        for length in (16, 256, 4096):
            sizes = construction(name).sizes({"length": length})
            assert sizes is not None
            assert sizes["width"] == 1 + 4 + 2 * (length - 1).bit_length() + slots + 2
        few, many = (build(name, length=length).claim.facts["recurrent bits"] for length in (2, 40))
        assert few == many == 64 * numbers
        needs = bounds_for(construction(name).task_at(length=4096), 64, None)
        alone = {(row.architecture, row.quantity): row.value for row in needs}
        assert alone[Architecture.RECURRENT, Quantity.STATE_BITS] == 20_480 > few


def test_a_head_that_is_blunt_and_a_table_that_is_wrong_are_noticed() -> None:
    for tensor, change in (("layers.1.mixer.query", 1 / 512), ("layers.0.mixer.tables", -1.0)):
        built = build(PD, length=30, symbols=16)
        built.model.state_dict()[tensor].mul_(change)
        assert share_right(built, built.task.sample(7, 60)) < 0.9, tensor


def test_certificates_of_pd_have_any_number_of_swaps_and_of_a_reflection_few() -> None:
    assert check_text(verify(build(PD, length=2, swaps=400, arithmetic="float32")).to_json()).strength == "tested"
    assert check_text(verify(build(DELTA, length=2, swaps=60)).to_json()).strength == "tested"
    verdict = check_text(verify(build(DELTA, length=2, swaps=120)).to_json())  # right in torch; the bounds grow with every reflection
    assert not verdict.holds
    assert "the margin is not above the error of the arithmetic" in verdict.reason


def test_step_by_step_gives_the_same_logits() -> None:
    built = build(GATED, length=7, symbols=3)
    tokens = built.task.sample(1, 6).tokens
    assert torch.allclose(logits(built, tokens)[:, -1], logits(built, tokens, by_steps=True)[:, -1], atol=1e-9)


def test_a_stream_that_is_too_narrow_is_refused() -> None:
    with pytest.raises(
        BadInput, match=r"^state-based-recall with 8 blocks of 5 needs a stream of at least 33 numbers .*, found width = 9$"
    ):
        build(DELTA, length=8, width=9)

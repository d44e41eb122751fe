"""The state that was written is what the next one is computed from, by networks whose size does not depend on n."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from separatrix.certificates.built import Built
from separatrix.constructions import build
from separatrix.constructions.yang2024 import plans
from separatrix.errors import BadInput
from separatrix.tasks.programs.maps import Maps
from tests.constructions.yang2024.test_dynamic_programs import ATTENTION, wrong

PROGRAMS: list[tuple[str, dict[str, Any]]] = [
    ("lis", {"length": 6}),
    ("edit-distance", {"length": 3, "second": 4}),
    ("reverse-sum", {"length": 9}),
]


def numbers(built: Built) -> int:
    """Numbers that are stored, as parameters or as buffers."""
    return sum(tensor.numel() for tensor in built.model.state_dict().values())


@pytest.mark.parametrize(
    ("name", "lengths"), [("reverse-sum", (4, 9, 30, 100, 300)), ("lis", (4, 7, 12, 20, 33)), ("edit-distance", (3, 5, 8, 13, 20))]
)
def test_no_tensor_of_a_standard_program_depends_on_n(name: str, lengths: tuple[int, ...]) -> None:
    """Theorem 4.1: nothing is stored for positions, and the maps are networks of constant size."""
    shapes = [[tuple(tensor.shape) for tensor in build(f"{name}/standard", length=n).model.state_dict().values()] for n in lengths]
    assert all(shape == shapes[0] for shape in shapes[1:])
    assert len({numbers(build(f"{name}/standard", length=n, maps="table")) for n in lengths[:2]}) == 2  # a table has L rows


@pytest.mark.parametrize("attention", ["linear", "sparse"])
def test_the_weights_of_efficient_programs_grow_as_the_length_of_the_chain(attention: str) -> None:
    """Theorem 4.2: a width of order sqrt L, so of order L numbers in square matrices."""
    short, long = (build(f"lis/{attention}", length=n) for n in (12, 40))
    lengths = [built.model.config.length for built in (short, long)]
    assert 0.6 < math.log(numbers(long) / numbers(short)) / math.log(lengths[1] / lengths[0]) < 1.1


def not_right(built: Built) -> bool:
    """Whether a chain is wrong, or stops at numbers that are none."""
    try:
        return wrong(built, rows=2) > 0
    except BadInput:
        return True


def misled(built: Built, place: int, state: int) -> tuple[list[int], list[int]]:
    """What is written after a chain whose token `place` names another state; and the chain's own next vector."""
    prompts, chains = built.task.as_vectors(built.task.sample(1, 1).tokens)  # type: ignore[attr-defined, misc]
    read = torch.from_numpy(np.concatenate([prompts[0], chains[0][: place + 1]]))
    read[-1, 2:-2] = torch.from_numpy(chains[0][state, 2:-2].copy())
    with torch.no_grad():
        return built.model(read[None], at=-1)[0].round().long().tolist(), chains[0][place + 1].tolist()


@pytest.mark.parametrize("attention", ATTENTION)
@pytest.mark.parametrize(("name", "chosen"), PROGRAMS)
def test_after_a_scrambled_state_comes_the_state_behind_that_one(name: str, chosen: dict[str, Any], attention: str) -> None:
    """[yang2024 Assumption B.2]: the next state is a function of the state that was written, not of the position."""
    built = build(f"{name}/{attention}", **chosen)
    states = built.task.unrolled.states.tolist()  # type: ignore[attr-defined]
    ahead = [] if attention == "linear" else [(2, 4), (3, len(states) - 2)]  # which reads a block that is still empty: 0 / 0
    for place, other in [(5, 2), (6, 0), (6, 4), *ahead]:
        written, _ = misled(built, place, other)
        assert written[1:-2] == [2, *states[other + 1]]
    written, own = misled(built, 4, len(states) - 1)
    assert (written[1], own[1]) == (3, 2)  # the answer comes next, far too early


def test_a_table_of_positions_does_not_look_at_the_state_that_was_written() -> None:
    """The negative control, and why `maps=table` is not the construction of the proof."""
    written, own = misled(build("lis/standard", length=6, maps="table"), 5, 2)
    assert written == own


@pytest.mark.parametrize("attention", ATTENTION)
def test_every_feed_forward_part_matters(attention: str) -> None:
    """The next state, the last state's flag, the positions, the transition: a part that writes less is noticed."""
    built = build(f"lis/{attention}", length=5)
    for layer in built.model.layers:
        part = layer.feedforward
        if part is None:
            continue
        with torch.no_grad():
            kept = part.outer.clone()
            part.outer *= 0.0
            assert not_right(built)
            part.outer[:] = kept
    assert wrong(built, rows=2) == 0


@pytest.mark.parametrize("attention", ATTENTION)
def test_a_position_formula_that_is_off_by_one_is_seen(attention: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def shifted(u: Any, name: str) -> Maps:
        maps, read = plans.maps_of(u, name), u.reads[1]
        return replace(maps, positions={**maps.positions, read: tuple(replace(c, formula=c.formula - 1) for c in maps.positions[read])})

    monkeypatch.setattr(plans, "_maps", shifted)
    assert wrong(build(f"lis/{attention}", length=6), rows=3) == 3


def test_a_next_state_that_never_turns_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def straight(u: Any, name: str) -> Maps:
        maps = plans.maps_of(u, name)
        return replace(maps, following=tuple((replace(cases[0], conditions=()),) for cases in maps.following))

    monkeypatch.setattr(plans, "_maps", straight)
    assert wrong(build("edit-distance/standard", length=3, second=3), rows=3) == 3


def test_squares_come_from_gelu_units_where_floats_have_room_and_else_from_a_table() -> None:
    """Lemma A.1 in float64 and float32; an exact format has no GeLU, and its table of squares grows with n."""
    for arithmetic, found in (("float64", 1), ("float32", 1), ("fixed:60,24", 0)):
        built = build("lis/standard", length=5, symbols=4, arithmetic=arithmetic)
        assert sum(layer.feedforward is not None and layer.feedforward.activation == "gelu" for layer in built.model.config.layers) == found
    assert len({numbers(build("lis/standard", length=n, symbols=4, arithmetic="fixed:60,24")) for n in (4, 8)}) == 2


def test_positions_that_may_be_off_by_more_than_heads_tolerate_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plans, "WITHIN", 1e-9)
    with pytest.raises(BadInput, match=r"lis: positions may be off by .* in float64, expected at most 1e-09; maps=table has no such error"):
        build("lis/standard", length=9)
    assert wrong(build("lis/standard", length=9, maps="table"), rows=2) == 0


@pytest.mark.parametrize(
    ("name", "chosen", "cites"),
    [
        ("lis/standard", {}, "yang2024 Theorem 4.1"),
        ("lis/linear", {}, "yang2024 Theorem 4.2"),
        ("lis/standard", {"maps": "table"}, ""),
        ("lis/sparse", {"maps": "table"}, ""),
        ("lis/standard", {"positions": "two-digit"}, ""),  # one-hot digits of sqrt L units
        ("lis/standard", {"arithmetic": "fixed:60,24"}, ""),  # j^2 from a table
        ("reverse-sum/standard", {"arithmetic": "fixed:60,24"}, "yang2024 Theorem 4.1"),  # no products
    ],
)
def test_a_theorem_is_cited_only_where_no_part_grows_with_n_but_as_it_allows(name: str, chosen: dict[str, Any], cites: str) -> None:
    short, long = (build(name, length=n, symbols=3, **chosen) for n in (4, 9))
    assert short.claim.cites == long.claim.cites == cites
    if name.endswith("/standard"):
        assert (numbers(short) == numbers(long)) == bool(cites)


@pytest.mark.parametrize("attention", ATTENTION)
def test_no_token_of_a_prompt_asks_for_one_that_lies_ahead(attention: str) -> None:
    """Its block would be empty there: 0 / 0 in linear attention."""
    built = build(f"edit-distance/{attention}", length=3, second=4)
    prompts, _ = built.task.as_vectors(built.task.sample(1, 2).tokens)  # type: ignore[attr-defined, misc]
    with torch.no_grad():
        assert torch.isfinite(built.model(torch.from_numpy(prompts))).all()

"""Declarations of constructions: what can be set, what is refused, and when there are no sizes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from separatrix.architectures import Architecture
from separatrix.certificates.construction import Construction, Sizes
from separatrix.constructions import build, construction, constructions, default_length, parameters_of
from separatrix.errors import BadInput
from separatrix.tasks.equality import EqRandom, Equality

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

SEEN: list[tuple[Any, ...]] = []


def weights(task: EqRandom, gain: float = 2.0, arithmetic: str = "float64") -> Built:
    """Nothing is built here; what was asked for is written down."""
    SEEN.append((task, gain, arithmetic))
    raise BadInput("nothing here")


def formula(task: EqRandom, gain: float, arithmetic: str) -> Sizes:
    if arithmetic == "bfloat16":
        raise BadInput("not in bfloat16")
    return Sizes(layers=1, heads=2, width=task.length * int(gain), precision_bits=64)


DECLARED = Construction(
    name="one",
    cites="",
    computes=EqRandom,
    architecture=Architecture.ONE_LAYER,
    build=weights,
    formula=formula,
    quick=({"length": 4},),
    variants=({"gain": 3.0}, {"gain": 2.0}, {"gain": 5.0}),
    defaults={"distribution": "training"},
    fixed=("symbols",),
)


def test_its_parameters_are_those_of_the_task_and_its_own() -> None:
    assert list(DECLARED.parameters) == ["length", "distribution", "gain", "arithmetic"]
    assert DECLARED.parameters["distribution"].default == "training"
    assert DECLARED.parameters["length"].required
    assert list(DECLARED.settings) == ["gain", "arithmetic"]
    assert DECLARED.task == "eq-random"


def test_values_come_as_text_or_as_values() -> None:
    SEEN.clear()
    for chosen in ({"length": "6", "gain": "1.5"}, {"length": 6, "gain": 1.5}):
        with pytest.raises(BadInput, match="nothing here"):
            DECLARED(**chosen)
    assert [(EqRandom(6, 2, "training"), 1.5, "float64")] * 2 == SEEN


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({}, r"^construction one needs length \(int\)$"),
        (
            {"length": 6, "symbols": 2},
            "^construction one has no parameter 'symbols': expected one of length, distribution, gain, arithmetic$",
        ),
        ({"length": 6, "gain": "much"}, "^gain of construction one: expected a number, found 'much'$"),
        ({"length": 7}, "length N must be even"),
    ],
)
def test_what_cannot_be_set_is_refused(chosen: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        DECLARED(**chosen)


def test_sizes_follow_from_the_task_and_the_settings() -> None:
    task = EqRandom(6).parameters
    assert DECLARED.sizes(task) == Sizes(layers=1, heads=2, width=12, precision_bits=64)
    assert DECLARED.sizes(task, {"gain": 4.0}) == Sizes(layers=1, heads=2, width=24, precision_bits=64)
    assert DECLARED.sizes(task, {}, "bfloat16") is None  # it refuses the format
    assert DECLARED.sizes({**task, "length": 7}) is None  # there is no such task
    assert DECLARED.sizes({**task, "symbols": 3}) is None  # it is built for two symbols
    with pytest.raises(BadInput, match=r"^task eq-random has no parameter 'alphabet'"):
        DECLARED.sizes({**task, "alphabet": 3})
    with pytest.raises(BadInput, match=r"^construction one has no parameter 'address'"):
        DECLARED.sizes(task, {"address": "binary"})


def test_the_narrowest_variant_is_found() -> None:
    assert DECLARED.narrowest({"length": 6}) == ({"gain": 2.0}, Sizes(layers=1, heads=2, width=12, precision_bits=64))
    assert DECLARED.narrowest({"length": 6}, "bfloat16") is None


def test_sizes_are_a_mapping_of_the_numbers_that_there_are() -> None:
    sizes = Sizes(layers=1, heads=0, width=8, precision_bits=1, state_bits=8)
    assert dict(sizes) == {"layers": 1, "heads": 0, "width": 8, "precision_bits": 1, "state_bits": 8}
    assert "value_width" not in sizes
    assert len(sizes) == 5


def test_a_parameter_that_only_draws_inputs_does_not_matter() -> None:
    dyck = construction("dyck/one-layer")
    plain = dyck.sizes({"length": 20})
    assert plain is not None
    assert dyck.sizes({"length": 20, "types": 2, "depth": 2, "positives": "uniform"}) == plain
    assert dyck.sizes({"length": 20, "types": 3}) is None


def test_registers_are_built_in_any_arithmetic() -> None:
    equality = construction("equality/recurrent")
    assert equality.sizes({"length": 20}, {}, "bfloat16") == equality.sizes({"length": 20})


def test_constructions_are_listed_by_task() -> None:
    trained = (
        "elman",
        "gru",
        "lstm",
        "linear-attention",
        "deltanet",
        "gated-deltanet",
        "mamba2",
        "mamba",
        "retnet",
        "linear-rnn",
        "hard-attention",
    )
    listed = [declared.name for declared in constructions(Equality.name)]
    assert sorted(listed) == sorted(["equality", "equality/one-layer", "equality/recurrent", *(f"equality/{name}" for name in trained)])
    assert constructions("dyck-1") == ()


USER = """
from separatrix.certificates.built import Built
from separatrix.constructions import construction

def plain(length: int, symbols: int = 3) -> Built:
    return construction("equality")(length=length, symbols=symbols)

NUMBER = 7
"""


def test_a_construction_of_ones_own_may_be_a_bare_function(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text(USER)
    assert build(f"{file}:plain", length="8").task == Equality(8, 3)
    assert list(parameters_of(f"{file}:plain")) == ["length", "symbols"]
    assert default_length(f"{file}:plain") == 64
    with pytest.raises(BadInput, match="expected a declaration, found <function plain"):
        construction(f"{file}:plain")


def test_names_that_are_no_construction_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text(USER)
    with pytest.raises(BadInput, match=r"unknown construction 'equalty'.*did you mean 'equality'"):
        build("equalty", length=8)
    with pytest.raises(BadInput, match=r"own.py:NUMBER: expected a construction, found 7"):
        build(f"{file}:NUMBER", length=8)


def test_every_construction_says_at_which_length_it_is_verified() -> None:
    assert default_length("associative-recall/recurrent") == 8
    assert default_length("index-lookup") == 64
    assert list(parameters_of("index-lookup")) == ["length", "symbols", "address", "arithmetic"]


def test_more_tokens_than_memory_holds_are_refused_before_anything_is_drawn() -> None:
    with pytest.raises(BadInput, match="index-lookup: weights are built for at most 67,108,864 tokens, found 1,000,000,001"):
        build("index-lookup", length=10**9)

"""Delay lines of a linear RNN and running sums of a selective one, against the oracle, in floats and in the least exact format."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from separatrix.certificates.built import Built
from separatrix.certificates.verify import verify
from separatrix.checker import check_text
from separatrix.constructions import build, construction
from separatrix.constructions.least_precision import carried_over
from separatrix.errors import BadInput
from tests.constructions.named.running import all_right, every_input_right, logits, share_right

LEAST: dict[str, tuple[dict[str, Any], str, str]] = {  # settings, the least format, one with an integer bit less
    "copy/linear-rnn": ({"length": 4, "symbols": 16}, "fixed:3,0", "fixed:2,0"),
    "index-lookup/linear-rnn": ({"length": 4, "symbols": 16}, "fixed:3,0", "fixed:2,0"),
    "equality/linear-rnn": ({"length": 6, "symbols": 16}, "fixed:2,0", "fixed:2,1"),
    "intersects/linear-rnn": ({"length": 6}, "fixed:2,0", "fixed:2,1"),
    "mqar/linear-rnn": ({"length": 4, "labels": 16}, "fixed:3,0", "fixed:2,0"),
    "associative-recall/linear-rnn": ({"length": 2, "labels": 16}, "fixed:3,0", "fixed:2,0"),
    "parity/linear-rnn": ({"length": 7}, "fixed:4,0", "fixed:3,0"),
    "index-lookup/selective-rnn": ({"length": 7, "symbols": 2}, "fixed:4,0", "fixed:3,0"),
}


def small(name: str, length: int = 4) -> dict[str, Any]:
    """Few inputs."""
    return {"length": 2 if name.startswith("associative") else length}


@pytest.mark.parametrize("name", LEAST)
@pytest.mark.parametrize("arithmetic", ["float64", "float32", "fixed:8,0", "nearest:17"])
def test_all_answers_are_right_all_at_once_and_token_by_token(name: str, arithmetic: str) -> None:
    more = {"symbols": 5} if name.partition("/")[0] in ("copy", "index-lookup", "equality") else {}
    assert all_right(build(name, arithmetic=arithmetic, length=10, **more), 12)


@pytest.mark.parametrize("name", LEAST)
def test_every_small_input_is_right_and_certified(name: str) -> None:
    built = build(name, **small(name))
    if name != "parity/linear-rnn":
        assert every_input_right(build(name, **small(name), **({"symbols": 3} if name[:5] in ("copy/", "index", "equal") else {})))
    verdict = check_text(verify(built).to_json())
    assert verdict.holds, verdict.reason
    assert verdict.strength in ("proven", "exhaustive", "tested")


def test_a_lookup_is_proven_where_inputs_cannot_be_enumerated() -> None:
    for name in ("index-lookup/linear-rnn", "copy/linear-rnn"):
        verdict = check_text(verify(build(name, length=16, symbols=2)).to_json())
        assert (verdict.holds, verdict.strength) == (True, "proven"), verdict.reason


def right(built: Built) -> bool:
    """On random and adversarial cases, each format by its own rounding."""
    cases = [built.task.sample(3, 200), *(built.task.adversarial(kind, 5, 60) for kind in built.task.families)]
    return all(share_right(built, batch) == 1 for batch in cases)


@pytest.mark.parametrize("name", LEAST)
def test_one_bit_less_than_the_least_format_breaks_it(name: str) -> None:
    """The least format is taken, a bit less is refused with it by name, and the same weights in that format are wrong somewhere."""
    settings, least, less = LEAST[name]
    built = build(name, arithmetic=least, **settings)
    assert right(built)
    with pytest.raises(BadInput, match=rf"expected {least} or more, found {less}$"):
        build(name, arithmetic=less, **settings)
    assert not right(carried_over(built, less))


@pytest.mark.parametrize("name", [name for name in LEAST if name.endswith("linear-rnn")])
def test_a_line_that_skips_a_stage_is_wrong(name: str) -> None:
    built = build(name, length=10)
    transition = built.model.state_dict()["layers.0.mixer.transition"]
    transition.fill_diagonal_(0) if name == "parity/linear-rnn" else transition[len(transition) // 2 :].zero_()
    assert not all_right(built, 60)


def test_a_register_that_does_not_start_anew_is_wrong() -> None:
    built = build("index-lookup/selective-rnn", length=10, symbols=2)
    built.model.state_dict()["layers.0.mixer.gate"][4] = 0  # the register of the fifth place is kept always
    assert not all_right(built, 60)


@pytest.mark.parametrize(
    ("name", "settings"), [("copy/linear-rnn", {"symbols": 2}), ("equality/linear-rnn", {}), ("intersects/linear-rnn", {})]
)
def test_a_line_that_is_read_at_one_lag_has_a_stream_that_does_not_grow(name: str, settings: dict[str, int]) -> None:
    few, many = (construction(name).sizes({"length": n, **settings}) for n in (16, 1024))
    assert few is not None
    assert many is not None
    assert few["width"] == many["width"]
    assert many["state_bits"] > 50 * few["state_bits"]


def test_formulas_are_what_is_built() -> None:
    for name in LEAST:
        for length in (4, 16):
            built, sizes = build(name, length=length).sizes(), construction(name).sizes({"length": length})
            assert sizes is not None
            assert {key: built[key] for key in ("layers", "width", "state_bits")} == {
                key: sizes[key] for key in ("layers", "width", "state_bits")
            }


def test_the_latest_label_does_not_win_in_a_line() -> None:
    """Both labels are added up: a line knows no order, unlike a register."""
    built = build("mqar/linear-rnn", length=8)
    S = built.task.keys
    rows = np.array([[0, S, 0, S + 1, 0], [0, S + 1, 0, S, 0]])
    assert logits(built, rows)[:, -1].abs().max() == 0

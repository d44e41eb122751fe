"""The separatrix: the least width that learned, brackets of its growth, and what is proven and built beside it."""

from __future__ import annotations

import math
from typing import Any

import pytest

from separatrix.runs.spec import read_spec
from separatrix.studies.least_widths import BUILT, LEARNED, PROVEN, exponents
from separatrix.studies.separatrix import (
    BUILT_AT,
    BUILT_BY,
    KINDS,
    MANY,
    PLAN,
    SWEEP,
    SYMBOLS,
    answer,
    figure,
    least_bits,
    over,
    rows,
    steps_at,
)


def result(accuracy: float) -> dict[str, Any]:
    return {"state_bits": 64, "parameters": 5, "seconds": 3, "validations": [[5, accuracy]], "test": {"step": 5, "accuracy": accuracy}}


def learned(passes: dict[str, Any], alphabet: int = SYMBOLS) -> list[dict[str, Any]]:
    """Rows in which a kind learns strings over an alphabet from a width on that is a function of N."""
    return rows(
        [
            result(0.95 if width >= passes[name](N) else 0.6) if name in passes and symbols == alphabet else None
            for symbols, name, N, width, _ in PLAN
        ]
    )


def test_the_least_width_that_passed_and_the_widest_below_it_that_failed_are_kept() -> None:
    some = learned({"LSTM": lambda N: N})
    at = {(row["series"], row["length"], row["seed"]): row for row in some if row["kind"] == LEARNED and row["symbols"] == SYMBOLS}
    assert [(at["LSTM", N, 0]["width"], at["LSTM", N, 0]["failed_width"]) for N in (8, 16, 32, 64)] == [
        (8, 7),
        (16, 14),
        (32, 28),
        (64, 48),
    ]
    assert at["TF", 8, 0]["status"] == "not run"
    assert at["TF", 8, 0]["width"] is None


def test_powers_of_a_vector_a_matrix_and_attention_are_told_apart_where_the_brackets_are_narrow() -> None:
    some = learned({"LSTM": lambda N: N, "TF": lambda N: 6, "LinTF": lambda N: 5 * math.sqrt(N / 8)})  # noqa: ARG005
    powers = exponents(over(SYMBOLS, some))
    assert powers["LSTM"][0] == pytest.approx(1)
    assert powers["TF"][0] == pytest.approx(0)
    assert powers["LinTF"][0] == pytest.approx(0.5, abs=0.2)
    low, high = powers["LSTM"][1]
    assert low < 1 < high
    assert answer(some).verdict == "held"


def test_widths_that_do_not_tell_the_powers_apart_are_no_answer() -> None:
    some = learned({"LSTM": lambda N: N, "TF": lambda N: 4 if N < 32 else 8, "LinTF": lambda N: 6 if N < 32 else 12})
    assert answer(some).verdict == "untested"
    assert "the intervals of TF and LinTF overlap" in answer(some).sentence


def test_a_power_that_is_told_apart_but_not_the_predicted_one_is_said() -> None:
    some = learned({"LSTM": lambda N: N, "TF": lambda N: 6, "LinTF": lambda N: 4 * (N / 8) ** 0.9})  # noqa: ARG005
    assert answer(some).verdict == "untested"
    assert "outside the interval of LinTF (0.5)" in answer(some).sentence


def test_a_width_that_never_passed_has_no_place_in_the_fit() -> None:
    some = learned({"LSTM": lambda N: N if N < 64 else 1000, "TF": lambda N: 1000})  # noqa: ARG005
    assert set(exponents(over(SYMBOLS, some))) == {"LSTM"}
    two_sizes = learned({"LSTM": lambda N: N if N < 32 else 1000})
    assert exponents(over(SYMBOLS, two_sizes)) == {}  # through two points there is always a line
    assert [row["failed_width"] for row in over(SYMBOLS, some) if (row["series"], row["length"], row["kind"]) == ("TF", 8, LEARNED)] == [
        6
    ] * 3


def test_what_is_proven_lies_below_what_is_built_and_grows_with_n() -> None:
    """A share of 90 % of N independent bits needs at least N (1 - h(0.1)) of them, and N are enough."""
    h = -(0.1 * math.log2(0.1) + 0.9 * math.log2(0.9))
    for N in (8, 16, 32, 64, 1024):
        assert N * (1 - h) <= least_bits(N) <= N
    some = over(SYMBOLS, rows([None] * len(PLAN)))
    built = {(row["series"], row["length"]): row for row in some if row["kind"] == BUILT}
    assert {name: len([at for series, at in built if series == name]) for name in BUILT_BY} == dict.fromkeys(BUILT_BY, len(BUILT_AT))
    assert [built["LSTM", N]["width"] for N in BUILT_AT] == [N + 1 for N in BUILT_AT]  # a delay line of N symbols and a flag
    for row in some:
        if row["kind"] == PROVEN and row["series"] in BUILT_BY:
            above = built[row["series"], row["length"]]
            assert row["width"] <= above["width"]
            assert row["state_bits"] <= above["state_bits"]


@pytest.mark.parametrize("name", [name for name, kind in KINDS.items() if kind.numbers is not None])
def test_the_numbers_of_a_state_are_those_that_the_model_declares(name: str) -> None:
    kind = KINDS[name]
    assert kind.numbers is not None
    for width in (8, 16):
        spec = read_spec(kind.run(SYMBOLS, 8, width, 0).spec.document())
        model: Any = spec.fresh_model()
        assert model.state_bits(spec.judged_task().token_count) == 32 * kind.numbers(width)


def test_each_place_is_asked_for_as_often_at_every_length_from_16_on() -> None:
    assert len({steps_at(N) / N for N in (16, 32, 64)}) == 1
    assert steps_at(8) == steps_at(16)
    assert {run.budget.steps for run, (_, _, N, _, _) in zip(SWEEP, PLAN, strict=True) if N == 64} == {4 * steps_at(16)}


def test_the_figure_draws_points_of_seeds_and_names_the_powers() -> None:
    some = learned({"LSTM": lambda N: N, "TF": lambda N: 8})  # noqa: ARG005
    width, state = figure(some)["concat"]
    assert width["encoding"]["color"]["scale"]["domain"][:2] == ["TF, learned as N^0.0", "LSTM, learned as N^1.0"]
    assert not any(row["series"] == "TF" for row in state["data"]["values"])  # a cache grows with every token
    assert sum((row["series"], row["kind"]) == ("LSTM", LEARNED) for row in width["data"]["values"]) == 4 * 3
    (nothing,) = figure(rows([None] * len(PLAN)))["concat"]
    assert nothing["encoding"]["text"]["value"] == "nothing has been run yet"


def test_strings_over_many_symbols_have_powers_and_a_panel_of_their_own() -> None:
    some = [*over(SYMBOLS, learned({"LSTM": lambda N: N})), *over(MANY, learned({"LinTF": lambda N: 4 * math.sqrt(N)}, MANY))]
    assert exponents(over(MANY, some))["LinTF"][0] == pytest.approx(0.5, abs=0.1)
    assert "; over 64 symbols LinTF 0." in answer(some).sentence
    assert [panel["title"]["text"] for panel in figure(some)["concat"]][1] == "Least width that learns lookup of 64 symbols"
    assert all(row["symbols"] == MANY for row in figure(some)["concat"][1]["data"]["values"])


def test_a_length_that_no_width_learned_is_said_with_the_widest() -> None:
    some = learned({"LSTM": lambda N: N if N < 64 else 1000})
    assert "no width that was tried was enough for LSTM at N = 64 (to 128), so the powers leave that out" in answer(some).sentence


@pytest.mark.parametrize("alphabet", [SYMBOLS, MANY])
def test_guides_end_inside_their_panel(alphabet: int) -> None:
    """A guide that were cut off at the top would seem to bend where its leader begins."""
    panels = figure(learned({"LinTF": lambda N: N**0.5}, alphabet))["concat"]
    panel = next(panel for panel in panels if "width" in panel["title"]["text"])
    guides = panel["layer"][0]["data"]["values"]
    assert {line["guide"] for line in guides} == {"as N", "as √N"}
    assert {name: max(line["length"] for line in guides if line["guide"] == name) for name in ("as N", "as √N")} == dict.fromkeys(
        ("as N", "as √N"), max(BUILT_AT)
    )

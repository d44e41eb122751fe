"""Panels: the order of curves, ticks at powers of ten, nothing dropped."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from separatrix.atlas.drawing import picture
from separatrix.studies.panel import (
    COLOURS,
    OTHERS,
    PRINTED,
    SUPERSCRIPTS,
    architecture,
    bars,
    curves,
    inks,
    named_at_ends,
    side_by_side,
    standing_alone,
)

ROWS = [{"N": 20, "bits": 3, "of": "zebra"}, {"N": 20, "bits": 90, "of": "ant"}, {"N": 5000, "bits": 4 * 10**8, "of": "ant"}]


def panel() -> dict[str, Any]:
    return curves(ROWS, "A title", ("N", "length"), ("bits", "how many"), "of")


def test_curves_keep_the_order_of_the_rows_and_not_of_the_alphabet() -> None:
    assert panel()["encoding"]["color"]["scale"]["domain"] == ["zebra", "ant"]


def test_colour_and_dashes_tell_the_same_curves_apart() -> None:
    lines = panel()["layer"][0]
    assert lines["mark"]["type"] == "line"
    dashes, colours = lines["encoding"]["strokeDash"], panel()["encoding"]["color"]
    assert (dashes["field"], dashes["scale"]["domain"]) == (colours["field"], colours["scale"]["domain"])
    assert dashes["legend"] == colours["legend"]  # one legend shows both
    many = [{"N": 1, "bits": 1, "of": str(number)} for number in range(8)]
    eight = curves(many, "A title", ("N", "length"), ("bits", "how many"), "of")["layer"][0]["encoding"]["strokeDash"]["scale"]["range"]
    assert len({tuple(dash) for dash in eight}) == 8


def test_the_horizontal_axis_ends_with_the_data_and_the_vertical_one_at_powers_of_ten() -> None:
    encoding = panel()["encoding"]
    assert encoding["x"]["scale"]["domain"] == [20, 5000]
    assert encoding["x"]["axis"]["values"] == [100, 1000]
    assert encoding["y"]["scale"]["domain"] == [1, 10**9]


def test_small_values_have_negative_powers() -> None:
    rows = [{"N": 1, "bits": 0.004, "of": "ant"}, {"N": 10, "bits": 2, "of": "ant"}]
    y = curves(rows, "A title", ("N", "length"), ("bits", "how many"), "of")["encoding"]["y"]
    assert y["scale"]["domain"] == [0.001, 10]
    assert y["axis"]["values"] == [0.001, 0.01, 0.1, 1, 10]
    assert "10⁻³" in picture_text(rows)


def picture_text(rows: list[Any]) -> str:
    return picture(curves(rows, "A title", ("N", "length"), ("bits", "how many"), "of"), "svg").decode()


def test_a_long_axis_marks_every_second_power() -> None:
    assert panel()["encoding"]["y"]["axis"]["values"] == [10**power for power in (0, 2, 4, 6, 8)]


def test_an_axis_that_is_named_is_linear_and_may_hold_zero() -> None:
    rows = [{**row, "bits": 0} for row in ROWS]
    encoding = curves(rows, "A title", ("N", "length"), ("bits", "how many"), "of", linear="y")["encoding"]
    assert "scale" not in encoding["y"]
    assert encoding["x"]["scale"]["type"] == "log"


def test_the_superscripts_are_those_of_their_place() -> None:
    digits = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
    assert [int(text.translate(digits)) for text in SUPERSCRIPTS] == list(range(19))


def test_bars_show_one_bar_for_each_row() -> None:
    drawn = bars(ROWS, "A title", ("N", "length"), ("bits", "how many"))
    assert drawn["mark"]["type"] == "bar"
    assert drawn["data"]["values"] == ROWS
    assert (drawn["encoding"]["x"]["title"], drawn["encoding"]["y"]["title"]) == ("length", "how many")


def test_panels_side_by_side_keep_their_own_colours() -> None:
    figure = side_by_side(panel(), panel())
    assert len(figure["concat"]) == 2
    assert figure["resolve"]["scale"]["color"] == "independent"


def names_at(*shares: float) -> list[tuple[str, float]]:
    """Names at the ends of curves that end at these percentages, with the pixels from the top of the panel."""
    ends = {f"s{i}": (10.0, share) for i, share in enumerate(shares)}
    x, y = {"scale": {"type": "log", "domain": [1, 10]}}, {"scale": {"domain": [0, 100]}}
    panel = named_at_ends({"width": 270, "height": 210, "encoding": {"x": x, "y": y}, "layer": []}, ends, dict.fromkeys(ends, "black"))
    return [(row["name"], 210 * (1 - row["at"] / 100)) for row in panel["layer"][1]["data"]["values"]]


@pytest.mark.parametrize("share", [100.0, 50.0, 0.0])
def test_names_of_curves_that_end_together_are_a_line_apart_and_stay_beside_the_panel(share: float) -> None:
    heights = sorted(height for _, height in names_at(*[share] * 8))
    assert all(after - before >= 14 for before, after in pairwise(heights))
    assert -14 <= heights[0] < heights[-1] <= 210 + 14


def test_names_of_curves_that_end_apart_stand_at_their_ends_in_order() -> None:
    assert names_at(80.0, 20.0) == [("s0", pytest.approx(42)), ("s1", pytest.approx(168))]


def test_a_series_has_the_architecture_of_its_first_word() -> None:
    names = ("lstm-2-64 + memory", f"Mamba-(6,256) {PRINTED}", "mamba2-2-64", "TF: N^0.3", "hybrid-mamba-1-64+1", "one layer", "tfx-1")
    assert [architecture(name) for name in names] == ["LSTM", "Mamba", "Mamba2", "TF", "hybrid", None, None]


def test_a_figure_of_its_own_says_what_was_found_measured_and_left_out() -> None:
    alone = standing_alone(side_by_side(panel(), left_out=["DSS"]), "It grows", "Bits by N.")
    assert alone["title"]["text"] == ["It grows"]
    assert alone["title"]["subtitle"] == ["Bits by N.", "Left out, since nothing of it has been run here: DSS."]
    assert "left_out" not in side_by_side(panel()).get("usermeta", {})


def test_what_is_no_architecture_never_looks_like_one_beside_it() -> None:
    assert inks(["built machine", "tf-2-64"]) == [OTHERS[1], COLOURS["TF"]]
    assert inks(["built machine", "gru-2-64"]) == [OTHERS[0], COLOURS["GRU"]]


def test_a_leader_never_looks_like_a_curve_that_goes_on() -> None:
    ends = {"s": (1.0, 50.0)}  # a curve of which nothing was run beyond its first point
    x, y = {"scale": {"type": "log", "domain": [1, 10]}}, {"scale": {"domain": [0, 100]}}
    drawn = named_at_ends({"width": 270, "height": 210, "encoding": {"x": x, "y": y}, "layer": []}, ends, {"s": "black"})
    assert drawn["layer"][0]["mark"]["strokeDash"] == [1, 2]
    assert drawn["layer"][0]["mark"]["strokeWidth"] == 1

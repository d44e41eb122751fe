"""Panels: the order of curves, ticks at powers of ten, nothing dropped."""

from __future__ import annotations

from typing import Any

from separatrix.atlas.drawing import picture
from separatrix.studies.panel import SUPERSCRIPTS, bars, curves, side_by_side

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

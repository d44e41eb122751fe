"""Figures as pictures: ink of the page, no outside names, one picture for each panel."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import pytest

import separatrix.atlas
from separatrix.atlas.drawing import SERIES, THEME, alike, draw, grid_picture
from separatrix.studies.panel import COLOURS, PAPER_INK, bars, curves, nothing_run, side_by_side

ROWS = [{"N": N, "bits": bits, "of": of} for N in (10, 100) for of, bits in (("<one> & more", N), ("two", 7))]
FIGURE = side_by_side(curves(ROWS, "Growth", ("N", "N"), ("bits", "bits"), "of"), bars(ROWS, "Bars", ("N", "N"), ("bits", "bits")))
FOLDER = Path(separatrix.atlas.__file__).parent / "templates"
PAGES = ("#fdfcf9", "#16181b")  # light and dark, as in the style sheet


@pytest.fixture(scope="module")
def pictures() -> list[str]:
    return [str(picture) for picture in draw(FIGURE)]


def test_each_panel_is_a_picture_with_its_title_for_those_who_cannot_see_it(pictures: list[str]) -> None:
    heads = [re.match(r'<svg role="img" aria-label="(\w+)" viewBox="0 0 [\d.]+ [\d.]+"', picture) for picture in pictures]
    assert [head and head[1] for head in heads] == ["Growth", "Bars"]
    assert all(picture.count("<svg") == picture.count("</svg>") == 1 for picture in pictures)


def test_a_figure_without_panels_is_one_picture_and_panels_in_a_row_or_column_are_taken_apart_too() -> None:
    one = FIGURE["concat"][1]
    assert len(draw(one)) == 1
    assert len(draw({"hconcat": [one, one]})) == len(draw({"vconcat": [one, one]})) == 2


def test_pictures_name_nothing_outside_and_carry_no_program(pictures: list[str]) -> None:
    for picture in pictures:
        assert not re.search(r"https?:|xmlns|<script|<style|<image|url\(|@import", picture)


def test_text_takes_the_ink_of_the_page_and_curves_have_their_own(pictures: list[str]) -> None:
    texts = re.findall(r"<text[^>]*>", pictures[0])
    assert len(texts) > 5
    assert not any("fill=" in text for text in texts)  # so that this rule holds for them
    assert "svg text:not([fill]) { fill: currentColor; }" in (FOLDER / "style.css").read_text(encoding="utf-8")
    assert f'stroke="{SERIES[0]}"' in pictures[0]
    assert f'stroke="{SERIES[1]}"' in pictures[0]
    assert f'fill="{SERIES[0]}"' in pictures[1]


def test_a_figure_without_rows_says_so_in_the_ink_of_the_page() -> None:
    (picture,) = draw(nothing_run("Later"))
    assert re.search(r"<text(?![^>]*fill=)[^>]*>nothing has been run yet", picture)


def test_what_a_curve_counts_stands_in_the_picture(pictures: list[str]) -> None:
    assert "&lt;one&gt; &amp; more" in pictures[0]
    assert "10²" in pictures[0]


def test_every_series_can_be_told_from_both_pages() -> None:
    def luminance(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    for colour in (*SERIES, *COLOURS.values(), PAPER_INK):
        for page in PAGES:
            low, high = sorted((luminance(colour), luminance(page)))
            assert (high + 0.05) / (low + 0.05) >= 3, (colour, page)


def test_a_grid_draws_every_weight_that_leaves_ink() -> None:
    picture = str(grid_picture([[1.0, 0.0, 0.0], [0.25, 0.75, 0.01]], "Layer 1, head <1>"))
    assert 'viewBox="0 -.5 3 2"' in picture
    shades = re.findall(r'<path stroke-opacity="([\d.]+)" d="([^"]+)"/>', picture)
    assert shades == [("0.25", "M0 1h1"), ("0.75", "M1 1h1"), ("1", "M0 0h1")]
    assert "head &lt;1&gt;" in picture


def test_squares_of_one_shade_share_a_path() -> None:
    picture = str(grid_picture([[0.5, 0.5], [0.501, 0.499]], "head"))
    assert re.findall(r'd="([^"]+)"', picture) == ["M0 0h2M0 1h2"]


def test_a_picture_is_shortened_in_its_tags_and_never_in_its_text() -> None:
    data = {"values": [{"x": 0.123456, "y": 'role="0.98765"'}, {"x": 2.5, "y": "b"}]}
    text = {"mark": "text", "encoding": {"x": {"field": "x", "type": "quantitative"}, "y": {"field": "y"}, "text": {"field": "x"}}}
    (picture,) = draw({"data": data, **text})
    assert ">0.123456<" in picture
    assert 'role="0.98765"' in html.unescape(str(picture))
    tags = "".join(re.findall(r"<[^>]+>", str(picture).partition(">")[2]))
    assert not re.search(r"\d\.\d{3}", tags)
    assert "aria-" not in tags


def test_a_name_that_two_panels_show_looks_the_same_in_both() -> None:
    def panel(*names: str) -> dict[str, Any]:
        named = {"field": "by", "type": "nominal", "scale": {"domain": list(names)}}
        return {"encoding": {"color": named}, "layer": [{"encoding": {"strokeDash": named}}]}

    first, second = alike([panel("gru", "lstm"), panel("tf", "lstm")])
    (gru, lstm), (tf, again) = (one["encoding"]["color"]["scale"]["range"] for one in (first, second))
    assert again == lstm
    assert len({gru, lstm, tf}) == 3
    dashes = [one["layer"][0]["encoding"]["strokeDash"]["scale"]["range"] for one in (first, second)]
    assert dashes[0][1] == dashes[1][1]
    many = [panel("a", "b", "c", "d"), panel("e", "f", "g")]
    assert alike(many) == many  # there are not as many colours


def test_the_points_of_a_curve_are_dots_of_one_path_each_where_the_converter_put_it() -> None:
    """Its own outlines of circles are ten times as long."""
    import vl_convert

    rows = [{"N": 10**power, "bits": 10**power * factor, "series": name} for power in range(1, 5) for name, factor in (("a", 1), ("b", 3))]
    panel = curves(rows, "Points", ("N", "N"), ("bits", "bits"), "series")
    raw = vl_convert.vegalite_to_svg({**panel, "config": THEME})
    outlined = re.findall(r'translate\(([-\d.]+),([-\d.]+)\)" d="M([\d.]+),0A[^"]*" fill="(#\w+)"', raw)
    assert len(outlined) == 8
    (drawn,) = draw(panel)
    assert not re.search(r'<circle|d="M[\d.]+,0A', drawn)
    dots = [
        (float(x), float(y), float(width) / 2, ink)
        for ink, width, path in re.findall(r'<path stroke="(#\w+)" stroke-width="([\d.]+)" stroke-linecap="round" d="([^"]+)"/>', drawn)
        for x, y in re.findall(r"M([-\d.]+),([-\d.]+)h0", path)
    ]
    assert len(dots) == 8
    for dot, (x, y, radius, ink) in zip(dots, outlined, strict=True):
        assert dot[3] == ink
        assert dot[:3] == pytest.approx((float(x), float(y), float(radius)), abs=0.1)


def test_groups_stay_where_they_move_what_they_hold(pictures: list[str]) -> None:
    for picture in pictures:
        assert "<g>" not in picture
        assert 0 < len(re.findall(r"<g [^>]*[^/]>", picture)) == picture.count("</g>")


def test_the_lines_of_a_grid_are_one_path_and_none_is_lost_or_moved() -> None:
    import vl_convert

    rows = [{"N": n, "bits": n * n, "series": "a"} for n in range(1, 9)]
    panel = curves(rows, "Lines", ("N", "N"), ("bits", "bits"), "series", linear="xy")
    raw = vl_convert.vegalite_to_svg({**panel, "config": THEME})
    lines = [
        tuple(round(float(number), 2) for number in found)
        for found in re.findall(r'<line [^>]*translate\(([-\d.]+),([-\d.]+)\)" x2="([-\d.]+)" y2="([-\d.]+)"', raw)
    ]
    (drawn,) = draw(panel)
    assert "<line" not in drawn
    assert len(lines) > 20
    straight = [
        (float(x), float(y), float(far) if way == "h" else 0.0, float(far) if way == "v" else 0.0)
        for path in re.findall(r'<path [^>]*d="((?:M[-\d.]+,[-\d.]+[hv][-\d.]+)+)"/>', drawn)
        if "h0" not in path  # a dot
        for x, y, way, far in re.findall(r"M([-\d.]+),([-\d.]+)([hv])([-\d.]+)", path)
    ]
    assert straight == lines
    assert drawn.count("stroke-opacity") == 2  # one path for each grid

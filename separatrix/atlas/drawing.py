"""Figures inside the page: Vega-Lite specifications become SVG that follows the page's colours, light or dark."""

from __future__ import annotations

import re
from typing import Any

from markupsafe import Markup

INK = "currentColor"  # text and axes follow the page
SERIES = ("#2f7dc9", "#c8591e", "#8a63c0", "#3a8a5f", "#b3487f", "#7d7a1c")  # each at least 3 : 1 against the light and the dark page
SHADES = 20  # of the squares of a grid
UNSEEN = re.compile(  # what no reader of a picture meets: empty shapes, roles of its parts, defaults
    r'^<path class="(?:background|foreground)" [^>]*/>$'
    r'| (?:role|aria-roledescription|aria-label|aria-hidden|pointer-events|class)="[^"]*"| opacity="1"'
)
FONT = "Arial, Helvetica, Liberation Sans, sans-serif"  # the font whose widths the converter assumes

THEME: dict[str, Any] = {
    "background": None,
    "font": FONT,
    "view": {"stroke": None},
    "range": {"category": list(SERIES)},
    "bar": {"color": SERIES[0]},
    "title": {"color": INK, "fontSize": 14, "fontWeight": 600, "offset": 12},
    "legend": {"labelColor": INK, "labelFontSize": 12, "offset": 8, "rowPadding": 4},
    "axis": {
        "labelColor": INK, "titleColor": INK, "domainColor": INK, "tickColor": INK, "gridColor": INK, "gridOpacity": 0.12,
        "labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": 400, "titlePadding": 8,
    },
}  # fmt: skip


def draw(figure: dict[str, Any]) -> list[Markup]:
    """The panels of a figure as separate pictures, so that a narrow page can stack them."""
    panels = next((figure[way] for way in ("concat", "hconcat", "vconcat") if way in figure), [figure])
    return [draw_panel(panel) for panel in panels]


def draw_panel(panel: dict[str, Any]) -> Markup:
    """One Vega-Lite specification as an `<svg>` element that shrinks with the page."""
    import vl_convert

    text: str = vl_convert.vegalite_to_svg({**panel, "config": THEME})
    size = re.search(r'<svg[^>]*? width="([\d.]+)" height="([\d.]+)"', text)
    assert size is not None  # the converter always writes it
    body = text[text.index(">", size.end()) + 1 :]  # without the head, whose namespaces HTML does not need
    body = re.sub(r"<[^>]+>", _shorter, body)
    title = panel.get("title", {}).get("text", "figure")
    frame = Markup('<svg role="img" aria-label="{0}" viewBox="0 0 {1} {2}" width="{1}" height="{2}">{3}')
    return frame.format(title, *size.groups(), Markup(body))


def picture(figure: dict[str, Any], kind: str) -> bytes:
    """A whole figure as a file of its own, black on white: `svg`, or `png` at twice its size."""
    import vl_convert

    theme = {name: _on_paper(value) for name, value in THEME.items()} | {"background": "white"}
    whole = {**figure, "config": theme, "padding": 12}
    if kind == "svg":
        text: str = vl_convert.vegalite_to_svg(whole)
        return text.encode()
    image: bytes = vl_convert.vegalite_to_png(whole, scale=2)
    return image


def _on_paper(value: Any) -> Any:
    """A part of the theme with black ink: outside a page there is no colour to follow."""
    if isinstance(value, dict):
        return {name: _on_paper(part) for name, part in value.items()}
    return "black" if value == INK else value


def _shorter(tag: re.Match[str]) -> str:
    """A tag of a picture without what nobody sees; a hundredth of a pixel is enough. Text between tags stays as it is."""
    return re.sub(r"(\d\.\d\d)\d+", r"\1", UNSEEN.sub("", tag[0]))


def grid_picture(weights: list[list[float]], label: str) -> Markup:
    """Attention of every query (rows) to every key (columns), as squares, darker for larger weights; one path for each shade."""
    rows, columns = len(weights), len(weights[0])
    shades: dict[int, list[str]] = {}
    for i, row in enumerate(weights):
        for j, weight in enumerate(row):
            if weight >= 0.02:  # smaller weights would be invisible
                shades.setdefault(max(1, round(weight * SHADES)), []).append(f"M{j} {i}h1v1h-1z")
    paths = [
        Markup('<path fill-opacity="{:g}" d="{}"/>').format(shade / SHADES, "".join(squares)) for shade, squares in sorted(shades.items())
    ]
    frame = Markup('<rect class="frame" width="{}" height="{}"/>').format(columns, rows)
    return Markup('<svg class="grid" role="img" aria-label="{}" viewBox="0 0 {} {}">{}{}</svg>').format(
        label, columns, rows, frame, Markup("").join(paths)
    )

"""Figures inside the page: Vega-Lite specifications become SVG that follows the page's colours, light or dark."""

from __future__ import annotations

import json
import re
from itertools import groupby
from typing import Any

from markupsafe import Markup

INK = "currentColor"  # text and axes follow the page
SERIES = ("#2f7dc9", "#c8591e", "#8a63c0", "#3a8a5f", "#b3487f", "#7d7a1c")  # each at least 3 : 1 against the light and the dark page
DASHES = [[1, 0], [6, 3], [2, 2], [8, 2, 2, 2], [1, 3], [10, 4]]  # for readers who see no colours
SHADES = 20  # of the squares of a grid
FONT = "Arial, Helvetica, Liberation Sans, sans-serif"  # the font whose widths the converter assumes
CIRCLE = re.compile(
    r'<path transform="translate\(([-\d.]+),([-\d.]+)\)" d="M([\d.]+),0A\3,\3,0,1,1,-\3,0A\3,\3,0,1,1,\3,0" '
)  # as the converter draws it
LINE = re.compile(r'<line transform="translate\(([-\d.]+),([-\d.]+)\)" x2="([-\d.]+)" y2="([-\d.]+)"([^>]*)/>')
DOT = re.compile(r'<circle cx="([-\d.]+)" cy="([-\d.]+)" r="([\d.]+)" fill="([^"]+)"(?: stroke-width="[\d.]+")?/>')
UNSEEN = re.compile(  # what no reader of a picture meets: empty shapes, roles of its parts, defaults, and what the frame says for all
    r'^<path class="(?:background|foreground)" [^>]*/>$'
    r'| (?:role|aria-roledescription|aria-label|aria-hidden|pointer-events|class)="[^"]*"| opacity="1"| stroke-width="1"'
    rf'| font-family="{FONT}"| font-size="12px"| font-weight="400"| text-anchor="start"| stroke-dasharray="1,0"'
)

THEME: dict[str, Any] = {
    "background": None,
    "font": FONT,
    "view": {"stroke": None},
    "range": {"category": list(SERIES)},
    "bar": {"color": SERIES[0]},
    "text": {"color": INK},
    "title": {"color": INK, "fontSize": 14, "fontWeight": 600, "offset": 12, "subtitleColor": INK, "subtitleFontSize": 12},
    "legend": {"labelColor": INK, "labelFontSize": 12, "offset": 8, "rowPadding": 4},
    "axis": {
        "labelColor": INK, "titleColor": INK, "domainColor": INK, "tickColor": INK, "gridColor": INK, "gridOpacity": 0.12,
        "labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": 400, "titlePadding": 8,
    },
}  # fmt: skip


def draw(figure: dict[str, Any]) -> list[Markup]:
    """The panels of a figure as separate pictures, so that a narrow page can stack them."""
    panels = next((figure[way] for way in ("concat", "hconcat", "vconcat") if way in figure), [figure])
    return [draw_panel(panel) for panel in alike(panels)]


def alike(panels: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Panels in which a name that several of them show has one colour and one dash, as long as there are colours for all names."""
    names = list(dict.fromkeys(name for panel in panels for name in _named(panel)))
    if not 1 < len(names) <= len(SERIES):
        return panels
    looks = {name: (SERIES[i], DASHES[i]) for i, name in enumerate(names)}
    return [_looking(panel, [looks[name] for name in _named(panel)]) for panel in panels]


def _named(panel: dict[str, Any]) -> list[str]:
    """The names of a panel's curves that have no colours of their own, in their order."""
    scale: dict[str, list[str]] = panel.get("encoding", {}).get("color", {}).get("scale", {})
    return [] if "range" in scale else scale.get("domain", [])


def _looking(panel: dict[str, Any], looks: list[tuple[str, list[int]]]) -> dict[str, Any]:
    """A panel whose curves look like this."""
    if not looks:
        return panel
    found: dict[str, Any] = json.loads(json.dumps(panel))
    for encoding in (found["encoding"], *(layer.get("encoding", {}) for layer in found.get("layer", []))):
        for channel, which in (("color", 0), ("strokeDash", 1)):
            if channel in encoding:
                encoding[channel]["scale"]["range"] = [look[which] for look in looks]
    return found


def draw_panel(panel: dict[str, Any]) -> Markup:
    """One Vega-Lite specification as an `<svg>` element that shrinks with the page."""
    import vl_convert

    text: str = vl_convert.vegalite_to_svg({**panel, "config": THEME})
    size = re.search(r'<svg[^>]*? width="([\d.]+)" height="([\d.]+)"', text)
    assert size is not None  # the converter always writes it
    body = text[text.index(">", size.end()) + 1 :]  # without the head, whose namespaces HTML does not need
    body = CIRCLE.sub(r'<circle cx="\1" cy="\2" r="\3" ', re.sub(r"<[^>]+>", _shorter, body))
    body = re.sub(rf"(?:{LINE.pattern})+", _as_paths, body).replace(' transform="translate(0,0)"', "")
    body = _without_bare_groups(body)
    body = re.sub(rf"(?:{DOT.pattern})+", _as_dots, body)
    title = panel.get("title", {}).get("text", "figure")
    frame = Markup('<svg role="img" aria-label="{0}" viewBox="0 0 {1} {2}" width="{1}" height="{2}" font-family="{3}" font-size="12px">{4}')
    return frame.format(title, *size.groups(), FONT, Markup(body))


def picture(figure: dict[str, Any], kind: str) -> bytes:
    """A whole figure as a file of its own, black on white: `svg`, `pdf`, or `png` at twice its size."""
    import vl_convert

    theme = {name: _on_paper(value) for name, value in THEME.items()} | {"background": "white"}
    whole = {**figure, "config": theme, "padding": 12}
    if kind == "svg":
        text: str = vl_convert.vegalite_to_svg(whole)
        return text.encode()
    image: bytes = vl_convert.vegalite_to_pdf(whole) if kind == "pdf" else vl_convert.vegalite_to_png(whole, scale=2)
    return image


def _on_paper(value: Any) -> Any:
    """A part of the theme with black ink: outside a page there is no colour to follow."""
    if isinstance(value, dict):
        return {name: _on_paper(part) for name, part in value.items()}
    return "black" if value == INK else value


def _shorter(tag: re.Match[str]) -> str:
    """A tag of a picture without what nobody sees; a tenth of a pixel is enough. Text between tags stays as it is."""
    shown = UNSEEN.sub("", tag[0])
    if shown.startswith("<text "):
        shown = shown.replace(f' fill="{INK}"', "")  # the page's style gives text its ink
    return re.sub(r"(\d)\.0(?!\d)", r"\1", re.sub(r"(\d\.\d)\d+", r"\1", shown))


def _as_paths(lines: re.Match[str]) -> str:
    """Lines one after the other, such as those of a grid, as one path for each look."""
    paths = []
    for look, alike in groupby(LINE.finditer(lines[0]), key=lambda line: line[5]):
        strokes = (
            f"M{x},{y}" + (f"v{down}" if right == "0" else f"h{right}" if down == "0" else f"l{right},{down}")
            for x, y, right, down, _ in map(re.Match.groups, alike)
        )
        paths.append(f'<path{look} d="{"".join(strokes)}"/>')
    return "".join(paths)


def _as_dots(circles: re.Match[str]) -> str:
    """Filled circles one after the other as one path for each look: strokes of no length with round ends."""
    paths = []
    for (radius, fill), alike in groupby(DOT.finditer(circles[0]), key=lambda circle: (circle[3], circle[4])):
        dots = "".join(f"M{circle[1]},{circle[2]}h0" for circle in alike)
        paths.append(f'<path stroke="{fill}" stroke-width="{2 * float(radius):g}" stroke-linecap="round" d="{dots}"/>')
    return "".join(paths)


def _without_bare_groups(body: str) -> str:
    """A picture without groups that say nothing about what they hold."""
    kept: list[bool] = []

    def without(tag: re.Match[str]) -> str:
        if tag[0] == "</g>":
            return tag[0] if kept.pop() else ""
        kept.append(tag[0] != "<g>")
        return tag[0] if kept[-1] else ""

    return re.sub(r"<g(?: [^>]*)?(?<!/)>|</g>", without, body)


def grid_picture(weights: list[list[float]], label: str) -> Markup:
    """Attention of every query (rows) to every key (columns), as squares, darker for larger weights.

    Squares of one shade are one path, and squares side by side one stroke of it, as wide as a row.
    """
    rows, columns = len(weights), len(weights[0])
    strokes: dict[int, list[str]] = {}
    for i, row in enumerate(weights):
        for shade, squares in groupby(enumerate(map(_shade, row)), key=lambda square: square[1]):
            places = [j for j, _ in squares]
            if shade:
                strokes.setdefault(shade, []).append(f"M{places[0]} {i}h{len(places)}")
    paths = [
        Markup('<path stroke-opacity="{:g}" d="{}"/>').format(shade / SHADES, "".join(drawn)) for shade, drawn in sorted(strokes.items())
    ]
    frame = Markup('<rect class="frame" y="-.5" width="{}" height="{}"/>').format(columns, rows)
    return Markup('<svg class="grid" role="img" aria-label="{}" viewBox="0 -.5 {} {}">{}{}</svg>').format(
        label, columns, rows, frame, Markup("").join(paths)
    )


def _shade(weight: float) -> int:
    """How dark a square is; smaller weights would be invisible."""
    return max(1, round(weight * SHADES)) if weight >= 0.02 else 0

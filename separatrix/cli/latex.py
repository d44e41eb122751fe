"""Tables as LaTeX, for papers: one `tabular` with the rules of booktabs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip


def tabular(header: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Columns under a header; a column in which every cell begins with a digit, > or a dash stands to the right."""
    cells = [[*row] for row in rows]
    numeric = [all(row[column][:1].isdigit() or row[column][:1] in "->" for row in cells) for column in range(len(header))]
    yield rf"\begin{{tabular}}{{{''.join('r' if right else 'l' for right in numeric)}}}"
    yield r"\toprule"
    yield _line(header)
    yield r"\midrule"
    yield from map(_line, cells)
    yield r"\bottomrule"
    yield r"\end{tabular}"


def _line(cells: Sequence[str]) -> str:
    return " & ".join("".join(SPECIAL.get(letter, letter) for letter in cell) for cell in cells) + r" \\"

"""Mathematics in running text: the package writes `2^(N-1)`, `x_i` and `>=`; a page shows exponents, indices and signs.

Only the look changes. Nothing is added or left out, and text between backticks is code and stays as it is.
"""

from __future__ import annotations

import re
from typing import Any

from markupsafe import Markup, escape

from separatrix.studies.learned import percent as in_percent

GREEK = {
    "alpha": "α", "gamma": "γ", "delta": "δ", "eps": "ε", "eta": "η", "kappa": "κ", "mu": "μ", "rho": "ρ", "phi": "φ",
    "Gamma": "Γ", "Theta": "Θ", "Lambda": "Λ", "Sigma": "Σ", "Phi": "Φ", "Omega": "Ω",
}  # fmt: skip
SIGNS = {"&lt;=": "≤", "&gt;=": "≥", "+-": "±", "-&gt;": "→", "...": "…"}

SPELLINGS = {
    "rnn": "RNN", "lstm": "LSTM", "gru": "GRU", "elman": "Elman RNN", "mamba": "Mamba", "mamba2": "Mamba-2", "retnet": "RetNet",
    "dss": "DSS", "pd": "PD", "lis": "LIS", "dyck": "Dyck", "deltanet": "DeltaNet", "deltaproduct": "DeltaProduct",
    "transformer": "Transformer", "trade offs": "trade-offs",
}  # fmt: skip
LONGEST = 60  # characters of a text that is shown on one line

_NESTED = r"\((?:[^()]|\([^()]*\))*\)"  # parentheses around at most one more pair
_ARGUMENT = rf"(\{{[^{{}}]*\}}|{_NESTED}|[+-]?[^\W_]+)"
_RAISED = re.compile(rf"(?<=[\w)}}\]|'])\^{_ARGUMENT}")
_LOWERED = re.compile(rf"(?:(?<![A-Za-z])(sum|max|min|{'|'.join(GREEK)}|[A-Za-z]'?)|(?<=</sup>))_{_ARGUMENT}")  # x_i, max_t, and TF^L_m
_NAMED = re.compile(rf"(?<![A-Za-z_])({'|'.join(GREEK)})(?![A-Za-z])")
_SIGN = re.compile("|".join(map(re.escape, SIGNS)))
_SIZED = re.compile(r"-(\d+)-(\d+)$")
_SPELT = re.compile(rf"\b({'|'.join(SPELLINGS)})\b")


def prose(text: str) -> Markup:
    """A text of the package as HTML, with its mathematics typeset."""
    parts = text.split("`")
    if len(parts) % 2 == 0:  # a lone backtick is a backtick
        parts = [text]
    return Markup("").join(_code(part) if index % 2 else Markup(_set(str(escape(part)))) for index, part in enumerate(parts))


def words(name: str) -> str:
    """A kebab-case name as words: `linear-rnn` is `linear RNN`, `mamba-2-64` is `Mamba, 2 layers of width 64`."""
    name = _SIZED.sub(r", \1 layers of width \2", name)
    return _SPELT.sub(lambda found: SPELLINGS[found[0]], name.replace("/", ", ").replace("-", " "))


def title(name: str) -> str:
    """A kebab-case name as a title: `lstm-widths` is `LSTM widths`."""
    said = words(name)
    return f"{said[:1].upper()}{said[1:]}"


def number(value: Any) -> str:
    """A number for display: grouped thousands, powers of ten from a billion on, at most four decimals, four digits below 0.01."""
    if value is None:
        return "–"
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    if abs(value) >= 1e9:
        mantissa, _, power = f"{value:.3g}".partition("e+") if "e+" in f"{value:.3g}" else f"{value:.2e}".partition("e+")
        return f"{float(mantissa):g} · 10{''.join('⁰¹²³⁴⁵⁶⁷⁸⁹'[int(digit)] for digit in str(int(power)))}"
    if 0 < abs(value) < 1e-3:  # four decimals would make two numbers of one, or none
        mantissa, _, power = f"{value:.2e}".partition("e-")
        return f"{float(mantissa):g} · 10⁻{''.join('⁰¹²³⁴⁵⁶⁷⁸⁹'[int(digit)] for digit in str(int(power)))}".replace("-", "\N{MINUS SIGN}")
    if float(value).is_integer():
        return f"{int(value):,}".replace("-", "\N{MINUS SIGN}")
    small = abs(value) < 0.01  # a rate of 5e-05 is not 0.0001
    return (f"{value:.4g}" if small else f"{round(value, 4):g}").replace("-", "\N{MINUS SIGN}")


def percent(share: float) -> str:
    """A share as studies give it, with its sign."""
    return f"{number(in_percent(share))} %"


def vector(values: Any) -> str:
    """Numbers in a row, or any other value, on one line; of a text of several lines the start of the first."""
    if isinstance(values, str) and "\n" in values:
        first = values.strip().split("\n", 1)[0].lstrip("# ")
        return first if len(first) <= LONGEST else f"{first[:LONGEST].rsplit(' ', 1)[0]} …"
    if isinstance(values, list | tuple):
        return "(" + ", ".join(vector(value) for value in values) + ")"
    return number(values)


def _code(text: str) -> Markup:
    return Markup("<code>{}</code>").format(text)


def _set(text: str) -> str:
    text = _SIGN.sub(lambda match: SIGNS[match[0]], text)
    text = _RAISED.sub(lambda match: f"<sup>{_inner(match[1])}</sup>", text)
    text = _LOWERED.sub(_lower, text)
    text = re.sub(r"\blog2\b", "log<sub>2</sub>", text)
    return _NAMED.sub(lambda match: GREEK[match[1]], text)


def _inner(argument: str) -> str:
    """An exponent or index without its outer brackets; those of f^(t) are part of the name."""
    if argument.startswith("{") or (argument.startswith("(") and re.search(r"[-+/* ]", argument)):
        argument = argument[1:-1]
    return _LOWERED.sub(_lower, argument).replace("-", "\N{MINUS SIGN}")


def _lower(match: re.Match[str]) -> str:
    name = match[1] or ""
    return f"{name if len(name) != 1 else f'<i>{name}</i>'}<sub>{_inner(match[2])}</sub>"

"""Mathematics in running text is set, and nothing else changes."""

from __future__ import annotations

import re

import pytest
from markupsafe import Markup

from separatrix.atlas.typography import GREEK, number, percent, prose, title, vector, words
from separatrix.papers import statements


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("2^(N-1) members", "2<sup>N\N{MINUS SIGN}1</sup> members"),
        ("g^(t) depends on t", "g<sup>(t)</sup> depends on t"),  # here the brackets are part of the name
        ("N = 10^2..10^6", "N = 10<sup>2</sup>..10<sup>6</sup>"),
        ("a step of 2^-f", "a step of 2<sup>\N{MINUS SIGN}f</sup>"),
        ("x_i and h_(t-1)", "<i>x</i><sub>i</sub> and <i>h</i><sub>t\N{MINUS SIGN}1</sub>"),
        ("exp(delta_t A) phi_h", "exp(δ<sub>t</sub> A) φ<sub>h</sub>"),
        ("TF^L_{m,p,H}", "TF<sup>L</sup><sub>m,p,H</sub>"),
        ("g_{I_1}", "<i>g</i><sub><i>I</i><sub>1</sub></sub>"),
        ("sum_{d<=k} n^d", "sum<sub>d≤k</sub> n<sup>d</sup>"),
        ("eta >= 2 ln 3N, Omega(N)", "η ≥ 2 ln 3N, Ω(N)"),
        ("beta and theta-like etas", "beta and theta-like etas"),  # not in the list, or only part of a word
        ("N log2 |S|", "N log<sub>2</sub> |S|"),
        ("least_weight stays", "least_weight stays"),
        ("`x_i` is code", "<code>x_i</code> is code"),
        ("one ` alone", "one ` alone"),
        ("<s> u_1 & v", "&lt;s&gt; <i>u</i><sub>1</sub> &amp; v"),
    ],
)
def test_prose(text: str, html: str) -> None:
    assert str(prose(text)) == html


def test_text_from_outside_cannot_bring_markup() -> None:
    assert "<script" not in prose("<script>alert(1)</script> x^<b>")
    assert "<img" not in prose("`<img src=x>`")


def test_no_statement_loses_a_word() -> None:
    greek = {sign: name for name, sign in GREEK.items()}
    signs = {"≤": "<=", "≥": ">=", "±": "+-", "→": "->", "…": "...", "\N{MINUS SIGN}": "-", **greek}

    def bare(text: str) -> str:
        for sign, word in signs.items():
            text = text.replace(sign, word)
        return re.sub(r"[\^_{}()`]", "", text)

    for statement in statements():
        for text in (statement.says, *(part for e in statement.entries for part in (e.says, e.holds, e.evidence))):
            assert bare(prose(text).striptags()) == bare(Markup.escape(text).striptags()), statement.key


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (1064, "1,064"),
        (-3.0, "\N{MINUS SIGN}3"),
        (0.75001, "0.75"),
        (1.9990234375, "1.999"),
        (3e12, "3 · 10¹²"),
        (5888736992, "5.89 · 10⁹"),
        (None, "–"),
        ("binary", "binary"),
        (True, "True"),
    ],
)
def test_number(value: object, text: str) -> None:
    assert number(value) == text


@pytest.mark.parametrize(
    ("share", "text"),
    [(1.0, "100 %"), (0.9996, "99.9 %"), (0.99999, "99.9 %"), (0.954, "95.4 %"), (0.5, "50 %"), (0.0364, "3.6 %"), (0, "0 %")],
)
def test_a_share_below_one_is_never_written_as_all(share: float, text: str) -> None:
    assert percent(share) == text


def test_names_become_words_and_titles() -> None:
    assert words("linear-rnn") == "linear RNN"
    assert words("hybrid/no-chain") == "hybrid, no chain"
    assert [title(name) for name in ("lstm-widths", "trade-offs", "dyck-printed")] == ["LSTM widths", "Trade-offs", "Dyck printed"]


def test_vectors_are_written_in_brackets_however_deep() -> None:
    assert vector([1.0, -1.0, [2, 0.5]]) == "(1, \N{MINUS SIGN}1, (2, 0.5))"


def test_of_a_text_of_several_lines_the_start_of_the_first_is_shown() -> None:
    assert vector("# Adds one.\nstart = 1\n") == "Adds one."
    long = vector("gates = " + " ".join(f"x{i}" for i in range(100)) + "\n")
    assert long.startswith("gates = x0 x1")
    assert long.endswith(" …")
    assert len(long) <= 62
    assert vector("x " * 100) == "x " * 100  # one line is one line

"""Numbers with their words: text, figures and value never part."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from separatrix.state.named_number import NamedNumber, least, literal, named, product, total

TWO, HEADS, WIDTH, N = literal(2), named("heads", 3), named("width", 5), named("N", 7)
LEAVES = st.sampled_from([TWO, HEADS, WIDTH, N])
TREES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(NamedNumber.__mul__, inner, inner),
        st.builds(NamedNumber.__add__, inner, inner),
        st.builds(NamedNumber.__sub__, inner, inner),
        st.builds(NamedNumber.__floordiv__, inner, LEAVES),
        st.builds(NamedNumber.__mod__, inner, LEAVES),
        st.builds(least, inner, inner),
    ),
    max_leaves=8,
)


@given(TREES)
def test_text_and_figures_are_expressions_of_the_value(tree: NamedNumber) -> None:
    names = {"heads": 3, "width": 5, "N": 7, "min": min}
    assert eval(tree.text, {"__builtins__": {}}, names) == tree.value
    assert eval(tree.figures, {"__builtins__": {}}, {"min": min}) == tree.value


def test_a_formula_shows_words_and_figures() -> None:
    assert product(TWO, HEADS, WIDTH, N).formula == "2 * heads * width * N = 2 * 3 * 5 * 7"
    assert (TWO * HEADS * least(N, WIDTH - literal(1))).formula == "2 * heads * min(N, width - 1) = 2 * 3 * min(7, 5 - 1)"
    assert (HEADS * (N // TWO + literal(2) * (N % TWO))).text == "heads * (N // 2 + 2 * (N % 2))"
    assert literal(0).formula == "0"


def test_equal_terms_are_written_once() -> None:
    assert total(HEADS * WIDTH, N, HEADS * WIDTH).text == "2 * heads * width + N"
    assert total().value == 0


def test_notes_travel_with_the_numbers() -> None:
    noted = HEADS.noting("heads is a default")
    assert (TWO * noted + noted * N).notes == ("heads is a default",)

from __future__ import annotations

import itertools
import random

import pytest

from separatrix.bounds.languages.crossed_blocks import CrossedBlocks, crossed_blocks, words_of_length
from separatrix.bounds.languages.monoid import syntactic_monoid
from separatrix.tasks.languages.periods import shortest_words
from separatrix.tasks.languages.regular_expression import automaton

DYCK_2_2 = r"(\((\(\)|\[\])*\)|\[(\(\)|\[\])*\])*"
TWO_ONES = "(0|1)*11(0|1)*"


def assert_fools(blocks: CrossedBlocks, rounds: int) -> None:
    """The words with equal choices agree, and of each two of them a crossed word does not."""
    language = blocks.automaton
    choices = [*itertools.product((0, 1), repeat=rounds)]
    for alice in choices:
        word = blocks.word(alice, alice)
        assert len(word) == blocks.ends + rounds * blocks.round
        assert language.accepts(word) == blocks.member
    for alice, bob in itertools.combinations(choices, 2):
        crossed = [language.accepts(blocks.word(alice, bob)), language.accepts(blocks.word(bob, alice))]
        assert crossed != [blocks.member] * 2


@pytest.mark.parametrize("text", [DYCK_2_2, TWO_ONES, "(ab|ba)*", "(aaa|b)*", "c(ab|ba)*d"])
def test_the_witness_is_a_fooling_set(text: str) -> None:
    blocks = crossed_blocks(automaton(text))
    assert blocks is not None
    assert_fools(blocks, 4)


def test_dyck_2_2_needs_a_bit_for_every_two_symbols() -> None:
    blocks = crossed_blocks(automaton(DYCK_2_2))
    assert blocks is not None
    assert blocks.document() == {"before": [], "alice": [["("], ["["]], "bob": [[")"], ["]"]], "after": [], "member": True, "bits": "N / 2"}


def test_two_neighbouring_ones_are_disjointness() -> None:
    blocks = crossed_blocks(automaton(TWO_ONES))
    assert blocks is not None
    assert (blocks.round, blocks.member) == (3, False)


def test_what_stands_around_the_rounds_is_counted() -> None:
    blocks = crossed_blocks(automaton("c(ab|ba)*d"))
    assert blocks is not None
    assert blocks.bits == "(N - 2) / 2"


# Commutative languages need a constant number of bits, (ab)* has one word of each length, and DA needs O(log N).
@pytest.mark.parametrize("text", ["0*(10*10*)*", "(aa)*", "(ab)*", "(a|b)*", "(a|b)*a(a|b)*b(a|b)*", "(a|b)*a(a|b){3}"])
def test_easy_languages_have_no_witness(text: str) -> None:
    assert crossed_blocks(automaton(text)) is None


def test_the_search_for_what_ends_a_word_stops_at_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """In c(ab|ba)*d the word d comes last in the alphabet: after the start and three other tuples of states."""
    monkeypatch.setattr("separatrix.bounds.languages.crossed_blocks.PATHS", 4)
    assert crossed_blocks(automaton("c(ab|ba)*d")) is None
    monkeypatch.setattr("separatrix.bounds.languages.crossed_blocks.PATHS", 5)
    blocks = crossed_blocks(automaton("c(ab|ba)*d"))
    assert blocks is not None
    assert blocks.document()["after"] == ["d"]


def random_expression(draw: random.Random, depth: int) -> str:
    if depth == 0:
        return draw.choice("ab")
    one, other = (random_expression(draw, depth - 1) for _ in range(2))
    return draw.choice([one + other, f"({one}|{other})", f"({one})*", f"({one}{other})*"])


def test_random_languages_with_a_witness_lie_outside_DA() -> None:
    draw, witnesses, inside = random.Random(2), 0, 0
    for _ in range(200):
        language = automaton(random_expression(draw, 4), "ab")
        monoid, result = syntactic_monoid(language), crossed_blocks(language)
        assert monoid is not None
        inside += monoid.in_da
        if result is not None:
            assert not monoid.in_da
            assert not monoid.commutative
            assert_fools(result, 3)
            witnesses += 1
    assert witnesses >= 5
    assert inside >= 20


def test_a_shortest_word_leads_to_each_state() -> None:
    language = automaton(DYCK_2_2)
    result = shortest_words(language)
    assert {language.run(word): len(word) for word in result.values()} == {0: 0, 1: 1, 2: 1, 3: 1, 4: 2, 5: 2, 6: 2, 7: 2}


def test_words_that_act_alike_are_listed_once() -> None:
    language = automaton("(a|b)*a(a|b)")
    assert len(words_of_length(language, 2)) == 4
    assert len(words_of_length(language, 3)) == 4  # only the last two symbols matter

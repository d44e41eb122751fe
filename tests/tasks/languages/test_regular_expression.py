from __future__ import annotations

import itertools
import random
import re

import pytest

from separatrix.errors import BadInput
from separatrix.tasks.languages.regular_expression import automaton


def random_expression(draw: random.Random, depth: int) -> str:
    """An expression over a and b in the syntax that Python's `re` shares."""
    if depth == 0:
        return draw.choice(["a", "b", "[ab]", ".", "[^a]", "()"])
    inner = [random_expression(draw, depth - 1) for _ in range(2)]
    return draw.choice(
        [inner[0] + inner[1], f"({inner[0]}|{inner[1]})", f"({inner[0]})" + draw.choice(["*", "+", "?", "{2}", "{1,3}", "{2,}"])]
    )


def test_a_word_is_accepted_iff_python_matches_it() -> None:
    draw = random.Random(4)
    met = 0
    for _ in range(60):
        text = random_expression(draw, 3)
        built, expected = automaton(text, "ab"), re.compile(text)
        for n in range(7):
            for word in itertools.product((0, 1), repeat=n):
                inside = expected.fullmatch("".join("ab"[symbol] for symbol in word)) is not None
                assert built.accepts(word) == inside, (text, word)
                met += inside
    assert met > 500


# Dyck-(2, 2): 7 states and the sink; Dyck-(n, k) has n^0 + .. + n^k of them and the sink [bhattamishra2024 Theorem 5].
@pytest.mark.parametrize(
    ("text", "states"),
    [
        (r"(\((\(\)|\[\])*\)|\[(\(\)|\[\])*\])*", 8),
        ("0*(10*10*)*", 2),
        ("(a|b)*a(a|b){9}", 1024),
        ("a{5}", 7),
        ("a{0,1000}", 1002),
        ("a{2,}", 3),
        ("(a|b)*", 1),
        ("a{0}b", 3),
    ],
)
def test_the_automaton_is_minimal_and_complete(text: str, states: int) -> None:
    assert automaton(text).states == states


def test_blanks_are_ignored_and_special_characters_can_be_meant() -> None:
    assert automaton("a b | c") == automaton("ab|c")
    assert automaton(r"\*\\[\]\-a]", "*\\]-a").accepts((0, 1, 2))


def test_a_dot_and_an_inverted_class_range_over_the_alphabet() -> None:
    assert automaton(".", "abc") == automaton("a|b|c")
    assert automaton("[^a]", "abc") == automaton("b|c", "abc")
    assert automaton("[a-c]") == automaton("a|b|c")


def test_the_alphabet_is_what_the_text_names() -> None:
    assert automaton("b[^a]").alphabet == ("a", "b")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(ab", "regular expression '(ab' at character 4: expected ')'"),
        ("ab)", "regular expression 'ab)' at character 3: unexpected ')' (nothing is open)"),
        ("a|*", r"regular expression 'a|*' at character 3: unexpected '*' (nothing to repeat); the symbol itself is written \*"),
        ("a**", r"regular expression 'a**' at character 3: unexpected '*' (nothing to repeat); the symbol itself is written \*"),
        ("a]", r"regular expression 'a]' at character 2: unexpected ']' (nothing is open); the symbol itself is written \]"),
        (
            "^a",
            r"regular expression '^a' at character 1: unexpected '^' (the whole word must match, so there are no anchors); "
            r"the symbol itself is written \^",
        ),
        ("a{2", "regular expression 'a{2' at character 4: expected '}'"),
        ("a{3,2}", "regular expression 'a{3,2}' at character 7: expected {m,n} with m <= n, found {3,2}"),
        ("a{x}", "regular expression 'a{x}' at character 3: expected a number of repetitions below a million"),
        ("[ab", "regular expression '[ab' at character 4: expected a symbol, or ']'"),
        ("[]", "regular expression '[]' at character 3: expected a symbol between '[' and ']'"),
        ("[b-a]", "regular expression '[b-a]' at character 5: expected an ascending range of at most 256 symbols, found b-a"),
        ("a\\", "regular expression 'a\\\\' at character 3: expected a symbol after '\\'"),
        ("(a{40}){40}", "regular expression '(a{40}){40}' at character 12: more than 1000 symbols once the repetition is written out"),
        ("a{900}b{900}", "regular expression 'a{900}b{900}' at character 13: more than 1000 symbols"),
        ("", "regular expression '' mentions no symbol: pass an alphabet with it"),
        ("(a|b)*a(a|b){30}", "regular expression '(a|b)*a(a|b){30}' needs more than 20000 states"),
    ],
)
def test_an_expression_that_does_not_parse_is_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        automaton(text)
    assert str(caught.value) == message


def test_deep_nesting_is_refused_before_python_gives_up() -> None:
    assert automaton("(" * 60 + "a" + ")" * 60).states == 3
    with pytest.raises(BadInput, match=r"regular expression '\({57}\.\.\.' at character 62: brackets nested deeper than 60"):
        automaton("(" * 61 + "a" + ")" * 61)

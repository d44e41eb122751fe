"""Regular expressions, read twice: by partial derivatives in the checker, by positions in the tasks."""

from __future__ import annotations

import random
from itertools import product

import pytest

from separatrix.checker.seal import Refused
from separatrix.checker.specs.expressions import compiled
from separatrix.errors import BadInput
from separatrix.tasks.languages import regular_expression
from tests.checker.specs.settings import both

WRITTEN = [
    "a", "", "()", "a|", "(a|b)*abb", "a{3}", "a{0}", "a{2,}b?", "(ab){1,2}", "[ab]+c", "[^a]*", "[a-c]{2}", ".", "a b\tc", r"\*\[a\]",
    r"[\]a]",    r"[a\-c]", "(((a)))", "(a*)*", "(a?){3}", "[*]", "a|b|c|", r"\(*\)*", "x+y+",
]  # fmt: skip
WRONG = ["(", ")", "a)", "*", "a{", "a{2", "a{2,1}", "a{x}", "[", "[]", "[z-a]", "\\", "a{,2}", "+a", "^a", "a$", "a**", "[a-]"]


def accepts(text: str, alphabet: str | None) -> dict[tuple[str, ...], bool]:
    """Membership of every word of at most five symbols, or three where there are many, by the checker."""
    letters, (moves, accepting) = compiled(text, alphabet, 1 << 19)
    result = {}
    for n in range(6 if len(letters) < 5 else 4):
        for word in product(range(len(letters)), repeat=n):
            state = 0
            for symbol in word:
                state = moves[state][symbol]
            result[tuple(letters[s] for s in word)] = state in accepting
    return result


def same(text: str, alphabet: str | None) -> None:
    automaton = regular_expression.automaton(text, alphabet)
    for word, member in accepts(text, alphabet).items():
        assert automaton.accepts([automaton.alphabet.index(a) for a in word]) == member, (text, word)


@pytest.mark.parametrize("text", WRITTEN)
def test_both_readers_give_one_language(text: str) -> None:
    if regular_expression.named(regular_expression.parse(text)):
        same(text, None)
    same(text, "abc*[]()-xy")


def drawn(rng: random.Random, depth: int) -> str:
    """A random expression over a, b, c."""
    if depth == 0:
        return rng.choice(["a", "b", "c", ".", "[ab]", "[^b]", "()"])
    x, y = drawn(rng, depth - 1), drawn(rng, depth - 1)
    return rng.choice([f"{x}{y}", f"({x}|{y})", f"({x})*", f"({x})+{y}", f"({x})?{y}", f"({x}){{1,2}}", f"({x}){{2}}"])


def test_both_readers_agree_on_random_expressions() -> None:
    rng = random.Random(7)
    for _ in range(120):
        same(drawn(rng, 3), "abc")


@pytest.mark.parametrize("text", WRONG)
def test_both_readers_refuse_what_is_no_expression(text: str) -> None:
    with pytest.raises(Refused, match=r"^language: expected "):
        compiled(text, "ab", 1 << 19)
    with pytest.raises(BadInput):
        regular_expression.automaton(text, "ab")


@pytest.mark.parametrize(
    ("parameters", "why"),
    [
        ({"language": "((a|b){99}){99}"}, "at most 100 repetitions and 400 symbols"),
        ({"language": ".*a" + "." * 12, "alphabet": "ab"}, "at most 1024 states"),
        ({"language": "ab", "alphabet": "a"}, "all that the language mentions"),
        ({"language": "a" * 401}, "at most 400 characters"),
        ({"language": "(" * 45 + "a" + ")" * 45}, "at most 40 brackets within brackets"),
        ({"language": "{}"}, "missing field"),
        ({"language": "{"}, "not the JSON of an automaton"),
        ({"language": '{"alphabet":["a"],"start":"q","accepting":["r"],"moves":{"q":{}}}'}, "start and accepting"),
        ({"language": '{"alphabet":["a"],"start":"q","accepting":["q"],"moves":{"q":{"b":"q"}}}'}, "expected an object"),
        ({"language": '{"alphabet":["a"],"start":"q","accepting":["q"],"moves":{"q":{}}}', "alphabet": "a"}, "an automaton has its own"),
        ({"language": "a", "negatives": "far"}, "expected one of uniform, near"),
        ({"language": "(ab)*", "length": 10_001}, "length: expected 1..10000"),
    ],
)
def test_the_oracle_refuses_what_it_cannot_count(parameters: dict[str, object], why: str) -> None:
    from separatrix.checker.specs import spec_of

    with pytest.raises(Refused, match=why):
        spec_of("regular", {"length": 5, "alphabet": None, "negatives": "uniform", **parameters})


def test_a_missing_move_rejects_for_good() -> None:
    text = '{"alphabet":["a","b"],"start":"p","accepting":["q"],"moves":{"q":{"b":"p"},"p":{"a":"q"}}}'
    task, second = both("regular", {"length": 3, "language": text})
    assert [second.answer((*w, 2)) for w in product(range(2), repeat=3)] == [task.answer((*w, 2)) for w in product(range(2), repeat=3)]
    assert second.answer((0, 1, 0, 2)) == 1
    assert second.answer((1, 0, 1, 2)) == 0

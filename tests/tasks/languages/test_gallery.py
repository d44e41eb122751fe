"""The gallery: every language is what its name says, by brute force."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable

import pytest

from separatrix.errors import BadInput
from separatrix.tasks import make_task
from separatrix.tasks.languages.gallery import GALLERY, named_language
from separatrix.tasks.regular import Regular, read_language


def cancels(word: str, size: int) -> bool:
    things = list(range(size))
    for letter in word:
        things = [things[1], things[0], *things[2:]] if letter == "s" else [*things[1:], things[0]]
    return things == sorted(things)


def returns(word: str, letters: dict[str, str]) -> bool:
    """Whether the rearrangements that the letters name leave every thing where it was."""
    things = sorted(letters["s"])
    for letter in word:
        things = [things["abcde".index(c)] for c in letters[letter]]
    return things == sorted(things)


def matched(word: str, depth: int) -> bool:
    most = word
    while (shorter := most.replace("()", "").replace("[]", "")) != most:
        most = shorter
    return not most and all(sum(1 if c in "([" else -1 for c in word[:i]) <= depth for i in range(len(word)))


def equation(word: str) -> bool:
    """Brackets around every step make Python compute from left to right."""
    found = re.fullmatch(r"([0-4](?:[-+*][0-4])*)=([0-4])", word)
    if found is None:
        return False
    steps = len(found[1]) // 2
    grouped = "(" * steps + found[1][0] + "".join(f"{found[1][i : i + 2]})" for i in range(1, len(found[1]), 2))
    return int(eval(grouped)) % 5 == int(found[2])


TRUTH: dict[str, Callable[[str], bool]] = {
    "parity": lambda w: w.count("1") % 2 == 0,
    "mod-3": lambda w: w.count("1") % 3 == 0,
    "mod-5": lambda w: w.count("1") % 5 == 0,
    "divisible-by-3": lambda w: int(w or "0", 2) % 3 == 0,
    "even-length": lambda w: len(w) % 2 == 0,
    "ones": lambda w: "0" not in w,
    "first-is-1": lambda w: w.startswith("1"),
    "last-is-1": lambda w: w.endswith("1"),
    "third-last-is-1": lambda w: w[-3:-2] == "1",
    "flip-flop": lambda w: w.replace("r", "").endswith("1"),
    "golden-mean": lambda w: "11" not in w,
    "alternating": lambda w: w == "ab" * (len(w) // 2),
    "sorted": lambda w: list(w) == sorted(w),
    "subsequence": lambda w: "a" in w and "b" in w[w.index("a") :],
    "tomita-4": lambda w: "000" not in w,
    "tomita-5": lambda w: w.count("0") % 2 == w.count("1") % 2 == 0,
    "tomita-6": lambda w: (w.count("0") - w.count("1")) % 3 == 0,
    "tomita-7": lambda w: re.fullmatch("0*1*0*1*", w) is not None,
    "dyck-1-2": lambda w: matched(w, 2),
    "repeat-01": lambda w: re.fullmatch("(01)*", w) is not None,
    "first": lambda w: w[:1] == "1",
    "modular-arithmetic-simple": equation,
    "dyck-2-2": lambda w: matched(w, 2),
    "dyck-2-3": lambda w: matched(w, 3),
    "s3": lambda w: cancels(w, 3),
    "a4": lambda w: returns(w, {"s": "bcad", "r": "acdb"}),
    "a5": lambda w: returns(w, {"s": "bcade", "r": "bcdea"}),
    "s5": lambda w: cancels(w, 5),
    "even-pairs": lambda w: w[:1] == w[-1:],
    "cycle-navigation": lambda w: (w.count("+") - w.count("-")) % 5 == 0,
}


@pytest.mark.parametrize("name", GALLERY)
def test_a_language_has_the_words_that_its_name_says(name: str) -> None:
    automaton = named_language(f"@{name}")
    longest = {2: 11, 3: 7, 4: 6, 9: 5}[len(automaton.alphabet)]
    met = set()
    for n in range(longest + 1):
        for word in itertools.product(range(len(automaton.alphabet)), repeat=n):
            text = "".join(automaton.alphabet[s] for s in word)
            assert automaton.accepts(word) == TRUTH[name](text), text
            met.add(automaton.accepts(word))
    assert met == {True, False}
    assert GALLERY[name].says


@pytest.mark.parametrize(
    ("word", "right"),
    [("2+4*3=3", True), ("2+4*3=4", False), ("0-1-1=3", True), ("4*4*4+1=0", True), ("4*4*4+1=1", False), ("1+=1", False)],
)
def test_longer_equations_are_computed_from_left_to_right(word: str, right: bool) -> None:
    automaton = named_language("@modular-arithmetic-simple")
    assert automaton.accepts([automaton.alphabet.index(letter) for letter in word]) == right == equation(word)


def test_at_least_twenty_languages_have_a_name() -> None:
    assert set(TRUTH) == set(GALLERY)
    assert len(GALLERY) >= 20


def test_a_name_is_a_language_wherever_one_is_expected() -> None:
    assert read_language("@s3").states == 6
    assert make_task("regular", length=4, language="@s3").parameters["language"].startswith('{"alphabet":["s","r"]')
    with pytest.raises(BadInput, match=r"no language '@s4' in the gallery; did you mean '@s[35]'\? \(as an expression: \(@\)s4\)"):
        read_language("@s4")
    assert read_language("(@)s4").accepts((1, 2, 0))  # one word; the alphabet is 4, @, s
    with pytest.raises(BadInput, match=r"no language 's4' in the gallery: expected one of parity, mod-3, "):
        named_language("@s4")


@pytest.mark.parametrize("name", ["parity", "s5"])
def test_a_name_without_its_mark_is_refused_and_not_taken_for_a_language_of_one_word(name: str) -> None:
    with pytest.raises(BadInput, match=f"for the language of the gallery write @{name}, for the word itself"):
        Regular(4, name)
    word = Regular(len(name), f"({name[0]}){name[1:]}")
    assert word.automaton.accepts([word.letters.index(letter) for letter in name])

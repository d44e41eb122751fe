"""Regular languages with names that people know, as expressions or automata. `@name` is one of them wherever a language is expected.

@parity   an even number of 1s          @s5   products of permutations of five things that are the identity
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import add, mul, sub

from separatrix.errors import BadInput, did_you_mean
from separatrix.tasks.languages import regular_expression
from separatrix.tasks.languages.automata import Automaton, minimal, numbered
from separatrix.tasks.languages.stacks import stack_moves

MARK = "@"
NAME = re.compile("[a-z0-9][a-z0-9-]*")


@dataclass(frozen=True)
class NamedLanguage:
    """A language of the gallery."""

    name: str
    says: str  # what its words are
    automaton: Callable[[], Automaton]


def is_named(text: str) -> bool:
    """Whether a text is the name of a language of the gallery. What only looks like a name is refused, not read as an expression."""
    if text in GALLERY:
        raise BadInput(
            f"as a regular expression {text!r} is that one word: for the language of the gallery write {MARK}{text}, "
            f"for the word itself ({text[0]}){text[1:]}"
        )
    if not text.startswith(MARK) or text[len(MARK) :] in GALLERY:
        return text.startswith(MARK)
    if NAME.fullmatch(text[len(MARK) :]):
        hint = did_you_mean(text, (f"{MARK}{name}" for name in GALLERY)) or f": expected one of {', '.join(GALLERY)}"
        raise BadInput(f"no language {text!r} in the gallery{hint} (as an expression: ({MARK}){text[len(MARK) :]})")
    return False


def named_language(text: str) -> Automaton:
    """The minimal automaton of `@name`."""
    name = text.removeprefix(MARK)
    if name not in GALLERY:
        raise BadInput(f"no language {name!r} in the gallery: expected one of {', '.join(GALLERY)}")
    return GALLERY[name].automaton()


def expression(text: str, alphabet: str) -> Callable[[], Automaton]:
    """The language of a regular expression."""
    return lambda: regular_expression.automaton(text, alphabet)


def counter(modulus: int, steps: Mapping[str, int]) -> Callable[[], Automaton]:
    """Words whose steps add up to 0 modulo some number."""

    def made() -> Automaton:
        rows = {q: tuple((q + step) % modulus for step in steps.values()) for q in range(modulus)}
        return minimal(numbered(tuple(steps), rows, 0, {0}))

    return made


def word_problem(size: int) -> Callable[[], Automaton]:
    """Words over the swap of the first two things and the rotation of all whose product is the identity of the symmetric group."""
    return cancelling({"s": (1, 0, *range(2, size)), "r": (*range(1, size), 0)})


def cancelling(letters: Mapping[str, tuple[int, ...]]) -> Callable[[], Automaton]:
    """Words over some permutations whose product is the identity."""

    def made() -> Automaton:
        identity = tuple(range(len(next(iter(letters.values())))))
        number, queue, rows = {identity: 0}, [identity], {}
        for g in queue:  # grows during the loop
            after = [tuple(g[i] for i in s) for s in letters.values()]
            queue += [h for h in dict.fromkeys(after) if h not in number]
            for h in after:
                number.setdefault(h, len(number))
            rows[number[g]] = tuple(number[h] for h in after)
        return minimal(numbered(tuple(letters), rows, 0, {0}))

    return made


def brackets(types: int, depth: int) -> Callable[[], Automaton]:
    """Well-matched brackets, never more than `depth` of them open."""

    def made() -> Automaton:
        return minimal(numbered((*"(["[:types], *")]"[:types]), dict(enumerate(stack_moves(types, depth))), 0, {0}))

    return made


def calculated(modulus: int) -> Callable[[], Automaton]:
    """Right equations such as 2+4*3=3: one digit, steps of an operator and a digit computed from left to right, = and the result."""
    operators = {"+": add, "-": sub, "*": mul}
    digits = tuple(map(str, range(modulus)))
    letters = (*digits, *operators, "=")
    start, right, wrong = ("start",), ("right",), ("wrong",)

    def after(state: tuple[object, ...], letter: str) -> tuple[object, ...]:
        match state:
            case ("start",) if letter in digits:
                return ("value", int(letter))
            case ("value", int(value)) if letter not in digits:
                return (letter, value)
            case (str(operator), int(value)) if operator in operators and letter in digits:
                return ("value", operators[operator](value, int(letter)) % modulus)
            case ("=", int(value)) if letter == str(value):
                return right
        return wrong

    def made() -> Automaton:
        states: list[tuple[object, ...]] = [
            start,
            right,
            wrong,
            *((kind, value) for kind in ("value", *operators, "=") for value in range(modulus)),
        ]
        rows = {q: tuple(states.index(after(state, letter)) for letter in letters) for q, state in enumerate(states)}
        return minimal(numbered(letters, rows, 0, {1}))

    return made


GALLERY = {
    language.name: language
    for language in (
        NamedLanguage("parity", "an even number of 1s", counter(2, {"0": 0, "1": 1})),
        NamedLanguage("mod-3", "a number of 1s that 3 divides", counter(3, {"0": 0, "1": 1})),
        NamedLanguage("mod-5", "a number of 1s that 5 divides", counter(5, {"0": 0, "1": 1})),
        NamedLanguage("divisible-by-3", "binary numbers that 3 divides", expression("(0|1(01*0)*1)*", "01")),
        NamedLanguage("even-length", "words of even length", expression("(..)*", "01")),
        NamedLanguage("ones", "no 0 at all", expression("1*", "01")),
        NamedLanguage("first-is-1", "words that begin with 1", expression("1.*", "01")),
        NamedLanguage("last-is-1", "words that end with 1", expression(".*1", "01")),
        NamedLanguage("third-last-is-1", "words whose third symbol from the end is 1", expression(".*1..", "01")),
        NamedLanguage("flip-flop", "words whose last write is 1; r only reads", expression("(.*1r*)", "01r")),
        NamedLanguage("golden-mean", "no two 1s in a row", expression("(0|10)*1?", "01")),
        NamedLanguage("alternating", "(ab)*", expression("(ab)*", "ab")),
        NamedLanguage("sorted", "a*b*c*", expression("a*b*c*", "abc")),
        NamedLanguage("subsequence", "an a, and some time after it a b", expression(".*a.*b.*", "abc")),
        NamedLanguage("tomita-4", "no three 0s in a row", expression("1*(01+|001+)*0?0?", "01")),
        NamedLanguage("tomita-5", "an even number of 0s and an even number of 1s", expression("(00|11|(01|10)(00|11)*(01|10))*", "01")),
        NamedLanguage("tomita-6", "as many 0s as 1s, modulo 3", counter(3, {"0": 2, "1": 1})),
        NamedLanguage("tomita-7", "0*1*0*1*", expression("0*1*0*1*", "01")),
        NamedLanguage(
            "even-pairs", "as many changes from 0 to 1 as back: the last symbol is the first", expression("(0(.*0)?|1(.*1)?)?", "01")
        ),
        NamedLanguage(
            "cycle-navigation", "steps along a cycle of five that end where they began; 0 stays", counter(5, {"0": 0, "+": 1, "-": 4})
        ),
        NamedLanguage("repeat-01", "(01)*", expression("(01)*", "01")),
        NamedLanguage("first", "words that begin with 1, as first-is-1", expression("1.*", "01")),
        NamedLanguage("modular-arithmetic-simple", "right equations modulo 5, computed from left to right", calculated(5)),
        NamedLanguage("dyck-1-2", "one type of brackets, at most two of them open", brackets(1, 2)),
        NamedLanguage("dyck-2-2", "two types of brackets, at most two of them open", brackets(2, 2)),
        NamedLanguage("dyck-2-3", "two types of brackets, at most three of them open", brackets(2, 3)),
        NamedLanguage("s3", "swaps and rotations of three things that cancel", word_problem(3)),
        NamedLanguage("a4", "turns of three of four things that cancel", cancelling({"s": (1, 2, 0, 3), "r": (0, 2, 3, 1)})),
        NamedLanguage(
            "a5", "turns of three and of all of five things that cancel", cancelling({"s": (1, 2, 0, 3, 4), "r": (1, 2, 3, 4, 0)})
        ),
        NamedLanguage("s5", "swaps and rotations of five things that cancel", word_problem(5)),
    )
}

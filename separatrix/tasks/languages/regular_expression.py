r"""Regular expressions: parsed from text and compiled to the minimal automaton.

    a b c        themselves; \* and the like for a character with a meaning of its own; blanks are ignored
    xy  x|y      concatenation, union; nothing at all, as in () or (a|), is the empty word
    x* x+ x?     repetition, and x{3} x{2,} x{2,5}
    .  [ab] [^a] [0-9]    any symbol of the alphabet, one of these, none of these

A word is in the language iff all of it matches. The alphabet defaults to the symbols that the text mentions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NoReturn

from separatrix.errors import BadInput
from separatrix.tasks.languages.automata import Automaton, alphabet_of, minimal, numbered

POSITIONS = 1000  # symbols of an expression once {m,n} is written out
DEPTH = 60  # nested brackets: the reader calls itself once per level
STATES = 20_000  # of the automaton before minimisation
SPECIAL = "|*+?{}()[].\\^$"


@dataclass(frozen=True)
class Symbols:
    """One symbol: one of `named`, or, if `inverted`, any other symbol of the alphabet."""

    named: frozenset[str]
    inverted: bool = False

    def has(self, symbol: str) -> bool:
        return (symbol in self.named) != self.inverted


@dataclass(frozen=True)
class Sequence:
    """The parts one after another; without parts, the empty word."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True)
class Union:
    """Any one of several expressions."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True)
class Star:
    """Any number of words of the part."""

    part: Expression


Expression = Symbols | Sequence | Union | Star


def parse(text: str) -> Expression:
    """The expression that a text stands for."""
    return _Reader(text).whole()


def size(expression: Expression) -> int:
    """The number of symbols written in the expression."""
    if isinstance(expression, Symbols):
        return 1
    if isinstance(expression, Star):
        return size(expression.part)
    return sum(map(size, expression.parts))


def named(expression: Expression) -> frozenset[str]:
    """Every symbol that the expression mentions."""
    if isinstance(expression, Symbols):
        return expression.named
    if isinstance(expression, Star):
        return named(expression.part)
    return frozenset().union(*map(named, expression.parts))


def automaton(text: str, alphabet: str | tuple[str, ...] | None = None) -> Automaton:
    """The minimal complete automaton of an expression, over the symbols that it mentions or over `alphabet`."""
    expression = parse(text)
    mentioned = named(expression)
    if alphabet is None and not mentioned:
        raise BadInput(f"regular expression {shown(text)} mentions no symbol: pass an alphabet with it")
    symbols = alphabet_of(tuple(sorted(mentioned)) if alphabet is None else alphabet, f"regular expression {shown(text)}")
    foreign = sorted(mentioned - set(symbols))
    if foreign:
        raise BadInput(f"regular expression {shown(text)} mentions {foreign[0]!r}, which is not in the alphabet {''.join(symbols)!r}")
    return minimal(_subsets(_Positions(expression, symbols), symbols, text))


class _Positions:
    """Which written symbols may begin a word, end one, and follow each other; sets of positions are bits of an integer."""

    def __init__(self, expression: Expression, alphabet: tuple[str, ...]) -> None:
        self.alphabet = alphabet
        self.follow: list[int] = []
        self.reads = [0] * len(alphabet)  # the positions at which each symbol may stand
        self.empty, self.first, self.last = self._walk(expression)

    def _walk(self, node: Expression) -> tuple[bool, int, int]:
        """(has the empty word, first positions, last positions) of a part, numbering its positions on the way."""
        if isinstance(node, Symbols):
            place = 1 << len(self.follow)
            self.follow.append(0)
            self.reads = [mask | place if node.has(a) else mask for a, mask in zip(self.alphabet, self.reads, strict=True)]
            return False, place, place
        if isinstance(node, Star):
            _, first, last = self._walk(node.part)
            self._join(last, first)
            return True, first, last
        walked = [self._walk(part) for part in node.parts]
        if isinstance(node, Union):
            return any(e for e, _, _ in walked), _either(f for _, f, _ in walked), _either(z for _, _, z in walked)
        empty, first, last = True, 0, 0
        for part_empty, part_first, part_last in walked:
            self._join(last, part_first)
            first = first | part_first if empty else first
            last = last | part_last if part_empty else part_last
            empty = empty and part_empty
        return empty, first, last

    def _join(self, before: int, after: int) -> None:
        for p in _places(before):
            self.follow[p] |= after


def _subsets(positions: _Positions, alphabet: tuple[str, ...], text: str) -> Automaton:
    """The deterministic automaton whose states are (positions that may come next, whether the word may end here)."""
    start = (positions.first, positions.empty)
    number = {start: 0}
    queue = [start]
    rows: dict[int, tuple[int, ...]] = {}
    for upcoming, _ in queue:  # grows during the loop
        row = []
        for mask in positions.reads:
            read = upcoming & mask
            target = (_either(positions.follow[p] for p in _places(read)), bool(read & positions.last))
            if target not in number:
                number[target] = len(number)
                queue.append(target)
            row.append(number[target])
        rows[len(rows)] = tuple(row)
        if len(number) > STATES:
            raise BadInput(f"regular expression {shown(text)} needs more than {STATES} states")
    return numbered(alphabet, rows, 0, {q for (_, accepts), q in number.items() if accepts})


def shown(text: str) -> str:
    """A text in quotes, shortened if it is long."""
    return repr(text if len(text) <= 60 else text[:57] + "...")


def _either(masks: Iterable[int]) -> int:
    joined = 0
    for mask in masks:
        joined |= mask
    return joined


def _places(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _why(special: str) -> str:
    if special in "^$":
        return "the whole word must match, so there are no anchors"
    return "nothing to repeat" if special in "*+?{" else "nothing is open"


class _Reader:
    """A text and the parse position in it."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.depth = text, 0, 0

    def whole(self) -> Expression:
        expression = self._union()
        if self._next():  # only a closing bracket ends a union early
            self._fail("unexpected ')' (nothing is open)")
        if size(expression) > POSITIONS:
            self._fail(f"more than {POSITIONS} symbols")
        return expression

    def _union(self) -> Expression:
        parts = [self._sequence()]
        while self._take("|"):
            parts.append(self._sequence())
        return parts[0] if len(parts) == 1 else Union(tuple(parts))

    def _sequence(self) -> Expression:
        parts: list[Expression] = []
        while self._next() not in ("", "|", ")"):
            parts.append(self._repeated())
        return parts[0] if len(parts) == 1 else Sequence(tuple(parts))

    def _repeated(self) -> Expression:
        part = self._one()
        if self._take("*"):
            return Star(part)
        if self._take("+"):
            return self._times(part, 1, None)
        if self._take("?"):
            return self._times(part, 0, 1)
        if self._take("{"):
            return self._times(part, *self._counts())
        return part

    def _times(self, part: Expression, least: int, most: int | None) -> Expression:
        """`part` repeated between `least` and `most` times, written out."""
        if max(1, size(part)) * max(1, least if most is None else most) > POSITIONS:
            self._fail(f"more than {POSITIONS} symbols once the repetition is written out")
        if most is None:
            return Sequence((*(part,) * least, Star(part)))
        return Sequence((*(part,) * least, *(Union((Sequence(()), part)),) * (most - least)))

    def _counts(self) -> tuple[int, int | None]:
        least = self._number()
        most: int | None = least
        if self._take(","):
            most = None if self._next() == "}" else self._number()
        if not self._take("}"):
            self._fail("expected '}'")
        if most is not None and most < least:
            self._fail(f"expected {{m,n}} with m <= n, found {{{least},{most}}}")
        return least, most

    def _number(self) -> int:
        digits = ""
        while self._next() in tuple("0123456789"):
            digits += self._read()
        if not digits or len(digits) > 6:
            self._fail("expected a number of repetitions below a million")
        return int(digits)

    def _one(self) -> Expression:
        character = self._read()
        if character == "(":
            return self._group()
        if character == "[":
            return self._class()
        if character == ".":
            return Symbols(frozenset(), inverted=True)
        if character == "\\":
            return Symbols(frozenset(self._escaped()))
        if character in SPECIAL:
            self.at -= 1
            self._fail(f"unexpected {character!r} ({_why(character)}); the symbol itself is written \\{character}")
        return Symbols(frozenset(character))

    def _group(self) -> Expression:
        self.depth += 1
        if self.depth > DEPTH:
            self._fail(f"brackets nested deeper than {DEPTH}")
        inner = self._union()
        if not self._take(")"):
            self._fail("expected ')'")
        self.depth -= 1
        return inner

    def _class(self) -> Expression:
        inverted = self._take("^")
        symbols: set[str] = set()
        while not self._take("]"):
            low = self._class_symbol()
            high = self._class_symbol() if self._take("-") else low
            if not 0 <= ord(high) - ord(low) < 256:
                self._fail(f"expected an ascending range of at most 256 symbols, found {low}-{high}")
            symbols |= {chr(c) for c in range(ord(low), ord(high) + 1)}
        if not symbols:
            self._fail("expected a symbol between '[' and ']'")
        return Symbols(frozenset(symbols), inverted)

    def _class_symbol(self) -> str:
        if self._next() in ("", "]"):
            self._fail("expected a symbol, or ']'")
        character = self._read()
        return self._escaped() if character == "\\" else character

    def _escaped(self) -> str:
        if self.at == len(self.text) or self.text[self.at].isspace():
            self._fail("expected a symbol after '\\'")
        return self._read()

    def _next(self) -> str:
        """The next non-blank character, or the empty string at the end."""
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        return self.text[self.at : self.at + 1]

    def _read(self) -> str:
        character = self._next()
        self.at += 1
        return character

    def _take(self, character: str) -> bool:
        if self._next() != character:
            return False
        self.at += 1
        return True

    def _fail(self, what: str) -> NoReturn:
        raise BadInput(f"regular expression {shown(self.text)} at character {min(self.at, len(self.text)) + 1}: {what}")

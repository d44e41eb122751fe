r"""Regular expressions, read a second time and compiled by derivatives: what is left to match after one symbol is an expression again.

    a \* b   themselves; blanks are ignored          xy  x|y   concatenation, union; nothing at all is the empty word
    x* x+ x? x{3} x{2,} x{2,5}   repetition          . [ab] [^a] [0-9]   any symbol, one of these, none of these

An expression is a tuple: ("set", symbols), ("cat", x, y), ("or", {x, ..}), ("star", x), and the constants EMPTY and NOTHING. Unions are
sets without NOTHING, so an expression has finitely many derivatives.
"""

from __future__ import annotations

from functools import reduce
from typing import Any, NoReturn

from separatrix.checker.seal import Refused

Expression = tuple[Any, ...]
Table = tuple[tuple[tuple[int, ...], ...], frozenset[int]]  # moves by state and symbol, and the accepting states; 0 is the first state

EMPTY: Expression = ("empty",)  # the empty word
NOTHING: Expression = ("nothing",)  # no word
TEXT = 400  # characters of an expression
REPEATED = 100  # the largest number in braces
SIZE = 400  # symbols once repetitions are written out
STATES = 1 << 10
DEEP = 40  # brackets within brackets
ENDLESS = -1  # repetitions without an upper bound
SPECIAL = frozenset("|*+?{}()[].\\^$")


def compiled(text: str, alphabet: str | None) -> tuple[tuple[str, ...], Table]:
    """The alphabet of an expression, those symbols that it mentions if none is given, and its automaton."""
    if len(text) > TEXT:
        raise Refused(f"language: expected an expression of at most {TEXT} characters")
    reader = _Reader(text, frozenset())
    reader.whole()
    mentioned = reader.named
    letters = tuple(sorted(mentioned)) if alphabet is None else tuple(alphabet)
    if not letters or len(set(letters)) < len(letters) or any(a.isspace() for a in letters) or not mentioned <= {*letters}:
        raise Refused("alphabet: expected distinct symbols without blanks, all that the language mentions among them")
    return letters, automaton(_Reader(text, frozenset(letters)).whole(), letters)


def automaton(expression: Expression, letters: tuple[str, ...]) -> Table:
    """States are derivatives, in the order in which they are met."""
    number = {expression: 0}
    queue, moves = [expression], []
    for state in queue:  # grows during the loop
        row = []
        for letter in letters:
            after = derivative(state, letter)
            if after not in number:
                if len(number) >= STATES:
                    raise Refused(f"language: its expression has more than {STATES} derivatives")
                number[after] = len(number)
                queue.append(after)
            row.append(number[after])
        moves.append(tuple(row))
    return tuple(moves), frozenset(i for i, state in enumerate(queue) if nullable(state))


def derivative(x: Expression, letter: str) -> Expression:
    """What must follow a letter for the whole to be in x."""
    kind = x[0]
    if kind == "set":
        return EMPTY if letter in x[1] else NOTHING
    if kind == "cat":
        first = cat(derivative(x[1], letter), x[2])
        return either(first, derivative(x[2], letter)) if nullable(x[1]) else first
    if kind == "or":
        return either(*(derivative(part, letter) for part in x[1]))
    if kind == "star":
        return cat(derivative(x[1], letter), x)
    return NOTHING


def nullable(x: Expression) -> bool:
    """Whether the empty word is in x."""
    if x[0] == "cat":
        return nullable(x[1]) and nullable(x[2])
    if x[0] == "or":
        return any(map(nullable, x[1]))
    return x[0] in ("star", "empty")


def cat(x: Expression, y: Expression) -> Expression:
    """x, then y."""
    if NOTHING in (x, y):
        return NOTHING
    if x == EMPTY:
        return y
    if x[0] == "cat":  # to the right, so that equal words have equal expressions
        return ("cat", x[1], cat(x[2], y))
    return x if y == EMPTY else ("cat", x, y)


def either(*parts: Expression) -> Expression:
    """The union: a set, so that order and repetition do not matter."""
    flat: set[Expression] = set()
    for part in parts:
        flat |= part[1] if part[0] == "or" else {part}
    flat.discard(NOTHING)
    if not flat:
        return NOTHING
    return next(iter(flat)) if len(flat) == 1 else ("or", frozenset(flat))


def star(x: Expression) -> Expression:
    """Any number of words of x."""
    return EMPTY if x in (EMPTY, NOTHING) else x if x[0] == "star" else ("star", x)


def power(x: Expression, least: int, most: int) -> Expression:
    """Between `least` and `most` words of x, or any number from `least` on."""
    optional = star(x) if most == ENDLESS else reduce(lambda rest, _: either(EMPTY, cat(x, rest)), range(most - least), EMPTY)
    return reduce(lambda rest, _: cat(x, rest), range(least), optional)


class _Reader:
    """Recursive descent over signs: the characters without blanks; an escaped one keeps its backslash, so it is two characters long."""

    def __init__(self, text: str, letters: frozenset[str]) -> None:
        self.letters, self.at, self.depth, self.size = letters, 0, 0, 0
        self.named: set[str] = set()
        self.signs: list[str] = []
        characters = iter(text)
        for character in characters:
            if character == "\\":
                escaped = next(characters, " ")
                if escaped.isspace():
                    self._refuse("a symbol after a backslash")
                self.signs.append(character + escaped)
            elif not character.isspace():
                self.signs.append(character)

    def whole(self) -> Expression:
        expression = self._union()
        if self.at < len(self.signs):
            self._refuse("nothing after the end")
        return expression

    def _union(self) -> Expression:
        parts = [self._sequence()]
        while self._take("|"):
            parts.append(self._sequence())
        return either(*parts)

    def _sequence(self) -> Expression:
        parts = []
        while self._peek() not in ("", "|", ")"):
            parts.append(self._repeated())
        return reduce(lambda rest, part: cat(part, rest), reversed(parts), EMPTY)

    def _repeated(self) -> Expression:
        before = self.size
        part = self._one()
        least, most = 1, 1
        if self._take("*"):
            return star(part)
        if self._take("+"):
            least, most = 1, ENDLESS
        elif self._take("?"):
            least, most = 0, 1
        elif self._take("{"):
            least, most = self._counts()
        times = max(1, least, most)
        self.size += (times - 1) * max(1, self.size - before)
        if times > REPEATED or self.size > SIZE:
            self._refuse(f"at most {REPEATED} repetitions and {SIZE} symbols in all")
        return power(part, least, most)

    def _counts(self) -> tuple[int, int]:
        least = most = self._number()
        if self._take(","):
            most = ENDLESS if self._peek() == "}" else self._number()
        if not self._take("}") or ENDLESS < most < least:
            self._refuse("{m}, {m,} or {m,n} with m <= n")
        return least, most

    def _number(self) -> int:
        digits = ""
        while self._peek() in tuple("0123456789") and len(digits) < 6:
            digits += self._next()
        if not digits:
            self._refuse("a number")
        return int(digits)

    def _one(self) -> Expression:
        sign = self._next()
        if sign == "(":
            return self._group()
        self.size += 1
        if sign == ".":
            return self._set(set(), inverted=True)
        if sign == "[":
            return self._class()
        if sign in SPECIAL:
            self._refuse(f"a symbol, found {sign!r}")
        return self._set({sign[-1]}, inverted=False)

    def _group(self) -> Expression:
        self.depth += 1
        if self.depth > DEEP:
            self._refuse(f"at most {DEEP} brackets within brackets")
        inner = self._union()
        if not self._take(")"):
            self._refuse("')'")
        self.depth -= 1
        return inner

    def _class(self) -> Expression:
        inverted, symbols = self._take("^"), set[str]()
        while not self._take("]"):
            low = high = self._next()[-1]
            if self._take("-"):
                if self._peek() == "]":
                    self._refuse("a symbol after '-'")
                high = self._next()[-1]
            if not 0 <= ord(high) - ord(low) < 256:
                self._refuse("an ascending range of at most 256 symbols")
            symbols |= {chr(c) for c in range(ord(low), ord(high) + 1)}
        if not symbols:
            self._refuse("a symbol in brackets")
        return self._set(symbols, inverted)

    def _set(self, symbols: set[str], inverted: bool) -> Expression:
        self.named |= symbols
        allowed = frozenset(self.letters - symbols if inverted else symbols)
        return ("set", allowed) if allowed else NOTHING

    def _peek(self) -> str:
        return self.signs[self.at] if self.at < len(self.signs) else ""

    def _next(self) -> str:
        if self.at >= len(self.signs):
            self._refuse("more")
        self.at += 1
        return self.signs[self.at - 1]

    def _take(self, sign: str) -> bool:
        found = self._peek() == sign
        self.at += found
        return found

    def _refuse(self, expected: str) -> NoReturn:
        raise Refused(f"language: expected {expected} at sign {self.at + 1} of the expression")

r"""Regular expressions, read a second time and compiled by partial derivatives: the expressions that are left after a symbol.

    a \* b   themselves; blanks are ignored          xy  x|y   concatenation, union; nothing at all is the empty word
    x* x+ x? x{3} x{2,} x{2,5}   repetition          . [ab] [^a] [0-9]   any symbol, one of these, none of these

An expression of n symbols has at most n + 1 partial derivatives. Equal expressions have one number, so comparing two costs nothing,
and symbols that no expression mentions are alike: the work is bounded by states, expressions and symbols that are mentioned.
"""

from __future__ import annotations

from functools import reduce
from typing import Any, NoReturn

from separatrix.checker.fields import within
from separatrix.checker.seal import Refused

Table = tuple[tuple[tuple[int, ...], ...], frozenset[int]]  # moves by state and symbol, and the accepting states; 0 is the first state

EMPTY = 0  # the number of the expression for the empty word
TEXT = 400  # characters of an expression
REPEATED = 100  # the largest number in braces
SIZE = 400  # symbols once repetitions are written out
STATES = 1 << 10
DEEP = 40  # brackets within brackets
ENDLESS = -1  # repetitions without an upper bound
SPECIAL = frozenset("|*+?{}()[].\\^$")


def compiled(text: str, alphabet: str | None, entries: int) -> tuple[tuple[str, ...], Table]:
    """The alphabet of an expression, those symbols that it mentions if none is given, and its automaton of at most so many entries."""
    if len(text) > TEXT:
        raise Refused(f"language: expected an expression of at most {TEXT} characters")
    reader = _Reader(text)
    expression = reader.whole()
    within(len(alphabet or ""), 0, entries, "symbols of the alphabet")
    letters = tuple(sorted(reader.named)) if alphabet is None else tuple(alphabet)
    if not letters or len(set(letters)) < len(letters) or any(a.isspace() for a in letters) or not reader.named <= {*letters}:
        raise Refused("alphabet: expected distinct symbols without blanks, all that the language mentions among them")
    return letters, _automaton(reader.terms, expression, letters, reader.named, entries)


def _automaton(terms: Terms, expression: int, letters: tuple[str, ...], named: set[str], entries: int) -> Table:
    """States are sets of expressions, in the order in which they are met; a word is accepted where one of them has the empty word."""
    kinds = [*sorted(named), ""] if len(named) < len(letters) else sorted(named)  # what no expression mentions is one kind, ""
    first = 1 << expression  # a set of expressions is an integer, with a bit for each
    number, queue, moves = {first: 0}, [first], list[dict[str, int]]()
    for state in queue:  # grows during the loop
        row, members = {}, _bits(state)
        for kind in kinds:
            after = 0
            for x in members:
                after |= terms.after(x, kind)
            if after not in number:
                if len(number) >= STATES or (len(number) + 1) * len(letters) > entries:
                    raise Refused(f"language: expected at most {STATES} states and {entries} moves")
                number[after] = len(number)
                queue.append(after)
            row[kind] = number[after]
        moves.append(row)
    rows = tuple(tuple(row[letter if letter in named else ""] for letter in letters) for row in moves)
    return rows, frozenset(i for i, state in enumerate(queue) if any(terms.nullable[x] for x in _bits(state)))


def _bits(members: int) -> list[int]:
    """The numbers in a set."""
    digits = bin(members)[:1:-1]
    return [x for x, digit in enumerate(digits) if digit == "1"]


class Terms:
    """Expressions by number: a node is a kind and the numbers of its parts, which have smaller ones where they are written first."""

    def __init__(self) -> None:
        self.nodes: list[tuple[Any, ...]] = []
        self.nullable: list[bool] = []  # whether the empty word is in it
        self.number: dict[tuple[Any, ...], int] = {}
        self.known: dict[tuple[int, str], int] = {}
        self._node(("empty",), True)

    def symbol(self, symbols: frozenset[str], inverted: bool) -> int:
        """One symbol: one of these, or none of these."""
        return self._node(("set", symbols, inverted), False)

    def cat(self, x: int, y: int) -> int:
        """x, then y; to the right, so that equal words have equal expressions."""
        heads = []
        while self.nodes[x][0] == "cat":
            _, head, x = self.nodes[x]
            heads.append(head)
        for head in (x, *reversed(heads)):
            if head != EMPTY:
                y = head if y == EMPTY else self._node(("cat", head, y), self.nullable[head] and self.nullable[y])
        return y

    def either(self, x: int, y: int) -> int:
        """x or y."""
        return x if x == y else self._node(("or", x, y), self.nullable[x] or self.nullable[y])

    def star(self, x: int) -> int:
        """Any number of words of x."""
        return x if x == EMPTY or self.nodes[x][0] == "star" else self._node(("star", x), True)

    def power(self, x: int, least: int, most: int) -> int:
        """Between `least` and `most` words of x, or any number from `least` on."""
        optional = self.star(x) if most == ENDLESS else EMPTY
        for _ in range(0 if most == ENDLESS else most - least):
            optional = self.either(EMPTY, self.cat(x, optional))
        return reduce(lambda rest, _: self.cat(x, rest), range(least), optional)

    def after(self, x: int, letter: str) -> int:
        """The set of what may follow a letter for the whole to be in x; "" is a letter that no expression mentions."""
        if (x, letter) not in self.known:
            union, pending = 0, [x]
            while pending:  # along concatenations and unions without recursion, which only brackets deepen
                kind, *parts = self.nodes[y := pending.pop()]
                if kind == "set" and (letter in parts[0]) != parts[1]:
                    union |= 1 << EMPTY
                elif kind in ("cat", "star"):
                    rest = parts[1] if kind == "cat" else y
                    for z in _bits(self.after(parts[0], letter)):
                        union |= 1 << self.cat(z, rest)
                    pending += parts[1:] if self.nullable[parts[0]] else []
                elif kind == "or":
                    pending += parts
            self.known[x, letter] = union
        return self.known[x, letter]

    def _node(self, node: tuple[Any, ...], nullable: bool) -> int:
        if node not in self.number:
            self.number[node] = len(self.nodes)
            self.nodes.append(node)
            self.nullable.append(nullable)
        return self.number[node]


class _Reader:
    """Recursive descent over signs: the characters without blanks; an escaped one keeps its backslash, so it is two characters long."""

    def __init__(self, text: str) -> None:
        self.terms, self.at, self.depth, self.size = Terms(), 0, 0, 0
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

    def whole(self) -> int:
        expression = self._union()
        if self.at < len(self.signs):
            self._refuse("nothing after the end")
        return expression

    def _union(self) -> int:
        parts = [self._sequence()]
        while self._take("|"):
            parts.append(self._sequence())
        return reduce(self.terms.either, parts)

    def _sequence(self) -> int:
        parts = []
        while self._peek() not in ("", "|", ")"):
            parts.append(self._repeated())
        return reduce(lambda rest, part: self.terms.cat(part, rest), reversed(parts), EMPTY)

    def _repeated(self) -> int:
        before = self.size
        part = self._one()
        least, most = 1, 1
        if self._take("*"):
            return self.terms.star(part)
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
        return self.terms.power(part, least, most)

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

    def _one(self) -> int:
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

    def _group(self) -> int:
        self.depth += 1
        if self.depth > DEEP:
            self._refuse(f"at most {DEEP} brackets within brackets")
        inner = self._union()
        if not self._take(")"):
            self._refuse("')'")
        self.depth -= 1
        return inner

    def _class(self) -> int:
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

    def _set(self, symbols: set[str], inverted: bool) -> int:
        self.named |= symbols
        return self.terms.symbol(frozenset(symbols), inverted)

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

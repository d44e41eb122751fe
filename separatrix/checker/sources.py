"""Random sources of strings: which symbol follows a prefix, with which probability. The last target is the end of the string.

    parity-next   {"length", "p"}           bits; with an even number of 1s the string ends with probability p, else a fair bit follows
    dyck-2-next   {"length", "p", "depth"}  ( 0, [ 1, ) 2, ] 3: a bracket of either type opens with probability p/2, else the innermost
                                            open one closes, or the string ends; `depth` null, or prefixes that are never deeper
    source        {"length", "moves", "shares"}  any automaton: moves[q][s] is the state after s, or null if s cannot follow; shares[q]
                                            integers in proportion to the probabilities of the symbols and of the end

A claim is about prefixes of at most `length` symbols that the source gives, and has not ended after.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import Any

from separatrix.checker.fields import require_fields, within
from separatrix.checker.numbers.chances import heights, walked
from separatrix.checker.seal import Refused

LONGEST = 10**4
STATES, SYMBOLS, SHARE = 1 << 12, 64, 1 << 62
WORK = 1 << 23  # length times states times symbols
DEEPEST = 512
LN2 = math.log(2)
ROUNDED = 1e-12  # nats, more than the logarithms and sums here are off

State = Hashable
Law = tuple[Fraction, ...]


class Source(ABC):
    """One source at the length of a claim."""

    title: str
    N: int
    symbols: int  # the end is one target more
    start: State

    @abstractmethod
    def step(self, state: Any, symbol: int) -> State | None:
        """The state after a symbol; None if it cannot follow, or leads to prefixes that the claim is not about."""

    @abstractmethod
    def law(self, state: Any) -> Law:
        """The probabilities of the symbols and of the end."""

    @property
    def rounded(self) -> float:
        """Nats, more than a sum over all prefixes is off: each symbol multiplies by a few rounded numbers."""
        return ROUNDED + self.N * 2.0**-48

    @abstractmethod
    def optimum(self) -> float:
        """The least cross-entropy after N symbols, in nats."""

    def covered(self) -> float:
        """The share of the prefixes of N symbols that the claim is about."""
        return 1.0

    def floor(self, moves: float) -> tuple[float, str]:
        """A lower bound on the cross-entropy after N symbols, read at the last one, of any predictor whose log-probabilities move by at
        most `moves` when one symbol before the last is exchanged; and the symbol that is exchanged."""
        del moves
        raise Refused("bound: a lower bound is known for parity-next and dyck-2-next alone")


class Finite(Source):
    """A source with a table of states."""

    start = 0

    def __init__(self, N: int, moves: list[list[int | None]], shares: list[list[int]]) -> None:
        self.N, self.moves, self.symbols = N, moves, len(moves[0])
        self.laws: list[Law] = [tuple(Fraction(share, sum(row)) for share in row) for row in shares]
        within(N * len(moves) * self.symbols, 1, WORK, "length times states times symbols")

    def step(self, state: Any, symbol: int) -> int | None:
        after: int | None = self.moves[state][symbol]
        return after

    def law(self, state: Any) -> Law:
        q: int = state
        return self.laws[q]

    def optimum(self) -> float:
        return sum(share * entropy(law) for share, law in zip(self.alive(self.N), self.laws, strict=True))

    def alive(self, n: int) -> list[float]:
        """The share of each state among the prefixes of n symbols."""
        arrows = [
            (q, after, float(self.laws[q][s])) for q, row in enumerate(self.moves) for s, after in enumerate(row) if after is not None
        ]
        mass = walked(arrows, len(self.moves), n)
        if mass is None:
            raise Refused(f"length: no string of the source has {n} symbols")
        return mass


class ParityNext(Finite):
    """The two-state source of PARITY."""

    def __init__(self, parameters: Any) -> None:
        require_fields(parameters, "parameters", length=int, p=float)
        self.p = _probability(parameters["p"], 1.0)
        stop, of = self.p.numerator, self.p.denominator
        super().__init__(_length(parameters), [[0, 1], [1, 0]], [[of - stop, of - stop, 2 * stop], [1, 1, 0]])
        self.title = f"PARITY, next symbol, p = {parameters['p']!r}"

    def floor(self, moves: float) -> tuple[float, str]:
        """The state after N - 1 symbols and that after N are both turned by the last symbol but one, which leaves the last as it is.

        Given the symbols before and the last one, the odds of the two states are always the same. So the better a predictor knows which
        of the two it is in, the more its log-probabilities have to move; a predictor that does not is no better than the law of the mix.
        """
        if self.N < 2:
            raise Refused("length: expected a symbol before the last, found a single one")
        before, total, level = self.alive(self.N - 1), 0.0, 0.0
        for last in (0, 1):
            weights = [before[q] * float(self.laws[q][last]) for q in (0, 1)]  # of the state before the last symbol
            total += sum(weights)
            mixed = [sum(w * float(self.laws[q ^ last][y]) for q, w in enumerate(weights)) for y in range(3)]
            level += sum(weights) * entropy([m / sum(weights) for m in mixed]) - min(weights) * moves
        return level / total - self.rounded, "the last symbol but one"


class Dyck2Next(Source):
    """Brackets of two types; the state is the stack of types that are open."""

    symbols, start = 4, ()

    def __init__(self, parameters: Any) -> None:
        require_fields(parameters, "parameters", length=int, p=float, depth=(int, type(None)))
        self.p, self.N = _probability(parameters["p"], 0.5), _length(parameters)
        self.depth: int | None = parameters["depth"]
        if self.depth is not None:
            within(self.depth, 1, DEEPEST, "depth")
        self.title = f"2DYCK, next symbol, p = {parameters['p']!r}"
        if self.depth is not None and self.depth < self.N:
            self.title += f", at most {self.depth} brackets open"

    def step(self, state: Any, symbol: int) -> tuple[int, ...] | None:
        if symbol < 2:
            return None if self.depth is not None and len(state) == self.depth else (*state, symbol)
        return state[:-1] if state and state[-1] == symbol - 2 else None

    def law(self, state: Any) -> Law:
        return self.topped(state[-1] if state else None)

    def topped(self, top: int | None) -> Law:
        """By the innermost open bracket; None if there is none."""
        closing = [Fraction(0)] * 3
        closing[2 if top is None else top] = 1 - self.p
        return (self.p / 2, self.p / 2, *closing)

    def optimum(self) -> float:
        return entropy(self.topped(None))

    def covered(self) -> float:
        if self.depth is None or self.depth >= self.N:
            return 1.0
        return math.exp(self._heights(self.depth)[0] - self._heights(self.N)[0])

    def floor(self, moves: float) -> tuple[float, str]:
        """Where the last bracket closes and another is open, that one may as well have the other type: both prefixes are equally likely."""
        inside = self._heights(self.N)[1]  # P0: unbalanced, and a closing bracket comes last
        return self.optimum() + inside * max(0.0, float(1 - self.p) * LN2 - moves / 2) - self.rounded, "the innermost open bracket"

    def _heights(self, most: int) -> tuple[float, float]:
        """The logarithm of the weight of all strings that never rise above `most`, and the share that ends unbalanced, closing."""
        within(self.N * (most + 2), 1, 1 << 28, "length times height")
        return heights(float(self.p), self.N, most)


class Automaton(Finite):
    """Any probabilistic automaton, as a table."""

    def __init__(self, parameters: Any) -> None:
        require_fields(parameters, "parameters", length=int, moves=list, shares=list)
        moves, shares = parameters["moves"], parameters["shares"]
        within(len(moves), 1, STATES, "moves: number of states")
        if len(shares) != len(moves) or not all(isinstance(row, list) for row in (*moves, *shares)):
            raise Refused("shares: expected a row for each state")
        k = within(len(moves[0]), 1, SYMBOLS, "moves: number of symbols")
        for q, (row, given) in enumerate(zip(moves, shares, strict=True)):
            if len(row) != k or any(r is not None and (type(r) is not int or not 0 <= r < len(moves)) for r in row):
                raise Refused(f"moves[{q}]: expected {k} states of 0..{len(moves) - 1}, or null")
            if len(given) != k + 1 or any(type(share) is not int or not 0 <= share < SHARE for share in given) or not any(given):
                raise Refused(f"shares[{q}]: expected {k + 1} integers, not negative and not all 0")
            if any((r is None) != (share == 0) for r, share in zip(row, given, strict=False)):
                raise Refused(f"shares[{q}]: expected a share above 0 for every symbol that has a move, and for no other")
        super().__init__(_length(parameters), moves, shares)
        self.title = f"a source of {len(moves)} state{'' if len(moves) == 1 else 's'} over {k} symbol{'' if k == 1 else 's'}"


SOURCES: dict[str, Callable[[Any], Source]] = {"parity-next": ParityNext, "dyck-2-next": Dyck2Next, "source": Automaton}


def source(claim: Any) -> Source:
    """The source of a claim."""
    require_fields(claim, "claim", task=str, parameters=dict)
    if claim["task"] not in SOURCES:
        raise Refused(f"no source {claim['task']!r:.80}: expected one of {', '.join(SOURCES)}")
    return SOURCES[claim["task"]](claim["parameters"])


def entropy(law: Any) -> float:
    """In nats."""
    return sum(-float(q) * math.log(float(q)) for q in law if q > 0)


def _length(parameters: dict[str, Any]) -> int:
    return within(parameters["length"], 1, LONGEST, "length")


def _probability(p: float, below: float) -> Fraction:
    if not 0 < p < below:
        raise Refused(f"p: expected a number between 0 and {below:g}, found {p!r}")
    return Fraction(p)

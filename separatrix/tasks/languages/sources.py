"""Probabilistic automata: random sources of strings, whose next symbol depends on a state alone.

    {"alphabet": ["0", "1"], "start": "even",
     "moves": {"even": {"0": ["even", 1], "1": ["odd", 1]}, "odd": {"0": ["odd", 1], "1": ["even", 1]}},
     "end": {"even": 2}}

A move has the next state and a share; the end has one where the string may end. Shares are integers, and probabilities in proportion.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from separatrix.errors import BadInput

LARGEST = 1 << 62
MOST = 1024  # states
BYTES = 1 << 22


@dataclass(frozen=True)
class ProbabilisticAutomaton:
    """Moves and shares of numbered states, the first of them the start. A symbol without a move has share 0."""

    alphabet: tuple[str, ...]
    moves: tuple[tuple[int | None, ...], ...]  # [states][symbols]
    shares: tuple[tuple[int, ...], ...]  # [states][symbols and the end]

    @property
    def states(self) -> int:
        return len(self.moves)

    def law(self, state: int) -> tuple[float, ...]:
        """The probabilities of the symbols and of the end."""
        return tuple(share / sum(self.shares[state]) for share in self.shares[state])

    def parameters(self, length: int) -> dict[str, Any]:
        """The claim about prefixes of at most so many symbols."""
        return {"length": length, "moves": [list(row) for row in self.moves], "shares": [list(row) for row in self.shares]}

    def optimum(self, length: int) -> float:
        """The least cross-entropy after so many symbols, in nats."""
        alive = self.alive(length)
        return sum(share * -sum(q * math.log(q) for q in self.law(state) if q > 0) for state, share in enumerate(alive))

    def alive(self, length: int) -> tuple[float, ...]:
        """The share of each state among the prefixes of so many symbols."""
        mass = {0: 1.0}
        for n in range(length):
            after: dict[int, float] = {}
            for state, weight in mass.items():
                for q, probability in zip(self.moves[state], self.law(state), strict=False):
                    if q is not None:
                        after[q] = after.get(q, 0.0) + weight * probability
            total = sum(after.values())
            if not total:
                raise BadInput(f"no string of the source has more than {n} symbols: expected a length of at most {n}, found {length}")
            mass = {state: weight / total for state, weight in after.items()}
        return tuple(mass.get(state, 0.0) for state in range(self.states))


def source_file(path: Path) -> ProbabilisticAutomaton:
    """The source of a JSON file."""
    try:
        if path.stat().st_size > BYTES:
            raise BadInput(f"{str(path)!r}: a source has at most {BYTES:,} bytes, found {path.stat().st_size:,}")
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise BadInput(f"{str(path)!r}: cannot read a source: {error}") from error
    return from_document(document, repr(str(path)))


def from_document(document: Any, where: str) -> ProbabilisticAutomaton:
    """The inverse of the form above; states that no string reaches are left out."""
    if not isinstance(document, dict) or set(document) != {"alphabet", "start", "moves", "end"}:
        raise BadInput(f"{where}: expected alphabet, start, moves and end, found {str(document)[:80]}")
    alphabet, start, moves, end = (document[key] for key in ("alphabet", "start", "moves", "end"))
    if not isinstance(alphabet, list) or not alphabet or len({*map(str, alphabet)}) < len(alphabet):
        raise BadInput(f"{where}: expected an alphabet of different symbols, found {str(alphabet)[:80]}")
    if not isinstance(moves, dict) or not isinstance(end, dict) or not all(isinstance(row, dict) for row in moves.values()):
        raise BadInput(f"{where}: expected a table of moves for each state, and the shares of the end")
    for state in (start, *end):
        if state not in moves:
            raise BadInput(f"{where}: the state {state!r} has no moves")
    queue, rows, shares = [start], [], []
    for state in queue:  # grows during the loop
        row, given = [], []
        for symbol in moves[state]:
            if symbol not in alphabet:
                raise BadInput(f"{where}: state {state!r} moves by {symbol!r}, which is not in the alphabet")
        for symbol in alphabet:
            after, share = _move(moves[state].get(symbol), moves, f"{where}: state {state!r}, symbol {symbol!r}")
            if after is not None and after not in queue:
                queue.append(after)
            row.append(None if after is None else queue.index(after))
            given.append(share)
        given.append(_share(end.get(state, 0), f"{where}: the end in state {state!r}"))
        if not any(given):
            raise BadInput(f"{where}: nothing can follow in state {state!r}, not even the end")
        rows.append(tuple(row))
        shares.append(tuple(given))
        if len(queue) > MOST:
            raise BadInput(f"{where}: expected at most {MOST} states that a string can reach")
    return ProbabilisticAutomaton(tuple(map(str, alphabet)), tuple(rows), tuple(shares))


def _move(entry: Any, moves: dict[str, Any], where: str) -> tuple[str | None, int]:
    if entry is None:
        return None, 0
    if not isinstance(entry, list) or len(entry) != 2 or entry[0] not in moves:
        raise BadInput(f"{where}: expected a state that has moves, and a share, found {str(entry)[:80]}")
    share = _share(entry[1], where)
    return (None, 0) if share == 0 else (entry[0], share)


def _share(value: Any, where: str) -> int:
    if type(value) is not int or not 0 <= value < LARGEST:
        raise BadInput(f"{where}: expected a share, an integer of at least 0, found {str(value)[:80]}")
    return value

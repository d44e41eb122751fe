"""Finite automata: complete, deterministic, minimal, and numbered in one canonical way.

    alphabet (a, b), start 0, accepting {0}, moves[state][symbol] = ((0, 1), (1, 0))    an even number of b

States are numbered in the order in which a breadth-first walk from the start meets them, symbols in the order of the alphabet.
So two minimal automata over one alphabet are equal iff they accept the same language.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from separatrix.errors import BadInput

Moves = tuple[tuple[int, ...], ...]  # [states][symbols]


@dataclass(frozen=True)
class Automaton:
    """A complete deterministic automaton whose states are all reachable; state 0 is the start."""

    alphabet: tuple[str, ...]
    moves: Moves
    accepting: frozenset[int]

    @property
    def states(self) -> int:
        return len(self.moves)

    def run(self, word: Sequence[int], state: int = 0) -> int:
        """The state after reading symbol ids."""
        for symbol in word:
            state = self.moves[state][symbol]
        return state

    def accepts(self, word: Sequence[int]) -> bool:
        return self.run(word) in self.accepting

    def document(self) -> dict[str, Any]:
        """The automaton as JSON, in the form that `from_document` reads."""
        rows = {str(q): {a: str(r) for a, r in zip(self.alphabet, row, strict=True)} for q, row in enumerate(self.moves)}
        return {"alphabet": list(self.alphabet), "start": "0", "accepting": [str(q) for q in sorted(self.accepting)], "moves": rows}


def minimal(automaton: Automaton) -> Automaton:
    """The smallest complete automaton of the same language, by refining {accepting, rejecting} until no move splits a block."""
    block = [int(q in automaton.accepting) for q in range(automaton.states)]
    while True:
        names: dict[tuple[int, ...], int] = {}
        finer = [
            names.setdefault((block[q], *(block[r] for r in row)), len(names))  # a state is its block and where its moves lead
            for q, row in enumerate(automaton.moves)
        ]
        if len(names) == len(set(block)):
            break
        block = finer
    rows = {block[q]: tuple(block[r] for r in row) for q, row in enumerate(automaton.moves)}
    return numbered(automaton.alphabet, rows, block[0], {block[q] for q in automaton.accepting})


def numbered(alphabet: tuple[str, ...], rows: dict[int, tuple[int, ...]], start: int, accepting: set[int]) -> Automaton:
    """The reachable part, with states numbered breadth first."""
    order = {start: 0}
    queue = [start]
    for q in queue:  # grows during the loop
        for r in rows[q]:
            if r not in order:
                order[r] = len(order)
                queue.append(r)
    moves = tuple(tuple(order[r] for r in rows[q]) for q in queue)
    return Automaton(alphabet, moves, frozenset(order[q] for q in accepting if q in order))


def from_file(path: Path) -> Automaton:
    """The minimal automaton of a JSON file."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"automaton {path}: cannot read the file ({type(error).__name__})") from error
    return from_json(text, str(path))


def from_json(text: str, where: str) -> Automaton:
    """The minimal automaton of a JSON text such as {"alphabet": ["0", "1"], "start": "even", "accepting": ["even"], "moves": {...}}."""
    try:
        document = json.loads(text, object_pairs_hook=_without_repeats)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"automaton {where}: not JSON: {' '.join(str(error).split())}") from error
    return from_document(document, where)


def from_document(document: Any, where: str) -> Automaton:
    """The minimal automaton of a document with `alphabet`, `start`, `accepting` and `moves`; a missing move rejects for good."""
    keys = ("alphabet", "start", "accepting", "moves")
    if not isinstance(document, dict) or set(document) != set(keys):
        listed = ", ".join(map(str, document)) if isinstance(document, dict) else type(document).__name__
        raise BadInput(f"automaton {where}: expected an object with {', '.join(keys)}, found {listed or 'nothing'}")
    alphabet = alphabet_of(document["alphabet"], f"automaton {where}")
    moves, start, accepting = document["moves"], document["start"], document["accepting"]
    if not isinstance(moves, dict) or not moves or not all(isinstance(row, dict) for row in moves.values()):
        raise BadInput(
            f'automaton {where}: moves must be an object of states, each an object {{symbol: state}}, such as {{"q": {{"a": "q"}}}}'
        )
    if not isinstance(start, str) or start not in moves:
        raise BadInput(f"automaton {where}: start {start!r} is not among the states {_few(moves)}")
    if not isinstance(accepting, list) or not all(isinstance(q, str) and q in moves for q in accepting):
        raise BadInput(f"automaton {where}: accepting must be a list of the states {_few(moves)}, found {accepting!r:.60}")
    number = {q: i for i, q in enumerate(moves)}
    sink = len(number)
    rows = {sink: (sink,) * len(alphabet)}
    for q, row in moves.items():
        for symbol, target in row.items():
            if symbol not in alphabet:
                raise BadInput(f"automaton {where}: state {q!r} moves on {symbol!r}, which is not in the alphabet {_few(alphabet)}")
            if not isinstance(target, str) or target not in number:
                raise BadInput(f"automaton {where}: state {q!r} moves on {symbol!r} to {target!r}, which is not a state")
        rows[number[q]] = tuple(number[row[a]] if a in row else sink for a in alphabet)
    return minimal(numbered(alphabet, rows, number[start], {number[q] for q in accepting}))


def alphabet_of(symbols: Any, where: str) -> tuple[str, ...]:
    """Distinct symbols from a text of one-character symbols or from a list of symbols; none may contain a blank."""
    listed = list(symbols) if isinstance(symbols, str | list | tuple) else []
    if not listed or not all(isinstance(a, str) and a and not any(map(str.isspace, a)) for a in listed):
        raise BadInput(f"{where}: the alphabet must be symbols without blanks, written 'ab' or as a list, found {symbols!r:.60}")
    repeated = [a for i, a in enumerate(listed) if a in listed[:i]]
    if repeated:
        raise BadInput(f"{where}: the alphabet contains {repeated[0]!r} twice")
    return tuple(listed)


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"{next(n for n in names if names.count(n) > 1)!r} appears twice")
    return table


def _few(names: Any) -> str:
    listed = list(names)
    return ", ".join(map(repr, listed[:8])) + (", ..." if len(listed) > 8 else "")

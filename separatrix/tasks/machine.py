"""Turing machines as data: the textbook tuple, read from TOML, checked and run.

[wen2024 Assumption 5; states and symbols have names, and a move may stay]

    start = "first"                the first state; `accept` and `reject` are the two that halt
    blank = "_"                    symbols are single characters; `input` has those of the input
    [moves.first]                  one table for each other state, and in it one move for each symbol:
    0 = ["seek0", "_", "R"]        at 0: go to seek0, write the blank, move right (L left, S stay)

The input stands in cells 1 .. N, and the head starts at cell 1.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from separatrix.errors import BadInput

MACHINES = Path(__file__).parent / "machines"
DIRECTIONS = {"L": -1, "R": 1, "S": 0}
MOST = 64  # states, and symbols


@dataclass(frozen=True)
class Move:
    """One step: what is read, what is written, the next state, the direction."""

    read: str
    written: str
    state: str
    direction: str


@dataclass(frozen=True)
class Machine:
    """A deterministic machine with one two-way tape."""

    start: str
    accept: str
    reject: str
    blank: str
    input: str
    moves: tuple[tuple[str, str, Move], ...]  # state, symbol, move

    @property
    def symbols(self) -> tuple[str, ...]:
        """The tape alphabet; the blank is the first."""
        return tuple(dict.fromkeys([self.blank, *self.input, *(symbol for _, symbol, _ in self.moves)]))

    @property
    def states(self) -> tuple[str, ...]:
        """All states; the two that halt come last."""
        return (*dict.fromkeys(state for state, _, _ in self.moves), self.accept, self.reject)

    def log(self, word: Sequence[str], first: int, last: int, steps: int) -> tuple[Move, ...] | None:
        """Its steps on a word until it halts; None if it leaves the cells first .. last, or takes more than `steps` steps."""
        table = _table(self.moves)
        tape = dict(enumerate(word, 1))
        state, head = self.start, 1
        log: list[Move] = []
        while state not in (self.accept, self.reject):
            if len(log) == steps:
                return None
            move = table[state, tape.get(head, self.blank)]
            tape[head] = move.written
            state, head = move.state, head + DIRECTIONS[move.direction]
            log.append(move)
            if not first <= head <= last:
                return None
        return tuple(log)

    def accepts(self, log: Sequence[Move]) -> bool:
        """Whether a log ends in the accepting state."""
        return log[-1].state == self.accept


@cache
def _table(moves: tuple[tuple[str, str, Move], ...]) -> dict[tuple[str, str], Move]:
    return {(state, symbol): move for state, symbol, move in moves}


def machine_text(given: str) -> str:
    """The text of a machine: of one by name, of a file, or the text itself."""
    if "\n" in given:
        return given
    known = sorted(file.stem for file in MACHINES.glob("*.toml"))
    if given in known:
        return (MACHINES / f"{given}.toml").read_text(encoding="utf-8")
    file = Path(given)
    if not file.is_file():
        raise BadInput(f"machine: expected a file, or one of {', '.join(known)}, found {given!r:.80}")
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"machine: {given!r:.80} cannot be read: {error}") from error


@cache
def read_machine(text: str) -> Machine:
    """The machine of a text; refused in one line if a field or a move is missing or wrong."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"machine: {error}") from error
    fields = ("start", "accept", "reject", "blank", "input")
    for name in fields:
        if not isinstance(document.get(name), str) or not document[name]:
            raise BadInput(f"machine: expected text for {name!r}, found {document.get(name)!r:.80}")
    unknown = [name for name in document if name not in (*fields, "moves")]
    if unknown or not isinstance(document.get("moves"), dict):
        raise BadInput(f"machine: expected {', '.join(fields)} and tables [moves.STATE], found {', '.join(unknown) or 'no moves'}")
    moves = tuple(
        (state, symbol, _move(state, symbol, move)) for state, row in document["moves"].items() for symbol, move in _row(state, row)
    )
    machine = Machine(**{name: document[name] for name in fields}, moves=moves)
    _refuse(machine)
    return machine


def _row(state: str, row: object) -> list[tuple[str, object]]:
    if not isinstance(row, dict):
        raise BadInput(f"machine: expected a table of moves for state {state!r}, found {row!r:.80}")
    return list(row.items())


def _move(state: str, symbol: str, move: object) -> Move:
    if not isinstance(move, list) or len(move) != 3 or not all(isinstance(part, str) for part in move) or move[2] not in DIRECTIONS:
        raise BadInput(f"machine: state {state!r} at {symbol!r}: expected [state, symbol, 'L', 'R' or 'S'], found {move!r:.80}")
    return Move(symbol, move[1], move[0], move[2])


def _refuse(machine: Machine) -> None:
    halting, working = (machine.accept, machine.reject), {state for state, _, _ in machine.moves}
    if machine.accept == machine.reject or working & {*halting}:
        raise BadInput(f"machine: accept and reject must be two states without moves, found {machine.accept!r} and {machine.reject!r}")
    if machine.start not in working:
        raise BadInput(f"machine: the first state {machine.start!r} has no moves")
    if len(machine.states) > MOST or len(machine.symbols) > MOST:
        raise BadInput(f"machine: expected at most {MOST} states and symbols, found {len(machine.states)} and {len(machine.symbols)}")
    for state, symbol, move in machine.moves:
        if move.state not in machine.states:
            raise BadInput(f"machine: state {state!r} at {symbol!r} goes to {move.state!r}, which has no moves and does not halt")
    if not {move.state for _, _, move in machine.moves} & {*halting}:
        raise BadInput("machine: no move leads to a state that halts")
    wrong = [symbol for symbol in machine.symbols if len(symbol) != 1 or symbol.isspace()]
    wrong += [name for name in machine.states if not name or len(name.split()) != 1]
    if wrong:
        raise BadInput(f"machine: symbols are single characters and states are words, found {wrong[0]!r:.80}")
    written, there = {move.written for _, _, move in machine.moves}, {entry[:2] for entry in machine.moves}
    every = [(state, symbol) for state in sorted(working) for symbol in sorted({*machine.symbols, *written})]
    missing = [pair for pair in every if pair not in there]
    if missing:
        state, symbol = missing[0]
        listed = ", ".join(f"state {q!r} at {c!r}" for q, c in missing[:5]) + (f" and {len(missing) - 5} more" if len(missing) > 5 else "")
        line = f'{symbol!r} = ["{machine.reject}", "{symbol}", "S"]'
        raise BadInput(
            f"machine: every state needs a move at every symbol, {len(missing)} of {len(every)} are missing: {listed}; "
            f"one that should reject is, in [moves.{state}], {line}"
        )

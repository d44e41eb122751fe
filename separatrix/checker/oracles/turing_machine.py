"""Acceptance by a Turing machine, whose table is a parameter of the claim and is interpreted here.

`<s>`, N symbols of input, `padding` tokens #. The machine starts in cell 1 of 1 .. N with `margin` blank cells on either side; inputs on
which it leaves them, or takes more than `steps` steps, are outside the promise.
Tokens: `<s>` # YES NO, the input symbols; with a chain then what is read, what is written, the states, the directions L R S and </s>.
With `thought: search` the words are those of a search, symbols that are not input, fragments, {0}, moves and the cells {1}, {2}, ..; each
step searches for what was last written to its cell, or for its input symbol, and then writes symbol, cell, state and direction.
Draws: i - 1 the symbol x_i; `mirrored` mirrors the first half, `constant` repeats the first symbol; an input outside the promise becomes
the first symbol, over and over.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from separatrix.checker.fields import require_fields, within
from separatrix.checker.oracles.forms.counts import strings
from separatrix.checker.oracles.forms.searches import END, FAILED, START, STOP, searched
from separatrix.checker.oracles.forms.task_oracle import Number, TaskOracle, Tokens
from separatrix.checker.seal import Refused

LETTERS = 20_000  # of the text of a machine
STEPS = 10**6
COUNTED = 1 << 20  # steps in all, of the words whose promise is decided one by one
SEARCH = 16  # work of the search of one step, for each token
STEP = 4000  # work of one step, in the units of `plan`: a case is run when it is drawn, for its answer and for its chain
TURNS = {"L": -1, "R": 1, "S": 0}
FRAGMENTS = ("^(?:.*\\sw:(?=\\S\\s\\", r"(?!\S))|(?:\S+\s)", r")(\S)(?!\S)", "{0}")
Table = dict[tuple[str, str], tuple[str, str, str]]


class Oracle(TaskOracle):
    """A step is four tokens: read, written, next state, direction. The answer and </s> end the chain."""

    name = "turing-machine"
    families = ("random", "mirrored", "constant")

    def __init__(self, parameters: Any) -> None:
        self.parameters = require_fields(parameters, "parameters", length=int, machine=str, padding=int, margin=int, steps=int, thought=str)
        self.N, self.padding = within(parameters["length"], 1, 10**4, "length"), within(parameters["padding"], 0, 10**6, "padding")
        self.margin, self.steps = within(parameters["margin"], 0, 10**4, "margin"), within(parameters["steps"], 1, STEPS, "steps")
        thought = parameters["thought"]
        if thought not in ("none", "chain", "search"):
            raise Refused(f"parameters.thought: expected none, chain or search, found {thought!r:.80}")
        self.thinks = thought == "chain"
        self.machine = _machine(parameters["machine"])
        self.start, self.accept, self.reject, self.blank, self.symbols = (
            self.machine[k] for k in ("start", "accept", "reject", "blank", "input")
        )
        self.table: Table = {(q, c): tuple(move) for q, row in self.machine["moves"].items() for c, move in row.items()}
        tape = list(dict.fromkeys([self.blank, *self.symbols, *(c for _, c in self.table)]))
        states = [*dict.fromkeys(q for q, _ in self.table), self.accept, self.reject]
        moves = [*(f"w:{c}" for c in tape), *(f"q:{q}" for q in states), *TURNS]
        cells = [f"{{{h}}}" for h in range(1, self.N + 2 * self.margin + 1)]
        others = [c for c in tape if c not in self.symbols]
        words = {"none": [], "chain": [*(f"r:{c}" for c in tape), *moves, STOP],
                 "search": [START, END, FAILED, STOP, *others, *FRAGMENTS, *moves, *cells]}[thought]  # fmt: skip
        self.spelled = ("<s>", "#", "YES", "NO", *self.symbols, *words)
        self.id = {word: token for token, word in enumerate(self.spelled)}
        self.vocabulary = self.targets = len(self.id)
        self.tokens = 1 + self.N + self.padding + {"none": 0, "chain": 4 * self.steps + 2, "search": 12 * self.steps + 2}[thought]
        self.decoder = {"none": "position", "chain": "greedy", "search": "retrieval"}[thought]
        if thought == "search":
            self.search = (self.id[START], self.id[END], self.spelled)
        short = hashlib.sha256(parameters["machine"].encode()).hexdigest()[:8]
        how = {"none": "", "chain": ", step by step", "search": ", step by step, by searches"}[thought]
        padded = f", padded by {self.padding}" if self.padding else ""
        promise = f"within {self.steps} steps and margin {self.margin} on either side of the input"
        machine = f"the Turing machine {short} of {len(states)} states and {len(tape)} symbols"
        self.title = f"acceptance by {machine} {promise}, N = {self.N}{padded}{how}"
        self.drawing += STEP * self.steps // self.tokens + (SEARCH * self.steps if thought == "search" else 0)
        few = strings(len(self.symbols), self.N)
        counted = few is not None and few * self.steps <= COUNTED
        self.input_count = sum(self.truth(word) is not None for word in self.inputs()) if counted else None

    @property
    def alphabets(self) -> tuple[range, ...]:
        return (range(1), *(range(4, 4 + len(self.symbols)),) * self.N, *(range(1, 2),) * self.padding)

    def log(self, tokens: Sequence[int]) -> list[tuple[str, str, str, str]] | None:
        """Read, written, next state and direction of every step."""
        tape = {i: self.symbols[token - 4] for i, token in enumerate(tokens[1 : self.N + 1], 1)}
        head, state = 1, self.start
        log: list[tuple[str, str, str, str]] = []
        while state not in (self.accept, self.reject):
            if len(log) == self.steps:
                return None
            read = tape.get(head, self.blank)
            state, tape[head], turn = self.table[state, read]
            log.append((read, tape[head], state, turn))
            head += TURNS[turn]
            if not 1 - self.margin <= head <= self.N + self.margin:
                return None
        return log

    def truth(self, tokens: Sequence[int]) -> int | None:
        log = self.log(tokens)
        return None if log is None else 2 if log[-1][2] == self.accept else 3

    def chain(self, tokens: Sequence[int]) -> tuple[int, ...]:
        log = self.log(tokens) if self.thinks or self.search is not None else None
        if log is None:
            return ()
        if self.search is not None:
            return self._searching(tokens, log)
        words = [word for read, written, state, turn in log for word in (f"r:{read}", f"w:{written}", f"q:{state}", turn)]
        return tuple(self.id[word] for word in (*words, "YES" if log[-1][2] == self.accept else "NO", "</s>"))

    def _searching(self, tokens: Sequence[int], log: list[tuple[str, str, str, str]]) -> tuple[int, ...]:
        text, head = [self.spelled[token] for token in tokens], 1
        for read, written, state, turn in log:
            cell, skipped = f"{{{head + self.margin}}}", f"{{{head}}}" if 0 < head <= self.N else FRAGMENTS[3]
            text += searched(text, [FRAGMENTS[0], cell, FRAGMENTS[1], skipped, FRAGMENTS[2]])
            if text[-1] != read and not (text[-1] in (FAILED, "#") and read == self.blank):
                raise AssertionError("turing-machine: a search finds another symbol than the machine reads")
            text += [f"w:{written}", cell, f"q:{state}", turn]
            head += TURNS[turn]
        return tuple(self.id[word] for word in (*text[len(tokens) :], "YES" if log[-1][2] == self.accept else "NO", STOP))

    def draw(self, case: Number) -> Tokens:
        x = 4 + self.words(case.seed, case.number).many_below(0, self.N, len(self.symbols))
        if case.family == "constant":
            x[:] = x[0]
        elif case.family == "mirrored":
            for i in range(self.N // 2):
                x[self.N - 1 - i] = x[i]
        drawn = np.array([0, *x, *[1] * self.padding], dtype=np.int64)
        if self.truth(drawn.tolist()) is None:
            drawn[1 : self.N + 1] = 4
            if self.truth(drawn.tolist()) is None:
                raise Refused("parameters.machine: it does not halt within its steps and cells on an input that is drawn")
        return drawn


@lru_cache(maxsize=16)
def _machine(text: str) -> dict[str, Any]:
    """The table of a machine: every state but the two that halt has a move for every symbol of its tape."""
    if len(text) > LETTERS:
        raise Refused(f"parameters.machine: expected at most {LETTERS} characters, found {len(text)}")
    try:
        machine = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise Refused(f"parameters.machine: {error!s:.80}") from error
    require_fields(machine, "machine", start=str, accept=str, reject=str, blank=str, input=str, moves=dict)
    moves = machine["moves"]
    rows = [(q, row) for q, row in moves.items() if isinstance(row, dict)]
    if len(rows) != len(moves) or not rows:
        raise Refused("parameters.machine: expected a table of moves for each state")
    tape = {machine["blank"], *machine["input"], *(c for _, row in rows for c in row)}
    halting = {machine["accept"], machine["reject"]}
    if len(halting) != 2 or halting & {*moves} or machine["start"] not in moves or not machine["input"]:
        raise Refused("parameters.machine: expected two states that halt, a first state that does not, and an input alphabet")
    if any(len(c) != 1 or c.isspace() for c in tape) or "#" in tape or len({*machine["input"]}) != len(machine["input"]):
        raise Refused("parameters.machine: symbols are single characters; # is not one, and the input has none twice")
    if any(len(q.split()) != 1 for q in (*moves, *halting)):
        raise Refused("parameters.machine: states are words")
    for q, row in rows:
        for c in tape:
            move = row.get(c)
            if not isinstance(move, list) or len(move) != 3 or any(type(part) is not str for part in move):
                raise Refused(f"parameters.machine: no move of state {q!r:.80} at {c!r}")
            if move[0] not in (*moves, *halting) or move[1] not in tape or move[2] not in TURNS:
                raise Refused(f"parameters.machine: an unknown state, symbol or direction in the move of {q!r:.80} at {c!r}")
    return machine

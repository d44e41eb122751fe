"""Acceptance by a Turing machine, whose table is a parameter of the claim and is interpreted here.

`<s>`, N symbols of input, `padding` tokens #. The machine starts in cell 1 of 1 .. N with `margin` blank cells on either side; inputs on
which it leaves them, or takes more than `steps` steps, are outside the promise.
Tokens: `<s>` # YES NO, the input symbols; with a chain then what is read, what is written, the states, the directions L R S and </s>.
With `thought: search` the words are those of a search, symbols that are not input, fragments, {0}, moves and the cells {1}, {2}, ..; each
step searches for what was last written to its cell, or for its input symbol, and then writes symbol, cell, state and direction.
With `thought: turning` a token is a state and the symbol that it reads, or = and a symbol that is passed over: the cells are passed in a
ring, and the machine goes on where its head is. After it halts nothing is passed over.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from separatrix.checker.fields import require_fields
from separatrix.checker.numbers import arrays
from separatrix.checker.seal import Refused
from separatrix.checker.specs.counts import strings
from separatrix.checker.specs.parameters import Field, Integer, Text, Word, toml
from separatrix.checker.specs.searches import END, FAILED, START, STOP, searched
from separatrix.checker.specs.spec import Choices, Spec, Task, Tokens

COUNTED = 1 << 20  # steps in all, of the words whose promise is decided one by one
SEARCH = 100  # work of the search of one step, for each token
RUN = 1000  # work of one step for an answer alone
STEP = 4000  # work of one step, in the units of `plan`: a case is run when it is drawn, for its answer and for its chain
TURNS = {"L": -1, "R": 1, "S": 0}
FRAGMENTS = ("^(?:.*\\sw:(?=\\S\\s\\", r"(?!\S))|(?:\S+\s)", r")(\S)(?!\S)", "{0}")
PASSED = 1000  # of a cell that is passed over
Log = list[tuple[str, str, str, str]]  # read, written, next state and direction of every step


def turing_machine(length: int, machine: str, padding: int, margin: int, steps: int, thought: str) -> Spec:
    """A step is four tokens: read, written, next state, direction. The answer and </s> end the chain."""
    N, parts = length, _machine(machine)
    start, accept, reject, blank, symbols, table = (parts[k] for k in ("start", "accept", "reject", "blank", "input", "table"))
    tape = list(dict.fromkeys([blank, *symbols, *(c for _, c in table)]))
    states = [*dict.fromkeys(q for q, _ in table), accept, reject]
    spelled = ("<s>", "#", "YES", "NO", *symbols, *_words(thought, symbols, tape, states, [*table], N + 2 * margin))
    number = {word: token for token, word in enumerate(spelled)}

    def log(tokens: Sequence[int]) -> Log | None:
        cells = {i: symbols[token - 4] for i, token in enumerate(tokens[1 : N + 1], 1)}
        head, state, moves = 1, start, Log()
        while state not in (accept, reject):
            if len(moves) == steps:
                return None
            read = cells.get(head, blank)
            state, cells[head], turn = table[state, read]
            moves.append((read, cells[head], state, turn))
            head += TURNS[turn]
            if not 1 - margin <= head <= N + margin:
                return None
        return moves

    def truth(tokens: Sequence[int]) -> int | None:
        moves = log(tokens)
        return None if moves is None else 2 if moves[-1][2] == accept else 3

    def chain(tokens: Sequence[int]) -> tuple[int, ...]:
        moves = log(tokens) if thought != "none" else None
        if moves is None:
            return ()
        words = [word for read, put, state, turn in moves for word in (f"r:{read}", f"w:{put}", f"q:{state}", turn)]
        if thought == "search":
            words = _searching([spelled[token] for token in tokens], moves, N, margin, blank)
        if thought == "turning":
            words = _turning([spelled[token] for token in tokens[1 : N + 1]], moves, start, margin, blank)
        return tuple(number[word] for word in (*words, "YES" if moves[-1][2] == accept else "NO", STOP))

    def mirrored(choices: Choices) -> Tokens:
        half = choices.many((N + 1) // 2, len(symbols))
        return arrays.concatenate([[0], 4 + half, 4 + half[: N // 2][::-1], arrays.full(padding, 1)])

    short, few = hashlib.sha256(machine.encode()).hexdigest()[:24], strings(len(symbols), N)
    how = {"none": "", "chain": ", step by step", "search": ", step by step, by searches", "turning": ", on a ring of cells"}[thought]
    promise = f"within {steps} steps and margin {margin} on either side of the input, N = {N}{f', padded by {padding}' if padding else ''}"
    alphabets = (range(1), *(range(4, 4 + len(symbols)),) * N, *(range(1, 2),) * padding)
    each = {"none": 0, "chain": 4, "search": 12, "turning": N + 2 * margin}[thought]
    written = each * steps + 2 if each else 0
    work = (STEP + (PASSED * each if thought == "turning" else 0)) * steps
    spec = Spec(
        title=f"acceptance by the Turing machine {short} of {len(states)} states and {len(tape)} symbols {promise}{how}",
        alphabets=alphabets,
        vocabulary=len(number),
        targets=len(number),
        truth=truth,
        input_count=None,
        decoder={"none": "position", "chain": "greedy", "search": "retrieval", "turning": "greedy"}[thought],
        chain=chain,
        written=written,
        search=(number[START], number[END], spelled) if thought == "search" else None,
        answering=300 + RUN * steps // len(alphabets),
        drawing=(1 << 8) + work // (len(alphabets) + written) + (SEARCH * steps if thought == "search" else 0),
        families={"mirrored": mirrored},
    )
    counted = few is not None and few * steps <= COUNTED
    return replace(spec, input_count=sum(truth(word) is not None for word in spec.inputs())) if counted else spec


def _words(thought: str, symbols: str, tape: list[str], states: list[str], rows: list[tuple[str, str]], cells: int) -> list[str]:
    """What a chain is written with; `rows` are the states and symbols that have a move."""
    if thought == "turning":
        return [*(f"{q}/{c}" for q, c in rows), *(f"={c}" for c in tape), STOP]
    moves = [*(f"w:{c}" for c in tape), *(f"q:{q}" for q in states), *TURNS]
    if thought == "chain":
        return [*(f"r:{c}" for c in tape), *moves, STOP]
    others = [c for c in tape if c not in symbols]
    places = [f"{{{h}}}" for h in range(1, cells + 1)]
    return [START, END, FAILED, STOP, *others, *FRAGMENTS, *moves, *places] if thought == "search" else []


def _searching(prompt: list[str], moves: Log, N: int, margin: int, blank: str) -> list[str]:
    """The words of a chain that searches for what each step reads."""
    text, head = list(prompt), 1
    for read, put, state, turn in moves:
        cell, skipped = f"{{{head + margin}}}", f"{{{head}}}" if 0 < head <= N else FRAGMENTS[3]
        text += searched(text, [FRAGMENTS[0], cell, FRAGMENTS[1], skipped, FRAGMENTS[2]])
        if text[-1] != read and not (text[-1] in (FAILED, "#") and read == blank):
            raise AssertionError("turing-machine: a search finds another symbol than the machine reads")
        text += [f"w:{put}", cell, f"q:{state}", turn]
        head += TURNS[turn]
    return text[len(prompt) :]


def _turning(word: list[str], moves: Log, start: str, margin: int, blank: str) -> list[str]:
    """The words of a chain that passes all cells in a ring until it is at the head again."""
    cells = [*word, *[blank] * (2 * margin)]  # cell 1 first; those left of it come last
    place = head = 0
    words, state = [], start
    for read, put, following, turn in moves:
        while place % len(cells) != head % len(cells):
            words.append(f"={cells[place % len(cells)]}")
            place += 1
        words.append(f"{state}/{read}")
        cells[head % len(cells)] = put
        place, head, state = place + 1, head + TURNS[turn], following
    return words


@lru_cache(maxsize=16)
def _machine(text: str) -> dict[str, Any]:
    """A machine and its table: every state but the two that halt has a move for every symbol of its tape."""
    machine = toml(text, "parameters.machine")
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
            if (move[0] not in moves and move[0] not in halting) or move[1] not in tape or move[2] not in TURNS:
                raise Refused(f"parameters.machine: an unknown state, symbol or direction in the move of {q!r:.80} at {c!r}")
    return {**machine, "table": {(q, c): tuple(move) for q, row in moves.items() for c, move in row.items()}}


FIELDS: dict[str, Field] = {
    "length": Integer(1, 10**4), "machine": Text(20_000), "padding": Integer(0, 10**6), "margin": Integer(0, 10**4),
    "steps": Integer(1, 10**6), "thought": Word(("none", "chain", "search", "turning")),
}  # fmt: skip
TASKS = {"turing-machine": Task(FIELDS, turing_machine)}

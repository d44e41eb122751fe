"""Boolean circuits as data: gates in order, read from TOML, checked and evaluated.

    gates = ["x1", "x2", "and 1 2", "xor 3 1"]        a circuit over the whole input; gates are numbered from 1 on, the last is the output

    state = 1                                          a recurrent circuit, evaluated once for each input bit x: its last `state` gates
    gates = ["s1", "x", "xor 1 2"]                     are the next state, s1 is the first bit of the present one, 0 at first

    bits = 2                                           a recurrent model whose tokens have two bits, x1 and x2: the two gates before those
    state = 1                                          of the state are the bits of the token that it writes after each token it reads,
    steps = 3                                          the lowest first. Behind the input it reads `steps` tokens of its own.
    gates = ["s1", "x1", "x2", "xor 1 2", "and 4 4", "and 3 3", "or 4 3"]

Without `bits` the last gate is the token. Gates are `xI` (input bit I), or `x` and `sI` of a recurrent circuit, `one`, `and A B`, `or A B`,
`xor A B` and `not A`, of earlier gates.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from separatrix.errors import BadInput

MOST = 10**5  # gates of one circuit
BINARY = {"and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b}
NAMED = {
    "recurrent-parity": 'state = 1\ngates = ["s1", "x", "xor 1 2"]\n',
    "recurrent-mod-3": (
        'state = 2\ngates = ["s1", "s2", "x", "or 1 2", "not 4", "not 3", "and 5 3", "and 1 6", "and 1 3", "and 2 6", '
        '"or 7 8", "or 9 10"]\n'
    ),
    "recurrent-add-4": (
        'bits = 2\nstate = 2\nsteps = 2\ngates = ["s1", "s2", "x1", "x2", "xor 1 3", "and 1 3", "xor 2 4", "xor 7 6", '
        '"and 8 8", "and 5 5", "and 5 5", "and 8 8"]\n'
    ),
}  # the number of ones modulo 3 is 0, 1 (s1) or 2 (s2); the sum of the tokens modulo 4 is the state, and is said with its bits swapped
MOST_BITS, MOST_STEPS = 6, 10**5


@dataclass(frozen=True)
class Gate:
    """What a gate computes, and the gates or bits that it reads, from 1 on."""

    kind: str  # input, state, one, and, or, xor, not
    reads: tuple[int, ...] = ()


@dataclass(frozen=True)
class Circuit:
    """Gates in order; `state` bits of state if it is recurrent, else None."""

    gates: tuple[Gate, ...]
    state: int | None
    bits: int = 1  # of a token
    steps: int = 0  # tokens of its own that a recurrent circuit reads behind the input
    says: tuple[int, ...] = ()  # the gates that are the bits of the token it writes

    def values(self, bits: Sequence[int]) -> list[int]:
        """The value of every gate, in order, of a circuit over the whole input."""
        return self._step(bits, [])

    def run(self, tokens: Sequence[int]) -> list[tuple[list[int], int]]:
        """For every step of a recurrent circuit, the values of its gates and the token that it writes."""
        state, read, done = [0] * (self.state or 0), [*tokens], list[tuple[list[int], int]]()
        while len(done) < len(tokens) + self.steps:
            token = read[len(done)] if len(done) < len(tokens) else done[-1][1]
            values = self._step([token >> i & 1 for i in range(self.bits)], state)
            state = values[-len(state) :]
            done.append((values, sum(values[gate - 1] << i for i, gate in enumerate(self.says))))
        return done

    def _step(self, bits: Sequence[int], state: Sequence[int]) -> list[int]:
        values: list[int] = []
        for gate in self.gates:
            if gate.kind in BINARY:
                values.append(BINARY[gate.kind](values[gate.reads[0] - 1], values[gate.reads[1] - 1]))
            elif gate.kind == "not":
                values.append(1 - values[gate.reads[0] - 1])
            else:
                values.append(1 if gate.kind == "one" else (bits if gate.kind == "input" else state)[gate.reads[0] - 1])
        return values


def circuit_text(given: str, n: int) -> str:
    """The text of a circuit: of one by name, of a file, or the text itself. `parity` adds up n bits."""
    if "\n" in given or given.lstrip().startswith("gates"):
        return given
    if given == "parity":
        sums = [f"xor {1 if i == 2 else n + i - 2} {i}" for i in range(2, n + 1)]
        return f"gates = {[*(f'x{i}' for i in range(1, n + 1)), *sums]}\n".replace("'", '"')
    if given in NAMED:
        return NAMED[given]
    if not Path(given).is_file():
        raise BadInput(f"circuit: expected a file, or one of {', '.join(('parity', *NAMED))}, found {given!r:.80}")
    try:
        return Path(given).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"circuit: {given!r:.80} cannot be read: {error}") from error


@cache
def read_circuit(text: str, n: int) -> Circuit:
    """The circuit of a text for n input bits; refused in one line if a gate is not one."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"circuit: {error}") from error
    gates, state = document.get("gates"), document.get("state")
    bits, steps = document.get("bits"), document.get("steps", 0)
    if (
        not isinstance(gates, list)
        or not 1 <= len(gates) <= MOST
        or not all(isinstance(gate, str) for gate in gates)
        or {*document} - {"gates", "state", *(("bits", "steps") if state is not None else ())}
    ):
        raise BadInput(
            f"circuit: expected `gates`, a list of 1 to {MOST} texts, and `state` if it is recurrent, then also `bits` and `steps`"
        )
    if state is not None and (type(state) is not int or not 1 <= state <= len(gates)):
        raise BadInput(f"circuit: state must lie in 1..{len(gates)}, found {state!r:.80}")
    if bits is not None and (type(bits) is not int or not 1 <= bits <= min(MOST_BITS, len(gates) - (state or 0))):
        most = min(MOST_BITS, len(gates) - (state or 0))
        raise BadInput(f"circuit: bits must lie in 1..{most}, as so many gates stand before those of the state, found {bits!r:.80}")
    if type(steps) is not int or not 0 <= steps <= MOST_STEPS:
        raise BadInput(f"circuit: steps must lie in 0..{MOST_STEPS}, found {steps!r:.80}")
    last = len(gates) - (state or 0)
    says = (len(gates),) if bits is None else tuple(range(last - bits + 1, last + 1))
    read = tuple(_gate(text, number, n, state, bits) for number, text in enumerate(gates, 1))
    return Circuit(read, state, bits or 1, steps, says if state is not None else ())


def _gate(text: str, number: int, n: int, state: int | None, bits: int | None) -> Gate:
    words = text.split()
    bit = re.fullmatch(r"x(\d+)|(x)|s(\d+)", text)
    if bit:
        kind, place, most = ("state", bit[3], state or 0) if bit[3] else ("input", bit[1] or "1", n if state is None else bits or 1)
        if bool(bit[2]) != (state is not None and bits is None) and kind == "input":
            several = f"`x1` .. `x{n if bits is None else bits}`"
            raise BadInput(f"circuit: gate {number} is {text!r}: a recurrent circuit without `bits` reads `x`, another one {several}")
        if not 1 <= int(place) <= most:
            raise BadInput(
                f"circuit: gate {number} reads bit {place} of {'the state' if kind == 'state' else 'the input'}, which has {most}"
            )
        return Gate(kind, (int(place),))
    kinds = {"one": 0, "not": 1, **dict.fromkeys(BINARY, 2)}
    if not words or words[0] not in kinds or len(words) != 1 + kinds[words[0]] or not all(word.isdigit() for word in words[1:]):
        raise BadInput(f"circuit: gate {number} is {text!r:.80}: expected xI, sI, one, not A, and A B, or A B, xor A B")
    reads = tuple(int(word) for word in words[1:])
    if not all(1 <= gate < number for gate in reads):
        raise BadInput(f"circuit: gate {number} reads gate {max(reads)}: expected an earlier one, so that there is no cycle")
    return Gate(words[0], reads)

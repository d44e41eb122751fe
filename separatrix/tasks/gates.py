"""Boolean circuits as data: gates in order, read from TOML, checked and evaluated.

    gates = ["x1", "x2", "and 1 2", "xor 3 1"]        a circuit over the whole input; gates are numbered from 1 on, the last is the output

    state = 1                                          a recurrent circuit, evaluated once for each input bit x: its last `state` gates
    gates = ["s1", "x", "xor 1 2"]                     are the next state, s1 is the first bit of the present one, 0 at first

Gates are `xI` (input bit I), or `x` and `sI` of a recurrent circuit, `one`, `and A B`, `or A B`, `xor A B` and `not A`, of earlier gates.
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
}  # the number of ones modulo 3 is 0, 1 (s1) or 2 (s2)


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

    def values(self, bits: Sequence[int]) -> list[int]:
        """The value of every gate, in order; of a recurrent circuit step by step."""
        if self.state is None:
            return self._step(bits, [])
        values: list[int] = []
        for bit in bits:
            values += self._step([bit], values[-self.state :] or [0] * self.state)
        return values

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
    if (
        not isinstance(gates, list)
        or not 1 <= len(gates) <= MOST
        or not all(isinstance(gate, str) for gate in gates)
        or {*document} - {"gates", "state"}
    ):
        raise BadInput(f"circuit: expected `gates`, a list of 1 to {MOST} texts, and `state` if it is recurrent")
    if state is not None and (type(state) is not int or not 1 <= state <= len(gates)):
        raise BadInput(f"circuit: state must lie in 1..{len(gates)}, found {state!r:.80}")
    return Circuit(tuple(_gate(text, number, n, state) for number, text in enumerate(gates, 1)), state)


def _gate(text: str, number: int, n: int, state: int | None) -> Gate:
    words = text.split()
    bit = re.fullmatch(r"x(\d+)|(x)|s(\d+)", text)
    if bit:
        kind, place, most = ("state", bit[3], state or 0) if bit[3] else ("input", bit[1] or "1", n if state is None else 1)
        if bool(bit[2]) != (state is not None) and kind == "input":
            raise BadInput(f"circuit: gate {number} is {text!r}: a recurrent circuit reads `x`, another one `x1` .. `x{n}`")
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

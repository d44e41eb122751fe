"""Recurrent models with exactly as many bits of state as the tasks need: the lower bounds on recurrent models are tight.

[bhattamishra2024 Theorem 2; bhattamishra2024 Theorem 3; bhattamishra2024 Theorem 11]

Notation   N  symbols     b  bits of a symbol, ceil(log2 |S|)     h  registers, one bit each

A symbol that will be needed goes into b registers of its own. Index lookup reads the registers of place p into the first b. Equality
and intersection store the first half; from then on each token frees the registers it is compared with, so the verdict so far fits
into the first one and needs no extra register. That is b N bits and b N/2 bits: exactly the state profile, where |S| is a power of 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from separatrix.certificates.claim import Claim
from separatrix.models.config import EmbeddingConfig, LayerConfig, ModelConfig, PlaceConfig, ReadoutConfig
from separatrix.tasks import Task
from separatrix.tasks.equality import Equality
from separatrix.tasks.index_lookup import IndexLookup
from separatrix.tasks.intersects import Intersects

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

KEEP, CLEAR, SET, COPY = (0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0)
NOT = (1.0, -1.0, 0.0, 0.0)  # h_w' = 1 - h_w
AND, AND_NOT, OR = (0.0, 0.0, 0.0, 1.0), (0.0, 1.0, 0.0, -1.0), (0.0, 1.0, 1.0, -1.0)  # of h_w and h_r
Gates = Sequence[Sequence[float]]  # one for each row of tokens


def index_lookup_registers(length: int, symbols: int = 64) -> Built:
    """Index lookup with b N registers.

    [bhattamishra2024 Theorem 3]
    """
    task = IndexLookup(length, symbols)
    N, b = length, bits_of(symbols)
    program = Registers(registers=b * N, length=N + 1, writes=b, plain=symbols, numbers=N)
    for i in range(N):
        for k in range(b):
            program.put(i, k, w=b * i + k, r=0, gates=[*bit_gates(symbols, k, SET, CLEAR), KEEP])  # store rho(s_i)
    for k in range(b):
        program.put(N, k, w=k, r=k, gates=[*(KEEP,) * symbols, COPY])
        program.number_read[:, k] = b * np.arange(N) + k  # the index p reads the registers of place p
    return program.built(task, symbols, "bhattamishra2024 Theorem 3")


def equality_registers(length: int, symbols: int = 2) -> Built:
    """Equality with b N/2 registers.

    [bhattamishra2024 Theorem 11]
    """
    task = Equality(length, symbols)
    half, b = length // 2, bits_of(symbols)
    program = Registers(registers=b * half, length=length, writes=b, plain=symbols)
    for i in range(half):
        for k in range(b):
            program.put(i, k, w=b * i + k, r=0, gates=bit_gates(symbols, k, SET, CLEAR))
            first = i == 0 and k == 0  # the first bit is compared in place: from here on h_0 is whether all agreed so far
            agrees = bit_gates(symbols, k, KEEP, NOT) if first else bit_gates(symbols, k, AND, AND_NOT)
            program.put(half + i, k, w=0, r=b * i + k, gates=agrees)
    return program.built(task, 2, "bhattamishra2024 Theorem 11")


def intersects_registers(length: int) -> Built:
    """Whether two sets meet, with N/2 registers.

    [bhattamishra2024 Theorem 2]
    """
    task = Intersects(length)
    half = length // 2
    program = Registers(registers=half, length=length, writes=1, plain=2)
    for i in range(half):
        program.put(i, 0, w=i, r=0, gates=[CLEAR, SET])
        # h_0 is whether an element so far is in both sets; if the token is 1, element i is in both iff h_i
        program.put(half + i, 0, w=0, r=i, gates=[KEEP, OR] if i else [CLEAR, KEEP])
    return program.built(task, 2, "bhattamishra2024 Theorem 2")


@dataclass
class Registers:
    """A program for a register file: what each write of each token does."""

    registers: int
    length: int  # tokens of an input
    writes: int  # at every token
    plain: int  # ids with gates of their own
    numbers: int = 0  # further ids, which stand for 1, 2, ...
    scratch: int = 0
    write: npt.NDArray[np.int64] = field(init=False)
    read: npt.NDArray[np.int64] = field(init=False)
    number_read: npt.NDArray[np.int64] = field(init=False)
    gates: npt.NDArray[np.float64] = field(init=False)

    def __post_init__(self) -> None:
        T, K = self.length, self.writes
        self.write, self.read = np.zeros((T, K), dtype=np.int64), np.zeros((T, K), dtype=np.int64)
        self.number_read = np.zeros((self.numbers, K), dtype=np.int64)
        self.gates = np.tile(np.array(KEEP), (T, K, self.rows, 1))

    @property
    def rows(self) -> int:
        """Rows of tokens; all numbers share one."""
        return self.plain + (self.numbers > 0)

    def put(self, t: int, k: int, w: int, r: int, gates: Gates) -> None:
        """Write number k of token t: register w, from itself and register r, by a gate for each token row."""
        self.write[t, k], self.read[t, k], self.gates[t, k] = w, r, np.array(gates)

    def built(self, task: Task, named: int, cites: str) -> Built:
        """The model, with the claim that it computes its task; the answer is the one of `named` targets that the first registers spell."""
        from separatrix.certificates.built import Built
        from separatrix.certificates.program import Program
        from separatrix.constructions.compiler import model_of, read_as
        from separatrix.models.mixers.register_file import RegisterFileConfig

        name = f"{task.name}/recurrent"
        mixer = RegisterFileConfig(self.registers, self.scratch, self.writes, self.rows, self.numbers, self.length)
        width = mixer.least_width
        config = ModelConfig(
            embedding=EmbeddingConfig(self.plain, self.numbers, PlaceConfig("one-hot", self.numbers) if self.numbers else None),
            layers=(LayerConfig(mixer),),
            readout=ReadoutConfig(task.targets),
            width=width,
            length=self.length,
        )
        model = model_of(config, self.tensors(width, task.targets, named), name)
        claim = Claim(name, cites, task.name, task.parameters, {}, config.arithmetic, {"state bits": float(self.registers)})
        return Built(Program(model, read_as(task)), claim, task)

    def tensors(self, width: int, targets: int, named: int) -> dict[str, npt.NDArray[Any]]:
        """The stream holds the next token; the read-out counts the bits of a target that agree, minus the others."""
        b, one_hot = bits_of(named), np.eye(self.rows + self.numbers, width)
        code = np.array([[2.0 * (s >> k & 1) - 1 for k in range(b)] for s in range(named)])
        weight, bias = np.zeros((targets, width)), np.zeros(targets)
        weight[:named, :b], bias[:named] = 2 * code, -code.sum(axis=1)
        mixer: dict[str, npt.NDArray[Any]] = {"write": self.write, "read": self.read, "gates": self.gates}
        mixer |= {"number_read": self.number_read} if self.numbers else {}
        return {
            "embedding.table": one_hot[: self.rows],
            **({"embedding.number.weight": one_hot[self.rows :]} if self.numbers else {}),
            **{f"layers.0.mixer.{key}": tensor for key, tensor in mixer.items()},
            "readout.weight": weight,
            "readout.bias": bias,
        }


def bit_gates(symbols: int, k: int, one: Sequence[float], zero: Sequence[float]) -> list[Sequence[float]]:
    """A gate for each symbol, by its bit k."""
    return [one if s >> k & 1 else zero for s in range(symbols)]


def bits_of(symbols: int) -> int:
    """The number of registers that hold a symbol, at least 1."""
    return max(1, (symbols - 1).bit_length())

"""Programs for a register file: what each token writes into which register, and the model and the size that follow.

Notation   h_w  the register that is written      h_r  the register that is read beside it
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from separatrix.bits import bits_for
from separatrix.certificates.construction import Sizes
from separatrix.models.config import EmbeddingConfig, LayerConfig, ModelConfig, PlaceConfig, ReadoutConfig
from separatrix.tasks import Task

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

KEEP, CLEAR, SET, COPY = (0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0)
NOT = (1.0, -1.0, 0.0, 0.0)  # h_w' = 1 - h_w
AND, AND_NOT, OR = (0.0, 0.0, 0.0, 1.0), (0.0, 1.0, 0.0, -1.0), (0.0, 1.0, 1.0, -1.0)  # of h_w and h_r
Gates = Sequence[Sequence[float]]  # one for each row of tokens


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
        from separatrix.certificates.claim import Claim
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
        b, one_hot = bits_for(named), np.eye(self.rows + self.numbers, width)
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


def register_sizes(count: int, tokens: int) -> Sizes:
    """One-bit registers; nothing else crosses a cut. The stream holds one-hot tokens, and then the registers."""
    return Sizes(layers=1, heads=0, width=max(count, tokens), precision_bits=32, state_bits=count)

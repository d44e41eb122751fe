"""Recurrent models with as many bits of state as the tasks need, and not one more: the lower bounds on recurrent models are tight.

[bhattamishra2024 Theorem 2; bhattamishra2024 Theorem 3; bhattamishra2024 Theorem 11]

Notation   N  symbols     b  bits of a symbol, ceil(log2 |S|)     h  registers, one bit each

A symbol that will be needed goes into b registers of its own. Index lookup reads the registers of place p into the first b. Equality
and intersection store the first half; from then on each token frees the registers it is compared with, so the verdict so far has room
in the first one, and no register is spent on it. That is b N bits and b N/2 bits: exactly the state profile, where |S| is a power of 2.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from separatrix.certificates.claim import Built, Claim
from separatrix.models.register_file import RegisterFile, RegisterFileConfig
from separatrix.tasks import Task
from separatrix.tasks.equality import Equality
from separatrix.tasks.index_lookup import IndexLookup
from separatrix.tasks.intersects import Intersects

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
    model = _empty(registers=b * N, length=N + 1, writes=b, plain=symbols, numbers=N, targets=task.targets)
    assert model.number_read is not None
    for i in range(N):
        for k in range(b):
            write(model, i, k, w=b * i + k, r=0, gates=[*bit_gates(symbols, k, SET, CLEAR), KEEP])  # store rho(s_i)
    for k in range(b):
        write(model, N, k, w=k, r=k, gates=[*(KEEP,) * symbols, COPY])
        model.number_read[:, k] = b * torch.arange(N) + k  # the index p reads the registers of place p
    return built_registers(named_by(model, symbols), task, "bhattamishra2024 Theorem 3")


def equality_registers(length: int, symbols: int = 2) -> Built:
    """Equality with b N/2 registers.

    [bhattamishra2024 Theorem 11]
    """
    task = Equality(length, symbols)
    half, b = length // 2, bits_of(symbols)
    model = _empty(registers=b * half, length=length, writes=b, plain=symbols, numbers=0, targets=2)
    for i in range(half):
        for k in range(b):
            write(model, i, k, w=b * i + k, r=0, gates=bit_gates(symbols, k, SET, CLEAR))
            first = i == 0 and k == 0  # the first bit is compared in place: from here on h_0 says whether all agreed so far
            agrees = bit_gates(symbols, k, KEEP, NOT) if first else bit_gates(symbols, k, AND, AND_NOT)
            write(model, half + i, k, w=0, r=b * i + k, gates=agrees)
    return built_registers(named_by(model, 2), task, "bhattamishra2024 Theorem 11")


def intersects_registers(length: int) -> Built:
    """Whether two sets meet, with N/2 registers.

    [bhattamishra2024 Theorem 2]
    """
    task = Intersects(length)
    half = length // 2
    model = _empty(registers=half, length=length, writes=1, plain=2, numbers=0, targets=2)
    for i in range(half):
        write(model, i, 0, w=i, r=0, gates=[CLEAR, SET])
        # h_0 says whether an element so far is in both; where 1 comes, element i is in both iff h_i
        write(model, half + i, 0, w=0, r=i, gates=[KEEP, OR] if i else [CLEAR, KEEP])
    return built_registers(named_by(model, 2), task, "bhattamishra2024 Theorem 2")


def built_registers(model: RegisterFile, task: Task, cites: str) -> Built:
    """The register file with the claim that it computes its task."""
    facts = {"state bits": float(model.config.registers)}
    return Built(model, Claim(f"{task.name}/recurrent", cites, task.name, task.parameters, {}, model.config.arithmetic, facts), task)


def _empty(registers: int, length: int, writes: int, plain: int, numbers: int, targets: int) -> RegisterFile:
    return RegisterFile(RegisterFileConfig(registers, length, writes, plain, numbers, targets))


def write(model: RegisterFile, t: int, k: int, w: int, r: int, gates: Gates) -> None:
    """Write number k of token t: register w, from itself and register r, by a gate for each row of tokens."""
    model.write[t, k], model.read[t, k] = w, r
    with torch.no_grad():
        model.gates[t, k] = torch.tensor(gates)


def named_by(model: RegisterFile, targets: int) -> RegisterFile:
    """Read out target s where the first registers hold its bits: the logit counts agreeing bits minus the others."""
    b = bits_of(targets)
    code: Tensor = torch.tensor([[2.0 * (s >> k & 1) - 1 for k in range(b)] for s in range(targets)])
    with torch.no_grad():
        model.unembedding[:, :b] = 2 * code
        model.unembedding_bias.copy_(-code.sum(dim=1))
    return model


def bit_gates(symbols: int, k: int, one: Sequence[float], zero: Sequence[float]) -> list[Sequence[float]]:
    """A gate for each symbol, by its bit k."""
    return [one if s >> k & 1 else zero for s in range(symbols)]


def bits_of(symbols: int) -> int:
    """Registers that hold a symbol, at least 1."""
    return max(1, (symbols - 1).bit_length())

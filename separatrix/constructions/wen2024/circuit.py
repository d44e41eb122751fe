"""Any Boolean circuit by a Transformer whose chain of thought is the value of each gate.

[wen2024 Theorem B.30]

Notation   P  gates     j  the gate that is due, of 1 .. P     k  position

Every gate is a + b l + c r + d l r of the one or two bits that it reads. At position k = n + j the value of gate j is due. Layer 1 looks up
the coefficients, and where the bits stand relative to k; layer 2 reads them with one head each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from separatrix.architectures import Architecture, Mode
from separatrix.certificates.construction import Construction
from separatrix.constructions.forms import Form
from separatrix.constructions.gadgets import equal, lookup_table, when
from separatrix.constructions.parts.blocks import read_at
from separatrix.constructions.parts.numbered import Numbered
from separatrix.constructions.parts.rules import Rules, combined, scaled
from separatrix.constructions.wen2024.thought import need_thought
from separatrix.errors import BadInput
from separatrix.tasks.circuit import Circuit
from separatrix.tasks.gates import Circuit as Gates
from separatrix.tasks.searching import STOP

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

COEFFICIENTS = {
    "and": (0, 0, 0, 1), "or": (0, 1, 1, -1), "xor": (0, 1, 1, -2), "not": (1, -1, 0, 0), "one": (1, 0, 0, 0), "input": (0, 1, 0, 0),
    "state": (0, 1, 0, 0),
}  # fmt: skip


def transformer_program(task: Circuit, arithmetic: str) -> Numbered:
    """A layer that looks up the gate, and one with a head for each bit that evaluates it."""
    need_thought(task, "chain")
    circuit, n = task.gates, task.length
    if circuit.state is not None:
        raise BadInput("circuit: expected a circuit over the whole input, without `state`")
    P, L = len(circuit.gates), task.token_count + task.chain_limit
    program = Numbered(task.name, task.spelling, 0, L, arithmetic)
    net, one, k = program.net, program.one, program.place[0]

    layer = net.pointwise()

    def table(name: str, column: list[int]) -> Form:
        return layer.write(name, lookup_table(k, {n + j: float(value) for j, value in enumerate([*column, 0], 1)}))

    a, b, c, d = (table(name, [COEFFICIENTS[gate.kind][i] for gate in circuit.gates]) for i, name in enumerate("abcd"))
    left, right = (table(name, [_offset(circuit, j, side, n) for j in range(1, P + 1)]) for side, name in enumerate(("left", "right")))
    ended = layer.write("ended", equal(k, (L - 1) * one, one))

    layer = net.layer()
    bit = program.flag("1")
    x, y = (read_at(program, layer, f"bit {name}", k + offset, 2 * L, bit, f"bit {name}") for name, offset in (("l", left), ("r", right)))
    terms = [when([], a), when([x], b), when([y], c), when([x, y], d)]
    rules = Rules(program)
    rules.say_by("1", scaled(2.0, combined("gate", 1, [(0, term) for term in terms])))
    rules.say("0", [])
    rules.say(STOP, [ended], weight=3)
    rules.finish(layer)
    return program


def _offset(circuit: Gates, j: int, side: int, n: int) -> int:
    """How far its bit stands from position k, where gate j is due; 0 if it reads none. Gate i of this step stands at k + 1 - j + i."""
    gate = circuit.gates[j - 1]
    if gate.kind == "input":
        return 0 if side else gate.reads[0] + 1 - n - j
    return 1 - j + gate.reads[side] if side < len(gate.reads) else 0


def circuit_transformer(task: Circuit, arithmetic: str = "float64") -> Built:
    """Two layers, two heads, O(P) hidden units: the chain is the value of each gate of any circuit over the whole input."""
    return transformer_program(task, arithmetic).compile(task, CIRCUIT_TRANSFORMER)


CIRCUIT_TRANSFORMER = Construction(
    name="circuit/transformer",
    cites="wen2024 Theorem B.30",
    computes=Circuit,
    architecture=Architecture.TRANSFORMER,
    mode=Mode.CHAIN,
    build=circuit_transformer,
    formula=lambda task, arithmetic: transformer_program(task, arithmetic).sizes(),
    quick=({"length": 6},),
    default_length=16,
    defaults={"thought": "chain"},
    chain="P + 1",
    paper_says="constant depth and precision, width O(log n), chain of P",
)

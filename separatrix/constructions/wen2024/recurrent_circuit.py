"""Any recurrent model, given as the circuit of one step, by a Transformer whose chain of thought is the value of each gate.

[wen2024 Theorem 4.8] [wen2024 Construction 7] [wen2024 Construction 8; with the first token of the sequence in front]

Notation   P  gates     m  bits of state     w  bits of a token     n  input tokens     T  steps of the model, n or more
           k  position     q  the last position up to k that holds no gate     a  the block, from 0 on

The chain writes x_1, and then for every step the P gates and the token that the next step reads: one of the input, or the one that the
model writes. So block a follows position q = n + 2 + a (P + 1), where the token of its step stands. Layer 2 finds q with one head, which
also reads the bits of that token. The number k - q of gates written so far tells which gate is due; tables of P + 1 entries give its
coefficients and where its bits stand relative to q: gate i of this step at q + i, bit i of the state at q - m - 1 + i, in the block before.
Before the first block stands the prompt, which holds no gates, so the first state is 0.
Behind the last gate a token is due: x_(a + 2), at position a + 3, while there is one. A head finds it by comparing (P + 1) k' with
(P + 1) (a + 3) = q - n - 2 + 3 (P + 1); a + 3 itself is not an integer form. Else w heads read the bits of the token that was computed.

Positions enter as k and k^2 alone: neither the embedding nor the number of heads and layers depends on P or n.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from separatrix.architectures import Architecture, Mode
from separatrix.certificates.construction import Construction
from separatrix.constructions.forms import Form, stack
from separatrix.constructions.gadgets import equal, lookup_table, threshold, when
from separatrix.constructions.parts.blocks import read_at
from separatrix.constructions.parts.numbered import Numbered
from separatrix.constructions.parts.rules import Rules, combined, scaled
from separatrix.constructions.wen2024.circuit import COEFFICIENTS
from separatrix.constructions.wen2024.thought import need_thought
from separatrix.errors import BadInput
from separatrix.tasks.circuit import GATE_BITS, Circuit
from separatrix.tasks.gates import Gate
from separatrix.tasks.searching import STOP

if TYPE_CHECKING:
    from separatrix.certificates.built import Built


def recurrent_program(task: Circuit, arithmetic: str) -> Numbered:
    """A layer that marks tokens, one that finds the block and looks up the gate, and one that reads its bits and evaluates it."""
    need_thought(task, "chain")
    circuit, n = task.gates, task.length
    if circuit.state is None:
        raise BadInput("circuit: expected a recurrent circuit, with `state`")
    P, m, w, T = len(circuit.gates), circuit.state, circuit.bits, n + circuit.steps
    program = Numbered(task.name, task.spelling, 0, task.token_count + task.chain_limit, arithmetic)
    net, one, k, g, L = program.net, program.one, program.place[0], program.gap, program.L
    zero, bit = (program.flag(word) for word in GATE_BITS)
    symbols = [program.flag(str(s)) for s in range(1 << w)]

    layer = net.pointwise()
    apart = layer.write("place without a gate", when([one - zero - bit], k))
    start = layer.write("end of the prompt", equal(k, (n + 1) * one, one))
    ended = layer.write("end of the chain", equal(k, (n + 2 + T * (P + 1)) * one, one))

    layer = net.layer()
    program.fits(g * L, "logits of the last token")
    spelled = [_sum([flag for s, flag in enumerate(symbols) if s >> i & 1]) for i in range(w)]  # bit i of a token
    found = layer.attend("last token", query=g * one, key=apart, value=stack(k, *spelled), into="last token")
    q, x = found[0], [found[1 + i] for i in range(w)]
    written = k - q + P * start  # gates written so far; behind the prompt a token is due, as behind the last gate

    def table(name: str, column: list[int]) -> Form:
        return layer.write(name, lookup_table(written, {j: float(value) for j, value in enumerate([*column, 0])}))

    gates = circuit.gates
    weights = {**COEFFICIENTS, "input": (0, 0, 0, 0)}  # the bits of the token are known
    a, b, c, d = (table(name, [weights[gate.kind][i] for gate in gates]) for i, name in enumerate("abcd"))
    left, right = (table(name, [_offset(gate, side, m) for gate in gates]) for side, name in enumerate(("left", "right")))
    of_input = [table(f"input bit {i}", [int(gate.kind == "input" and gate.reads[0] == i) for gate in gates]) for i in range(1, w + 1)]
    token_due = layer.write("token due", threshold(written, P, 1, one))
    given = layer.write("token given", threshold((n + 2 + (n - 2) * (P + 1)) * one - q + (P + 1) * start, 0, 1, one))  # a + 2 <= n

    layer = net.layer()
    y, z = (read_at(program, layer, f"bit {name}", q + to, 2 * L, bit, f"bit {name}") for name, to in (("l", left), ("r", right)))
    says = [read_at(program, layer, f"output {i}", q + gate * one, 2 * L, bit, f"output {i}") for i, gate in enumerate(circuit.says)]
    program.fits(3 * g * ((P + 1) * L) ** 2, "logits of the next input token")
    target = q + (3 * (P + 1) - n - 2) * one - P * start  # (P + 1) (a + 3), and twice P + 1 behind the prompt
    query, key = stack(2 * g * target, -g * one), stack((P + 1) * k, (P + 1) ** 2 * program.place[1])
    following = layer.attend("next input token", query=query, key=key, value=stack(*symbols), into="next input token")

    rules = Rules(program)
    terms = [when([], a), when([y], b), when([z], c), when([y, z], d)] + [when([flag, x[i]], one) for i, flag in enumerate(of_input)]
    rules.say_by(GATE_BITS[1], scaled(2.0, combined("gate", 1, [(0, term) for term in terms])))
    rules.say(GATE_BITS[0], [], unless=[token_due])
    for s in range(1 << w):
        rules.say(str(s), [token_due, given, following[s]])
        of_one = [says[i] for i in range(w) if s >> i & 1]
        rules.say(str(s), [token_due, *of_one], unless=[given, *(says[i] for i in range(w) if not s >> i & 1)])
    rules.say(STOP, [ended], weight=3)
    rules.finish(layer)
    return program


def _offset(gate: Gate, side: int, m: int) -> int:
    """How far behind q the bit stands that a gate reads; 0, the token itself, if it reads none."""
    if gate.kind == "state":
        return 0 if side else gate.reads[0] - m - 1
    return 0 if gate.kind == "input" or side >= len(gate.reads) else gate.reads[side]


def _sum(forms: list[Form]) -> Form:
    total = forms[0]
    for form in forms[1:]:
        total = total + form
    return total


def circuit_transformer_recurrent(task: Circuit, arithmetic: str = "float64") -> Built:
    """Three layers, 3 + w heads, O(P) hidden units: the chain is every gate of each step, and every token that a recurrent model reads."""
    return recurrent_program(task, arithmetic).compile(task, CIRCUIT_TRANSFORMER_RECURRENT)


CIRCUIT_TRANSFORMER_RECURRENT = Construction(
    name="circuit/transformer/recurrent",
    cites="wen2024 Theorem 4.8",
    computes=Circuit,
    architecture=Architecture.TRANSFORMER,
    mode=Mode.CHAIN,
    build=circuit_transformer_recurrent,
    formula=lambda task, arithmetic: recurrent_program(task, arithmetic).sizes(),
    quick=({"length": 4, "circuit": "recurrent-mod-3"}, {"length": 3, "circuit": "recurrent-add-4"}),
    default_length=16,
    defaults={"circuit": "recurrent-parity", "thought": "chain"},
    chain="1 + (P + 1) T and a stop token, T the steps of the recurrent model",
    paper_says="O(P log max(P, n)) bits of parameters, chain of at most (P + 1) n^A",
)

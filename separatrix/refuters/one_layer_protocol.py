"""A one-layer program as a dialogue of two parties on its real weights, beside what the program itself computes.

[bhattamishra2024 Theorem 4]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from separatrix.bounds.communication.dialogues import Transcript
from separatrix.bounds.protocols.exact_accumulator import FLOATS
from separatrix.bounds.protocols.float_model import float_model
from separatrix.bounds.protocols.float_protocol import float_protocol_cost, run_float_protocol
from separatrix.bounds.protocols.protocol import one_layer_model, protocol_cost, run_protocol
from separatrix.certificates.program import Program
from separatrix.errors import BadInput


@dataclass(frozen=True)
class ProtocolReport:
    """A dialogue, the model's own answer, whether every output agrees bit for bit, and the costs to compare with."""

    transcript: Transcript
    direct: int
    equal: bool
    formula: int
    printed_steps: int
    printed_claim: float
    notes: tuple[tuple[str, int], ...] = ()


def protocol_report(program: Program, tokens: Sequence[int], alice: Sequence[int]) -> ProtocolReport:
    """The dialogue on one input and the model itself, in the arithmetic that the model has; Alice's positions count from 0."""
    model, weights = program.document()["model"], program.weights()
    arithmetic: str = model["arithmetic"]
    if arithmetic in FLOATS:
        return _in_floats(model, weights, tokens, alice)
    if not arithmetic.startswith("fixed:"):
        raise BadInput(f"a protocol needs arithmetic fixed:p,f, {' or '.join(FLOATS)}, found {arithmetic}")
    exact = one_layer_model(model, weights)
    run, logits, cost = run_protocol(exact, tokens, alice), exact.logits(tokens), protocol_cost(exact, len(tokens))
    equal = list(run.logits) == [int(v) for v in logits]
    return ProtocolReport(run.transcript, int(logits.argmax()), equal, cost.repaired, cost.printed_steps, cost.printed_claim)


def _in_floats(description: dict[str, object], weights: bytes, tokens: Sequence[int], alice: Sequence[int]) -> ProtocolReport:
    """The parties send sums over keys exactly; beside them stands the fixed-point format that holds every float."""
    model = float_model(description, weights)
    run, logits = run_float_protocol(model, tokens, alice), model.logits(tokens)
    equal = [v.hex() for v in run.logits] == [float(v).hex() for v in logits]
    cost, form = float_protocol_cost(model, len(tokens)), model.format
    note = (f"repaired formula for fixed:{form.fixed_bits},{form.f}, which holds every {form.name}", cost.fixed_point)
    return ProtocolReport(run.transcript, int(logits.argmax()), equal, cost.repaired, cost.printed_steps, cost.printed_claim, (note,))

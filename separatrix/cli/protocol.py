"""`separatrix protocol`: a one-layer construction as a dialogue of two parties, its bits beside the paper's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from separatrix.cli.printing import emit, json_option, set_option, table
from separatrix.errors import BadInput
from separatrix.parameters import settings

if TYPE_CHECKING:
    from separatrix.bounds.communication.dialogues import Transcript
    from separatrix.certificates.claim import Built


MOST = 10_000  # tokens; each is processed by itself, in exact numbers


SHOWN = 40  # bits of a message that are printed in full


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


@click.command()
@click.argument("name")
@click.option("--length", type=int, required=True, help="The paper's N.")
@click.option(
    "--alice", default="odd", show_default=True, help="Alice's positions: odd, even, first (half), or a list counted from 1: 1,2,5."
)
@click.option("--input", "text", help="The input as text; default: an example of the task.")
@click.option("--arithmetic", help="fixed:p,f float64 float32")
@set_option
@json_option
def protocol(name: str, length: int, alice: str, text: str | None, arithmetic: str | None, chosen: tuple[str, ...], as_json: bool) -> int:
    """A one-layer construction as a dialogue of two parties who share an input, its bits beside the paper's.

    Exit code 1 if an output of the protocol differs from the model's by a bit.
    """
    from separatrix.constructions import build

    parameters: dict[str, Any] = {**settings(chosen), "length": length} | ({} if arithmetic is None else {"arithmetic": arithmetic})
    built = build(name, **parameters)
    tokens = built.task.sample(0, 1).row(0) if text is None else built.task.read(text)
    if tokens and built.task.answer(tokens) is None:
        raise BadInput(f"{built.task.name}: {built.task.text(tokens)!r} is not a valid input at length {length}")
    built.heads()  # refused here where there are none
    most = min(MOST, built.model.config.length or MOST)
    if not 2 <= len(tokens) <= most:
        raise BadInput(f"the protocol takes 2..{most} tokens for this model, found {len(tokens)}")
    positions = _places(alice, len(tokens))
    report = _run(built, tokens, positions)
    messages = report.transcript.messages
    document = {
        "messages": [{"sender": m.sender, "what": m.says, "bits": len(m.bits)} for m in messages],
        "bits": report.transcript.bits,
        "formula": report.formula,
        "printed_steps": report.printed_steps,
        "printed_claim": report.printed_claim,
        "answer": report.transcript.answer,
        "direct": report.direct,
        "equal": report.equal,
    }
    beside = [
        ("sent", report.transcript.bits),
        ("repaired formula", report.formula),
        *report.notes,
        ("the paper's steps, added up", report.printed_steps),
        ("the paper's claim", f"{report.printed_claim:.6g}"),
    ]
    lines = [
        f"{name}, {built.claim.arithmetic}: {built.task.text(tokens)}",
        f"Alice holds positions {_listed(positions)} of {len(tokens)}, Bob the others",
        *(f"{m.sender:5} -> {_shown(m.bits)}   {m.says} ({len(m.bits)} bits)" for m in messages),
        *table(("bits", "number"), beside),
        f"both know {report.transcript.answer}; the model says {report.direct}; "
        + ("every output agrees bit for bit" if report.equal else "an output DIFFERS"),
    ]
    emit(document, lines, as_json)
    return 0 if report.equal else 1


def _run(built: Built, tokens: tuple[int, ...], alice: list[int]) -> ProtocolReport:
    """The protocol and the model itself, both in the model's arithmetic."""
    from separatrix.bounds.protocols.exact_accumulator import FLOATS
    from separatrix.bounds.protocols.float_model import float_model
    from separatrix.bounds.protocols.float_protocol import float_protocol_cost, run_float_protocol
    from separatrix.bounds.protocols.protocol import one_layer_model, protocol_cost, run_protocol

    document, weights = built.program.document(), built.program.weights()
    config: dict[str, Any] = document["model"]
    arithmetic, n = config["arithmetic"], len(tokens)
    if arithmetic in FLOATS:
        model = float_model(config, weights)
        dialogue, direct = run_float_protocol(model, tokens, alice), model.logits(tokens)
        equal = [v.hex() for v in dialogue.logits] == [float(v).hex() for v in direct]
        price, form = float_protocol_cost(model, n), model.format
        note = (f"repaired formula for fixed:{form.fixed_bits},{form.f}, which holds every {form.name}", price.fixed_point)
        answer = int(direct.argmax())
        return ProtocolReport(dialogue.transcript, answer, equal, price.repaired, price.printed_steps, price.printed_claim, (note,))
    if not arithmetic.startswith("fixed:"):
        raise BadInput(f"a protocol needs arithmetic fixed:p,f, {' or '.join(FLOATS)}, found {arithmetic}")
    exact = one_layer_model(config, weights)
    run, logits, cost = run_protocol(exact, tokens, alice), exact.logits(tokens), protocol_cost(exact, n)
    equal = list(run.logits) == [int(v) for v in logits]
    return ProtocolReport(run.transcript, int(logits.argmax()), equal, cost.repaired, cost.printed_steps, cost.printed_claim)


def _places(alice: str, n: int) -> list[int]:
    """Alice's positions, counted from 0; on the command line they count from 1, as in the papers."""
    named = {"odd": range(0, n, 2), "even": range(1, n, 2), "first": range(n // 2)}
    if alice in named:
        return list(named[alice])
    parts = [part.strip() for part in alice.split(",")]
    wrong = [part for part in parts if not (part.isascii() and part.isdigit() and 1 <= int(part) <= n)]
    if wrong:
        raise BadInput(f"--alice expects odd, even, first, or positions in 1..{n} such as 1,2, found {wrong[0]!r}")
    return [int(part) - 1 for part in parts]


def _listed(positions: list[int]) -> str:
    places = [str(i + 1) for i in sorted(positions)]
    return ", ".join(places if len(places) <= SHOWN else [*places[: SHOWN // 2], "...", places[-1]])


def _shown(bits: str) -> str:
    return bits if 0 < len(bits) <= SHOWN else f"{bits[: SHOWN // 2]}...{bits[-SHOWN // 4 :]}" if bits else "(nothing)"

"""`separatrix protocol`: a one-layer construction as a dialogue of two parties, its bits beside the paper's; a chain as one message."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from separatrix.cli.build import built_by_name
from separatrix.cli.communication import positions
from separatrix.cli.completion import CONSTRUCTION_NAMES
from separatrix.cli.options import LENGTH_HELP, json_option, set_option
from separatrix.cli.printing import emit, table
from separatrix.errors import BadInput
from separatrix.tasks.partition_equality import PartitionEquality

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

MOST = 10_000  # tokens; each is processed by itself, in exact numbers
SHOWN = 40  # bits of a message that are printed in full


@click.command()
@click.argument("name", shell_complete=CONSTRUCTION_NAMES)
@click.option("--length", type=int, required=True, help=LENGTH_HELP)
@click.option(
    "--alice", default="odd", show_default=True, help="Alice's positions: odd, even, first (half), or a list counted from 0: 0,1,4."
)
@click.option("--input", "text", help="The input as text; default: an example of the task.")
@click.option("--arithmetic", help="fixed:p,f float64 float32")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="File for the certificate, of kind `poison`, about a chain.")
@set_option
@json_option
def protocol(
    name: str, length: int, alice: str, text: str | None, arithmetic: str | None, out: Path | None, chosen: tuple[str, ...], as_json: bool
) -> int:
    """Run a one-layer construction as a dialogue of two parties who each hold part of the input, and count the bits beside the paper's.

    A program that writes a chain through windows or blocks sends one message: what it still sees of the input when the chain begins. All
    other tokens are overwritten, and it must write the same chain.

    Exit code 1 if an output of the protocol differs from the model's by a bit.
    """
    from separatrix.refuters.one_layer_protocol import protocol_report

    built = built_by_name(name, length, arithmetic, chosen)
    tokens = built.task.sample(0, 1).row(0) if text is None else built.task.read(text)
    if tokens and built.task.answer(tokens) is None:
        raise BadInput(f"{built.task.name}: {built.task.text(tokens)!r} is not a valid input at length {length}")
    if built.program.writes:
        return _one_message(name, built, tokens, out, as_json)
    if out is not None:
        raise BadInput("--out writes the certificate of a program that writes a chain; a dialogue has none")
    if isinstance(built.task, PartitionEquality):
        return _two_layers(name, length, as_json)
    built.heads()  # refused here where there are none
    most = min(MOST, built.model.config.length or MOST)
    if not 2 <= len(tokens) <= most:
        raise BadInput(f"the protocol takes 2..{most} tokens for this model, found {len(tokens)}")
    held = _places(alice, len(tokens))
    report = protocol_report(built.program, tokens, held)
    messages = report.transcript.messages
    document = {
        "messages": [{"sender": m.sender, "what": m.says, "bits": len(m.bits)} for m in messages],
        "sent": report.transcript.bits,
        "formula": report.formula,
        "printed_steps": report.printed_steps,
        "claimed": report.printed_claim,
        "answer": report.transcript.answer,
        "direct": report.direct,
        "agrees": report.equal,
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
        f"Alice holds positions {_listed(held)} of {len(tokens)}, counted from 0, Bob the others",
        *(f"{m.sender:5} -> {_shown(m.bits)}   {m.says} ({len(m.bits)} bit{'s' * (len(m.bits) != 1)})" for m in messages),
        *table(("bits", "number"), beside),
        f"both know {report.transcript.answer}; the model says {report.direct}; "
        + ("every output agrees bit for bit" if report.equal else "an output DIFFERS"),
    ]
    emit(document, lines, as_json)
    return 0 if report.equal else 1


def _two_layers(name: str, length: int, as_json: bool) -> int:
    """Why two layers have no such dialogue: what its bits would have to grow by, at this N and at four shorter ones."""
    from separatrix.constructions.bhattamishra2024.partition_equality import protocol_costs

    rows = protocol_costs(tuple(sorted({max(4, 2 * (length // 2**k // 2)) for k in range(5)})))
    last = rows[-1]
    document = {
        "claimed": last.bits,
        "sent": None,
        "agrees": None,
        "rows": [{"N": r.N, "width": r.m, "precision": r.p, "heads": r.H, "bits": r.bits, "g": r.least, "scale": r.scale} for r in rows],
    }
    lines = [
        f"{name}: two layers, which no dialogue of m p H g(N) bits follows unless g(N) grows as N / (log N)^2",
        "the narrowest models of the construction over any split into halves, and the N/2 bits that the parties must exchange:",
        *table(
            ("N", "m", "p", "H", "m p H", "bits needed", "g(N) at least", "N / (log2 N)^2"),
            [(r.N, r.m, r.p, r.H, r.m * r.p * r.H, r.bits, f"{r.least:.4g}", f"{r.scale:.4g}") for r in rows],
        ),
        "[bhattamishra2024 Corollary 13.1]",
    ]
    emit(document, lines, as_json)
    return 0


def _one_message(name: str, built: Built, tokens: Sequence[int], out: Path | None, as_json: bool) -> int:
    """What is left of an input where its chain begins."""
    from separatrix.bounds.programs.widths import revealed_or_none
    from separatrix.certificates.files import write_document
    from separatrix.refuters.poison import certified, poison

    found = poison(built, tokens)
    known = revealed_or_none(built.task)
    document = {
        "sent": found.bits,
        "claimed": None if known is None else known.bits,
        "agrees": True,
        "tokens": found.places,
        "hidden": list(found.hidden),
        "seen": found.seen,
    }
    lines = [
        f"{name}, {built.claim.arithmetic}: {built.task.text(tokens)}",
        f"{len(found.hidden)} of the first {found.places} tokens are seen by no later one; with all of them overwritten, in every layer, "
        "the chain is the same",
        f"with token {found.seen} overwritten it is another",
        f"at most {found.bits:,} bits are left of the other {found.places - len(found.hidden)} tokens",
    ]
    if known is not None:
        lines.append(f"its chains reveal {known.bits:,.1f} bits of an input ({known.formula})")
    if out is not None:
        write_document(out, certified(built, tokens, found))
        lines.append(f"wrote {out}; `separatrix check {out}` overwrites them again")
    emit(document, lines, as_json)
    return 0


def _places(alice: str, n: int) -> list[int]:
    """Alice's positions, counted from 0; odd and even are those of the papers, which count from 1."""
    named = {"odd": range(0, n, 2), "even": range(1, n, 2), "first": range(n // 2)}
    if alice in named:
        return list(named[alice])
    chosen = positions(alice, "odd, even, first, or positions")
    if max(chosen) >= n:
        raise BadInput(f"--alice expects positions in 0..{n - 1}, found {max(chosen)}")
    return chosen


def _listed(held: list[int]) -> str:
    places = [str(i) for i in sorted(held)]
    return ", ".join(places if len(places) <= SHOWN else [*places[: SHOWN // 2], "...", places[-1]])


def _shown(bits: str) -> str:
    return bits if 0 < len(bits) <= SHOWN else f"{bits[: SHOWN // 2]}...{bits[-SHOWN // 4 :]}" if bits else "(nothing)"

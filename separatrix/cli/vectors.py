"""`separatrix vectors`: dimensions that families of almost orthogonal addresses need, and how many addresses fit."""

from __future__ import annotations

from fractions import Fraction

import click

from separatrix.cli.options import json_option
from separatrix.cli.printing import emit, table
from separatrix.errors import BadInput


@click.command()
@click.option("--length", type=int, help="How many vectors: the paper's N. Prints the dimensions they need.")
@click.option("--dimension", type=int, help="How many dimensions: the paper's k. Prints how many vectors fit.")
@click.option("--coherence", type=float, default=0.25, show_default=True, help="Largest inner product of two different unit vectors.")
@json_option
def vectors(length: int | None, dimension: int | None, coherence: float, as_json: bool) -> None:
    """How many dimensions each family of addresses needs, or how many addresses fit; how its coherence is known; the paper's own number.

    Give one of --length and --dimension.
    """
    if (length is None) == (dimension is None):
        raise BadInput(f"vectors expects one of --length and --dimension, found {'neither' if length is None else 'both'}")
    if length is not None:
        _needed(length, coherence, as_json)
    elif dimension is not None:
        _room(dimension, coherence, as_json)


def _needed(length: int, coherence: float, as_json: bool) -> None:
    """The dimensions that N vectors need."""
    from separatrix.constructions.parts.codes.near_orthogonal import families

    measured = families(length, coherence)
    rows = [
        {
            "family": f.family, "dimensions": f.dimensions, "coherence": None if f.coherence is None else float(f.coherence),
            "known": f.known, "stored_bits": f.stored_bits, "meets": f.meets, "paper_dimensions": f.paper_dimensions, "note": f.note,
        }
        for f in measured
    ]  # fmt: skip
    shown = [(f.family, f.dimensions, _bound(f.coherence), f.known, "yes" if f.meets else "no", f.note) for f in measured]
    lines = [
        *table(("family", "dimensions", "coherence", "known by", "meets", "note"), shown),
        f"the paper's k: {measured[0].paper_dimensions}",
    ]
    emit({"length": length, "coherence": coherence, "families": rows}, lines, as_json)


def _room(dimension: int, coherence: float, as_json: bool) -> None:
    """The vectors that k dimensions hold."""
    from separatrix.constructions.parts.codes.room import Room, room

    def said(one: Room) -> str:
        if one.vectors is not None:
            return str(one.vectors)
        return "any" if one.log2_vectors is None else f"at least 2^{one.log2_vectors:.0f}"

    held = room(dimension, coherence)
    rows = [
        {
            "family": r.family, "vectors": r.vectors, "log2_vectors": r.log2_vectors,
            "coherence": None if r.coherence is None else float(r.coherence), "known": r.known, "meets": r.meets, "note": r.note,
        }
        for r in held
    ]  # fmt: skip
    shown = [(r.family, said(r), _bound(r.coherence), r.known, "yes" if r.meets else "no", r.note) for r in held]
    lines = table(("family", "vectors", "coherence", "known by", "meets", "note"), shown)
    emit({"dimension": dimension, "coherence": coherence, "families": rows}, [*lines], as_json)


def _bound(coherence: Fraction | None) -> str:
    return "-" if coherence is None else f"{float(coherence):.4f}"

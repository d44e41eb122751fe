"""`separatrix vectors`: dimensions that families of almost orthogonal addresses need, and how many addresses fit."""

from __future__ import annotations

from fractions import Fraction

import click

from separatrix.cli.report import Report, Table, reporting
from separatrix.errors import BadInput


@click.command()
@click.option("--length", type=int, help="How many vectors (the paper's N): prints the dimensions they need.")
@click.option("--dimension", type=int, help="How many dimensions (the paper's k): prints how many vectors fit.")
@click.option("--coherence", type=float, default=0.25, show_default=True, help="Largest inner product of two different unit vectors.")
@reporting
def vectors(length: int | None, dimension: int | None, coherence: float) -> Report:
    """How many dimensions almost orthogonal addresses need, or how many addresses fit, by family; beside the paper's formula.

    Give one of --length and --dimension.
    """
    if length is not None and dimension is None:
        return _needed(length, coherence)
    if dimension is not None and length is None:
        return _capacity(dimension, coherence)
    raise BadInput(f"vectors expects one of --length and --dimension, found {'neither' if length is None else 'both'}")


def _needed(length: int, coherence: float) -> Report:
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
    parts: list[Table | str] = [
        Table(("family", "dimensions", "coherence", "known by", "coherent enough", "note"), shown),
        f"the paper's formula gives {measured[0].paper_dimensions:,} dimensions",
    ]
    return Report({"length": length, "coherence": coherence, "families": rows}, parts)


def _capacity(dimension: int, coherence: float) -> Report:
    """The vectors that k dimensions hold."""
    from separatrix.constructions.parts.codes.capacity import Capacity, capacity

    def said(one: Capacity) -> str:
        if one.vectors is not None:
            return f"{one.vectors:,}"
        return "any" if one.log2_vectors is None else f"at least 2^{one.log2_vectors:.0f}"

    held = capacity(dimension, coherence)
    rows = [
        {
            "family": r.family, "vectors": r.vectors, "log2_vectors": r.log2_vectors,
            "coherence": None if r.coherence is None else float(r.coherence), "known": r.known, "meets": r.meets, "note": r.note,
        }
        for r in held
    ]  # fmt: skip
    shown = [(r.family, said(r), _bound(r.coherence), r.known, "yes" if r.meets else "no", r.note) for r in held]
    shown_as = Table(("family", "vectors", "coherence", "known by", "coherent enough", "note"), shown)
    return Report({"dimension": dimension, "coherence": coherence, "families": rows}, [shown_as])


def _bound(coherence: Fraction | None) -> str:
    return "-" if coherence is None else f"{float(coherence):.4f}"

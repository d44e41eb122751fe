"""`separatrix vectors`: dimensions that families of almost orthogonal addresses need."""

from __future__ import annotations

import click

from separatrix.cli.options import json_option
from separatrix.cli.printing import emit, table


@click.command()
@click.option("--length", type=int, required=True, help="How many vectors: the paper's N.")
@click.option("--coherence", type=float, default=0.25, show_default=True, help="Largest inner product of two different unit vectors.")
@json_option
def vectors(length: int, coherence: float, as_json: bool) -> None:
    """How many dimensions each family of addresses needs, how its coherence is known, and the paper's own number beside it."""
    from separatrix.constructions.parts.codes.near_orthogonal import families

    measured = families(length, coherence)
    rows = [
        {
            "family": f.family, "dimensions": f.dimensions, "coherence": None if f.coherence is None else float(f.coherence),
            "known": f.known, "stored_bits": f.stored_bits, "meets": f.meets, "paper_dimensions": f.paper_dimensions, "note": f.note,
        }
        for f in measured
    ]  # fmt: skip
    shown = [
        (
            r["family"],
            r["dimensions"],
            "-" if r["coherence"] is None else f"{r['coherence']:.4f}",
            r["known"],
            "yes" if r["meets"] else "no",
            r["note"],
        )
        for r in rows
    ]
    lines = [
        *table(("family", "dimensions", "coherence", "known by", "meets", "note"), shown),
        f"the paper's k: {measured[0].paper_dimensions}",
    ]
    emit({"length": length, "coherence": coherence, "families": rows}, lines, as_json)

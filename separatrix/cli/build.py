"""`separatrix build`: exact weights of a construction, with its size in bits."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from separatrix.cli.completion import CONSTRUCTION_NAMES
from separatrix.cli.lengths import LENGTH_HELP
from separatrix.cli.printing import emit, json_option, set_option, table

if TYPE_CHECKING:
    pass

from separatrix.cli.constructing import built_by_name


@click.command()
@click.argument("name", shell_complete=CONSTRUCTION_NAMES)
@click.option("--length", type=int, required=True, help=LENGTH_HELP)
@click.option("--arithmetic", help="float64 float32 bfloat16 float16 float:e,m fixed:p,f nearest:p")
@click.option("--out", type=click.Path(path_type=Path), help="Folder for model.safetensors and claim.json.")
@set_option
@json_option
def build(name: str, length: int, arithmetic: str | None, out: Path | None, chosen: tuple[str, ...], as_json: bool) -> None:
    """Exact weights of a construction, with its size in bits."""
    built = built_by_name(name, length, arithmetic, chosen)
    if out is not None:
        built.save(out)
    document = {
        **built.sizes(),
        "construction": name,
        "cites": built.claim.cites,
        "arithmetic": built.claim.arithmetic,
        "facts": built.claim.facts,
    }
    lines = [f"{name}: {built.claim.cites}, {built.claim.arithmetic}"]
    lines += table(("what", "value"), [*built.sizes().items(), *((key, f"{value:.6g}") for key, value in built.claim.facts.items())])
    if out is not None:
        lines.append(f"wrote {out / 'model.safetensors'} and {out / 'claim.json'}")
    emit(document, lines, as_json)

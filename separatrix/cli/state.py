"""`separatrix state`: bytes carried from one token to the next, layer by layer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING

import click

from separatrix.cli.completion import model_or_file
from separatrix.cli.printing import sized
from separatrix.cli.report import Report, Table, reporting
from separatrix.errors import BadInput

if TYPE_CHECKING:
    from separatrix.state import LayerState, StateBytes


@click.command()
@click.argument("model", metavar="MODEL|CONFIG", shell_complete=model_or_file)
@click.option("--length", type=int, required=True, help="Tokens before the cut.")
@click.option("--dtype", help="float64 float32 bfloat16 float16; default: what the config says.")
@click.option("--batch", type=int, default=1, show_default=True, help="Sequences side by side.")
@click.option("--measure", is_flag=True, help="Run the config on the meta device (transformers) and compare with the formula.")
@click.option("--code", multiple=True, metavar="FILE.PY:NAME", help="A file of your own code that the model may run.")
@reporting
def state(model: str, length: int, dtype: str | None, batch: int, measure: bool, code: tuple[str, ...]) -> Report:
    """Bytes that a model carries from one token to the next (its KV cache or state), per layer: a Hugging Face config, or a model of ours.

    CONFIG is a config.json, a folder with one, or an id on the hub; MODEL is lstm-2-64, a run, a built folder or file.py:Name.
    """
    from separatrix.parameters import need_length
    from separatrix.runs.state_of import state_of

    need_length("state", length)
    if measure:
        return _measured(model, length, dtype, batch)
    counted = state_of(model, length, dtype, batch, code)
    return Report(counted.document(), [*_parts(counted)])


def _measured(model: str, length: int, dtype: str | None, batch: int) -> Report:
    """What a run holds; exit code 1 if the formula disagrees."""
    from separatrix.runs.state_of import config_at, measured_beside_formula

    document = config_at(model)
    if document is None:
        raise BadInput(f"--measure expects a Hugging Face config; {model!r} is a model of ours, whose state is always measured")
    measured, counted = measured_beside_formula(document, length, dtype, batch)
    if counted is None:
        verdict = "measured on the meta device; there is no formula to compare with"
    elif counted.held == measured.held:
        verdict = f"measured on the meta device; the formula agrees: {counted.held:,} bytes"
    else:
        verdict = (
            f"measured {measured.held:,} bytes on the meta device ({measured.engine}); the formula says {counted.held:,} ({counted.engine})"
        )
    agrees = counted is None or counted.held == measured.held
    return Report(measured.document(), [*_parts(measured), verdict], warning="" if agrees else verdict, code=0 if agrees else 1)


def _parts(counted: StateBytes) -> Iterator[Table | str]:
    """A table with one row for each run of equal layers, the totals, and notes."""
    yield f"{counted.engine}, {counted.dtype}, {counted.length:,} tokens" + (f", batch of {counted.batch}" if counted.batch > 1 else "")
    groups = list(_groups(counted.layers))
    rows = [(_places(g), kind, f"{held:,}", f"{needed:,}", f"{held * len(g):,}") for kind, held, needed, _, g in groups]
    yield Table(("layers", "state", "held each", "needed each", "held in all"), rows)
    for kind, _, _, formula, _ in groups:
        yield f"{kind}: {formula}"
    yield f"held       {_sized(counted.held)}   what the engine's cache holds"
    yield f"needed     {_sized(counted.needed)}   what can still change a later output"
    if counted.allocated is not None:
        yield f"allocated  {_sized(counted.allocated)}   memory that stays taken after one call on the whole prompt"
    if counted.batch > 1:
        yield f"per sequence: {counted.held // counted.batch:,} bytes held, {counted.needed // counted.batch:,} needed"
    for note in dict.fromkeys((*(note for layer in counted.layers for note in layer.notes), *counted.notes)):
        yield f"note: {note}"


def _groups(layers: Iterable[LayerState]) -> Iterator[tuple[str, int, int, str, list[int]]]:
    """Layers with equal table rows, grouped, in order of first appearance."""
    rows = sorted(layers, key=lambda layer: layer.index)
    keys = {(r.kind, r.held, r.needed, r.formula): r.index for r in reversed(rows)}
    ordered = sorted(rows, key=lambda r: (keys[r.kind, r.held, r.needed, r.formula], r.index))
    for (kind, held, needed, formula), group in groupby(ordered, key=lambda r: (r.kind, r.held, r.needed, r.formula)):
        yield kind, held, needed, formula, [row.index for row in group]


def _places(indices: list[int]) -> str:
    """`0-2, 4-6 (6)`: runs of layers, and how many there are."""
    runs: list[list[int]] = []
    for index in indices:
        if runs and index == runs[-1][-1] + 1:
            runs[-1].append(index)
        else:
            runs.append([index])
    shown = [str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs]
    listed = ", ".join(shown) if len(shown) <= 6 else ", ".join([*shown[:5], "...", shown[-1]])
    return f"{listed} ({len(indices)})" if len(indices) > 1 else listed


def _sized(amount: int) -> str:
    """Bytes, with a unit beside them where they are many."""
    return f"{amount:,} bytes" + (f" ({sized(amount)})" if amount >= 1024 else "")

"""`separatrix published`: published model types by name: state, reach, the most they can recall, and what they cannot track."""

from __future__ import annotations

from pathlib import Path

import click

from separatrix.cli.printing import counted
from separatrix.cli.report import Report, Table, reporting
from separatrix.errors import BadInput

NO_LIMIT = "no limit"
HEADER = ("type", "layers", "state at 1k", "10k", "100k", "1M", "sees", "lookup <=", "recall <=", "copy <=", "cannot track")
SHOWN = 3  # languages that a table names


@click.command()
@click.argument("types", nargs=-1, metavar="[TYPE]..")
@click.option("--config", type=click.Path(path_type=Path), multiple=True, help="Your own config.json; repeatable.")
@click.option("--bounded", is_flag=True, help="Only types whose memory does not grow with the input.")
@reporting
def published(types: tuple[str, ...], config: tuple[Path, ...], bounded: bool) -> Report:
    """Published model types at their default sizes: bytes of state, how far they see, and the most they can recall.

    A limit holds for any weights of that shape, by counting the pasts that the state can tell apart (12-bit symbols and labels, bfloat16).
    `cannot track` names regular languages that no size of the architecture recognises at all lengths (`separatrix decide`).
    """
    from separatrix.ledger.published import DTYPE, SYMBOL_BITS, at_sizes_of, published_type
    from separatrix.ledger.published import published as every
    from separatrix.state.reading import read_config, read_json

    found = [published_type(name) for name in types]
    for place in config:
        document = read_json(place)
        found.append(at_sizes_of(read_config(document).fields.type, document))
    rows = found or [*every()]
    if bounded:
        rows = [one for one in rows if one.lookup is not None]
        if found and not rows:
            raise BadInput("--bounded: the memory of every one of these grows with the input")
    parts: list[Table | str] = [
        f"{counted(len(rows), 'model type')}, {DTYPE}, at the default sizes of their config class" if not config else f"{DTYPE}",
        Table(
            HEADER,
            [
                (
                    one.name, ", ".join(f"{count} {kind}" for kind, count in one.layers), *map(_bytes, one.state.values()),
                    "every token" if one.sees is None and one.grows else "its state" if one.sees is None else f"{one.sees:,} tokens",
                    *(NO_LIMIT if most is None else most for most in (one.lookup, one.recall, one.copy)),
                    _named(one.cannot_track),
                )
                for one in rows
            ],
        ),
    ]  # fmt: skip
    return Report({"dtype": DTYPE, "symbol_bits": SYMBOL_BITS, "types": [one.document() for one in rows]}, parts)


def _bytes(size: int) -> str:
    for unit, scale in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= scale:
            return f"{size / scale:.3g} {unit}"
    return f"{size} B"


def _named(languages: tuple[str, ...]) -> str:
    more = f" and {len(languages) - SHOWN} more" if len(languages) > SHOWN else ""
    return f"{', '.join(languages[:SHOWN])}{more}" if languages else "-"

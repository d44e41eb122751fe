"""The rows of a store as one table: Parquet, CSV, or JSON lines; or in a viewer.

A line of the table is a row of a trial. Columns: `trial`, `number`, the configuration as `configuration.*`, the row as `row.*`;
a list is its JSON text, and so is a column that holds more than one type. JSON lines keep the nesting.

trackio (extra `[trackio]`) is a local dashboard with an interface like wandb's. The store stays the source of truth: the viewer gets a
copy, one run per finished trial, with its configuration and its numbers by step.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from separatrix.certificates.files import write_file
from separatrix.errors import BadInput
from separatrix.runs.extras import needed
from separatrix.runs.integrity import require_whole
from separatrix.runs.store import Store
from separatrix.runs.stored_trials import listed, rows_of


def export(store: Store, path: Path, form: str | None = None) -> int:
    """Write the table, whole or not at all; returns its number of rows. The format defaults to the file's extension."""
    format_name = form or path.suffix.removeprefix(".")
    if format_name not in FORMS:
        raise BadInput(f"unknown format {format_name!r} of {path.name!r}: expected one of {', '.join(FORMS)}")
    writer = FORMS[format_name]
    require_whole(store)
    lines = nested(store)
    write_file(path, writer(lines))
    return len(lines)


def nested(store: Store) -> list[dict[str, Any]]:
    """Every row of every finished trial, with its configuration."""
    query = "SELECT key, code, configuration, number, document FROM trials JOIN rows ON trial = key ORDER BY trials.rowid, number"
    with store.reading() as database:
        return [
            {"trial": key, "code": code, "configuration": json.loads(text), "number": number, "row": json.loads(document)}
            for key, code, text, number, document in database.execute(query)
        ]


def flat(document: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Nested fields as `a.b`; a list as its JSON text."""
    columns: dict[str, Any] = {}
    for key, value in document.items():
        if isinstance(value, Mapping):
            columns |= flat(value, f"{prefix}{key}.")
        else:
            columns[f"{prefix}{key}"] = json.dumps(value) if isinstance(value, list) else value
    return columns


def as_json_lines(lines: Iterable[Mapping[str, Any]]) -> bytes:
    """One JSON document per line."""
    return "".join(json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n" for line in lines).encode()


def as_csv(lines: Iterable[Mapping[str, Any]]) -> bytes:
    """A header, then one line per row; an empty field if a row lacks the column."""
    table = [flat(line) for line in lines]
    columns = list(dict.fromkeys(name for line in table for name in line))
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(columns)
    writer.writerows([["" if (value := line.get(name)) is None else value for name in columns] for line in table])
    return out.getvalue().encode()


def as_parquet(lines: Iterable[Mapping[str, Any]]) -> bytes:
    """Columns of one type each."""
    arrow, parquet = (needed(name, "parquet", "export to Parquet") for name in ("pyarrow", "pyarrow.parquet"))
    table = [flat(line) for line in lines]
    columns = dict.fromkeys(name for line in table for name in line)
    whole = arrow.table({name: one_type([line.get(name) for line in table]) for name in columns})
    out = io.BytesIO()
    parquet.write_table(whole, out)
    return out.getvalue()


def one_type(column: list[Any]) -> list[Any]:
    """The column unchanged if it has one type, integers as floats beside floats, and JSON text for mixed types."""
    types = {type(value) for value in column if value is not None}
    if types == {int, float}:
        return [None if value is None else float(value) for value in column]
    if len(types) > 1:
        return [None if value is None else json.dumps(value) for value in column]
    if types == {int} and not all(-(2**63) <= value < 2**63 for value in column if value is not None):
        return [None if value is None else str(value) for value in column]
    return column


FORMS: dict[str, Callable[[Iterable[Mapping[str, Any]]], bytes]] = {"parquet": as_parquet, "csv": as_csv, "jsonl": as_json_lines}


def publish(store: Store, project: str) -> int:
    """Send every finished trial to a project of trackio; returns how many there were."""
    viewer = needed("trackio", "trackio", "publishing to a viewer")
    require_whole(store)
    trials = listed(store, "done")
    for trial in trials:
        viewer.init(project=project, name=trial["key"][:12], config=flat(trial["configuration"]))
        for number, row in enumerate(rows_of(store, trial["key"])):
            viewer.log(series(row), step=row.get("step", number))
        viewer.finish()
    return len(trials)


def series(row: dict[str, Any]) -> dict[str, Any]:
    """The numbers of a row, with names prefixed by its kind: `validation.accuracy` is not `test.accuracy`."""
    kind = f"{row['kind']}." if isinstance(row.get("kind"), str) else ""
    plain = {name: value for name, value in flat(row).items() if isinstance(value, int | float) and not isinstance(value, bool)}
    return {f"{kind}{name}": value for name, value in plain.items() if name not in ("step", "version")}

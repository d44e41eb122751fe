"""One training run in a folder: `run.json`, `rows.jsonl`, `snapshot.safetensors`.

A row is on the disk before the next step begins; a snapshot records how many bytes of rows came before it. A killed run
resumes from its last snapshot: rows after it are cut off and computed again, bit for bit.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from separatrix.certificates.files import write_file
from separatrix.checker.budget import OverBudget
from separatrix.checker.files import read_regular
from separatrix.checker.seal import Unreadable
from separatrix.errors import BadInput
from separatrix.runs import claims
from separatrix.runs.integrity import require_sound_pages
from separatrix.runs.launcher_lock import alive, new_name
from separatrix.runs.outcome import Outcome
from separatrix.runs.row_file import RowFile, open_rows, read_rows
from separatrix.runs.snapshot_file import Stored, read_snapshot, write_snapshot
from separatrix.runs.spec import RunSpec, differences, read_spec
from separatrix.runs.store import open_store
from separatrix.runs.trial import Trial
from separatrix.training.evaluation import evaluate
from separatrix.training.loop import Diverged, Event, LossRow, ScoreRow, train
from separatrix.training.snapshots import Snapshot

if TYPE_CHECKING:
    from torch import nn

SPEC, ROWS, SNAPSHOT = "run.json", "rows.jsonl", "snapshot.safetensors"
LARGEST_SPEC = 1 << 24  # bytes of a description
Watch = Callable[[Event], None]


def run(spec: RunSpec, folder: Path | None, watch: Watch | None = None) -> tuple[nn.Module, list[dict[str, Any]]]:
    """Train to the end and return the model and all rows. With a folder, start there or resume what it holds."""
    model = spec.fresh_model()
    _try_out(spec, model)
    if folder is None:
        return model, [row_document(event) for event in _watched(_events(spec, model, None), watch) if not isinstance(event, Snapshot)]
    with _opened(spec, folder) as (rows, stored):
        if stored is not None:
            rows.cut(stored.rows_bytes)
        try:
            for event in _watched(_events(spec, model, None if stored is None else stored.snapshot), watch):
                _keep(event, rows, folder, spec.digest)
        except Diverged as error:
            step = read_snapshot(folder / SNAPSHOT).snapshot.progress.step
            raise BadInput(f"{error}; {str(folder)!r} keeps the snapshot of step {step}") from error
    return model, read_rows(folder / ROWS)


def trained_model(folder: Path, code: Collection[str] = ()) -> tuple[RunSpec, nn.Module, int]:
    """The current result of a run: its description, the model of its last snapshot, and the step."""
    spec, stored = run_description(folder, code), read_snapshot(folder / SNAPSHOT)
    try:
        model = spec.fresh_model()
    except (MemoryError, RuntimeError) as error:
        if isinstance(error, RuntimeError) and "allocate memory" not in str(error):
            raise
        raise BadInput(f"{str(folder / SPEC)!r}: its model needs more memory than there is") from error
    try:
        model.load_state_dict(stored.snapshot.weights)
    except RuntimeError as error:
        raise BadInput(f"{str(folder / SNAPSHOT)!r} does not fit the model of {SPEC}: {' '.join(str(error).split())[:200]}") from error
    return spec, model, stored.snapshot.progress.step


def run_description(folder: Path, code: Collection[str] = ()) -> RunSpec:
    """The description of the run in a folder. A user's own code is loaded only if `code` lists it."""
    try:
        document: Mapping[str, Any] = json.loads(read_regular(folder / SPEC, LARGEST_SPEC, SPEC).decode())
    except (Unreadable, OverBudget, ValueError, RecursionError) as error:
        raise BadInput(f"{str(folder)!r} is not the folder of a run: {error}") from error
    try:
        return read_spec(document, code)
    except BadInput as error:
        raise BadInput(f"{str(folder / SPEC)!r}: {error}") from error


def row_document(row: LossRow | ScoreRow) -> dict[str, Any]:
    """A row as JSON. It contains only what follows from the run's description: no times, no machine names."""
    about = {"schema": "separatrix/row", "version": 1, "step": row.step}
    if isinstance(row, LossRow):
        return {**about, "kind": "training", "loss": row.loss, "rate": row.rate}
    scores = asdict(row.scores)
    return {**about, "kind": row.split, **scores, "asked": [list(entry) for entry in row.scores.asked]}


def _keep(event: Event, rows: RowFile, folder: Path, digest: str) -> None:
    """Write a row or a snapshot to the disk."""
    try:
        if isinstance(event, Snapshot):
            write_snapshot(folder / SNAPSHOT, Stored(event, rows.size, digest))
        else:
            rows.append(row_document(event))
    except BadInput as error:
        raise BadInput(f"{error}; nothing written so far is lost: repeat the command to resume from the last snapshot") from error


def _try_out(spec: RunSpec, model: nn.Module) -> None:
    """Run one input of each task before anything is written, so that unknown lengths and ids are refused here."""
    for task in (spec.training_task(), spec.judged_task(), *spec.test_tasks()):
        evaluate(model, task, 1, spec.seed)


def _events(spec: RunSpec, model: nn.Module, start: Snapshot | None) -> Iterator[Event]:
    tests = spec.test_tasks()
    return train(model, spec.training_task(), spec.budget, spec.seed, validation=spec.judged_task(), tests=tests, start=start)


def _watched(events: Iterator[Event], watch: Watch | None) -> Iterator[Event]:
    for event in events:
        yield event  # the disk comes first
        if watch is not None:
            watch(event)


@contextmanager
def _opened(spec: RunSpec, folder: Path) -> Iterator[tuple[RowFile, Stored | None]]:
    """Open a folder for this process alone: its rows and last snapshot. It must hold this run or be empty."""
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"{str(folder)!r} is not a folder")
    if not (folder / SPEC).exists():
        if (folder / ROWS).exists() or (folder / SNAPSHOT).exists():
            raise BadInput(f"{str(folder)!r} holds rows or a snapshot but no {SPEC}")
        write_file(folder / SPEC, (json.dumps(spec.document(), indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode())
    stored_spec = run_description(folder, spec.user_code())
    if stored_spec.digest != spec.digest:
        differ = differences(stored_spec.document(), spec.document())
        raise BadInput(f"{str(folder)!r} holds another run: {'; '.join(differ)}")
    with open_rows(folder / ROWS) as rows:
        stored = read_snapshot(folder / SNAPSHOT) if (folder / SNAPSHOT).exists() else None
        if stored is not None and stored.spec != spec.digest:
            raise BadInput(f"{str(folder / SNAPSHOT)!r} is a snapshot of another run")
        if stored is None:
            rows.cut(0)  # killed before the first snapshot
        yield rows, stored


def require_store(path: Path) -> None:
    """Refuse a store that cannot be written to, before hours of work."""
    with open_store(path) as store:
        require_sound_pages(store)


def record(path: Path, trial: Trial, engine: str, rows: Sequence[dict[str, Any]], seconds: float) -> bool:
    """Write the rows of a finished trial; False if the store has them already, or if a launcher is running it."""
    name = new_name()
    with open_store(path) as store, alive(store.path, name):
        claims.add(store, [trial])
        claims.release_gone(store)
        claims.set_targets(store, [trial.key])
        claimed: Collection[claims.Claim] = claims.claim(store, name, engine, 1)
        return any(claims.finish(store, claim, Outcome(trial.key, "done", rows=tuple(rows), seconds=seconds)) for claim in claimed)

"""The results of a study's cells that a store holds: what `separatrix sweep` has run, in the form in which results are shipped."""

from __future__ import annotations

from typing import Any

from separatrix.runs.kinds.recover import SCHEMA as RECOVERY
from separatrix.runs.store import Store
from separatrix.runs.stored_trials import listed, rows_of, seconds_of
from separatrix.studies.learned import SCHEMA, TESTED, VERSION
from separatrix.studies.study import Result, Study, cell_digest


def results_in(store: Store, study: Study) -> dict[str, Result]:
    """Digest of a run -> its result, for every cell that is done. Where code has changed in between, the last trial counts."""
    wanted = {cell_digest(cell["run"]) for cell in study.cells if "run" in cell}
    found: dict[str, Result] = {}
    for trial in listed(store, "done"):
        run = trial["configuration"].get("run")
        digest = cell_digest(run) if isinstance(run, dict) else ""
        if digest in wanted:
            found[digest] = _result(digest, run, list(rows_of(store, trial["key"])), seconds_of(store, trial["key"]))
    return found


def _result(digest: str, run: dict[str, Any], rows: list[dict[str, Any]], seconds: float) -> Result:
    if run["schema"] == RECOVERY:
        kept = [{name: value for name, value in row.items() if name not in ("schema", "version")} for row in rows]
        return {"schema": RECOVERY, "version": VERSION, "digest": digest, "run": run, "seconds": round(seconds), "rows": kept}
    sizes = next(row for row in rows if row["kind"] == "sizes")
    test = next(row for row in reversed(rows) if row["kind"] == "test")
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "digest": digest,
        "run": run,
        "parameters": sizes["parameters"],
        "state_bits": sizes["state_bits"],
        "seconds": round(seconds),
        "validations": [[row["step"], row["accuracy"]] for row in rows if row["kind"] == "validation"],
        "test": {key: test[key] for key in TESTED},
    }

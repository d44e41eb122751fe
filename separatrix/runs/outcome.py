"""How one attempt at a trial ended, as it travels from a worker to the launcher: plain JSON, never a pickle."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from separatrix.checker.seal import canonical

ENDS = ("done", "failed", "refused")  # refused: the configuration itself is at fault, so another attempt would end the same way


@dataclass(frozen=True)
class Outcome:
    """The outcome of one attempt."""

    key: str
    end: str
    rows: tuple[dict[str, Any], ...] = ()
    certificates: tuple[dict[str, Any], ...] = ()
    reason: str | None = None  # one line, if it failed
    log: str | None = None  # the last lines it printed, if it failed
    seconds: float | None = None  # of the processor; of an attempt that was killed, of the clock
    machine: str | None = None

    def row_texts(self) -> list[str]:
        """The rows as they are stored."""
        return [canonical(row) for row in self.rows]

    def certificate_texts(self) -> list[tuple[str, str]]:
        """The certificates as they are stored: digest and text."""
        return [(str(document.get("digest")), canonical(document)) for document in self.certificates]

    def to_json(self) -> str:
        """The outcome as one line of JSON."""
        return json.dumps(asdict(self), allow_nan=False)


def read_outcome(text: str | bytes) -> Outcome:
    """The inverse of `to_json`; raises ValueError for anything else."""
    document = json.loads(text)
    names = {field.name for field in fields(Outcome)}
    if not isinstance(document, Mapping) or set(document) != names or document["end"] not in ENDS:
        raise ValueError("not the outcome of a trial")
    for name in ("rows", "certificates"):
        if not isinstance(document[name], list) or not all(isinstance(entry, dict) for entry in document[name]):
            raise ValueError(f"the {name} of a trial are a list of JSON objects")
    return Outcome(**{**document, "rows": tuple(document["rows"]), "certificates": tuple(document["certificates"])})

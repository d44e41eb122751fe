"""Arguments of records that come with a certificate: the checker judges it here, whatever the record says."""

from __future__ import annotations

import gzip
import shlex
from dataclasses import dataclass
from typing import Any

from separatrix.checker import Verdict, canonical, check_document


@dataclass(frozen=True)
class Certified:
    """The certificate of an argument, judged, and the packed file of the atlas that holds it."""

    document: dict[str, Any]
    verdict: Verdict

    @property
    def place(self) -> str:
        """Its path inside the atlas."""
        return f"certificates/{self.document['kind']}-{self.document['digest'][:8]}.json.gz"

    @property
    def check(self) -> str:
        """The command that checks it in the folder of the atlas."""
        return shlex.join(["separatrix", "check", self.place])

    @property
    def files(self) -> dict[str, bytes]:
        """The certificate of the argument, by its path in the atlas."""
        return {self.place: gzip.compress(canonical(self.document).encode(), mtime=0)}


def certified(record: dict[str, Any]) -> Certified:
    """The certificate in a record, judged now."""
    return Certified(record["certificate"], check_document(record["certificate"]))

"""The index of certificates: what `verify --all` wrote and the checker said of each file, one line each, shipped with the package.

    python -m separatrix.ledger.certified build/certificates

writes the index anew from a folder of certificates. Every verdict in it is the checker's, reached on the bytes whose digest it names. A law
verifies every quick build again, and fails where the index does not say of it what the checker says today.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from separatrix.checker.seal import read
from separatrix.errors import BadInput
from separatrix.records.verdicts import judge

if TYPE_CHECKING:
    from separatrix.certificates.program import Program

PREDICTOR = "predict built"  # the command that makes the machines of random sources
PREDICTED = 16  # symbols
EVERY_LENGTH = "right on every input of every length"  # what the checker's sentence says of a proof about all lengths
PLACE = files("separatrix.ledger").joinpath("data").joinpath("certified.jsonl")


@dataclass(frozen=True)
class Certified:
    """A certificate of a built model, and the checker's verdict on it."""

    construction: str
    task: str
    parameters: Mapping[str, Any]
    arithmetic: str
    sizes: Mapping[str, Any]
    strength: str
    digest: str
    claim: str  # the checker's sentence
    architecture: str | None = None  # as the checker derives it from the program, where it does

    @property
    def length(self) -> int:
        """The length that it is about."""
        return int(self.parameters["length"])

    @property
    def every_length(self) -> bool:
        """Whether the checker says that it is right at every length, and not at its own alone."""
        return EVERY_LENGTH in self.claim


@cache
def certified() -> tuple[Certified, ...]:
    """Every line of the shipped index."""
    return tuple(Certified(**json.loads(line)) for line in PLACE.read_text(encoding="utf-8").splitlines())


def from_document(document: Mapping[str, Any], strength: str, claim: str, architecture: str | None = None) -> Certified | None:
    """A line of the index from a certificate that the checker accepts; None for a document that is not about a built model."""
    if document.get("kind") != "program" or not document.get("construction"):
        return None
    model = document["program"].get("model") or {}
    return Certified(
        document["construction"], document["claim"]["task"], document["claim"]["parameters"], str(model.get("arithmetic", "")),
        {name: value for name, value in document["sizes"].items() if value is not None}, strength, document["digest"], claim, architecture,
    )  # fmt: skip


def predictors() -> list[Certified]:
    """The machines of `separatrix predict built`, whose certificates bound the cross-entropy and not the number of wrong answers."""
    from separatrix.certificates.built import sizes
    from separatrix.certificates.predictions import predictor_certificate
    from separatrix.checker import check_document
    from separatrix.constructions.other.predictors import dyck_2_predictor, excess_of, parity_source, predictor
    from separatrix.tasks.next_symbol import Dyck2Next, ParityNext

    parity, dyck = ParityNext(PREDICTED), Dyck2Next(PREDICTED)
    source = parity_source(parity.p)
    laws = [law for law in map(dyck.law, ((), (0,), (1,))) if law is not None]
    made: tuple[tuple[ParityNext | Dyck2Next, Program, dict[str, int], float], ...] = (
        (parity, predictor(source, PREDICTED), {}, excess_of(map(source.law, range(source.states)))),
        (dyck, dyck_2_predictor(dyck.p, PREDICTED, PREDICTED), {"depth": PREDICTED}, excess_of(laws)),
    )
    lines = []
    for task, program, more, excess in made:
        claim = {"task": task.name, "parameters": {"length": PREDICTED, "p": task.p, **more}}
        document = predictor_certificate(program, claim, "at-most", excess)
        verdict = check_document(document)
        if not verdict.holds:
            raise BadInput(f"{task.name}: the checker refuses its predictor: {verdict.reason}")
        numbers = {name: value for name, value in sizes(program.model).items() if value is not None}
        lines.append(
            Certified(
                PREDICTOR, task.name, dict(task.parameters), str(program.model.config.arithmetic), {**numbers, "excess": excess},
                verdict.strength, document["digest"], verdict.claim,
            )
        )  # fmt: skip
    return lines


def read_folder(folder: Path) -> list[Certified]:
    """The certificates of a folder, judged now, or with a verdict that was stored beside it."""
    found = []
    for path in sorted(folder.glob("*.json")):
        verdict, _ = judge(path, folder.parent / "verdicts")
        if not verdict.holds:
            raise BadInput(f"{path}: the checker refuses it: {verdict.reason}")
        line = from_document(read(path.read_text("utf-8")), verdict.strength, verdict.claim, verdict.architecture)
        if line is not None:
            found.append(line)
    return found


def written(lines: Iterable[Certified]) -> str:
    """The index as text."""
    ordered = sorted(lines, key=lambda one: (one.construction, one.length, one.digest))
    return "".join(json.dumps(asdict(one), sort_keys=True, ensure_ascii=False) + "\n" for one in ordered)


def main(folder: str) -> None:
    """Write the index of a folder of certificates."""
    lines = [*read_folder(Path(folder)), *predictors()]
    Path(str(PLACE)).write_text(written(lines), encoding="utf-8")
    print(f"{len(lines)} certificates in {PLACE}")


if __name__ == "__main__":
    main(*sys.argv[1:])

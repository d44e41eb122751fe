"""The trusted kernel: it judges certificates with the standard library and NumPy, and imports no other room."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from separatrix.checker.budget import Budget, OverBudget
from separatrix.checker.fields import require_equal, require_fields
from separatrix.checker.files import DOCUMENT, read_packed
from separatrix.checker.models.architecture import architecture
from separatrix.checker.numbers import arrays
from separatrix.checker.seal import Refused, Unproven, Unreadable, canonical, digest, digest_of_json, sealed
from separatrix.checker.seal import read as read_document
from separatrix.checker.sentence import STRENGTHS, Shown

__all__ = [
    "STRENGTHS",
    "Budget",
    "Refused",
    "Unreadable",
    "Verdict",
    "canonical",
    "check_document",
    "check_file",
    "check_text",
    "digest",
    "sealed",
]

SCHEMA = "separatrix/certificate"
VERSION = 3
KINDS = {  # kind of certificate -> the module whose `judge` refuses it unless it holds; loaded on first use
    "program": "program",
    "cases": "cases",
    "counterexample": "counterexample",
    "fooling-set": "fooling_set",
    "state-profile": "state_profile",
    "state-machine": "state_machine",
    "state-collision": "state_collision",
    "transcript-collision": "transcript_collision",
    "restriction": "restriction",
    "pair": "pair",
    "chain-count": "chain_count",
    "depth-reduction": "depth_reduction",
    "poison": "poison",
    "cross-entropy": "cross_entropy",
    "period": "period",
    "languages": "languages",
    "receptive-field": "receptive_field",
}


@dataclass(frozen=True)
class Verdict:
    """The checker's verdict on one document: whether it holds, why not, the sentence it establishes and how strongly."""

    holds: bool
    readable: bool
    reason: str
    claim: str = ""
    strength: str = ""
    evidence: tuple[dict[str, Any], ...] = ()
    architecture: str | None = None  # the class of the model, derived from its description; None for a document without a program
    refutes: bool = False  # whether what is shown is that the weights are wrong


def check_file(path: str | Path, budget: Budget | None = None) -> Verdict:
    """The verdict on a certificate file, which may be packed with gzip."""

    def judged() -> Verdict:
        raw = read_packed(Path(path), DOCUMENT, repr(str(path)))
        try:
            text = raw.decode()
        except UnicodeDecodeError as error:
            raise Unreadable(f"cannot read {str(path)!r}: not UTF-8 text") from error
        return _judged(read_document(text), Path(path).parent, budget)

    return _guarded(judged)


def check_text(text: str, beside: Path | None = None, budget: Budget | None = None) -> Verdict:
    """The verdict on the text of a certificate; larger weights are in the folder `beside`."""
    return _guarded(lambda: _judged(read_document(text), beside, budget))


def check_document(document: dict[str, Any], beside: Path | None = None, budget: Budget | None = None) -> Verdict:
    """The verdict on a document: checks its seal, then recomputes every derived field."""
    return _guarded(lambda: _judged(document, beside, budget))


def _guarded(judged: Callable[[], Verdict]) -> Verdict:
    """Catch every exception at the boundary: a verdict, whatever an untrusted file causes."""
    try:
        with arrays.quiet():  # overflow is refused where it matters
            return judged()
    except (Unreadable, OverBudget) as error:
        return Verdict(False, False, str(error))
    except (Refused, Unproven) as error:
        return Verdict(False, True, str(error))
    except Exception as error:  # a bug of ours or unforeseen content: refused either way
        return Verdict(False, True, f"malformed content: {type(error).__name__}: {' '.join(str(error).split())[:200]}")


def _judged(document: dict[str, Any], beside: Path | None, budget: Budget | None) -> Verdict:
    if document.get("schema") != SCHEMA:
        raise Unreadable(f"unknown schema {document.get('schema')!r:.80}: expected {SCHEMA!r}")
    version = document.get("version")
    if version in (1, 2):
        raise Unreadable(f"a certificate of version {version} is no longer read: write it again with `separatrix verify`")
    if type(version) is not int or version != VERSION:
        raise Unreadable(f"unknown version {version!r:.80}: expected {VERSION}")
    if document.get("digest") != digest_of_json(document):
        raise Refused("the digest does not match the content: the certificate was edited")
    kind = document.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise Refused(f"unknown kind of certificate {kind!r:.80}")
    judges = import_module(f"separatrix.checker.kinds.{KINDS[kind]}")
    require_fields(document, "certificate", schema=str, version=int, kind=str, digest=str, strength=str, **judges.FIELDS)
    shown: Shown = judges.judge(document, beside, budget or Budget())
    require_equal(document["strength"], shown.strength, "strength")
    name = architecture(document["program"]["model"]) if "program" in document else None  # `judge` has read the description
    agrees = "every derived field was recomputed and agrees"
    return Verdict(True, True, agrees, shown.claim, shown.strength, shown.evidence, name, shown.refutes)

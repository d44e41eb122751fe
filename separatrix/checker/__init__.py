"""The trusted kernel: it judges certificates with the standard library and NumPy, and imports no other room."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from separatrix.checker.seal import Refused, Unreadable, canonical, digest, sealed
from separatrix.checker.seal import read as read_document

__all__ = ["Refused", "Unreadable", "Verdict", "canonical", "check_document", "check_file", "check_text", "digest", "sealed"]

SCHEMA = "separatrix/certificate"
VERSION = 1
JUDGES = {  # kind of certificate -> the function that refuses it unless it holds; loaded when one is met
    "construction": "construction:check_construction",
    "counterexample": "counterexample:check_counterexample",
    "fooling-set": "fooling_set:check_fooling_set",
    "state-collision": "state_collision:check_state_collision",
    "state-machine": "state_machine:check_state_machine",
    "state-profile": "state_profile:check_state_profile",
    "tested-cases": "tested_cases:check_tested_cases",
    "transcript-collision": "transcript_collision:check_transcript_collision",
}


@dataclass(frozen=True)
class Verdict:
    """What the checker says of one file."""

    holds: bool
    readable: bool
    reason: str


def check_file(path: str | Path) -> Verdict:
    """The verdict on a certificate file."""
    try:
        text = Path(path).read_bytes().decode()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        return Verdict(False, False, f"cannot read {str(path)!r}: {reason}")
    return check_text(text, Path(path).parent)


def check_text(text: str, beside: Path | None = None) -> Verdict:
    """The verdict on a certificate given as text; larger weights lie in the folder `beside`."""
    try:
        document = read_document(text)
        return check_document(document, beside)
    except Unreadable as error:
        return Verdict(False, False, str(error))
    except Refused as error:
        return Verdict(False, True, str(error))


def check_document(document: dict[str, Any], beside: Path | None = None) -> Verdict:
    """The verdict on a document: its seal, then every derived field again."""
    if document.get("schema") != SCHEMA:
        return Verdict(False, False, f"unknown schema {document.get('schema')!r}: expected {SCHEMA!r}")
    if document.get("version") != VERSION or isinstance(document.get("version"), bool):
        return Verdict(False, False, f"unknown version {document.get('version')!r}: expected {VERSION}")
    try:
        if document.get("digest") != digest(document):
            return Verdict(False, True, "the digest does not fit the content: the certificate was edited")
        _judge(document, beside)
    except Unreadable as error:
        return Verdict(False, False, str(error))
    except Refused as error:
        return Verdict(False, True, str(error))
    except (ArithmeticError, AttributeError, LookupError, MemoryError, RecursionError, TypeError, ValueError) as error:
        return Verdict(False, True, f"malformed content: {type(error).__name__}: {' '.join(str(error).split())[:200]}")
    return Verdict(True, True, "every derived field was recomputed and agrees")


def _judge(document: dict[str, Any], beside: Path | None) -> None:
    kind = document.get("kind")
    if kind not in JUDGES:
        raise Refused(f"unknown kind of certificate {kind!r}")
    module, _, name = JUDGES[kind].partition(":")
    getattr(import_module(f"separatrix.checker.{module}"), name)(document, beside)

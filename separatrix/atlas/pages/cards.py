"""Theorem cards: each statement that has certificates, with the bound beside it, the certificates, and one run of its proof."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from separatrix.atlas.page import slug
from separatrix.atlas.pages.demonstration import Demonstration, demonstration
from separatrix.atlas.reading.certificates import CertificateFile
from separatrix.atlas.reading.material import Material, Records
from separatrix.atlas.typography import title, words
from separatrix.bounds.families import ClosedForm, form_of
from separatrix.constructions import CONSTRUCTIONS
from separatrix.ledger.subject import WHICH, short_value
from separatrix.papers import statements
from separatrix.tasks import TASKS, task_class

SHAPE = (("layers", "layer"), ("heads", "head"), ("width", "width"))
BITS = (
    ("state_bits", "of state"),
    ("precision_bits", "per number"),
    ("parameter_bits", "stored"),
    ("representation_bits", "with positions"),
)
UNSAID = ("distribution",)  # how random cases are drawn; the claim is about every input


@dataclass(frozen=True)
class CertificateLine:
    """One certificate as a row of its card."""

    certificate: CertificateFile
    link: str
    check: str  # the command that checks it, in the folder of the atlas
    settings: tuple[tuple[str, Any], ...]
    shape: tuple[str, ...]  # "1 layer", "1 head", "width 14"
    bits: tuple[tuple[Any, str], ...]  # a number and what it counts
    evidence: tuple[tuple[str, str], ...]  # tag and text
    margin: Any
    strength: str  # the checker's
    claim: str  # the checker's sentence


@dataclass(frozen=True)
class Card:
    """A statement, the bound for other models, and what was built and certified."""

    anchor: str
    title: str
    cites: str
    says: str  # empty if the papers have no such statement
    bound: ClosedForm | None
    entries: tuple[CertificateLine, ...]
    demonstration: Demonstration | None

    @property
    def shared(self) -> tuple[tuple[str, str], ...]:
        """The evidence that all certificates have, where there are several: it is said once."""
        first, *others = self.entries
        return tuple(piece for piece in first.evidence if all(piece in other.evidence for other in others)) if others else ()


def cards(material: Material) -> list[Card]:
    """A card for each statement and construction, in the order of the papers; cards without a statement come last."""
    order = {statement.key: index for index, statement in enumerate(statements())}
    by_text = sorted(material.certificates, key=lambda one: (order.get(one.cites, len(order)), one.cites, one.subject))
    return [card(tuple(group), material.records) for _, group in groupby(by_text, key=lambda one: (one.cites, one.subject))]


def card(group: tuple[CertificateFile, ...], records: Records) -> Card:
    """The card for certificates with the same statement and construction."""
    first = group[0]
    says = next((s.says for s in statements() if s.key == first.cites), "")
    bound = form_of(first.task)
    shown = demonstration(first.subject, records.content("trace", first.subject)) if first.subject in CONSTRUCTIONS else None
    return Card(slug(f"{first.subject} {first.cites}"), title_of(first.subject), first.cites, says, bound, tuple(map(entry, group)), shown)


def title_of(subject: str) -> str:
    """A construction by the title of its task: `nearest-neighbor/label-address` becomes `Nearest neighbour, label address`."""
    task, _, rest = subject.partition("/")
    if task not in TASKS:
        return title(subject)
    return f"{task_class(task).title}, {words(rest)}" if rest else task_class(task).title


def entry(certificate: CertificateFile) -> CertificateLine:
    """One certificate, field by field; missing fields stay empty."""
    sizes, margins = certificate.part("sizes"), [piece["margin"] for piece in certificate.verdict.evidence if "margin" in piece]
    return CertificateLine(
        certificate=certificate,
        link=certificate.place,
        check=check_line(certificate),
        settings=tuple(
            (key, short_value(value) if key in WHICH else value)
            for key, value in certificate.settings.items()
            if value is not None and key not in UNSAID
        ),
        shape=tuple(_counted(sizes[key], word) for key, word in SHAPE if key in sizes),
        bits=tuple((sizes[key], counts) for key, counts in BITS if sizes.get(key) is not None),
        evidence=tuple(_evidence(piece, certificate.verdict.strength) for piece in certificate.verdict.evidence),
        margin=min(margins, default=None),
        strength=certificate.verdict.strength,
        claim=certificate.verdict.claim,
    )


def check_line(certificate: CertificateFile) -> str:
    """The command that checks a certificate in the folder of the atlas; larger weights beside it are unpacked first."""
    unpack = [shlex.join(["gunzip", "-kf", f"certificates/{name}.gz"]) for name, _ in certificate.weights]
    return " && ".join([*unpack, shlex.join(["separatrix", "check", certificate.place])])


def _counted(value: Any, word: str) -> str:
    """1 layer, 2 layers, width 14."""
    return f"width {value}" if word == "width" else f"{value} {word}" if value == 1 else f"{value} {word}s"


def _evidence(piece: dict[str, Any], strength: str) -> tuple[str, str]:
    """The tag and text of a piece of evidence."""
    exhaustive = strength == "exhaustive" or piece.get("family") == "all"
    tags = {"cases": "exhaustive" if exhaustive else "author" if strength == "author" else "tested", "statement": "cites"}
    return tags.get(piece["kind"], str(piece["kind"])), str(piece["text"])

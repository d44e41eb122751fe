"""Certificates in a store: each once, by the digest that seals it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from separatrix.checker.seal import canonical, digest, read
from separatrix.errors import BadInput
from separatrix.runs.store import Store


def add_certificates(store: Store, documents: Sequence[dict[str, Any]]) -> int:
    """Store these certificates; returns how many were new. Refuses a broken seal; whether the claim holds is for the checker to say."""
    for document in documents:
        if document.get("digest") != digest(document):
            raise BadInput("a certificate's digest is not the hash of its content")
    with store.writing() as database:
        before = database.total_changes
        database.executemany(
            "INSERT OR IGNORE INTO certificates (digest, document) VALUES (?, ?)",
            [(document["digest"], canonical(document)) for document in documents],
        )
        return database.total_changes - before


def certificates(store: Store) -> list[dict[str, Any]]:
    """All certificates in the order of arrival, each checked against its seal."""
    with store.reading() as database:
        stored = database.execute("SELECT digest, document FROM certificates ORDER BY rowid").fetchall()
    documents = []
    for name, text in stored:
        document = read(text)
        if digest(document) != name:
            raise BadInput(f"{str(store.path)!r} is damaged: certificate {name[:12]} does not match its digest")
        documents.append(document)
    return documents

"""A zoo of liars: for every kind of certificate, documents that a careful liar would seal. One file for each kind, named like its judge."""

from __future__ import annotations

from importlib import import_module

from separatrix.checker import KINDS
from tests.laws.liars.lie import Lie


def lies(kind: str) -> tuple[Lie, ...]:
    """The lies of one kind of certificate."""
    result: tuple[Lie, ...] = import_module(f"tests.laws.liars.{KINDS[kind]}").LIES
    return result

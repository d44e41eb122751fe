"""Equality across a separator: halves that agree, or are drawn apart."""

from __future__ import annotations

from separatrix.checker.oracles.forms.halves import Halves


class Oracle(Halves):
    """A separator between the halves."""

    name, words_for = "eq-random", "equality across a separator (eq-random)"

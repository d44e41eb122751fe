"""Equality: whether the second half of N symbols repeats the first."""

from __future__ import annotations

from separatrix.checker.oracles.forms.halves import Halves


class Oracle(Halves):
    """No separator between the halves."""

    name, words_for = "equality", "equality"
    separated = False

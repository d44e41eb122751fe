"""Next-token recall: n numbers from [n] and one of them, not the last; the answer is the number after its first occurrence."""

from __future__ import annotations

from separatrix.checker.oracles.forms.grams import Grams


class Oracle(Grams):
    """Grams of two."""

    name, said = "recall-next", "next-token recall"

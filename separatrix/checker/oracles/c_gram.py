"""c-gram retrieval: n numbers from [n] and the first c - 1 numbers of a c-gram; the answer is the last number of its first occurrence."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from separatrix.checker.fields import within
from separatrix.checker.oracles.forms.grams import Grams


class Oracle(Grams):
    """Grams of c."""

    name, said = "c-gram", "c-gram retrieval"
    own_fields = MappingProxyType({"c": int})

    def __init__(self, parameters: Any) -> None:
        super().__init__(parameters)
        self.title = f"{self.title}, c = {self.c}"

    def set_sizes(self) -> None:
        self.c = within(self.parameters["c"], 2, min(8, self.N), "c")
        super().set_sizes()

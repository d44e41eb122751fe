r"""c-gram retrieval: n numbers from [n] and the first c - 1 numbers of a c-gram among them; give its last number.

[wen2024 Definition 4.4]

    <s> 2 4 3 4 1 4 3  ->  4        n = 5, c = 3: x = 2 4 3 4 1, the gram begins 4 3

With `thought=search` the chain is <StartSearch> (?<!\S) 4 \s 3 \s(\S+) <EndSearch> 4 4 </s>.
"""

from __future__ import annotations

from dataclasses import dataclass

from separatrix.errors import BadInput
from separatrix.tasks.grams import Grams
from separatrix.tasks.task import sized

MOST = 8


@dataclass(frozen=True)
class CGram(Grams):
    """The token after c - 1 tokens."""

    c: int = 3

    name = "c-gram"
    title = "c-gram retrieval"
    cites = "wen2024 Definition 4.4"
    tokens = "N + c"
    least_length = 3
    drawn_at = sized(length=6)
    counted_at = sized(length=4)
    enumerated_at = sized(length=3)
    sampled_at = (sized(length=3), sized(length=9, c=5), sized(length=9, thought="search"))

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 2 <= self.c <= min(MOST, self.length):
            raise BadInput(f"c-gram: c must lie in 2..{MOST} and be at most N = {self.length}, found {self.c}")

    @property
    def gram(self) -> int:
        return self.c

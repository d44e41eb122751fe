r"""Recall of the next token: n numbers from [n] and a query q that occurs among them; give the number after its first occurrence.

[wen2024 Definition 4.3]

    <s> 2 4 3 4 4  ->  3        n = 4: x = 2 4 3 4, q = 4

The query occurs before the last place. With `thought=search` the chain is <StartSearch> (?<!\S) 4 \s(\S+) <EndSearch> 3 3 </s>.
"""

from __future__ import annotations

from dataclasses import dataclass

from separatrix.tasks.grams import Grams
from separatrix.tasks.task import sized


@dataclass(frozen=True)
class RecallNext(Grams):
    """Which token follows the token q in the sequence?"""

    name = "recall-next"
    title = "Next-token recall"
    cites = "wen2024 Definition 4.3"
    tokens = "N + 2"
    drawn_at = sized(length=6)
    counted_at = sized(length=4)
    enumerated_at = sized(length=3)
    sampled_at = (sized(length=2), sized(length=9, thought="search"))

    @property
    def gram(self) -> int:
        return 2

"""Which tokens a token sees.

all            every token of the input
causal         itself and those before it
window         the last `size` tokens, itself included
block-sparse   j <= i with j > i - local block, or with j among the last `global` of its block
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from separatrix.checker.fields import require_fields, within
from separatrix.checker.numbers import arrays
from separatrix.checker.numbers.boxes import Array
from separatrix.checker.seal import Refused

FIELDS: dict[str, tuple[str, ...]] = {"all": (), "causal": (), "window": ("size",), "block-sparse": ("block", "local", "global")}
LONGEST = 1 << 31


@dataclass(frozen=True)
class Mask:
    """A mask by its kind; sizes that the kind does not use are 0."""

    kind: str
    size: int = 0
    block: int = 0
    local: int = 0
    far: int = 0  # `global`

    @property
    def causal(self) -> bool:
        """Whether no token sees a later one."""
        return self.kind != "all"

    def visible(self, readers: Array, n: int, first: int = 0) -> Array | None:
        """Which of the tokens first .. first + n - 1 each reader sees, [readers, n], positions from 0; None if they see all."""
        if self.kind == "all":
            return None
        i, j = readers[:, None], arrays.arange(first, first + n)[None, :]
        past = j <= i
        if self.kind == "window":
            return arrays.asarray(past & (j > i - self.size))
        if self.kind == "block-sparse":
            return arrays.asarray(past & ((j > i - self.local * self.block) | (j % self.block >= self.block - self.far)))
        return arrays.asarray(past)


def read_mask(document: Any, where: str) -> Mask:
    """The mask of a description."""
    kind = document.get("kind") if isinstance(document, dict) else None
    if not isinstance(kind, str) or kind not in FIELDS:
        raise Refused(f"{where}: expected the kind {', '.join(FIELDS)}, found {kind!r:.80}")
    require_fields(document, where, kind=str, **dict.fromkeys(FIELDS[kind], int))
    for key in FIELDS[kind]:
        within(document[key], 0 if key == "global" else 1, document["block"] if key == "global" else LONGEST, f"{where}.{key}")
    return Mask(kind, *(document.get(key, 0) for key in ("size", "block", "local", "global")))

"""Reading without writing: the largest logit at the last token, or at every position that the task scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from separatrix.models.decoders.decoder import Decoder


@dataclass(frozen=True)
class Position(Decoder):
    """The answer is the largest logit at the last token."""

    kind: ClassVar[str] = "position"


@dataclass(frozen=True)
class Positions(Decoder):
    """The answer is the largest logit at every scored position."""

    kind: ClassVar[str] = "positions"

"""What a lie is: an honest document, what is done to it, and what the checker must say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.checker.kinds.forgery import edited

Document = dict[str, Any]


@dataclass(frozen=True)
class Lie:
    """One class of lie. It is refused for a reason with these words, or shows something weaker, which is true: then it has a sentence."""

    says: str  # what the liar wants to be believed
    told: Callable[[], Document]  # the document, not sealed yet
    honest: Callable[[], Document]  # what it was made from
    refused: str = ""  # words of the reason
    shows: str = ""  # the whole sentence, where the document is accepted
    without: tuple[str, ...] = field(default=())  # words that neither the sentence nor the evidence has then


def changed(honest: Callable[[], Document], says: str, refused: str, **fields: Any) -> Lie:
    """Some fields of an honest document have other values."""
    return Lie(says, lambda: {**honest(), **fields}, honest, refused)


def at(honest: Callable[[], Document], says: str, refused: str, *path: Any, value: Any) -> Lie:
    """The value at a path is another."""
    return Lie(says, lambda: edited(honest(), path, value), honest, refused)


def made(honest: Callable[[], Document], says: str, refused: str, change: Callable[[Document], Document]) -> Lie:
    """A document made from an honest one."""
    return Lie(says, lambda: change(honest()), honest, refused)

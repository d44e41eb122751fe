"""Text for listings: names, parameters, citations. No torch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    pass


def shown(listed: list[dict[str, Any]]) -> str:
    return ", ".join(p["name"] + (f"={p['default']}" if "default" in p else "") for p in listed)


def first_line(text: str | None) -> str:
    return (text or "").strip().split("\n")[0]

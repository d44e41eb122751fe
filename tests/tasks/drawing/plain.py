"""Samplers without their compiled twins."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """What runs where numba is not installed."""
    inner: Callable[..., Any] = function.__wrapped__  # type: ignore[attr-defined]
    return inner

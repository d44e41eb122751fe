"""The engine's config classes as data: `engine.json` holds the defaults and spellings of transformers' own classes.

The engine is the library whose cache is counted. Another version of it may cache differently.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from separatrix.state.fields import ClassFields

FLAT = (
    "fuyu",
    "hunyuan_vl",
    "paddleocr_vl",
    "qwen2_vl",
    "qwen2_5_vl",
)  # older configs of these types have no section for the language model
RENAMED = {("kimi_k25", "kimi_k2"): "deepseek_v3", ("exaone4_5", "exaone4_5_text"): "exaone4"}


@dataclass(frozen=True)
class Wrapper:
    """A larger config: where it puts its language model, and the type of that model."""

    path: tuple[str, ...]
    type: str  # the type if the section does not say
    fixed: bool  # ignore the section's own model_type
    fills: Mapping[str, Any]  # fields that it adds to a section that leaves them out


@cache
def _document() -> Any:
    return json.loads((files("separatrix.state") / "engine.json").read_text(encoding="utf-8"))


def engine() -> str:
    """The library and the version whose cache is counted."""
    return f"transformers {_document()['version']}"


def class_fields(kind: str) -> ClassFields:
    """The defaults and spellings of a model type's class."""
    entry = _document()["types"].get(kind, {})
    return ClassFields(entry.get("defaults", {}), entry.get("spellings", {}), frozenset(entry.get("never_null", ())))


@cache
def wrappers() -> dict[str, Wrapper]:
    """The larger configs by type."""
    rows = _document()["wrappers"].items()
    return {kind: Wrapper(tuple(row["path"]), row["type"], row["fixed"], row["fills"]) for kind, row in rows}

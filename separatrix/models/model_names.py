"""Configurations by name.

    tf-1-64                  a Transformer of one layer and width 64
    mamba2-4-64              four layers of the mixer mamba2, of width 64
    hybrid-mamba-14-128+1    fourteen layers of the mixer mamba, of width 128, and one of attention above them
    wen2024-mamba-1m         a configuration of a paper: models/published.py

The first word is the name of an architecture or of a mixer; `tf` and `lintf` are short for `transformer` and `linear-attention`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from separatrix.errors import BadInput
from separatrix.models.published import PUBLISHED

FREE = {"feedforward", "block", "positions", "heads"}  # parts of a configuration that may be chosen otherwise beside its name
SHORT = {"tf": "transformer", "lintf": "linear-attention"}
PATTERN = re.compile(r"(?P<model>[a-z][a-z0-9-]*?)-(?P<layers>\d+)-(?P<width>\d+)")
LABEL = re.compile(r"(?P<model>[A-Za-z][A-Za-z0-9-]*?)-\((?P<layers>\d+), ?(?P<width>\d+)\)")
HYBRID = re.compile(r"hybrid-(?P<mixer>[a-z][a-z0-9-]*?)-(?P<layers>\d+)-(?P<width>\d+)\+(?P<attention>\d+)")


def configuration(name: str, chosen: Mapping[str, Any], length: int | None = None) -> tuple[str, dict[str, Any]]:
    """The architecture and parameters that a name stands for; a plain name stands for itself."""
    name = plain_label(name)
    if name in PUBLISHED:
        return PUBLISHED[name].architecture, _beside(name, PUBLISHED[name].sized(length), chosen)
    hybrid, plain = HYBRID.fullmatch(name), PATTERN.fullmatch(name)
    if hybrid is not None:
        below = SHORT.get(hybrid["mixer"], hybrid["mixer"])
        mixers = (below,) * int(hybrid["layers"]) + ("attention",) * int(hybrid["attention"])
        return "stack", _beside(name, {"mixers": mixers, "width": int(hybrid["width"]), "feedforward": None}, chosen)
    if plain is not None:
        sizes = {"layers": int(plain["layers"]), "width": int(plain["width"])}
        return SHORT.get(plain["model"], plain["model"]), _beside(name, sizes, chosen)
    return SHORT.get(name, name), dict(chosen)


def plain_label(name: str) -> str:
    """`Mamba-(6, 256)`, as figures have it, is mamba-6-256; other names stay as they are."""
    label = LABEL.fullmatch(name)
    return name if label is None else f"{label['model'].lower()}-{label['layers']}-{label['width']}"


def _beside(name: str, sizes: dict[str, Any], chosen: Mapping[str, Any]) -> dict[str, Any]:
    """The sizes in the name together with the parameters chosen besides."""
    for key in sizes.keys() & chosen.keys() - FREE:
        raise BadInput(f"model {name}: its name says {key} = {sizes[key]}, found {key}={chosen[key]}")
    return {**sizes, **chosen}

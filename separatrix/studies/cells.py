"""The cells of a study as trials. A study that can be swept has a function `cells(scale)` that returns their configurations.

    def cells(scale: str) -> list[dict[str, Any]]:
        return [{"kind": "train", "run": ...}, ...]

Your own study needs only this function: `separatrix sweep file.py:cells`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from separatrix.errors import BadInput
from separatrix.naming import load

SCALES = ("smoke", "laptop", "paper")


def study_cells(study: str, scale: str) -> list[dict[str, Any]]:
    """The configurations of a study at a scale."""
    from separatrix.studies import STUDIES
    from separatrix.studies import study as find_study

    if scale not in SCALES:
        raise BadInput(f"unknown scale {scale!r}: expected one of {', '.join(SCALES)}")
    if ":" not in study and find_study(study).results_of:
        raise BadInput(f"study {study} reads the rows of {find_study(study).results_of}: sweep that one")
    cells = load(study) if ":" in study else getattr(import_module(STUDIES[find_study(study).name]), "cells", None)
    if not callable(cells):
        raise BadInput(f"study {study} has no cells to sweep: it trains nothing, or `separatrix study {study} --run` trains it")
    configurations = list(cells(scale))
    if not configurations:
        raise BadInput(f"study {study} has no cells at scale {scale}")
    return configurations

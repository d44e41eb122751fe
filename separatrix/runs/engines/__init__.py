"""Engines, which run trials: name -> place of the class; an engine's parameters are those of its `__init__`."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from separatrix.errors import BadInput, did_you_mean
from separatrix.parameters import parameters, typed
from separatrix.runs.engines.engine import Engine, Job

ENGINES = {
    "local": "separatrix.runs.engines.local:Local",
    "ray": "separatrix.runs.engines.ray_tasks:RayTasks",
    "slurm": "separatrix.runs.engines.slurm:Slurm",
}

__all__ = ["ENGINES", "Engine", "Job", "make_engine"]


def make_engine(name: str, chosen: Mapping[str, Any], folder: Path) -> Engine:
    """An engine, ready to take jobs. One that returns outcomes as files has a parameter `folder`."""
    if name not in ENGINES:
        raise BadInput(f"unknown engine {name!r}: expected one of {', '.join(ENGINES)}{did_you_mean(name, ENGINES)}")
    module, attribute = ENGINES[name].split(":")
    maker = getattr(import_module(module), attribute)
    fixed = {"folder": str(folder)} if "folder" in parameters(maker) else {}
    engine: Engine = maker(**typed(maker, {**fixed, **chosen}, f"engine {name}"))
    return engine

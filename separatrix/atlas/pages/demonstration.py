"""A proof on single runs: the trace of a construction at a size small enough to draw."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from markupsafe import Markup

from separatrix.atlas.drawing import grid_picture
from separatrix.atlas.typography import vector

DRAWN_VALUES = ("weights",)  # values of a step that the bars already show

Shown = TypeVar("Shown")


@dataclass(frozen=True)
class Bar:
    """One key: its place, its token, and the weight that the reading position puts on it."""

    place: int
    token: str
    weight: float
    heaviest: bool


@dataclass(frozen=True)
class Head:
    """What one head did: bars if one position reads, a grid if all do."""

    name: str
    bars: tuple[Bar, ...] = ()
    grid: Markup | None = None


@dataclass(frozen=True)
class ShownStep:
    """One step of the proof with its values as text."""

    title: str
    says: str
    values: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Run:
    """One input, its steps, and the answer."""

    label: str
    text: str
    command: str  # prints the same on the terminal
    heads: tuple[Head, ...]
    steps: tuple[ShownStep, ...]
    answer: str
    right: bool


@dataclass(frozen=True)
class Choice(Generic[Shown]):
    """What a reader can choose from in one family of inputs: runs, or drawn examples."""

    name: str
    items: str
    runs: tuple[Shown, ...]


@dataclass(frozen=True)
class Demonstration:
    """A small build and the runs that a reader can choose from."""

    title: str
    settings: tuple[tuple[str, str], ...]
    choices: tuple[Choice[Run], ...]


def demonstration(construction: str, trace: dict[str, Any] | None) -> Demonstration | None:
    """The runs of a stored trace; None if the construction does not describe its steps."""
    if trace is None:
        return None
    settings = trace["settings"]
    line = explain_line(construction, settings)
    choices = tuple(
        Choice(family["name"], family["items"], tuple(_run(run, line) for run in family["runs"])) for family in trace["families"]
    )
    return Demonstration(
        f"The construction, run at N = {settings['length']}", tuple((key, vector(value)) for key, value in settings.items()), choices
    )


def explain_line(construction: str, settings: dict[str, Any]) -> str:
    """The command that prints the same steps on the terminal, up to its input."""
    words = ["separatrix", "explain", construction, "--length", str(settings["length"])]
    for key, value in settings.items():
        if key == "arithmetic":
            words += ["--arithmetic", str(value)]
        elif key != "length":
            text = ",".join(map(str, value)) if isinstance(value, list) else str(value).lower() if isinstance(value, bool) else str(value)
            words += ["--set", f"{key}={text}"]
    return shlex.join(words)


def _run(run: dict[str, Any], line: str) -> Run:
    steps = tuple(
        ShownStep(
            step["title"], step["says"], tuple((key, vector(value)) for key, value in step["values"].items() if key not in DRAWN_VALUES)
        )
        for step in run["steps"]
    )
    return Run(run["label"], run["text"], f"{line} --input {shlex.quote(run['text'])}", _heads(run), steps, run["said"], run["right"])


def _heads(run: dict[str, Any]) -> tuple[Head, ...]:
    heads = []
    for layer, attention in enumerate(run["attention"], 1):
        for number, weights in enumerate(attention, 1):
            name = f"Layer {layer}, head {number}"
            bars = len(weights) == 1
            heads.append(Head(name, _bars(run["words"], weights[0])) if bars else Head(name, grid=grid_picture(weights, name)))
    return tuple(heads)


def _bars(words: list[str], weights: list[float]) -> tuple[Bar, ...]:
    second, first = sorted([0.0, *weights])[-2:]  # if several share the maximum, none is the heaviest
    alone = first - second > 1e-6
    return tuple(Bar(i, word, weight, alone and weight == first) for i, (word, weight) in enumerate(zip(words, weights, strict=True), 1))

"""A proof told over single runs: the construction of a certificate, built again at a size that can be drawn."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from separatrix.atlas.drawing import grid_picture
from separatrix.atlas.examples import families
from separatrix.atlas.found import Found
from separatrix.atlas.typography import vector
from separatrix.constructions import CONSTRUCTIONS, build, parameters_of
from separatrix.errors import BadInput

if TYPE_CHECKING:
    from separatrix.certificates.claim import Built, Step, Trace

DRAWN_LENGTH = 16
DRAWN_VALUES = ("weights",)  # values of a step that the bars already show


@dataclass(frozen=True)
class Bar:
    """One key: its place, the token there, and the weight that the reading position puts on it."""

    place: int
    token: str
    weight: float
    heaviest: bool


@dataclass(frozen=True)
class Head:
    """What one head did: bars where one position reads, a grid where all do."""

    name: str
    bars: tuple[Bar, ...] = ()
    grid: Markup | None = None


@dataclass(frozen=True)
class Told:
    """One step of the proof with its values as text."""

    title: str
    says: str
    values: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Run:
    """One input, what happened to it, and what came out."""

    label: str
    text: str
    command: str  # tells the same on the terminal
    heads: tuple[Head, ...]
    steps: tuple[Told, ...]
    said: str
    right: bool


@dataclass(frozen=True)
class Choice:
    """Runs of one family of inputs."""

    name: str
    items: str
    runs: tuple[Run, ...]


@dataclass(frozen=True)
class Demonstration:
    """A small build and the runs that a reader can choose from."""

    title: str
    settings: tuple[tuple[str, str], ...]
    choices: tuple[Choice, ...]


def demonstrate(group: tuple[Found, ...]) -> Demonstration | None:
    """Runs of the construction that these certificates are about; None where it cannot be built again or tells no steps.

    The shortest certificate that is long enough to be worth drawing gives the parameters.
    """
    certificate = next((one for one in group if (one.length or 0) >= DRAWN_LENGTH), group[-1])
    chosen = _chosen(certificate)
    if chosen is None:
        return None
    try:
        built = build(certificate.subject, **chosen)
    except BadInput:  # this construction has no such length
        return None
    if built.steps is None:
        return None
    line = explain_line(certificate.subject, chosen)
    choices = tuple(
        Choice(family.name, family.items, tuple(run(built, label, tokens, line) for label, tokens in family.inputs))
        for family in families(built.task)
    )
    settings = tuple((key, vector(value)) for key, value in chosen.items())
    return Demonstration(f"The proof, run at N = {built.task.length}", settings, choices)


def _chosen(certificate: Found) -> dict[str, Any] | None:
    """What the construction takes of what the certificate records, at the drawn length."""
    if certificate.subject not in CONSTRUCTIONS:
        return None
    known = parameters_of(certificate.subject)
    chosen = {key: value for key, value in certificate.settings.items() if key in known}
    return None if certificate.length is None else {**chosen, "length": min(certificate.length, DRAWN_LENGTH)}


def explain_line(construction: str, chosen: dict[str, Any]) -> str:
    """The command that tells the same steps on the terminal, up to its input."""
    words = ["separatrix", "explain", construction, "--length", str(chosen["length"])]
    for key, value in chosen.items():
        if key == "arithmetic":
            words += ["--arithmetic", str(value)]
        elif key != "length":
            text = ",".join(map(str, value)) if isinstance(value, list) else str(value).lower() if isinstance(value, bool) else str(value)
            words += ["--set", f"{key}={text}"]
    return shlex.join(words)


def run(built: Built, label: str, tokens: tuple[int, ...], line: str) -> Run:
    """One input through the model, and the proof told over it."""
    trace = built.trace(tokens)
    assert built.steps is not None
    said = int(trace.logits.argmax())
    steps = tuple(_told(step) for step in built.steps(trace))
    text = built.task.text(tokens)
    answer = built.task.answer(tokens)
    right = said == (answer[-1] if isinstance(answer, tuple) else answer)  # the trace reads the last token
    return Run(label, text, f"{line} --input {shlex.quote(text)}", _heads(built, trace), steps, built.task.target_text(said), right)


def _heads(built: Built, trace: Trace) -> tuple[Head, ...]:
    words = [built.task.text([token]) for token in trace.tokens]
    heads = []
    for layer, attention in enumerate(trace.attention, 1):
        for number, weights in enumerate(attention.tolist(), 1):
            name = f"Layer {layer}, head {number}"
            heads.append(Head(name, _bars(words, weights[0])) if len(weights) == 1 else Head(name, grid=grid_picture(weights, name)))
    return tuple(heads)


def _bars(words: list[str], weights: list[float]) -> tuple[Bar, ...]:
    second, first = sorted([0.0, *weights])[-2:]  # where several share the top, none is the heaviest
    alone = first - second > 1e-6
    return tuple(Bar(i, word, weight, alone and weight == first) for i, (word, weight) in enumerate(zip(words, weights, strict=True), 1))


def _told(step: Step) -> Told:
    return Told(step.title, step.says, tuple((key, vector(value)) for key, value in step.values.items() if key not in DRAWN_VALUES))

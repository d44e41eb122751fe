"""Single runs of a construction, step by step: what each head read, with the sentences of the proof, at a size small enough to draw."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from separatrix.constructions import construction
from separatrix.records.examples import families

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

DRAWN_LENGTH = 16
DIGITS = 9  # of an attention weight


def drawn_settings(name: str) -> dict[str, Any]:
    """The first quick size long enough to draw, else the longest, at the drawn length."""
    quick = construction(name).quick
    size = next((settings for settings in quick if settings["length"] >= DRAWN_LENGTH), quick[-1])
    return {**size, "length": min(size["length"], DRAWN_LENGTH)}


def trace_record(name: str, settings: dict[str, Any]) -> dict[str, Any] | None:
    """The runs offered to the reader; None if the construction does not describe its steps."""
    from separatrix.constructions import build

    built = build(name, **settings)
    if built.steps is None:
        return None
    return {
        "settings": {**settings, "arithmetic": built.claim.arithmetic},
        "families": [
            {"name": family.name, "items": family.items, "runs": [run(built, label, tokens) for label, tokens in family.inputs]}
            for family in families(built.task)
        ],
    }


def run(built: Built, label: str, tokens: tuple[int, ...]) -> dict[str, Any]:
    """Run one input through the model, with the proof's sentence for each step."""
    trace = built.trace(tokens)
    assert built.steps is not None
    predicted, answer = int(trace.logits.argmax()), built.task.answer(tokens)
    return {
        "label": label,
        "text": built.task.text(tokens),
        "words": [built.task.text([token]) for token in tokens],
        "attention": [
            [[[round(weight, DIGITS) for weight in row] for row in head] for head in layer.tolist()] for layer in trace.attention
        ],  # [layers][heads][queries][keys]
        "steps": [{"title": step.title, "says": step.says, "values": step.values} for step in built.steps(trace)],
        "said": built.task.target_text(predicted),
        "right": predicted == (answer[-1] if isinstance(answer, tuple) else answer),  # the trace reads the last token
    }

"""Single runs of a construction, step by step: what each head read, with the sentences of the proof, at a size small enough to draw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from separatrix.constructions import construction
from separatrix.tasks import Task
from separatrix.tasks.index_lookup import IndexLookup

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
            {"name": family.name, "items": family.items, "runs": [run(built, label, tokens) for label, tokens in spread(family.inputs)]}
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


SHOWN = 3  # examples per family, unless the task has a better choice
MOST = 16  # of those too: a page has room for no more


def spread(inputs: tuple[tuple[str, tuple[int, ...]], ...]) -> list[tuple[str, tuple[int, ...]]]:
    """At most `MOST` of them, the first and the last among them."""
    if len(inputs) <= MOST:
        return [*inputs]
    return [inputs[i * (len(inputs) - 1) // (MOST - 1)] for i in range(MOST)]


@dataclass(frozen=True)
class Family:
    """Inputs that belong together, each with a short label."""

    name: str
    items: str  # what the labels count: "Queried place, p"
    inputs: tuple[tuple[str, tuple[int, ...]], ...]


def families(task: Task) -> tuple[Family, ...]:
    """The inputs offered to the reader."""
    if isinstance(task, IndexLookup):
        return _every_place(task)
    return tuple(_sampled(task, kind) for kind in task.case_kinds)


def _every_place(task: IndexLookup) -> tuple[Family, ...]:
    """One string queried at every place, and the strings in which all other symbols differ as much as possible."""
    drawn = task.sample(0, 1).row(0)[:-1]
    queries = [(*drawn, task.symbols + p) for p in range(task.length)]
    adverse = task.complement(0, task.length)
    return (
        _numbered("random symbols", "Queried place, p", queries),
        _numbered("adversarial: all others differ in every bit", "Queried place, p", [adverse.row(p) for p in range(task.length)]),
    )


def _sampled(task: Task, kind: str) -> Family:
    batch = task.cases(kind, 0, SHOWN)
    return _numbered(kind, "Example", [batch.row(r) for r in range(len(batch.tokens))])


def _numbered(name: str, items: str, inputs: list[tuple[int, ...]]) -> Family:
    return Family(name, items, tuple((str(number), tokens) for number, tokens in enumerate(inputs, 1)))

"""`separatrix explain`: one run, step by step: what each head read, each slot's value, with the proof's sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from separatrix.cli.options import json_option, set_option
from separatrix.cli.printing import emit
from separatrix.errors import BadInput

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

from separatrix.cli.build import built_by_name


@click.command()
@click.argument("name")
@click.option("--input", "text", help="The input as text; default: an example of the task.")
@click.option("--length", type=int, help="The paper's N; default: what the input needs, or 16.")
@click.option("--arithmetic", help="float64 float32 ...")
@set_option
@json_option
def explain(name: str, text: str | None, length: int | None, arithmetic: str | None, chosen: tuple[str, ...], as_json: bool) -> None:
    """One run, step by step: what each head read, each slot's value, with the proof's sentence."""
    built, tokens = _example(name, text, length, arithmetic, chosen)
    steps = built.explain(tokens)
    document = {
        "input": built.task.text(tokens),
        "steps": [{"title": step.title, "says": step.says, "values": step.values} for step in steps],
        "expected": built.task.answer(tokens),
    }
    lines = [built.task.text(tokens)]
    for number, step in enumerate(steps, 1):
        lines += [f"{number}. {step.title}: {step.says}", *(f"     {key}: {value}" for key, value in step.values.items())]
    emit(document, lines, as_json)


def _example(
    name: str, text: str | None, length: int | None, arithmetic: str | None, chosen: tuple[str, ...]
) -> tuple[Built, tuple[int, ...]]:
    """A construction and an input for it; without a length, the first length at which the text is a valid input."""
    if text is None:
        built = built_by_name(name, 16 if length is None else length, arithmetic, chosen)
        return built, built.task.sample(0, 1).row(0)
    words = len(text.split())
    refused: BadInput | None = None
    for candidate in (length,) if length is not None else (words - 1, words, (words + 1) // 2, words // 2):
        try:
            built = built_by_name(name, candidate, arithmetic, chosen)
            tokens = built.task.read(text)
        except BadInput as error:
            refused = refused or error
            continue
        if built.task.answer(tokens) is not None:
            return built, tokens
        refused = refused or BadInput(f"{built.task.name}: {built.task.text(tokens)!r} is not a valid input")
    assert refused is not None
    raise refused

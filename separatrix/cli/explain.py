"""`separatrix explain`: one run, step by step: what each head read, each slot's value, with the proof's sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from separatrix.cli.build import built_by_name
from separatrix.cli.completion import CONSTRUCTION_NAMES
from separatrix.cli.options import LENGTH_HELP, json_option, set_option, with_length
from separatrix.cli.printing import emit
from separatrix.errors import BadInput

if TYPE_CHECKING:
    from separatrix.certificates.built import Built
    from separatrix.tasks import Task

SHORT, LONGEST = 16, 4096  # the length of an example, and the longest text whose length is inferred


@click.command()
@click.argument("name", shell_complete=CONSTRUCTION_NAMES)
@click.option("--input", "text", help="The input as text; default: an example of the task.")
@click.option("--length", type=int, help=f"{LENGTH_HELP} Default: the least that the input needs, or {SHORT}.")
@click.option("--arithmetic", help="float64 float32 ...")
@set_option
@json_option
def explain(name: str, text: str | None, length: int | None, arithmetic: str | None, chosen: tuple[str, ...], as_json: bool) -> None:
    """Run a construction on one input, step by step: what each head reads, what each value is, and the proof's sentence for it."""
    built, tokens = _example(name, text, length, arithmetic, chosen)
    steps = built.explain(tokens)
    document = {
        "input": built.task.text(tokens),
        "steps": [{"title": step.title, "says": step.says, "values": step.values} for step in steps],
        "expected": built.task.answer(tokens),
    }
    lines = [built.task.text(tokens)]
    for number, step in enumerate(steps, 1):
        lines += [f"{number}. {step.title}: {step.says}", *(f"     {key}: {_shown(value)}" for key, value in step.values.items())]
    if not any("expected" in step.values for step in steps) and isinstance(document["expected"], int):
        lines.append(f"the right answer: {built.task.target_text(document['expected'])}")
    emit(document, lines, as_json)


def _shown(value: Any) -> Any:
    """Numbers with six digits; --json has all of them."""
    if isinstance(value, float):
        return f"{value:.6g}"
    return f"[{', '.join(str(_shown(each)) for each in value)}]" if isinstance(value, list | tuple) else value


def _example(
    name: str, text: str | None, length: int | None, arithmetic: str | None, chosen: tuple[str, ...]
) -> tuple[Built, tuple[int, ...]]:
    """A construction and an input for it: the text at the least length that takes it, or an example."""
    from separatrix.constructions import default_length, task_of

    parameters = with_length(chosen, length)
    short = min(SHORT, default_length(name))
    if text is None:
        built = built_by_name(name, length, arithmetic, chosen, short)
        return built, built.task.sample(0, 1).row(0)
    of_task = {key: value for key, value in parameters.items() if key != "length"}
    lengths = [parameters["length"]] if "length" in parameters else range(1, min(len(text), LONGEST) + 1)
    of_length, of_text, fits = "", "", False
    for candidate in lengths:
        try:
            task = task_of(name, **of_task, length=candidate)
        except BadInput as error:  # a task may refuse some lengths
            of_length = str(error)
            continue
        try:
            tokens = _input(task, text)
        except BadInput as error:
            if not fits:  # the best reason is that of a length with as many tokens as there are words, or else letters
                of_text, fits = str(error), task.token_count in (len(text.split()), len(text))
            continue
        return built_by_name(name, candidate, arithmetic, tuple(f"{key}={value}" for key, value in of_task.items())), tokens
    if not of_text and "length" in parameters:
        raise BadInput(of_length)
    example = task_of(name, **{"length": short, **parameters})
    shown = example.text(example.sample(0, 1).row(0))
    raise BadInput(f"{of_text or of_length or f'{example.name}: the input is empty'}; an input of length {example.length} reads {shown!r}")


def _input(task: Task, text: str) -> tuple[int, ...]:
    """The text as tokens of the task, refused where they are not an input of it."""
    tokens = task.read(text)
    if len(tokens) > task.token_count:
        raise BadInput(f"{task.name}: {len(tokens)} tokens, expected at most {task.token_count} at length {task.length}")
    if task.answer(tokens) is None:
        raise BadInput(f"{task.name}: {task.text(tokens)!r} is not a valid input at length {task.length}")
    return tokens

"""`separatrix collide`: two inputs that a model must confuse: by its state, by the bits it sends, or because tokens were fixed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from separatrix.cli.communication import positions
from separatrix.cli.completion import TASK_NAMES, model_or_file
from separatrix.cli.grammar import model_and_task
from separatrix.cli.options import LENGTH_HELP, json_option, set_option
from separatrix.cli.printing import emit
from separatrix.errors import BadInput
from separatrix.parameters import settings

if TYPE_CHECKING:
    from separatrix.models.model import Model
    from separatrix.tasks import Task


@click.command()
@click.argument("model", shell_complete=model_or_file)
@click.argument("task", shell_complete=TASK_NAMES)
@click.option("--length", type=int, required=True, help=LENGTH_HELP)
@click.option("--alice", help="Compare the transcripts of a one-layer model in fixed point instead; Alice's positions from 0, as in 0,2,4.")
@click.option("--restrict", is_flag=True, help="Fix tokens until a hard-attention model gives one answer whatever the others are.")
@click.option("--code", multiple=True, metavar="FILE:NAME", help="A file of your own code that the model needs and may run.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="File for the certificate.")
@set_option
@json_option
def collide(
    model: str,
    task: str,
    length: int,
    alice: str | None,
    restrict: bool,
    code: tuple[str, ...],
    out: Path | None,
    chosen: tuple[str, ...],
    as_json: bool,
) -> int:
    """Find two prefixes that a model confuses and a suffix that tells them apart, among all inputs of one length.

    With --restrict, two inputs that a hard-attention model confuses, at any length: tokens are fixed layer by layer until the model
    ignores the rest.

    MODEL is a built folder, the folder of a run, or file.py:Name. Exit code 1 where a collision refutes the model.
    """
    from separatrix.certificates.files import write_document
    from separatrix.models.model import Model
    from separatrix.refuters.collisions import colliding_prefixes, colliding_transcripts
    from separatrix.runs.load import load_model
    from separatrix.tasks import make_task

    model, task = model_and_task(model, task)
    subject = make_task(task, **{**settings(chosen), "length": length})
    loaded = load_model(model, subject, code)
    if not isinstance(loaded, Model):
        raise BadInput(f"{model}: a collision needs a model that reads token by token, found {type(loaded).__name__}")
    if restrict:
        if alice is not None:
            raise BadInput("--alice compares transcripts and --restrict fixes tokens: expected one of them")
        return _restricted(model, loaded, subject, out, as_json)
    search = colliding_prefixes(loaded, subject) if alice is None else colliding_transcripts(loaded, subject, positions(alice))
    tried = ", ".join(f"{count:,} {what}" for what, count in search.tried.items())
    if search.certificate is None:
        emit(search.document(), [f"{model} on {task}, N = {length}: no collision ({tried})"], as_json)
        return 0
    lines = [f"{model} on {task}, N = {length}: REFUTED ({tried})"]
    if alice is None:
        (x, y), suffix = search.certificate["prefixes"], search.certificate["suffix"]
        lines.append(f"  after {subject.text(x)!r} and {subject.text(y)!r} it is in one state")
        wanted = " and ".join(map(str, search.certificate["expected"]))
        lines.append(f"  before {subject.text(suffix)!r} the answers are {wanted}, and it says {search.certificate['said']} both times")
    else:
        for role, tokens in zip(("x", "y", "crossed", "crossed"), _four(search.certificate), strict=True):
            lines.append(f"  {role}: {subject.text(tokens)}")
        lines.append(f"  it sends the same {search.certificate['bits']} bits on all four and says {search.certificate['said']}")
    if out is not None:
        write_document(out, search.certificate)
        lines.append(f"wrote {out}; `separatrix check {out}` runs it again")
    emit(search.document(), lines, as_json)
    return 1


def _restricted(name: str, model: Model, task: Task, out: Path | None, as_json: bool) -> int:
    """Fix tokens until the model is constant; print what is left, and write the certificate."""
    from separatrix.certificates.files import write_document
    from separatrix.checker import check_document
    from separatrix.refuters.restrictions import certificates, refuted

    found = refuted(model, task)
    about = f"{name} on {task.name}, N = {task.length}"
    if found is None:
        emit({"found": False, "tried": {"tokens": task.token_count}}, [f"{about}: no restriction found"], as_json)
        return 0
    certificate, _ = certificates(model, task, found)
    verdict = check_document(certificate)
    if not verdict.holds:  # scores that tie up to rounding: another program may attend elsewhere
        emit({"found": False, "tried": {"tokens": task.token_count}}, [f"{about}: not certified: {verdict.reason}"], as_json)
        return 0
    shown = ["." if token is None else task.text([token]) for token in found.restriction]
    lines = [
        f"{about}: REFUTED ({task.token_count - found.free} of {task.token_count} tokens fixed)",
        f"  {' '.join(shown)}",
        f"  it says {found.said} whatever the {found.free} others are; of two completions the answers are "
        + " and ".join(map(str, certificate["expected"])),
        theorem_line(*_shape(model), task.token_count, found.free),
    ]
    if out is not None:
        write_document(out, certificate)
        lines.append(f"wrote {out}; `separatrix check {out}` derives it again")
    emit(certificate, lines, as_json)
    return 1


def _shape(model: Model) -> tuple[int, int]:
    """Layers, and the most heads of one."""
    layers = model.config.layers
    return len(layers), max(getattr(layer.mixer, "heads", 1) for layer in layers)


def theorem_line(layers: int, heads: int, tokens: int, free: int) -> str:
    """The length from which the theorem refutes every model of this shape, beside what the search has done to this one."""
    from separatrix.bounds.languages.depth_reduction import DEEPEST, MOST_HEADS, DepthReduction

    if layers > DEEPEST or heads > MOST_HEADS:
        every = f"for every model of {layers} layers and {heads} heads from a length on that is too large to write out"
    else:
        least = DepthReduction(layers, heads).least
        shown = f"{least:,}" if least < 10**15 else f"2^{least.bit_length():,}"
        every = f"for every model of {layers} layers and {heads} heads, on PARITY, from {shown} tokens on"
    return (
        f"  the theorem's own constants do this {every}; the search did it to this model at {tokens} tokens, of which it leaves {free} free"
    )


def _four(certificate: dict[str, list[list[int]]]) -> list[list[int]]:
    return [certificate["x"], certificate["y"], *certificate["crossed"]]  # type: ignore[list-item]

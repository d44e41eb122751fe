"""`separatrix ceiling`: best accuracy with B bits of state, or least bits for accuracy A, over the task's own distribution."""

from __future__ import annotations

import click

from separatrix.cli.completion import TASK_NAMES
from separatrix.cli.options import LENGTH_HELP, set_option, with_length
from separatrix.cli.report import Report, reporting
from separatrix.errors import BadInput


@click.command()
@click.argument("task", shell_complete=TASK_NAMES)
@click.option("--length", type=int, required=True, help=LENGTH_HELP)
@click.option("--state-bits", type=int, help="Bits of state; prints the best possible accuracy.")
@click.option("--accuracy", type=float, help="An accuracy; prints the least bits of state.")
@set_option
@reporting
def ceiling(task: str, length: int, state_bits: int | None, accuracy: float | None, chosen: tuple[str, ...]) -> Report:
    """The best accuracy that B bits of state allow, or the least bits for accuracy A, over the task's own distribution."""
    from separatrix.bounds.limits import task_ceiling
    from separatrix.tasks import make_task

    if (state_bits is None) == (accuracy is None):
        raise BadInput("ceiling expects either --state-bits or --accuracy")
    best = task_ceiling(make_task(task, **with_length(chosen, length)), state_bits, accuracy)
    document = {
        "task": task,
        "length": length,
        "accuracy": best.accuracy,
        "bits": best.bits,
        "method": best.method,
        "attained": best.attained,
    }
    reached = "" if best.attained is None else f"; {best.attained:.6g} is attained"
    return Report(document, [f"with {best.bits} bits of state: accuracy at most {best.accuracy:.6g}{reached}   ({best.method})"])

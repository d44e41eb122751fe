"""`separatrix audit`: balance, duplicates between seeds, oracle against a second solver."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from separatrix.cli.completion import TASK_NAMES
from separatrix.cli.options import LENGTH_HELP, set_option, with_length
from separatrix.cli.printing import percent
from separatrix.cli.report import Report, Table, reporting
from separatrix.cli.sample import MOST
from separatrix.cli.scores import label_lines
from separatrix.errors import BadInput

if TYPE_CHECKING:
    from separatrix.bounds.programs.chain_facts import ChainFacts
    from separatrix.tasks import Task

SOLVED = 0.999  # accuracy of a shortcut


@click.command()
@click.argument("task", shell_complete=TASK_NAMES)
@click.option("--length", type=int, required=True, help=LENGTH_HELP)
@click.option("--count", type=int, default=1000, show_default=True, help="Examples per seed; two seeds are compared.")
@click.option("--seed", type=int, default=0, show_default=True)
@set_option
@reporting
def audit(task: str, length: int, count: int, seed: int, chosen: tuple[str, ...]) -> Report:
    """Check a task's data: label balance, duplicates, a second solver, and what shortcuts score. Exit code 1 if the solvers disagree."""
    from separatrix.bounds.programs.chain_facts import chain_facts
    from separatrix.tasks import make_task
    from separatrix.tasks.audit.audit import audit as look

    if count > MOST:
        raise BadInput(f"--count must be at most {MOST}, found {count}")
    subject = make_task(task, **with_length(chosen, length))
    report = look(subject, count, seed)
    facts = chain_facts(subject, seed)
    parts: list[Table | str] = [f"{task}, length {length}: {count} examples of seed {seed} and {count} of seed {seed + 1}"]
    parts += [
        "balance: " + ", ".join(f"label {label} {percent(share)}" for label, share in report["balance"].items()),
        *label_lines(subject),
    ]
    parts += [f"duplicates between the seeds: {report['duplicates']}"]
    solver = "oracle and second solver" if report["second_solver"] else "labels and oracle (no second solver)"
    parts += [f"disagreements of {solver}: {report['disagreements']}"]
    parts += ["shortcuts, fitted on the first seed and scored on the second:"]
    parts += [Table(("shortcut", "accuracy"), [(name, percent(accuracy)) for name, accuracy in report["shortcuts"].items()])]
    parts += [f"{name} solves the task: a model that finds it has learned no more" for name in _solving(report["shortcuts"])]
    if facts is not None:
        which = f"all {facts.inputs} inputs" if facts.every else f"{facts.inputs} inputs drawn"
        least = "" if facts.every else "at least "
        parts += [f"chains of {which}: up to {facts.longest} tokens; each follows from its place and the last {least}{facts.locality}"]
        parts += [_regularity(facts, subject)]
        report |= {
            "chain": {
                "inputs": facts.inputs,
                "every": facts.every,
                "longest": facts.longest,
                "locality": facts.locality,
                "chains": facts.chains,
                "regular": facts.regular,
                "alike": None if facts.alike is None else [list(tokens) for tokens in facts.alike],
            }
        }
    return Report(report, parts, code=0 if report["disagreements"] == 0 else 1)


def _solving(shortcuts: dict[str, float]) -> list[str]:
    """Shortcuts that need no model."""
    return [name for name, accuracy in shortcuts.items() if accuracy >= SOLVED]


def _regularity(facts: ChainFacts, task: Task) -> str:
    if facts.alike is not None:
        one, other = map(task.text, facts.alike)
        return f"not regular: {facts.chains} chains; {one} and {other} have the same"
    return "regular: every input has a chain of its own" if facts.every else f"no two of {facts.inputs} inputs have one chain"

"""Lower bounds: state profiles and explicit bounds. No torch."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from separatrix.cli.printing import emit, json_option, set_option, table
from separatrix.errors import BadInput
from separatrix.parameters import settings

if TYPE_CHECKING:
    from separatrix.tasks import Task


@click.command()
@click.argument("task")
@click.option("--length", type=int, required=True, help="The paper's N.")
@click.option("--out", type=click.Path(path_type=Path), help="File for the certificate of a profile that was counted.")
@set_option
@json_option
def profile(task: str, length: int, out: Path | None, chosen: tuple[str, ...], as_json: bool) -> None:
    """States any recurrent model must distinguish after each token, counted, or by a closed form that is named."""
    from separatrix.bounds.states.task_profile import task_profile
    from separatrix.tasks import make_task

    made = make_task(task, length=length, **settings(chosen))
    found = task_profile(made)
    if out is not None:
        _certify(made, found.method, out)
    document = {
        "task": task, "classes": list(found.classes), "classes_lower": list(found.classes_lower),
        "classes_upper": list(found.classes_upper), "bits": found.bits, "bits_upper": found.bits_upper, "method": found.method,
    }  # fmt: skip
    shown: list[tuple[Any, str, str]] = [
        (t, _count(lower), _count(upper)) for t, (lower, upper) in enumerate(zip(found.classes_lower, found.classes_upper, strict=True))
    ]
    if len(shown) > 60:
        shown = [*shown[:20], ("...", "...", "..."), *shown[-20:]]
    bits = f"{found.bits}" if found.bits == found.bits_upper else f"at least {found.bits}, and {found.bits_upper} suffice"
    lines = [*table(("after token", "states at least", "states suffice"), shown), f"bits of state: {bits}   ({found.method})"]
    if out is not None:
        lines.append(f"wrote {out}; `separatrix check {out}` counts again")
    emit(document, lines, as_json)


def _certify(task: Task, method: str, out: Path) -> None:
    """Write the certificate of a profile: of the task by name where the checker has it, else of the table of its answers."""
    from separatrix.bounds.witnesses import certify_profile, question_for
    from separatrix.certificates.files import write_file
    from separatrix.checker import canonical

    if not method.startswith("counted"):
        raise BadInput(f"--out: only a profile that was counted is certified, this one is by {method}; choose a smaller --length")
    write_file(out, (canonical(certify_profile(question_for(task))) + "\n").encode())


def _count(states: int) -> str:
    return str(states) if states < 10**12 else f"about 2^{states.bit_length() - 1}"


@click.command()
@click.argument("task")
@click.option("--length", type=int, required=True, help="The paper's N.")
@click.option("--precision", help="Bits of one number, p, or a number format; default 32.", default="32")
@set_option
@json_option
def bounds(task: str, length: int, precision: str, chosen: tuple[str, ...], as_json: bool) -> None:
    """Per architecture: least bits or width, the theorem, whether it is tight, and what was built."""
    from separatrix.arithmetic import parse_format
    from separatrix.bounds.explicit import bounds_for
    from separatrix.bounds.upper import built_for
    from separatrix.tasks import make_task

    made = make_task(task, length=length, **settings(chosen))
    p = int(precision) if precision.isdigit() else parse_format(precision).bits
    if p < 1:
        raise BadInput(f"--precision must be at least 1 bit, found {precision}")
    uppers = {(u.architecture, u.quantity): u for u in built_for(task, made.parameters, p)}
    rows: list[dict[str, Any]] = []
    for bound in bounds_for(task, made.parameters, p):
        upper = uppers.pop((bound.architecture, bound.quantity), None)
        rows.append({**asdict(bound), "built": upper.value if upper else None, "construction": upper.construction if upper else None})
    for upper in uppers.values():
        unbounded = {
            "value": None,
            "formula": "no lower bound is known",
            "cites": "",
            "tight": False,
            "deterministic_only": False,
            "caveat": "",
        }
        where = {"architecture": upper.architecture, "quantity": upper.quantity}
        rows.append({**where, **unbounded, "built": upper.value, "construction": upper.construction})
    lines = table(
        ("architecture", "quantity", "at least", "tight", "built", "cites"),
        [(r["architecture"], r["quantity"], *_shown(r), r["cites"] or r["construction"]) for r in rows],
    )
    emit({"task": task, "length": length, "precision": p, "bounds": rows}, lines or ["no bound on record"], as_json)


def _shown(row: dict[str, Any]) -> tuple[str, str, str]:
    """Value, tightness and what was built, as a person reads them."""
    at_least = "-" if row["value"] is None else str(row["value"])
    return at_least, "yes" if row["tight"] else "no", "-" if row["built"] is None else str(row["built"])


@click.command()
@click.argument("task")
@click.option("--length", type=int, required=True, help="The paper's N.")
@click.option("--state-bits", type=int, help="Bits of state: what accuracy is possible?")
@click.option("--accuracy", type=float, help="An accuracy: how many bits of state does it take?")
@set_option
@json_option
def ceiling(task: str, length: int, state_bits: int | None, accuracy: float | None, chosen: tuple[str, ...], as_json: bool) -> None:
    """Best accuracy with B bits of state, or least bits for accuracy A, over the task's own distribution."""
    from separatrix.bounds.accuracy.task_ceiling import task_ceiling
    from separatrix.tasks import make_task

    if (state_bits is None) == (accuracy is None):
        raise BadInput("ceiling expects either --state-bits or --accuracy")
    found = task_ceiling(make_task(task, length=length, **settings(chosen)), state_bits, accuracy)
    document = {
        "task": task,
        "length": length,
        "accuracy": found.accuracy,
        "bits": found.bits,
        "method": found.method,
        "attained": found.attained,
    }
    reached = "" if found.attained is None else f"; {found.attained:.6g} is attained"
    emit(document, [f"with {found.bits} bits of state: accuracy at most {found.accuracy:.6g}{reached}   ({found.method})"], as_json)


@click.command()
@click.argument("language")
@click.option("--alphabet", help="Its symbols, where the expression does not use all of them.")
@click.option("--length", type=int, help="Also the states at each cut of words of this length.")
@json_option
def language(language: str, alphabet: str | None, length: int | None, as_json: bool) -> None:
    """Minimal automaton, syntactic monoid, star-free or not, recurrent bits, what is known for one-layer and hard-attention models.

    LANGUAGE is a regular expression, or a .json file with an automaton.
    """
    from separatrix.bounds.languages.language import language as report_on

    report = report_on(language, alphabet, length)
    known = {True: "yes", False: "no", None: "not known: the monoid is too large"}
    lines = [
        f"minimal complete automaton: {report['states']} states, {report['bits']} bits for a recurrent model",
        f"syntactic monoid: {report['monoid'] if report['monoid'] is not None else 'more elements than are counted'}",
        f"aperiodic (star-free): {known[report['aperiodic']]}",
        f"in DA: {known[report['in_da']]}",
        *(f"{v['architecture']}: {v['verdict']}. {v['why']} [{v['cites']}]" for v in report["verdicts"]),
    ]
    emit(report, lines, as_json)

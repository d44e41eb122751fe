"""Lower bounds: state profiles and explicit bounds. No torch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from separatrix.cli.printing import emit, json_option, set_option, table
from separatrix.errors import BadInput
from separatrix.parameters import settings

LENGTH_HELP = "N; what it counts is up to the task, and `separatrix tasks` says it (MQAR: 2 x pairs)."


@click.command()
@click.argument("task")
@click.option("--length", type=int, required=True, help=LENGTH_HELP)
@click.option("--out", type=click.Path(path_type=Path), help="File for the certificate of a profile that was counted.")
@set_option
@json_option
def profile(task: str, length: int, out: Path | None, chosen: tuple[str, ...], as_json: bool) -> None:
    """States any recurrent model must distinguish after each token, counted, or by a closed form that is named."""
    from separatrix.bounds.limits import certify_counted, task_profile
    from separatrix.tasks import make_task

    subject = make_task(task, length=length, **settings(chosen))
    states = task_profile(subject)
    if out is not None:
        _write(out, certify_counted(subject))
    shown: list[tuple[Any, str, str]] = [
        (t, _count(lower), _count(upper)) for t, (lower, upper) in enumerate(zip(states.classes_lower, states.classes_upper, strict=True))
    ]
    if len(shown) > 60:
        shown = [*shown[:20], ("...", "...", "..."), *shown[-20:]]
    lines = [
        f"{task}, N = {length} ({subject.length_means})",
        *table(("after token", "states at least", "states suffice"), shown),
        f"bits of state: {states.bits_text}   ({states.method})",
    ]
    if out is not None:
        lines.append(f"wrote {out}; `separatrix check {out}` counts again")
    emit({"task": task, **states.document()}, lines, as_json)


def _write(out: Path, document: dict[str, Any]) -> None:
    from separatrix.certificates.files import write_file
    from separatrix.checker import canonical

    write_file(out, (canonical(document) + "\n").encode())


def _count(states: int) -> str:
    return str(states) if states < 10**12 else f"about 2^{states.bit_length() - 1}"


@click.command()
@click.argument("task")
@click.option("--length", type=int, required=True, help=LENGTH_HELP)
@click.option("--precision", help="Bits of one number, p, or a number format; default 32.", default="32")
@click.option("--out", type=click.Path(path_type=Path), help="Folder for the certificates of the bounds.")
@set_option
@json_option
def bounds(task: str, length: int, precision: str, out: Path | None, chosen: tuple[str, ...], as_json: bool) -> None:
    """Per architecture: least bits or width, the theorem, whether it is tight, and what was built."""
    from separatrix.bounds.table import certificate_name, certificates, number_format
    from separatrix.bounds.table import table as need_and_built
    from separatrix.constructions import constructions
    from separatrix.tasks import make_task

    subject = make_task(task, length=length, **settings(chosen))
    numbers = number_format(precision)
    rows = need_and_built(subject, numbers, constructions())
    written = certificates(rows) if out is not None else {}
    for name, document in written.items():
        assert out is not None
        _write(out / name, document)
    documents = [{**row.document(), "certificate": certificate_name(row) if out is not None else None} for row in rows]
    lines = [
        f"{task}, N = {length} ({subject.length_means}), numbers of {numbers.name or f'{numbers.bits} bits'}",
        *table(
            ("architecture", "quantity", "at least", "tight", "built", "by", "cites", "formula"),
            [(r["architecture"], r["quantity"], *_shown(r), _by(r), r["cites"] or "-", r["formula"]) for r in documents],
        ),
    ]
    if not rows:
        lines = [f"{task}, N = {length}: no bound on record, and too many inputs to count"]
    lines += [f"wrote {out / name}" for name in written if out is not None]
    emit({"task": task, "length": length, "precision": numbers.bits, "bounds": documents}, lines, as_json)


def _by(row: dict[str, Any]) -> str:
    """The construction, with the settings that make it so small."""
    return " ".join([row["construction"], *(f"{key}={value}" for key, value in row["settings"].items())]) if row["construction"] else "-"


def _shown(row: dict[str, Any]) -> tuple[str, str, str]:
    """Value, tightness and what was built, as a person reads them."""
    at_least = "-" if row["value"] is None else str(row["value"])
    return at_least, "yes" if row["tight"] else "no", "-" if row["built"] is None else str(row["built"])


@click.command()
@click.argument("task")
@click.option("--length", type=int, required=True, help=LENGTH_HELP)
@click.option("--state-bits", type=int, help="Bits of state: what accuracy is possible?")
@click.option("--accuracy", type=float, help="An accuracy: how many bits of state does it take?")
@set_option
@json_option
def ceiling(task: str, length: int, state_bits: int | None, accuracy: float | None, chosen: tuple[str, ...], as_json: bool) -> None:
    """Best accuracy with B bits of state, or least bits for accuracy A, over the task's own distribution."""
    from separatrix.bounds.limits import task_ceiling
    from separatrix.tasks import make_task

    if (state_bits is None) == (accuracy is None):
        raise BadInput("ceiling expects either --state-bits or --accuracy")
    best = task_ceiling(make_task(task, length=length, **settings(chosen)), state_bits, accuracy)
    document = {
        "task": task,
        "length": length,
        "accuracy": best.accuracy,
        "bits": best.bits,
        "method": best.method,
        "attained": best.attained,
    }
    reached = "" if best.attained is None else f"; {best.attained:.6g} is attained"
    emit(document, [f"with {best.bits} bits of state: accuracy at most {best.accuracy:.6g}{reached}   ({best.method})"], as_json)


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

"""`separatrix probe`: a model through the suite of small tasks, as a table, JSON and one page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from separatrix.cli.completion import model_or_file
from separatrix.cli.options import json_option
from separatrix.cli.printing import emit, progress, table

HEAD = ("skill", "task", "N", "accuracy", "at 2 N", "chance", "state bits", "needed", "ceiling", "retained", "fails on")


@click.command()
@click.argument("model", shell_complete=model_or_file)
@click.option("--scale", type=click.Choice(["quick", "laptop"]), default="quick", show_default=True, help="Minutes, or an hour or two.")
@click.option("--code", multiple=True, metavar="FILE:NAME", help="Your own code that a stored model was built with and may run.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="File for the report as a page (HTML).")
@json_option
def probe(model: str, scale: Any, code: tuple[str, ...], out: Path | None, as_json: bool) -> None:
    """MODEL through the suite: retrieval, recall, counting, equality, brackets, parity, copying, state tracking, trees, a program.

    A name such as mamba-2-64, file.py:Name (a mixer, a whole model or a Hugging Face configuration) or a folder with a config.json and no
    weights is trained from scratch on each task. A run, a built folder or a Hugging Face folder with weights is asked as it is.
    """
    from separatrix.refuters.probe import probe as through_the_suite
    from separatrix.runs.machine import settle

    settle()
    report = through_the_suite(model, scale, code, progress)
    progress("")
    written = []
    if out is not None:
        from separatrix.atlas.probe_page import probe_page
        from separatrix.certificates.files import write_file

        write_file(out, probe_page(report))
        written = [f"the page is {out}"]
    if report["causal"] is False:
        written.append("the model is NOT CAUSAL: an output changes with a later token, so nothing is said of a state")
    how = "trained from scratch" if report["trained"] else "as it is"
    head = f"{model}, {how}, at the {scale} scale"
    if report["text"] is not None:
        emit(report, [head, *_text_lines(report["text"]), *written], as_json)
        return
    lines = [
        head,
        *table(HEAD, [_cells(row) for row in report["tasks"]]),
        *_skipped_lines(report["tasks"]),
        *_standing_lines(report["standing"]),
        *written,
    ]
    emit(report, lines, as_json)


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    about = (row["skill"], row["task"], str(row["length"]))
    if row["skipped"]:
        return (*about, "skipped", *[""] * 7)
    double = row["lengths"][1]["accuracy"] if len(row["lengths"]) > 1 else None
    failure = row["failure"]
    fails = "-" if failure is None else failure["input"][:40] if failure["found"] else f"none in {failure['evaluations']:,}"
    shares = [_percent(share) for share in (row["accuracy"], double, row["chance"])]
    bits = [_number(bits) for bits in (row["state_bits"], row["needed_bits"])]
    return (*about, *shares, *bits, _percent(row["ceiling"]), _number(row["retained_bits"]), fails)


def _skipped_lines(rows: list[dict[str, Any]]) -> list[str]:
    """Why tasks were skipped, each reason once."""
    reasons = dict.fromkeys(row["skipped"] for row in rows if row["skipped"])
    return [f"skipped {', '.join(row['task'] for row in rows if row['skipped'] == reason)}: {reason}" for reason in reasons]


def _text_lines(text: dict[str, Any]) -> list[str]:
    """Skills in words: accuracy against length, and the first prompt that was continued wrongly."""
    head = ("skill", "words", "accuracy", "chance", "tokens", "state bits", "needed", "fails on")
    rows = []
    for row in text["rows"]:
        failure = row["failure"]
        fails = "-" if failure is None else f"..{failure['prompt'][-40:]}  says {failure['said']}, not {failure['expected']}"
        shares = (_percent(row["accuracy"]), _percent(row["chance"]))
        rows.append(
            (row["skill"], str(row["length"]), *shares, str(row["tokens"]), _number(row["state_bits"]), _number(row["needed_bits"]), fails)
        )
    return [
        *table(head, rows),
        f"asked in words, chosen among the words of the prompt; {text['words']} words have a first token of their own",
    ]


def _standing_lines(standing: dict[str, Any] | None) -> list[str]:
    """The model among those of the zoo, best first."""
    if standing is None:
        return []
    rows = [
        (str(place), each["model"], _percent(each["score"]), _number(each["state_bits"])) for place, each in enumerate(standing["rows"], 1)
    ]
    among = f"place {standing['place']} of {len(rows)} by mean accuracy, all trained by the same {standing['scale']} budget and one seed"
    return [among, *table(("place", "model", "mean accuracy", "state bits"), rows)]


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:,.0f}"

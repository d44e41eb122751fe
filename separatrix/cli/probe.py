"""`separatrix probe`: a model through the suite of small tasks, as a table, JSON and one page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from separatrix.cli.completion import model_or_file
from separatrix.cli.options import json_option, set_option
from separatrix.cli.outputs import try_file
from separatrix.cli.printing import counted, emit, progress, table

HEAD = ("task", "N", "accuracy", "95 %", "chance", "at 2 N", "state bits", "needed", "ceiling", "retained", "fails on")


@click.command()
@click.argument("model", shell_complete=model_or_file)
@click.option(
    "--scale", type=click.Choice(["quick", "laptop"]), default="quick", show_default=True, help="quick takes minutes, laptop some hours."
)
@click.option("--seeds", type=int, default=3, show_default=True, help="How often to train on each task; with one run there is no interval.")
@click.option("--code", multiple=True, metavar="FILE:NAME", help="A file of your own code that a stored model needs and may run.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="File for the report as a page (HTML).")
@set_option
@json_option
def probe(model: str, scale: Any, seeds: int, code: tuple[str, ...], out: Path | None, chosen: tuple[str, ...], as_json: bool) -> None:
    """Put a model through ten small tasks: retrieval, recall, counting, equality, brackets, parity, copying, states, trees, a program.

    A name such as mamba-2-64, file.py:Name (a mixer, a whole model or a Hugging Face configuration) or a folder with a config.json and no
    weights is trained from scratch on each task. A mixer stands in two layers of width 64, as the models it is compared with; --set
    layers=1, width=32 or positions=learned changes that. A run, a built folder or a Hugging Face folder with
    weights is tested without training.
    """
    from separatrix.parameters import settings
    from separatrix.refuters.probe import probe as through_the_suite
    from separatrix.runs.process_settings import configure_process

    if out is not None:
        try_file(out)
    configure_process()
    report = through_the_suite(model, scale, code, progress, settings(chosen), seeds)
    progress("")
    written = []
    if out is not None:
        from separatrix.atlas.render import probe_page
        from separatrix.certificates.files import write_file

        write_file(out, probe_page(report))
        written = [f"the page is {out}"]
    if report["causal"] is False:
        written.append("the model is NOT CAUSAL: an output changes with a later token, so nothing is said of a state")
    head = _head_lines(report)
    if report["text"] is not None:
        emit(report, [*head, *_text_lines(report["text"]), *written], as_json)
        return
    lines = [
        *head,
        *table(HEAD, [_cells(row) for row in report["tasks"]]),
        *_skipped_lines(report["tasks"]),
        *_diverged_lines(report["tasks"]),
        *_standing_lines(report["standing"]),
        *written,
    ]
    emit(report, lines, as_json)


def _head_lines(report: dict[str, Any]) -> list[str]:
    """What was trained, and how."""
    how = "trained from scratch" if report["trained"] else "as it is"
    lines = [f"{report['model']}, {how}, at the {report['scale']} scale"]
    if report["parameters"] is not None:
        shape = "" if report["layers"] is None else f"{counted(report['layers'], 'layer')} of width {report['width']}, "
        lines.append(f"{shape}{report['parameters']:,} parameters on the task with the most")
    if report["budget"] is not None:
        budget = report["budget"]
        lines.append(
            f"each task: {counted(report['seeds'], 'seed')}, {budget['steps']:,} steps of {budget['batch']} examples, "
            f"rate {budget['rate']:g}; the 95 % interval is that of the mean over seeds"
        )
    return lines


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    about = (row["task"], str(row["length"]))
    if row["skipped"]:
        return (*about, "skipped", *[""] * 8)
    double = row["lengths"][1]["accuracy"] if len(row["lengths"]) > 1 else None
    failure = row["failure"]
    fails = "-" if failure is None else failure["input"][:40] if failure["found"] else f"none in {failure['evaluations']:,}"
    shares = (_percent(row["accuracy"]), _range(row["interval"]), _percent(row["chance"]), _percent(double))
    bits = ("unknown" if row["state_bits"] is None else _number(row["state_bits"]), _number(row["needed_bits"]))
    return (*about, *shares, *bits, _percent(row["ceiling"]), _number(row["retained_bits"]), fails)


def _skipped_lines(rows: list[dict[str, Any]]) -> list[str]:
    """Why tasks were skipped, each reason once."""
    reasons = dict.fromkeys(row["skipped"] for row in rows if row["skipped"])
    return [f"skipped {', '.join(row['task'] for row in rows if row['skipped'] == reason)}: {reason}" for reason in reasons]


def _diverged_lines(rows: list[dict[str, Any]]) -> list[str]:
    """Which trainings ended in a loss that is not finite."""
    tasks = [f"{row['task']} (seed {', '.join(map(str, row['diverged']))})" for row in rows if row["diverged"]]
    return [f"DIVERGED, scored where training stopped: {', '.join(tasks)}"] if tasks else []


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
    """The model among its peers, best first."""
    if standing is None:
        return []
    rows = [
        (
            place,
            each["model"],
            f"{each['layers'] or '?'} x {each['width'] or '?'}",
            f"{each['parameters']:,}",
            _percent(each["score"]),
            _range(each["interval"]),
            each["seeds"],
            "unknown" if each["state_bits"] is None else _number(each["state_bits"]),
        )
        for place, each in enumerate(standing["rows"], 1)
    ]
    over = f"by mean accuracy over {counted(standing['tasks'], 'task')}, all trained by the same {standing['scale']} budget"
    if standing["place"] is None:
        among = f"beside its peers, {over}; no place among them: {standing['why_no_place']}"
    else:
        first, last = standing["places"]
        range_ = f"place {first}" if first == last else f"a place from {first} to {last}"
        among = f"{range_} of {len(rows)} {over}: the intervals tell no more"
    left = standing["left_out"]
    out = [f"left out, as every peer stays at chance there: {', '.join(left)}"] if left else []
    head = ("place", "model", "layers x width", "parameters", "mean accuracy", "95 %", "seeds", "state bits")
    return [among, *out, *table(head, rows)]


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"


def _range(interval: Any) -> str:
    return "-" if interval is None else f"{100 * interval[0]:.0f}-{100 * interval[1]:.0f}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:,.0f}"

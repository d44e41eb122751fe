"""`separatrix runs`: what a store holds. Without a subcommand it lists the trials."""

from __future__ import annotations

import json
import sys
from contextlib import redirect_stdout
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from separatrix.cli.options import json_option, store_option
from separatrix.cli.printing import emit, table
from separatrix.errors import BadInput, did_you_mean

SHORT = 12  # digits of a key that are printed


class Subcommands(click.Group):
    """An unknown subcommand is refused with the nearest one that exists; the list gives each its whole sentence."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            hint = did_you_mean(args[0], self.commands) or f"; expected one of {', '.join(sorted(self.commands))}"
            raise click.UsageError(f"runs: no subcommand {args[0]!r}{hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, (command.help or "").partition("\n\n")[0]) for name, command in sorted(self.commands.items())])


@click.group(cls=Subcommands, invoke_without_command=True)
@store_option
@click.option("--state", help="Only trials that are waiting, running, done, failed or cancelled.")
@json_option
@click.pass_context
def runs(context: click.Context, store: Path, state: str | None, as_json: bool) -> None:
    """List the trials of a store; or show, cancel, remove, export, publish, merge or check them."""
    if context.invoked_subcommand is not None:
        if context.get_parameter_source("store") != click.core.ParameterSource.DEFAULT or state is not None or as_json:
            raise BadInput(f"put options after {context.invoked_subcommand}: separatrix runs {context.invoked_subcommand} --store FILE")
        return
    _list(store, state, as_json)


@runs.command("list")
@store_option
@click.option("--state", help="Only trials that are waiting, running, done, failed or cancelled.")
@json_option
def list_trials(store: Path, state: str | None, as_json: bool) -> None:
    """The trials of a store, as `separatrix runs` alone does."""
    _list(store, state, as_json)


def _list(store: Path, state: str | None, as_json: bool) -> None:
    from separatrix.runs.store import read_store
    from separatrix.runs.stored_trials import counts, listed

    with read_store(store) as opened:
        trials, by_state = listed(opened, state), counts(opened)
    summary = ", ".join(f"{count} {name}" for name, count in by_state.items() if count) or "no trials"
    header = ("key", "kind", "state", "attempts", "rows", "seconds", "what", "reason")
    emit({"store": str(store), "counts": by_state, "trials": trials}, [*table(header, map(_line, trials)), f"{store}: {summary}"], as_json)


@runs.command()
@click.argument("key")
@store_option
@json_option
def show(key: str, store: Path, as_json: bool) -> None:
    """One trial: its configuration, its attempts with their reasons, its rows."""
    from separatrix.runs.store import read_store
    from separatrix.runs.stored_trials import find_key, shown

    with read_store(store) as opened:
        trial = shown(opened, find_key(opened, key))
    lines = [f"{trial['key']}  {trial['state']}", json.dumps(trial["configuration"], indent=1, ensure_ascii=False)]
    for attempt in trial["attempts"]:
        outcome = f"attempt {attempt['number']} on {attempt['engine']}: {attempt['outcome'] or 'running'}"
        lines.append(f"{outcome}: {attempt['reason']}" if attempt["reason"] else outcome)
        lines += [f"    {line}" for line in (attempt["log"] or "").splitlines()]
    emit(trial, [*lines, *(json.dumps(row, ensure_ascii=False) for row in trial["rows"])], as_json)


@runs.command()
@click.argument("keys", nargs=-1, required=True)
@store_option
@json_option
def cancel(keys: tuple[str, ...], store: Path, as_json: bool) -> None:
    """Cancel these trials; the launcher stops one that is running."""
    from separatrix.runs.stored_trials import cancel as cancel_trials

    _change(store, keys, cancel_trials, "cancelled", as_json)


@runs.command()
@click.argument("keys", nargs=-1, required=True)
@store_option
@json_option
def remove(keys: tuple[str, ...], store: Path, as_json: bool) -> None:
    """Delete these trials and their rows; a sweep runs them again."""
    from separatrix.runs.stored_trials import remove as remove_trials

    _change(store, keys, remove_trials, "removed", as_json)


@runs.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--format", "form", help="parquet, csv or jsonl; default: by the file's extension.")
@store_option
@json_option
def export(out: Path, form: str | None, store: Path, as_json: bool) -> None:
    """Write every row with its configuration as one table."""
    from separatrix.runs.exports import export as export_rows
    from separatrix.runs.store import read_store

    with read_store(store) as opened:
        count = export_rows(opened, out, form)
    emit({"rows": count, "file": str(out)}, [f"wrote {count} rows to {out}"], as_json)


@runs.command()
@click.argument("project")
@store_option
@json_option
def publish(project: str, store: Path, as_json: bool) -> None:
    """Copy every finished trial to a project of trackio, a viewer for runs."""
    from separatrix.runs.exports import publish as publish_rows
    from separatrix.runs.store import read_store

    with redirect_stdout(sys.stderr), read_store(store) as opened:  # trackio prints
        count = publish_rows(opened, project)
    emit({"published": count, "project": project}, [f"{count} trials are in project {project}: trackio show --project {project}"], as_json)


@runs.command()
@click.argument("others", type=click.Path(path_type=Path), nargs=-1, required=True)
@store_option
@json_option
def merge(others: tuple[Path, ...], store: Path, as_json: bool) -> None:
    """Add finished trials of other stores that are missing here; the other stores do not change."""
    from separatrix.runs.merging import merge as merge_store
    from separatrix.runs.store import open_store, read_store

    for other in others:
        with read_store(other):  # before our own store is created
            pass
    with open_store(store) as opened:
        merged = [{"store": str(other), **asdict(merge_store(opened, other))} for other in others]
    lines = []
    for row in merged:
        lines.append(f"{row['store']}: {row['added']} trials added, {row['same']} already here, {row['waiting']} not finished there")
        lines += [f"    trial {key[:SHORT]} has different rows there; the rows here are unchanged" for key in row["differ"]]
    emit({"merged": merged}, lines, as_json)


@runs.command()
@store_option
@json_option
@click.pass_context
def check(context: click.Context, store: Path, as_json: bool) -> None:
    """Check the store: pages, constraints and every checksum. Repairs nothing. Exit code 1 if something is wrong."""
    from separatrix.runs.integrity import problems
    from separatrix.runs.store import read_store

    with read_store(store) as opened:
        wrong = problems(opened)
    emit({"store": str(store), "whole": not wrong, "problems": wrong}, wrong or [f"{store} is intact"], as_json)
    context.exit(1 if wrong else 0)


@runs.command()
@click.argument("files", type=click.Path(path_type=Path), nargs=-1)
@store_option
@json_option
def certificates(files: tuple[Path, ...], store: Path, as_json: bool) -> None:
    """Add certificates to the store, or list those it holds."""
    from separatrix.checker.seal import Refused, Unreadable, read
    from separatrix.runs.store import open_store, read_store
    from separatrix.runs.stored_certificates import add_certificates
    from separatrix.runs.stored_certificates import certificates as stored

    if not files:
        with read_store(store) as opened:
            documents = stored(opened)
        emit({"certificates": documents}, [f"{document['digest'][:SHORT]}  {document.get('kind', '')}" for document in documents], as_json)
        return
    documents = []
    for path in files:
        try:
            documents.append(read(path.read_text(encoding="utf-8")))
        except (OSError, UnicodeDecodeError, Refused, Unreadable) as error:
            raise BadInput(f"cannot read the certificate {str(path)!r}: {error}") from error
    with open_store(store) as opened:
        added = add_certificates(opened, documents)
    emit({"added": added, "known": len(documents) - added}, [f"{added} added, {len(documents) - added} already there"], as_json)


def _change(store: Path, starts: tuple[str, ...], change: Any, word: str, as_json: bool) -> None:
    """Cancel or remove all of these trials, or none."""
    from separatrix.runs.claims import release_gone
    from separatrix.runs.store import open_store, read_store
    from separatrix.runs.stored_trials import find_key

    with read_store(store) as opened:
        keys = [find_key(opened, start) for start in starts]
    with open_store(store) as opened:
        release_gone(opened)
        change(opened, keys)
    emit({word: keys}, [f"{word} {key[:SHORT]}" for key in keys], as_json)


def _line(trial: dict[str, Any]) -> tuple[Any, ...]:
    shown = ("-" if trial[name] is None else trial[name] for name in ("state", "attempts", "rows"))
    seconds = "-" if trial["seconds"] is None else f"{trial['seconds']:.1f}"
    reason = " ".join((trial["reason"] or "").split())[:80] if trial["state"] != "done" else ""
    return (trial["key"][:SHORT], trial["configuration"]["kind"], *shown, seconds, _what(trial["configuration"]), reason)


def _what(configuration: dict[str, Any]) -> str:
    """A short description; `runs show` prints the whole configuration."""
    run = configuration.get("run")
    if isinstance(run, dict) and {"model", "task", "task_parameters", "seed"} <= run.keys():
        return f"{run['model']} on {run['task']}, N = {run['task_parameters'].get('length')}, seed {run['seed']}"
    return ", ".join(f"{key} {value}" for key, value in configuration.items() if key != "kind" and not isinstance(value, dict | list))[:60]

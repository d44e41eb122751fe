"""`separatrix decide`: which architectures recognise a regular language or track a group, at all lengths."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from separatrix.cli.printing import counted, progress
from separatrix.cli.report import Report, Table, reporting
from separatrix.errors import BadInput

COLUMNS = ("architecture", "verdict", "layers", "width", "bits", "arithmetic")


@click.command()
@click.argument("language", required=False)
@click.option("--architecture", help="One architecture instead of all.")
@click.option(
    "--arithmetic", metavar="F", help="Verdicts in this number format; the certificate then names the length at which one layer fails."
)
@click.option("--alphabet", help="The alphabet, if the expression does not use every symbol.")
@click.option("--all", "every", is_flag=True, help="Every language over two letters with at most --states states.")
@click.option("--states", type=click.IntRange(1, 4), default=3, show_default=True, help="The most states, with --all.")
@click.option("--groups", is_flag=True, help="The transitive groups on at most 8 points, and 94 groups from word-problem benchmarks.")
@click.option("--mlregtest", type=click.Path(path_type=Path), metavar="DIR", help="A folder of automata in AT&T text (*.att).")
@click.option("--horizon", type=int, metavar="M", help="Up to which length a rotation counts modulo M in bfloat16, float16 and float32.")
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="Write the certificate, or the table of --all, there.")
@reporting
def decide(
    language: str | None,
    architecture: str | None,
    arithmetic: str | None,
    alphabet: str | None,
    every: bool,
    states: int,
    groups: bool,
    mlregtest: Path | None,
    horizon: int | None,
    out: Path | None,
) -> Report:
    """Which architectures recognise a regular language at all lengths: built, impossible, cited or open, with the reason.

    LANGUAGE is a regular expression, @ and a name of the gallery, an automaton (.json, .att), or group:NAME, group:[[2,3,1],[2,1,3]].
    """
    if sum((language is not None, every, groups, mlregtest is not None, horizon is not None)) != 1:
        raise BadInput("decide: expected one of LANGUAGE, --all, --groups, --mlregtest DIR and --horizon M")
    if language is not None:
        from separatrix.refuters.decide import decide as report_on

        report = report_on(language, architecture, arithmetic, alphabet, out)
        return Report(report, _parts(report))
    if every:
        return _table(states, out)
    if groups:
        return _groups()
    return _folder(mlregtest) if mlregtest is not None else _horizon(horizon or 0, arithmetic)


def _parts(report: dict[str, Any]) -> list[Table | str]:
    known = {True: "yes", False: "no", None: "not known"}
    found = report["period"]
    word = "" if found is None else f": it counts {''.join(found['u'])!r} modulo {found['p']}"
    cells = [[row[name] for name in COLUMNS] for row in report["rows"]]
    monoid = "too large to list" if report["monoid"] is None else counted(report["monoid"], "element")
    return [
        f"minimal automaton: {counted(report['states'], 'state')}; syntactic monoid: {monoid}",
        f"star-free: {known[report['star_free']]}{word}",
        Table(COLUMNS, cells),
        *_reasons(report["rows"]),
        *_wraps(report["wraps"]),
        *_certificates(report["rows"]),
        "verdicts are about models run token by token (the recurrent form), not about parallel scans",
    ]


def _wraps(found: dict[str, Any] | None) -> list[str]:
    if found is None:
        return []
    adds = ", ".join(f"{letter} adds {step}" for letter, step in found["steps"].items())
    return [f"integers that wrap around, a gate of 1: {counted(found['bits'], 'bit')} of state count it at all lengths ({adds})"]


def _reasons(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Each reason once, with all architectures that share it, and below it what is their own."""
    shared: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        given = f"; given {', '.join(row['hypotheses'])}" if row["hypotheses"] else ""
        shared.setdefault(row["why"] + (f" [{row['cites']}{given}]" if row["cites"] else ""), []).append(row)
    yield "why:"
    for why, some in shared.items():
        yield f"  {', '.join(row['architecture'] for row in some)}: {why}"
        yield from (f"    {row['architecture']}: {row['update']}" for row in some if row["update"])
    built = [row for row in rows if row["pairs"] is not None]
    if built:
        run = ", ".join(f"{row['by']} {row['pairs']:,}" for row in built)
        yield (
            "  built: the weights were run token by token beside the automaton, on all pairs of states that they reach together "
            f"({run}); least margin {min(row['margin'] for row in built):.3g}"
        )


def _certificates(rows: list[dict[str, Any]]) -> list[str]:
    if any(row["pairs"] is not None and row["claim"] is None for row in rows):
        return ["--out DIR writes the certificates"]
    claims = {f"{row['certificate'] or row['architecture']}: {row['claim']}": None for row in rows if row["claim"]}
    barrier = {f"{row['certificate']}: no stack of monotone layers": None for row in rows if row["certificate"] and not row["claim"]}
    return ["certificates:", *(f"  {line}" for line in (*barrier, *claims))] if claims or barrier else []


def _table(states: int, out: Path | None) -> Report:
    """Write the file, check it, and report what the checker counted in it."""
    from tempfile import TemporaryDirectory

    from separatrix.checker.decided import check_table
    from separatrix.refuters.decided_tables import write_decided

    with TemporaryDirectory() as folder:
        path = (Path(folder) if out is None else out) / f"languages-{states}.jsonl.gz"
        write_decided(states, path, lambda number: progress(f"{number:,} languages decided"))
        verdict, found = check_table(path, lambda number: progress(f"{number:,} lines checked"))
        size = path.stat().st_size
    if not verdict.holds:
        raise BadInput(f"decide --all: {verdict.reason}")
    document = {"states": states, "counts": found, "claim": verdict.claim, "file": None if out is None else str(path), "bytes": size}
    where = [] if out is None else [f"{path}: {size:,} bytes; `separatrix check {path}` checks every line"]
    return Report(document, [Table(("verdict", "languages"), [*found.items()]), verdict.claim, *where])


def _groups() -> Report:
    from separatrix.bounds.languages.verdict_rules import BUILT
    from separatrix.refuters.decided_tables import decided_groups

    listed = list(decided_groups(progress))
    named = ("deltaproduct", "rank-one", "pd", "lstm")
    rows = [
        (
            g["group"],
            g["degree"],
            g["order"],
            g["solvable"],
            " > ".join(map(str, g["derived"])),
            *(g["verdicts"][one] == BUILT for one in named),
        )
        for g in listed
    ]
    solved, excluded = (sum(map(bool, some)) for some in ((g["solvable"] for g in listed), (g["monotone"] != "open" for g in listed)))
    tail = (
        f"{len(listed)} groups, {solved} solvable, {len(listed) - solved} not; no stack of monotone coordinates tracks {excluded} of them; "
        "under an architecture, whether weights were built, and run on every pair of states"
    )
    heads = ("group", "points", "order", "solvable", "orders of the derived series", *named)
    return Report({"groups": listed}, [Table(heads, rows), tail])


def _folder(folder: Path) -> Report:
    from collections import Counter

    from separatrix.bounds.languages.monoid import syntactic_monoid
    from separatrix.tasks.languages.given import given_language
    from separatrix.tasks.languages.periods import period

    files = sorted(folder.rglob("*.att")) if folder.is_dir() else []
    if not files:
        raise BadInput(f"--mlregtest: expected a folder with automata (*.att), found none in {str(folder)!r}")
    found, listed = Counter[str](), []
    for path in files:
        progress(path.name)
        automaton = given_language(str(path)).automaton
        monoid = syntactic_monoid(automaton)
        witness = None if monoid is None or monoid.aperiodic else period(automaton)
        verdict = "not decided" if monoid is None else "star-free" if monoid.aperiodic else f"counts modulo {witness.p if witness else '?'}"
        found[verdict] += 1
        size = None if monoid is None else len(monoid)
        listed.append({"file": str(path), "states": automaton.states, "monoid": size, "verdict": verdict})
    return Report({"automata": listed, "counts": dict(found)}, [Table(("verdict", "automata"), sorted(found.items()))])


def _horizon(modulus: int, arithmetic: str | None) -> Report:
    from dataclasses import asdict

    from separatrix.bounds.languages.horizon import DIGITS
    from separatrix.bounds.languages.horizon import horizon as found_in

    found = [found_in(modulus, name) for name in (DIGITS if arithmetic is None else (arithmetic,))]
    lines = [
        f"{one.arithmetic}: right at all lengths: from turn {one.turns - one.cycle:,} on it comes back every {one.cycle:,} turns"
        if one.cycle is not None
        else f"{one.arithmetic}: right on every input with at most {one.turns:,} turns; "
        + (f"wrong after {one.turns + 1:,}" if one.ends else "no more were run")
        for one in found
    ]
    note = "a rotation by 2 pi / M, with every product and sum rounded; letters that do not turn leave it as it is"
    return Report({"horizons": [asdict(one) for one in found]}, [*lines, note])

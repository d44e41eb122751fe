"""`separatrix language`: a regular language on one page: automaton, algebra, what models need, what is built."""

from __future__ import annotations

from typing import Any

import click

from separatrix.cli.printing import counted
from separatrix.cli.report import Report, Table, reporting


@click.command()
@click.argument("language")
@click.option("--alphabet", help="The alphabet, if the expression does not use every symbol.")
@click.option("--length", type=int, help="Also count the states at each cut of words of this length.")
@reporting
def language(language: str, alphabet: str | None, length: int | None) -> Report:
    """A regular language: its minimal automaton, its syntactic monoid, whether it is star-free, and what that means for each architecture.

    LANGUAGE is a regular expression, @ and a name of the gallery (@parity, @s5, @dyck-2-2, ..), or a .json file with an automaton.
    """
    from separatrix.bounds.languages.monoid import ELEMENTS
    from separatrix.ledger.languages import language_report

    report = language_report(language, alphabet, length)
    known = {True: "yes", False: "no", None: "not known: the monoid is too large"}
    algebra = [
        ("alphabet (--alphabet adds symbols)", " ".join(report["alphabet"])),
        ("states of the minimal complete automaton", report["states"]),
        ("bits of state of a recurrent model", report["bits"]),
        ("elements of the syntactic monoid", f"more than {ELEMENTS:,}" if report["monoid"] is None else report["monoid"]),
        ("aperiodic (star-free)", known[report["aperiodic"]]),
        ("in DA", known[report["in_da"]]),
        ("groups solvable", known[report["solvable"]]),
        ("shortest words", ", ".join(word or "(empty)" for word in report["words"]) or "(none)"),
    ]
    verdicts = [(v["architecture"], v["verdict"], f"{v['why']} [{v['cites']}]") for v in report["verdicts"]]
    verdicts += [
        (f["architecture"], f"impossible at all lengths ({f['strength']})", f"{f['formula']}. {f['caveat']}") for f in report["impossible"]
    ]
    built = [(row["construction"], row["state_bits"], row["width"], row["why"]) for row in report["built"]]
    parts: list[Table | str] = [
        Table(("what", "value"), algebra),
        "",
        Table(("architecture", "verdict", "why"), verdicts),
    ]
    if built:
        parts += ["", Table(("built", "bits of state", "width", "beside what is needed"), built)]
    if not report["words"] and not report["automaton"]["accepting"]:
        parts.insert(0, "the language is empty: no accepting state can be reached")
    if length is not None:
        classes = " ".join(map(str, report["classes"]))
        bits = counted(report["bits_at_length"], "bit")
        parts += ["", f"at N = {length}: {bits}; states to tell apart after 0, 1, .. symbols: {classes}"]
        parts.append(forcing_line(report["forcing"], length))
    return Report(report, parts)


def forcing_line(forced: dict[str, Any] | None, length: int) -> str:
    """How many symbols decide membership, and what follows for hard attention."""
    if forced is None:
        return f"symbols that force a word of {length} inside or outside: not counted, there are too many sets of states"
    told = [f"{'none' if forced[side] is None else forced[side]} force it {side}" for side in ("inside", "outside")]
    said = f"of {counted(length, 'symbol')} {', '.join(told)}"
    if not forced["least"] or forced["least"] < 2:  # nothing is left to be made constant
        return f"{said}: no argument by restriction against hard attention"
    return f"{said}: hard attention that fewer than {forced['least']} make constant is wrong on some word"

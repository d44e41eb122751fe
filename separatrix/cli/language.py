"""`separatrix language`: a regular language on one page: automaton, algebra, what models need, what is built."""

from __future__ import annotations

from typing import Any

import click

from separatrix.cli.options import json_option
from separatrix.cli.printing import counted, emit


@click.command()
@click.argument("language")
@click.option("--alphabet", help="The symbols of the language, if the expression does not use them all.")
@click.option("--length", type=int, help="Also count the states at each cut of words of this length.")
@json_option
def language(language: str, alphabet: str | None, length: int | None, as_json: bool) -> None:
    """Minimal automaton, syntactic monoid, star-free or not, recurrent bits, what is known for one-layer and hard-attention models.

    LANGUAGE is a regular expression, @ and a name of the gallery (@parity, @s5, @dyck-2-2, ..), or a .json file with an automaton.
    """
    from separatrix.bounds.languages.monoid import ELEMENTS
    from separatrix.ledger.languages import language_report

    report = language_report(language, alphabet, length)
    known = {True: "yes", False: "no", None: "not known: the monoid is too large"}
    lines = [
        f"alphabet: {' '.join(report['alphabet'])} (--alphabet adds symbols that the expression does not use)",
        f"minimal complete automaton: {counted(report['states'], 'state')}, {counted(report['bits'], 'bit')} for a recurrent model",
        f"syntactic monoid: {f'more than {ELEMENTS:,} elements' if report['monoid'] is None else counted(report['monoid'], 'element')}",
        f"aperiodic (star-free): {known[report['aperiodic']]}",
        f"in DA: {known[report['in_da']]}",
        f"groups solvable: {known[report['solvable']]}",
        f"shortest words: {', '.join(word or '(empty)' for word in report['words']) or '(none)'}",
        *(f"{v['architecture']}: {v['verdict']}; {v['why']} [{v['cites']}]" for v in report["verdicts"]),
        *(impossible_line(fact) for fact in report["impossible"]),
        *(built_line(row) for row in report["built"]),
    ]
    if not report["words"] and not report["automaton"]["accepting"]:
        lines.insert(0, "the language is empty: no accepting state can be reached")
    if length is not None:
        classes = " ".join(map(str, report["classes"]))
        lines.append(f"at N = {length}: {counted(report['bits_at_length'], 'bit')}; states to tell apart after 0, 1, .. symbols: {classes}")
        lines.append(forcing_line(report["forcing"], length))
    emit(report, lines, as_json)


def impossible_line(fact: dict[str, Any]) -> str:
    """What no size of an architecture does at all lengths, with the strength of what shows it."""
    return f"{fact['architecture']}: impossible at all lengths ({fact['strength']}); {fact['formula']}. {fact['caveat']}"


def built_line(row: dict[str, Any]) -> str:
    """One machine or model that is built for the language."""
    state = "" if row["state_bits"] is None else f"{counted(row['state_bits'], 'bit')} of state, "
    return f"built: {row['construction']}: {state}width {row['width']}; {row['why']}"


def forcing_line(forced: dict[str, Any] | None, length: int) -> str:
    """How many symbols decide membership, and what follows for hard attention."""
    if forced is None:
        return f"symbols that force a word of {length} inside or outside: not counted, there are too many sets of states"
    told = [f"{'none' if forced[side] is None else forced[side]} force it {side}" for side in ("inside", "outside")]
    said = f"of {counted(length, 'symbol')} {', '.join(told)}"
    if not forced["least"] or forced["least"] < 2:  # nothing is left to be made constant
        return f"{said}: no argument by restriction against hard attention"
    return f"{said}: hard attention that fewer than {forced['least']} make constant is wrong on some word"

"""`separatrix language`: minimal automaton, syntactic monoid, star-free or not, recurrent bits."""

from __future__ import annotations

import click

from separatrix.cli.options import json_option
from separatrix.cli.printing import emit


@click.command()
@click.argument("language")
@click.option("--alphabet", help="The symbols of the language, if the expression does not use them all.")
@click.option("--length", type=int, help="Also count the states at each cut of words of this length.")
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
        f"syntactic monoid: {report['monoid'] if report['monoid'] is not None else 'too many'} elements",
        f"aperiodic (star-free): {known[report['aperiodic']]}",
        f"in DA: {known[report['in_da']]}",
        *(f"{v['architecture']}: {v['verdict']}; {v['why']} [{v['cites']}]" for v in report["verdicts"]),
    ]
    emit(report, lines, as_json)

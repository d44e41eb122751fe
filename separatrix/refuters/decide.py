"""`decide`: which architectures recognise a regular language or track a group, at all lengths; what needs weights is built and run.

The verdicts without torch are in bounds/languages/decisions.py. Here the weights of constructions are stepped beside the automaton, on
every pair of states that both reach together, and the certificate of the barrier is written.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from separatrix.arithmetic.format import parse_format
from separatrix.bounds.languages.decisions import Facts, Row, facts_of, need_architecture, rows
from separatrix.bounds.languages.verdict_rules import ANY, BARRIER, IMPOSSIBLE, OPEN
from separatrix.certificates.files import write_file
from separatrix.certificates.period import MonotoneStack, period_certificate
from separatrix.certificates.simulation import simulate
from separatrix.certificates.verify import verify
from separatrix.checker import check_file
from separatrix.constructions import construction
from separatrix.errors import BadInput
from separatrix.tasks.languages.given import GivenLanguage, given_language

NUMBERS = {"bfloat16": "float:8,7", "float16": "float:5,10"}  # the same numbers, under the names that certificates have
TAPS = 4  # inputs that a layer of Mamba sees through its convolution
CERTIFIED = 20  # symbols of the words that a certificate is about, where its proof is not about all lengths
FEW = 1 << 14  # numbers of state of weights that are run
WIDE = 256  # of the stream, beyond which only the cascade is run, if there is one
WIDEST = 1024  # beyond which nothing is run


def decide(
    language: str, architecture: str | None = None, arithmetic: str | None = None, alphabet: str | None = None, out: Path | None = None
) -> dict[str, Any]:
    """The report that the command prints."""
    if architecture is not None:
        architecture = need_architecture(architecture)
    if arithmetic is not None:
        parse_format(arithmetic)
    stack = None if arithmetic is None else MonotoneStack(1, NUMBERS.get(arithmetic, arithmetic), (TAPS,))
    given = given_language(language, alphabet)
    facts = facts_of(given)
    certificate = _certificate(given, facts, stack)
    path = None if out is None or certificate is None else out / "period.json"
    if path is not None and certificate is not None:
        write_file(path, json.dumps(certificate).encode())
    settled = []
    for row in rows(facts):
        if architecture is not None and row.architecture != architecture:
            continue
        if row.verdict == IMPOSSIBLE and row.architecture in BARRIER:
            settled.append(replace(row, certificate=None if path is None else str(path), arithmetic=arithmetic or row.arithmetic))
        else:
            settled.append(_with_weights(_in_format(row, arithmetic), given, facts, out))
    return {"language": language, **facts.document, "rows": [row.document for row in settled]}


def _certificate(given: GivenLanguage, facts: Facts, stack: MonotoneStack | None) -> dict[str, Any] | None:
    if facts.period is None:
        return None
    witness = facts.period
    words = (witness.x, witness.u, witness.y)
    try:
        return period_certificate(given.automaton, words, witness.p, stack, given.expression)
    except ValueError as error:  # an arithmetic that the checker does not know
        raise BadInput(str(error)) from error


def _in_format(row: Row, arithmetic: str | None) -> Row:
    """The row of weights in one format, or open where they are not built in it; what holds in any format holds in this one."""
    if arithmetic is None or (not row.by and row.arithmetic != ANY):
        return row
    if row.by and arithmetic not in row.arithmetic.split(", "):
        why = f"built in {row.arithmetic}; nothing is known in {arithmetic}"
        return replace(row, verdict=OPEN, why=why, layers=None, by="", arithmetic=arithmetic)
    return replace(row, arithmetic=arithmetic)


def _with_weights(row: Row, given: GivenLanguage, facts: Facts, out: Path | None) -> Row:
    """The row of an architecture for which the package has weights of this language, after they were run; with `out`, certified."""
    if not row.by:
        return row
    declared = construction(row.by)
    text = given.expression or json.dumps(given.automaton.document())
    parameters = {"length": CERTIFIED, "language": text, "alphabet": "".join(given.automaton.alphabet) if given.expression else None}
    formats = row.arithmetic.split(", ")
    asked = formats[0] if len(formats) == 1 else None  # else sizes and certificate are in the format that the construction chooses
    sizes = declared.sizes(parameters, arithmetic=asked)
    if sizes is None:
        return replace(row, verdict=OPEN, why=f"{row.why}; {declared.name} finds no weights, or would need too many")
    if (sizes.state_bits or 0) > FEW * 64 or sizes.width > (WIDEST if facts.cascade is None else WIDE):
        if facts.cascade is None:
            return replace(row, verdict=OPEN, why=f"{row.why}; the weights are too large to be run")
        pairs = len(facts.cascade.reachable)
        why = f"{declared.name}: the cascade equals the automaton on all {pairs} reachable pairs; the weights are too wide to be run here"
        return replace(row, why=why, layers=sizes.layers, width=sizes.width)
    found = []
    for arithmetic in formats:
        built = declared(**parameters, arithmetic=arithmetic)
        found.append(simulate(built.model, facts.automaton, len(facts.automaton.alphabet)))
    if not all(each.holds for each in found):
        return replace(row, verdict=OPEN, why=f"{declared.name}: it reaches too many states, or a word is answered wrongly")
    settled = replace(
        row,
        layers=sizes.layers,
        width=sizes.width,
        bits=sizes.state_bits,
        pairs=max(each.pairs for each in found),
        margin=min(each.margin for each in found),
    )
    if out is None:
        return settled
    try:
        certificate = verify(declared(**parameters, **({} if asked is None else {"arithmetic": asked})))
    except BadInput as error:  # such as a language with one word of each length, of which a certificate at one length shows nothing
        return replace(settled, claim=f"no certificate: {error}")
    path = out / f"{row.architecture}.json"
    certificate.write(path)
    checked = check_file(path)
    return replace(settled, claim=checked.claim or checked.reason, certificate=str(path))

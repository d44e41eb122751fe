"""All languages of so many states, decided: a line of JSON for each, and the counts.

A line has the automaton (`moves`, `accepting`), the classes that decide, and what shows it: the certificate of the barrier, or the
layers of the cascade, which was run beside the automaton on all reachable pairs of states.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from separatrix.bounds.languages.classes import permutation_reset, r_trivial, twin_images
from separatrix.bounds.languages.decisions import cascade_of, mamba_width
from separatrix.bounds.languages.enumeration import automata
from separatrix.bounds.languages.monoid import syntactic_monoid
from separatrix.certificates.period import period_certificate
from separatrix.tasks.languages.automata import Automaton
from separatrix.tasks.languages.factors import factors_per_token
from separatrix.tasks.languages.periods import period


def decided(states: int) -> Iterator[dict[str, Any]]:
    """Every language over two letters with at most so many states."""
    known: dict[str, Any] = {}
    last = None
    for number in range(1, states + 1):
        for automaton in automata(number):
            if automaton.moves != last:  # all but the witness hangs on the moves alone
                last, known = automaton.moves, _of_moves(automaton)
            line = {"moves": automaton.moves, "accepting": sorted(automaton.accepting), **known}
            if not known["star_free"]:
                witness = period(automaton)
                assert witness is not None
                line["certificate"] = period_certificate(automaton, (witness.x, witness.u, witness.y), witness.p)
            yield line


def counts(lines: Iterator[dict[str, Any]]) -> tuple[dict[str, int], list[dict[str, Any]]]:
    """How many languages each verdict has, and the lines."""
    listed, found = [], Counter[str]()
    for line in lines:
        listed.append(line)
        found["languages"] += 1
        for name in ("star_free", "quasi_aperiodic", "r_trivial", "permutation_reset", "twin_images"):
            found[name] += bool(line[name])
        found["built by mamba"] += line["mamba"] is not None
        found["impossible for monotone stacks"] += "certificate" in line
        found["open for mamba"] += line["mamba"] is None and "certificate" not in line
        found[f"{line['factors']} factors a token"] += 1
    return dict(found), listed


def _of_moves(automaton: Automaton) -> dict[str, Any]:
    monoid = syntactic_monoid(automaton)
    assert monoid is not None
    twins, star_free = twin_images(monoid), monoid.aperiodic
    cascade = cascade_of(automaton) if star_free else None
    sizes = None if cascade is None else {"layers": len(cascade.layers), "width": mamba_width(cascade), "pairs": len(cascade.reachable)}
    return {
        "states": automaton.states,
        "monoid": len(monoid),
        "star_free": star_free,
        "quasi_aperiodic": monoid.quasi_aperiodic,
        "r_trivial": r_trivial(automaton.moves),
        "permutation_reset": permutation_reset(automaton.moves),
        "twin_images": None if twins is None else twins.document(automaton.alphabet),
        "factors": factors_per_token(automaton),
        "mamba": sizes,
    }

"""Regular languages as data: an expression, or the JSON of an automaton, of which a missing move rejects for good."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from separatrix.checker.fields import require_fields, within
from separatrix.checker.seal import Refused, unique_keys
from separatrix.checker.sentence import quoted
from separatrix.checker.specs.expressions import STATES, Table, compiled

ENTRIES = 1 << 19  # states times symbols
SHOWN = 60  # characters of an expression in a sentence
SYMBOL = 64  # of one symbol of an automaton


def language_of(text: str, alphabet: str | None, entries: int = ENTRIES) -> tuple[tuple[str, ...], Table]:
    """The letters and the automaton of a language; refused where states times symbols exceed the entries, before they are listed."""
    if not is_automaton(text):
        return compiled(text, alphabet, entries)
    if alphabet is not None:
        raise Refused("alphabet: an automaton has its own")
    return _given(text, entries)


def is_automaton(text: str) -> bool:
    """Whether a text is the JSON of an automaton rather than an expression."""
    return text.lstrip().startswith("{")


def shown_language(text: str, alphabet: str | None) -> str:
    """The language as a sentence names it, with its alphabet where that is not what the expression mentions by itself."""
    over = "" if alphabet is None else f" over {quoted(alphabet, SHOWN)}"
    return "an automaton's language" if is_automaton(text) else f"the language of the regular expression {quoted(text, SHOWN)}{over}"


def minimal(table: Table) -> Table:
    """The least automaton of the language, its states numbered breadth first from the start, symbols in the order of the alphabet."""
    moves, accepting = table
    order = _reached(moves)
    block = {state: int(state in accepting) for state in order}
    blocks = 0
    while blocks < len({*block.values()}):  # split until moves lead from one block to one block
        blocks, names = len({*block.values()}), dict[tuple[int, ...], int]()
        block = {state: names.setdefault((block[state], *(block[r] for r in moves[state])), len(names)) for state in order}
    first = {block[state]: state for state in reversed(order)}
    rows = {block[state]: tuple(block[r] for r in moves[state]) for state in first.values()}
    number = {q: i for i, q in enumerate(_reached(rows, block[0]))}
    least = tuple(tuple(number[r] for r in rows[q]) for q in number)
    return least, frozenset(number[q] for q in number if first[q] in accepting)


def _reached(moves: Sequence[Sequence[int]] | Mapping[int, Sequence[int]], start: int = 0) -> list[int]:
    """The states that words lead to, breadth first."""
    order, seen = [start], {start}
    for state in order:  # grows during the loop
        new = [*dict.fromkeys(r for r in moves[state] if r not in seen)]
        order += new
        seen.update(new)
    return order


def _given(text: str, entries: int) -> tuple[tuple[str, ...], Table]:
    """The automaton of a JSON text, with a last state for missing moves."""
    try:
        document = json.loads(text, object_pairs_hook=unique_keys)
    except Refused:
        raise
    except (ValueError, RecursionError) as error:
        raise Refused("language: not the JSON of an automaton") from error
    require_fields(document, "language", alphabet=list, start=str, accepting=list, moves=dict)
    letters, moves = tuple(document["alphabet"]), document["moves"]
    if not letters or not all(isinstance(a, str) and 1 <= len(a) <= SYMBOL for a in letters) or len(set(letters)) < len(letters):
        raise Refused(f"language.alphabet: expected distinct symbols of at most {SYMBOL} characters")
    within(len(moves), 1, STATES, "states")
    within(len(letters) * (len(moves) + 1), 1, entries, "states times symbols")
    known = {*letters}
    number = {state: i for i, state in enumerate([document["start"], *(state for state in moves if state != document["start"])])}
    if document["start"] not in moves or not all(isinstance(q, str) and q in moves for q in document["accepting"]):
        raise Refused("language: start and accepting are not among its states")
    rows = []
    for state in number:
        row = moves[state]
        if not isinstance(row, dict) or not all(a in known and isinstance(r, str) and r in moves for a, r in row.items()):
            raise Refused("language.moves: expected an object {symbol: state} for each state")
        rows.append(tuple(number[row[a]] if a in row else len(number) for a in letters))
    rows.append((len(number),) * len(letters))
    return letters, (tuple(rows), frozenset(number[q] for q in document["accepting"]))

r"""What a regular language requires of a model: its automaton, its algebra, and the papers' conclusions.

[bhattamishra2024 Lemma 4] [bhattamishra2024 Theorem 4] [hahn2020 Footnote 2]

    language("(\((\(\)|\[\])*\)|\[(\(\)|\[\])*\])*")    Dyck-(2, 2): 8 states, 60 elements, star-free, not in DA, 3 bits
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from separatrix.bits import ceil_log2
from separatrix.bounds.languages.commutators import Commutators, commutators
from separatrix.bounds.languages.crossed_blocks import CrossedBlocks, crossed_blocks
from separatrix.bounds.languages.forcing import forcing
from separatrix.bounds.languages.groups import solvable
from separatrix.bounds.languages.monoid import ELEMENTS, Monoid, syntactic_monoid
from separatrix.tasks.languages.automata import Automaton
from separatrix.tasks.regular import read_language
from separatrix.tasks.task import need_length

T = TypeVar("T", bound=Hashable)
WORDS = 6  # members that a report shows
QUEUE = 20_000  # words looked at for them


@dataclass(frozen=True)
class Verdict:
    """What is known about one kind of model on the language as the length grows."""

    architecture: str
    verdict: str
    why: str
    cites: str
    impossible: bool = False  # whatever the size


def language(text: str, alphabet: str | None = None, length: int | None = None) -> dict[str, Any]:
    """The report on a regular expression, a .json file with an automaton, or that JSON; with a length, also the states at each cut.

    If the monoid has more than 100,000 elements, everything that depends on it is None.
    """
    automaton = read_language(text, alphabet)
    monoid, blocks = syntactic_monoid(automaton), crossed_blocks(automaton)
    report: dict[str, Any] = {
        "language": text,
        "alphabet": list(automaton.alphabet),
        "states": automaton.states,
        "bits": ceil_log2(automaton.states),
        "monoid": None if monoid is None else len(monoid),
        "aperiodic": None if monoid is None else monoid.aperiodic,
        "quasi_aperiodic": None if monoid is None else monoid.quasi_aperiodic,
        "in_da": None if monoid is None else monoid.in_da,
        "commutative": None if monoid is None else monoid.commutative,
        "solvable": None if monoid is None else solvable(monoid),
        "period": None if monoid is None else _period(monoid),
        "words": ["".join(word) for word in shortest_members(automaton)],
        "crossed_blocks": None if blocks is None else blocks.document(),
        "verdicts": [
            vars(verdict)
            for verdict in (
                recurrent(automaton),
                one_layer(monoid, blocks, crossed_groups(automaton, monoid, blocks)),
                hard_attention(monoid),
            )
        ],
        "automaton": automaton.document(),
    }
    if length is not None:
        need_length("language", length)
        classes = layered_classes(automaton, length)
        report |= {"length": length, "classes": list(classes), "bits_at_length": max(map(ceil_log2, classes))}
        forced = forcing(automaton, length)
        report["forcing"] = None if forced is None else {**vars(forced), "least": forced.least}
    return report


def shortest_members(automaton: Automaton, count: int = WORDS) -> list[tuple[str, ...]]:
    """The first words of the language, short ones first; of a state from which no word is accepted nothing is followed."""
    alive = set(automaton.accepting)
    while True:
        before = {q for q, row in enumerate(automaton.moves) if alive & {*row}} | alive
        if before == alive:
            break
        alive = before
    members: list[tuple[str, ...]] = []
    queue: list[tuple[int, tuple[str, ...]]] = [(0, ())] if 0 in alive else []
    for state, word in queue:  # grows during the loop
        if state in automaton.accepting:
            members.append(word)
        if len(members) == count or len(queue) > QUEUE:
            break
        queue += [(r, (*word, a)) for a, r in zip(automaton.alphabet, automaton.moves[state], strict=True) if r in alive]
    return members


def _period(monoid: Monoid) -> dict[str, Any] | None:
    """A shortest word that the language counts modulo some k > 1, if there is one."""
    first = int((monoid.periods > 1).argmax())
    return {"word": list(monoid.word(first)), "period": int(monoid.periods[first])} if monoid.periods[first] > 1 else None


def layered_classes(automaton: Automaton, length: int) -> tuple[int, ...]:
    """States to distinguish after 0 .. N symbols if only words of exactly N symbols count.

    [bhattamishra2024 Theorem 2]

    After t symbols: the states that t symbols reach, as far as words of the remaining N - t symbols distinguish them.
    """
    accepted = tuple(int(q in automaton.accepting) for q in range(automaton.states))
    blocks = _repeated(accepted, lambda block: _named([tuple(block[r] for r in row) for row in automaton.moves]), length)
    reached = _repeated(frozenset({0}), lambda states: frozenset(r for q in states for r in automaton.moves[q]), length)
    counted: dict[tuple[tuple[int, ...], frozenset[int]], int] = {}
    classes = []
    for block, states in zip(reversed(blocks), reached, strict=True):  # blocks[k][q] differ iff some word of exactly k symbols separates
        if (block, states) not in counted:
            counted[block, states] = len({block[q] for q in states})
        classes.append(counted[block, states])
    return tuple(classes)


def _repeated(first: T, after: Callable[[T], T], times: int) -> list[T]:
    """A value, what comes after it, and so on; what was met before is not computed again."""
    values, known = [first], dict[T, T]()
    for _ in range(times):
        here = values[-1]
        if here not in known:
            known[here] = after(here)
        values.append(known[here])
    return values


def _named(rows: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Rows by the order of their first appearance."""
    names: dict[tuple[int, ...], int] = {}
    return tuple(names.setdefault(row, len(names)) for row in rows)


def recurrent(automaton: Automaton) -> Verdict:
    """Exactly the states of the minimal automaton."""
    states, bits = automaton.states, ceil_log2(automaton.states)
    return Verdict(
        "recurrent",
        f"needs exactly {bits} bit{'' if bits == 1 else 's'} of state to cover all lengths",
        f"some continuation tells any two states of the minimal automaton apart (it has {states}), and a table of its moves is enough",
        "bhattamishra2024 Lemma 4",
    )


def crossed_groups(automaton: Automaton, monoid: Monoid | None, blocks: CrossedBlocks | None) -> Commutators | None:
    """Rounds of commutators, looked for only where nothing simpler decides."""
    return None if monoid is None or blocks is not None or monoid.commutative or monoid.aperiodic else commutators(automaton)


def one_layer(monoid: Monoid | None, blocks: CrossedBlocks | None, groups: Commutators | None = None) -> Verdict:
    """By communication: the bits that two parties must exchange bound width, heads and precision of one layer."""
    kind, cites = "one-layer Transformer", "bhattamishra2024 Theorem 4"
    if groups is not None:
        why = (
            f"two parties can encode a bit each in commutators of {groups.round} symbols, and then must exchange bits in proportion to N: "
            f"the exact rank is {groups.rank(10):,} after 10 rounds and {groups.rank(20):,} after 20"
        )
        return Verdict(kind, "width x heads x (precision + log N) grows linearly with N", why, cites)
    if blocks is not None:
        return Verdict(
            kind,
            "width x heads x (precision + log N) grows linearly with N",
            f"two parties must exchange at least {blocks.bits} bits: the crossed blocks are a fooling set",
            cites,
        )
    if monoid is None:
        return Verdict(kind, "not decided", f"no crossed blocks found, and the syntactic monoid has more than {ELEMENTS} elements", cites)
    if monoid.commutative:
        bits = ceil_log2(len(monoid)) + 1
        return Verdict(
            kind,
            "no bound by communication",
            f"the order of symbols does not matter: {bits} bit{'s decide' if bits > 1 else ' decides'} the language at every length",
            cites,
        )
    if monoid.in_da:
        why = "the syntactic monoid lies in DA: O(log N) bits decide the language (Raymond, Tesson and Thérien 1998)"
        return Verdict(kind, "no more than a logarithmic bound by communication", why, cites)
    outside = "".join(monoid.word(monoid.regular_not_idempotent[0]))
    if monoid.aperiodic:
        why = (
            f"the syntactic monoid is not in DA ({outside!r} shows it), so the language is hard where positions may be left empty "
            "(Raymond, Tesson and Thérien 1998); for words of one length we found no crossed blocks of up to two symbols"
        )
        return Verdict(kind, "not decided", why, cites)
    why = "the syntactic monoid has a group; we found neither crossed blocks of up to two symbols nor commutators of up to six"
    return Verdict(kind, "not decided", why, cites)


def hard_attention(monoid: Monoid | None) -> Verdict:
    """By restrictions: deciding a language that is not quasi-aperiodic means counting modulo some k > 1, which hard attention cannot do."""
    kind, cites = "hard-attention Transformer", "hahn2020 Footnote 2"
    if monoid is None:
        return Verdict(kind, "not decided", f"the syntactic monoid has more than {ELEMENTS} elements", cites)
    if not monoid.quasi_aperiodic:
        return Verdict(
            kind,
            "impossible with fixed numbers of layers and heads",
            "words of one length act as a group, so the language counts as PARITY does, for which there is no such model",
            "hahn2020 Corollary 2",
            impossible=True,
        )
    if not monoid.aperiodic:
        why = "it counts, but only in step with the length of the word: positions modulo some k may decide it; the papers leave this open"
        return Verdict(kind, "not excluded", why, cites)
    why = (
        "it is star-free, so the argument from PARITY does not apply; outside the four papers: with strict masking and no positions, hard "
        "attention recognises exactly the star-free languages (Yang, Chiang and Angluin 2024)"
    )
    return Verdict(kind, "not excluded", why, cites)

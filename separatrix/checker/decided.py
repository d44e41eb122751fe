"""A table of decided languages: one file of JSON lines, in which every regular language with at most n states over two letters has a line.

A line is a certificate of kind `languages`, or a language with the witnesses of what is said about it:

    moves, accepting    its minimal automaton, states numbered breadth first
    period              x, u, y, p as in certificates of kind `period`: no stack of monotone coordinates recognises it at all lengths
    twins               words e, f that act as different idempotents with e f = e and f e = f: not by one non-expansive layer with finitely
                        many states, without convolution and positions
    convolved           the same on the states to which words with the last letters s lead, where both e and f end with these three: nor
                        behind a convolution of width 4, which sees the same windows whenever e or f follows a word that ends with s
    factors             for each letter, swaps (i j) and merges (i into j) of one-hot states whose product is the letter

Everything is computed again from the line. The file is complete if it has every minimal automaton with at most n states, once; these are
listed here. A language is built by Mamba if a certificate of the file covers it, and open if it has neither that nor a period.
"""

from __future__ import annotations

import gzip
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

from separatrix.checker import Verdict, check_document
from separatrix.checker.fields import require_equal, require_fields, within
from separatrix.checker.kinds.languages import Moves, recognised
from separatrix.checker.kinds.period import cycle
from separatrix.checker.seal import Refused, Unreadable, read
from separatrix.checker.sentence import number

LINE = 1 << 24  # characters
LINES = 1 << 20
STATES, WINDOW, LONGEST = 4, 3, 64
ARCHITECTURE, ARITHMETIC = "mamba", "float64"  # that the sentence names
Language = tuple[Moves, frozenset[int]]
Word = list[int]


@dataclass
class Counted:
    """What the lines of a file establish."""

    languages: dict[Language, bool] = field(default_factory=dict)  # whether a period excludes it
    built: set[Language] = field(default_factory=set)
    weights: set[str] = field(default_factory=set)  # of certificates, by their hashes
    counts: Counter[str] = field(default_factory=Counter)

    @property
    def states(self) -> int:
        """The most states of a language."""
        return max((len(moves) for moves, _ in self.languages), default=0)

    def document(self) -> dict[str, Any]:
        """The counts as JSON."""
        mamba, excluded = self.built & self.languages.keys(), {one for one, periodic in self.languages.items() if periodic}
        return {
            "states": self.states,
            "languages": len(self.languages),
            "built by Mamba": len(mamba),
            "sets of weights": len(self.weights),
            "impossible for monotone stacks": len(excluded),
            "both": len(mamba & excluded),
            "open": len(self.languages) - len(mamba | excluded),
            **dict(sorted(self.counts.items())),
        }


def check_table(path: str | Path, progress: Callable[[int], None] | None = None) -> tuple[Verdict, dict[str, Any]]:
    """The verdict on a file of decided languages, and the counts."""
    found = Counted()
    try:
        for place, line in enumerate(_lines(Path(path)), 1):
            try:
                _take(read(line), found)
            except (Refused, KeyError, TypeError, IndexError, ValueError, RecursionError) as error:
                raise Refused(f"line {place}: {error}") from error
            if progress is not None:
                progress(place)
        if not found.languages:
            raise Refused("it has no language")
        missing = next((one for one in minimal_automata(found.states) if one not in found.languages), None)
        if missing is not None:
            raise Refused(f"the language with the moves {missing[0]} and accepting states {sorted(missing[1])} is missing")
        beyond = next((one for one in found.built if one not in found.languages), None)
        if beyond is not None or found.built & {one for one, periodic in found.languages.items() if periodic}:
            raise Refused("a certificate is about a language that the table does not have, or that a period excludes")
    except Refused as error:
        return Verdict(False, True, str(error)), found.document()
    except (Unreadable, OSError, EOFError, zlib.error) as error:
        return Verdict(False, False, f"cannot read {str(path)!r}: {error}"), found.document()
    counts = found.document()
    return Verdict(True, True, "every witness was checked and every language is there once", sentence(counts), "proven"), counts


def sentence(counts: dict[str, Any]) -> str:
    """What a complete table says."""
    left = f"; {number(counts['open'])} are open" if counts["open"] else ""
    return (
        f"of the {number(counts['languages'])} regular languages over two letters with at most {counts['states']} states, Mamba (float64, "
        f"token by token) recognises {number(counts['built by Mamba'])} at all lengths, by {number(counts['sets of weights'])} sets of "
        f"weights; no stack of such layers, in any finite number format, does any of {number(counts['impossible for monotone stacks'])} "
        f"others{left}"
    )


def _lines(path: Path) -> Iterator[str]:
    with path.open("rb") as raw:
        packed = raw.read(2) == b"\x1f\x8b"
    with gzip.open(path, "rt", encoding="utf-8") if packed else path.open(encoding="utf-8") as file:
        for _ in range(LINES):
            line = file.readline(LINE)
            if not line:
                return
            yield line
    raise Unreadable(f"more than {LINES} lines")


def _take(document: dict[str, Any], found: Counted) -> None:
    """One line."""
    if "kind" in document:
        verdict = check_document(document)
        if not verdict.holds or document["kind"] != "languages" or verdict.architecture != ARCHITECTURE:
            raise Refused(verdict.reason if not verdict.holds else f"expected a certificate of kind languages about {ARCHITECTURE}")
        require_equal(document["program"]["model"]["arithmetic"], ARITHMETIC, "arithmetic")
        moves, sets = recognised(document)
        found.weights.add(document["weights"]["sha256"])
        found.built |= {(moves, accepting) for accepting in sets}
        return
    require_fields(
        document, "language", moves=list, accepting=list, period=(dict, type(None)), twins=(list, type(None)),
        convolved=(list, type(None)), factors=list,
    )  # fmt: skip
    language = tuple(tuple(row) for row in document["moves"]), frozenset(document["accepting"])
    moves, accepting = language
    within(len(moves), 1, STATES, "states")
    if any(len(row) != 2 or any(type(r) is not int or not 0 <= r < len(moves) for r in row) for row in moves):
        raise Refused("moves: expected two states for each state")
    if not accepting <= {*range(len(moves))} or not numbered(moves) or not minimal(moves, accepting):
        raise Refused("expected a minimal automaton with its states numbered breadth first")
    if language in found.languages:
        raise Refused("the language has a line already")
    period = document["period"]
    if period is not None:
        require_fields(period, "period", x=list, u=list, y=list, p=int)
        p = within(period["p"], 2, LONGEST, "p")
        cycle(moves, accepting, _word(period["x"]), _word(period["u"]), _word(period["y"]), p)
    found.languages[language] = period is not None
    for name in ("twins", "convolved"):
        if document[name] is not None:
            twins(moves, document[name], WINDOW if name == "convolved" else 0)
            found.counts[f"{name}: impossible for one non-expansive layer"] += 1
    reset = all(len({row[a] for row in moves}) in (1, len(moves)) for a in range(2))
    found.counts["permutation-reset: one symmetric layer suffices"] += reset
    if reset and document["twins"] is not None:
        raise Refused("one symmetric layer suffices and does not")
    factors(moves, document["factors"])
    found.counts[f"rank-one, one layer: {max(map(len, document['factors']))} factors a token"] += 1
    found.counts["rank-one, one layer: built"] += 1


def _word(symbols: list[Any]) -> Word:
    within(len(symbols), 0, LONGEST, "letters of a word")
    return [within(symbol, 0, 1, "a letter") for symbol in symbols]


def acts(moves: Moves, word: Word) -> tuple[int, ...]:
    """Where a word takes each state."""
    image = tuple(range(len(moves)))
    for a in word:
        image = tuple(moves[q][a] for q in image)
    return image


def twins(moves: Moves, words: list[Any], window: int) -> None:
    """Refuse two words unless they act as different idempotents with one image, and end with the same letters that a window sees."""
    if len(words) != 2:
        raise Refused("twins: expected two words")
    e, f = (_word(word) for word in words)
    if min(len(e), len(f)) < max(1, window) or (window and e[-window:] != f[-window:]):
        raise Refused(f"twins: expected words of at least {max(1, window)} letters that end alike")
    met = sorted({*acts(moves, e[-window:])}) if window else range(len(moves))
    E, F = acts(moves, e), acts(moves, f)
    alike = all(second[first[q]] == first[q] for first, second in ((E, E), (F, F), (E, F), (F, E)) for q in met)
    if not alike or all(E[q] == F[q] for q in met):
        raise Refused("twins: expected different idempotents with e f = e and f e = f")


def factors(moves: Moves, lists: list[Any]) -> None:
    """Refuse the factors unless their product takes every one-hot state where the letter does."""
    if len(lists) != 2:
        raise Refused("factors: expected a list for each letter")
    for a, some in enumerate(lists):
        place = list(range(len(moves)))
        for kind, i, j in some:
            if kind not in ("swap", "merge") or i == j or {i, j} - {*range(len(moves))}:
                raise Refused("factors: expected a swap or a merge of two states")
            other = {i: j, j: i} if kind == "swap" else {i: j}
            place = [other.get(q, q) for q in place]
        if place != [row[a] for row in moves]:
            raise Refused("factors: their product is not the letter")


def numbered(moves: Moves) -> bool:
    """Whether all states are met from the first one, breadth first, in the order of their numbers."""
    order = [0]
    for q in order:  # grows during the loop
        order += [r for r in dict.fromkeys(moves[q]) if r not in order]
    return order == list(range(len(moves)))


def minimal(moves: Moves, accepting: frozenset[int]) -> bool:
    """Whether some word tells any two states apart: pairs that are apart after a letter are apart."""
    states = range(len(moves))
    apart = {(p, q) for p in states for q in states if (p in accepting) != (q in accepting)}
    while True:
        more = {(p, q) for p in states for q in states if any((moves[p][a], moves[q][a]) in apart for a in range(len(moves[0])))} - apart
        if not more:
            return len(apart) == len(moves) * (len(moves) - 1)
        apart |= more


def minimal_automata(most: int) -> Iterator[Language]:
    """Every minimal automaton over two letters with at most so many states."""
    for n in range(1, most + 1):
        for flat in product(range(n), repeat=2 * n):
            moves = tuple(flat[2 * q : 2 * q + 2] for q in range(n))
            if numbered(moves):
                sets = (frozenset(q for q in range(n) if chosen >> q & 1) for chosen in range(1 << n))
                yield from ((moves, accepting) for accepting in sets if minimal(moves, accepting))

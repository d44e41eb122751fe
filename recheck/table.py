"""The table of all languages over two letters with few states, as lines of one file: the lines are all of them, and each witness is one.

A line has a minimal automaton by its moves, first state 0, and its accepting states, and either weights elsewhere in the file that
recognise it or a `period`. Two words `twins` act as different idempotents with one image; `convolved` do so on the states to which words
with their last three letters lead, and share these letters. `factors` are swaps and merges of places that make up each letter, as few
as possible. Where a witness is null there is none, which is searched here.
"""

import gzip
import random
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path
from typing import Any

from recheck.languages import Automaton
from recheck.network import Network
from recheck.reading import digest, read_weights, strict
from recheck.simulation import replay
from recheck.verdicts import exactly, require, whole
from recheck.witnesses import counted

LINE = "moves accepting period twins convolved factors"
WINDOW = 3
Moves = tuple[tuple[int, ...], ...]
Map = tuple[int, ...]


def judge_table(path: Path, sample: int) -> list[str]:
    """Refuse a table that leaves out a language, has a wrong witness, or one language neither built nor impossible; all lines but of so
    many drawn ones (0: of none) are then only counted. Returns what was not judged."""
    lines = [line[:9] == b'{"moves":' for line in _lines(path)]
    plain, built = ([i for i, is_plain in enumerate(lines) if is_plain is wanted] for wanted in (True, False))
    drawn = random.Random(path.stat().st_size)
    chosen = {*drawn.sample(plain, min(sample, len(plain))), *drawn.sample(built, min(sample // 40, len(built)))} if sample else None
    languages: dict[tuple[Moves, tuple[int, ...]], bool] = {}
    recognised, known = set[tuple[Moves, tuple[int, ...]]](), dict[Moves, tuple[Any, Any, Any]]()
    for i, line in enumerate(_lines(path)):
        document = strict(line)
        judged = chosen is None or i in chosen
        if "kind" in document:
            recognised |= set(weights_of(document, path.parent, judged))
            continue
        exactly(document, LINE, f"line {i + 1}")
        key = canonical(document["moves"], document["accepting"])
        require(key not in languages, f"line {i + 1}: the language stands twice")
        languages[key] = document["period"] is not None
        if judged:
            _witnessed(document, known, f"line {i + 1}")
    due = set(minimal_automata(max(len(moves) for moves, _ in languages)))
    require(due == set(languages), f"{len(due - set(languages))} languages are missing, {len(set(languages) - due)} are not minimal")
    for key, periodic in languages.items():
        require(periodic != (key in recognised), f"{key}: neither or both of weights and a period")
    return [] if chosen is None else [f"all but {len(chosen)} of {len(lines)} lines"]


def _lines(path: Path) -> Iterator[bytes]:
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
        yield from file


def judge_languages(document: dict[str, Any], folder: Path) -> tuple[str, list[str]]:
    """The kind `languages`."""
    weights_of(document, folder)
    return "proven", []


def weights_of(document: dict[str, Any], folder: Path, judged: bool = True) -> list[tuple[Moves, tuple[int, ...]]]:
    """One set of weights for several languages of one automaton, replayed at every length."""
    exactly(document, "schema version kind digest automaton languages construction program weights proof strength", "document")
    require(document["strength"] == "proven" and document["digest"] == digest(document), "strength, or digest")
    table = strict(document["automaton"].encode())
    letters, names = list(table["alphabet"]), list(table["moves"])
    require(letters == sorted(set(letters)) and table["start"] in names, "automaton: an alphabet in order, and a first state")
    moves = [[names.index(table["moves"][q][c]) for c in letters] for q in names]
    first, found = names.index(table["start"]), document["languages"]
    require(isinstance(found, list) and len(found) > 0, "languages: sets of accepting states")
    sets = [{whole(q, "languages") for q in accepting} for accepting in found]
    require(all(q < len(moves) for accepting in sets for q in accepting), "languages: no such state")
    if judged:
        exactly(document["program"], "model decoder", "program")
        require(document["program"]["decoder"] == {"kind": "position"}, "decoder: position")
        net = Network(document["program"]["model"], read_weights(document["weights"], folder))
        require(net.targets == 2 * len(sets), "targets: two for each language")
        automaton = Automaton(len(letters), first, lambda q, a: moves[q][a], lambda q: tuple(int(q in s) for s in sets))
        proof = document["proof"]
        require(isinstance(proof, dict) and proof.get("lengths") == "every", "proof: of every length")
        replay(automaton, True, 1, net, proof)
    return [canonical(moves, accepting, first) for accepting in sets]


def canonical(moves: Any, accepting: Any, first: int = 0) -> tuple[Moves, tuple[int, ...]]:
    """Moves and accepting states, with states numbered as words of growing length meet them."""
    order = [first]
    for q in order:  # grows
        order += [r for r in dict.fromkeys(moves[q]) if r not in order]
    require(len(order) == len(moves), "moves: a state that no word reaches")
    return tuple(tuple(order.index(r) for r in moves[q]) for q in order), tuple(sorted(order.index(q) for q in accepting))


def minimal_automata(most: int) -> Iterator[tuple[Moves, tuple[int, ...]]]:
    """All minimal automata over two letters with at most so many states, each once."""
    for n in range(1, most + 1):
        for flat in product(range(n), repeat=2 * n):
            if _numbered(flat):
                moves = tuple(zip(flat[::2], flat[1::2], strict=True))
                for accepting in (set(part) for size in range(n + 1) for part in combinations(range(n), size)):
                    if _minimal(moves, accepting):
                        yield moves, tuple(sorted(accepting))


def _numbered(flat: tuple[int, ...]) -> bool:
    """Whether states have the numbers in which words meet them, and all are met."""
    met = 1
    for i, q in enumerate(flat):
        if i // 2 >= met or q > met:
            return False
        met += q == met
    return met == len(flat) // 2


def _minimal(moves: Any, accepting: set[int]) -> bool:
    part = [int(q in accepting) for q in range(len(moves))]
    while True:
        keys = [(part[q], *(part[r] for r in moves[q])) for q in range(len(moves))]
        finer = [sorted(set(keys)).index(key) for key in keys]
        if len(set(finer)) == len(set(part)):
            return len(set(finer)) == len(moves)
        part = finer


def _witnessed(line: dict[str, Any], known: dict[Moves, tuple[Any, Any, Any]], where: str) -> None:
    moves = tuple(tuple(whole(q, where) for q in row) for row in line["moves"])
    accepting, n = set(line["accepting"]), len(moves)
    letters = tuple(zip(*moves, strict=True))
    if moves not in known:
        known[moves] = _searched(letters, n)
    aperiodic, twins, convolved = known[moves]
    require((line["period"] is None) == aperiodic, f"{where}: a period is due where the language is not star-free, and only there")
    if line["period"] is not None:
        exactly(line["period"], "x u y p", where)
        answers = counted(Automaton(2, 0, lambda q, a: moves[q][a], lambda q: q in accepting), **line["period"])
        require(len(set(answers)) == 2, f"{where}: the words of its period have one answer")
    for name, exists, window in (("twins", twins, 0), ("convolved", convolved, WINDOW)):
        require((line[name] is not None) == exists, f"{where}: {name} {'exist' if exists else 'do not exist'}")
        if line[name] is not None:
            e, f = (tuple(whole(a, name) for a in word) for word in line[name])
            require(min(len(e), len(f)) >= window and e[len(e) - window :] == f[len(f) - window :], f"{where}: {name} end differently")
            require(_alike(_act(letters, e, n), _act(letters, f, n), _act(letters, e[len(e) - window :], n)), f"{where}: not {name}")
    require(len(line["factors"]) == len(letters), f"{where}: factors for each letter")
    for letter, factors in zip(letters, line["factors"], strict=True):
        place, parts = list(range(n)), list(range(n))
        for kind, i, j in factors:
            require(kind in ("swap", "merge") and 0 <= i < n and 0 <= j < n and i != j, f"{where}: {kind} {i} {j}")
            place = [j if q == i else i if q == j and kind == "swap" else q for q in place]
        for q, r in enumerate(letter):
            parts = [parts[r] if part == parts[q] else part for part in parts]
        require(tuple(place) == letter and len(factors) == n - len(set(parts)), f"{where}: factors of another letter, or too many")


def _act(letters: tuple[Map, ...], word: tuple[int, ...], n: int, first: Map = ()) -> Map:
    act = first or tuple(range(n))
    for a in word:
        act = tuple(letters[a][q] for q in act)
    return act


def _alike(e: Map, f: Map, reached: Map) -> bool:
    """Whether two words act as different idempotents with one image on the states that are reached."""
    met = sorted(set(reached))
    images = [{act[q] for q in met if act[q] == q} for act in (e, f)]
    idempotent = all(act[act[q]] == act[q] for act in (e, f) for q in met)
    return idempotent and images[0] == images[1] and any(e[q] != f[q] for q in met)


def _searched(letters: tuple[Map, ...], n: int) -> tuple[bool, bool, bool]:
    """Whether no word permutes some states, whether there are twins, and convolved ones, by all words up to what they do and end with."""
    start: tuple[Map, tuple[int, ...]] = (tuple(range(n)), ())
    met: dict[tuple[Map, tuple[int, ...]], None] = {start: None}
    for act, last in (queue := [start]):  # grows
        for a, letter in enumerate(letters):
            after = (tuple(letter[q] for q in act), (*last, a)[-WINDOW:])
            if after not in met:
                met[after] = None
                queue.append(after)
    acts = {act for act, _ in met}
    everywhere = tuple(range(n))
    by_end = defaultdict[tuple[int, ...], list[Map]](list)
    for act, last in met:
        if len(last) == WINDOW:
            by_end[last].append(act)
    return (
        all((power := _act((act,), (0,) * n, n)) == _act((act,), (0,), n, power) for act in acts),
        any(_alike(e, f, everywhere) for e, f in combinations(sorted(acts), 2)),
        any(_alike(e, f, _act(letters, last, n)) for last, group in by_end.items() for e, f in combinations(group, 2)),
    )

"""Automata as cascades: layers of simple coordinates, of which each sees the letter and all lower coordinates before it.

    (ab)*    three states, counter-free: two layers of coordinates that keep their value or are reset

`keep_or_reset` covers every counter-free automaton with n states by at most n - 1 layers. After layer k the lower coordinates z determine
a set T(z) of n - k states that contains the current one; the next layer says which further state is excluded.

- If a letter maps T(z) to T(z') with a gap, a missed state is excluded: a reset.
- If it is a bijection, the excluded state moves along. A loop of such arrows permutes T(z), and of a counter-free automaton it is then the
  identity: within a strongly connected part of these arrows, all paths give one bijection, so in suitable frames the index is *kept*.
- Between two parts the frames may disagree. Then a coordinate of the part remembers through which arrow it was entered.

`permutation_or_reset` needs none of this: its coordinates may also be permuted, and every automaton has such a cascade of n - 1 layers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

from separatrix.errors import BadInput
from separatrix.tasks.languages.automata import Automaton
from separatrix.tasks.languages.periods import TooLarge, period

Values = tuple[int, ...]  # of coordinates, lowest layer first
Change = tuple[int, ...]  # the value after each value: the identity keeps, a constant resets
Choose = Callable[[Sequence[Any]], Any]
Seen = tuple[Values, int]  # what a coordinate sees: all coordinates of lower layers before the letter, and the letter

MOST_STATES = 1024  # of a cascade, reachable; beyond that nothing is built
ATTEMPTS = 60  # at choices that make a cascade small
ENOUGH = 1500  # states of all cascades that were tried; then no further one is


@dataclass(frozen=True)
class Coordinate:
    """A number 0 .. values - 1, and what it does for each thing that it sees."""

    values: int
    initial: int
    changes: Mapping[Seen, Change]

    def resets(self, seen: Seen) -> int | None:
        """The value to which it is reset, or None if it keeps or permutes its values."""
        change = self.changes[seen]
        return change[0] if len({*change}) == 1 and self.values > 1 else None


@dataclass(frozen=True)
class Cascade:
    """Layers of coordinates that cover an automaton: `state_of` says in which state it is, for all reachable values."""

    automaton: Automaton
    layers: tuple[tuple[Coordinate, ...], ...]
    state_of: Mapping[Values, int]

    @property
    def initial(self) -> Values:
        return tuple(c.initial for layer in self.layers for c in layer)

    @property
    def size(self) -> tuple[int, ...]:
        """What makes it large: coordinates, layers, reachable states."""
        return sum(map(len, self.layers)), len(self.layers), len(self.state_of)

    @property
    def reachable(self) -> tuple[Values, ...]:
        """All reachable values of the coordinates."""
        return tuple(self.state_of)

    def following(self, values: Values, letter: int) -> Values:
        """The values after one letter."""
        return follow(self.layers, values, letter)

    def covers(self) -> bool:
        """Whether it is in the state of the automaton after every word: checked on all reachable pairs, so for all lengths."""
        start = (self.initial, 0)
        met, queue = {start}, [start]
        for values, q in queue:  # grows during the loop
            if self.state_of.get(values) != q:
                return False
            for letter, r in enumerate(self.automaton.moves[q]):
                pair = (self.following(values, letter), r)
                if pair not in met:
                    met.add(pair)
                    queue.append(pair)
        return True


def follow(layers: tuple[tuple[Coordinate, ...], ...], values: Values, letter: int) -> Values:
    """The values of the coordinates after one letter: all change at once, from what they saw before."""
    after: list[int] = []
    lower = 0
    for layer in layers:
        seen = (values[:lower], letter)
        after += [c.changes[seen][values[lower + i]] for i, c in enumerate(layer)]
        lower += len(layer)
    return tuple(after)


@lru_cache(maxsize=64)
def keep_or_reset(automaton: Automaton, attempts: int = ATTEMPTS) -> Cascade:
    """The cascade of a counter-free automaton, whose coordinates keep or are reset; layers that would hold nothing are left out.

    Which of several missed states is excluded, and with which arrow a frame is aligned, is free. The first choice is the first state and
    the first arrow; others are drawn until no layer has more than one coordinate, and the smallest cascade that was met is taken.
    """
    if period(automaton) is not None:
        raise BadInput("expected a star-free language: one that counts has no cascade of coordinates that keep or are reset")
    best: Cascade | None = None
    met = 0
    for attempt in range(attempts):
        choose = Random(attempt).choice if attempt else _first
        try:
            found = _cascade(automaton, lambda automaton, level, choose=choose: _kept_layer(automaton, level, choose))  # type: ignore[misc]
        except TooLarge:
            met += MOST_STATES
            if met > ENOUGH:
                break
            continue
        if best is None or found.size < best.size:
            best = found
        met += len(found.state_of)
        if all(len(layer) == 1 for layer in best.layers) or met > ENOUGH:
            break
    if best is None:
        raise TooLarge
    return best


def permutation_or_reset(automaton: Automaton, seed: int = 0) -> Cascade:
    """The cascade of any automaton, whose coordinates are permuted or reset; other seeds exclude other states than the first."""
    choose = Random(seed).choice if seed else _first
    return _cascade(automaton, lambda automaton, level: _permuted_layer(automaton, level, choose))


@dataclass(frozen=True)
class _Level:
    """What a finished layer hands to the next: its reachable values, where letters lead, and the states that each leaves possible."""

    initial: Values
    arrows: Mapping[Seen, Values]
    possible: Mapping[Values, frozenset[int]]


Excluded = Callable[[Values, Values], int]  # the state that new coordinates exclude, from lower values and theirs
Layer = tuple[tuple[Coordinate, ...], Excluded]


def _cascade(automaton: Automaton, make: Callable[[Automaton, _Level], Layer]) -> Cascade:
    letters = range(len(automaton.alphabet))
    level = _Level((), {((), a): () for a in letters}, {(): frozenset(range(automaton.states))})
    layers: list[tuple[Coordinate, ...]] = []
    state_of = _determined(automaton, level)
    while state_of is None:
        coordinates, excluded = make(automaton, level)
        level = _extended(level, coordinates, excluded, letters)
        if coordinates:
            layers.append(coordinates)
        state_of = _determined(automaton, level)
    return Cascade(automaton, tuple(layers), state_of)


def _determined(automaton: Automaton, level: _Level) -> dict[Values, int] | None:
    """The state of the automaton for each reachable value, or None if one value goes with two states."""
    state_of = {level.initial: 0}
    queue = [level.initial]
    for z in queue:  # grows during the loop
        for a, r in enumerate(automaton.moves[state_of[z]]):
            after = level.arrows[z, a]
            if after not in state_of:
                state_of[after] = r
                queue.append(after)
            elif state_of[after] != r:
                return None
    return state_of


def _extended(level: _Level, coordinates: tuple[Coordinate, ...], excluded: Excluded, letters: range) -> _Level:
    """The level above: pairs of lower values and values of the new coordinates, as far as they are reachable."""
    initial = (*level.initial, *(c.initial for c in coordinates))
    lower = len(level.initial)
    arrows: dict[Seen, Values] = {}
    possible = {initial: level.possible[level.initial] - {excluded(level.initial, initial[lower:])}}
    queue = [initial]
    for values in queue:  # grows during the loop
        z, own = values[:lower], values[lower:]
        for a in letters:
            after = (*level.arrows[z, a], *(c.changes[z, a][v] for c, v in zip(coordinates, own, strict=True)))
            arrows[values, a] = after
            if after not in possible:
                below = after[:lower]
                possible[after] = level.possible[below] - {excluded(below, after[lower:])}
                queue.append(after)
                if len(queue) > MOST_STATES:
                    raise TooLarge
    return _Level(initial, arrows, possible)


def _permuted_layer(automaton: Automaton, level: _Level, choose: Choose) -> Layer:
    """One coordinate, the place of the excluded state in a frame of T(z): a bijection permutes places, and a gap resets them."""
    ranked = _carried(automaton, level)
    changes: dict[Seen, Change] = {}
    for (z, a), after in level.arrows.items():
        image = [automaton.moves[q][a] for q in ranked[z]]
        target = ranked[after]
        if len({*image}) == len(image):
            changes[z, a] = tuple(target.index(r) for r in image)
        else:
            changes[z, a] = (choose([i for i, r in enumerate(target) if r not in image]),) * len(target)
    first = ranked[level.initial]
    initial = choose([i for i, q in enumerate(first) if q != 0])
    return (Coordinate(len(first), initial, changes),), lambda z, own: ranked[z][own[0]]


def _carried(automaton: Automaton, level: _Level) -> dict[Values, list[int]]:
    """A list of T(z) for each z, carried along bijective arrows, depth first: so along a tree in each strongly connected part of them.

    Arrows of the tree then keep the place, and within a part what is left generates no more than the loops do.
    """
    frames: dict[Values, list[int]] = {}
    onward: dict[Values, list[tuple[int, Values]]] = {z: [] for z in level.possible}
    for (z, a), after in level.arrows.items():
        onward[z].append((a, after))
    for root, states in level.possible.items():
        if root in frames:
            continue
        frames[root] = sorted(states)
        path = [(root, iter(onward[root]))]
        while path:
            z, arrows = path[-1]
            for a, after in arrows:
                image = [automaton.moves[q][a] for q in frames[z]]
                if after not in frames and len({*image}) == len(image):
                    frames[after] = image
                    path.append((after, iter(onward[after])))
                    break
            else:
                path.pop()
    return frames


def _kept_layer(automaton: Automaton, level: _Level, choose: Choose) -> Layer:
    """An index into frames in which bijections keep it, and for each part that is entered in several ways, through which it was."""
    plan = _Frames(automaton, level, choose)
    index, places = plan.index()
    coordinates = [index] if index.values > 1 else []
    coordinates += [plan.mark(part) for part in plan.marked]

    def excluded(z: Values, own: Values) -> int:
        value, marks = (own[0], own[1:]) if index.values > 1 else (0, own)
        return plan.frame[z][plan.turned(plan.part[z], places[value], dict(zip(plan.marked, marks, strict=True)))]

    return tuple(coordinates), excluded


Key = tuple[int | None, Values]  # the part that an arrow comes from, None if that does not matter, and how it turns the index


class _Frames:
    """The parts of the graph of bijective arrows, and for each z a list of T(z) such that arrows within a part keep the place in it.

    `resets` has the state that an arrow newly excludes: one that is missed, or, where only one could be excluded before, that one moved.
    """

    def __init__(self, automaton: Automaton, level: _Level, choose: Choose) -> None:
        self.automaton, self.level, self.choose = automaton, level, choose
        self.size = len(level.possible[level.initial])
        self.straight: Key = (None, tuple(range(self.size)))
        self.first = choose([q for q in sorted(level.possible[level.initial]) if q != 0])  # state 0, the start, is not excluded
        self.resets = {seen: choose(missed) for seen in level.arrows if (missed := self._missed(seen))}
        self.part, self.order = self._parts()
        self.frame: dict[Values, Values] = {}
        self.keys: dict[int, list[Key]] = {}
        for p in self.order:
            self._draw(p)
        self.marked = tuple(p for p in self.order if len(self.keys[p]) > 1)
        self.live = {p: self._live(p) for p in self.order}

    def index(self) -> tuple[Coordinate, Values]:
        """The index, with its values numbered as they occur, and the place in a frame that each value stands for."""
        arrows, initial = self.level.arrows, self.level.initial
        places = [self.frame[initial].index(self.first)]
        at = {seen: self.frame[arrows[seen]].index(q) for seen, q in self.resets.items()}
        places += sorted({*at.values()} - {*places})
        kept = tuple(range(len(places)))
        changes = {seen: (places.index(at[seen]),) * len(places) if seen in at else kept for seen in arrows}
        return Coordinate(len(places), 0, changes), tuple(places)

    def mark(self, part: int) -> Coordinate:
        """Through which kind of arrow a part was last entered; reset to 0 where nobody reads it, so that it does not go stale."""
        keys = self.keys[part]
        changes: dict[Seen, Change] = {}
        for seen, after in self.level.arrows.items():
            target = self.part[after]
            if target == part and self._enters(seen):
                changes[seen] = (keys.index(self._key(seen)),) * len(keys)
            elif part not in self.live[target] or seen in self.resets:
                changes[seen] = (0,) * len(keys)
            else:
                changes[seen] = tuple(range(len(keys)))
        start = keys.index(self.straight) if self.part[self.level.initial] == part else 0
        return Coordinate(len(keys), start, changes)

    def turned(self, part: int, place: int, marks: Mapping[int, int]) -> int:
        """The place in the frames of a part at which the excluded state stands, from the index and the marks."""
        source, turn = self.keys[part][marks.get(part, 0)]
        return turn[place if source is None else self.turned(source, place, marks)]

    def _missed(self, seen: Seen) -> list[int]:
        """The states of T(z') that no state of T(z) is mapped to; none if the arrow is a bijection."""
        z, a = seen
        return sorted(self.level.possible[self.level.arrows[seen]] - {self.automaton.moves[q][a] for q in self.level.possible[z]})

    def _parts(self) -> tuple[dict[Values, int], list[int]]:
        """The strongly connected part of each z, and the parts so that bijective arrows lead to later ones."""
        nodes = list(self.level.possible)
        onward: dict[Values, set[Values]] = {z: set() for z in nodes}
        for seen, after in self.level.arrows.items():
            if seen not in self.resets:
                onward[seen[0]].add(after)
        reach = {z: _reached(z, onward) for z in nodes}
        part: dict[Values, int] = {}
        for i, z in enumerate(nodes):
            if z not in part:
                part |= {other: i for other in reach[z] if z in reach[other]}
        order = sorted({*part.values()}, key=lambda p: -len(reach[nodes[p]]))  # a part reaches more than those that are reached from it
        return part, order

    def _enters(self, seen: Seen) -> bool:
        return seen in self.resets or self.part[seen[0]] != self.part[self.level.arrows[seen]]

    def _draw(self, p: int) -> None:
        """The frames of a part: aligned with an arrow that enters it, if one keeps the index, and then along its own arrows."""
        arrows, initial = self.level.arrows, self.level.initial
        members = [z for z in self.part if self.part[z] == p]
        entering = [seen for seen, after in arrows.items() if self.part[after] == p and self._enters(seen)]
        kept = [seen for seen in entering if seen not in self.resets]
        if kept:
            aligned = self.choose(kept)
            root, self.frame[arrows[aligned]] = arrows[aligned], self._moved(aligned)
        else:
            root, self.frame[members[0]] = members[0], tuple(sorted(self.level.possible[members[0]]))
        queue, own = [root], [seen for seen in arrows if self.part[seen[0]] == p]
        for z in queue:  # grows during the loop
            for seen in own:
                after = arrows[seen]
                if seen[0] == z and not self._enters(seen) and after not in self.frame:
                    self.frame[after] = self._moved(seen)
                    queue.append(after)
        keys = [self.straight] if self.part[initial] == p else []
        for seen in entering:
            key = self._key(seen)
            if key not in keys:
                keys.append(key)
        self.keys[p] = keys
        places = {self.frame[arrows[seen]].index(self.resets[seen]) for seen in entering if seen in self.resets}
        places |= {self.frame[initial].index(self.first)} if self.part[initial] == p else set()
        if not kept and len(places) == 1:  # only one state can be excluded here, so what leaves this part may as well be reset
            (place,) = places
            for seen in own:
                if seen not in self.resets and self._enters(seen):
                    self.resets[seen] = self.automaton.moves[self.frame[seen[0]][place]][seen[1]]

    def _moved(self, seen: Seen) -> Values:
        z, a = seen
        return tuple(self.automaton.moves[q][a] for q in self.frame[z])

    def _key(self, seen: Seen) -> Key:
        """A reset counts as entering straight; where the part before is always straight, only the turn matters."""
        if seen in self.resets:
            return self.straight
        source, frame = self.part[seen[0]], self.frame[self.level.arrows[seen]]
        return (None if self.keys[source] == [self.straight] else source), tuple(frame.index(r) for r in self._moved(seen))

    def _live(self, part: int) -> frozenset[int]:
        """The parts whose marks are read while in this one."""
        sources = {source for source, _ in self.keys[part] if source is not None}
        return frozenset({part}).union(*map(self._live, sources))


def _first(options: Sequence[Any]) -> Any:
    return options[0]


def _reached(z: Values, onward: Mapping[Values, set[Values]]) -> set[Values]:
    reached, queue = {z}, [z]
    for node in queue:  # grows during the loop
        for after in onward[node] - reached:
            reached.add(after)
            queue.append(after)
    return reached


def with_end(automaton: Automaton, end: str) -> Automaton:
    """The automaton with one more letter, which leaves every state as it is."""
    return Automaton((*automaton.alphabet, end), tuple((*row, q) for q, row in enumerate(automaton.moves)), automaton.accepting)


def seen_by(cascade: Cascade, layer: int) -> tuple[Seen, ...]:
    """Everything that the coordinates of a layer can see, reachable combinations only; one layer beyond the last, what a read-out sees."""
    lower = sum(map(len, cascade.layers[:layer]))
    letters = range(len(cascade.automaton.alphabet))
    return tuple((z, a) for z in sorted({values[:lower] for values in cascade.reachable}) for a in letters)


def serial(cascade: Cascade) -> Cascade:
    """The same cascade with one coordinate a layer: what stood beside each other stands one above the other."""
    layers: list[tuple[Coordinate, ...]] = []
    lower = 0
    for layer in cascade.layers:
        for place, c in enumerate(layer):
            below = {values[: lower + place] for values in cascade.reachable}
            letters = range(len(cascade.automaton.alphabet))
            layers.append((Coordinate(c.values, c.initial, {(z, a): c.changes[z[:lower], a] for z in below for a in letters}),))
        lower += len(layer)
    return Cascade(cascade.automaton, tuple(layers), cascade.state_of)

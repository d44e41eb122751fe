"""Classes of regular languages that bound kinds of sequence models, each decided on the automaton or on its monoid.

    definite           a last stretch of bounded length decides            a stack of windows
    R-trivial          no state is entered again once it was left          softmax of fixed precision without positions
    permutation-reset  a letter permutes the states, or forgets them       one symmetric layer suffices
    twin images        idempotents e != f with e f = e and f e = f         one symmetric layer does not

Star-free (aperiodic) and quasi-aperiodic are properties of `Monoid`. Products read from left to right, as words do.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from separatrix.bounds.languages.monoid import Monoid
from separatrix.tasks.languages.automata import Moves


@dataclass(frozen=True)
class TwinImages:
    """Two words that act as different idempotents with the same image: what each does, the other leaves as it is."""

    e: tuple[int, ...]
    f: tuple[int, ...]

    def document(self, alphabet: tuple[str, ...]) -> dict[str, list[str]]:
        """The two words as JSON."""
        return {"e": [alphabet[a] for a in self.e], "f": [alphabet[a] for a in self.f]}


def definite(monoid: Monoid) -> bool:
    """Whether membership depends on a last stretch of bounded length: every idempotent of a non-empty word forgets its state."""
    forgets = (monoid.maps == monoid.maps[:, :1]).all(axis=1)
    return bool(forgets[monoid.idempotent & of_words(monoid)].all())


def r_trivial(moves: Moves) -> bool:
    """Whether each state, once left, is never entered again; for the minimal automaton this says that the monoid is R-trivial."""
    after = [{*row} for row in moves]
    for _ in moves:
        after = [reached.union(*(after[r] for r in reached)) for reached in after]
    return not any(q in after[r] for q, row in enumerate(moves) for r in row if r != q)


def permutation_reset(moves: Moves) -> bool:
    """Whether every letter permutes the states or leads all of them to one."""
    return all(len({*image}) in (1, len(moves)) for image in zip(*moves, strict=True))


def twin_images(monoid: Monoid) -> TwinImages | None:
    """Two idempotents with the same image, those of the shortest words; None if an image has only one idempotent.

    e f = e says that f fixes the image of e, and f e = f the converse: so e and f are different maps onto the same set of fixed points.
    """
    onto: dict[bytes, list[int]] = defaultdict(list)
    identity = np.arange(monoid.maps.shape[1])
    best: tuple[int, int] | None = None
    for x in np.flatnonzero(monoid.idempotent):
        met = onto[(monoid.maps[x] == identity).tobytes()]
        met.append(int(x))
        if len(met) == 2 and (best is None or max(met) < max(best)):
            best = (met[0], met[1])
    if best is None:
        return None
    number = {a: i for i, a in enumerate(monoid.alphabet)}
    e, f = (tuple(number[a] for a in monoid.word(x)) for x in best)
    return TwinImages(e, f)


def of_words(monoid: Monoid) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """The elements of non-empty words: all of them, but the identity only if some such word acts as it."""
    reached = np.ones(len(monoid), dtype=bool)
    reached[0] = bool((monoid.times == 0).any())
    return reached

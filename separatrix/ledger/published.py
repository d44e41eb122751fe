"""Published model types at the sizes of their own config class: what each carries, sees, can at most recall, and cannot track.

    mamba2   272 MB of state at any length; no weights of that shape look up one of 182 million symbols, or track PARITY at all lengths

A limit follows from counting alone: what crosses the cut before the question is a function of the state, so b bits of state tell at most
2^b pasts apart. It says nothing of what training reaches, which is less. Symbols have 12 bits each, the most that the tasks take.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import log2
from typing import Any

from separatrix.architectures import Architecture
from separatrix.errors import BadInput, did_you_mean
from separatrix.ledger.decided import impossible
from separatrix.runs.planned import ConfigCandidate
from separatrix.runs.state_of import state_bytes
from separatrix.tasks.languages.gallery import GALLERY, MARK

LENGTHS = (1_000, 10_000, 100_000, 1_000_000)
SYMBOL_BITS = 12
LABELS = 1 << SYMBOL_BITS
DTYPE = "bfloat16"
FAR = 10**15  # tokens; what is not limited by then grows with the input
UPDATES = {"conv + mamba": Architecture.MAMBA, "conv + mamba2": Architecture.MAMBA2}  # a kind of layer -> what its update is


@dataclass(frozen=True)
class PublishedType:
    """One model type of transformers at the default sizes of its config class."""

    name: str
    layers: tuple[tuple[str, int], ...]  # kind of state -> how many layers have it
    state: Mapping[int, int]  # tokens -> bytes that can still change a later output
    sees: int | None  # tokens, of a stack of windows and convolutions; None where some layer reaches every token
    lookup: int | None  # the most symbols of an index lookup; None: no limit by counting
    recall: int | None  # the most pairs of an associative recall
    copy: int | None
    cannot_track: tuple[str, ...]  # languages of the gallery, at all lengths, whatever the sizes

    @property
    def grows(self) -> bool:
        """Whether its state grows with the input."""
        return self.state[LENGTHS[-1]] > self.state[LENGTHS[-2]]

    def document(self) -> dict[str, Any]:
        """The model type as JSON."""
        return {
            "type": self.name,
            "layers": dict(self.layers),
            "state_bytes": {str(tokens): size for tokens, size in self.state.items()},
            "sees": self.sees,
            "largest_lookup": self.lookup,
            "largest_recall": self.recall,
            "largest_copy": self.copy,
            "cannot_track": list(self.cannot_track),
        }


@cache
def class_defaults() -> dict[str, dict[str, Any]]:
    """Type -> the config that its class makes when nothing is chosen, as the state room keeps it."""
    engine = json.loads(files("separatrix.state").joinpath("engine.json").read_text(encoding="utf-8"))
    return {
        name: {"model_type": name, **{key: value for key, value in known["defaults"].items() if value is not None}}
        for name, known in engine["types"].items()
    }


@cache
def published() -> tuple[PublishedType, ...]:
    """Every type whose defaults say enough to count its state, by name."""
    found = []
    for name in class_defaults():
        try:
            found.append(published_type(name))
        except BadInput:
            continue  # its class has no default for a field that decides
    return tuple(found)


@cache
def published_type(name: str) -> PublishedType:
    """One type; refuses another name with the nearest, and a class whose defaults do not say enough."""
    configs = class_defaults()
    if name not in configs:
        raise BadInput(f"no model type {name!r}{did_you_mean(name, configs)}: `separatrix published` lists all")
    return at_sizes_of(name, configs[name])


def at_sizes_of(name: str, config: Mapping[str, Any]) -> PublishedType:
    """The model type at the sizes of a config of one's own."""
    kinds = Counter(layer.kind for layer in state_bytes(config, LENGTHS[0], DTYPE).layers)
    candidate = ConfigCandidate(name, name, config, DTYPE)
    seen = candidate.sees()
    reach = None if seen is None else sum(seen) - len(seen)  # the farthest lag

    def bits(tokens: int) -> int:
        return 8 * state_bytes(config, tokens, DTYPE).needed

    def largest(needed: Callable[[int], float], tokens: int, lag: int) -> int | None:
        """The largest n for a task with so many tokens for each unit, whose answer depends on a token `lag` n before it."""
        by_bits = _largest(lambda n: bits(tokens * n) >= needed(n))
        return by_bits if reach is None else min(reach // lag, reach // lag if by_bits is None else by_bits)

    return PublishedType(
        name,
        tuple(sorted(kinds.items())),
        {tokens: state_bytes(config, tokens, DTYPE).needed for tokens in LENGTHS},
        None if reach is None else reach + 1,
        largest(lookup_bits, 1, 1),
        largest(recall_bits, 2, 2),
        largest(lookup_bits, 1, 1),
        never_tracked({UPDATES.get(kind) for kind in kinds}),
    )


def lookup_bits(symbols: int) -> float:
    """Bits that index lookup among so many symbols needs, and copying them."""
    return float(SYMBOL_BITS * symbols)


def recall_bits(pairs: int) -> float:
    """Bits that associative recall of so many pairs needs: the labels of all but one, and which key is pending, or its label."""
    return SYMBOL_BITS * (pairs - 1) + max(SYMBOL_BITS, log2(pairs))


def never_tracked(updates: set[Architecture | None]) -> tuple[str, ...]:
    """Languages of the gallery that no sizes of these updates recognise at all lengths; of a mixture nothing is said."""
    if len(updates) != 1:
        return ()
    (update,) = updates
    return tuple(one for one in GALLERY if any(kind is update for kind, *_ in impossible(f"{MARK}{one}", None)))


def _largest(fits: Callable[[int], bool]) -> int | None:
    """The largest size that fits, if those that fit come first; None if all do."""
    if fits(FAR):
        return None
    low, high = 0, 1
    while fits(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low

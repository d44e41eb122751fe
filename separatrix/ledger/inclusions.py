"""One architecture contains another, by a map of weights or by definition. What is built travels upwards, what is impossible downwards.

Each map is code (`models/inclusions.py`) that tests run on random weights, output equal to output. An inclusion holds at the same task,
length, mode and arithmetic; it may cost layers or width, so it carries no bound on a size except where the sizes are kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from separatrix.architectures import RECURRENT_KINDS, Architecture, Quantity
from separatrix.ledger.fact import STRENGTHS, Fact, Strength, What

DEFINITION = ""
FLOATS = ("float64", "float32")
HALVES = (  # the recurrent layers of hybrids: residual, so that attention above them can rest
    Architecture.LINEAR_RNN, Architecture.LINEAR_ATTENTION, Architecture.RETNET, Architecture.DSS, Architecture.MAMBA,
    Architecture.MAMBA2, Architecture.DELTANET, Architecture.DELTANET_NEGATIVE, Architecture.GATED_DELTANET,
)  # fmt: skip


@dataclass(frozen=True)
class Inclusion:
    """Every model of `small` is one of `large`, by `says`; `map` is the function of models/inclusions.py, or empty for a definition."""

    small: Architecture
    large: Architecture
    says: str
    map: str = DEFINITION
    keeps: tuple[Quantity, ...] = ()  # sizes that are the same before and after
    at_each_length: bool = False  # the map depends on the length: nothing about one model for all lengths travels along it
    causal: bool = False  # only models whose tokens read none that come later
    resizes: bool = False  # its width and state are others, and it is equal up to the rounding of floats: no size and no proof travels


INCLUSIONS: tuple[Inclusion, ...] = (
    *(
        Inclusion(kind, Architecture.RECURRENT, f"{kind.heading} is a recurrent model", keeps=(Quantity.STATE_BITS, Quantity.WIDTH))
        for kind in RECURRENT_KINDS
    ),
    Inclusion(Architecture.ONE_LAYER, Architecture.TWO_LAYERS, "a one-layer Transformer, one idle layer", "with_idle_layer"),
    Inclusion(Architecture.TWO_LAYERS, Architecture.THREE_LAYERS, "a two-layer Transformer, one idle layer", "with_idle_layer"),
    Inclusion(Architecture.ONE_LAYER, Architecture.HYBRID, "a one-layer Transformer, idle recurrent layers", "with_idle_layer"),
    *(Inclusion(kind, Architecture.HYBRID, f"{kind.heading}, attention idle", "as_hybrid") for kind in HALVES),
    Inclusion(Architecture.ELMAN, Architecture.GRU, "an Elman network, gates held open", "elman_as_gru"),
    Inclusion(
        Architecture.LINEAR_RNN,
        Architecture.DSS,
        "a linear RNN, its responses as waves that span the input",
        "linear_rnn_as_dss",
        at_each_length=True,
        resizes=True,
    ),
    Inclusion(Architecture.DELTANET, Architecture.DELTANET_NEGATIVE, "DeltaNet, beta at most 1"),
    Inclusion(Architecture.DELTANET, Architecture.GATED_DELTANET, "DeltaNet, nothing fades", "deltanet_as_gated_deltanet"),
    *(
        Inclusion(
            kind,
            Architecture.WINDOW,
            f"{kind.heading}, with a window that spans the input",
            "causal_as_window",
            at_each_length=True,
            causal=True,
        )
        for kind in (Architecture.ONE_LAYER, Architecture.TWO_LAYERS, Architecture.THREE_LAYERS)
    ),
    *(
        Inclusion(
            kind,
            Architecture.BLOCK_SPARSE,
            f"{kind.heading}, with one block that spans the input",
            "causal_as_block_sparse",
            at_each_length=True,
            causal=True,
        )
        for kind in (Architecture.ONE_LAYER, Architecture.TWO_LAYERS, Architecture.THREE_LAYERS)
    ),
)


def upwards(fact: Fact) -> Iterator[Fact]:
    """What is built, in every architecture that contains its own; each once, by the fewest steps."""
    if fact.what is not What.BUILT:
        return
    met, queue = {fact.architecture}, [fact]
    for one in queue:  # grows during the loop
        for inclusion in INCLUSIONS:
            if inclusion.small is one.architecture and inclusion.large not in met and _of_this_kind(one, inclusion):
                met.add(inclusion.large)
                moved = one.moved(f"from {inclusion.says}", architecture=inclusion.large)
                moved = _resized(moved) if inclusion.resizes else moved
                queue.append(moved)
                yield moved


def downwards(fact: Fact) -> Iterator[Fact]:
    """What is impossible, in every architecture that its own contains: at every size, or below a size that the inclusion keeps."""
    if fact.what not in (What.BELOW, What.IMPOSSIBLE):
        return
    met, queue = {fact.architecture}, [fact]
    for one in queue:  # grows during the loop
        for inclusion in INCLUSIONS:
            if inclusion.large is one.architecture and inclusion.small not in met and _kept(one, inclusion):
                met.add(inclusion.small)
                moved = one.moved(
                    f"from {inclusion.large.heading[:1].lower()}{inclusion.large.heading[1:]}",
                    architecture=inclusion.small,
                    more={**one.more, "tight": False},  # it was enough for the large one, which says nothing of the small one
                )
                queue.append(moved)
                yield moved


def _resized(fact: Fact) -> Fact:
    """Of the sizes only the numbers and how many layers there are; a proof of the small model becomes a test of the large one."""
    more = {**fact.more, "sizes": {name: value for name, value in fact.more["sizes"].items() if name in ("layers", "precision_bits")}}
    if more.get("certified"):
        more["certified"] = {**more["certified"], "strength": _tested(more["certified"]["strength"])}
    return replace(fact, value=None, strength=_tested(fact.strength), more=more)


def _tested(strength: Strength) -> Strength:
    return max(strength, "tested", key=STRENGTHS.index)


def _of_this_kind(fact: Fact, inclusion: Inclusion) -> bool:
    one_for_all = inclusion.at_each_length and fact.lengths.kind == "all"
    if inclusion.causal and fact.more.get("sees_all"):
        return False
    return not one_for_all and not (inclusion.resizes and fact.arithmetic not in FLOATS)


def _kept(fact: Fact, inclusion: Inclusion) -> bool:
    if not _of_this_kind(fact, inclusion):
        return False
    if fact.what is What.BELOW:
        return fact.quantity == Quantity.STATE_BITS and Quantity.STATE_BITS in inclusion.keeps
    return True

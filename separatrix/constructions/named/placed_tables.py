"""Looking up, copying and comparing by a table of places: DeltaNet, gated DeltaNet, Mamba-2 and Mamba, where tokens show their position.

Notation   P  places that are remembered; place t has slot (t - 1) mod m and bucket (t - 1) div m       b  bits of a symbol

    a place writes    each bit of its symbol that is 1, into the row of its slot and the column of its bucket and bit
    a reader reads    the row of its slot, and the columns of its bucket; it writes nothing:  [bucket] + [bit] - 1 - [reads] <= 0

    index lookup   the index token shows the slot and bucket that it asks for, in place of its own position
    copy           the tokens from the separator on read the place N before them
    comparing      the second half reads the first. A feed-forward part flags a bit that differs (equality), or 1 in both (intersects),
                   and a second layer adds up the flags in a table of one cell

The mixers know no positions: a table of P positions in the embedding does, as wide as the stream, which is of order sqrt P; Mamba, with
16 slots, needs P / 16. table_mixers.py has the weights of a table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from separatrix.architectures import Architecture
from separatrix.certificates.construction import Construction, Settings, Sizes
from separatrix.constructions.named.streams import (
    Array,
    Stream,
    Tensors,
    assembled,
    binary,
    bits_of,
    by_bits,
    code_bits,
    one_hot,
    stream,
    table_sides,
)
from separatrix.constructions.named.table_mixers import APART, TAPS, TableMaps, heads_of, state_of, table_mixer
from separatrix.models.config import EmbeddingConfig, FeedForwardConfig, LayerConfig, PlaceConfig
from separatrix.tasks.copying import Copy
from separatrix.tasks.equality import Equality
from separatrix.tasks.index_lookup import IndexLookup
from separatrix.tasks.intersects import Intersects

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

Lookup = IndexLookup | Copy
Comparing = Equality | Intersects
Placed = Lookup | Comparing


@dataclass(frozen=True)
class Layout:
    """Slots and buckets for the places of a task, bits of a symbol, and the stream."""

    slots: int
    buckets: int
    bits: int
    places: int
    stream: Stream

    @property
    def columns(self) -> int:
        """The columns of the table, one per bucket and bit."""
        return self.buckets * self.bits

    def digits(self) -> tuple[Array, Array]:
        """Slot and bucket of every place."""
        place = np.arange(self.places)
        return one_hot(place % self.slots, self.slots), one_hot(place // self.slots, self.buckets)


def symbols_of(task: Placed) -> int:
    """The alphabet of what is remembered."""
    return 2 if isinstance(task, Intersects) else task.symbols


def layout(task: Placed, by: str, state: int, width: int) -> Layout:
    """Mamba has `state` slots; DeltaNet shows all columns, so that a bucket costs a number for each bit too."""
    b, P = code_bits(symbols_of(task)), task.length if isinstance(task, Lookup) else task.length // 2
    m, w = table_sides(P, state, 1, 1 + b if by == "deltanet" else 1)
    slots = {"slot": m, "bucket": w, "code": b, "reads": 1, "answer": b}
    slots |= {"read": w * b} if by == "deltanet" else {}
    slots |= {} if isinstance(task, Lookup) else {"found": 1, "verdict": 1}
    return Layout(m, w, b, P, stream(f"{task.name}, N = {task.length}", width, **slots))


def placed_sizes(by: str, task: Placed, state: int, width: int, arithmetic: str) -> Sizes:
    """A table, and for comparing one more of a single cell."""
    at, p = layout(task, by, state, width), bits_of(task.name, arithmetic)
    numbers, layers = state_of(by, at.slots, at.columns), 1
    if not isinstance(task, Lookup):
        numbers, layers = numbers + state_of(by, 1, 1), 2
    return Sizes(layers=layers, heads=heads_of(by), width=at.stream.width, precision_bits=p, state_bits=p * numbers)


def placed_by(by: str, task: Placed, state: int, width: int, arithmetic: str) -> Built:
    """One layer for a lookup, two for a comparison."""
    at, sizes = layout(task, by, state, width), placed_sizes(by, task, state, width, arithmetic)
    mixer, weights = table_mixer(by, _table(at, by), 0)
    tensors, positions = {"embedding.table": tokens(task, at), **weights}, positions_of(task, at)
    tensors["embedding.places.0.address.table"] = positions
    if isinstance(task, IndexLookup):
        tensors["embedding.gate"] = np.concatenate([np.ones(task.symbols), np.zeros(task.length)])  # an index shows what it asks for
    if isinstance(task, Lookup):
        hidden = _selecting(at) if by == "deltanet" else None
        weight, bias = by_bits(task.symbols, at.stream.rows(at.bits, answer=np.eye(at.bits)), APART)
        tensors |= {"readout.weight": weight, "readout.bias": bias}
    else:
        hidden = comparing(at, by == "deltanet", isinstance(task, Equality), max(4.0, float(at.columns)))
        adding, more = table_mixer(by, _adding(at), 1)
        verdict = at.stream.rows(1, verdict=np.ones((1, 1))) * (-1 if isinstance(task, Equality) else 1)
        tensors |= {**more, "readout.weight": np.concatenate([-verdict, verdict]), "readout.bias": np.array([1.0, -1.0]) * APART}
        if isinstance(task, Equality):
            tensors["readout.bias"] = -tensors["readout.bias"]
    if hidden is not None:
        tensors |= {f"layers.0.feedforward.{name}": tensor for name, tensor in hidden.items()}
    config = None if hidden is None else FeedForwardConfig(len(hidden["inner"]))
    layers: tuple[LayerConfig, ...] = (LayerConfig(mixer, config, residual=True),)
    layers = layers if isinstance(task, Lookup) else (*layers, LayerConfig(adding, residual=True))
    places = (PlaceConfig("table", at.stream.width, extent=len(positions), projected=False),)
    embedding = EmbeddingConfig(task.vocabulary, places=places, gated=isinstance(task, IndexLookup))
    settings = ({"state": state} if by == "mamba" else {}) | {"width": width}
    facts = {"bits held": float(held_bits(task, at))}
    return assembled(task, f"{task.name}/{by}", arithmetic, settings, sizes, embedding, layers, tensors, facts)


def held_bits(task: Placed, at: Layout) -> int:
    """A cell is written once, so it holds a bit; the last three tokens; and one bit that says whether something was found."""
    return at.slots * at.columns + (TAPS - 1) * code_bits(task.vocabulary) + (not isinstance(task, Lookup))


def tokens(task: Placed, at: Layout) -> Array:
    """Symbols show their bits, an index the place it asks for."""
    s, symbols = at.stream, symbols_of(task)
    rows = [s.rows(symbols, code=binary(symbols))]
    if isinstance(task, Copy):
        rows.append(s.rows(1))
    if isinstance(task, IndexLookup):
        slot, bucket = at.digits()
        rows.append(s.rows(task.length, slot=slot, bucket=bucket, reads=np.ones((task.length, 1))))
    return np.concatenate(rows)


def positions_of(task: Placed, at: Layout) -> Array:
    """Places that are written, then those that are read."""
    slot, bucket = at.digits()
    written = at.stream.rows(at.places, slot=slot, bucket=bucket)
    if isinstance(task, IndexLookup):
        return np.concatenate([written, at.stream.rows(1)])
    return np.concatenate([written, at.stream.rows(at.places, slot=slot, bucket=bucket, reads=np.ones((at.places, 1)))])


def _table(at: Layout, by: str) -> TableMaps:
    """Values are positive for the token's own bucket and a bit of 1; every token that writes or reads has one bucket."""
    s, columns = at.stream, at.columns
    own, bit = np.repeat(np.eye(at.buckets), at.bits, axis=0), np.tile(np.eye(at.bits), (at.buckets, 1))
    out = {"read": np.eye(columns)} if by == "deltanet" else {"answer": bit}
    return TableMaps(
        slot=s.rows(at.slots, slot=np.eye(at.slots)),
        values=s.rows(columns, bucket=own - 1, code=bit, reads=np.full((columns, 1), -1.0)),
        writes=s.rows(1, bucket=np.ones((1, at.buckets))),
        bucket=s.rows(columns, bucket=own),
        out=s.rows(columns, **out).T,
        lag=0,
    )


def _adding(at: Layout) -> TableMaps:
    """One cell, which the readers share."""
    s, one = at.stream, np.ones((1, 1))
    reads = s.rows(1, reads=one)
    return TableMaps(reads, s.rows(1, found=2 * one), reads, reads, s.rows(1, verdict=one).T, lag=0)  # a flag is 1/2 or above


def _selecting(at: Layout) -> Tensors:
    """Keeps the columns of the token's bucket."""
    s, columns, most = at.stream, at.columns, 4.0  # more than a cell counts
    own, bit = np.repeat(np.eye(at.buckets), at.bits, axis=0), np.tile(np.eye(at.bits), (at.buckets, 1))
    return {
        "inner": s.rows(columns, read=np.eye(columns), bucket=most * own),
        "inner_bias": np.full(columns, -most),
        "outer": s.rows(columns, answer=bit).T,
        "outer_bias": np.zeros(s.width),
    }


def comparing(at: Layout, shown: bool, differ: bool, most: float) -> Tensors:
    """Flags, at readers: a bit read and not shown, or shown and not read (equality); or read and shown (intersects).

    What is read is 0, or from 1/2 up to `most`. Columns that are all shown, DeltaNet's, are compared bucket by bucket, the others' after
    their gate: Mamba-2's norm leaves the root of its columns at most, the others 1.
    A unit that stays silent is at -1/2 or below, so that no error of a read raises a flag; one that speaks is at 1/2 or above.
    """
    s, M = at.stream, most
    count = at.columns if shown else at.bits
    read = {"read" if shown else "answer": np.eye(count)}
    bit = np.tile(np.eye(at.bits), (at.buckets, 1)) if shown else np.eye(at.bits)
    here = {"reads": np.ones((count, 1))} | ({"bucket": np.repeat(np.eye(at.buckets), at.bits, axis=0)} if shown else {})
    conditions = len(here)

    def units(read_by: float, code: float, each: float) -> Array:
        parts = {name: read_by * part for name, part in read.items()} | {name: each * part for name, part in here.items()}
        return s.rows(count, **parts, code=code * bit)

    if differ:
        inner = [units(4.0, -4 * M, 4 * M), units(-4.0, 1.0, 1.0)]
        bias = [np.full(count, -4 * M * conditions - 1), np.full(count, -conditions - 0.5)]
    else:
        inner, bias = [units(4.0, 4 * M, 4 * M)], [np.full(count, -4 * M * (conditions + 1) - 1)]
    hidden = count * len(inner)
    return {
        "inner": np.concatenate(inner),
        "inner_bias": np.concatenate(bias),
        "outer": s.rows(hidden, found=np.ones((hidden, 1))).T,
        "outer_bias": np.zeros(s.width),
    }


# -- declarations --------------------------------------------------------------------------------------------------------------------


def _declared(computes: type[Placed], by: str, *quick: Settings) -> Construction:
    def build(task: Placed, width: int = 0, arithmetic: str = "float64") -> Built:
        return placed_by(by, task, 0, width, arithmetic)

    def mamba(task: Placed, state: int = 16, width: int = 0, arithmetic: str = "float64") -> Built:
        return placed_by(by, task, state, width, arithmetic)

    chosen: tuple[Callable[..., Built], Callable[..., Sizes]]
    chosen = (mamba, partial(placed_sizes, by)) if by == "mamba" else (build, partial(placed_sizes, by, state=0))
    fixed = ("distribution",) if computes is IndexLookup else ()
    return Construction(
        name=f"{computes.name}/{by}",
        computes=computes,
        architecture=Architecture(by),
        build=chosen[0],
        formula=chosen[1],
        quick=quick,
        default_length=16,
        fixed=fixed,
        ignores=fixed,  # a place that does not exist was never written
    )


_short = {"arithmetic": "float32"}
LOOKUP_DELTANET = _declared(IndexLookup, "deltanet", {"length": 4, "symbols": 3}, {"length": 256, "symbols": 2})
LOOKUP_GATED_DELTANET = _declared(IndexLookup, "gated-deltanet", {"length": 4, "symbols": 3, **_short}, {"length": 16, "symbols": 2})
LOOKUP_MAMBA2 = _declared(IndexLookup, "mamba2", {"length": 4, "symbols": 3}, {"length": 64, "symbols": 2})
LOOKUP_MAMBA = _declared(IndexLookup, "mamba", {"length": 4, "symbols": 3, **_short}, {"length": 16, "symbols": 2})
COPY_DELTANET = _declared(Copy, "deltanet", {"length": 4, "symbols": 3, **_short})
COPY_GATED_DELTANET = _declared(Copy, "gated-deltanet", {"length": 4, "symbols": 3})
COPY_MAMBA2 = _declared(Copy, "mamba2", {"length": 4, "symbols": 3, **_short})
COPY_MAMBA = _declared(Copy, "mamba", {"length": 4, "symbols": 3})
EQUALITY_DELTANET = _declared(Equality, "deltanet", {"length": 4, "symbols": 3})
EQUALITY_GATED_DELTANET = _declared(Equality, "gated-deltanet", {"length": 6})
EQUALITY_MAMBA2 = _declared(Equality, "mamba2", {"length": 4, "symbols": 3, **_short})
EQUALITY_MAMBA = _declared(Equality, "mamba", {"length": 6})
INTERSECTS_DELTANET = _declared(Intersects, "deltanet", {"length": 6})
INTERSECTS_GATED_DELTANET = _declared(Intersects, "gated-deltanet", {"length": 6})
INTERSECTS_MAMBA2 = _declared(Intersects, "mamba2", {"length": 6})
INTERSECTS_MAMBA = _declared(Intersects, "mamba", {"length": 6, **_short})

"""What a model of hard attention depends on once some places of its input are fixed: derived layer by layer, for all completions.

Of every position a table is kept: the free places that its vector depends on, its *support*, and the vector for each assignment of tokens
to them. In a layer, and in each row of a table, a key can only be the largest if its best score, over the rows of its own table that agree
with the row, is no less than the worst score of every other key. Those that can are few, and their supports together are the next support.
Within it everything is determined: the keys are compared exactly as the forward pass does, in each assignment by itself.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from separatrix.checker.budget import Budget
from separatrix.checker.models.embedding import embed
from separatrix.checker.models.layer import after_mixing, norm, under
from separatrix.checker.models.mixers.attention import Attention
from separatrix.checker.models.model import Model
from separatrix.checker.numbers import arrays
from separatrix.checker.numbers.boxes import Array, Box, join
from separatrix.checker.numbers.heads import may_be_largest
from separatrix.checker.seal import Refused

ROWS = 1 << 12  # of one table
ENTRY = 60  # work of comparing one score, besides the product that gives it
BYTES = 40  # of a number in the embedding, with what it is computed from
Places = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Table:
    """A vector for each assignment of tokens to the places of a support, in rising order; the token at the last place changes fastest."""

    support: Places
    vectors: Box


@dataclass(frozen=True)
class Completions:
    """Inputs in which some places are fixed and the others are any token of their alphabets."""

    alphabets: tuple[range, ...]
    fixed: tuple[int | None, ...]

    def tokens(self, place: int) -> tuple[int, ...]:
        """The tokens that may stand at a place."""
        token = self.fixed[place]
        return tuple(self.alphabets[place]) if token is None else (token,)

    def count(self, support: Places) -> int:
        """How many assignments a support has."""
        return math.prod(len(self.alphabets[p]) for p in support)

    def rows(self, support: Places, part: Places) -> Array:
        """For each assignment of a support, the number of the assignment of a part of it."""
        sizes = [len(self.alphabets[p]) for p in support]
        digits = arrays.unravel_index(arrays.arange(self.count(support)), sizes) if support else ()
        number = arrays.zeros(self.count(support))
        for p in part:
            number = number * len(self.alphabets[p]) + digits[support.index(p)]
        return number


def last_table(model: Model, inputs: Completions, budget: Budget) -> Table:
    """The table of the last position after the last layer."""
    layers, n = model.description.layers, len(inputs.fixed)
    reading = [number for number, layer in enumerate(layers) if layer.mixer is not None]
    tables = first_tables(model, inputs, budget)
    for number, layer in enumerate(layers):
        if layer.mixer is None:
            tables = [Table(t.support, after_mixing(layer, model.layers[number], model.ops, t.vectors, None)) for t in tables]
            continue
        if not isinstance(layer.mixer, Attention) or layer.mixer.scores != "hard":
            raise Refused(f"model: expected hard attention in layer {number + 1}")
        through = Pass(model, number, inputs, tables, budget)
        tables = [through.table(i) for i in (range(n - 1, n) if number == reading[-1] else range(n))]
        budget = through.budget
    return tables[-1]


def first_tables(model: Model, inputs: Completions, budget: Budget) -> list[Table]:
    """The embedding: the token of a free place is all that its vector depends on."""
    d, n = model.description, len(inputs.fixed)
    if d.embedding.reads != "tokens" or n > d.length:
        raise Refused(f"model: expected one that reads {n} tokens")
    used = sorted({token for place in range(n) for token in inputs.tokens(place)})
    numbers = n * len(used) * d.width
    budget.allow(ENTRY * numbers, BYTES * numbers)
    every = {token: embed(d.embedding, model.weights, model.ops, arrays.full(n, token), 1) for token in used}
    tables = []
    for place in range(n):
        vectors = join([every[token].rows(slice(place, place + 1)) for token in inputs.tokens(place)])
        tables.append(Table((place,) if inputs.fixed[place] is None and len(inputs.alphabets[place]) > 1 else (), vectors))
    return tables


class Pass:
    """One layer of hard attention over all tables."""

    def __init__(self, model: Model, number: int, inputs: Completions, tables: Sequence[Table], budget: Budget) -> None:
        self.model, self.number, self.inputs, self.tables, self.budget = model, number, inputs, tables, budget
        self.layer, self.w, ops = model.description.layers[number], model.layers[number], model.ops
        assert isinstance(self.layer.mixer, Attention)
        self.mixer = self.layer.mixer
        sizes = [len(table.vectors) for table in tables]
        self.starts = arrays.cumsum([0, *sizes[:-1]])
        at = arrays.repeat(arrays.arange(len(tables)), sizes)
        x = norm(self.layer.norm, self.w, "before_mixing", ops, join([table.vectors for table in tables]))
        weights = under(self.w, "mixer")
        self.q, self.k, self.v = (
            self.mixer.queries(ops, weights, x, at),
            self.mixer.keys(ops, weights, x, at),
            self.mixer.values(ops, weights, x),
        )

    def table(self, i: int) -> Table:
        """The table of position i after the layer."""
        ops, mixer, own = self.model.ops, self.mixer, self.tables[i]
        rows = slice(self.starts[i], self.starts[i] + len(own.vectors))
        keys, heads = len(self.k), mixer.heads
        self.budget = self.budget.after(len(own.vectors) * keys * heads * (mixer.key_width * ops.cost(mixer.key_width) + ENTRY))
        self.budget.allow(0, 64 * len(own.vectors) * keys)
        scores = [
            ops.logits(mixer.of_head(self.q.rows(rows), h, mixer.key_width), mixer.of_head(self.k, h, mixer.key_width))
            for h in range(heads)
        ]
        able = [self._able(i, score) for score in scores]
        possible = sorted({j for each in able for j in arrays.flatnonzero(each.any(axis=0)).tolist()})
        support = tuple(sorted(set(own.support).union(*(self.tables[j].support for j in possible))))
        count = self.inputs.count(support)
        if count > ROWS:
            where = f"position {i + 1} depends on {len(support)} free places after layer {self.number + 1}"
            raise Refused(f"restriction: {where}, {count} assignments, more than {ROWS}")
        mine = self.inputs.rows(support, own.support)
        read = [self._read(h, scores[h], able[h], support, mine) for h in range(heads)]
        mixed = mixer.out(ops, under(self.w, "mixer"), join(read, axis=-1))
        return self._trimmed(Table(support, after_mixing(self.layer, self.w, ops, own.vectors.rows(mine), mixed)))

    def _able(self, i: int, score: Box) -> Array:
        """[rows of i, positions]: which keys may have the largest score in some completion that agrees with the row."""
        seen = self.mixer.mask.visible(arrays.array([i]), len(self.tables))
        shown = arrays.ones(len(self.tables), dtype=bool) if seen is None else seen[0]
        agreeing = {}
        for j, table in enumerate(self.tables):
            shared = tuple(p for p in table.support if p in self.tables[i].support)
            if shared and shown[j]:  # only the rows of j that agree with the row of i
                columns = slice(self.starts[j], self.starts[j] + len(table.vectors))
                mine, theirs = self.inputs.rows(self.tables[i].support, shared), self.inputs.rows(table.support, shared)
                agreeing[j] = columns, mine[:, None] == theirs[None, :]
        return may_be_largest(score, self.starts, shown, agreeing)

    def _read(self, h: int, score: Box, able: Array, support: Places, mine: Array) -> Box:
        """What a head reads in each assignment of the support: the keys that can be largest, in the order of their positions, compared."""
        ops, u = self.model.ops, self.mixer.value_width
        keys = arrays.flatnonzero(able.any(axis=0)).tolist()
        columns = arrays.stack([self.starts[j] + self.inputs.rows(support, self.tables[j].support) for j in keys], axis=1)
        logits = score[mine[:, None], columns]
        weights = ops.attention(logits, able[mine][:, keys], "hard")
        values = self.mixer.of_head(self.v, h, u)
        chosen = values[columns]
        return ops.mix(weights[:, None], chosen)[:, 0]

    def _trimmed(self, table: Table) -> Table:
        """Without the places on which no vector depends."""
        for place in table.support:
            rest = tuple(p for p in table.support if p != place)
            sizes = [len(self.inputs.alphabets[p]) for p in table.support]
            vectors = table.vectors.without_axis(sizes, table.support.index(place))
            if vectors is not None:
                return self._trimmed(Table(rest, vectors))
        return table

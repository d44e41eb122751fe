"""The stream of a model in which every token depends on few tokens of the input: one box for each combination of those.

Lemma (local layer). Let every token be known as a box for each combination of the tokens at the places it depends on. Let the logits of a
head lie in intervals, whatever those tokens are; so do its weights. What the head reads at t is its weight times the value of one token
j, its focus, for each combination that j depends on, plus a box for all others. So after the layer t depends on what its foci depend on,
and with a residual connection on what it depends on itself. Any focus is sound: the certificate chooses it.

Tokens of one role are bounded together, by the smallest boxes that hold them all, so that a large alphabet is processed once. Which tokens
share a role is the certificate's choice too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from separatrix.checker.budget import Budget
from separatrix.checker.models.description import Layer
from separatrix.checker.models.embedding import embed
from separatrix.checker.models.layer import under
from separatrix.checker.models.mixers.attention import Attention
from separatrix.checker.models.model import Model
from separatrix.checker.numbers import arrays
from separatrix.checker.numbers.boxes import Array, Box, join, known
from separatrix.checker.numbers.heads import focused
from separatrix.checker.replay.choices import Choices
from separatrix.checker.replay.proof import Unproven
from separatrix.checker.replay.shapes import after_reading
from separatrix.checker.specs.forms.local import Alphabets

ROWS = 1 << 21  # combinations of one role
AT_ONCE = 1 << 11  # combinations that are walked through together
READERS = 1 << 18  # logits of readers at a time, over keys

Places = tuple[int, ...]
Finish = Callable[[Box], Box]


@dataclass(frozen=True, eq=False)
class Stream:
    """Before a layer: token t depends on places[t], and rows first[block[t]] .. of `rows` are its boxes, the last place turning fastest."""

    alphabets: Alphabets
    places: list[Places]
    block: Array  # [tokens]
    first: Array  # [blocks]; blocks follow each other
    rows: Box

    def of(self, t: int) -> slice:
        """The rows of one token."""
        start = int(self.first[self.block[t]])
        return slice(start, start + math.prod(len(self.alphabets[p]) for p in self.places[t]))

    def boxes(self, t: int) -> Box:
        """One token, for every combination."""
        return self.rows[self.of(t)]

    def held(self, rows: Box) -> Box:
        """For each token one box around its rows of an array indexed by rows, [tokens, ..]."""
        return rows.grouped(self.first)[self.block]


@dataclass(frozen=True, eq=False)
class Reading:
    """What one token reads in a layer: a table of boxes from each of its sources, and which of its places each table goes by."""

    places: Places
    sizes: tuple[int, ...]
    axes: tuple[Places, ...]  # of each table
    tables: list[Box]


@dataclass(eq=False)
class Role:
    """Boxes that hold the tables of all its members."""

    sizes: tuple[int, ...]
    axes: tuple[Places, ...]
    tables: list[Box]

    def widen(self, tables: list[Box]) -> None:
        """One more member."""
        self.tables = [one.around(other) for one, other in zip(self.tables, tables, strict=True)]

    @property
    def rows(self) -> int:
        """Combinations."""
        return math.prod(self.sizes)

    def sources(self, first: int, count: int) -> list[Box]:
        """The rows of all tables for combinations first .. first + count - 1."""
        number = arrays.arange(first, min(first + count, self.rows))
        digits = arrays.unravel_index(number, self.sizes) if self.sizes else ()
        rows = []
        for axes, table in zip(self.axes, self.tables, strict=True):
            row = arrays.zeros(len(number))
            for axis in axes:
                row = row * self.sizes[axis] + digits[axis]
            rows.append(table[row])
        return rows


@dataclass(eq=False)
class Roles:
    """The roles of the tokens after one layer."""

    choices: Choices
    roles: list[Role] = field(default_factory=list)

    def put(self, reading: Reading) -> int:
        """The number of a token's role, which now holds it too."""
        number = self.choices.role(reading, self)
        if not 0 <= number <= len(self.roles):
            raise Unproven("roles", f"found number {number} where 0 to {len(self.roles)} are known")
        if number == len(self.roles):
            self.roles.append(Role(reading.sizes, reading.axes, reading.tables))
            return number
        role = self.roles[number]
        if (role.sizes, role.axes) != (reading.sizes, reading.axes):
            raise Unproven("roles", f"a token of role {number} depends on other tokens than the first of that role")
        role.widen(reading.tables)
        return number


def first_stream(model: Model, alphabets: Alphabets) -> Stream:
    """What enters the first layer: every token depends on itself."""
    d, n = model.description, len(alphabets)
    widest = max(map(len, alphabets))
    tokens = arrays.array([[alphabet[min(s, len(alphabet) - 1)] for alphabet in alphabets] for s in range(widest)])
    x = known(embed(d.embedding, model.weights, model.ops, tokens, 1))  # [symbols, places, width]
    sizes = arrays.array([len(alphabet) for alphabet in alphabets])
    place, symbol = arrays.repeat(arrays.arange(n), sizes), arrays.concatenate([arrays.arange(size) for size in sizes])
    places: list[Places] = [(t,) if sizes[t] > 1 else () for t in range(n)]
    return Stream(alphabets, places, arrays.arange(n), arrays.concatenate([[0], arrays.cumsum(sizes)[:-1]]), x[symbol, place])


@dataclass(frozen=True, eq=False)
class LocalLayer:
    """One layer of a model, over boxes; number -1 is no layer, and leaves the stream unchanged."""

    model: Model
    number: int  # from 0 on

    def __post_init__(self) -> None:
        mixer = self.mixer
        if self.layer is not None and self.layer.norm != "none":
            raise Unproven(self.name, f"expected no norm, found {self.layer.norm}")
        if mixer is not None and (mixer.scaled or mixer.rotary):
            raise Unproven(self.name, "scaled logits and rotary positions are not bounded")

    @property
    def name(self) -> str:
        """Its name in a message."""
        return f"layer {self.number + 1}" if self.number >= 0 else "embedding"

    @property
    def layer(self) -> Layer | None:
        """Its description."""
        return self.model.description.layers[self.number] if self.number >= 0 else None

    @property
    def mixer(self) -> Attention | None:
        """Its heads."""
        mixer = None if self.layer is None else self.layer.mixer
        if mixer is not None and not isinstance(mixer, Attention):
            raise Unproven(self.name, f"expected attention, found {type(mixer).__name__}")
        return mixer

    def readings(self, x: Stream, readers: Sequence[int], choices: Choices) -> list[Reading]:
        """What each reader reads."""
        mixer, ops = self.mixer, self.model.ops
        own: list[list[tuple[int | None, Box]]] = [[(t, x.boxes(t))] for t in readers]
        if self.layer is None or mixer is None:
            return [_reading(x, sources) for sources in own]
        w, n, m, u = under(self.model.layers[self.number], "mixer"), len(x.places), mixer.key_width, mixer.value_width
        q, k = (x.held(ops.linear(x.rows, w[name], w.get(f"{name}_bias"))) for name in ("query", "key"))
        v = ops.linear(x.rows, w["value"], w.get("value_bias"))
        by_reader = own if self.layer.residual else [[] for _ in own]
        step = max(1, READERS // n)
        for part in range(0, len(readers), step):
            at = arrays.array(readers[part : part + step])
            visible = mixer.mask.visible(at, n)
            seen = arrays.ones((len(at), n), dtype=bool) if visible is None else visible
            for h in range(mixer.heads):
                keys, values = slice(h * m, (h + 1) * m), slice(h * u, (h + 1) * u)
                a = ops.logits(q[at][:, keys], k[:, keys])
                shares = ops.attention(a, seen, mixer.scores)
                for i, source in enumerate(self._read(x, shares, v[:, values], choices)):
                    by_reader[part + i].append(source)
        return [_reading(x, sources) for sources in by_reader]

    def _read(self, x: Stream, w: Box, v: Box, choices: Choices) -> list[tuple[int | None, Box]]:
        """For each reader the focus of one head, and what is read for each combination that it depends on."""
        hulls, n = x.held(v), w.shape[1]
        focus = choices.foci(w, hulls)
        if bool((focus >= n).any()):
            raise Unproven(self.name, f"a focus is one of {n} tokens")
        foci = [j if j >= 0 else None for j in focus.tolist()]
        return list(zip(foci, focused(self.model.ops, w, v, hulls, focus, [x.of(max(j, 0)) for j in focus.tolist()]), strict=True))

    def allow(self, roles: Roles, budget: Budget, columns: int) -> None:
        """Refuse roles of too many combinations, one by one or all together; of each row so many numbers are held on to."""
        for role in roles.roles:
            if role.rows > ROWS:
                raise Unproven(self.name, f"a token depends on {role.rows} combinations of tokens, more than {ROWS}")
        width, part = self.model.description.width, None if self.layer is None else self.layer.feedforward
        rows, hidden = sum(role.rows for role in roles.roles), 0 if part is None else part.hidden
        budget.allow(rows * 40 * (hidden + width) + len(roles.roles) * 200_000, rows * (columns * 40 + 8))

    def at_once(self, role: Role) -> Box:
        """One box around the stream after the layer for all combinations of a role."""
        return self._stream([table.hull()[None] for table in role.tables])

    def after(self, role: Role, choices: Choices, finish: Finish | None = None) -> tuple[Box, Box]:
        """The stream after the layer for every combination of a role, passed through `finish`; and one box around it, [1, width]."""
        if finish is not None and choices.flat(self, role, finish):
            z = self.at_once(role)
            return finish(z)[arrays.zeros(role.rows)], z
        parts, hulls = [], []
        for first in range(0, role.rows, AT_ONCE):
            z = self._stream(role.sources(first, AT_ONCE))
            parts.append(z if finish is None else finish(z))
            hulls.append(z.hull()[None])
        return join(parts, axis=0), join(hulls, axis=0).hull()[None]

    def _stream(self, sources: list[Box]) -> Box:
        if self.layer is None:
            return sources[0]
        if self.mixer is None:
            raise Unproven(self.name, "expected attention, found a feed-forward part alone")
        own, read = (sources[0], sources[1:]) if self.layer.residual else (sources[0], sources)
        return after_reading(self.model, self.number, own, join(read, axis=-1))


def through(layer: LocalLayer, x: Stream, choices: Choices, budget: Budget) -> Stream:
    """The stream after a layer, at every token."""
    roles = Roles(choices)
    readings = layer.readings(x, range(len(x.places)), choices)
    block = arrays.array([roles.put(reading) for reading in readings])
    layer.allow(roles, budget, layer.model.description.width)
    rows = [layer.after(role, choices)[0] for role in roles.roles]
    first = arrays.concatenate([[0], arrays.cumsum([len(each) for each in rows])[:-1]])
    return Stream(x.alphabets, [reading.places for reading in readings], block, first, join(rows, axis=0))


def _reading(x: Stream, sources: list[tuple[int | None, Box]]) -> Reading:
    places = tuple(sorted({p for t, _ in sources if t is not None for p in x.places[t]}))
    axes = tuple(tuple(places.index(p) for p in x.places[t]) if t is not None else () for t, _ in sources)
    return Reading(places, tuple(len(x.alphabets[p]) for p in places), axes, [table for _, table in sources])

"""The forward pass of a model, from the grammar MODEL, over any of the arithmetics."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from flint import arb

from recheck.mixers import ATTENTION, KINDS, SMALL, WHOLE, Part, described, shapes
from recheck.numbers import Balls, Exact, Rows, Value, Vector, arithmetic, boxed
from recheck.reading import Tensor
from recheck.verdicts import Uncovered, exactly, require, whole


@dataclass(frozen=True)
class Place:
    """An address and the directions along which it is written."""

    part: dict[str, Any]
    pointers: tuple[int, ...]
    rows: list[tuple[Fraction, ...]]  # the generator, or the table
    weight: list[tuple[Fraction, ...]] | None

    def features(self, i: int) -> list[list[Fraction]]:
        """For each coordinate of the stream the terms of its sum."""
        if self.pointers:
            i = self.pointers[min(i, len(self.pointers)) - 1]
        else:
            i -= self.part["shift"]
            i = (i - 1) % self.part["fold"] + 1 if self.part["fold"] else i
        vector = self.vector(i)
        if self.weight is None:
            return [[a] for a in vector]
        return [[a * row[j] for a, row in zip(vector, self.weight, strict=True)] for j in range(len(self.weight[0]))]

    def vector(self, i: int) -> list[Fraction]:
        kind = self.part["address"]
        if kind == "quadratic":
            return [Fraction(i), Fraction(i * i)]
        if kind == "sign":
            if i < 0:
                raise Uncovered(f"the sign address of {i}")
            return [Fraction((-1) ** sum(int(g) for k, g in enumerate(row) if (i >> k) & 1)) for row in self.rows]
        if kind == "one-hot":
            return [Fraction(int(k == i - 1)) for k in range(self.part["dims"])]
        if not 1 <= i <= self.part["extent"]:
            raise Uncovered(f"the {kind} address of {i}")
        return list(self.rows[i - 1])


class Network:
    """A model with its weights; every tensor is used, and none is missing."""

    def __init__(self, model: Any, tensors: dict[str, Tensor]) -> None:
        exactly(model, "arithmetic length width embedding layers readout", "model")
        self.numbers: Any = arithmetic(model["arithmetic"])
        self.tensors, self.used = tensors, set[str]()
        self.embed = cache(self._embed)
        self.trail: list[tuple[int, list[Any], Vector]] = []  # what a causal model last read: tokens, states and outputs
        self.length, self.width = whole(model["length"], "length", 1), whole(model["width"], "width", 1)
        self._embedding(model["embedding"])
        require(isinstance(model["layers"], list) and len(model["layers"]) > 0, "layers: expected a list")
        self.layers = [self._layer(f"layers.{i}.", layer) for i, layer in enumerate(model["layers"])]
        readout = model["readout"]
        tied = isinstance(readout, dict) and "tied" in readout
        exactly(readout, "targets norm bias tied" if tied else "targets norm bias", "readout")
        self.norm = self._norm("readout.norm.", readout["norm"])
        self.targets = whole(readout["targets"], "targets", 1)
        self.readout = self._words(readout) if tied else self.matrix("readout.weight", self.targets, self.width)
        self.readout_bias = self.vector("readout.bias", self.targets) if readout["bias"] else None
        require(self.used == set(tensors), f"weights: tensors that the model does not have: {sorted(set(tensors) - self.used)}")

    def _words(self, readout: dict[str, Any]) -> Rows:
        """A tied read-out: the embedding of every token, without its place, which holds integers only."""
        require(readout["tied"] is True and readout["bias"] is False, "readout: tied is true without a bias, or absent")
        require(self.targets == self.plain + self.number_count, "readout: a tied one has a target for each token")
        rows = [list(self.table[min(token, len(self.table) - 1)]) for token in range(self.targets)]
        if self.number is not None:
            for i in range(1, self.number_count + 1):
                terms = self.number.features(i)
                rows[self.plain + i - 1] = [sum(terms[j], w) for j, w in enumerate(rows[self.plain + i - 1])]
        require(all(w.denominator == 1 and abs(w) < 2**53 for row in rows for w in row), "readout: a tied one needs integers")
        return self._sparse(rows)

    def raw(self, name: str, *shape: int) -> Tensor:
        require(name in self.tensors, f"weights: {name} is missing")
        tensor = self.tensors[name]
        require(tensor.shape == shape, f"weights: {name} has the shape {list(tensor.shape)}, expected {list(shape)}")
        self.used.add(name)
        if tensor.dtype in ("F64", "F32") and isinstance(self.numbers, Balls) and self.numbers.bits == 32:
            require(tensor.dtype == "F32", f"weights: {name} is not float32")
        return tensor

    def matrix(self, name: str, rows: int, columns: int) -> Rows:
        return self._sparse(self.raw(name, rows, columns).rows())

    def _sparse(self, rows: Sequence[Sequence[Fraction]]) -> Rows:
        return [[(j, self.numbers.weight(w)) for j, w in enumerate(row) if w] for row in rows]

    def vector(self, name: str, size: int) -> Vector:
        return [self.numbers.weight(w) for w in self.raw(name, size).numbers]

    def _embedding(self, part: Any) -> None:
        exactly(part, "reads plain numbers number_address places gated", "embedding")
        if part["reads"] != "tokens":
            raise Uncovered("a model that reads vectors")
        self.plain, self.number_count = whole(part["plain"], "plain"), whole(part["numbers"], "numbers")
        rows = self.plain + (1 if self.number_count else 0)
        self.table = self.raw("embedding.table", rows, self.width).rows()
        self.gate = self.raw("embedding.gate", rows).numbers if part["gated"] else None
        self.number = self._place("embedding.number.", part["number_address"]) if part["number_address"] else None
        require(isinstance(part["places"], list), "places: expected a list")
        self.places = [self._place(f"embedding.places.{i}.", place) for i, place in enumerate(part["places"])]
        self._sparse([*self.table, self.gate or ()])  # a weight off the grid is refused

    def _place(self, prefix: str, part: Any) -> Place:
        exactly(part, "address dims extent shift fold pointers projected", prefix)
        kind, dims, extent = part["address"], whole(part["dims"], prefix, 1), whole(part["extent"], prefix)
        if kind not in ("sign", "quadratic", "one-hot", "table"):
            raise Uncovered(f"address {kind!r}")
        require(kind != "quadratic" or dims == 2, "a quadratic address has two coordinates")
        rows: list[tuple[Fraction, ...]] = []
        if kind == "sign":
            rows = self.raw(prefix + "address.generator", dims, extent).rows()
            require(all(g in (0, 1) for row in rows for g in row), "a generator has bits")
        if kind == "table":
            rows = self.raw(prefix + "address.table", extent, dims).rows()
        count = whole(part["pointers"], prefix)
        pointers = tuple(int(n) for n in self.raw(prefix + "pointers", count).numbers) if count else ()
        weight = self.raw(prefix + "weight", dims, self.width).rows() if part["projected"] else None
        require(weight is not None or dims == self.width, "an address that is not projected is as wide as the stream")
        self._sparse(weight or ())
        require(type(part["shift"]) is int, "shift: expected an integer")
        whole(part["fold"], prefix)
        return Place(part, pointers, rows, weight)

    def _norm(self, at: str, norm: object) -> dict[str, Any] | None:
        require(norm in ("none", "layer", "rms"), f"norm {norm!r}")
        if norm == "none":
            return None
        if self.numbers.exact:
            raise Uncovered("a norm in an exact format")
        bias = self.vector(at + "bias", self.width) if norm == "layer" else None
        return {"weight": self.vector(at + "weight", self.width), "bias": bias}

    def _layer(self, prefix: str, part: Any) -> "Layer":
        exactly(part, "mixer feedforward residual norm", prefix)
        require(isinstance(part["residual"], bool), "residual: expected true or false")
        mixer, forward, weights = part["mixer"], part["feedforward"], dict[str, Any]()
        if mixer is not None:
            require(isinstance(mixer, dict) and isinstance(mixer.get("kind"), str), "mixer: expected a kind")
            weights = self._mixer(prefix + "mixer.", mixer)
        if forward is not None:
            exactly(forward, "hidden activation bias", "feedforward")
            hidden, bias, weights["activation"] = whole(forward["hidden"], "hidden", 1), forward["bias"], forward["activation"]
            require(forward["activation"] in ("relu", "reglu", "gelu", "swiglu"), f"activation {forward['activation']!r}")
            if self.numbers.exact and forward["activation"] in ("gelu", "swiglu"):
                raise Uncovered(f"{forward['activation']} in an exact format")
            at = prefix + "feedforward."
            weights["inner"] = self.matrix(at + "inner", hidden, self.width)
            weights["outer"] = self.matrix(at + "outer", self.width, hidden)
            weights["inner_bias"] = self.vector(at + "inner_bias", hidden) if bias else None
            weights["outer_bias"] = self.vector(at + "outer_bias", self.width) if bias else None
            if forward["activation"] in ("reglu", "swiglu"):
                weights["ff_gate"] = self.matrix(at + "gate", hidden, self.width)
                weights["ff_gate_bias"] = self.vector(at + "gate_bias", hidden) if bias else None
        if mixer is not None or forward is None:
            weights["before_mixing"] = self._norm(prefix + "before_mixing.", part["norm"])
        if forward is not None:
            weights["before_feedforward"] = self._norm(prefix + "before_feedforward.", part["norm"])
        return Layer(self.numbers, mixer or {}, weights, self.width, part["residual"])

    def _mixer(self, at: str, mixer: dict[str, Any]) -> dict[str, Any]:
        if mixer["kind"] == "register-file":
            return self._register_file(at, mixer)
        if mixer["kind"] == "attention":
            exactly(mixer, "kind scores mask heads key_width value_width scaled bias rotary", "attention")
            if mixer["rotary"] or (mixer["scaled"] and self.numbers.exact):
                raise Uncovered("rotary positions, or scaled logits in an exact format")
            require(mixer["scores"] in ("softmax", "hard", "uniform"), "attention: unknown scores")
            for name in ("heads", "key_width", "value_width"):
                whole(mixer[name], name, 1)
            sizes = shapes(ATTENTION, mixer, self.width)
        else:
            sizes = described(mixer, self.width, self.numbers)
        weights: dict[str, Any] = {}
        for name, shape in sizes.items():
            if len(shape) == 1:
                weights[name] = self.vector(at + name, *shape)
            elif name in WHOLE:
                weights[name] = [[self.numbers.weight(w) for w in row] for row in self.raw(at + name, *shape).rows()]
            else:
                weights[name] = self.matrix(at + name, *shape)
        return weights

    def _register_file(self, at: str, mixer: dict[str, Any]) -> dict[str, Any]:
        exactly(mixer, "kind registers scratch writes rows numbers length", "register-file")
        count = whole(mixer["registers"], "registers", 1) + whole(mixer["scratch"], "scratch")
        length, writes = whole(mixer["length"], "length", 1), whole(mixer["writes"], "writes", 1)
        rows, numbers = whole(mixer["rows"], "rows", 1), whole(mixer["numbers"], "numbers")
        require(max(rows + numbers, mixer["registers"]) <= self.width, "register-file: wider than the stream")
        tables = {name: self.raw(at + name, length, writes).rows() for name in ("write", "read")}
        tables["number_read"] = self.raw(at + "number_read", numbers, writes).rows() if numbers else []
        require(all(0 <= r < count for table in tables.values() for row in table for r in row), "register-file: no such register")
        gates = self.raw(at + "gates", length, writes, rows, 4).numbers
        if not all(g.denominator == 1 and abs(g) <= 8 for g in gates):
            raise Uncovered("gates of a register file that are not small integers")
        return {**tables, "gates": gates}

    def _embed(self, token: int, t: int) -> Vector:
        """The vector of a token at position t, counted from 1."""
        require(0 <= token < self.plain + self.number_count, f"token {token} lies outside the vocabulary")
        row = min(token, len(self.table) - 1)
        terms = [[w] for w in self.table[row]]
        if self.number is not None and token >= self.plain:
            terms = [a + b for a, b in zip(terms, self.number.features(token - self.plain + 1), strict=True)]
        gate = self.gate[row] if self.gate is not None else Fraction(1)
        for place in self.places if gate else ():
            terms = [a + [gate * f for f in b] for a, b in zip(terms, place.features(t), strict=True)]
        return [self._summed([term for term in column if term]) for column in terms]

    def embed_box(self, tokens: Sequence[int], t: int) -> Vector:
        """A box around the vectors of some tokens at position t."""
        if max(tokens) >= self.plain or (self.gate and len({self.gate[token] for token in tokens}) > 1):
            return boxed([self.embed(token, t) for token in tokens])
        return self.moved(self.embed(tokens[0], t), tokens[0], tokens)

    def moved(self, box: Vector, token: int, others: Sequence[int]) -> Vector:
        """A box around the vectors that other tokens without numbers, with the same gate, have where one has its own in a box."""
        n, rows, found, terms = self.numbers, self.table, [], 64 + sum(place.part["dims"] for place in self.places)
        for j, a in enumerate(box):
            column = [rows[other][j] - rows[token][j] for other in others]
            by = n.weight(min(column)), n.weight(max(column))
            found.append(a if by[0] == by[1] == 0 else n.off(a + by[0].union(by[1]), terms, abs(a) + abs(by[0]) + abs(by[1])))
        return found

    def _summed(self, terms: list[Fraction]) -> Value:
        total = sum(terms, Fraction(0))
        if isinstance(self.numbers, Exact):
            return self.numbers.store(total)
        ball = self.numbers.weight(total)
        sure = len(terms) <= 1 and all(abs(term) == 1 for term in terms)
        return ball if sure else self.numbers.off(ball, len(terms) + 4, self.numbers.weight(sum((abs(x) for x in terms), Fraction(0))))

    @property
    def work(self) -> int:
        """Products that a token costs: weights that are not 0."""
        return sum(bool(w) for tensor in self.tensors.values() for w in tensor.numbers)

    @property
    def causal(self) -> bool:
        return all(layer.kind != "attention" or layer.mixer["mask"] != {"kind": "all"} for layer in self.layers)

    def logits(self, tokens: Sequence[int], places: Sequence[int]) -> dict[int, Vector]:
        """The logits at some places, counted from 0."""
        require(len(tokens) <= self.length, "an input is longer than the model's length")
        if self.causal:
            self._follow(tokens)
            return {place: self.trail[place][2] for place in places}
        stream = [self.embed(token, t) for t, token in enumerate(tokens, 1)]
        for layer in self.layers:
            stream = layer.over(stream, places if layer is self.layers[-1] else range(len(stream)))
        return {place: self.read(x) for place, x in zip(places, stream, strict=True)}

    def _follow(self, tokens: Sequence[int]) -> None:
        """Read the tokens one by one, from where they differ from those that were read last."""
        same = 0
        while same < min(len(tokens), len(self.trail)) and tokens[same] == self.trail[same][0]:
            same += 1
        del self.trail[same:]
        for t in range(same, len(tokens)):
            x, states = self.embed(tokens[t], t + 1), list[Any]()
            for i, layer in enumerate(self.layers):
                state, x = layer.step(self.trail[t - 1][1][i] if t else layer.start(), x, t)
                states.append(state)
            self.trail.append((tokens[t], states, self.read(x)))

    def read(self, x: Vector) -> Vector:
        return list(self.numbers.linear(normed(self.numbers, self.norm, x), self.readout, self.readout_bias))


@dataclass
class Layer(Part):
    """A mixer and a feed-forward part; without a mixer its description is empty."""

    residual: bool

    @property
    def kind(self) -> str:
        return str(self.mixer.get("kind", ""))

    def before(self, x: Vector) -> Vector:
        """The input of the mixer."""
        return normed(self.numbers, self.weights.get("before_mixing"), x)

    def over(self, stream: list[Vector], places: Sequence[int]) -> list[Vector]:
        """What leaves the layer at some places."""
        if self.kind == "attention":
            inputs = [self.before(x) for x in stream]
            keys, values = self.held(inputs)
            return [self.after(stream[i], self._attend(inputs[i], i, keys, values)) for i in places]
        state, left = self.start(), list[Vector]()
        for t, x in enumerate(stream):
            state, y = self.step(state, x, t)
            left.append(y)
        return [left[i] for i in places]

    def step(self, state: Any, x: Vector, t: int) -> tuple[Any, Vector]:
        """One token at place t, counted from 0: the state after it, and what leaves the layer."""
        y = self.before(x)
        if not self.mixer:
            return state, self.after(x, None)
        if self.kind == "attention":
            keys, values = self.held([y])
            state = (state[0] + keys, state[1] + values)
            return state, self.after(x, self._attend(y, t, *state))
        if self.kind == "register-file":
            state, mixed = self._execute(state, y, t)
        else:
            state, mixed = KINDS[self.kind].step(self, state, y, t)
        return state, self.after(x, mixed)

    def after(self, x: Vector, mixed: Vector | None) -> Vector:
        """What follows the mixer at one token: residual connections and the feed-forward part."""
        n, w = self.numbers, self.weights
        y = x if mixed is None else self._plus(mixed, x)
        if "inner" not in w:
            return y if self.mixer else self.before(x)
        z = normed(n, w["before_feedforward"], y)
        act = {"relu": n.relu, "reglu": n.relu, "gelu": getattr(n, "gelu", None), "swiglu": getattr(n, "silu", None)}[w["activation"]]
        units = [act(a) for a in n.linear(z, w["inner"], w["inner_bias"])]
        if "ff_gate" in w:
            units = self.products(units, n.linear(z, w["ff_gate"], w["ff_gate_bias"]))
        return self._plus(n.linear(units, w["outer"], w["outer_bias"]), y)

    def _plus(self, part: Vector, x: Vector) -> Vector:
        return self.sums(part, x) if self.residual else part

    def size(self) -> int:
        """How many numbers of state a proof names."""
        return KINDS[self.kind].size(self.mixer, self.width)

    def start(self) -> Any:
        if self.kind == "attention" or not self.mixer:
            return [], []
        if self.kind == "register-file":
            return [0] * self.mixer["registers"]
        return list(self.weights["initial"]) if "initial" in self.weights else [self.numbers.weight(Fraction(0))] * self.size()

    # A register file: its gates are small integers and its registers bits, so floats compute the same as integers.

    def _execute(self, state: list[int], x: Vector, t: int) -> tuple[list[int], Vector]:
        n, w, m = self.numbers, self.weights, self.mixer
        zero, one = n.weight(Fraction(0)), n.weight(Fraction(1))
        rows, numbers, writes = m["rows"], m["numbers"], m["writes"]
        require(t < m["length"], "register-file: more tokens than it has weights for")
        if not all(a in (zero, one) for a in x[: rows + numbers]):
            raise Uncovered("register-file: the stream is not clearly one-hot")
        row, number = ([i for i, a in enumerate(part) if a == one] for part in (x[:rows], x[rows : rows + numbers]))
        require(len(row) == 1 and len(number) <= 1, "register-file: the stream is not one-hot")
        h = state + [0] * m["scratch"]
        for k in range(writes):
            to = int(w["write"][t][k])
            r = h[int(w["number_read"][number[0]][k] if number else w["read"][t][k])]
            first = ((t * writes + k) * rows + row[0]) * 4
            a, b, c, d = (int(g) for g in w["gates"][first : first + 4])
            h[to] = a + b * h[to] + c * r + d * h[to] * r
            require(h[to] in (0, 1), f"register-file: token {t + 1} writes {h[to]}")
        kept = h[: m["registers"]]
        return kept, [one if bit else zero for bit in kept] + [zero] * (self.width - len(kept))

    def held(self, inputs: list[Vector]) -> tuple[list[Vector], list[Vector]]:
        """Keys and values."""
        k, v = ([self.map(x, name, name + "_bias" if self.mixer["bias"] else "") for x in inputs] for name in ("key", "value"))
        return k, v

    def queried(self, x: Vector) -> Vector:
        """The query of a token."""
        q = self.map(x, "query", "query_bias" if self.mixer["bias"] else "")
        return [self.numbers.off(a / arb(self.mixer["key_width"]).sqrt(), 4) for a in q] if self.mixer["scaled"] else q

    def _attend(self, x: Vector, i: int, keys: list[Vector], values: list[Vector]) -> Vector:
        m, q, joined = self.mixer, self.queried(x), list[Value]()
        seen = [j for j in range(len(keys)) if visible(m["mask"], i, j)]
        for head in range(m["heads"]):
            at, to = (slice(head * m[name], (head + 1) * m[name]) for name in ("key_width", "value_width"))
            joined += self._mix(q[at], [keys[j][at] for j in seen], [values[j][to] for j in seen])
        return self.map(joined, "out", "out_bias" if m["bias"] else "")

    def _mix(self, query: Vector, keys: list[Vector], values: list[Vector]) -> Vector:
        n, scores = self.numbers, self.mixer["scores"]
        if not keys:
            return [n.weight(Fraction(0))] * self.mixer["value_width"]
        if scores == "uniform":
            weights = n.uniform(len(keys))
        else:
            logits = [self.dot(query, key) for key in keys]
            if scores == "hard":
                return list(n.hard(logits, values))
            weights = n.softmax(logits)
        return list(n.linear(weights, [list(enumerate(column)) for column in zip(*values, strict=True)]))


def normed(n: Any, norm: dict[str, Any] | None, x: Vector) -> Vector:
    """A layer norm, which has a bias, an RMS norm, or none."""
    if norm is None:
        return x
    layer = norm["bias"] is not None
    x = n.centred(x) if layer else x
    root = n.root(x, len(x), Fraction(1e-5) if layer else SMALL)
    y = [n.product(n.product(a, root), w) for a, w in zip(x, norm["weight"], strict=True)]
    return [n.add(a, b) for a, b in zip(y, norm["bias"], strict=True)] if layer else y


def visible(mask: Any, i: int, j: int) -> bool:
    """Whether token i sees token j, both counted from 0."""
    kind = mask.get("kind") if isinstance(mask, dict) else None
    if kind == "all":
        return True
    if kind == "causal":
        return j <= i
    if kind == "window":
        return i - whole(mask["size"], "window", 1) < j <= i
    if kind == "block-sparse":
        block, local, ends = whole(mask["block"], "block", 1), whole(mask["local"], "local", 1), whole(mask["global"], "global")
        return j <= i and (j > i - local * block or j % block >= block - ends)
    raise Uncovered(f"mask {kind!r}")

"""The forward pass of a model, from the grammar MODEL, over any of the arithmetics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb

from recheck.numbers import Balls, Exact, Value, Vector, arithmetic
from recheck.reading import Tensor
from recheck.verdicts import Refused, Uncovered, exactly, require, whole

RECURRENT = ("linear-rnn", "selective-rnn", "relu-rnn", "elman", "gru", "lstm")
CELLS = {"elman": 1, "gru": 3, "lstm": 4}
Matrix = list[Vector]


@dataclass(frozen=True)
class Place:
    """An address and the directions along which it is written."""

    address: str
    dims: int
    extent: int
    shift: int
    fold: int
    pointers: tuple[int, ...]
    rows: list[tuple[Fraction, ...]]  # the generator, or the table
    weight: list[tuple[Fraction, ...]] | None

    def features(self, i: int) -> list[list[Fraction]]:
        """For each coordinate of the stream the terms of its sum."""
        if self.pointers:
            i = self.pointers[min(i, len(self.pointers)) - 1]
        else:
            i = i - self.shift if not self.fold else (i - self.shift - 1) % self.fold + 1
        vector = self.vector(i)
        if self.weight is None:
            return [[a] for a in vector]
        return [[a * row[j] for a, row in zip(vector, self.weight, strict=True)] for j in range(len(self.weight[0]))]

    def vector(self, i: int) -> list[Fraction]:
        if self.address == "quadratic":
            return [Fraction(i), Fraction(i * i)]
        if self.address == "sign":
            if i < 0:
                raise Uncovered(f"the sign address of {i}")
            return [Fraction((-1) ** sum(int(g) for k, g in enumerate(row) if (i >> k) & 1)) for row in self.rows]
        if not 1 <= i <= (self.dims if self.address == "one-hot" else self.extent):
            raise Uncovered(f"the {self.address} address of {i}")
        if self.address == "one-hot":
            return [Fraction(int(k == i - 1)) for k in range(self.dims)]
        return list(self.rows[i - 1])


class Network:
    """A model with its weights; every tensor is used, and none is missing."""

    def __init__(self, model: Any, tensors: dict[str, Tensor]) -> None:
        exactly(model, "arithmetic length width embedding layers readout", "model")
        self.numbers = arithmetic(model["arithmetic"])
        self.tensors, self.used = tensors, set[str]()
        self.embedded: dict[tuple[int, int], Vector] = {}
        self.length, self.width = whole(model["length"], "length", 1), whole(model["width"], "width", 1)
        self._embedding(model["embedding"])
        require(isinstance(model["layers"], list) and len(model["layers"]) > 0, "layers: expected a list")
        self.layers = [self._layer(f"layers.{i}.", layer) for i, layer in enumerate(model["layers"])]
        readout = model["readout"]
        tied = isinstance(readout, dict) and "tied" in readout
        exactly(readout, "targets norm bias tied" if tied else "targets norm bias", "readout")
        self._plain_norm(readout["norm"])
        self.targets = whole(readout["targets"], "targets", 1)
        self.readout = self._words(readout) if tied else self.matrix("readout.weight", self.targets, self.width)
        self.readout_bias = self.vector("readout.bias", self.targets) if readout["bias"] else None
        require(self.used == set(tensors), f"weights: tensors that the model does not have: {sorted(set(tensors) - self.used)}")

    def _words(self, readout: dict[str, Any]) -> Matrix:
        """A tied read-out: the embedding of every token, without its place, which holds integers only."""
        require(readout["tied"] is True and readout["bias"] is False, "readout: tied is true without a bias, or absent")
        require(self.targets == self.plain + self.number_count, "readout: a tied one has a target for each token")
        rows = [list(self.table[min(token, len(self.table) - 1)]) for token in range(self.targets)]
        if self.number is not None:
            for i in range(1, self.number_count + 1):
                terms = self.number.features(i)
                rows[self.plain + i - 1] = [sum(terms[j], w) for j, w in enumerate(rows[self.plain + i - 1])]
        require(all(w.denominator == 1 and abs(w) < 2**53 for row in rows for w in row), "readout: a tied one needs integers")
        return [[self.numbers.weight(w) for w in row] for row in rows]

    # Weights.

    def raw(self, name: str, *shape: int) -> Tensor:
        require(name in self.tensors, f"weights: {name} is missing")
        tensor = self.tensors[name]
        require(tensor.shape == shape, f"weights: {name} has the shape {list(tensor.shape)}, expected {list(shape)}")
        self.used.add(name)
        if tensor.dtype in ("F64", "F32") and isinstance(self.numbers, Balls) and self.numbers.bits == 32:
            require(tensor.dtype == "F32", f"weights: {name} is not float32")
        return tensor

    def matrix(self, name: str, rows: int, columns: int) -> Matrix:
        return [[self.numbers.weight(w) for w in row] for row in self.raw(name, rows, columns).rows()]

    def vector(self, name: str, size: int) -> Vector:
        return [self.numbers.weight(w) for w in self.raw(name, size).numbers]

    # Parts.

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
        for numbers in (*self.table, self.gate or ()):
            for w in numbers:
                self.numbers.weight(w)  # a weight off the grid is refused

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
        for row in weight or ():
            for w in row:
                self.numbers.weight(w)
        if type(part["shift"]) is not int:
            raise Refused("shift: expected an integer")
        return Place(kind, dims, extent, part["shift"], whole(part["fold"], prefix), pointers, rows, weight)

    def _plain_norm(self, norm: object) -> None:
        if norm != "none":
            raise Uncovered(f"norm {norm!r}")

    def _layer(self, prefix: str, part: Any) -> Layer:
        exactly(part, "mixer feedforward residual norm", prefix)
        self._plain_norm(part["norm"])
        require(isinstance(part["residual"], bool), "residual: expected true or false")
        mixer, weights = part["mixer"], dict[str, Any]()
        if mixer is not None:
            require(isinstance(mixer, dict) and isinstance(mixer.get("kind"), str), "mixer: expected a kind")
            weights = self._mixer(prefix + "mixer.", mixer)
        forward = part["feedforward"]
        if forward is not None:
            exactly(forward, "hidden activation bias", "feedforward")
            hidden, bias = whole(forward["hidden"], "hidden", 1), forward["bias"]
            if forward["activation"] not in ("relu", "reglu"):
                raise Uncovered(f"activation {forward['activation']!r}")
            at = prefix + "feedforward."
            weights["inner"] = self.matrix(at + "inner", hidden, self.width)
            weights["outer"] = self.matrix(at + "outer", self.width, hidden)
            weights["inner_bias"] = self.vector(at + "inner_bias", hidden) if bias else None
            weights["outer_bias"] = self.vector(at + "outer_bias", self.width) if bias else None
            if forward["activation"] == "reglu":
                weights["ff_gate"] = self.matrix(at + "gate", hidden, self.width)
                weights["ff_gate_bias"] = self.vector(at + "gate_bias", hidden) if bias else None
        return Layer(self.numbers, mixer, weights, part["residual"], self.width)

    def _mixer(self, at: str, mixer: dict[str, Any]) -> dict[str, Any]:
        kind, d = mixer["kind"], self.width
        if kind == "attention":
            exactly(mixer, "kind scores mask heads key_width value_width scaled bias rotary", "attention")
            if mixer["rotary"] or (mixer["scaled"] and self.numbers.exact):
                raise Uncovered("rotary positions, or scaled logits in an exact format")
            require(mixer["scores"] in ("softmax", "hard", "uniform"), "attention: unknown scores")
            keys = whole(mixer["heads"], "heads", 1) * whole(mixer["key_width"], "key_width", 1)
            values = mixer["heads"] * whole(mixer["value_width"], "value_width", 1)
            shapes = {"query": (keys, d), "key": (keys, d), "value": (values, d), "out": (d, values)}
            biases = {"query_bias": keys, "key_bias": keys, "value_bias": values, "out_bias": d} if mixer["bias"] else {}
        elif kind in ("linear-rnn", "selective-rnn", "relu-rnn"):
            s = whole(mixer.get("state"), "state", 1)
            if kind == "linear-rnn":
                exactly(mixer, "kind state", kind)
                shapes, biases = {"transition": (s, s), "drive": (s, d), "out": (d, s)}, {}
            elif kind == "selective-rnn":
                exactly(mixer, "kind state gates", kind)
                require(mixer["gates"] in ("signed", "positive"), "gates: signed or positive")
                shapes = {"gate": (s, d), "drive": (s, d), "out": (d, s)}
                biases = {"gate_bias": s, "drive_bias": s, "initial": s}
            else:
                exactly(mixer, "kind state hidden", kind)
                h = whole(mixer["hidden"], "hidden", 1)
                shapes = {"transition": (h, s), "drive": (h, d), "back": (s, h), "out": (d, s)}
                biases = {"bias": h, "initial": s}
        elif kind in CELLS:
            exactly(mixer, "kind", kind)
            if self.numbers.exact:
                raise Uncovered(f"{kind} in an exact format")
            g = CELLS[kind] * d
            shapes = {"kernel.weight_ih_l0": (g, d), "kernel.weight_hh_l0": (g, d)}
            biases = {"kernel.bias_ih_l0": g, "kernel.bias_hh_l0": g}
        elif kind == "register-file":
            return self._register_file(at, mixer)
        else:
            raise Uncovered(f"mixer {kind!r}")
        weights: dict[str, Any] = {name: self.matrix(at + name, *shape) for name, shape in shapes.items()}
        return weights | {name: self.vector(at + name, size) for name, size in biases.items()}

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

    # The pass.

    def embed(self, token: int, t: int) -> Vector:
        """The vector of a token at position t, counted from 1."""
        if (token, t) not in self.embedded:
            self.embedded[token, t] = self._embed(token, t)
        return self.embedded[token, t]

    def _embed(self, token: int, t: int) -> Vector:
        if not 0 <= token < self.plain + self.number_count:
            raise Refused(f"token {token} lies outside the vocabulary")
        row = min(token, len(self.table) - 1)
        terms = [[w] for w in self.table[row]]
        if self.number is not None and token >= self.plain:
            terms = [a + b for a, b in zip(terms, self.number.features(token - self.plain + 1), strict=True)]
        gate = self.gate[row] if self.gate is not None else Fraction(1)
        for place in self.places if gate else ():
            terms = [a + [gate * f for f in b] for a, b in zip(terms, place.features(t), strict=True)]
        return [self._summed([term for term in column if term]) for column in terms]

    def _summed(self, terms: list[Fraction]) -> Value:
        total = sum(terms, Fraction(0))
        if isinstance(self.numbers, Exact):
            return self.numbers.store(total)
        ball = self.numbers.weight(total)
        sure = len(terms) <= 1 and all(abs(term) == 1 for term in terms)
        return ball if sure else self.numbers.off(ball, len(terms) + 4, self.numbers.weight(sum((abs(x) for x in terms), Fraction(0))))

    def logits(self, tokens: Sequence[int], places: Sequence[int]) -> dict[int, Vector]:
        """The logits at some places, counted from 0."""
        require(len(tokens) <= self.length, "an input is longer than the model's length")
        stream = [self.embed(token, t) for t, token in enumerate(tokens, 1)]
        for layer in self.layers[:-1]:
            stream = layer.over(stream, range(len(stream)))
        last = self.layers[-1].over(stream, places)
        return {place: self.read(x) for place, x in zip(places, last, strict=True)}

    def read(self, x: Vector) -> Vector:
        return self.numbers.linear(x, self.readout, self.readout_bias)


class Layer:
    """A mixer and a feed-forward part."""

    def __init__(self, numbers: Exact | Balls, mixer: dict[str, Any] | None, weights: dict[str, Any], residual: bool, width: int) -> None:
        self.numbers, self.mixer, self.weights, self.residual, self.width = numbers, mixer, weights, residual, width

    @property
    def kind(self) -> str:
        return str(self.mixer["kind"]) if self.mixer is not None else ""

    def over(self, stream: list[Vector], places: Sequence[int]) -> list[Vector]:
        """What leaves the layer at some places."""
        if self.mixer is None:
            return [self.after(stream[i], None) for i in places]
        if self.kind == "attention":
            return [self.after(stream[i], y) for i, y in zip(places, self._attend(stream, places), strict=True)]
        if self.kind == "register-file":
            outputs = self._execute(stream)
            return [self.after(stream[i], outputs[i]) for i in places]
        state, mixed = self.start(), list[Vector]()
        for x in stream:
            state, y = self.step(state, x)
            mixed.append(y)
        return [self.after(stream[i], mixed[i]) for i in places]

    def after(self, x: Vector, mixed: Vector | None) -> Vector:
        """What follows the mixer at one token: residual connections and the feed-forward part."""
        n, w = self.numbers, self.weights
        y = x if mixed is None else self._plus(mixed, x)
        if "inner" not in w:
            return y
        units = [n.relu(a) for a in n.linear(y, w["inner"], w["inner_bias"])]
        if "ff_gate" in w:
            units = [n.product(a, b) for a, b in zip(units, n.linear(y, w["ff_gate"], w["ff_gate_bias"]), strict=True)]
        return self._plus(n.linear(units, w["outer"], w["outer_bias"]), y)

    def _plus(self, part: Vector, x: Vector) -> Vector:
        return [self.numbers.add(a, b) for a, b in zip(part, x, strict=True)] if self.residual else part

    # Recurrences, one token at a time; a state is one list of numbers.

    def size(self) -> int:
        if self.kind in CELLS:
            return (2 if self.kind == "lstm" else 1) * self.width
        return int((self.mixer or {})["state"])

    def start(self) -> Vector:
        return list(self.weights["initial"]) if "initial" in self.weights else [self.numbers.weight(Fraction(0))] * self.size()

    def step(self, state: Vector, x: Vector) -> tuple[Vector, Vector]:
        n, w = self.numbers, self.weights
        if self.kind in CELLS:
            return self._cell(state, x)
        if self.kind == "selective-rnn":
            gates = n.linear(x, w["gate"], w["gate_bias"])
            if (self.mixer or {})["gates"] == "positive":
                gates = [n.relu(g) for g in gates]
            driven = n.linear(x, w["drive"], w["drive_bias"])
            h = [n.add(n.product(g, a), b) for g, a, b in zip(gates, state, driven, strict=True)]
        else:
            maps = [a + b for a, b in zip(w["transition"], w["drive"], strict=True)]
            h = n.linear(state + x, maps, w.get("bias"))
            if self.kind == "relu-rnn":
                h = n.linear([n.relu(a) for a in h], w["back"])
        return h, n.linear(h, w["out"])

    def _cell(self, state: Vector, x: Vector) -> tuple[Vector, Vector]:
        n, w, d = self.numbers, self.weights, self.width
        if not isinstance(n, Balls):
            raise Uncovered(f"{self.kind} in an exact format")
        read = n.linear(x, w["kernel.weight_ih_l0"], w["kernel.bias_ih_l0"])
        back = n.linear(state[:d], w["kernel.weight_hh_l0"], w["kernel.bias_hh_l0"])
        both = [n.add(a, b) for a, b in zip(read, back, strict=True)]
        if self.kind == "elman":
            h = [n.tanh(a) for a in both]
            return h, h
        if self.kind == "gru":
            h = []
            for i in range(d):
                r, z = n.sigmoid(both[i]), n.sigmoid(both[d + i])
                new = n.tanh(n.add(read[2 * d + i], n.product(r, back[2 * d + i])))
                h.append(n.add(n.product(n.add(1 - z, arb(0)), new), n.product(z, state[i])))
            return h, h
        gates = [n.tanh(a) if 2 * d <= i < 3 * d else n.sigmoid(a) for i, a in enumerate(both)]
        c = [n.add(n.product(gates[d + i], state[d + i]), n.product(gates[i], gates[2 * d + i])) for i in range(d)]
        h = [n.product(gates[3 * d + i], n.tanh(c[i])) for i in range(d)]
        return h + c, h

    # A register file: its gates are small integers and its registers bits, so floats compute the same as integers.

    def _execute(self, stream: list[Vector]) -> list[Vector]:
        n, w, m = self.numbers, self.weights, self.mixer or {}
        zero, one = n.weight(Fraction(0)), n.weight(Fraction(1))
        rows, numbers, writes = m["rows"], m["numbers"], m["writes"]
        require(len(stream) <= m["length"], "register-file: more tokens than it has weights for")
        h, outputs = [0] * m["registers"], list[Vector]()
        for t, x in enumerate(stream):
            if not all(a in (zero, one) for a in x[: rows + numbers]):
                raise Uncovered("register-file: the stream is not clearly one-hot")
            row, number = ([i for i, a in enumerate(part) if a == one] for part in (x[:rows], x[rows : rows + numbers]))
            require(len(row) == 1 and len(number) <= 1, "register-file: the stream is not one-hot")
            h = h[: m["registers"]] + [0] * m["scratch"]
            for k in range(writes):
                to = int(w["write"][t][k])
                r = h[int(w["number_read"][number[0]][k] if number else w["read"][t][k])]
                first = ((t * writes + k) * rows + row[0]) * 4
                a, b, c, d = (int(g) for g in w["gates"][first : first + 4])
                h[to] = a + b * h[to] + c * r + d * h[to] * r
                require(h[to] in (0, 1), f"register-file: token {t + 1} writes {h[to]}")
            kept = h[: m["registers"]]
            outputs.append([one if bit else zero for bit in kept] + [zero] * (self.width - len(kept)))
        return outputs

    # Attention.

    def _attend(self, stream: list[Vector], places: Sequence[int]) -> list[Vector]:
        n, w, m = self.numbers, self.weights, self.mixer or {}
        k, v = ([n.linear(x, w[name], w.get(name + "_bias")) for x in stream] for name in ("key", "value"))
        q = {i: n.linear(stream[i], w["query"], w.get("query_bias")) for i in places}
        if m["scaled"] and isinstance(n, Balls):
            q = {i: [n.off(a / arb(m["key_width"]).sqrt(), 4) for a in row] for i, row in q.items()}
        mixed = []
        for i in places:
            seen = [j for j in range(len(stream)) if visible(m["mask"], i, j)]
            joined: Vector = []
            for head in range(m["heads"]):
                keys, values = slice(head * m["key_width"], (head + 1) * m["key_width"]), slice(head * m["value_width"], None)
                there = [v[j][values][: m["value_width"]] for j in seen]
                joined += self._mix([q[i][keys]], [k[j][keys] for j in seen], there)
            mixed.append(n.linear(joined, w["out"], w.get("out_bias")))
        return mixed

    def _mix(self, query: list[Vector], keys: list[Vector], values: list[Vector]) -> Vector:
        n, m = self.numbers, self.mixer or {}
        if not keys:
            return [n.weight(Fraction(0))] * m["value_width"]
        if m["scores"] == "uniform":
            weights = n.uniform(len(keys))
        else:
            logits = [n.linear(query[0], [key])[0] for key in keys]
            if m["scores"] == "hard":
                return n.hard(logits, values)
            weights = n.softmax(logits)
        return n.linear(weights, [list(column) for column in zip(*values, strict=True)])


def visible(mask: Any, i: int, j: int) -> bool:
    """Whether token i sees token j, both counted from 0."""
    kind = mask.get("kind") if isinstance(mask, dict) else None
    if kind == "all":
        return True
    if kind == "causal":
        return j <= i
    if kind == "window":
        return i - whole(mask["size"], "window", 1) < j <= i
    raise Uncovered(f"mask {kind!r}")

"""Recurrences and memories, one token at a time; a state is one list of numbers, in the order that a proof names them.

h                                   linear-rnn, selective-rnn, relu-rnn, rank-one, pd; elman, gru; lstm h, then c
the last K - 1 inputs of a short convolution, oldest first, then the memory, row by row    deltanet, gated-deltanet, mamba, mamba2
S of every head, row by row         deltaproduct; linear-attention S, then z
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb

from recheck.numbers import Balls, Exact, Value, Vector
from recheck.verdicts import Uncovered, exactly, require, whole

SMALL = Fraction(1e-6)
WHOLE = {"convolution.weight", "decay", "tables"}  # matrices that are not applied to a vector
Shapes = dict[str, tuple[int, ...]]


@dataclass
class Part:
    """A mixer with its weights beside a stream."""

    numbers: Any
    mixer: dict[str, Any]
    weights: dict[str, Any]
    width: int

    def sizes(self, names: str) -> list[int]:
        return [int(self.mixer[name]) for name in names.split()]

    def map(self, x: Vector, name: str, bias: str = "") -> Vector:
        return list(self.numbers.linear(x, self.weights[name], self.weights[bias] if bias else None))

    def dot(self, a: Vector, b: Vector) -> Value:
        return self.numbers.linear(a, [list(enumerate(b))])[0]

    def products(self, a: Sequence[Value], b: Sequence[Value]) -> Vector:
        return [self.numbers.product(x, y) for x, y in zip(a, b, strict=True)]

    def sums(self, a: Sequence[Value], b: Sequence[Value]) -> Vector:
        return [self.numbers.add(x, y) for x, y in zip(a, b, strict=True)]

    def scaled(self, y: Vector, divisor: int, groups: int) -> Vector:
        """Each group of numbers over sqrt(sum of squares / divisor + 10^-6)."""
        n, each = self.numbers, len(y) // groups
        return [n.product(a, n.root(y[g : g + each], divisor, SMALL)) for g in range(0, len(y), each) for a in y[g : g + each]]

    def convolved(self, state: Vector, c: Vector) -> tuple[Vector, Vector]:
        """What the next token needs, and the filtered inputs."""
        window = state[: len(c) * (len(self.weights["convolution.weight"][0]) - 1)] + c
        bias = self.weights.get("convolution.bias")
        rows = [[(j * len(c) + i, w) for j, w in enumerate(taps)] for i, taps in enumerate(self.weights["convolution.weight"])]
        return window[len(c) :], [self.numbers.silu(a) for a in self.numbers.linear(window, rows, bias)]


@dataclass(frozen=True)
class Kind:
    """The fields of a description, tensors as `name:rows,columns` (? where there is a bias), numbers of state, and what a token does."""

    fields: str
    tensors: str
    memory: str
    step: Callable[[Part, Vector, Vector, int], tuple[Vector, Vector]]
    exact: bool = False

    def size(self, mixer: dict[str, Any], width: int) -> int:
        """Numbers of state, those of a convolution among them."""
        channels = shapes(self.tensors, mixer, width).get("convolution.weight", (0, 1))
        return _size(self.memory, mixer, width) + channels[0] * (channels[1] - 1)


def shapes(tensors: str, mixer: dict[str, Any], width: int) -> Shapes:
    """The tensors of a description."""
    entries = (entry.lstrip("?").split(":") for entry in tensors.split() if entry[0] != "?" or mixer["bias"])
    return {name: tuple(_size(size, mixer, width) for size in sizes.split(",")) for name, sizes in entries}


def described(mixer: dict[str, Any], width: int, numbers: Exact | Balls) -> Shapes:
    """The tensors of a recurrence, whose description is checked."""
    name = mixer["kind"]
    if name not in KINDS:
        raise Uncovered(f"mixer {name!r}")
    kind = KINDS[name]
    exactly(mixer, f"kind {kind.fields}".strip(), name)
    if numbers.exact and not kind.exact:
        raise Uncovered(f"{name} in an exact format")
    for field in kind.fields.split():
        if field == "gates":
            require(mixer[field] in ("signed", "positive"), "gates: signed or positive")
        elif field in ("negative", "bias"):
            require(isinstance(mixer[field], bool), f"{field}: expected true or false")
        else:
            whole(mixer[field], field, 1)
    require(name != "mamba2" or mixer["heads"] % mixer["groups"] == 0, "mamba2: groups of as many heads each")
    return shapes(kind.tensors, mixer, width)


def _linear(p: Part, state: Vector, x: Vector, _: int) -> tuple[Vector, Vector]:
    n, w = p.numbers, p.weights
    maps = [a + [(len(state) + j, v) for j, v in b] for a, b in zip(w["transition"], w["drive"], strict=True)]
    h = n.linear(state + x, maps, w.get("bias"))
    if "back" in w:
        h = p.map([n.relu(a) for a in h], "back")
    return h, p.map(h, "out")


def _selective(p: Part, state: Vector, x: Vector, _: int) -> tuple[Vector, Vector]:
    gates = p.map(x, "gate", "gate_bias")
    if p.mixer["gates"] == "positive":
        gates = [p.numbers.relu(g) for g in gates]
    h = p.sums(p.products(gates, state), p.map(x, "drive", "drive_bias"))
    return h, p.map(h, "out")


def _cell(p: Part, state: Vector, x: Vector, _: int) -> tuple[Vector, Vector]:
    n, d, kind = p.numbers, p.width, p.mixer["kind"]
    read, back = p.map(x, "kernel.weight_ih_l0", "kernel.bias_ih_l0"), p.map(state[:d], "kernel.weight_hh_l0", "kernel.bias_hh_l0")
    both = p.sums(read, back)
    if kind == "elman":
        h = [n.tanh(a) for a in both]
        return h, h
    if kind == "gru":
        h = []
        for i in range(d):
            r, z = n.sigmoid(both[i]), n.sigmoid(both[d + i])
            new = n.tanh(n.add(read[2 * d + i], n.product(r, back[2 * d + i])))
            h.append(n.add(n.product(n.add(1 - z, arb(0)), new), n.product(z, state[i])))
        return h, h
    gates = [n.tanh(a) if 2 * d <= i < 3 * d else n.sigmoid(a) for i, a in enumerate(both)]
    c = p.sums(p.products(gates[d : 2 * d], state[d:]), p.products(gates[:d], gates[2 * d : 3 * d]))
    h = p.products(gates[3 * d :], [n.tanh(a) for a in c])
    return h + c, h


def _rank_one(p: Part, state: Vector, x: Vector, _: int) -> tuple[Vector, Vector]:
    (s,) = p.sizes("state")
    moved, read, h = p.map(x, "moved"), p.map(x, "read"), state
    for j in range(0, len(moved), s):
        share = p.dot(read[j : j + s], h)
        h = p.sums(h, [-p.numbers.product(a, share) for a in moved[j : j + s]])
    h = p.sums(h, p.map(x, "drive"))
    return h, p.map(h, "out")


def _pd(p: Part, state: Vector, x: Vector, _: int) -> tuple[Vector, Vector]:
    n, w, s = p.numbers, p.weights, len(state)
    kept = p.products([g.max(arb(-1)).min(arb(1)) for g in p.map(x, "gate", "gate_bias")], state)
    scores = n.linear(p.map(x, "choice"), [list(enumerate(column)) for column in zip(*w["tables"], strict=True)])
    moved: list[list[tuple[int, Value]]] = [[] for _ in range(s)]
    for source in range(s):
        column = scores[source::s]
        best = [q for q in range(s) if all(column[q] > other for r, other in enumerate(column) if r != q)]
        if not best:
            raise Uncovered("pd: the largest score of a column is not clear")
        moved[best[0]].append((source, arb(1)))
    h = p.sums(n.linear(kept, moved), p.map(x, "drive"))
    return h, p.map(h, "out")


def _erased(p: Part, S: list[Vector], k: Vector, v: Vector, beta: Value) -> list[Vector]:
    """S + k (beta (v - k S))^T, by rows of keys."""
    n = p.numbers
    u = [n.product(beta, n.add(a, -p.dot(k, [row[j] for row in S]))) for j, a in enumerate(v)]
    return [p.sums(row, [n.product(a, b) for b in u]) for row, a in zip(S, k, strict=True)]


def _matrices(flat: Vector, heads: int, rows: int) -> list[list[Vector]]:
    each = len(flat) // (heads * rows)
    return [[flat[(h * rows + i) * each : (h * rows + i + 1) * each] for i in range(rows)] for h in range(heads)]


def _read(p: Part, q: Vector, S: list[list[Vector]]) -> Vector:
    """q S of every head, side by side."""
    m = len(S[0])
    return [p.dot(q[h * m : (h + 1) * m], list(column)) for h, rows in enumerate(S) for column in zip(*rows, strict=True)]


def _flat(S: list[list[Vector]]) -> Vector:
    return [a for head in S for row in head for a in row]


def _normed(p: Part, q: Vector, S: list[list[Vector]]) -> Vector:
    """What heads read with q / sqrt(key_width), with an RMS norm for each head and one weight for all of them."""
    read = _read(p, [p.numbers.off(a / arb(len(S[0])).sqrt(), 4) for a in q], S)
    return p.products(p.scaled(read, len(read) // len(S), len(S)), p.weights["norm.weight"] * len(S))


def _delta(p: Part, state: Vector, x: Vector, _: int) -> tuple[Vector, Vector]:
    n, (heads, m, v) = p.numbers, p.sizes("heads key_width value_width")
    window, mixed = p.convolved(state, p.map(x, "into"))
    q, k = (p.scaled(part, 1, heads) for part in (mixed[: heads * m], mixed[heads * m : 2 * heads * m]))
    values, shares = mixed[2 * heads * m :], [n.sigmoid(a) for a in p.map(x, "share")]
    S = _matrices(state[len(window) :], heads, m)
    if "decay" in p.weights:
        rates = [n.softplus(a) for a in p.map(x, "rate", "rate_bias")]
        fades = [n.exp(-n.product(n.exp(a), r)) for a, r in zip(p.weights["decay"], rates, strict=True)]
        S = [[[n.product(f, s) for s in row] for row in head] for f, head in zip(fades, S, strict=True)]
    twice = 2 if p.mixer["negative"] else 1
    S = [_erased(p, S[h], k[h * m : (h + 1) * m], values[h * v : (h + 1) * v], twice * shares[h]) for h in range(heads)]
    y = _normed(p, q, S)
    if "gate" in p.weights:
        y = p.products(y, [n.silu(a) for a in p.map(x, "gate")])
    return window + _flat(S), p.map(y, "out")


def _product(p: Part, state: Vector, x: Vector, _: int) -> tuple[Vector, Vector]:
    heads, m, v, factors = p.sizes("heads key_width value_width factors")
    q, k = p.scaled(p.map(x, "query"), 1, heads), p.scaled(p.map(x, "key"), 1, heads * factors)
    values, shares = p.map(x, "value"), [2 * p.numbers.sigmoid(a) for a in p.map(x, "share")]
    S = _matrices(state, heads, m)
    for i in range(heads * factors):
        S[i % heads] = _erased(p, S[i % heads], k[i * m : (i + 1) * m], values[i * v : (i + 1) * v], shares[i])
    return _flat(S), p.map(_normed(p, q, S), "out")


def _mamba(p: Part, state: Vector, x: Vector, _: int) -> tuple[Vector, Vector]:
    n, w, (inner, size, rank) = p.numbers, p.weights, p.sizes("inner state rank")
    into = p.map(x, "into")
    window, u = p.convolved(state, into[:inner])
    chosen, h = p.map(u, "select"), state[len(window) :]
    delta = [n.softplus(a) for a in n.linear(chosen[:rank], w["rate"], w["rate_bias"])]
    B, C, after, read = chosen[rank : rank + size], chosen[rank + size :], list[Value](), list[Value]()
    for c in range(inner):
        fades = [n.exp(-n.product(delta[c], n.exp(a))) for a in w["decay"][c]]
        driven = n.product(delta[c], u[c])
        row = p.sums(p.products(fades, h[c * size : (c + 1) * size]), [n.product(driven, b) for b in B])
        after += row
        read.append(n.add(p.dot(C, row), n.product(w["skip"][c], u[c])))
    return window + after, p.map(p.products(read, [n.silu(z) for z in into[inner:]]), "out")


def _mamba2(p: Part, state: Vector, x: Vector, _: int) -> tuple[Vector, Vector]:
    n, w, (heads, each, groups, size) = p.numbers, p.weights, p.sizes("heads head_width groups state")
    into, inner = p.map(x, "into"), heads * each
    window, mixed = p.convolved(state, into[inner : len(into) - heads])
    delta = [n.softplus(a) for a in p.sums(into[len(into) - heads :], w["rate_bias"])]
    S, read = _matrices(state[len(window) :], heads, size), list[Value]()
    for h in range(heads):
        at = inner + h * groups // heads * size
        B, C, u = mixed[at : at + size], mixed[at + groups * size : at + (groups + 1) * size], mixed[h * each : (h + 1) * each]
        fade = n.exp(-n.product(delta[h], n.exp(w["decay"][h])))
        driven = [n.product(delta[h], b) for b in B]
        S[h] = [p.sums([n.product(fade, s) for s in row], [n.product(b, a) for a in u]) for row, b in zip(S[h], driven, strict=True)]
        read += p.sums(_read(p, C, [S[h]]), [n.product(w["skip"][h], a) for a in u])
    y = p.scaled(p.products(read, [n.silu(z) for z in into[:inner]]), inner // groups, groups)
    return window + _flat(S), p.map(p.products(y, w["norm.weight"]), "out")


def _linear_attention(p: Part, state: Vector, x: Vector, _: int) -> tuple[Vector, Vector]:
    n, (heads, m, v), biased = p.numbers, p.sizes("heads key_width value_width"), p.mixer["bias"]
    q, k, values = (p.map(x, name, name + "_bias" if biased else "") for name in ("query", "key", "value"))
    q, k = ([_feature(n, a) for a in part] for part in (q, k))
    S, z = _matrices(state[: heads * m * v], heads, m), p.sums(state[heads * m * v :], k)
    for h in range(heads):
        S[h] = [p.sums(row, [n.product(k[h * m + i], a) for a in values[h * v : (h + 1) * v]]) for i, row in enumerate(S[h])]
    all_of = [p.dot(q[h * m : (h + 1) * m], z[h * m : (h + 1) * m]) for h in range(heads)]
    if any(a.contains(0) for a in all_of):
        raise Uncovered("linear attention: a sum of features may be 0")
    read = [n.off(a / all_of[i // v], 1) for i, a in enumerate(_read(p, q, S))]
    return _flat(S) + z, p.map(read, "out", "out_bias" if biased else "")


def _feature(n: Balls, a: arb) -> arb:
    """elu(a) + 1, which is increasing; e^a - 1 is off by a little of itself, and then of 1."""
    ends = [e + 1 if e >= 0 else n.off(e.exp(), 3, e.exp() + 16 * (1 - e.exp())) for e in (arb(a.lower()), arb(a.upper()))]
    return n.off(ends[0].union(ends[1]), 2).max(arb(0))


def _size(text: str, m: dict[str, Any], d: int) -> int:
    """A sum of products of numbers, the width d, and fields of a description."""
    terms = ([d if f == "d" else int(f) if f.isdigit() else int(m[f]) for f in term.split("*")] for term in text.split("+"))
    return sum(map(math.prod, terms))


def _cells(gates: int) -> str:
    return " ".join(f"kernel.weight_{side}_l0:{gates}*d,d kernel.bias_{side}_l0:{gates}*d" for side in ("ih", "hh"))


K, V, E, C = "heads*key_width", "heads*value_width", "heads*head_width", "heads*head_width+2*groups*state"
ATTENTION = f"query:{K},d key:{K},d value:{V},d out:d,{V} ?query_bias:{K} ?key_bias:{K} ?value_bias:{V} ?out_bias:d"
DELTA = f"into:2*{K}+{V},d convolution.weight:2*{K}+{V},convolution share:heads,d norm.weight:value_width out:d,{V}"
GATED = f"{DELTA} rate:heads,d rate_bias:heads decay:heads gate:{V},d"
FACTORS = f"query:{K},d key:factors*{K},d value:factors*{V},d share:factors*heads,d norm.weight:value_width out:d,{V}"
RELU = "transition:hidden,state drive:hidden,d back:state,hidden out:d,state bias:hidden initial:state"
SELECTIVE = "gate:state,d drive:state,d out:d,state gate_bias:state drive_bias:state initial:state"
RANK = "moved:factors*state,d read:factors*state,d drive:state,d initial:state out:d,state"
PD = "choice:tables,d tables:tables,state*state gate:state,d gate_bias:state drive:state,d initial:state out:d,state"
MAMBA = """into:2*inner,d convolution.weight:inner,convolution convolution.bias:inner select:rank+2*state,inner rate:inner,rank
 rate_bias:inner skip:inner decay:inner,state out:d,inner"""
MAMBA2 = f"""into:{E}+{C}+heads,d convolution.weight:{C},convolution convolution.bias:{C} rate_bias:heads decay:heads skip:heads
 norm.weight:{E} out:d,{E}"""
MEMORY = "heads key_width value_width"
KINDS = {
    "linear-rnn": Kind("state", "transition:state,state drive:state,d out:d,state", "state", _linear, exact=True),
    "relu-rnn": Kind("state hidden", RELU, "state", _linear, exact=True),
    "selective-rnn": Kind("state gates", SELECTIVE, "state", _selective, exact=True),
    "elman": Kind("", _cells(1), "d", _cell),
    "gru": Kind("", _cells(3), "d", _cell),
    "lstm": Kind("", _cells(4), "2*d", _cell),
    "rank-one": Kind("state factors", RANK, "state", _rank_one),
    "pd": Kind("state tables", PD, "state", _pd),
    "deltanet": Kind(f"{MEMORY} convolution negative", DELTA, f"{K}*value_width", _delta),
    "gated-deltanet": Kind(f"{MEMORY} convolution negative", GATED, f"{K}*value_width", _delta),
    "deltaproduct": Kind(f"{MEMORY} factors", FACTORS, f"{K}*value_width", _product),
    "mamba": Kind("inner state convolution rank", MAMBA, "inner*state", _mamba),
    "mamba2": Kind("heads head_width groups state convolution", MAMBA2, f"{E}*state", _mamba2),
    "linear-attention": Kind(f"{MEMORY} bias", ATTENTION, f"{K}*value_width+{K}", _linear_attention),
}

"""The rule `lookup` in floats: one layer whose reader attends to the place that decides the answer, whatever the other tokens are.

For every reader the least weight of its place follows from all logits, with boxes around all tokens of a place. What is read lies
between the value of the right symbol and those of all tokens, by that weight; and the right symbol leads on the whole box.
"""

from collections.abc import Sequence
from functools import reduce
from typing import Any

from flint import arb, arb_mat

from recheck.network import Layer, Network, visible
from recheck.numbers import Balls, Vector, boxed, fraction
from recheck.tasks import Task
from recheck.verdicts import Uncovered, require

MOST = 1_100_000  # pairs of a reader and a place

Reader = tuple[int, Sequence[int], int]  # where an answer is read, the tokens that may stand there, the place of the symbol due


def readers_of(name: str, task: Task) -> list[Reader]:
    """All readers of a task that looks something up."""
    if name == "index-lookup":
        return [(task.places[0], [token], i) for i, token in enumerate(task.alphabets[-1])]
    if name == "copy":
        return [(place, task.alphabets[place], i) for i, place in enumerate(task.places)]
    raise Uncovered(f"the form of {name}")


def replay_lookup(name: str, task: Task, net: Network) -> None:
    """Refuse, or return where every input is answered rightly."""
    n, (layer, *more) = net.numbers, net.layers
    if not isinstance(n, Balls) or more or layer.kind != "attention" or layer.mixer["scores"] != "softmax":
        raise Uncovered("lookup in an exact format, or by another model")
    alphabets, readers = task.alphabets, readers_of(name, task)
    if len(readers) * len(alphabets) > MOST:
        raise Uncovered(f"lookup with more than {MOST} pairs of reader and place")
    mask, heads, m, v = (layer.mixer[name] for name in ("mask", "heads", "key_width", "value_width"))
    stream = [net.embed_box(alphabet, t) for t, alphabet in enumerate(alphabets, 1)]
    inputs = [net.embed_box(tokens, place + 1) for place, tokens, _ in readers]
    keys, values = layer.held([layer.before(x) for x in stream])
    queries = [layer.queried(layer.before(x)) for x in inputs]
    every = boxed(values)
    weights = [[arb(0)] * heads for _ in readers]
    for head in range(heads):
        at = slice(head * m, (head + 1) * m)
        q, k = arb_mat([row[at] for row in queries]), arb_mat([row[at] for row in keys]).transpose()
        size = float(max(abs(a).upper() for row in queries for a in row[at]) * max(abs(a).upper() for row in keys for a in row[at])) * m
        off = float(n.off(arb(0), m + 1, arb(size)).upper()) if size else 0.0
        logits = q * k
        for r, (place, _, target) in enumerate(readers):
            seen = [j for j in range(len(alphabets)) if visible(mask, place, j)]
            require(target in seen, "lookup: the reader does not see the place")
            weights[r][head] = _least(n, [logits[r, j] + arb(0, off) for j in seen], seen.index(target))
    gates = {net.gate[s] for s in range(net.targets)} if net.gate else {1}
    if net.targets > net.plain or len(gates) > 1:
        raise Uncovered("lookup of symbols that are numbers, or with gates of their own")
    first = boxed([net.embed(0, target + 1) for _, _, target in readers])
    symbols = {s: layer.held([layer.before(net.moved(first, 0, [s]))])[1][0] for s in range(net.targets)}
    _right(net, every, inputs, symbols, weights, len(stream), v)


def _least(n: Balls, logits: Vector, target: int) -> arb:
    """A lower bound of a weight."""
    apart = [a - logits[target] for j, a in enumerate(logits) if j != target]
    near = [d for d in apart if not d < -200]
    rest = sum((d.exp() for d in near), arb(0)) + (len(apart) - len(near)) * arb(-200).exp()
    spread = max((float(abs(d).upper()) for d in apart), default=0.0)
    return n.off(1 / (1 + rest), 2 * (int(spread) + 10) + len(logits) + 2).lower().max(arb(0))


def _right(net: Network, every: Vector, inputs: list[Vector], values: dict[int, Vector], weights: Any, count: int, v: int) -> None:
    """The right symbol leads for all these readers at once, or for one half and then the other."""
    n, layer, x = net.numbers, net.layers[0], boxed(inputs)
    least = [min((row[h] for row in weights), key=float) for h in range(len(weights[0]))]
    for symbol, value in values.items():
        read = []
        for i, (a, other) in enumerate(zip(value, every, strict=True)):
            rest = n.off(1 - least[i // v], count + 2, arb(1)).upper()
            there = arb(least[i // v]).union(arb(1) + count * n.unit * 4) * a + arb(0).union(rest) * other
            read.append(n.off(there, count + 2, abs(a) + abs(other)))
        out = net.read(_after(layer, x, n.linear(read, layer.weights["out"], layer.weights.get("out_bias"))))
        if not all(out[symbol] > a for other, a in enumerate(out) if other != symbol):
            if len(inputs) == 1:
                raise Uncovered(f"lookup: the lead of symbol {symbol} is not clear in boxes")
            half = len(inputs) // 2
            _right(net, every, inputs[:half], values, weights[:half], count, v)
            _right(net, every, inputs[half:], values, weights[half:], count, v)
            return


def _after(layer: Layer, x: Vector, mixed: Vector) -> Vector:
    """The rest of a layer on a box: hidden units that share a direction are one piecewise-linear function of one number."""
    n, w = layer.numbers, layer.weights
    if w.get("activation") != "relu" or w["before_feedforward"] is not None:
        return layer.after(x, mixed)
    y = layer.sums(mixed, x) if layer.residual else mixed
    groups: dict[Any, list[int]] = {}
    for u, row in enumerate(w["inner"]):
        groups.setdefault(tuple((j, fraction(a) / fraction(row[0][1])) for j, a in row), []).append(u)
    outer = [dict(row) for row in w["outer"]]
    parts, sizes = [list[Any]() for _ in outer], [arb(0)] * len(outer)
    for units in groups.values():
        row = w["inner"][units[0]]
        slope = {u: w["inner"][u][0][1] if row else arb(0) for u in units}
        shift = {u: w["inner_bias"][u] if w["inner_bias"] else arb(0) for u in units}
        z = sum((a / row[0][1] * y[j] for j, a in row), arb(0))
        bends = [-shift[u] / slope[u] for u in units if row]
        points = [arb(z.lower()), arb(z.upper()), *(b for b in bends if z.overlaps(b))]
        for c, weights in enumerate(outer):
            if any(u in weights for u in units):
                at = [sum((weights[u] * (slope[u] * p + shift[u]).max(arb(0)) for u in units if u in weights), arb(0)) for p in points]
                parts[c].append(reduce(arb.union, at))
                sizes[c] += sum((abs(weights[u]) * (abs(slope[u]) * abs(z) + abs(shift[u])) for u in units if u in weights), arb(0))
    bias = w["outer_bias"] or [arb(0)] * len(outer)
    roundings = len(w["inner"]) + max((len(row) for row in w["inner"]), default=0) + 8
    left = [n.off(sum(part, b), roundings, size + abs(b)) for part, b, size in zip(parts, bias, sizes, strict=True)]
    return layer.sums(left, y) if layer.residual else left

"""Each mixer that a construction uses, as operators of ONNX: x [b, n, width] -> [b, n, width].

Attention and linear attention are matrix products; a recurrence is a Scan over the tokens, whose body is one step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from separatrix.errors import BadInput
from separatrix.models.exported.graph import Graph, Value
from separatrix.models.masks import All, BlockSparse, Causal, Mask, Window
from separatrix.models.mixers.attention import MultiHeadAttention
from separatrix.models.mixers.elman import Elman
from separatrix.models.mixers.gru import Gru
from separatrix.models.mixers.linear_attention import LinearAttention
from separatrix.models.mixers.linear_rnn import LinearRnn
from separatrix.models.mixers.lstm import Lstm
from separatrix.models.mixers.mixer import Mixer
from separatrix.models.mixers.register_file import RegisterFile
from separatrix.models.mixers.relu_rnn import ReluRnn
from separatrix.models.mixers.selective_rnn import SelectiveRnn

Step = Callable[[Graph, Sequence[Value], Sequence[Value]], tuple[Sequence[Value], Value]]


def attention(g: Graph, mixer: MultiHeadAttention, x: Value, last: bool = False) -> Value:
    """Softmax, hard or uniform heads under a mask; with `last` the queries are those of the last token alone."""
    c = mixer.config
    if c.rotary:
        raise BadInput("onnx: attention with rotary positions is not exported; the models that `separatrix build` makes have none")
    readers = g.last(x) if last else x
    q = split(g, g.linear(readers, mixer.query, mixer.query_bias), c.heads, c.key_width)
    k = split(g, g.linear(x, mixer.key, mixer.key_bias), c.heads, c.key_width)
    v = split(g, g.linear(x, mixer.value, mixer.value_bias), c.heads, c.value_width)
    if mixer.scale is not None:
        q = g.add("Mul", q, g.scalar(mixer.scale))
    logits = g.add("MatMul", q, g.add("Transpose", k, perm=[0, 1, 3, 2]))
    n = g.size(x, 1)
    if c.scores == "uniform":
        logits = g.add("Mul", logits, g.scalar(0.0))
    visible = seen(g, c.mask, n, last)
    if visible is not None:
        logits = g.add("Where", visible, logits, g.scalar(float("-inf")))
    if c.scores == "hard":
        first = g.add("ArgMax", logits, axis=-1, keepdims=1, select_last_index=0)
        weights = g.to_number(g.add("Equal", first, g.positions(n)))
    else:
        weights = g.add("Softmax", logits, axis=-1)
    return g.linear(together(g, g.add("MatMul", weights, v)), mixer.out, mixer.out_bias)


def linear_attention(g: Graph, mixer: LinearAttention, x: Value) -> Value:
    """The same products in another order: weights phi(q) phi(k) over the tokens so far, divided by their sum."""
    c = mixer.config
    q, k = (
        _feature(g, split(g, g.linear(x, weight, bias), c.heads, c.key_width))
        for weight, bias in ((mixer.query, mixer.query_bias), (mixer.key, mixer.key_bias))
    )
    v = split(g, g.linear(x, mixer.value, mixer.value_bias), c.heads, c.value_width)
    products = g.add("MatMul", q, g.add("Transpose", k, perm=[0, 1, 3, 2]))
    visible = seen(g, Causal(), g.size(x, 1))
    assert visible is not None
    weights = g.add("Where", visible, products, g.scalar(0.0))
    total = g.add("ReduceSum", weights, g.integers(-1), keepdims=1)
    return g.linear(together(g, g.add("Div", g.add("MatMul", weights, v), total)), mixer.out, mixer.out_bias)


def linear_rnn(g: Graph, mixer: LinearRnn, x: Value) -> Value:
    def step(body: Graph, state: Sequence[Value], read: Sequence[Value]) -> tuple[Sequence[Value], Value]:
        h = body.add("Add", body.linear(state[0], mixer.transition), read[0])
        return [h], h

    zeros = mixer.transition.new_zeros(mixer.config.state)
    return g.linear(scan(g, x, [g.weight(zeros, "zeros")], [g.linear(x, mixer.drive)], step), mixer.out)


def relu_rnn(g: Graph, mixer: ReluRnn, x: Value) -> Value:
    def step(body: Graph, state: Sequence[Value], read: Sequence[Value]) -> tuple[Sequence[Value], Value]:
        units = body.add("Relu", body.add("Add", body.linear(state[0], mixer.transition), read[0]))
        h = body.linear(units, mixer.back)
        return [h], h

    driven = g.linear(x, mixer.drive, mixer.bias)
    return g.linear(scan(g, x, [g.weight(mixer.initial, "initial")], [driven], step), mixer.out)


def selective_rnn(g: Graph, mixer: SelectiveRnn, x: Value) -> Value:
    def step(body: Graph, state: Sequence[Value], read: Sequence[Value]) -> tuple[Sequence[Value], Value]:
        h = body.add("Add", body.add("Mul", read[0], state[0]), read[1])
        return [h], h

    gates = g.linear(x, mixer.gate, mixer.gate_bias)
    if mixer.config.gates == "positive":
        gates = g.add("Relu", gates)
    driven = g.linear(x, mixer.drive, mixer.drive_bias)
    return g.linear(scan(g, x, [g.weight(mixer.initial, "initial")], [gates, driven], step), mixer.out)


def elman(g: Graph, mixer: Elman, x: Value) -> Value:
    W, U, b, b2 = mixer.kernel.all_weights[0]

    def step(body: Graph, state: Sequence[Value], read: Sequence[Value]) -> tuple[Sequence[Value], Value]:
        h = body.add("Tanh", body.add("Add", read[0], body.linear(state[0], U, b2)))
        return [h], h

    return scan(g, x, [g.weight(W.new_zeros(mixer.width), "zeros")], [g.linear(x, W, b)], step)


def lstm(g: Graph, mixer: Lstm, x: Value) -> Value:
    W, U, b, b2 = mixer.kernel.all_weights[0]

    def step(body: Graph, state: Sequence[Value], read: Sequence[Value]) -> tuple[Sequence[Value], Value]:
        units = body.add("Add", read[0], body.linear(state[0], U, b2))
        i, f, v, o = body.several("Split", [units], 4, axis=-1, num_outputs=4)
        kept = body.add("Mul", body.add("Sigmoid", f), state[1])
        c = body.add("Add", kept, body.add("Mul", body.add("Sigmoid", i), body.add("Tanh", v)))
        h = body.add("Mul", body.add("Sigmoid", o), body.add("Tanh", c))
        return [h, c], h

    zeros = g.weight(W.new_zeros(mixer.width), "zeros")
    return scan(g, x, [zeros, zeros], [g.linear(x, W, b)], step)


def gru(g: Graph, mixer: Gru, x: Value) -> Value:
    W, U, b, b2 = mixer.kernel.all_weights[0]

    def step(body: Graph, state: Sequence[Value], read: Sequence[Value]) -> tuple[Sequence[Value], Value]:
        recurrent = body.linear(state[0], U, b2)
        r, z, v = body.several("Split", [read[0]], 3, axis=-1, num_outputs=3)
        r2, z2, v2 = body.several("Split", [recurrent], 3, axis=-1, num_outputs=3)
        reset, kept = (body.add("Sigmoid", body.add("Add", one, two)) for one, two in ((r, r2), (z, z2)))
        fresh = body.add("Tanh", body.add("Add", v, body.add("Mul", reset, v2)))
        h = body.add("Add", fresh, body.add("Mul", kept, body.add("Sub", state[0], fresh)))
        return [h], h

    return scan(g, x, [g.weight(W.new_zeros(mixer.width), "zeros")], [g.linear(x, W, b)], step)


def register_file(g: Graph, mixer: RegisterFile, x: Value) -> Value:
    """Writes one after the other; each has its own gates for each token and row."""
    c, n = mixer.config, g.size(x, 1)
    row = g.add("ArgMax", g.columns(x, 0, c.rows), axis=-1, keepdims=0)  # [b, n]
    read = [row]
    if c.numbers:
        one_hot = g.columns(x, c.rows, c.rows + c.numbers)
        read += [g.add("ArgMax", one_hot, axis=-1, keepdims=0), g.add("ReduceMax", one_hot, g.integers(-1), keepdims=0)]
    timed = [g.first(g.weight(table, "table"), n, 0) for table in (mixer.write, mixer.read, mixer.gates)]  # entry t belongs to token t

    def step(body: Graph, state: Sequence[Value], read: Sequence[Value]) -> tuple[Sequence[Value], Value]:
        h, places = state[0], body.positions(body.integers(c.registers + c.scratch))
        if c.scratch:
            h = body.add("Pad", h, body.integers(0, 0, 0, c.scratch))
        write, reading, gates = read[len(read) - 3 :]
        for k in range(c.writes):
            at = body.integer(k)
            w = body.add("Gather", write, at, axis=0)
            r = body.add("Gather", reading, at, axis=0)
            if mixer.number_read is not None:
                table = body.weight(mixer.number_read[:, k], "number_read")
                told = body.add("Greater", read[2], body.scalar(0.0))
                r = body.add("Where", told, body.add("Gather", table, read[1], axis=0), r)  # [b]
            else:
                r = body.add("Expand", r, body.size(h, 0))
            h_w = body.add("Gather", h, body.add("Unsqueeze", w, body.integers(0)), axis=1)  # [b, 1]
            h_r = body.add("GatherElements", h, body.add("Unsqueeze", r, body.integers(1)), axis=1)
            ones = body.add("Add", body.add("Mul", h_w, body.scalar(0.0)), body.scalar(1.0))
            parts = body.add("Concat", ones, h_w, h_r, body.add("Mul", h_w, h_r), axis=1)  # [b, 4]
            gate = body.add("Gather", body.add("Gather", gates, at, axis=0), read[0], axis=0)  # [b, 4]
            written = body.add("ReduceSum", body.add("Mul", gate, parts), body.integers(1), keepdims=1)
            h = body.add("Where", body.add("Equal", places, w), written, h)
        h = body.columns(h, 0, c.registers)
        return [h], h

    zeros = mixer.gates.new_zeros(c.registers)
    registers = scan(g, x, [g.weight(zeros, "zeros")], read, step, timed)
    blank = mixer.width - c.registers
    return g.add("Pad", registers, g.integers(0, 0, 0, 0, 0, blank)) if blank else registers


def scan(g: Graph, x: Value, initial: Sequence[Value], read: Sequence[Value], step: Step, timed: Sequence[Value] = ()) -> Value:
    """A recurrence over the tokens: vectors `initial` for every row, values `read` [b, n, ..] and `timed` [n, ..] of each token.

    The outputs [b, n, ..] of `step` at every token.
    """
    rows = g.size(x, 0)
    states = [g.add("Expand", vector, g.add("Concat", rows, g.size(vector, 0), axis=0)) for vector in initial]
    body = g.inner()
    before, now, clocked = ([body.name(what) for _ in values] for what, values in (("state", states), ("read", read), ("timed", timed)))
    after, said = step(body, before, [*now, *clocked])
    kept = [body.add("Identity", value) for value in after]
    shown = body.add("Identity", said)
    graph = body.body("step", (*before, *now, *clocked), (*kept, shown))
    found = g.several(
        "Scan",
        [*states, *read, *timed],
        len(states) + 1,
        body=graph,
        num_scan_inputs=len(read) + len(timed),
        scan_input_axes=[1] * len(read) + [0] * len(timed),
        scan_output_axes=[1],
    )
    return found[-1]


def seen(g: Graph, mask: Mask, n: Value, last: bool = False) -> Value | None:
    """Which of n tokens each token may read, [n, n], or the last of them, [1, n]; None for all."""
    if isinstance(mask, All):
        return None
    j = g.positions(n)
    i = g.add("Unsqueeze", g.add("Sub", n, g.integers(1)) if last else j, g.integers(1))
    before = g.add("LessOrEqual", j, i)
    if isinstance(mask, Causal):
        return before
    near = mask.size if isinstance(mask, Window) else mask.local * mask.block if isinstance(mask, BlockSparse) else 0
    late = g.add("Greater", j, g.add("Sub", i, g.integer(near)))
    if isinstance(mask, BlockSparse):
        place = g.add("Mod", j, g.integer(mask.block))
        late = g.add("Or", late, g.add("GreaterOrEqual", place, g.integer(mask.block - mask.global_)))
    return g.add("And", before, late)


def split(g: Graph, x: Value, heads: int, width: int) -> Value:
    """[b, n, heads width] -> [b, heads, n, width]."""
    return g.add("Transpose", g.add("Reshape", x, g.integers(0, 0, heads, width)), perm=[0, 2, 1, 3])


def together(g: Graph, u: Value) -> Value:
    """[b, heads, n, width] -> [b, n, heads width]."""
    return g.add("Reshape", g.add("Transpose", u, perm=[0, 2, 1, 3]), g.integers(0, 0, -1))


def _feature(g: Graph, x: Value) -> Value:
    """The feature map of linear attention: elu(x) + 1."""
    below = g.add("Sub", g.add("Exp", g.add("Min", x, g.scalar(0.0))), g.scalar(1.0))
    return g.add("Add", g.add("Where", g.add("Greater", x, g.scalar(0.0)), x, below), g.scalar(1.0))


EXPORTED: dict[type[Mixer], Callable[[Graph, Any, Value], Value]] = {
    MultiHeadAttention: attention,
    LinearAttention: linear_attention,
    LinearRnn: linear_rnn,
    ReluRnn: relu_rnn,
    SelectiveRnn: selective_rnn,
    Elman: elman,
    Gru: gru,
    Lstm: lstm,
    RegisterFile: register_file,
}


def mixed(g: Graph, mixer: Mixer, x: Value, last: bool = False) -> Value:
    """What a mixer makes of the stream, at every token or at the last alone."""
    if type(mixer) not in EXPORTED:
        raise BadInput(f"onnx: a layer of kind {type(mixer).__name__} is not exported; expected one that constructions use")
    if isinstance(mixer, MultiHeadAttention):
        return attention(g, mixer, x, last)
    y = EXPORTED[type(mixer)](g, mixer, x)
    return g.last(y) if last else y

"""A model read from a certificate, ready to run: a forward pass in NumPy, written independently of the model's code.

A long input of a one-layer model is cut into blocks of tokens, so that keys and values never need it all at once.
"""

from __future__ import annotations

import math

from separatrix.checker.models.description import INDEX, Description
from separatrix.checker.models.embedding import embed, words
from separatrix.checker.models.layer import after_mixing, feedforward_work, norm, run_layer, under
from separatrix.checker.models.mixers import Shapes, Weights
from separatrix.checker.models.mixers.attention import Attention
from separatrix.checker.numbers import arrays
from separatrix.checker.numbers.boxes import Array, Box, join, positions
from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.numbers.reads import weighed
from separatrix.checker.numbers.smooth import native
from separatrix.checker.seal import Refused
from separatrix.checker.weights import Tensors

CALLS = 40_000  # fixed work per case, whatever its size, when many run side by side


class Model:
    """The function that a description and its tensors define."""

    def __init__(self, description: Description, tensors: Tensors, ops: Numbers) -> None:
        self.description, self.ops = description, ops
        for layer in description.layers:
            if isinstance(layer.mixer, Attention):
                layer.mixer.need_format(ops)
        if {description.readout.norm, *(layer.norm for layer in description.layers)} != {"none"}:
            native(ops, "norm")  # here, so that no rule can pass over a norm that its format does not define
        self.integers = {f"layers.{i}.mixer.{name}": count for i, layer in enumerate(description.layers) if layer.mixer is not None
                    for name, count in layer.mixer.indices().items()}  # fmt: skip
        check_shapes(description.shapes(), {name: tensor.shape for name, tensor in tensors.items()})
        self.weights = {name: _taken(name, tensors, self.integers, ops) for name in description.shapes()}
        if description.readout.tied:
            self.weights["readout.weight"] = words(description.embedding, tensors, ops)
        self.layers = [under(self.weights, f"layers.{i}") for i in range(len(description.layers))]

    def logits(self, tokens: Array, positions: list[int]) -> Box:
        """Logits [.., positions, targets] at positions from 0 on, of one input [n] or of several [b, n]; of integer vectors [.., plain]
        where the model reads those."""
        d, ops = self.description, self.ops
        n = self._refuse_input(tokens)
        at = arrays.integers(positions)
        with arrays.quiet():  # an overflow shows up in the logits
            if n > BLOCK and can_stream(d):
                x = stream(d, self.weights, ops, tokens, at)
            else:
                x = embed(d.embedding, self.weights, ops, tokens, 1)
                for index, (layer, w) in enumerate(zip(d.layers, self.layers, strict=True)):
                    x = run_layer(layer, w, ops, x, at if index == len(d.layers) - 1 else arrays.arange(n))
            x = norm(d.readout.norm, self.weights, "readout.norm", ops, x)
            y = ops.linear(x, self.weights["readout.weight"], self.weights.get("readout.bias"))
        if not y.finite:
            raise Refused("an input gives a logit that is not finite, or whose error is not bounded")
        return y

    def _refuse_input(self, tokens: Array) -> int:
        """The number of tokens of an input; refuses one that the model cannot read."""
        e = self.description.embedding
        vectors = e.reads == "vectors"
        n = int(tokens.shape[-2] if vectors and tokens.ndim > 1 else tokens.shape[-1])
        if not 1 <= n <= self.description.length:
            raise Refused(f"an input has {n} tokens, the model reads 1..{self.description.length}")
        if vectors:
            if tokens.ndim < 2 or tokens.shape[-1] != e.plain:
                raise Refused(f"an input is not made of vectors of {e.plain} integers")
        elif int(tokens.min()) < 0 or int(tokens.max()) >= e.vocabulary:
            raise Refused(f"an input has a token outside the model's vocabulary 0..{e.vocabulary - 1}")
        return n


def work_of(d: Description, ops: Numbers, n: int, readers: int) -> int:
    """Work of one case, from the description alone."""
    dims = sum(place.dims for place in d.embedding.addresses)
    places = dims + sum(place.extent for place in d.embedding.addresses if place.address == "sign")
    total, wide = CALLS + n * d.width * (places + 10) * ops.cost(places), 0
    for index, layer in enumerate(d.layers):
        rows = readers if index == len(d.layers) - 1 else n
        if layer.mixer is not None:
            total += layer.mixer.work(d.width, n, rows, ops)
        if layer.feedforward is not None:
            total += feedforward_work(layer.feedforward, d.width, rows, ops)
        wide += 40 * rows * d.width
    return total + wide + readers * d.readout.targets * (d.width * ops.cost(d.width) + 40)


def weight_work(d: Description, ops: Numbers) -> tuple[int, int]:
    """Work and memory of reading the weights, and of writing out a read-out that is the embedding."""
    count = sum(math.prod(shape) for shape in d.shapes().values()) + d.readout.tied * 4 * d.readout.targets * d.width
    return 30 * count * ops.cost(1), count * (8 * 4 + (0 if not ops.exact or ops.bits <= 60 else 40 + ops.bits // 7))


def bytes_of(d: Description, ops: Numbers, n: int, readers: int) -> int:
    """Memory of one case, from the description alone: the largest arrays that exist at the same time, eight bytes per number."""
    each = 8 if not ops.exact or ops.bits <= 60 else 8 + 32 + ops.bits // 7  # a Python integer and its reference
    places = sum(place.dims for place in d.embedding.addresses)  # all are added to the stream in one step
    mixer = d.layers[0].mixer
    if n > BLOCK and can_stream(d) and isinstance(mixer, Attention):
        arrays = 12 * mixer.heads * readers + 3 * mixer.heads * mixer.value_width
        return each * (n * (arrays + 4) + BLOCK * (8 * d.width + 4 * places + 4 * mixer.heads * mixer.key_width))
    numbers = [n * (6 * d.width + 3 * places), 4 * readers * d.readout.targets]
    for index, layer in enumerate(d.layers):
        rows = readers if index == len(d.layers) - 1 else n
        if layer.mixer is not None:
            numbers.append(layer.mixer.numbers(d.width, n, rows))
        if layer.feedforward is not None:
            numbers.append(6 * rows * layer.feedforward.hidden * (1 + layer.feedforward.gated))
    return each * (numbers[0] + max(numbers[1:]))


def check_shapes(expected: Shapes, actual: Shapes) -> None:
    """Refuse a tensor that is missing, unknown, or of a wrong shape."""
    for name, shape in expected.items():
        if name not in actual:
            raise Refused(f"weights: {name} is missing")
        if actual[name] != shape:
            raise Refused(f"weights: {name} has shape {actual[name]}, the description requires {shape}")
    unused = sorted(set(actual) - set(expected))
    if unused:
        raise Refused(f"weights: {unused[0]:.80} does not belong to the model")


def _taken(name: str, tensors: Tensors, integers: dict[str, int], ops: Numbers) -> Array:
    """A tensor in its type: bits of a generator, positions, registers, or numbers of the format."""
    tensor = tensors[name]
    if name.endswith(".address.generator"):
        if tensor.dtype != arrays.uint8 or tensor.max(initial=0) > 1:
            raise Refused(f"weights: {name} is not a matrix of bits")
        return tensor
    if name.endswith(".pointers") or name in integers:
        most = integers.get(name, INDEX + 1)
        if tensor.dtype != arrays.int64 or tensor.min(initial=0) < 0 or tensor.max(initial=0) >= most:
            raise Refused(f"weights: {name} does not hold integers 0..{most - 1}")
        return tensor
    if tensor.dtype.kind != "f":
        raise Refused(f"weights: {name} does not hold floating-point numbers")
    return ops.parameter(tensor, name)


BLOCK = 1 << 15  # tokens at a time; shorter inputs are not split


def can_stream(d: Description) -> bool:
    """For one layer of attention without a norm, and not folded."""
    layer = d.layers[0]
    plain = isinstance(layer.mixer, Attention) and not layer.mixer.folds
    return len(d.layers) == 1 and plain and layer.norm == "none" and d.embedding.reads == "tokens"


def stream(d: Description, weights: Weights, ops: Numbers, tokens: Array, at: Array) -> Box:
    """The stream after the layer at some positions, from 0 on, of one input [n] or of several [b, n]."""
    if tokens.ndim > 1:
        return join([stream(d, weights, ops, row, at)[None] for row in tokens], axis=0)
    layer, w, heads = d.layers[0], under(weights, "layers.0"), under(weights, "layers.0.mixer")
    mixer = layer.mixer
    assert isinstance(mixer, Attention)
    x = join([embed(d.embedding, weights, ops, tokens[t : t + 1], t + 1) for t in at.tolist()])
    q = mixer.queries(ops, heads, x, at)
    logits: list[list[Box]] = [[] for _ in range(mixer.heads)]
    values = []
    for first in range(0, len(tokens), BLOCK):
        block = embed(d.embedding, weights, ops, tokens[first : first + BLOCK], first + 1)
        k = mixer.keys(ops, heads, block, positions(first, len(block)))
        values.append(mixer.values(ops, heads, block))
        for h, read in enumerate(logits):
            read.append(ops.logits(mixer.of_head(q, h, mixer.key_width), mixer.of_head(k, h, mixer.key_width)))
    v, visible = join(values), mixer.mask.visible(at, len(tokens))
    shares = [ops.attention(join(read, axis=-1), visible, mixer.scores) for read in logits]
    mixed = [weighed(ops, mixer.scores, each, mixer.of_head(v, h, mixer.value_width)) for h, each in enumerate(shares)]
    return after_mixing(layer, w, ops, x, mixer.out(ops, heads, join(mixed, axis=-1)))

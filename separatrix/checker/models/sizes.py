"""The sizes of a model: shape, state, and every stored bit."""

from __future__ import annotations

from separatrix.checker.models.description import Description
from separatrix.checker.models.mixers.attention import Attention
from separatrix.checker.models.model import Model

SIZES = (
    "layers", "heads", "width", "key_width", "value_width", "hidden", "state_bits", "precision_bits", "parameter_bits",
    "representation_bits",
)  # fmt: skip


def sizes(model: Model) -> dict[str, int | None]:
    """By name: the largest of all layers, the bits that cross between tokens, and the bits of all tensors.

    Parameter bits count a weight at the bits of the format, an entry of a generator as one bit, and an integer (a pointer, a register
    that is written or read) at the bits of the largest allowed value. The representation also tabulates every generated embedding.
    """
    d, bits = model.description, model.ops.bits
    stored = sum(_bits(name, model) * tensor.size for name, tensor in model.weights.items() if name in d.shapes())
    generated = bits * d.width * (d.embedding.numbers + (d.length if d.embedding.places else 0))
    heads, keys, values = map(max, zip(*(layer.mixer.head_sizes() if layer.mixer else (0, 0, 0) for layer in d.layers), strict=True))
    totals = (
        len(d.layers),
        heads,
        d.width,
        keys,
        values,
        max((layer.feedforward.hidden for layer in d.layers if layer.feedforward), default=0),
        state_bits(d, bits),
        bits,
        stored,
        stored + generated,
    )
    return dict(zip(SIZES, totals, strict=True))


def state_bits(d: Description, bits: int) -> int | None:
    """Bits that cross from one token to the next, in all layers; None if they grow with the input and no layer is recurrent.

    A model with recurrent layers and such a cache is counted with the cache of its longest input.
    """
    mixers = [layer.mixer for layer in d.layers if layer.mixer is not None]
    each = [mixer.state_bits(d.width, bits) for mixer in mixers]
    if all(isinstance(mixer, Attention) for mixer in mixers) and None in each:
        return None
    caches = [m.heads * (m.key_width + m.value_width) * bits * d.length for m, b in zip(mixers, each, strict=True)
              if b is None and isinstance(m, Attention)]  # fmt: skip
    return None if len(caches) < each.count(None) else sum(caches) + sum(b for b in each if b is not None)


def _bits(name: str, model: Model) -> int:
    """Of one entry of a tensor."""
    tensor = model.weights[name]
    if name.endswith(".address.generator"):
        return 1
    if name in model.integers:
        return max(1, (model.integers[name] - 1).bit_length())
    return max(1, int(tensor.max(initial=0)).bit_length()) if name.endswith(".pointers") else model.ops.bits

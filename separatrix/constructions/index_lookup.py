"""Index lookup with one attention layer of logarithmic width.

[bhattamishra2024 Theorem 1; proof C.2]

Notation   N    longest input                      rho(s)  binary code of symbol s, b = ceil(log2 |S|) bits
           p    the position asked for, from 1     T(i)    address of position i
           eta  inverse temperature                step(z) 0 for z <= 1/4, 1 for z >= 3/4

The stream is [symbol | index | place]: a symbol token carries rho(s_i) and T(i), the index token carries T(p).
The paper takes almost orthogonal T(i) of dimension O(log N); the binary digits as signs, or (i, i^2), serve as well.
"""

from __future__ import annotations

from typing import Literal

import torch

from separatrix.arithmetic import Format, parse_format
from separatrix.certificates.claim import Built, Claim, Slot, Step, Trace
from separatrix.constructions.parts.addresses import Lookup, binary_lookup, exact_integers, quadratic_lookup, share_with_rounding
from separatrix.constructions.parts.codes import binary_code, code_width, nearest_code
from separatrix.errors import BadInput
from separatrix.models.embedding import EmbeddingConfig, PlaceConfig
from separatrix.models.transformer import LayerConfig, Transformer, TransformerConfig
from separatrix.tasks.index_lookup import IndexLookup

ENOUGH = 0.75  # the weight at which step() returns the bit exactly, whatever the other symbols are


def index_lookup(length: int, symbols: int = 64, address: Literal["binary", "quadratic"] = "binary", arithmetic: str = "float64") -> Built:
    """One layer, one head, no residual: reads s_p exactly for every p and every string of at most N symbols."""
    task = IndexLookup(length, symbols)
    N, b, format = length, code_width(symbols), parse_format(arithmetic)
    lookup = choose_lookup(N, address, format)
    k, eta = lookup.dims, lookup.eta
    symbol, index, place = Slot("symbol", 0, b), Slot("index", b, k), Slot("place", b + k, k)
    model = _empty(task, lookup, b, arithmetic)

    with torch.no_grad():
        # x_i = [rho(s_i) | 0 | T(i)];  the index token is [0 | T(p) | 0]: its own place is switched off
        embedding = model.embedding
        embedding.table[:symbols, _at(symbol)] = binary_code(symbols)
        embedding.gate[symbols] = 0.0  # type: ignore[index]
        _write_places(model, lookup, index, place)

        # <Q x, K x_i> = eta <T(p), T(i)>: largest at i = p, and 0 at the index token itself
        heads = model.layers[0].attention
        heads.key[:, _at(place)] = torch.eye(k)
        if lookup.address == "quadratic":
            heads.query[0, index.start] = 2 * eta  # Q = eta (2p, -1), K = (i, i^2)
            heads.query[1, index.start + 1] = -eta
        else:
            heads.query[:, _at(index)] = eta * torch.eye(k)

        # V x_i = rho(s_i): with weight w >= 3/4 on s_p every bit of the sum is >= 3/4 or <= 1/4
        heads.value[:, _at(symbol)] = torch.eye(b)
        heads.out[_at(symbol)] = torch.eye(b)

        # step(z) = relu(2z - 1/2) - relu(2z - 3/2) makes the bits exact
        step = model.layers[0].feedforward
        step.inner[:b, _at(symbol)], step.inner_bias[:b] = 2 * torch.eye(b), -0.5
        step.inner[b:, _at(symbol)], step.inner_bias[b:] = 2 * torch.eye(b), -1.5
        step.outer[_at(symbol), :b], step.outer[_at(symbol), b:] = torch.eye(b), -torch.eye(b)

        # the symbol whose code is nearest: logit b - 2 hamming, margin 2
        weights, bias = nearest_code(symbols)
        model.unembedding[:, _at(symbol)], model.unembedding_bias[:] = weights, bias  # type: ignore[index]

    claim = Claim(
        construction="index-lookup",
        cites="bhattamishra2024 Theorem 1",
        task=task.name,
        task_parameters=task.parameters,
        parameters={"address": address},
        arithmetic=arithmetic,
        facts={"eta": eta, "magnitude": lookup.magnitude},
    )
    return Built(model, claim, task, (symbol, index, place), steps=lambda trace: explain(trace, task, lookup))


def choose_lookup(N: int, address: str, format: Format) -> Lookup:
    """eta from N and the number format, or refusal where the format cannot hold the construction."""
    if format.kind != "native":
        raise BadInput(f"index-lookup in {format.name}: expected a native float (float64, float32, bfloat16, float16)")
    if address == "quadratic":
        lookup = quadratic_lookup(N)
        largest = 2 * lookup.magnitude  # 2 eta p i, before eta i^2 is taken off
        if largest > exact_integers(format):
            raise BadInput(
                f"index-lookup, quadratic address, N = {N}: logits need integers up to {largest:.3g}, "
                f"{format.name} holds them exactly up to {exact_integers(format):.3g}"
            )
        return lookup
    share = ENOUGH
    for _ in range(3):  # the rounding allowance depends on eta, which depends on the allowance
        if share >= 1:
            raise BadInput(f"index-lookup, binary address, N = {N}: {format.name} rounds too coarsely for a sum over N keys")
        lookup = binary_lookup(N, share)
        share = share_with_rounding(format, N, lookup.dims, lookup.magnitude, ENOUGH)
    return lookup


def explain(trace: Trace, task: IndexLookup, lookup: Lookup) -> tuple[Step, ...]:
    """The proof told over one run."""
    *symbols, index = trace.tokens
    p = index - task.symbols + 1
    weights = trace.attention[0][0, 0]
    order = [int(i) + 1 for i in weights.argsort(descending=True)[:5]]
    read, bits = trace.streams[1][0], trace.slot(1, "symbol")[0]
    said = int(trace.logits.argmax())
    del read
    return (
        Step("embed", "Each symbol token carries its code and the address of its place; the index token carries the address of p.",
             {"p": p, "T(p)": trace.slot(0, "index")[-1].tolist(), "T(place p)": trace.slot(0, "place")[p - 1].tolist()}),
        Step("attend", "The query agrees most with the address of place p, so the softmax puts at least 3/4 of its weight there.",
             {"eta": lookup.eta, "weight on p": float(weights[p - 1]), "heaviest places": order, "weights": [round(float(w), 4) for w in weights]}),
        Step("threshold", "The weighted sum of codes is at least 3/4 where the code of s_p has a one and at most 1/4 elsewhere; a step makes it exact.",
             {"bits": [int(v) for v in bits.tolist()]}),
        Step("decode", "The symbol with the nearest code wins by a margin of 2.",
             {"says": task.target_text(said), "expected": task.target_text(symbols[p - 1])}),
    )  # fmt: skip


def _empty(task: IndexLookup, lookup: Lookup, b: int, arithmetic: str) -> Transformer:
    """The architecture with zero weights."""
    kind = "quadratic" if lookup.address == "quadratic" else "sign"
    place = PlaceConfig(kind, lookup.dims, lookup.bits)
    config = TransformerConfig(
        embedding=EmbeddingConfig(plain=task.symbols, numbers=task.length, number_address=place, places=(place,), gated=True),
        targets=task.targets,
        width=b + 2 * lookup.dims,
        layers=(LayerConfig(heads=1, key_width=lookup.dims, value_width=b, hidden=2 * b),),
        arithmetic=arithmetic,
        length=task.length + 1,
    )
    dtype = torch.float64 if arithmetic not in ("float32", "bfloat16", "float16") else getattr(torch, arithmetic)
    return Transformer(config).to(dtype)


def _write_places(model: Transformer, lookup: Lookup, index: Slot, place: Slot) -> None:
    """The address of t goes to `place`, the address of the number p to `index`."""
    number, position = model.embedding.number, model.embedding.places[0]
    position.weight[:, _at(place)] = torch.eye(lookup.dims)
    if lookup.address == "quadratic":
        number.weight[0, index.start] = 1.0  # type: ignore[union-attr,index]
        model.embedding.table[-1, index.start + 1] = 1.0  # the index token is (p, 1)
        return
    number.weight[:, _at(index)] = torch.eye(lookup.dims)  # type: ignore[union-attr,index]
    for module in (number, position):
        module.address.generator[:] = torch.eye(lookup.dims, lookup.bits)  # type: ignore[union-attr,index]


def _at(slot: Slot) -> slice:
    return slice(slot.start, slot.start + slot.width)

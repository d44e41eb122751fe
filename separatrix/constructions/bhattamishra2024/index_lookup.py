"""Index lookup with one attention layer of logarithmic width.

[bhattamishra2024 Theorem 1; proof C.2]

Notation   N    longest input                      rho(s)  binary code of symbol s, b = ceil(log2 |S|) bits
           p    the queried position, from 1     T(i)    address of place i
           eta  inverse temperature                step(z) 0 for z <= 1/4, 1 for z >= 3/4

The paper takes almost orthogonal T(i) of dimension O(log N); the binary digits as signs, or (i, i^2), serve as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from separatrix.architectures import Architecture
from separatrix.arithmetic import parse_format
from separatrix.bits import bits_for
from separatrix.certificates.claim import Step
from separatrix.certificates.construction import Construction, Sizes
from separatrix.constructions.named.hard_reads import with_hard_attention
from separatrix.constructions.number_limits import refuse_large_embedding, refuse_off_grid
from separatrix.constructions.parts.addresses import AnyAddress, Lookup, lookup
from separatrix.constructions.parts.symbol_codes import binary_code, nearest_code
from separatrix.tasks.index_lookup import IndexLookup

if TYPE_CHECKING:
    from separatrix.certificates.built import Built, Trace


def index_lookup(task: IndexLookup, address: AnyAddress = "binary", arithmetic: str = "float64") -> Built:
    """One layer, one head, no residual: reads s_p exactly for every p and every string of N symbols."""
    from separatrix.constructions.assembler import Assembler
    from separatrix.constructions.gadgets import step

    N, symbols = task.length, task.symbols
    T = lookup(address, N, parse_format(arithmetic))
    rho = binary_code(symbols)
    net = Assembler(plain=symbols, numbers=N, targets=symbols, length=N + 1, arithmetic=arithmetic)

    symbol = net.token("symbol", rho)  # x_i = [rho(s_i) | 0 | T(i)], the index token is [0 | T(p) | 0]
    index = net.number("index", T.weights, T.query_weight())
    is_symbol = np.append(np.ones(symbols), 0.0)
    place = net.place("place", T.weights, gate=is_symbol)  # the index token has no place of its own
    if address == "quadratic":  # the query is (2p, -1)
        net.token("index", np.append(np.zeros((symbols, 2)), [[0.0, -1.0]], axis=0))

    layer = net.layer()
    z = layer.attend("lookup", query=T.query(index), key=T.key(place), value=symbol, into="symbol", share=T.share)
    bits = layer.write("symbol", step(z))  # share >= 3/4: each bit of z is >= 3/4 or <= 1/4
    U, bias = nearest_code(symbols)
    net.read_out(U, bits, bias)  # logit b - 2 hamming: the right symbol wins by 2

    facts = {"eta": T.eta, "magnitude": T.magnitude, "share": T.share}
    return net.compile(task, INDEX_LOOKUP.name, INDEX_LOOKUP.cites, {"address": address}, facts, steps=lambda trace: _steps(trace, task, T))


def _sizes(task: IndexLookup, address: AnyAddress, arithmetic: str) -> Sizes:
    """The symbol, the address of the place, and the queried address."""
    N, b, format = task.length, bits_for(task.symbols), parse_format(arithmetic)
    T = lookup(address, N, format)
    refuse_off_grid((T.eta, 2.0, 1.5, float(b)), format, task.name)  # of the query, the steps and the read-out
    refuse_large_embedding(1 + T.embedded(N + 1) + T.embedded(N + 1, T.largest_query_weight), format.fraction, format, task.name)
    return Sizes(layers=1, heads=1, width=b + 2 * T.dims, value_width=b, precision_bits=format.bits)


def _steps(trace: Trace, task: IndexLookup, T: Lookup) -> tuple[Step, ...]:
    """The proof, explained on one run."""
    *symbols, index = trace.tokens
    p = index - task.symbols + 1
    weights = trace.attention[0][0, 0]
    order = [int(i) + 1 for i in weights.argsort(descending=True)[:5]]
    predicted = int(trace.logits.argmax())
    return (
        Step(
            "embed",
            "Each symbol token carries its code and the address of its place; the index token carries the address of p.",
            {"p": p, "T(p)": trace.slot(0, "index")[-1].tolist(), "T(place p)": trace.slot(0, "place")[p - 1].tolist()},
        ),
        Step(
            "attend",
            "The query agrees most with the address of place p, so the softmax puts at least 3/4 of its weight there. "
            "The proof's eta > 2 ln 3N is for unit vectors that are only almost orthogonal; the inner products of these addresses "
            "lie further apart, so less is enough.",
            {
                "eta": T.eta,
                "weight on p": float(weights[p - 1]),
                "heaviest places": order,
                "weights": [round(float(w), 4) for w in weights],
            },
        ),
        Step(
            "threshold",
            "The weighted sum of codes is at least 3/4 where the code of s_p has a one and at most 1/4 elsewhere; a step makes it exact.",
            {"bits": [int(v) for v in trace.slot(1, "symbol")[0].tolist()]},
        ),
        Step(
            "decode",
            "The symbol with the nearest code wins by a margin of 2.",
            {"says": task.target_text(predicted), "expected": task.target_text(symbols[p - 1])},
        ),
    )


INDEX_LOOKUP = Construction(
    name="index-lookup",
    cites="bhattamishra2024 Theorem 1",
    computes=IndexLookup,
    architecture=Architecture.ONE_LAYER,
    build=index_lookup,
    formula=_sizes,
    quick=(
        {"length": 4, "symbols": 3},  # all inputs
        *({"length": N, "address": a} for a in ("binary", "quadratic") for N in (16, 100, 128, 10**3, 10**4, 10**5, 10**6)),
        {"length": 1000, "arithmetic": "float32"},
    ),
    variants=({"address": "binary"}, {"address": "quadratic"}),
    fixed=("distribution",),
    ignores=("distribution",),  # fewer symbols mean fewer competing places
)

INDEX_LOOKUP_HARD = with_hard_attention(INDEX_LOOKUP, {"length": 8})

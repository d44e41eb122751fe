"""Index lookup with one attention layer of logarithmic width.

[bhattamishra2024 Theorem 1; proof C.2]

Notation   N    longest input                      rho(s)  binary code of symbol s, b = ceil(log2 |S|) bits
           p    the position asked for, from 1     T(i)    address of place i
           eta  inverse temperature                step(z) 0 for z <= 1/4, 1 for z >= 3/4

The paper takes almost orthogonal T(i) of dimension O(log N); the binary digits as signs, or (i, i^2), serve as well.
"""

from __future__ import annotations

import torch

from separatrix.arithmetic import parse_format
from separatrix.certificates.claim import Built, Step, Trace
from separatrix.constructions.assembler import Assembler
from separatrix.constructions.gadgets import step
from separatrix.constructions.parts.addresses import AddressName, Lookup, lookup
from separatrix.constructions.parts.symbol_codes import binary_code, nearest_code
from separatrix.tasks.index_lookup import IndexLookup


def index_lookup(length: int, symbols: int = 64, address: AddressName = "binary", arithmetic: str = "float64") -> Built:
    """One layer, one head, no residual: reads s_p exactly for every p and every string of N symbols."""
    task = IndexLookup(length, symbols)
    T = lookup(address, N=length, format=parse_format(arithmetic))
    rho = binary_code(symbols)
    net = Assembler(plain=symbols, numbers=length, targets=symbols, length=length + 1, arithmetic=arithmetic)

    symbol = net.token("symbol", rho)  # x_i = [rho(s_i) | 0 | T(i)], the index token is [0 | T(p) | 0]
    index = net.number("index", T.named, T.asked_weight())
    place = net.place("place", T.named)
    net.silence([symbols])  # the index token has no place of its own
    if address == "quadratic":  # the reader asks with (2p, -1)
        net.token("index", torch.cat([torch.zeros(symbols, 2), torch.tensor([[0.0, -1.0]])]).to(torch.float64))

    layer = net.layer()
    z = layer.attend("lookup", query=T.query(index), key=T.key(place), value=symbol, into="symbol", share=T.share)
    bits = layer.write("symbol", step(z))  # share >= 3/4: each bit of z is >= 3/4 or <= 1/4
    U, bias = nearest_code(symbols)
    net.read_out(U, bits, bias)  # logit b - 2 hamming: the right symbol wins by 2

    facts = {"eta": T.eta, "magnitude": T.magnitude, "share": T.share}
    return net.compile(
        task, "index-lookup", "bhattamishra2024 Theorem 1", {"address": address}, facts, steps=lambda trace: _steps(trace, task, T)
    )


def _steps(trace: Trace, task: IndexLookup, T: Lookup) -> tuple[Step, ...]:
    """The proof told over one run."""
    *symbols, index = trace.tokens
    p = index - task.symbols + 1
    weights = trace.attention[0][0, 0]
    order = [int(i) + 1 for i in weights.argsort(descending=True)[:5]]
    said = int(trace.logits.argmax())
    return (
        Step(
            "embed",
            "Each symbol token carries its code and the address of its place; the index token carries the address of p.",
            {"p": p, "T(p)": trace.slot(0, "index")[-1].tolist(), "T(place p)": trace.slot(0, "place")[p - 1].tolist()},
        ),
        Step(
            "attend",
            "The query agrees most with the address of place p, so the softmax puts at least 3/4 of its weight there.",
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
            {"says": task.target_text(said), "expected": task.target_text(symbols[p - 1])},
        ),
    )

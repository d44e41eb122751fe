"""Copying with one attention layer of logarithmic width, and with as many bits of state as a recurrent model needs.

Notation   N  symbols      T(i)  address of place i      rho(s)  binary code of symbol s, b = ceil(log2 |S|) bits

At token t, from the separator on, symbol t - N is due: one head queries the address of t with counting restarted after N places, which
before the separator is the token's own. A recurrent model stores all symbols in b N registers, and moves the one that is due into the
first b.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from separatrix.architectures import Architecture
from separatrix.arithmetic.format import parse_format
from separatrix.bits import bits_for
from separatrix.certificates.construction import Construction, Sizes
from separatrix.constructions.assembler import Assembler
from separatrix.constructions.gadgets import step
from separatrix.constructions.named.hard_reads import with_hard_attention
from separatrix.constructions.number_limits import refuse_large_embedding, refuse_off_grid
from separatrix.constructions.parts.addresses import Address, lookup
from separatrix.constructions.parts.symbol_codes import binary_code, nearest_code
from separatrix.constructions.register_program import CLEAR, KEEP, SET, Registers, bit_gates, register_sizes
from separatrix.constructions.register_program import COPY as TAKE
from separatrix.tasks.copying import Copy

if TYPE_CHECKING:
    from separatrix.certificates.built import Built


def copy(task: Copy, address: Address = "binary", arithmetic: str = "float64") -> Built:
    """One causal layer, one head, no residual: reads x_(t-N) exactly at every token t > N."""
    N, symbols = task.length, task.symbols
    T = lookup(address, 2 * N, parse_format(arithmetic))
    rho = binary_code(symbols)
    net = Assembler(plain=symbols + 1, targets=symbols, length=2 * N, arithmetic=arithmetic, causal=True)

    symbol = net.token("symbol", rho)  # the separator carries no code
    place = net.place("place", T.weights)
    due = net.place("due", T.weights.folded(N), T.query_weight())
    if address == "quadratic":  # the query is (2p, -1)
        net.token("due", np.tile([0.0, -1.0], (symbols + 1, 1)))

    layer = net.layer()
    z = layer.attend("look back", query=T.query(due), key=T.key(place), value=symbol, into="symbol", share=T.share)
    bits = layer.write("symbol", step(z))  # share >= 3/4: each bit of z is >= 3/4 or <= 1/4
    U, bias = nearest_code(symbols)
    net.read_out(U, bits, bias)

    facts = {"eta": T.eta, "magnitude": T.magnitude, "share": T.share}
    return net.compile(task, COPY.name, COPY.cites, {"address": address}, facts)


def _sizes(task: Copy, address: Address, arithmetic: str) -> Sizes:
    """The symbol, the address of the place, and the address of the place that is due."""
    N, b, format = task.length, bits_for(task.symbols), parse_format(arithmetic)
    T = lookup(address, 2 * N, format)
    refuse_off_grid((T.eta, 2.0, 1.5, float(b)), format, task.name)
    refuse_large_embedding(1 + T.embedded(2 * N) + T.embedded(2 * N, T.largest_query_weight), format.fraction, format, task.name)
    return Sizes(layers=1, heads=1, width=b + 2 * T.dims, value_width=b, precision_bits=format.bits)


def copy_recurrent(task: Copy) -> Built:
    """b N one-bit registers: the symbols in order, with the one that is due in the first place."""
    N, symbols, b = task.length, task.symbols, bits_for(task.symbols)
    program = Registers(registers=b * N, length=2 * N, writes=b, plain=symbols + 1)
    for k in range(b):
        for i in range(N):
            program.put(i, k, w=b * i + k, r=0, gates=[*bit_gates(symbols, k, SET, CLEAR), KEEP])
        for i in range(1, N):  # at the separator the first symbol is already in place
            program.put(N + i, k, w=k, r=b * i + k, gates=[TAKE] * (symbols + 1))
    return program.built(task, symbols, COPY_RECURRENT.cites)


COPY = Construction(
    name="copy",
    computes=Copy,
    architecture=Architecture.ONE_LAYER,
    build=copy,
    formula=_sizes,
    quick=({"length": 3, "symbols": 3}, {"length": 32}, {"length": 32, "address": "quadratic"}),  # at 3 all inputs
    variants=({"address": "binary"}, {"address": "quadratic"}),
)
COPY_RECURRENT = Construction(
    name="copy/recurrent",
    computes=Copy,
    architecture=Architecture.RECURRENT,
    build=copy_recurrent,
    formula=lambda task: register_sizes(bits_for(task.symbols) * task.length, task.vocabulary),
    quick=({"length": 4, "symbols": 4}, {"length": 20, "symbols": 4}),
    default_length=16,
)

COPY_HARD = with_hard_attention(COPY, {"length": 4})

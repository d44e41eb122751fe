"""Repeating a half: after the separator, predict the next symbol, for every even number of symbols up to N.

[bhattamishra2024 Theorem 6; proof F.2]

Notation   t_#   place of the separator        d   t - t_#: how many symbols behind the separator have been read
           rho(s) binary code of symbol s, bits as -1, +1

Layer 1 counts from the separator; layer 2 reads s_(d + 1) of the first half. No symbol is compared with any other, so repeated symbols
do not matter, unlike for a head that searches for the previous symbol.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from separatrix.architectures import Architecture
from separatrix.arithmetic import Format, parse_format
from separatrix.bits import bits_for
from separatrix.certificates.claim import Step
from separatrix.certificates.construction import Construction, Sizes
from separatrix.constructions.assembler import Assembler
from separatrix.constructions.gadgets import sign
from separatrix.constructions.parts.addresses import ENOUGH, Lookup, lookup
from separatrix.constructions.parts.separator import count_from_separator, refuse_separator
from separatrix.constructions.parts.softmax_reads import roundoff
from separatrix.constructions.parts.symbol_codes import sign_code
from separatrix.tasks.equality import EqNcp

if TYPE_CHECKING:
    from separatrix.certificates.built import Built, Trace


def eq_ncp(task: EqNcp, residual: bool = False, arithmetic: str = "float64") -> Built:
    """Two layers of two heads (one with a residual connection) and then one: every symbol after the separator, in one causal pass."""
    n, symbols, format = task.length + 1, task.symbols, parse_format(arithmetic)
    net = Assembler(plain=symbols + 1, targets=symbols, length=n, arithmetic=arithmetic, residual=residual, causal=True)
    at = count_from_separator(net, symbols, format)
    T = _address(n, format)

    second = net.layer()
    z = second.attend("copy", query=at.asks(T, at.d + at.one), key=at.place, value=at.symbol, into="copied", share=T.share)
    bits = second.write("next", sign(z))  # share >= 3/4: each bit is off by at most 1/2
    net.read_out(sign_code(symbols), bits, np.zeros(symbols))  # b - 2 hamming: right by 2

    facts = {"gap": at.gap, "eta": T.eta, "magnitude": at.gap * n * n, "share": T.share}
    parameters = {"residual": residual}
    return net.compile(task, EQ_NCP.name, EQ_NCP.cites, parameters, facts, steps=lambda trace: _steps(trace, task))


def _sizes(task: EqNcp, residual: bool, arithmetic: str) -> Sizes:
    """The symbol, its place, a constant, the distance and a flag; with a residual connection all slots side by side."""
    n, b, format = task.length + 1, bits_for(task.symbols), parse_format(arithmetic)
    refuse_separator(n, format, task.name)
    _address(n, format)
    width, value_width = (3 * b + 7, max(2, b)) if residual else (b + 5, b + 3)
    return Sizes(layers=2, heads=1 if residual else 2, width=width, value_width=value_width, precision_bits=format.bits)


def _address(n: int, format: Format) -> Lookup:
    """The address of layer 2: with 3/4 of the weight on its place, what is read has magnitude at least 1/2."""
    return lookup("quadratic", n, format, ENOUGH + 2 * roundoff(format), extra=0)


def _steps(trace: Trace, task: EqNcp) -> tuple[Step, ...]:
    """The proof, explained on one run, at its last token."""
    apart, t = trace.tokens.index(task.symbols), len(trace.tokens) - 1
    copy, d = trace.attention[1][0, 0], t - apart
    due = f"symbol {d + 1} of {apart}" if d < apart else "nothing: the half is complete"
    return (
        Step("count", "A head of layer 1 reads the place of the separator.",
             {"place of the separator": apart + 1, "read": int(trace.attention[0][0, t].argmax()) + 1, "d": d, "asked": due}),
        Step("copy", "The head of layer 2 reads place d + 1 of the first half.",
             {"place it reads": int(copy.argmax()) + 1, "weight on it": float(copy.max())}),
        Step("decode", "The symbol with the nearest code wins by a margin of 2.", {"says": int(trace.logits.argmax())}),
    )  # fmt: skip


EQ_NCP = Construction(
    name="eq-ncp",
    cites="bhattamishra2024 Theorem 6",
    computes=EqNcp,
    architecture=Architecture.TWO_LAYERS,
    build=eq_ncp,
    formula=_sizes,
    quick=({"length": 40},),  # every even length from 4 on
    defaults={"distribution": "training"},
)

"""Repeating a half: after the separator, say which symbol comes next, for every even number of symbols up to N.

[bhattamishra2024 Theorem 6; proof F.2]

Notation   t_#   place of the separator        d   t - t_#: how many symbols behind the separator have been read
           rho(s) binary code of symbol s, bits as -1, +1

Layer 1 counts from the separator; layer 2 reads s_(d + 1) of the first half. No symbol is compared with any other, so repeated symbols
do not matter, as they would for a head that looks for what came before.
"""

from __future__ import annotations

from typing import Literal

import torch

from separatrix.arithmetic import parse_format
from separatrix.certificates.claim import Built, Step, Trace
from separatrix.constructions.assembler import Assembler
from separatrix.constructions.gadgets import sign
from separatrix.constructions.parts.addresses import ENOUGH, lookup
from separatrix.constructions.parts.separator import count_from_separator
from separatrix.constructions.parts.softmax_reads import roundoff
from separatrix.constructions.parts.symbol_codes import binary_code
from separatrix.tasks.equality import EqNcp


def eq_ncp(
    length: int,
    symbols: int = 1024,
    distribution: Literal["evaluation", "training"] = "training",
    residual: bool = False,
    arithmetic: str = "float64",
) -> Built:
    """Two layers of two heads (one with a residual connection) and then one: every symbol after the separator, in one causal pass."""
    task = EqNcp(length, symbols, distribution)
    n, format = length + 1, parse_format(arithmetic)
    net = Assembler(plain=symbols + 1, targets=symbols, length=n, arithmetic=arithmetic, residual=residual, causal=True)
    at = count_from_separator(net, symbols, format)
    T = lookup("quadratic", n, format, ENOUGH + 2 * roundoff(format), extra=0)

    second = net.layer()
    z = second.attend("copy", query=at.asks(T, at.d + at.one), key=at.place, value=at.symbol, into="copied", share=T.share)
    bits = second.write("next", sign(z))  # share >= 3/4: each bit is off by at most 1/2
    net.read_out(2 * binary_code(symbols) - 1, bits, torch.zeros(symbols, dtype=torch.float64))  # b - 2 hamming: right by 2

    facts = {"gap": at.gap, "eta": T.eta, "magnitude": at.gap * n * n, "share": T.share}
    parameters = {"residual": residual}
    return net.compile(task, "eq-ncp", "bhattamishra2024 Theorem 6", parameters, facts, steps=lambda trace: _steps(trace, task))


def _steps(trace: Trace, task: EqNcp) -> tuple[Step, ...]:
    """The proof told over one run, at its last token."""
    apart, t = trace.tokens.index(task.symbols), len(trace.tokens) - 1
    copy, d = trace.attention[1][0, 0], t - apart
    asked = f"symbol {d + 1} of {apart}" if d < apart else "nothing: the half is complete"
    return (
        Step("count", "A head of layer 1 reads the place of the separator.",
             {"place of the separator": apart + 1, "read": int(trace.attention[0][0, t].argmax()) + 1, "d": d, "asked": asked}),
        Step("copy", "The head of layer 2 asks for place d + 1 of the first half.",
             {"place it reads": int(copy.argmax()) + 1, "weight on it": float(copy.max())}),
        Step("decode", "The symbol with the nearest code wins by a margin of 2.", {"says": int(trace.logits.argmax())}),
    )  # fmt: skip

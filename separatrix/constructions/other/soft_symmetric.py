"""Any symmetric function of the symbols with two softmax layers of constant width, for all words of at most N symbols.

Notation   k  how often the symbol that counts occurs       g(k)  whether words with k of them are in the language

As for PARITY, layer 1 averages and layer 2 looks up the place that equals the count; there stands g of that place, a stored column of
N + 1 bits. So the width is that of PARITY, 9, for every function of the count: thresholds, exact numbers, remainders, any set of counts.
A language is such a function if all its symbols but one lead nowhere. With words of one length N that is every symmetric Boolean
function of N bits; for all lengths up to N at once it is every function of the count alone, which majority is not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from separatrix.architectures import Architecture
from separatrix.arithmetic.format import parse_format
from separatrix.certificates.construction import Construction, Sizes
from separatrix.constructions.address_weights import AddressWeights
from separatrix.constructions.assembler import Assembler
from separatrix.constructions.forms import column, row, stack
from separatrix.constructions.gadgets import step
from separatrix.constructions.other.soft_parity import ETA, least_share
from separatrix.errors import BadInput
from separatrix.tasks.regular import Regular

if TYPE_CHECKING:
    from separatrix.certificates.built import Built


def symmetric(task: Regular, arithmetic: str = "float64") -> Built:
    """Two layers, one head each, width 9."""
    N, (counts, table) = task.length, counted(task)
    share, symbols = least_share(task.name, N, parse_format(arithmetic)), task.vocabulary
    net = Assembler(plain=symbols, targets=2, length=N + 1, arithmetic=arithmetic, residual=True)
    bit = net.token("bit", column(*(float(s == counts) for s in range(symbols))))
    end = net.token("end", column(*(float(s == symbols - 1) for s in range(symbols))))
    place = net.place("place", AddressWeights("quadratic", 2).before())  # (i, i^2)
    member = net.place("member", AddressWeights("table", 1, np.array(table, dtype=np.float64)[:, None]), np.eye(1))  # g(i)

    mean = net.layer(attention="uniform").attend("mean", value=stack(bit, end), into="mean")  # (k/m, 1/m)
    second = net.layer()
    scale = ETA * (N + 1)
    query = mean.through(np.diag([2 * scale, -scale]))
    z = second.attend("the place that equals the count", query=query, key=place, value=member, into="read", share=share)
    inside = second.write("answer", step(z))
    net.read_out(column(-1.0, 1.0), inside, row(1.0, 0.0))
    return net.compile(task, REGULAR_SOFT.name, REGULAR_SOFT.cites, {}, {"eta": ETA, "scale": scale, "share": share})


def counted(task: Regular) -> tuple[int, list[int]]:
    """The symbol that counts, and g(0) .. g(N); refused where more than one symbol leads from one state to another."""
    automaton = task.automaton
    moving = [a for a in range(len(automaton.alphabet)) if any(r[a] != q for q, r in enumerate(automaton.moves))]
    if len(moving) > 1:
        names = ", ".join(automaton.alphabet[a] for a in moving)
        raise BadInput(f"{task.name}: expected a language that depends on how often one symbol occurs, found that {names} all matter")
    counts, state, table = moving[0] if moving else 0, 0, []
    for _ in range(task.length + 1):
        table.append(int(state in automaton.accepting))
        state = automaton.moves[state][counts]
    return counts, table


def _sizes(task: Regular, arithmetic: str) -> Sizes:
    format = parse_format(arithmetic)
    counted(task)
    least_share(task.name, task.length, format)
    return Sizes(layers=2, heads=1, width=9, value_width=2, precision_bits=format.bits)


REGULAR_SOFT = Construction(
    name="regular/soft-attention",
    computes=Regular,
    architecture=Architecture.TWO_LAYERS,
    build=symmetric,
    formula=_sizes,
    quick=(
        {"length": 9, "language": "0*10*10*"},
        {"length": 64, "language": "@mod-5"},
        {"length": 10, "language": "1*", "alphabet": "01"},  # `ones`
    ),
    defaults={"language": "@mod-3"},
)

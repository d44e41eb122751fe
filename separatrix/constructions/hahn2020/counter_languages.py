"""1* and a^n b^n with a single head of hard attention, for words of every length up to N.

[hahn2020 Construction 1] [hahn2020 Construction 2]

1*: the end symbol attends to a 0 if there is one, and then rejects.

a^n b^n, with the end symbol at position n, one more than the length of the word: a symbol at j is in the wrong half if it is b and
2j < n, or a and 2j >= n. With s = 1 for b and s = -1 for a, the score

    s (n - 1/2 - 2j)  is at least 1/2 for every symbol in the wrong half, at most -1/2 for the others, and 0 for the end symbol.

So the end symbol attends to a wrong one if there is any, and to itself otherwise, where it reads whether n is even: then the word is odd
and has no middle. The printed rule has no such test, and accepts a^k b^(k+1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from separatrix.architectures import Architecture
from separatrix.arithmetic.format import Format, parse_format
from separatrix.certificates.construction import Construction, Sizes
from separatrix.constructions.address_weights import AddressWeights
from separatrix.constructions.assembler import Assembler
from separatrix.constructions.forms import column, row, stack
from separatrix.constructions.number_limits import largest_number, mantissa_bits, refuse_large_embedding, refuse_off_grid
from separatrix.errors import BadInput
from separatrix.tasks.counter_languages import AnBn, Ones

if TYPE_CHECKING:
    from separatrix.certificates.built import Built


def ones(task: Ones, arithmetic: str = "float64") -> Built:
    """One layer, one head, width 2."""
    _holds_one(parse_format(arithmetic))
    net = Assembler(plain=3, targets=2, length=task.length + 1, arithmetic=arithmetic)
    zero, one = net.token("zero", column(1.0, 0.0, 0.0)), net.token("one", column(1.0, 1.0, 1.0))
    z = net.layer(attention="hard").attend("a zero, if there is one", query=one, key=zero, value=zero, into="zero")
    net.read_out(column(1.0, -1.0), z, row(0.0, 1.0))
    return net.compile(task, ONES_HARD.name, ONES_HARD.cites, {}, {})


def an_bn(task: AnBn, arithmetic: str = "float64") -> Built:
    """One layer, one head, width 5."""
    _holds_places(task, parse_format(arithmetic))
    net = Assembler(plain=3, targets=2, length=task.length + 1, arithmetic=arithmetic)
    turned = row(-1.0, 1.0, 1.0)  # s for a and b; the end symbol has its place as it is
    sign = net.token("sign", column(-1.0, 1.0, 0.0))
    place = net.place("place", AddressWeights("quadratic", 2), column(1.0, 0.0), gate=turned)  # s j, and n at the end
    one, end = net.token("one", column(1.0, 1.0, 1.0)), net.token("end", column(0.0, 0.0, 1.0))
    net.token("wrong", column(2.0, 2.0, 0.0))  # 1 to 3 for a and b, whatever the next line adds to it
    wrong = net.place("wrong", AddressWeights("one-hot", 2).folded(2), column(0.0, 1.0), gate=turned)  # 1 at the end symbol iff n is even
    query = stack(place - 0.5 * one, -2.0 * one, 2.0 * place)  # at the end symbol: (n - 1/2, -2, 2n)
    key = stack(sign, place, end)  # (s, s j, 0), and (0, n, 1) at the end symbol
    z = net.layer(attention="hard").attend("a wrong symbol, if there is one", query=query, key=key, value=wrong, into="wrong")
    net.read_out(column(1.0, -1.0), z, row(0.0, 1.0))
    return net.compile(task, AN_BN_HARD.name, AN_BN_HARD.cites, {}, {})


def _holds_one(format: Format) -> None:
    refuse_off_grid((1.0,), format, "ones")


def _holds_places(task: AnBn, format: Format) -> None:
    """Scores are halves of magnitude up to 2 n, sums of terms up to 4 n: refused where the format rounds or clamps them."""
    largest = 4 * (task.length + 1)
    few = (
        largest > largest_number(format) or format.fraction < 1 if format.exact else (2 * largest).bit_length() > mantissa_bits(format) + 1
    )
    if few:
        raise BadInput(f"an-bn: {format.name} does not hold halves up to {largest}")
    refuse_large_embedding(4 + 2 * (task.length + 1) ** 2, format.fraction, format, "an-bn")  # j comes with its square


def _ones_sizes(task: Ones, arithmetic: str) -> Sizes:
    del task
    format = parse_format(arithmetic)
    _holds_one(format)
    return Sizes(layers=1, heads=1, width=2, value_width=1, precision_bits=format.bits)


def _an_bn_sizes(task: AnBn, arithmetic: str) -> Sizes:
    format = parse_format(arithmetic)
    _holds_places(task, format)
    return Sizes(layers=1, heads=1, width=5, value_width=1, precision_bits=format.bits)


ONES_HARD = Construction(
    name="ones/hard-attention",
    cites="hahn2020 Construction 1",
    computes=Ones,
    architecture=Architecture.HARD_ATTENTION,
    build=ones,
    formula=_ones_sizes,
    quick=({"length": 10}, {"length": 200, "arithmetic": "fixed:8,2"}),
)
AN_BN_HARD = Construction(
    name="an-bn/hard-attention",
    cites="hahn2020 Construction 2",
    computes=AnBn,
    architecture=Architecture.HARD_ATTENTION,
    build=an_bn,
    formula=_an_bn_sizes,
    quick=({"length": 10}, {"length": 200, "arithmetic": "fixed:12,1"}),
)

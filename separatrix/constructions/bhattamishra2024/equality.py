"""String equality with two attention layers of logarithmic width.

[bhattamishra2024 Theorem 6; proof F.2] [bhattamishra2024 Remark 14; this is the variant that is built]

Notation   N         symbols, two halves of N/2           rho(s)   binary code of symbol s, bits as -1, +1
           match(i)  i in the first half, i - N/2 in the second
           T(i)      address of place i                   g_i      1 where s_i differs from s_match(i), else 0

Layer 1 has one head that reads s_match(i) and, as the class has no residual connection, one that reads s_i itself; it compares the two.
Layer 2 averages g over all places: the mean is 0 where the halves agree, and at least 1/N where they do not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from separatrix.architectures import Architecture
from separatrix.arithmetic import Format, parse_format
from separatrix.bits import bits_for
from separatrix.certificates.claim import Step
from separatrix.certificates.construction import Construction, Sizes
from separatrix.constructions.address_weights import AddressWeights
from separatrix.constructions.assembler import Assembler
from separatrix.constructions.forms import column, row
from separatrix.constructions.gadgets import constant, xor
from separatrix.constructions.number_limits import refuse_large_embedding, refuse_off_grid
from separatrix.constructions.parts.addresses import ENOUGH, Address, Lookup, lookup
from separatrix.constructions.parts.seeking import found
from separatrix.constructions.parts.softmax_reads import roundoff
from separatrix.constructions.parts.symbol_codes import sign_code
from separatrix.constructions.parts.thresholds import more_than, threshold_of_count
from separatrix.tasks.equality import Equality
from separatrix.tasks.partition_equality import PartitionEquality

if TYPE_CHECKING:
    from separatrix.certificates.built import Built, Trace


HARD: Address = "binary"  # of the models with hard attention


def equality(task: Equality, address: Address = "binary", residual: bool = False, arithmetic: str = "float64") -> Built:
    """EQ of N symbols over any alphabet."""
    program = Comparison(EQUALITY, lambda T: T.folded(task.length // 2), lambda trace: _steps(trace, task))
    return compare_matching(task, program, address, residual, arithmetic)


def hard_equality(task: Equality, arithmetic: str = "float64") -> Built:
    """EQ by hard attention."""
    return compare_matching(task, Comparison(EQUALITY_HARD, lambda T: T.folded(task.length // 2), None, hard=True), HARD, False, arithmetic)


def hard_sizes(task: Equality | PartitionEquality, arithmetic: str) -> Sizes:
    """Those of the twin with softmax, but that nothing is averaged."""
    return matching_sizes(task, HARD, False, arithmetic, hard=True)


@dataclass(frozen=True)
class Comparison:
    """Compares every place with the place that it is matched with."""

    construction: Construction
    match: Callable[[AddressWeights], AddressWeights]  # from the address of i to the address of match(i)
    steps: Callable[[Trace], tuple[Step, ...]] | None
    hard: bool = False  # every head reads one token; layer 2 then seeks a difference instead of averaging


def compare_matching(task: Equality | PartitionEquality, program: Comparison, address: Address, residual: bool, arithmetic: str) -> Built:
    """Two layers, two heads (one with a residual connection) and then one."""
    N, symbols, format = task.length, task.symbols, parse_format(arithmetic)
    name, cites = program.construction.name, program.construction.cites
    T = _place_address(address, N, format)
    net = Assembler(plain=symbols, targets=2, length=N, arithmetic=arithmetic, residual=residual)

    symbol = net.token("symbol", sign_code(symbols))  # x_i = [rho(s_i) | K(i) | Q(match(i)) | Q(i)]
    place = net.place("place", T.weights)
    matching = T.ask(net, "match", program.match(T.weights))
    own = None if residual else T.ask(net, "own", T.weights)

    first = net.layer(attention="hard" if program.hard else "softmax")
    a = first.attend("match", query=T.query(matching), key=T.key(place), value=symbol, into="matched", share=T.share)
    b = symbol
    if own is not None:
        b = first.attend("self", query=T.query(own), key=T.key(place), value=symbol, into="own", share=T.share)
    differs = first.write("differs", xor(a, b))  # share >= 3/4: a and b have magnitude at least 1/2

    if program.hard:
        one = first.write("one", constant(1.0))
        unequal = found(net.layer(attention="hard"), differs.total(), one)
    else:
        second = net.layer(attention="uniform")
        mean = second.attend("mean", value=differs.total(), into="mean")
        most = N // 2 * differs.rows
        unequal = second.write("unequal", more_than(0, mean, N, most, format, f"{name}, N = {N}"))  # 0, or at least 1/N
    net.read_out(column(1.0, -1.0), unequal, row(0.0, 1.0))

    facts = {"eta": T.eta, "magnitude": T.magnitude, "share": T.share}
    return net.compile(task, name, cites, {"address": address, "residual": residual}, facts, program.steps)


def matching_sizes(task: Equality | PartitionEquality, address: Address, residual: bool, arithmetic: str, hard: bool = False) -> Sizes:
    """The symbol and three addresses, or two symbols side by side; with a residual connection all slots side by side."""
    N, b, format = task.length, bits_for(task.symbols), parse_format(arithmetic)
    T = _place_address(address, N, format)
    if not hard:
        threshold_of_count(0, N, N // 2 * b, format, task.name)
    refuse_off_grid((T.eta, 2.0), format, task.name)  # of the query, and of the exclusive or
    queries = 1 if residual else 2
    refuse_large_embedding(1 + T.embedded(N) + queries * T.embedded(N, T.largest_query_weight), format.fraction, format, task.name)
    width = 3 * b + 2 + 2 * T.dims if residual else max(b + 3 * T.dims, 2 * b)
    return Sizes(layers=2, heads=1 if residual else 2, width=width, value_width=b, precision_bits=format.bits)


def _place_address(address: Address, N: int, format: Format) -> Lookup:
    """The address of layer 1: with 3/4 of the weight on its place, what is read has magnitude at least 1/2."""
    return lookup(address, N, format, ENOUGH + 2 * roundoff(format), extra=0)


# -- the temperature that the proof needs to round a weight to 1; the construction above does not need it --------------------------
#
#   eta  inverse temperature: the logit is eta on the place meant, and at most eta/2 elsewhere
#   K    numbers have a grid of N^-K, and a weight within N^-K / 2 of 1 is to become 1
#
# The weight is at least 1 / (1 + (N - 1) e^(-eta/2)). The paper derives that and then loses the factor 2.


def _steps(trace: Trace, task: Equality) -> tuple[Step, ...]:
    """The proof, explained on one run."""
    N = task.length
    heads = trace.attention[0]
    differs = trace.slot(1, "differs").sum(dim=1)
    predicted = int(trace.logits.argmax())
    matched = [int(heads[0, i].argmax()) + 1 for i in range(N)]
    return (
        Step("match", "One head of layer 1 reads the symbol at the matching place of the first half, the other the token's own symbol.",
             {"place each token reads": matched, "least weight on it": float(heads.amax(dim=2).min())}),
        Step("compare", "The feed-forward part compares the two codes bit by bit; both are off by at most 1/2, so the comparison is exact.",
             {"differs": [int(v) for v in differs]}),
        Step("average", "Layer 2 averages the differences over all places: 0 where the halves agree, at least 1/N where they do not.",
             {"mean": float(differs.mean()), "1/N": 1 / N}),
        Step("decide", "A threshold between 0 and 1/N decides.", {"says": predicted, "expected": task.answer(trace.tokens)}),
    )  # fmt: skip


EQUALITY = Construction(
    name="equality",
    cites="bhattamishra2024 Theorem 6",
    computes=Equality,
    architecture=Architecture.TWO_LAYERS,
    build=equality,
    formula=matching_sizes,
    quick=(
        *({"length": 12, "address": a} for a in ("binary", "quadratic", "code")),  # all inputs
        *({"length": N, "address": a} for a in ("binary", "quadratic") for N in (64, 128)),
        {"length": 64, "arithmetic": "fixed:14,6"},
        {"length": 64, "symbols": 64, "residual": True, "arithmetic": "float32"},
    ),
    variants=({"address": "binary"}, {"address": "quadratic"}),
)
EQUALITY_HARD = Construction(
    name="equality/hard-attention",
    cites="",
    computes=Equality,
    architecture=Architecture.HARD_ATTENTION,
    build=hard_equality,
    formula=hard_sizes,
    quick=({"length": 12}, {"length": 64}),
)

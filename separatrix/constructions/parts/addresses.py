"""Addresses for attention: how sharp an address must be so that a softmax reads its place.

[bhattamishra2024 Lemma 2; proof B.3]

    L     address bits, 2^L >= N            c     inverse temperature per coordinate: query c T(p), key T(i)
    k     dimensions                        A_w   how many places have an address that differs from T(p) in w coordinates
    T(i)  (-1)^(G bits(i))                  share the least attention weight on the queried place

The logit of place i is c (k - 2 w), so the weight on p is 1 / (1 + sum_w A_w e^(-2 c w) + extra e^(-c k)), the same for every p:
the addresses form a group. For the binary digits A_w = C(L, w) and the sum is (1 + e^(-2c))^L - 1: near-orthogonality is not
needed. The quadratic address names i by (i, i^2): <(2p, -1), (i, i^2)> = p^2 - (i - p)^2, and the mass of the others is at most
2 sum_j e^(-eta j^2), whatever N is.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal

import numpy as np

from separatrix.arithmetic import Format
from separatrix.bits import bits_for
from separatrix.constructions.address_weights import AddressWeights, Stored
from separatrix.constructions.forms import Array, Form, row
from separatrix.constructions.number_limits import exact_integers, largest_number, temperature_unit
from separatrix.constructions.parts.softmax_reads import Reads, reads
from separatrix.errors import BadInput

if TYPE_CHECKING:
    from separatrix.constructions.assembler import Assembler

Address = Literal["binary", "quadratic", "code", "one-hot"]
AnyAddress = Literal["binary", "quadratic", "code", "one-hot", "random"]
MOST_RANDOM = 4096
ENOUGH = 0.75  # the weight at which a threshold recovers a bit exactly, whatever else is read


@dataclass(frozen=True, eq=False)
class Lookup:
    """An address that reads one place out of N with at least a given share of the attention, in a number format."""

    address: AnyAddress
    weights: AddressWeights  # the address of a place or of a number
    eta: float  # inverse temperature: c for sign addresses, eta for the quadratic one
    share: float  # least weight on the queried place, over every p
    magnitude: float  # largest logit

    @property
    def dims(self) -> int:
        """Coordinates of an address."""
        return self.weights.dims

    def key(self, place: Form) -> Form:
        """The key of a place, from the slot that holds its address."""
        return place

    def query(self, stored: Form) -> Form:
        """The query of a reader, from a slot that holds the address through `query_weight`."""
        return self.eta * stored

    def query_weight(self) -> Array:
        """The matrix from the address of p to the reader's slot: T(p), or 2p for the quadratic address, whose -1 is a token constant."""
        return np.eye(self.dims) if self.address != "quadratic" else np.array([[2.0, 0.0], [0.0, 0.0]])

    def ask(self, net: Assembler, slot: str, address: AddressWeights) -> Form:
        """A slot with the query for the place of this address: the address itself, or (2p, -1) for the quadratic one."""
        form = net.place(slot, address, self.query_weight())
        if self.address == "quadratic":
            net.token(slot, np.tile(row(0.0, -1.0), (net.token_rows, 1)))
        return form

    @property
    def largest_query_weight(self) -> float:
        """The largest weight of `query_weight`."""
        return 2.0 if self.address == "quadratic" else 1.0

    def embedded(self, tokens: int, weight: float = 1.0) -> float:
        """A bound on what one such address, through a matrix of such weights, adds to the embedding of one of `tokens` tokens."""
        return self.dims * self.weights.magnitude(tokens) * weight


def lookup(address: str, N: int, format: Format, share: float = ENOUGH, extra: int = 1, eta: float | None = None) -> Lookup:
    """The address with the least inverse temperature of the format that reads every one of N places with this share.

    `extra` counts further keys with logit 0, such as the querying token. Refused if the format cannot hold it.
    """
    if address == "quadratic":
        return _quadratic(N, format, share, eta)
    if address == "one-hot":
        return _one_hot(N, format, share, extra)
    if address == "random":
        return _random(N, format, share, extra)
    if address not in ("binary", "code"):
        raise BadInput(f"unknown address {address!r}: expected binary, quadratic, code, random or one-hot")
    generator, counts, printed = _binary(N) if address == "binary" else _code(N)
    k = len(generator)
    c, read = least_temperature(counts, k, extra, N, format, share, eta if eta is not None else printed, f"{address} address, N = {N}")
    return Lookup(address, AddressWeights("sign", k, generator), c, read.share, c * k)  # type: ignore[arg-type]


def least_temperature(
    counts: dict[int, int], k: int, extra: int, N: int, format: Format, share: float, eta: float | None, where: str
) -> tuple[float, Reads]:
    """The least c on the format's grid at which every place is read with the share, or at least eta / k if eta is set."""
    unit = temperature_unit(format)
    largest = largest_number(format) / (1 if format.kind == "fixed" else k)  # the logit c k must be a number, unless the format clamps

    def good(steps: int) -> Reads | None:
        c = steps * unit
        if c > largest:
            return None
        read = reads(counts, k, extra, c, N, format)
        return read if read.share >= share and read.rest <= 1 - share else None

    if eta is not None:
        steps = max(1, math.ceil(eta / k / unit))
        read = good(steps)
        if read is not None:
            return steps * unit, read
    steps = _least(good, max(1, int(min(largest, 64.0) / unit)))
    read = good(steps) if steps else None
    if read is None:
        raise BadInput(f"{where}: no inverse temperature of {format.name} puts {share} of the attention on one place")
    return steps * unit, read


def _least(good: Callable[[int], Reads | None], most: int) -> int:
    """The smallest good number of steps; 0 if there is none. Rounding makes goodness non-monotone only within a few steps."""
    low, high = 0, 1
    while high <= most and good(high) is None:
        low, high = high, 2 * high
    if high > most:
        high = most
        if good(high) is None:
            return next((steps for steps in range(1, min(most, 4096) + 1) if good(steps)), 0)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if good(middle) else (middle, high)
    return high


def _binary(N: int) -> tuple[Stored, dict[int, int], None]:
    L = bits_for(N)
    return np.eye(L, dtype=np.uint8), {w: math.comb(L, w) for w in range(1, L + 1)}, None


@cache
def _code(N: int) -> tuple[Stored, dict[int, int], float]:
    """Almost orthogonal signs: <T(i), T(j)> <= k/4 for i != j, so eta = (4/3) ln 3N suffices (the diagonal is exactly k)."""
    from separatrix.constructions.parts.codes.codewords import weight_enumerator
    from separatrix.constructions.parts.codes.near_orthogonal import almost_orthogonal

    generator = almost_orthogonal(N).generator[:, : bits_for(N)]  # only the bits that N places use
    counts = {w: int(n) for w, n in enumerate(weight_enumerator(generator)) if n and w}
    return generator.copy(), counts, (4 / 3) * math.log(3 * N)


def _quadratic(N: int, format: Format, share: float, eta: float | None) -> Lookup:
    """eta = 3 works for every N: weight at least 1 / (1 + 2 sum_{j >= 1} e^(-3 j^2)) = 0.909.

    The querying token has logit 0. At p = 1 there is no place 0, and that token takes its role; later it weighs less.
    """
    scale = 3.0 if eta is None else eta
    while True:
        counts = {j * j: 2 for j in range(1, 12)}  # logit eta (p^2 - j^2): "distance" j^2 / 2 in units of 2 eta
        read = reads(counts, 0, 0, scale / 2, N, format)
        if read.share >= share and read.rest <= 1 - share:
            break
        scale += 1.0
        if scale > 512:
            raise BadInput(f"quadratic address, N = {N}: {format.name} cannot put {share} of the attention on one place")
    needed = scale * N * N if format.exact else 2 * scale * N * N  # an exact format stores only the logit, a float every product
    if needed > exact_integers(format):
        raise BadInput(
            f"quadratic address, N = {N}: logits need integers up to {needed:.4g}, "
            f"{format.name} holds them exactly up to {exact_integers(format):.4g}"
        )
    return Lookup("quadratic", AddressWeights("quadratic", 2), scale, read.share, scale * N * N)


def _one_hot(N: int, format: Format, share: float, extra: int) -> Lookup:
    """e_i: every competitor has logit 0."""
    counts = {1: N - 1} if N > 1 else {}
    c, read = least_temperature(counts, 1, extra, N, format, share, None, f"one-hot address, N = {N}")
    # a sign address would lose 2c per unit of distance; here the competitors lie c below, so twice the temperature is needed
    return Lookup("one-hot", AddressWeights("one-hot", N), 2 * c, read.share, 2 * c)


def _random(N: int, format: Format, share: float, extra: int) -> Lookup:
    """The paper's own signs, drawn from a seed, of dimension (8 / gamma^2) ln 2N with gamma = 1/4; their products are measured."""
    from separatrix.constructions.parts.codes.random_signs import paper_dimensions, random_signs

    if N > MOST_RANDOM:
        raise BadInput(f"random address, N = {N}: the {N} x k table is stored and its products are measured, so N is at most {MOST_RANDOM}")
    k = paper_dimensions(N)
    signs = random_signs(N + 1, k).astype(np.float64)  # one more for the querying token, which is switched off
    apart = (k - signs @ signs.T) / 2
    nearest = np.sort(apart, axis=1)[:, 1:].min(axis=0)  # at each rank the nearest over every p: a bound for every place
    counts = dict(Counter(int(w) for w in nearest))
    c, read = least_temperature(counts, k, extra, N, format, share, (4 / 3) * math.log(3 * N), f"random address, N = {N}")
    return Lookup("random", AddressWeights("table", k, signs), c, read.share, c * k)

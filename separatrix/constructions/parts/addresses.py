"""Addresses for attention: how sharply a place must be named so that a softmax reads it.

[bhattamishra2024 Lemma 2; proof B.3]

    L     address bits, 2^L >= N            c     inverse temperature per coordinate: query c T(p), key T(i)
    k     dimensions                        A_w   how many places have an address that differs from T(p) in w coordinates
    T(i)  (-1)^(G bits(i))                  share the least attention weight on the place that is asked for

The logit of place i is c (k - 2 w), so the weight on p is 1 / (1 + sum_w A_w e^(-2 c w) + extra e^(-c k)), for every p alike:
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
from typing import Literal

import torch

from separatrix.arithmetic import Format
from separatrix.constructions.assembler import Named
from separatrix.constructions.forms import Form, stack
from separatrix.constructions.parts.softmax_reads import Reads, reads
from separatrix.errors import BadInput
from separatrix.models.config import PlaceConfig

AddressName = Literal["binary", "quadratic", "code", "random", "one-hot"]
MOST_RANDOM = 4096
ENOUGH = 0.75  # the weight at which a threshold returns a bit exactly, whatever else was read


@dataclass(frozen=True)
class Lookup:
    """An address that reads one place out of N with at least a given share of the attention, in a number format."""

    address: AddressName
    named: Named  # the address of a place or of a number, as weights
    eta: float  # inverse temperature: c for sign addresses, eta for the quadratic one
    share: float  # least weight on the place asked for, over every p
    magnitude: float  # largest logit

    @property
    def dims(self) -> int:
        """Coordinates of an address."""
        return self.named.config.dims

    def key(self, place: Form) -> Form:
        """What a place shows, given the slot that holds its address."""
        return place

    def query(self, asked: Form) -> Form:
        """What a reader asks with, given a slot that holds `asked_weight`'s image of the address."""
        return self.eta * asked

    def asked_weight(self) -> torch.Tensor:
        """From the address of p to what the reader stores: T(p) itself, or (2p) for the quadratic one, whose -1 is a token constant."""
        if self.address != "quadratic":
            return torch.eye(self.dims, dtype=torch.float64)
        return torch.tensor([[2.0, 0.0], [0.0, 0.0]], dtype=torch.float64)


def lookup(address: str, N: int, format: Format, share: float = ENOUGH, extra: int = 1, eta: float | None = None) -> Lookup:
    """The address with the least inverse temperature of the format that reads every one of N places with this share.

    `extra` counts further keys with logit 0, such as the token that asks. Refused where the format cannot hold it.
    """
    if address == "quadratic":
        return _quadratic(N, format, share, eta)
    if address == "one-hot":
        return _one_hot(N, format, share, extra)
    if address == "random":
        return _random(N, format, share, extra)
    if address not in ("binary", "code"):
        raise BadInput(f"unknown address {address!r}: expected binary, quadratic, code, random or one-hot")
    generator, counts, wanted = _binary(N) if address == "binary" else _code(N)
    k = len(generator)
    config = PlaceConfig("sign", k, generator.shape[1])
    c, found = least_temperature(counts, k, extra, N, format, share, eta if eta is not None else wanted, f"{address} address, N = {N}")
    return Lookup(address, Named(config, generator), c, found.share, c * k)  # type: ignore[arg-type]


def address_bits(N: int) -> int:
    """L = ceil(log2 N), at least 1."""
    return max(1, (N - 1).bit_length())


def least_temperature(
    counts: dict[int, int], k: int, extra: int, N: int, format: Format, share: float, wanted: float | None, where: str
) -> tuple[float, Reads]:
    """The least c on the format's grid at which every place is read with the share, or at least `wanted` / k where that is given."""
    unit = temperature_unit(format)
    largest = largest_number(format) / (1 if format.kind == "fixed" else k)  # the logit c k must be a number, unless the format clamps

    def good(steps: int) -> Reads | None:
        c = steps * unit
        if c > largest:
            return None
        found = reads(counts, k, extra, c, N, format)
        return found if found.share >= share and found.rest <= 1 - share else None

    if wanted is not None:
        steps = max(1, math.ceil(wanted / k / unit))
        found = good(steps)
        if found is not None:
            return steps * unit, found
    steps = _least(good, max(1, int(min(largest, 64.0) / unit)))
    found = good(steps) if steps else None
    if found is None:
        raise BadInput(f"{where}: no inverse temperature of {format.name} puts {share} of the attention on one place")
    return steps * unit, found


def _least(good: Callable[[int], Reads | None], most: int) -> int:
    """The smallest number of steps that is good; 0 where none is. Rounding makes goodness uneven only within a few steps."""
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


def temperature_unit(format: Format) -> float:
    """The grid that inverse temperatures are taken from: the format's own, never finer than 2^-16."""
    if format.exact:
        return 2.0 ** -min(format.fraction, 16)
    mantissa = {"float64": 52, "float32": 23, "bfloat16": 7, "float16": 10}.get(format.name, format.fraction)
    return 2.0 ** -min(16, max(mantissa - 3, 0))  # values below 8 keep all these bits


def largest_number(format: Format) -> float:
    """The largest number of the format."""
    if format.exact:
        return 2.0**format.integer_bits - 2.0**-format.fraction
    if format.kind == "native":
        return float(torch.finfo(getattr(torch, format.name)).max)
    exponent = format.bits - 1 - format.fraction
    return (2 - 2.0**-format.fraction) * math.ldexp(1.0, (1 << (exponent - 1)) - 1)


def exact_integers(format: Format) -> float:
    """All integers up to this are numbers of the format."""
    if format.exact:
        return 2.0**format.integer_bits - 1
    mantissa = {"float64": 53, "float32": 24, "bfloat16": 8, "float16": 11}.get(format.name, format.fraction + 1)
    return 2.0**mantissa


def representable(integer: int, format: Format) -> int:
    """The least integer that is a number of the format's mantissa and not below the given one; an exact format has them all."""
    spare = 0 if format.exact else max(0, integer.bit_length() - round(math.log2(exact_integers(format))))
    return -(-integer >> spare) << spare


def _binary(N: int) -> tuple[torch.Tensor, dict[int, int], None]:
    L = address_bits(N)
    return torch.eye(L, dtype=torch.uint8), {w: math.comb(L, w) for w in range(1, L + 1)}, None


@cache
def _code(N: int) -> tuple[torch.Tensor, dict[int, int], float]:
    """Almost orthogonal signs: <T(i), T(j)> <= k/4 for i != j, so eta = (4/3) ln 3N suffices (the diagonal is exactly k)."""
    from separatrix.constructions.parts.codes.codewords import weight_enumerator
    from separatrix.constructions.parts.codes.near_orthogonal import almost_orthogonal

    generator = almost_orthogonal(N).generator[:, : address_bits(N)]  # only the bits that N places use
    counts = {w: int(n) for w, n in enumerate(weight_enumerator(generator)) if n and w}
    return torch.from_numpy(generator.copy()), counts, (4 / 3) * math.log(3 * N)


def _quadratic(N: int, format: Format, share: float, eta: float | None) -> Lookup:
    """eta = 3 works for every N: weight at least 1 / (1 + 2 sum_{j >= 1} e^(-3 j^2)) = 0.909.

    The token that asks has logit 0. At p = 1 there is no place 0, and that token stands in for it; later it weighs less.
    """
    chosen = 3.0 if eta is None else eta
    while True:
        counts = {j * j: 2 for j in range(1, 12)}  # logit eta (p^2 - j^2): "distance" j^2 / 2 in units of 2 eta
        found = reads(counts, 0, 0, chosen / 2, N, format)
        if found.share >= share and found.rest <= 1 - share:
            break
        chosen += 1.0
        if chosen > 512:
            raise BadInput(f"quadratic address, N = {N}: {format.name} cannot put {share} of the attention on one place")
    needed = chosen * N * N if format.exact else 2 * chosen * N * N  # an exact format stores only the logit, a float every product
    if needed > exact_integers(format):
        raise BadInput(
            f"quadratic address, N = {N}: logits need integers up to {needed:.4g}, "
            f"{format.name} holds them exactly up to {exact_integers(format):.4g}"
        )
    return Lookup("quadratic", Named(PlaceConfig("quadratic", 2)), chosen, found.share, chosen * N * N)


def _one_hot(N: int, format: Format, share: float, extra: int) -> Lookup:
    """e_i: every competitor has logit 0."""
    counts = {1: N - 1} if N > 1 else {}
    c, found = least_temperature(counts, 1, extra, N, format, share, None, f"one-hot address, N = {N}")
    # a sign address would lose 2c per unit of distance; here the competitors lie c below, so twice the temperature is needed
    return Lookup("one-hot", Named(PlaceConfig("one-hot", N)), 2 * c, found.share, 2 * c)


def _random(N: int, format: Format, share: float, extra: int) -> Lookup:
    """The paper's own signs, drawn from a seed, of dimension (8 / gamma^2) ln 2N with gamma = 1/4; their products are measured."""
    from separatrix.constructions.parts.codes.random_signs import paper_dimensions, random_signs

    if N > MOST_RANDOM:
        raise BadInput(f"random address, N = {N}: the {N} x k table is stored and its products are measured, so N is at most {MOST_RANDOM}")
    k = paper_dimensions(N)
    signs = random_signs(N + 1, k)  # one more for the token that asks, which is switched off
    apart = (k - torch.from_numpy(signs).to(torch.float64) @ torch.from_numpy(signs).T.to(torch.float64)) / 2
    nearest = apart.sort(dim=1).values[:, 1:].amin(dim=0)  # at each rank the nearest over every p: no place fares worse
    counts = dict(Counter(int(w) for w in nearest))
    c, found = least_temperature(counts, k, extra, N, format, share, (4 / 3) * math.log(3 * N), f"random address, N = {N}")
    return Lookup("random", Named(PlaceConfig("table", k, N + 1), torch.from_numpy(signs).to(torch.float64)), c, found.share, c * k)


def quadratic_parts(asked: Form, one: Form) -> Form:
    """(2p, -1) from a slot that holds 2p and a constant slot."""
    return stack(asked, -one)

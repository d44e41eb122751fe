"""Any one-layer Transformer in floats as a two-party protocol, bit for bit equal to the model with exact sums over keys.

[bhattamishra2024 Theorem 4; bhattamishra2024 Appendix A(5); bhattamishra2024 Footnote 4]

Notation   R  the party that holds the token read out      O  the other one      p  bits of a float
           f  the smallest float above 0 is 2^-f           E  every float is below 2^E

The steps are those of fixed point: the token, per head both largest logits and both parts of Z, then O's part of U, then the answer.
Floats are whole numbers of 2^-f, so parts of sums are sent as they are, without rounding:

    Z   n exponentials of at most 1: at most n 2^f units                                         f + ceil(log2(n + 1)) bits
    U   the weights add up to less than 2, since Z and each of them are rounded once,
        so a part lies below 2^(E+1), in units of 2^-2f                                          2 + E + 2f bits with the sign

A float64 has f = 1074 and E = 1024: U takes 3174 bits per coordinate where the paper's step counts 64. That is the price of bit-for-bit
equality; a protocol that rounds instead computes a different model.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from separatrix.bits import ceil_log2
from separatrix.bounds.communication.dialogues import Message, Party, Transcript
from separatrix.bounds.protocols.exact_accumulator import FloatFormat
from separatrix.bounds.protocols.float_model import Array, FloatModel
from separatrix.bounds.protocols.one_layer import claimed_bits, repaired_bits, step_bits
from separatrix.bounds.protocols.protocol import natural, seated, signed


@dataclass(frozen=True)
class FloatProtocolRun:
    """The transcript, and R's logits."""

    transcript: Transcript
    logits: tuple[float, ...]


@dataclass(frozen=True)
class FloatProtocolCost:
    """Bits for N tokens: the most that a run sends, the fixed-point formula for a format that holds every float, and the paper's counts."""

    repaired: int
    fixed_point: int
    printed_steps: int
    printed_claim: float


def float_protocol_cost(model: FloatModel, N: int) -> FloatProtocolCost:
    """The counts for inputs of N tokens; `repaired` is what a run with softmax attention sends when both hold a visible token.

    [bhattamishra2024 Theorem 4; bhattamishra2024 Footnote 4]
    """
    form, m, H, d, s = model.format, model.heads.value_width, model.heads.heads, model.model.width, model.vocabulary
    answer = ceil_log2(model.model.readout.targets)
    per_head = 2 * form.bits + 2 * _sum_bits(form, N) + m * _mixed_bits(form)
    return FloatProtocolCost(
        repaired=ceil_log2(s) + H * per_head + answer,
        fixed_point=repaired_bits(m, form.fixed_bits, form.f, N, H, s) - 1 + answer,
        printed_steps=step_bits(m, d, form.bits, N, H),
        printed_claim=claimed_bits(m, form.bits, N, H),
    )


@np.errstate(all="ignore")  # numbers that are not finite are refused where they matter
def run_float_protocol(model: FloatModel, tokens: Sequence[int], alice: Iterable[int], at: int = -1) -> FloatProtocolRun:
    """The protocol on one input: Alice holds the positions `alice`, counted from 0, and the answer is read at the position `at`.

    [bhattamishra2024 Theorem 4; bhattamishra2024 Footnote 4]
    """
    n, seats = len(tokens), seated(tokens, alice, at, model.vocabulary)
    model.check(tokens)
    token = tokens[seats.reader]
    messages = [Message(seats.R, natural(token, ceil_log2(model.vocabulary)), f"the token read out is {token}")]
    x = model.embedded(token, seats.reader)
    q = model.query(x, seats.reader)  # both know it now
    own, other = (
        _side(model, party, [(i, tokens[i]) for i in positions if not model.heads.causal or i <= seats.reader], n, q)
        for party, positions in ((seats.R, seats.own), (seats.O, seats.others))
    )
    read = [number for h in range(model.heads.heads) for number in _head(own, other, h, messages)]
    logits = model.finished(x, read)
    answer = int(logits.argmax())
    messages.append(Message(seats.R, natural(answer, ceil_log2(len(logits))), f"the answer is {answer}"))
    return FloatProtocolRun(Transcript(tuple(messages), answer), tuple(float(v) for v in logits))


@dataclass(frozen=True, eq=False)
class _Side:
    """One party: keys and values of its own visible tokens, and the query."""

    model: FloatModel
    party: Party
    places: list[int]
    n: int
    query: Array
    pairs: list[tuple[Array, Array]]

    def logits(self, h: int) -> list[float]:
        """Logits of this party's tokens for head h."""
        return [self.model.logit(self.query, k, h) for k, _ in self.pairs]

    def mixed(self, w: list[float], h: int) -> list[int]:
        """This party's part of U, in units of 2^-2f."""
        whole, u = self.model.format.whole, self.model.heads.value_width
        weights = [whole(part) for part in w]
        return [sum(part * whole(float(v[j])) for part, (_, v) in zip(weights, self.pairs, strict=True)) for j in range(h * u, (h + 1) * u)]


def _side(model: FloatModel, party: Party, own: list[tuple[int, int]], n: int, q: Array) -> _Side:
    pairs = [model.key_value(model.embedded(token, i), i) for i, token in own]
    return _Side(model, party, [i for i, _ in own], n, q, pairs)


def _head(own: _Side, other: _Side, h: int, messages: list[Message]) -> list[float]:
    """R's value of U for one head, both parts added and rounded once. A party without visible tokens sends nothing."""
    sides, form = [side for side in (own, other) if side.places], own.model.format  # R holds the token read out, which sees itself
    weights = {"softmax": _softmax, "uniform": _uniform, "hard": _hard}[own.model.heads.scores](sides, h, messages)
    total = own.mixed(weights[0], h)
    if other.places:
        part = other.mixed(weights[1], h)
        bits = "".join(signed(number, _mixed_bits(form)) for number in part)
        shown = ", ".join(_about(number, 2 * form.f) for number in part)
        messages.append(Message(other.party, bits, f"head {h + 1}: my part of U is about [{shown}]"))
        total = [a + b for a, b in zip(total, part, strict=True)]
    return [form.rounded(number, 2 * form.f) for number in total]


def _softmax(sides: list[_Side], h: int, messages: list[Message]) -> list[list[float]]:
    """Weights of each side's tokens: both largest logits, then both sums of exponentials."""
    model, n = sides[0].model, sides[0].n
    form = model.format
    logits = [side.logits(h) for side in sides]
    largest = [max(a) for a in logits]
    e = [[model.exponential(logit, max(largest)) for logit in a] for a in logits]
    sums = [sum(map(form.whole, part)) for part in e]
    if len(sides) > 1:
        for side, M in zip(sides, largest, strict=True):
            messages.append(Message(side.party, form.written(M), f"head {h + 1}: my largest logit is {M:.6g}"))
        for side, part_of_Z in zip(sides, sums, strict=True):
            bits = natural(part_of_Z, _sum_bits(form, n))
            messages.append(Message(side.party, bits, f"head {h + 1}: my exponentials add up to about {_about(part_of_Z, form.f)}"))
    Z = form.rounded(sum(sums), form.f)
    return [[model.ratio(number, Z) for number in part] for part in e]


def _uniform(sides: list[_Side], h: int, messages: list[Message]) -> list[list[float]]:  # noqa: ARG001
    """Both parties know how many tokens are visible."""
    weight = sides[0].model.ratio(1.0, sum(len(side.places) for side in sides))
    return [[weight] * len(side.places) for side in sides]


def _hard(sides: list[_Side], h: int, messages: list[Message]) -> list[list[float]]:
    """The first largest logit has all the weight: both send theirs and its place."""
    form, n = sides[0].model.format, sides[0].n
    logits = [side.logits(h) for side in sides]
    best = [(max(a), -side.places[a.index(max(a))]) for a, side in zip(logits, sides, strict=True)]
    if len(sides) > 1:
        for side, (M, place) in zip(sides, best, strict=True):
            bits = form.written(M) + natural(-place, ceil_log2(n))
            messages.append(Message(side.party, bits, f"head {h + 1}: my largest logit is {M:.6g}, first at place {1 - place}"))
    return [[float(-i == max(best)[1]) for i in side.places] for side in sides]


def _sum_bits(form: FloatFormat, n: int) -> int:
    """Bits of one party's part of the normaliser Z."""
    return form.f + ceil_log2(n + 1)


def _mixed_bits(form: FloatFormat) -> int:
    """Bits of one coordinate of a part of U."""
    return 2 + form.E + 2 * form.f


def _about(number: int, bits: int) -> str:
    """number / 2^bits as text; it may lie beyond the range of floats."""
    return f"{Decimal(number) / Decimal(1 << bits):.6g}"

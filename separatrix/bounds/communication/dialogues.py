"""Executable protocols: who sends which bits, and what both know at the end.

[bhattamishra2024 Appendix B.1; bhattamishra2024 Remark 9]

The order of speaking matters (INDEX), and so do coins (equality). A transcript prints as a dialogue and adds up its bits.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from separatrix.bits import ceil_log2
from separatrix.errors import BadInput

Party = Literal["Alice", "Bob"]


@dataclass(frozen=True)
class Message:
    """Bits that one party sends, and what they mean."""

    sender: Party
    bits: str
    says: str


@dataclass(frozen=True)
class Transcript:
    """All messages in order, and the answer that both parties know after the last."""

    messages: tuple[Message, ...]
    answer: Hashable

    @property
    def bits(self) -> int:
        """Bits exchanged in total."""
        return sum(len(message.bits) for message in self.messages)

    def __str__(self) -> str:
        lines = [f"{m.sender:5} -> {m.bits or '(nothing)'}   {m.says} ({len(m.bits)} bit{'s' * (len(m.bits) != 1)})" for m in self.messages]
        return "\n".join([*lines, f"both know {self.answer} after {self.bits} bits"])


def index_one_way(a: Sequence[int], i: int, symbols: int = 2) -> Transcript:
    """Alice speaks first, and Bob may need any of her symbols, so she sends all N of them.

    [bhattamishra2024 Fact 3]
    """
    _check_index(a, i, symbols)
    number = 0
    for symbol in a:
        number = number * symbols + symbol
    everything = written(number, symbols ** len(a))
    return Transcript(
        (Message("Alice", everything, "all my symbols"), Message("Bob", written(a[i], symbols), f"the one at place {i + 1}")), a[i]
    )


def index_two_way(a: Sequence[int], i: int, symbols: int = 2) -> Transcript:
    """Bob speaks first: ceil(log2 N) bits for the place, and Alice returns the symbol, one bit if there are two.

    [bhattamishra2024 Remark 4]
    """
    _check_index(a, i, symbols)
    asks = Message("Bob", written(i, len(a)), f"which symbol is at place {i + 1}?")
    return Transcript((asks, Message("Alice", written(a[i], symbols), f"symbol {a[i]}")), a[i])


def equality_by_sending(a: Sequence[int], b: Sequence[int]) -> Transcript:
    """The best deterministic protocol for equality of n bits: send them, get one bit back.

    [bhattamishra2024 Fact 2]
    """
    _check_bits(a, b)
    same = int(tuple(a) == tuple(b))
    return Transcript(
        (Message("Alice", "".join(map(str, a)), "all my bits"), Message("Bob", str(same), "equal" if same else "different")), same
    )


def equality_with_random_weights(a: Sequence[int], b: Sequence[int], weight_bits: int, seed: int) -> Transcript:
    """Equality from one weighted sum with public random weights below 2^w: `different` is never wrong, `equal` with probability <= 2^-w.

    [bhattamishra2024 Remark 9]

    Given all weights but one at a place where the strings differ, a single value of that weight makes the sums equal. One head with
    uniform attention and such weights as values computes the sum, so the linear bound for equality holds for deterministic models only.
    """
    _check_bits(a, b)
    if weight_bits < 1:
        raise BadInput(f"weight_bits must be at least 1, found {weight_bits}")
    random = Random(seed)
    weights = [random.getrandbits(weight_bits) for _ in a]
    sums = [sum(w for w, bit in zip(weights, bits, strict=True) if bit) for bits in (a, b)]
    same = int(sums[0] == sums[1])
    message = written(sums[0], len(a) * (2**weight_bits - 1) + 1)
    return Transcript((Message("Alice", message, "my weighted sum"), Message("Bob", str(same), "equal" if same else "different")), same)


def written(number: int, choices: int) -> str:
    """A number below `choices` in the fewest bits that distinguish them all; empty if there is only one."""
    assert 0 <= number < choices
    width = ceil_log2(choices)
    return format(number, f"0{width}b") if width else ""


def _check_index(a: Sequence[int], i: int, symbols: int) -> None:
    if not a or any(not 0 <= symbol < symbols for symbol in a):
        raise BadInput(f"alice must hold symbols in 0..{symbols - 1}, found {tuple(a)!r:.80}")
    if not 0 <= i < len(a):
        raise BadInput(f"index {i} lies outside 0..{len(a) - 1}")


def _check_bits(a: Sequence[int], b: Sequence[int]) -> None:
    if not a or len(a) != len(b) or any(bit not in (0, 1) for bit in (*a, *b)):
        raise BadInput(f"alice and bob must hold the same number of bits, found {tuple(a)!r:.60} and {tuple(b)!r:.60}")

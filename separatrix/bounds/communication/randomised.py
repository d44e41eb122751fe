"""INDEX and Disjointness with coins and an error: how many bits one message must have, and protocols that run.

[bhattamishra2024 Fact 3; the randomised half] [bhattamishra2024 Fact 1; the randomised half, for one message]
[bhattamishra2024 Remark 9]

Notation   N  bits of Alice     e  the error that is allowed on every input, below 1/2     h  binary entropy     M  the message

Lower bound. Let X be N fair bits. For every place i Bob guesses X_i from M and the public coins with error at most e, so by Fano's
inequality H(X_i | M) <= h(e). Hence N (1 - h(e)) <= sum of I(X_i; M) <= I(X; M) <= bits of M: the middle step holds as the X_i are
independent. Private coins are no help, as the argument conditions on nothing that Alice hides. With Bob's set {i} Disjointness is INDEX,
so it needs no less. (With several messages Disjointness stays linear: Kalyanasundaram and Schnitger 1992, Razborov 1992. That proof is not
replayed here.)

Protocols. Public coins choose k = ceil((1 - 2 e) N) places, and Alice sends her bits there: at another place Bob guesses, and is wrong half
of the time, so the error is (1 - k / N) / 2 <= e. For Disjointness coins say with probability 2 e that Bob guesses, else Alice
sends all: N (1 - 2 e) bits in the mean. Between 1 - h(e) and 1 - 2 e of N lies the truth; at e = 0 both are N.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

from separatrix.bounds.communication.dialogues import Message, Transcript
from separatrix.errors import BadInput

SLACK = 1e-9  # of a float64 sum, so that rounding never makes a bound too large


def entropy(e: float) -> float:
    """The binary entropy h(e), in bits."""
    return 0.0 if e in (0.0, 1.0) else -e * math.log2(e) - (1 - e) * math.log2(1 - e)


def one_message_bits(N: int, error: float) -> int:
    """The least bits of one message for INDEX, or for Disjointness, on N bits with this error on every input."""
    _check(N, error)
    return max(0, math.ceil(N * (1 - entropy(error)) - SLACK * N))


def places_sent(N: int, error: float) -> int:
    """How many bits Alice sends in `index_with_coins`."""
    _check(N, error)
    return min(N, math.ceil((1 - 2 * error) * N - SLACK))


def index_with_coins(a: Sequence[int], i: int, error: float, seed: int) -> Transcript:
    """Alice sends her bits at public random places, and Bob guesses where his is not among them."""
    _check_bits(a)
    if not 0 <= i < len(a):
        raise BadInput(f"index {i} lies outside 0..{len(a) - 1}")
    coins = Random(seed)
    places = sorted(coins.sample(range(len(a)), places_sent(len(a), error)))
    guess = coins.getrandbits(1)
    answer = a[i] if i in places else guess
    sent = Message("Alice", "".join(str(a[place]) for place in places), f"my bits at {len(places)} public places")
    return Transcript((sent, Message("Bob", str(answer), "it is among them" if i in places else "a guess")), answer)


def disjointness_with_coins(a: Sequence[int], b: Sequence[int], error: float, seed: int) -> Transcript:
    """The coins say whether Bob guesses, with probability 2 e; else Alice sends all her bits."""
    _check(len(a), error)
    _check_bits(a)
    _check_bits(b)
    if len(a) != len(b):
        raise BadInput(f"alice and bob must hold the same number of bits, found {len(a)} and {len(b)}")
    coins = Random(seed)
    guesses, guess = coins.random() < 2 * error, coins.getrandbits(1)
    answer = guess if guesses else int(any(x & y for x, y in zip(a, b, strict=True)))
    sent = Message("Alice", "" if guesses else "".join(map(str, a)), "nothing: the coins say to guess" if guesses else "all my bits")
    return Transcript((sent, Message("Bob", str(answer), "a guess" if guesses else "they meet" if answer else "they do not meet")), answer)


def _check(N: int, error: float) -> None:
    if N < 1:
        raise BadInput(f"N must be at least 1, found {N}")
    if not 0 <= error < 0.5:
        raise BadInput(f"the error must lie in [0, 1/2), found {error}")


def _check_bits(bits: Sequence[int]) -> None:
    if not bits or any(bit not in (0, 1) for bit in bits):
        raise BadInput(f"a party must hold bits, found {tuple(bits)!r:.80}")

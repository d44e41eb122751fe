"""Certificates of the depth reduction: lengths from which no model of hard attention, whatever its weights, decides PARITY.

[hahn2020 Theorem 1] [hahn2020 Lemma 4] [hahn2020 Corollary 2]

Notation   n  tokens, all but one of them free bits    c  free bits behind a vector of the layer below   C  share of tokens still free
           k  places on a list                         H  heads                                          z  value of the reader's own vector

One layer, read anew: a *pair* is a head at a place and a value z, at most 2^c H n of them. A pair ranks the places by the largest score
that they can still reach, ties by place. Walk down the ranking, and list a place if it depends on a free bit that no listed one depends
on. A place whose vector is constant ends the walk: the head looks no further. A pair is *satisfied* if it depends on at most the c k
bits behind k listed places, on no others however many more are fixed: so it is once its walk has ended within k listed places. If a
listed vector of an unsatisfied pair is fixed to what reaches its largest score, the largest scores of all others only fall, whatever
else is fixed: the head reads no place ranked behind that one, and the pair is satisfied.

    1. Fix the bits behind more than c/(eta C) vectors, at most eta C n of them.
    2. While a vector is listed by more than 2^c k H unsatisfied pairs, fix its c bits to the value that satisfies most of them, more than
       k H. This happens at most 2^c n/k times: if 2^c c/k <= eta C, (1 - 2 eta) C n bits are still free.
    3. Fix each free bit with probability q. A pair stays unsatisfied with probability at most (1 - (q/2)^c)^(k/(1 + D)), D = c^2/(eta C),
       since so many listed vectors share no bit. It shares bits with at most f = 2^c c^2 k^2 H/(eta C) others. By the Local Lemma with
       1/k^2 for pairs and 1/2 for too many fixed bits (Chernoff) all is avoided at once if

           (1 - (q/2)^c)^(k/(1 + D)) <= (1 - 1/k^2)^f / (2 k^2)     and     exp(-delta^2 q (1 - 2 eta) C n/3) <= (1 - 1/k^2)^(2^c H n) / 2

    Then C' = (1 - 2 eta) (1 - (1 + delta) q) C, and a vector of this layer depends on c' = c (2^c k H + 1) free bits.

In the last layer one place is read: fixing its own c bits, and for each head the c bits of its first place, makes the output constant.
Checked are the inequalities, in exact numbers: ln(1 - x) <= -x, ln(1 - x) >= -x/(1 - x). The argument itself is read, not replayed;
its steps before the Local Lemma are tried on all inputs of small models by the project's tests.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

from separatrix.checker.budget import Budget
from separatrix.checker.fields import require_equal, require_fields, within
from separatrix.checker.seal import Refused
from separatrix.checker.sentence import Shown, counted, number

FIELDS: dict[str, Any] = {"claim": dict, "layers": int, "heads": int, "steps": list, "from": str}
LN2 = Fraction(6931471806, 10**10)  # rounded up
MARK = Fraction(999, 1000)  # share of free tokens if one of 1,000 or more is an end mark
SHORTEST = 1000
MOST_BITS = 1 << 15  # c: numbers such as 2^c are written out
PARTS = 1 << 40  # of a share


def judge(document: dict[str, Any], _beside: Path | None, budget: Budget) -> Shown:
    """Refuse the certificate unless every step meets its inequalities."""
    claim = require_fields(document["claim"], "claim", task=str)
    require_equal(claim["task"], "parity", "claim.task")
    heads = within(document["heads"], 1, 1 << 20, "heads")
    layers = within(document["layers"], 1, 8, "layers")
    if len(document["steps"]) != layers - 1:
        raise Refused(f"steps: expected one for each layer but the last, {layers - 1}, found {len(document['steps'])}")
    budget.allow(MOST_BITS * 64 * layers, 0)
    c, share, least = 1, MARK, SHORTEST
    evidence = []
    for layer, step in enumerate(document["steps"], 1):
        where = f"steps[{layer - 1}]"
        eta, q, delta, k = _parameters(step, where)
        free_after, least_here = reduced(c, share, heads, eta, q, delta, k, where)
        c, share, least = c * ((k << c) * heads + 1), free_after, max(least, least_here)
        text = (
            f"layer {layer}: lists of {_written(k)} places; then a vector depends on at most {_written(c)} bits, {share_words(share)} free"
        )
        evidence.append({"kind": "layer", "text": text})
    least = max(least, -((-c * (heads + 1) - 1) // share))
    require_equal(document["from"], hex(least), "from")
    sentence = (
        f"PARITY: no model of hard attention with {counted(layers, 'layer')} and {counted(heads, 'head')}, whatever its width, weights and "
        f"number format, is right on all inputs of n tokens, for any n from {_written(least)} on"
    )
    last = f"last layer: at most {_written(c * (heads + 1))} more bits fixed, and its output is constant with a bit still free"
    hypotheses = (
        "one bit at each place, one of which may be an end mark; of equal scores the first is attended; the answer is read at one place"
    )
    return Shown(sentence, "proven", (*evidence, {"kind": "last", "text": last}, {"kind": "hypotheses", "text": hypotheses}))


def reduced(c: int, share: Fraction, heads: int, eta: Fraction, q: Fraction, delta: Fraction, k: int, where: str) -> tuple[Fraction, int]:
    """The share that is free after one layer is absorbed, and the least n; refused unless the inequalities hold."""
    if c > MOST_BITS:
        raise Refused(f"{where}: vectors depend on {_written(c)} bits: lists longer than 2 to that power cannot be written out")
    if (c << c) > eta * share * k:
        raise Refused(f"{where}: 2^c c/k is more than eta C, so that too many bits are fixed")
    f = (heads * c**2 * k**2 << c) / (eta * share)
    chosen = k / (1 + c**2 / (eta * share))
    if chosen * (q / 2) ** c < f / (k**2 - 1) + LN2 * (2 * k**2).bit_length():
        raise Refused(f"{where}: a list of {_written(k)} places is too short for the Local Lemma")
    slope = delta**2 * q * (1 - 2 * eta) * share / 3 - Fraction(heads << c, k**2 - 1)
    if slope <= 0:
        raise Refused(f"{where}: delta is too small: too many bits may be fixed, at every n")
    return (1 - 2 * eta) * (1 - (1 + delta) * q) * share, -((-LN2) // slope)


def share_words(share: Fraction) -> str:
    """At least 12.3 % of n, or a power of two where it is small."""
    tenths = int(share * 1000)
    return f"at least {tenths // 10}.{tenths % 10} % of n" if tenths else f"at least n/{_written(-((-1) // share))}"


def _parameters(step: Any, where: str) -> tuple[Fraction, Fraction, Fraction, int]:
    """eta, q and delta as fractions, and k = m 2^e."""
    require_fields(step, where, eta=list, q=list, delta=list, k=list)
    if any(len(step[name]) != 2 or any(type(part) is not int or not 0 <= part <= PARTS for part in step[name]) for name in step):
        raise Refused(f"{where}: expected pairs of whole numbers up to 2^40")
    if not all(step[name][1] for name in ("eta", "q", "delta")):
        raise Refused(f"{where}: a share over 0")
    eta, q, delta = (Fraction(*step[name]) for name in ("eta", "q", "delta"))
    k = within(step["k"][0], 2, PARTS, f"{where}.k") << within(step["k"][1], 0, 4 * MOST_BITS, f"{where}.k")
    if not (0 < eta < Fraction(1, 2) and q > 0 and 0 < delta <= 1 and (1 + delta) * q < 1):
        raise Refused(f"{where}: expected 0 < eta < 1/2, 0 < delta <= 1 and 0 < (1 + delta) q < 1")
    return eta, q, delta, k


def _written(value: int) -> str:
    """With commas; a large number as the power of two above it."""
    return number(value) if value < 10**15 else f"2^{number((value - 1).bit_length())}"

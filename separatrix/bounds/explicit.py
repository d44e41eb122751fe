"""Explicit lower bounds: per task and architecture, a number with its theorem and its caveat.

[bhattamishra2024 Theorem 3; bhattamishra2024 Theorem 5; bhattamishra2024 Theorem 8; bhattamishra2024 Proposition 9;
bhattamishra2024 Theorem 10; bhattamishra2024 Theorem 11; bhattamishra2024 Theorem 12; bhattamishra2024 Lemma 4]

A row states what a correct model must have at least. Rows `as printed` are the papers' own formulas; the others are exact counts of the
same argument, and imply them. None of the bounds binds at the sizes of the paper's experiments: `binding_length` says where they would.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import ceil, log2
from typing import Any

from separatrix.bounds.protocols.one_layer import check_precision, least_width, least_width_times_heads
from separatrix.bounds.states.closed_forms import ClosedForm, arguments, form_of
from separatrix.bounds.states.profile import ceil_log2
from separatrix.errors import BadInput

RECURRENT = "recurrent"
ONE_TRANSITION = "recurrent, one transition for all steps"
ONE_LAYER = "one-layer Transformer"

ANY_SPLIT = "For every way to split p bits into integer and fractional ones."


@dataclass(frozen=True)
class LowerBound:
    """A correct model of this architecture has at least `value` of this quantity.

    `tight`: so much also suffices. `deterministic_only`: random bits and a small error beat it. `built` is for whoever knows what was.
    """

    architecture: str
    quantity: str
    value: int
    formula: str
    cites: str
    tight: bool
    deterministic_only: bool
    caveat: str
    built: int | None = None

    def binds(self, size: int) -> bool:
        """Whether a model with this much of the quantity is refuted."""
        return size < self.value


def bounds_for(task: str, parameters: Mapping[str, Any], precision: int, fractional: int | None = None) -> tuple[LowerBound, ...]:
    """Every bound on record for a task at its parameters, with numbers of `precision` bits; none for a task without one.

    `fractional` bits of those make the one-layer bounds sharper; without it they hold for every split.
    """
    f = precision - 1 if fractional is None else fractional
    check_precision(precision, f)
    form = form_of(task)
    rows = list(_recurrent(form, parameters, precision)) if form else []
    if task in ONE_LAYER_BITS:
        rows += _one_layer(task, parameters, precision, f, fractional is None)
    if task == "nearest-neighbor":
        rows += _nearest_neighbour(parameters, precision)
    return tuple(rows)


def binding_length(task: str, parameters: Mapping[str, Any], state_bits: int) -> int | None:
    """The least length at which a recurrent model with so many state bits is refuted; None if the task's need never grows so far.

    [bhattamishra2024 Theorem 2]
    """
    form = form_of(task)
    if form is None:
        raise BadInput(f"no closed form is known for {task}: expected a task with one")
    step = 1 if task in ("index-lookup", "associative-recall", "parity") else 2  # the others have even lengths
    low, high = 0, 1
    while _needed(form, parameters, step * high) <= state_bits:
        low, high = high, 2 * high
        if high > state_bits + 64 and _needed(form, parameters, step * low) < low:
            return None  # a need that grows at all grows by a bit in every step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _needed(form, parameters, step * middle) <= state_bits else (low, middle)
    return step * high


def _needed(form: ClosedForm, parameters: Mapping[str, Any], length: int) -> int:
    return ceil_log2(form.widest(**arguments(form, {**parameters, "length": length}))[0])


def _recurrent(form: ClosedForm, parameters: Mapping[str, Any], p: int) -> Iterator[LowerBound]:
    chosen = arguments(form, parameters)
    lower, upper = form.widest(**chosen)
    bits, tight = ceil_log2(lower), ceil_log2(lower) == ceil_log2(upper)
    without_coins = form.task in ("equality", "eq-random", "eq-one")

    def row(quantity: str, value: int, formula: str, cites: str, tight: bool, caveat: str) -> LowerBound:
        return LowerBound(RECURRENT, quantity, value, formula, cites, tight, without_coins, caveat)

    yield row("state bits", bits, form.formula, form.cites, tight, form.caveat)
    width = -(-bits // p)
    yield row("width", width, "ceil(state bits / p)", form.cites, tight, form.caveat)
    if form.task in PRINTED:
        formula, cites, value = PRINTED[form.task]
        printed = -(-value(chosen["length"]) // p)
        yield row("width", printed, f"{formula}, as printed", cites, tight and printed == width, "One bit for each symbol or label.")
    if form.task == "dyck":
        types, depth = chosen.get("types", 2), chosen.get("depth", 2)
        states = sum(types**i for i in range(depth + 1)) + 1
        yield LowerBound(
            ONE_TRANSITION,
            "state bits",
            ceil_log2(states),
            "ceil(log2(sum_{d<=k} n^d + 1))",
            "bhattamishra2024 Lemma 4",
            True,
            False,
            f"For words of every length. The minimal complete automaton has {states} states, the sink included, not the paper's O(2^k).",
        )


PRINTED: Mapping[str, tuple[str, str, Callable[[int], int]]] = {
    "index-lookup": ("ceil(N / p)", "bhattamishra2024 Theorem 3", lambda N: N),
    "associative-recall": ("ceil(N / p)", "bhattamishra2024 Proposition 9", lambda N: N),
    "mqar": ("ceil(N / 2p)", "bhattamishra2024 Theorem 8", lambda N: N // 2),
    "equality": ("ceil(N / 2p)", "bhattamishra2024 Theorem 11", lambda N: N // 2),
}


def _nearest_neighbour(parameters: Mapping[str, Any], p: int) -> Iterator[LowerBound]:
    bits = _length(parameters, "nearest-neighbor") // 2
    caveat = "Where N/2 vectors are gamma apart in pairs, so that each can be asked for; the theorem lets the dimension grow for that."
    cites = "bhattamishra2024 Theorem 8"
    yield LowerBound(RECURRENT, "state bits", bits, "N / 2", cites, False, False, caveat)
    yield LowerBound(RECURRENT, "width", -(-bits // p), "ceil(N / 2p), as printed", cites, False, False, caveat)


def _one_layer(task: str, parameters: Mapping[str, Any], p: int, f: int, any_split: bool) -> Iterator[LowerBound]:
    found = ONE_LAYER_BITS[task](parameters)
    if found is None:
        return
    N, s, bits, formula, cites, caveat, without_coins = found
    split = f"{ANY_SPLIT} " if any_split else ""
    protocol = "ceil(log2 s) + H (2p + 2f + 2 ceil(log2(N+1)) + m (p+f)) + 1"
    width, product = least_width(bits, p, f, N, 1, s), least_width_times_heads(bits, p, f, N, s)
    yield LowerBound(
        ONE_LAYER, "width, one head", width, f"least m with {protocol} >= {formula}", cites, False, without_coins, split + caveat
    )
    yield LowerBound(
        ONE_LAYER, "width x heads", product, f"least m H with {protocol} >= {formula}", cites, False, without_coins, split + caveat
    )
    if task == "dyck":
        printed, text = ceil((N - 1) / (3 * (p + log2(N)))), "ceil((N-1) / 3(p + log2 N)), as printed"
        note = f"The printed steps add up to more bits than the constant; the repaired protocol proves it from width 4 on. {caveat}"
        for cites in ("bhattamishra2024 Theorem 5", "bhattamishra2024 Theorem 10"):
            yield LowerBound(ONE_LAYER, "width x heads, if the width is at least 4", printed, text, cites, False, True, note)


OneLayerNeed = tuple[int, int, int, str, str, str, bool]  # tokens, symbols, bits, formula, cites, caveat, deterministic only


def _dyck_need(parameters: Mapping[str, Any]) -> OneLayerNeed | None:
    """Odd against even places: w words are a partial permutation matrix of rank w, and its complement has rank w + 1."""
    N, types, depth = _length(parameters, "dyck"), int(parameters.get("types", 2)), int(parameters.get("depth", 2))
    if N % 2 or types < 2 or depth != 2:
        return None
    words = types ** (N // 2) * 2 ** (N // 2 - 1)
    caveat = "N even, depth 2; Alice holds the odd places. A small error makes O(log N) bits enough for the protocol."
    formula = "log2(n^(N/2) 2^(N/2) + 1) bits, N + 1 for n = 2"
    return N, 2 * types, ceil_log2(2 * words + 1), formula, "bhattamishra2024 Theorem 5", caveat, True


def _equality_need(parameters: Mapping[str, Any]) -> OneLayerNeed:
    """The identity matrix of s^(N/2) strings, and its complement of the same rank."""
    N, s = _length(parameters, "equality"), int(parameters.get("symbols", 2))
    caveat = "N even; random value weights with a small error beat it. 'm p H = Omega(N)' needs p = Omega(log N)."
    bits = 1 + ceil_log2(s ** (N // 2))
    return N, s, bits, "N/2 log2 s + 1 bits", "bhattamishra2024 Theorem 12", caveat, True


def _separated_need(parameters: Mapping[str, Any]) -> OneLayerNeed:
    N, s, bits, formula, cites, caveat, without_coins = _equality_need(parameters)
    return N + 1, s + 1, bits, formula, cites, caveat, without_coins


def _intersects_need(parameters: Mapping[str, Any]) -> OneLayerNeed:
    """A set and its complement: 2^(N/2) fooling inputs, and one more answer."""
    N = _length(parameters, "intersects")
    caveat = "N even; the exact count is for zero error, but a constant error still needs a linear number of bits."
    return N, 2, N // 2 + 1, "N/2 + 1 bits", "bhattamishra2024 Fact 1", caveat, False


ONE_LAYER_BITS: Mapping[str, Callable[[Mapping[str, Any]], OneLayerNeed | None]] = {
    "dyck": _dyck_need,
    "equality": _equality_need,
    "eq-random": _separated_need,
    "eq-one": _separated_need,
    "intersects": _intersects_need,
}


def _length(parameters: Mapping[str, Any], task: str) -> int:
    if "length" not in parameters:
        raise BadInput(f"the bounds of {task} need a length")
    return int(parameters["length"])

"""Where does each architecture stop: the least width, and the least state, that learns index lookup as N grows?

[bhattamishra2024 Theorem 1; bhattamishra2024 Theorem 3]

    proven   below this no model of the kind has the target accuracy, whatever its weights
    built    a construction that is right on every input
    learned  the narrowest of the widths tried that reached the target, for each seed

Every model has one layer, one head and learned positions; LSTMs start with gates that forget slowly.
It is asked twice: of strings of bits, where widths were added between others while the intervals of two architectures met, and of strings
over 64 symbols, where the widths were fixed, as half octaves, before any of them was trained; only for attention, which learned with the
least of them, the next one below was added.
Shipped rows are made by `separatrix sweep separatrix --store FILE`, then `separatrix study separatrix --store FILE --out FILE`.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from separatrix.bounds.families.index_lookup import index_lookup_ceiling
from separatrix.studies.answer import NOTHING, Answer, by, decided, done, seeds_among
from separatrix.studies.frontier import fitted
from separatrix.studies.learned import TrainingRun, cells_of, few_steps, learner, trial
from separatrix.studies.least_widths import BUILT, LEARNED, PROVEN, exponents, growth_panel, learned_row, least_row, said
from separatrix.studies.panel import COLOURS, blank, side_by_side
from separatrix.studies.study import Cell, Result, Row
from separatrix.training.budget import Budget

QUESTION = "How does the least width that learns index lookup grow with N, for each architecture?"
PREDICTION = (
    "As N for an LSTM, whose state is a vector, as the square root of N where the state is a matrix, and as log N for attention, which has "
    "all N symbols in view."
)
CITES = ("bhattamishra2024 Theorem 1", "bhattamishra2024 Theorem 3")
SYMBOLS, MANY, TARGET, BITS = 2, 64, 0.9, 32
PLACED, ONE_HEAD = ("positions", "learned"), ("heads", 1)
BUDGET = Budget(steps=4500, batch=64, schedule="cosine", warmup=100, clip=1.0, validate_every=100, validation=1000, enough=0.995)


def steps_at(N: int) -> int:
    """So many that each place is asked for as often at every length."""
    return BUDGET.steps * max(1, N // 16)


@dataclass(frozen=True)
class Kind:
    """An architecture: how it is trained, the numbers of its state by width, and the power of N by which its width must grow."""

    model: str
    rate: float
    parameters: tuple[tuple[str, Any], ...]
    widths: Mapping[int, tuple[int, ...]]  # tried at each N
    seeds: int
    milliseconds: float  # of a step at N = 32 and width 16
    power: float
    numbers: Callable[[int], int] | None = None  # of the state; None if it grows with every token

    def run(self, symbols: int, N: int, width: int, seed: int) -> TrainingRun:
        """The training run of one alphabet, length, width and seed."""
        start = ("memory", 2 * N) if self.model == "lstm" else ("deviation", round(width**-0.5, 3))
        sizes = (("layers", 1), ("width", width), *self.parameters, start)
        task = (("symbols", symbols), ("distribution", "evaluation"))
        return TrainingRun("index-lookup", N, self.model, replace(BUDGET, rate=self.rate, steps=steps_at(N)), seed, sizes, task)


OF_ATTENTION = {8: (3, 4, 6), 16: (4, 6, 8), 32: (4, 6, 8), 64: (4, 6, 8, 12), 128: (6, 8, 12, 16)}
OF_VECTOR = {8: (4, 5, 6, 7, 8), 16: (8, 10, 12, 14, 16), 32: (24, 26, 28, 32, 48), 64: (48, 64, 96, 128)}
OF_MATRIX = {8: (2, 3, 4, 5, 6, 8), 16: (4, 5, 6, 7, 8, 12), 32: (8, 9, 10, 11, 12, 13, 14, 16, 24), 64: (12, 16, 24, 32)}
BUILT_BY = {"TF": "index-lookup", "LinTF": "index-lookup/linear-attention", "LSTM": "index-lookup/lstm"}
BUILT_AT = (8, 16, 32, 64, 128, 256, 512, 1024)
FAR = (256, 512, 1024)
FEW = {8: (4, 8), 16: (4, 8, 16), 32: (8, 16, 32)}
KINDS = {
    "TF": Kind("tf", 2e-3, (ONE_HEAD,), OF_ATTENTION, 3, 6, 0.0),
    "LSTM": Kind("lstm", 4e-3, (PLACED,), OF_VECTOR, 3, 6, 1.0, lambda D: 2 * D),
    "LinTF": Kind("lintf", 2e-3, (ONE_HEAD,), OF_MATRIX, 3, 8, 0.5, lambda D: D * D + D),
    "RetNet": Kind("retnet", 5e-3, (ONE_HEAD, PLACED), FEW, 1, 8, 0.5, lambda D: 2 * D * D),
    "DeltaNet": Kind("deltanet", 5e-3, (ONE_HEAD, PLACED), FEW, 1, 10, 0.5, lambda D: D * D + 9 * D),
    "Mamba": Kind("mamba", 5e-3, (PLACED,), FEW, 1, 13, 1.0, lambda D: 2 * D * (16 + 3)),
}
OF_MANY: Mapping[str, Mapping[int, tuple[int, ...]]] = {  # half octaves for 64 symbols, one seed; the least of attention was added
    "TF": {8: (4, 6, 8, 12), 16: (4, 6, 8, 12), 32: (4, 6, 8, 12, 16), 64: (6, 8, 12, 16)},
    "LSTM": {8: (16, 24, 32, 48), 16: (32, 48, 64, 96)},
    "LinTF": {8: (8, 12, 16), 16: (8, 12, 16, 24), 32: (12, 16, 24, 32), 64: (16, 24, 32, 48)},
}
PLAN = (
    *(
        (SYMBOLS, name, N, width, seed)
        for name, kind in KINDS.items()
        for N, widths in kind.widths.items()
        for width in widths
        for seed in range(kind.seeds)
    ),
    *((MANY, name, N, width, 0) for name, lengths in OF_MANY.items() for N, widths in lengths.items() for width in widths),
)
SWEEP = tuple(KINDS[name].run(symbols, N, width, seed) for symbols, name, N, width, seed in PLAN)
CAPTION = (
    f"Index lookup, strings of exactly N; a width has learned it if {TARGET:.0%} of the test inputs are right after at most "
    f"{BUDGET.steps:,} steps of {BUDGET.batch} examples, beyond N = 16 in proportion to N. First panel: strings of bits, of which a guess "
    "gets one half right. One layer, one head, learned positions; points are seeds, lines go through their medians, and the least of the "
    "widths tried is an upper end: the true one lies above the next smaller width that was tried. Dashed: the least that any model of the "
    f"kind must have for this accuracy, in numbers of {BITS} bits. Open squares: built weights of the same architectures, right on every "
    "input. Dotted: N and the square root of N. Attention carries all N symbols along, so its state is not bounded. Widths between others "
    "were added where the intervals of two architectures still met, so that the intervals lie apart is not a test of its own; the luck of "
    f"the seeds is not in them. Second panel: strings over {MANY} symbols, one seed, at half octaves of width that were fixed before any "
    "was trained; for attention the next one below was added when the least had been learned. This panel was added because a width that "
    "grows as the square root of N has to fill a matrix: a key must stand for many places and a value tell them apart, as in the built "
    "weights, or values must be rich, and one bit is not."
)

TRAINS = PARTIAL = True
CELLS: tuple[Cell, ...] = cells_of(SWEEP)


def _hours(name: str, N: int, width: int) -> float:
    """Core-hours of all steps."""
    return round(KINDS[name].milliseconds * steps_at(N) * (N / 32 + 1) * (width / 16 + 1) / 4 / 3.6e6, 4)


HOURS = {run.spec.digest: _hours(name, N, width) for run, (_, name, N, width, _) in zip(SWEEP, PLAN, strict=True)}
run = learner(SWEEP)


def cells(scale: str) -> list[dict[str, Any]]:
    """The sweep as trials; the paper has no grid for it."""
    if scale == "smoke":
        wanted = (SYMBOLS, 8, 8, 0)
        return [trial(few_steps(run, 4)) for run, (symbols, _, *size) in zip(SWEEP, PLAN, strict=True) if (symbols, *size) == wanted]
    return [trial(run) for run in SWEEP] if scale == "laptop" else []


def rows(results: Sequence[Result | None]) -> list[Row]:
    """What was learned, for each alphabet, kind, length and seed; what is built; what is proven."""
    tried: dict[tuple[int, str, int, int], dict[int, Result | None]] = {}
    for (symbols, name, N, width, seed), result in zip(PLAN, results, strict=True):
        tried.setdefault((symbols, name, N, seed), {})[width] = result
    listed = [
        {"symbols": symbols} | learned_row(name, N, seed, by_width, TARGET, sum(_hours(name, N, width) for width in by_width))
        for (symbols, name, N, seed), by_width in tried.items()
    ]
    return [*listed, *({"symbols": symbols} | row for symbols in (SYMBOLS, MANY) for row in (*_built(symbols), *_proven(symbols)))]


def _built(symbols: int) -> Iterator[Row]:
    """Weights of the same architectures that are right on every input; lengths that nobody trained show how they grow."""
    from separatrix.constructions import construction  # imports torch

    for series, name in BUILT_BY.items():
        for N in BUILT_AT:
            sizes = construction(name).sizes({"length": N, "symbols": symbols})
            if sizes is not None:
                yield least_row(
                    series, N, kind=BUILT, width=sizes["width"], state_bits=sizes.get("state_bits"), accuracy=100.0, status="built"
                )


def _proven(symbols: int) -> Iterator[Row]:
    """Bits that the target accuracy needs, and the width whose state has as many, for every kind whose state does not grow."""
    for N in BUILT_AT:
        bits = least_bits(N, symbols)
        for name, kind in KINDS.items():
            if kind.numbers is not None:
                width = next(D for D in range(1, bits + 2) if BITS * kind.numbers(D) >= bits)
                yield least_row(name, N, kind=PROVEN, width=width, state_bits=bits, accuracy=100 * TARGET, status="proven")


def least_bits(N: int, symbols: int = SYMBOLS) -> int:
    """The bits of state below which no model is right on a share TARGET of the inputs; more bits are never worse."""
    enough = N * (symbols - 1).bit_length()
    return bisect_left(range(enough + 1), TARGET, key=lambda bits: index_lookup_ceiling(N, symbols, bits).accuracy)


def over(symbols: int, rows: Sequence[Row]) -> list[Row]:
    """The rows about strings over so many symbols."""
    return [row for row in rows if row["symbols"] == symbols]


def answer(rows: list[Row]) -> Answer:
    """The powers beside what is predicted, and whether their intervals tell a vector, a matrix and attention apart."""
    of_bits, of_many = over(SYMBOLS, rows), over(MANY, rows)
    powers = exponents(of_bits)
    if not powers:
        return NOTHING
    near = _growth(of_bits)
    expected = {name: sorted((KINDS[name].power, near.get(name, KINDS[name].power))) for name in powers}  # in the limit and at these N
    outside = [
        f"{name} ({KINDS[name].power:g})"
        for name, (_, (low, high)) in powers.items()
        if low > expected[name][1] or high < expected[name][0]
    ]
    three = [name for name in BUILT_BY if name in powers]
    overlapping = [f"{a} and {b}" for a, b in itertools.combinations(three, 2) if powers[a][1][1] >= powers[b][1][0]]
    other = f"; the predicted power lies outside the interval of {', '.join(outside)}" if outside else ""
    apart = len(three) == len(BUILT_BY) and not overlapping
    close = f"; the intervals of {', '.join(overlapping)} overlap" if overlapping else ""
    grown = f"Learned widths grow as powers of N: {said(powers)}{close}{other}{_unlearned(of_bits)} ({_seeds(of_bits)})"
    among_many = exponents(of_many)
    more = f"; over {MANY} symbols {said(among_many)}{_unlearned(of_many)} ({_seeds(of_many)})" if among_many else ""
    built = ", ".join(f"{name} {near[name]:.2f} and {power:.2f}" for name, power in _growth(of_bits, FAR).items())
    far = f"at the same lengths and from N = {FAR[0]} to {FAR[-1]:,}"
    return decided(apart and not outside, f"{grown}{more}. Those of built weights, {far}: {built}.", tested=False)


def _seeds(rows: list[Row]) -> str:
    return seeds_among((row for row in done(rows) if row["kind"] == LEARNED), "series", "length")


def _unlearned(rows: list[Row]) -> str:
    """Where nothing that was tried was wide enough, with the widest."""
    tried = by((row for row in done(rows) if row["kind"] == LEARNED), "series", "length")
    failed = [
        f"{name} at N = {N} (to {max(row['failed_width'] for row in some)})"
        for (name, N), some in tried.items()
        if all(row["width"] is None for row in some)
    ]
    return f"; no width that was tried was enough for {', '.join(failed)}, so the powers leave that out" if failed else ""


def _growth(rows: list[Row], lengths: Sequence[int] = ()) -> dict[str, float]:
    """The powers of N by which built widths grow, at these lengths or else at those that were trained: log N is no power, and looks like a
    small one at small N."""
    found = {}
    for name in BUILT_BY:
        at = {row["length"]: float(row["width"]) for row in rows if (row["series"], row["kind"]) == (name, BUILT)}
        power, _ = fitted([(N, at[N], at[N]) for N in lengths or KINDS[name].widths])
        if power is not None:
            found[name] = power
    return found


def figure(rows: list[Row]) -> dict[str, Any]:
    """Width against N over two alphabets, and bits of state against N, all logarithmic."""
    panels = []
    for symbols, what in ((SYMBOLS, "bits"), (MANY, f"{MANY} symbols")):
        some = over(symbols, rows)
        if any(row["kind"] == LEARNED and row["width"] is not None for row in some):
            powers = exponents(some)
            labels = {name: f"{name}, learned as N^{round(powers[name][0], 1) + 0.0:.1f}" if name in powers else name for name in KINDS}
            panels.append(_panel(some, labels, "width", f"Least width that learns lookup of {what}", "width", guides=True))
    if not panels:
        return side_by_side(blank("Least width that learns index lookup"))
    state = _panel(
        over(SYMBOLS, rows), {name: name for name in KINDS}, "state_bits", "Least state that learns lookup of bits", "bits of state"
    )
    return side_by_side(*panels, state)


def _panel(rows: list[Row], labels: dict[str, str], field: str, title: str, axis: str, *, guides: bool = False) -> dict[str, Any]:
    """Seeds as points with a line through their medians; built weights as squares; what is proven dashed; guides dotted."""
    drawn = [{**row, "value": row[field], "name": labels.get(row["series"], row["series"])} for row in rows if row[field] is not None]
    if field == "width":
        drawn = [row for row in drawn if row["kind"] != PROVEN or row["series"] in BUILT_BY]
    else:
        drawn = [row for row in drawn if row["series"] != "TF"]  # grows with every token
        one = {row["length"]: row for row in drawn if row["kind"] == PROVEN}  # the same bits for every kind
        drawn = [row for row in drawn if row["kind"] != PROVEN] + [{**row, "name": "any recurrent model"} for row in one.values()]
    shown = [name for name in KINDS if any(row["series"] == name and row["kind"] == LEARNED for row in drawn)]
    names = [labels[name] for name in shown]
    others = [name for name in ("any recurrent model",) if any(row["name"] == name for row in drawn)]
    drawn = [row for row in drawn if row["name"] in (*names, *others)]
    lengths = sorted({row["length"] for row in rows})
    top = max(row["value"] for row in drawn) / lengths[-1]
    lines = {"as N": [(N, 1.2 * top * N) for N in lengths], "as √N": [(N, 6 * (N / lengths[0]) ** 0.5) for N in lengths]} if guides else {}
    ink = {labels[name]: COLOURS[name] for name in shown} | dict.fromkeys(others, "#777777")
    return growth_panel(drawn, ink, lengths, title, axis, lines)

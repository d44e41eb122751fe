"""The influence of one symbol, and the floors that follow from it."""

from __future__ import annotations

import itertools

from separatrix.studies.influence import LENGTHS, READ, SIZES, figure, floors, influences


def test_what_is_measured_lies_below_the_bound_and_both_fall_as_one_over_n() -> None:
    rows = influences(2, 1)
    bound, seen = ({row["length"]: row["value"] for row in rows if row["series"].startswith(kind)} for kind in ("bound", "measured"))
    assert all(0 < seen[n] < bound[n] for n in LENGTHS)
    first, last = LENGTHS[0], LENGTHS[-1]
    for values in (bound, seen):
        assert 0.8 < values[first] * first / (values[last] * last) < 1.25


def test_floors_rise_to_the_limit_and_larger_weights_lower_them() -> None:
    rows = floors("PARITY", "parity-next", 0.2)
    nats = {(row["series"], row["length"]): row["value"] for row in rows}
    of_size = [f"floor, weights of size {size:g}" for size in SIZES]
    assert all(nats[of_size[0], n] < nats[of_size[0], m] for n, m in itertools.pairwise(READ))
    assert all(nats[a, n] > nats[b, n] for a, b in itertools.pairwise(of_size) for n in READ)
    assert all(nats[name, n] <= nats["floor in the limit", n] < nats["unigram", n] for name in of_size for n in READ)
    assert all(row["above"] >= 0 for row in rows)
    assert len(figure(influences(1, 1) + rows + floors("2DYCK", "dyck-2-next", 0.4))["concat"]) == 3

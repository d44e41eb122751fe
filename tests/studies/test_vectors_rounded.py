"""Almost orthogonal vectors with few bits."""

from __future__ import annotations

import math

import numpy as np

from separatrix.studies.vectors_rounded import ROUNDINGS, coherence, figure, run, vectors


def test_coherence_of_vectors_by_hand() -> None:
    assert coherence(np.eye(3)) == 0
    assert coherence(np.array([[1.0, 1.0], [1.0, 0.0]])) == 1.0  # <T2, T1> / <T2, T2>
    assert coherence(np.array([[2.0, 0.0], [-1.0, 1.0]])) == -0.5
    assert coherence(np.array([[1.0, 0.0], [0.0, 0.0]])) == 1.0  # nothing is left of the second


def test_every_family_has_unit_vectors_of_the_lemmas_coherence() -> None:
    for family in ("signs", "normal", "code"):
        T = vectors(family, 100)
        assert np.allclose(np.linalg.norm(T, axis=1), 1)
        assert coherence(T) <= 0.25


def test_signs_to_the_nearest_vanish_below_the_half_log_and_are_exact_above() -> None:
    rows = {(row["rounding"], row["f"]): row for row in run({"family": "signs", "length": 100})}
    first = math.ceil(rows["nearest", 1]["half_log_k"] - 1)  # an entry 2^-h is rounded up from 2^-(f + 1) on
    assert rows["nearest", first - 1]["coherence"] == 1
    assert rows["nearest", first]["coherence"] == rows["nearest", first]["unrounded"]
    assert 0.25 < rows["fixed", 1]["coherence"] < 1  # negative entries survive
    assert rows["fixed", 12]["coherence"] - rows["fixed", 12]["unrounded"] < 0.01


def test_the_figure_has_a_panel_for_each_rounding() -> None:
    rows = run({"family": "code", "length": 1000})
    panels = figure(rows)["concat"]
    assert len(panels) == len(ROUNDINGS)
    assert sum(len(panel["data"]["values"]) for panel in panels) == len(rows)

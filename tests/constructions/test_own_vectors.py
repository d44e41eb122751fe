"""Nearest neighbour among points of one's own: random unit vectors, a file on the command line, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from separatrix.certificates.verify import trial, verify
from separatrix.checker import check_text
from separatrix.cli import main
from separatrix.constructions.bhattamishra2024.own_vectors import NearestVectors, nearest_vectors
from separatrix.errors import BadInput

PLACE = "separatrix.constructions.bhattamishra2024.own_vectors:nearest_vectors"
FIVE = "1,0\n0.6,0.8\n-0.8,0.6\n0,-1\n0.28,0.96\n"


def drawn(d: int, count: int) -> tuple[str, np.ndarray]:
    x = np.random.default_rng(d).standard_normal((count, d))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    return "\n".join(",".join(map(repr, row)) for row in x.tolist()), x


@pytest.mark.parametrize("arithmetic", ["float64", "float32"])
@pytest.mark.parametrize(("d", "count", "N", "gamma"), [(2, 30, 10, 0.01), (8, 60, 12, 0.02), (64, 80, 20, 0.05)])
def test_random_unit_vectors_against_products_computed_here(d: int, count: int, N: int, gamma: float, arithmetic: str) -> None:
    text, x = drawn(d, count)
    built = nearest_vectors(N, text, gamma, arithmetic=arithmetic)
    batch = built.task.sample(1, 40)
    for r in range(40):
        *before, query = batch.row(r)
        keys, labels = before[::2], before[1::2]
        products = sorted(((float(x[key] @ x[query]), label - count) for key, label in zip(keys, labels, strict=True)), reverse=True)
        assert products[0][0] - products[1][0] >= gamma - 1e-9
        assert built.answer(batch.row(r)) == products[0][1]


def test_all_inputs_with_five_points_are_certified_and_a_blunt_head_is_noticed() -> None:
    built = nearest_vectors(3, FIVE)
    verdict = check_text(verify(built).to_json())
    assert (verdict.holds, verdict.strength) == (True, "exhaustive"), verdict.reason
    long = nearest_vectors(12, FIVE)
    assert trial(long, [{"kind": "random", "seed": 2, "count": 30}]).holds
    long.heads(1).query.data *= 0.01
    assert not trial(long, [{"kind": "random", "seed": 2, "count": 30}]).holds


def test_a_file_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "points.csv").write_text(FIVE)
    assert main(["build", PLACE, "--length", "6", "--set", f"points={tmp_path / 'points.csv'}"]) == 0
    assert "width" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("points", "gamma", "message"),
    [
        ("1,0\n0,2\n", 0.1, "points are unit vectors, point 2 has length 2"),
        ("1,0\n", 0.1, "expected two or more points of the same dimension, found 1 lines"),
        ("1,0\n1\n", 0.1, "expected two or more points of the same dimension"),
        ("1,zero\n", 0.1, "a line of points is numbers with commas in between"),
        ("1,nan\n0,1\n", 0.1, "point 1 has length nan"),
        ("nowhere", 0.1, "expected a file of points, or lines of numbers with commas, found 'nowhere'"),
        ("1,0\n0,1\n", 1.5, "no point is gamma = 1.5 nearer to any other than a third one"),
        (FIVE, 0.0, "must lie in (0, 2], found 0.0"),
    ],
)
def test_what_is_not_a_file_of_points_is_refused_in_one_line(points: str, gamma: float, message: str) -> None:
    with pytest.raises(BadInput) as refused:
        NearestVectors(3, points, gamma)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)

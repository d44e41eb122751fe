"""The first length at which a short float breaks a construction."""

from __future__ import annotations

import pytest

from separatrix.cli import main
from separatrix.constructions import build
from separatrix.constructions.breaking_lengths import breaking_lengths


def test_squares_of_positions_run_out_of_digits_at_16_tokens_in_bfloat16() -> None:
    """N numbers have 2 N + 2 tokens; 18^2 = 324 is not an integer of 8 bits, and the first wrong read comes soon after."""
    by_format = {each.arithmetic: each for each in breaking_lengths("reverse-sum/standard", 40, symbols=2)}
    assert by_format["bfloat16"].refused == 8
    assert by_format["float16"].refused == 22  # 2^11 = 2048 lies between 44^2 and 46^2
    assert by_format["float32"].refused is None
    assert by_format["float32"].wrong is None
    for each in by_format.values():
        assert each.wrong is None or (each.refused is not None and each.wrong >= each.refused)  # what is not refused is right
    assert by_format["bfloat16"].wrong is not None


def test_two_digits_reach_further_than_one_square() -> None:
    wrong = {
        positions: {each.arithmetic: each.wrong for each in breaking_lengths("reverse-sum/standard", 40, symbols=2, positions=positions)}
        for positions in ("square", "two-digit")
    }
    square, digits = wrong["square"]["bfloat16"], wrong["two-digit"]["bfloat16"]
    assert square is not None
    assert digits is None or digits > square


@pytest.mark.slow
def test_positions_run_out_of_digits_at_4096_tokens_in_float32() -> None:
    first = next(breaking_lengths("reverse-sum/standard", 2100, symbols=2))
    assert first.arithmetic == "float32"
    assert first.refused == 2048
    assert first.wrong is not None
    assert 2048 <= first.wrong <= 2100


def test_the_command_prints_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "lis/standard", "--length", "6", "--breaks"]) == 0
    assert "bfloat16" in capsys.readouterr().out
    assert main(["build", "lis/standard", "--length", "6", "--breaks", "--arithmetic", "float32"]) == 2
    assert "--breaks tries number formats" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("attention", ["standard", "linear", "sparse"])
@pytest.mark.parametrize(("name", "length"), [("lis", 16), ("edit-distance", 10), ("reverse-sum", 150)])
def test_float32_is_right_at_the_sizes_that_were_tried_before(name: str, length: int, attention: str) -> None:
    """By the build's own bound where it holds; the bound of linear attention ends at 111 numbers, and rounded weights are right beyond."""
    (float32, *_) = breaking_lengths(f"{name}/{attention}", length)
    assert float32.wrong is None
    if (name, attention) != ("reverse-sum", "linear"):
        assert build(f"{name}/{attention}", length=length, arithmetic="float32").claim.arithmetic == "float32"

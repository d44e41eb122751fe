"""Names of number formats: what they mean, and one line when they mean nothing."""

from __future__ import annotations

import subprocess
import sys

import pytest

from separatrix.arithmetic import arithmetic, parse_format
from separatrix.arithmetic.format import EXPECTED, WIDEST
from separatrix.errors import BadInput


def test_a_fixed_point_name_gives_its_bits() -> None:
    format = parse_format("fixed:12,8")
    assert (format.kind, format.bits, format.fraction, format.integer_bits, format.exact) == ("fixed", 12, 8, 3, True)


def test_a_nearest_point_name_gives_its_bits_and_strictness() -> None:
    format = parse_format("nearest:49")
    assert (format.kind, format.bits, format.fraction, format.integer_bits, format.strict) == ("nearest", 49, 24, 24, False)
    strict = parse_format("nearest:49,strict")
    assert (strict.name, strict.bits, strict.fraction, strict.strict) == ("nearest:49,strict", 49, 24, True)


def test_a_float_name_gives_its_bits() -> None:
    format = parse_format("float:4,3")
    assert (format.kind, format.bits, format.fraction, format.exact) == ("float", 8, 3, False)
    assert [parse_format(name).bits for name in ("float64", "float32", "bfloat16", "float16")] == [64, 32, 16, 16]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("fixed:1,0", f"fixed:1,0: p must lie in 2..{WIDEST}, found 1"),
        ("fixed:2000,0", f"fixed:2000,0: p must lie in 2..{WIDEST}, found 2000"),
        ("fixed:8,8", "fixed:8,8: f must lie in 0..p-1 = 0..7 (p counts the sign), found 8"),
        ("nearest:8", "nearest:8: p must be odd (a sign and twice (p-1)/2 bits), found 8"),
        ("nearest:8,strict", "nearest:8,strict: p must be odd (a sign and twice (p-1)/2 bits), found 8"),
        ("nearest:1", f"nearest:1: p must lie in 3..{WIDEST}, found 1"),
        ("float:1,3", "float:1,3: expected exponent bits e in 2..11 and mantissa bits m in 1..52, found e=1, m=3"),
        ("float:5,53", "float:5,53: expected exponent bits e in 2..11 and mantissa bits m in 1..52, found e=5, m=53"),
    ],
)
def test_a_size_out_of_range_is_named(name: str, message: str) -> None:
    with pytest.raises(BadInput) as refusal:
        parse_format(name)
    assert str(refusal.value) == message


@pytest.mark.parametrize(
    "name",
    [
        "",
        "float",
        "float128",
        "fixed:8",
        "fixed:8,-1",
        "fixed:8,4,2",
        "fixed:8,4,strict",
        "nearest:,strict",
        "nearest:9,loose",
        "fixed:٣,1",
    ],
)
def test_an_unknown_name_lists_what_is_known(name: str) -> None:
    with pytest.raises(BadInput) as refusal:
        parse_format(name)
    assert str(refusal.value) == f"unknown arithmetic {name!r}: expected {EXPECTED}"


@pytest.mark.parametrize(
    "name", ["float64", "float32", "bfloat16", "float16", "float:4,3", "fixed:12,8", "nearest:49", "nearest:49,strict"]
)
def test_every_format_has_operators(name: str) -> None:
    assert arithmetic(name).format == parse_format(name)
    assert arithmetic(name) is arithmetic(name)


def test_names_and_the_exact_exponential_need_no_torch() -> None:
    script = "import sys; import separatrix.arithmetic, separatrix.arithmetic.exact_softmax; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


@pytest.mark.parametrize(
    ("name", "served", "same"),
    [("steps:16,2", "fixed:18,8", "the same"), ("steps:10,3", "fixed:22,10", "finer by less"), ("steps:2,1", "fixed:4,1", "the same")],
)
def test_steps_of_a_power_of_n_name_the_format_that_serves(name: str, served: str, same: str) -> None:
    with pytest.raises(BadInput, match=f"the steps of {served} are {same}"):
        parse_format(name)
    N, K = (int(part) for part in name.removeprefix("steps:").split(","))
    fixed = parse_format(served)
    assert 2.0**-fixed.fraction <= N**-K < 2.0 ** (1 - fixed.fraction)
    assert 2**fixed.integer_bits > N**K

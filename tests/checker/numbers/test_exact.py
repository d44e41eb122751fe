"""The checker's exact formats against fractions, and by hand."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from separatrix.checker.numbers.boxes import Box
from separatrix.checker.numbers.exact import Fixed, Grid, Nearest
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.formats import Term, numbers
from separatrix.checker.numbers.small_float import SmallFloat
from separatrix.checker.seal import Refused

GRIDS: list[Grid] = [Fixed(8, 3), Fixed(9, 8), Fixed(5, 0), Fixed(40, 20), Fixed(90, 41), Nearest(7), Nearest(3), Nearest(41), Nearest(131)]


def stored(x: Fraction, ops: Grid) -> int:
    """store(x), from the definition of the formats, in units of the last place."""
    units = x * ops.scale
    if isinstance(ops, Fixed):
        return max(-(2 ** (ops.bits - 1)), min(2 ** (ops.bits - 1) - 1, math.floor(units)))
    return max(-(2 ** (ops.bits - 1)) + 1, min(2 ** (ops.bits - 1) - 1, round(units)))


def drawn(ops: Grid, seed: int, *shape: int) -> np.ndarray:
    """Numbers of the format: small ones, and a few near the ends of its range."""
    rng = np.random.default_rng(seed)
    small = min(4 * ops.scale, ops.high)
    results = [int.from_bytes(rng.bytes(30), "big") % (2 * small + 1) - small for _ in range(math.prod(shape))]
    results[0], results[len(results) // 2], results[-1] = ops.high - 1, ops.low, ops.high
    array = np.array(results, dtype=object).reshape(shape)
    return array if ops.bits > 62 else array.astype(np.int64)


def values(x: np.ndarray, ops: Grid) -> list[list[Fraction]]:
    return [[Fraction(int(v), ops.scale) for v in row] for row in x]


@pytest.mark.parametrize("ops", GRIDS, ids=lambda ops: ops.name)
def test_each_operator_is_one_exact_sum_or_product_stored_once(ops: Grid) -> None:
    for seed in range(6):
        x, w, b, y = drawn(ops, seed, 3, 5), drawn(ops, seed + 10, 4, 5), drawn(ops, seed + 20, 4), drawn(ops, seed + 30, 3, 5)
        X, W, B, Y = values(x, ops), values(w, ops), values(b[None], ops)[0], values(y, ops)
        dots = [[sum(p * q for p, q in zip(row, other, strict=True)) for other in W] for row in X]
        vx, vw, vy = Box(x), Box(w), Box(y)
        assert ops.linear(vx, w, b).middle.tolist() == [[stored(dots[i][j] + B[j], ops) for j in range(4)] for i in range(3)]
        assert ops.linear(vx, w).middle.tolist() == ops.logits(vx, vw).middle.tolist() == [[stored(v, ops) for v in row] for row in dots]
        assert ops.mix(vx, Box(w.T)).middle.tolist() == [[stored(v, ops) for v in row] for row in dots]
        assert ops.add(vx, vy).middle.tolist() == [[stored(X[i][j] + Y[i][j], ops) for j in range(5)] for i in range(3)]
        assert ops.product(vx, vy).middle.tolist() == [[stored(X[i][j] * Y[i][j], ops) for j in range(5)] for i in range(3)]
        assert ops.relu(vx).middle.tolist() == [[max(int(v), 0) for v in row] for row in x]


@pytest.mark.parametrize("ops", GRIDS, ids=lambda ops: ops.name)
def test_softmax_of_a_grid_follows_its_definition(ops: Grid) -> None:
    one = ops.scale
    for seed in range(4):
        a = np.minimum(np.maximum(drawn(ops, seed, 4, 6), -2 * one), 2 * one)
        visible = np.tril(np.ones((4, 6), dtype=bool), 2)
        result = ops.attention(Box(a), visible, "softmax").middle.tolist()
        for i in range(4):
            kept_logits = [int(v) for v, keep in zip(a[i], visible[i], strict=True) if keep]
            assert result[i] == defined_softmax(kept_logits, ops) + [0] * (6 - len(kept_logits))


def defined_softmax(a: list[int], ops: Grid) -> list[int]:
    with mpmath.workprec(600):
        real = [mpmath.exp(mpmath.mpf(v - max(a)) / ops.scale) for v in a]
        if isinstance(ops, Fixed):
            e = [int(mpmath.floor(v * ops.scale)) for v in real]
            return [v * ops.scale // sum(e) for v in e]
        if len(set(a)) == 1:
            return [round(Fraction(ops.scale, len(a)))] * len(a)
        return [int(mpmath.nint(v / sum(real) * ops.scale)) for v in real]


def test_one_row_of_floored_softmax_by_hand() -> None:
    # f = 3, logits 0 and -1: e = 8 and floor(2.94) = 2, Z = 10, w = floor(64 / 10) = 6 and floor(16 / 10) = 1
    ops = Fixed(8, 3)
    w = ops.attention(Box(np.array([[0, -8]])), None, "softmax")
    assert w.middle.tolist() == [[6, 1]]
    # values 1 and -1: 6 * 8 - 1 * 8 = 40 sixty-fourths, stored as 5 eighths; values -1/8 and 0: -6 sixty-fourths go down to -1 eighth
    assert ops.mix(w, Box(np.array([[8, -1], [-8, 0]]))).middle.tolist() == [[5, -1]]


def test_hard_attention_reads_the_first_largest_visible_key() -> None:
    for ops in (Fixed(8, 3), Nearest(7), Fixed(200, 100)):
        a = np.array([[1, 5, 5, 9]], dtype=np.int64 if ops.bits < 63 else object)
        visible = np.array([[True, True, True, False]])
        assert ops.attention(Box(a), visible, "hard").middle.tolist() == [[0, ops.scale, 0, 0]]
        assert ops.attention(Box(a), None, "hard").middle.tolist() == [[0, 0, 0, ops.scale]]
        assert ops.attention(Box(a * 0), ~visible, "hard").middle.tolist() == [[0, 0, 0, ops.scale]]


def test_a_weight_of_one_is_exact_where_the_format_ends_just_below_it() -> None:
    ops = Fixed(9, 8)
    for kind in ("softmax", "hard", "uniform"):
        w = ops.attention(Box(np.array([[7]])), None, kind)
        assert ops.mix(w, Box(np.array([[-256, 255, 3]]))).middle.tolist() == [[-256, 255, 3]]


def test_uniform_attention_is_one_over_the_number_of_keys_rounded_as_the_format_rounds() -> None:
    visible = np.array([[True, True, True, False, False, False], [True] * 6])
    assert Fixed(8, 3).attention(Box(np.zeros((2, 6), dtype=np.int64)), visible, "uniform").middle.tolist() == [
        [2, 2, 2, 0, 0, 0],
        [1] * 6,
    ]
    assert Nearest(7).attention(Box(np.zeros((2, 6), dtype=np.int64)), visible, "uniform").middle.tolist() == [
        [3, 3, 3, 0, 0, 0],
        [1] * 6,
    ]


@pytest.mark.parametrize("kind", [Fixed, Nearest])
def test_python_integers_and_int64_give_the_same_numbers(kind: type) -> None:
    # without overflow the width of the format does not matter: 61 bits are int64, 121 bits become Python integers where they must
    rng = np.random.default_rng(3)
    x, w = rng.integers(-(2**34), 2**34, (6, 5)), rng.integers(-(2**34), 2**34, (4, 5))
    small, wide = (Fixed(61, 30), Fixed(161, 30)) if kind is Fixed else (Nearest(61), Nearest(61))
    wide.bits, wide.low, wide.high = 161, -(2**160), 2**160 - 1
    for one, other in ((x, w), (x.astype(object), w.astype(object))):
        a, b = wide.logits(Box(one), Box(other)), small.logits(Box(x), Box(w))
        assert a.middle.tolist() == b.middle.tolist()
        weights = wide.attention(Box(a.middle.astype(object)), None, "softmax")
        assert weights.middle.tolist() == small.attention(b, None, "softmax").middle.tolist()


def test_an_embedding_is_the_exact_sum_of_its_terms_stored_once() -> None:
    ops = Fixed(12, 3)
    rows = np.array([[1, 0], [2, 0], [3, 7]])
    table = np.array([[3, -5], [1, 1], [7, 2]])  # 3 fractional bits
    directions = np.array([[5, 8], [-3, 16]])
    gate = np.array([8, 0, 3])
    square = Term((np.array([0, 2]),), np.array([[3, 9], [5, 25]]), False, directions, None)
    result = ops.embed(rows, [square, Term(slice(None), table, True, directions, gate)])
    for t in range(3):
        for j in range(2):
            exact = Fraction(int(rows[t, j]), 8)
            exact += sum(Fraction(int(table[t, k]) * int(directions[k, j]) * int(gate[t]), 512) for k in range(2))
            if t in (0, 2):
                exact += sum(Fraction(int(square.vectors[0 if t == 0 else 1, k]) * int(directions[k, j]), 8) for k in range(2))
            assert result.middle[t, j] == stored(exact, ops)


def test_a_weight_off_the_grid_or_out_of_range_is_refused_by_name() -> None:
    ops = Fixed(8, 3)  # -16 .. 15.875 in eighths
    assert ops.parameter(np.array([-16.0, 15.875, 0.125, -0.0]), "w").tolist() == [-128, 127, 1, 0]
    for wrong in (0.1, 16.0, -16.125, 1e308, 2.0**-40):
        with pytest.raises(Refused, match=f"^weights: layers.0.w holds {wrong!r}, which is not a number of fixed:8,3$".replace("+", r"\+")):
            ops.parameter(np.array([[1.0, wrong]]), "layers.0.w")
    assert Fixed(1024, 0).parameter(np.array([2.0**1000]), "w").tolist() == [2**1000]


def test_a_weight_of_nearest_is_one_of_its_numbers_too() -> None:
    ops = Nearest(7)  # F = 3: -7.875 .. 7.875 in eighths
    assert ops.parameter(np.array([-7.875, 7.875, 0.125]), "w").tolist() == [-63, 63, 1]
    for wrong in (1 / 3, 0.0625, 8.0, -8.0, -1e308):
        with pytest.raises(Refused, match=r"which is not a number of nearest:7$"):
            ops.parameter(np.array([wrong]), "w")
    with pytest.raises(Refused, match=r"not a number of nearest:1023$"):
        Nearest(1023).parameter(np.array([-(2.0**511)]), "w")  # the least number is one unit above it


def test_integers_are_numbers_of_the_format_or_refused() -> None:
    assert Fixed(8, 3).integers(np.array([-16, 15, 0])).middle.tolist() == [-128, 120, 0]
    for ops in (Fixed(8, 3), Nearest(7)):
        with pytest.raises(Refused, match=r"^an input holds the integer 16, which is not a number of "):
            ops.integers(np.array([0, 16]))


def test_several_inputs_at_once_give_what_each_gives_alone() -> None:
    rng = np.random.default_rng(5)
    for ops in (Fixed(9, 3), Nearest(9), Fixed(80, 40)):
        q, k, v = (Box(rng.integers(-20, 20, (3, 4, 2))) for _ in range(3))
        visible = np.tri(4, dtype=bool)
        w = ops.attention(ops.logits(q, k), visible, "softmax")
        together = ops.mix(w, v).middle
        for b in range(3):
            alone = ops.mix(ops.attention(ops.logits(q[b], k[b]), visible, "softmax"), v[b]).middle
            assert (together[b] == alone).all()


def test_strict_refuses_what_would_saturate() -> None:
    ops = Nearest(7, strict=True)
    assert ops.add(Box(np.array([60])), Box(np.array([3]))).middle.tolist() == [63]
    with pytest.raises(Refused, match=r"^a number of magnitude 8.0 overflows nearest:7,strict$"):
        ops.add(Box(np.array([60])), Box(np.array([4])))


def test_formats_are_found_by_name() -> None:
    fixed, nearest, small = numbers("fixed:12,8"), numbers("nearest:49"), numbers("float:4,3")
    assert isinstance(fixed, Fixed)
    assert (fixed.bits, fixed.scale, fixed.low, fixed.high, fixed.exact) == (12, 256, -2048, 2047, True)
    assert isinstance(nearest, Nearest)
    assert (nearest.bits, nearest.scale, nearest.high, nearest.low) == (49, 2**24, 2**48 - 1, -(2**48) + 1)
    assert isinstance(small, SmallFloat)
    strict = numbers("nearest:49,strict")
    assert isinstance(strict, Nearest)
    assert strict.strict
    assert isinstance(numbers("float64"), Float)


@pytest.mark.parametrize(
    "name",
    ["", "fixed", "fixed:8", "fixed:8,8", "fixed:1,0", "fixed:1025,3", "fixed:8,-1", "fixed:8,3,1", "fixed:8,strict", "fixed: 8,3",
     "Fixed:8,3",
     "nearest:8", "nearest:1", "nearest:7,3", "nearest:1025", "float:1,3", "float:12,3", "float:4,0", "float:4,53", "float:4", "float8",
     "fixed:8,3\n", "fixed:٨,3", "fixed:99999999999999999999,3"],
)  # fmt: skip
def test_a_malformed_name_is_refused(name: str) -> None:
    with pytest.raises(Refused, match=r"^the checker does not know the arithmetic "):
        numbers(name)


@pytest.mark.parametrize(("name", "instead"), [("bfloat16", "float:8,7"), ("float16", "float:5,10")])
def test_half_floats_of_the_machine_are_refused_and_what_takes_their_place_is_named(name: str, instead: str) -> None:
    with pytest.raises(Refused, match=f"^{name} is accumulated differently on different machines: expected {instead},"):
        numbers(name)
    assert numbers(instead).bits == 16


def test_an_unknown_attention_is_refused() -> None:
    for ops in (Fixed(8, 3), Nearest(7), Float("float64")):
        with pytest.raises(Refused, match=r"^unknown scores 'sigmoid'"):
            ops.attention(Box(np.zeros((1, 1), dtype=np.int64)), None, "sigmoid")

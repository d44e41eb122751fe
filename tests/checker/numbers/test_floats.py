"""Running error bounds: whatever program of the format computes an operator, it lies within the bound of the real number."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import mpmath
import numpy as np
import pytest

from separatrix.checker.numbers.boxes import Box
from separatrix.checker.numbers.floats import FLOATS, Float
from separatrix.checker.numbers.formats import Term
from separatrix.checker.seal import Refused

NAMES = list(FLOATS)
Matrix = np.ndarray


def in_order(x: Matrix, y: Matrix, order: list[int], dtype: type) -> Matrix:
    """x y in a format, terms added in an order, each product rounded."""
    total = np.zeros((x.shape[0], y.shape[1]), dtype=dtype)
    for i in order:
        total = (total + (x[:, i : i + 1].astype(dtype) * y[i : i + 1].astype(dtype)).astype(dtype)).astype(dtype)
    return total


def exact(x: Matrix, y: Matrix) -> list[list[Fraction]]:
    return [
        [sum((Fraction(float(a)) * Fraction(float(b)) for a, b in zip(row, column, strict=True)), Fraction(0)) for column in y.T]
        for row in x
    ]


def near(value: Matrix, radius: Matrix) -> Box:
    """All that lies within the radius."""
    return Box(value - radius, value + radius)


def holds(box: Box, real: list[list[Fraction]], computed: Matrix) -> float:
    """That real numbers and the program lie in the box; the largest share of its radius that the program used."""
    used = 0.0
    for i, j in product(range(len(real)), range(len(real[0]))):
        low, high = Fraction(float(box.low[i, j])), Fraction(float(box.high[i, j]))
        theirs = Fraction(float(computed[i, j]))
        assert low <= real[i][j] <= high
        assert low <= theirs <= high
        used = max(used, float(abs(theirs - real[i][j]) / (high - low) * 2)) if high > low else used
    return used


def drawn(rng: np.random.Generator, dtype: type, *shape: int) -> Matrix:
    return (rng.normal(0, 1, shape) * 10.0 ** rng.integers(-2, 3, shape)).astype(dtype).astype(np.float64)


@pytest.mark.parametrize("name", NAMES)
def test_a_linear_form_is_bounded_in_every_order(name: str) -> None:
    ops, rng, used = Float(name), np.random.default_rng(1), 0.0
    for _ in range(20):
        x, w = drawn(rng, ops.dtype, 3, 6), drawn(rng, ops.dtype, 4, 6)
        output = ops.linear(Box(x), w)
        for _ in range(5):
            used = max(used, holds(output, exact(x, w.T), in_order(x, w.T, rng.permutation(6).tolist(), ops.dtype)))
    assert used > 0.025


@pytest.mark.parametrize("name", NAMES)
def test_errors_of_what_enters_are_carried_on(name: str) -> None:
    """Real numbers and programs anywhere within the errors of the inputs lie within the error of the output."""
    ops, rng = Float(name), np.random.default_rng(2)
    for _ in range(60):
        x, w, b = drawn(rng, ops.dtype, 2, 4), drawn(rng, ops.dtype, 3, 4), drawn(rng, ops.dtype, 3)
        e = np.abs(drawn(rng, ops.dtype, 2, 4)) * 1e-3
        output = ops.linear(near(x, e), w, b)
        real, theirs = x + rng.choice([-0.999, 1], x.shape) * e, (x + rng.choice([-1, 0.999], x.shape) * e).astype(ops.dtype)
        truth = [[v + Fraction(float(b[j])) for j, v in enumerate(row)] for row in exact(real, w.T)]
        computed = (in_order(theirs, w.T, [3, 1, 0, 2], ops.dtype) + b.astype(ops.dtype)).astype(np.float64)
        holds(output.looser(np.abs(w).sum() * 2.0**-ops.digits * np.abs(theirs).max()), truth, computed)  # `theirs` was rounded
        k = drawn(rng, ops.dtype, 5, 4)
        a = ops.logits(near(x, e), near(k, np.full((5, 4), 1.001e-4)))
        assert all(Fraction(float(a.low[i, j])) <= v <= Fraction(float(a.high[i, j])) for i, row in
                   enumerate(exact(real, (k + 1e-4).T)) for j, v in enumerate(row))  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_integers_that_fit_the_digits_have_no_error_at_all(name: str) -> None:
    ops = Float(name)
    limit = 1 << (ops.digits // 2 - 2)
    x = np.array([[limit, -3.0, 2.0]])
    assert ops.linear(Box(x), np.array([[limit, 1.0, 0.5]])).point
    assert ops.logits(Box(x), Box(np.array([[limit, 1.0, 0.25]]))).point
    assert ops.add(Box(x), Box(x)).point
    assert ops.product(Box(x), Box(x)).point
    assert not ops.linear(Box(x * 8), np.array([[limit * 8, 1.0, 0.5]])).point  # one digit too many
    assert not ops.linear(Box(x), np.array([[0.1, 1.0, 0.5]])).point


def test_a_bias_between_the_grid_of_the_products_is_seen() -> None:
    ops = Float("float32")
    x, w = Box(np.array([[2.0**20]])), np.array([[1.0]])
    assert ops.linear(x, w, np.array([1.0])).point
    assert not ops.linear(x, w, np.array([2.0**-10])).point


@pytest.mark.parametrize("name", NAMES)
def test_softmax_is_bounded_for_every_program(name: str) -> None:
    ops, rng, used = Float(name), np.random.default_rng(3), 0.0
    for _ in range(40):
        a = (rng.normal(0, 4, (3, 7)) * rng.choice([1.0, 10.0])).astype(ops.dtype)
        visible = np.tri(3, 7, 4, dtype=bool)
        result = ops.attention(Box(a.astype(np.float64)), visible, "softmax")
        for i in range(3):
            logits, keys = a[i, visible[i]], np.flatnonzero(visible[i])
            with mpmath.workprec(200):
                real = [mpmath.exp(mpmath.mpf(float(v))) for v in logits]
                truth = [Fraction(str(mpmath.nstr(r / sum(real), 60))) for r in real]
            e = np.exp((logits - logits.max()).astype(ops.dtype)).astype(ops.dtype)
            total = ops.dtype(0)
            for v in rng.permutation(e):
                total = ops.dtype(total + v)
            theirs = (e / total).astype(ops.dtype)
            used = max(used, holds(result[i : i + 1, keys], [truth], theirs[None].astype(np.float64)))
            assert not result.reach[i, ~visible[i]].any()
    assert used > 0.005


def test_softmax_is_bounded_where_logits_are_off() -> None:
    ops, rng = Float("float64"), np.random.default_rng(4)
    for _ in range(200):
        a, e = rng.normal(0, 3, (1, 5)), np.abs(rng.normal(0, 0.3, (1, 5)))
        result = ops.attention(near(a, e), None, "softmax")
        moved = a + rng.choice([-1.0, 1.0], (1, 5)) * e
        w = np.exp(moved - moved.max())
        w /= w.sum()
        assert ((result.low <= w) & (w <= result.high)).all()


def test_a_doubtful_maximum_leaves_hard_attention_open() -> None:
    ops = Float("float64")
    a = np.array([[1.0, 3.0, 3.0 - 1e-9, 0.0]])
    sure = ops.attention(near(a, np.full(a.shape, 1e-11)), None, "hard")
    assert sure.middle.tolist() == [[0, 1, 0, 0]]
    assert sure.point
    doubtful = ops.attention(near(a, np.full(a.shape, 1e-9)), None, "hard")
    assert (doubtful.low.tolist(), doubtful.high.tolist()) == ([[0, 0, 0, 0]], [[0, 1, 1, 0]])
    tie = ops.attention(Box(np.array([[3.0, 3.0]])), None, "hard")  # exact: the first
    assert (tie.low.tolist(), tie.point) == ([[1, 0]], True)


def test_uniform_attention_is_exact_for_powers_of_two() -> None:
    ops = Float("float32")
    assert ops.attention(Box(np.zeros((1, 8))), None, "uniform").point
    third = ops.attention(Box(np.zeros((1, 3))), None, "uniform")
    assert third.low[0, 0] <= np.float64(np.float32(1) / np.float32(3)) <= third.high[0, 0]


def test_below_zero_for_everyone_relu_is_zero() -> None:
    result = Float("float64").relu(near(np.array([-1.0, -1e-9, 0.5]), np.array([0.5, 2e-9, 1e-9])))
    assert (result.low.tolist(), result.high.tolist()) == ([0.0, 0.0, 0.5 - 1e-9], [0.0, 1e-9, 0.5 + 1e-9])
    assert Float("float64").relu(Box(np.array([-1.0]))).point


def unknown(box: Box) -> bool:
    """Whether nothing is known of any number."""
    return bool((box.low == -np.inf).all() and (box.high == np.inf).all())


@pytest.mark.parametrize("name", NAMES)
def test_what_may_overflow_for_some_program_has_no_bound(name: str) -> None:
    ops = Float(name)
    large = np.array([[float(np.finfo(ops.dtype).max) / 2]])
    with np.errstate(all="ignore"):
        assert unknown(ops.linear(Box(np.array([[4.0]])), large))
        assert unknown(ops.add(Box(large), Box(1.5 * large)))
        assert unknown(ops.linear(ops.linear(Box(np.array([[4.0]])), large), np.array([[0.5]])))


def test_a_weight_is_a_number_of_its_format() -> None:
    assert Float("float64").parameter(np.array([0.1]), "w").tolist() == [0.1]
    assert Float("float32").parameter(np.array([0.1], dtype=np.float32), "w")[0] == float(np.float32(0.1))
    for wrong in (0.1, 1e39, 70000.0000001):
        with pytest.raises(Refused, match=r"^weights: w holds .*, which is not a number of float32$"):
            Float("float32").parameter(np.array([1.0, wrong]), "w")


@pytest.mark.parametrize("name", NAMES)
def test_an_embedding_is_bounded_and_exact_where_its_terms_are(name: str) -> None:
    ops, rng = Float(name), np.random.default_rng(6)
    rows, vectors, gate = drawn(rng, ops.dtype, 4, 3), rng.integers(-5, 6, (4, 2)), drawn(rng, ops.dtype, 4)
    along = drawn(rng, ops.dtype, 2, 3)
    result = ops.embed(rows, [Term(slice(None), vectors, False, along, gate)])
    added = exact(vectors, along)
    truth = [[Fraction(float(rows[t, j])) + Fraction(float(gate[t])) * added[t][j] for j in range(3)] for t in range(4)]
    y = in_order(vectors.astype(ops.dtype), along, [1, 0], ops.dtype)
    computed = (rows.astype(ops.dtype) + (gate.astype(ops.dtype)[:, None] * y).astype(ops.dtype)).astype(np.float64)
    holds(result, truth, computed)
    whole = ops.embed(np.ones((4, 3)), [Term(slice(None), vectors, False, np.ones((2, 3)), np.ones(4))])
    assert whole.point
    squares = np.array([[5000, 25_000_001]] * 4)  # beyond the 24 digits of float32
    assert (ops.embed(rows * 0, [Term(slice(None), squares, False, np.ones((2, 3)), None)]).point) == (name == "float64")


def test_several_inputs_at_once_give_what_each_gives_alone() -> None:
    ops, rng = Float("float32"), np.random.default_rng(7)
    q, k, v = (Box(drawn(rng, np.float32, 3, 4, 2)) for _ in range(3))
    visible = np.tri(4, dtype=bool)
    for kind in ("softmax", "hard", "uniform"):
        together = ops.mix(ops.attention(ops.logits(q, k), visible, kind), v)
        for b in range(3):
            alone = ops.mix(ops.attention(ops.logits(q[b], k[b]), visible, kind), v[b])
            assert np.allclose(together.middle[b], alone.middle, rtol=1e-13, atol=0)
            assert np.allclose(together.radius[b], alone.radius, rtol=1e-6, atol=0)


OPERATORS: dict[str, Callable[[Float, Box], Box]] = {
    "linear": lambda ops, x: ops.linear(x, np.array([[0.1, 0.7], [3.0, -0.2]])),
    "softmax": lambda ops, x: ops.attention(x, None, "softmax"),
    "product": lambda ops, x: ops.product(x, x),
    "add": lambda ops, x: ops.add(x, x),
}


@pytest.mark.parametrize("what", OPERATORS)
def test_the_error_of_float32_is_larger_and_the_value_the_same(what: str) -> None:
    x = np.array([[0.3, -1.7], [2.0, 0.4]]).astype(np.float32).astype(np.float64)
    coarse, fine = (OPERATORS[what](Float(name), near(x, np.full(x.shape, 1e-30))) for name in ("float32", "float64"))
    assert np.allclose(coarse.middle, fine.middle, rtol=1e-6, atol=0)
    assert (coarse.radius > 1e6 * fine.radius).all()
    assert math.isfinite(coarse.radius.max())


def test_a_softmax_with_one_large_logit_is_known_to_a_few_units_however_many_keys_there_are() -> None:
    """The others are added up without the largest: subtracting it from the whole would leave the rounding of the whole sum behind."""
    ops = Float("float64")
    for n in (10, 1000):
        a = np.full((1, n), -60.0)
        a[0, 3] = 0.0
        w = ops.attention(Box(a), None, "softmax")
        assert w.radius[0, 3] <= 80 * 2.0**-53
        assert w.low[0, 3] <= 1 / (1 + (n - 1) * math.exp(-60)) <= w.high[0, 3]


def test_adding_what_is_zero_for_every_program_loses_nothing() -> None:
    ops = Float("float64")
    off = near(np.array([[3.1, 5.0]]), np.array([[0.25, 0.0]]))
    total = ops.add(off, Box(np.array([[0.0, 0.1]])))
    assert (total.low[0, 0], total.high[0, 0]) == (off.low[0, 0], off.high[0, 0])
    assert total.low[0, 1] < 5.1 < total.high[0, 1]


def test_a_product_with_one_or_with_zero_rounds_nothing() -> None:
    ops = Float("float32")
    x = near(np.array([0.1, 0.1, 0.1, 0.1, np.inf]), np.array([0.25, 0.25, 0.25, 0.25, 0.0]))
    y = near(np.array([1.0, -1.0, 0.0, 1.0, 0.0]), np.array([0.0, 0.0, 0.0, 1e-9, 0.0]))
    for one, other in ((x, y), (y, x)):
        with np.errstate(invalid="ignore"):
            z = ops.product(one, other)
        assert z.low[:3].tolist() == [x.low[0], -x.high[1], 0.0]
        assert z.high[:3].tolist() == [x.high[0], -x.low[1], 0.0]
        assert float(z[3:4].radius[0]) > 0.25  # almost 1 is not 1
        assert unknown(z[4:])  # 0 times infinity


def test_one_of_two_ends_that_differs_along_an_axis_is_seen() -> None:
    same, low = np.full((2, 2), 2.0), np.array([[0.0, 0.0], [1.0, 0.0]])
    for box in (Box(low, same), Box(same - 9, low)):
        assert box.without_axis([2], 0) is None
    assert Box(low[:1].repeat(2, axis=0), same).without_axis([2], 0) is not None


def test_a_weight_beside_which_all_others_vanish_loses_nothing_to_their_number() -> None:
    ops, logits = Float("float32"), np.full((1, 1 << 14), -1000.0)
    logits[0, 7] = 0.0
    assert ops.attention(Box(logits), None, "softmax").low[0, 7] > 1 - 100 * ops.u

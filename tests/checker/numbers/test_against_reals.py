"""Every operation in floats, at more than a million operands, against real numbers and against programs of the format.

Operands are drawn from the whole range of the format: zeros of both signs, subnormal numbers, powers of two and their neighbours, the
largest numbers. Each comes as a box, a real number in it, and what some program has for that. The box of the result must contain the real
result, and what the program computes. An infinite end says nothing, so it is counted: an operation that always widens to it would pass
for nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

from separatrix.checker.numbers import gates, smooth
from separatrix.checker.numbers.boxes import Box
from separatrix.checker.numbers.floats import Float

Array = npt.NDArray[Any]
Real = np.longdouble
LOST = 2.0**-58  # of the reference itself, in relation to its largest intermediate result
ROWS = 20_000
pytestmark = pytest.mark.skipif(np.finfo(Real).nmant < 63, reason="the reference needs 64 digits")


class Operand(NamedTuple):
    """A box, the real number in it, and a program's."""

    checked: Box
    real: Array
    program: Array


def drawn(rng: np.random.Generator, ops: Float, shape: tuple[int, ...], widest: float = 1.0) -> Array:
    """Numbers of the format, extremes among them; `widest` is the share of the exponents that is used."""
    info = np.finfo(ops.dtype)
    exponents = rng.integers(int(widest * (info.minexp - info.nmant)), max(2, int(widest * (info.maxexp - 1))), shape)
    with np.errstate(all="ignore"):
        x = np.ldexp(rng.uniform(1, 2, shape), exponents).astype(ops.dtype)
        power = np.ldexp(np.ones(shape), exponents).astype(ops.dtype)
        kinds = [
            x, power, np.nextafter(power, ops.dtype(np.inf)), np.nextafter(power, ops.dtype(0)), np.zeros(shape, ops.dtype),
            rng.normal(size=shape).astype(ops.dtype), rng.integers(-8, 9, shape).astype(ops.dtype),
        ]  # fmt: skip
        if widest == 1.0:
            kinds += [np.full(shape, limit, ops.dtype) for limit in (info.max, info.max / 2, info.tiny, info.smallest_subnormal)]
        chosen = np.select([rng.integers(0, len(kinds), shape) == i for i in range(len(kinds))], kinds, default=x)
    finite = np.where(np.isfinite(chosen), chosen, ops.dtype(1))
    return np.where(rng.integers(0, 2, shape) == 1, finite, -finite)


def operand(rng: np.random.Generator, ops: Float, shape: tuple[int, ...], widest: float = 1.0, exact: bool = False) -> Operand:
    """A box; where it is not a point the real number is somewhere in it, and the program's at another place."""
    x = drawn(rng, ops, shape, widest)
    if exact:
        return Operand(Box(x.astype(np.float64)), x.astype(Real), x)
    with np.errstate(all="ignore"):
        error = np.abs(x.astype(np.float64)) * rng.choice([0.0, 2.0**-20, 2.0**-45, 2.0**-3], shape)
        real = x.astype(Real) + error.astype(Real) * rng.uniform(-0.49, 0.49, shape)
        program = (x.astype(np.float64) + error * rng.uniform(-0.49, 0.49, shape)).astype(ops.dtype)
    program = np.where(np.isfinite(program) & (np.abs(program.astype(Real) - real) <= error), program, x)
    held = np.abs(program.astype(Real) - real) <= error
    centre, radius = x.astype(np.float64), np.where(held, error, 0.0)
    with np.errstate(all="ignore"):
        return Operand(Box(centre - radius, centre + radius), np.where(held, real, x), np.where(held, program, x))


class Case(NamedTuple):
    """An operation: what is checked, the real function of reals, a program of it; operands with how many columns, and their exponents."""

    checked: Callable[..., Box]
    real: Callable[..., tuple[Array, Array]]  # the result and the largest magnitude on the way
    program: Callable[..., Array]
    columns: tuple[int, ...]
    widest: float = 1.0
    finite: float = 0.3  # at least this share of the bounds is finite
    vanishes: bool = False  # what lies below half of the least number is taken to be 0


def simple(f: Callable[..., Array]) -> Callable[..., tuple[Array, Array]]:
    """A real function whose result is its largest magnitude."""

    def both(*x: Array) -> tuple[Array, Array]:
        y = f(*x)
        return y, np.abs(y)

    return both


def sums(*parts: Array) -> tuple[Array, Array]:
    return sum(parts[1:], parts[0]), sum((np.abs(part) for part in parts[1:]), np.abs(parts[0]))


def dot(x: Array, y: Array) -> tuple[Array, Array]:
    return (x * y).sum(axis=-1, keepdims=True), np.abs(x * y).sum(axis=-1, keepdims=True)


def shuffled_dot(x: Array, y: Array) -> Array:
    """In the format, term by term, in some order."""
    order = np.random.default_rng(x.shape[-1]).permutation(x.shape[-1])
    total = np.zeros((*x.shape[:-1], 1), dtype=x.dtype)
    for j in order:
        total[..., 0] = total[..., 0] + x[..., j] * y[..., j]
    return total


def normed(x: Array, kind: str, eps: float) -> tuple[Array, Array]:
    c = x - x.mean(axis=-1, keepdims=True) if kind == "layer" else x
    y = c / np.sqrt((c * c).mean(axis=-1, keepdims=True) + x.dtype.type(eps))
    size = np.abs(x).max(axis=-1, keepdims=True) / np.sqrt((c * c).mean(axis=-1, keepdims=True) + x.dtype.type(eps))
    return y, np.maximum(np.abs(y), size)


def sigma(x: Array) -> Array:
    one = x.dtype.type(1)
    return np.where(x >= 0, one / (one + np.exp(-np.abs(x))), np.exp(-np.abs(x)) / (one + np.exp(-np.abs(x))))


def gelu(x: Array) -> Array:
    k = x.dtype.type
    return k(0.5) * x * (k(1) + np.tanh(np.sqrt(k(2) / k(np.pi)) * (x + k(0.044715) * x * x * x)))


def real_gelu(x: Array) -> tuple[Array, Array]:
    pi = 4 * np.arctan(Real(1))
    return x * (1 + np.tanh(np.sqrt(2 / pi) * (x + Real("0.044715") * x * x * x))) / 2, np.abs(x)


def real_sigma(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def unit(x: Array) -> Array:
    return x / np.sqrt((x * x).sum(axis=-1, keepdims=True) + x.dtype.type(1e-6))


def real_unit(x: Array) -> Array:
    return np.asarray(x / np.sqrt((x * x).sum(axis=-1, keepdims=True) + Real("1e-6")))


def softplus(x: Array) -> Array:
    return np.asarray(np.logaddexp(x.dtype.type(0), x))


def softmax(x: Array) -> Array:
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def weighted(ops: Float, x: Box, y: Box) -> Box:
    """Each row of x with its own column of y."""
    z = ops.mix(x[..., None, :], y[..., None])
    return z[..., 0]


def scaling(factor: float, exact: Any) -> Case:
    """By a constant, of which the format may have to round the exact one."""
    return Case(lambda o, x: smooth.scaled(o, x, factor), simple(lambda x: x * exact), lambda x: x * x.dtype.type(factor), (1,))


def norming(kind: str, width: int, widest: float, finite: float, weights: tuple[float, ...] = ()) -> Case:
    """By a norm with these weights, or ones."""
    eps, w = {"rms": 1e-6, "layer": 1e-5}[kind], np.array(weights or [1.0] * width)

    def real(x: Array) -> tuple[Array, Array]:
        y, size = normed(x, kind, eps)
        return y * w.astype(x.dtype), size * np.abs(w).astype(x.dtype)

    def program(x: Array) -> Array:
        return normed(x, kind, eps)[0] * w.astype(x.dtype)

    return Case(lambda o, x: smooth.normed(o, x, kind, w, None), real, program, (width,), widest, finite)


def forming(width: int, widest: float, biased: bool, finite: float) -> Case:
    """A linear form with weights of its own."""

    def weights(dtype: Any) -> tuple[Array, Array]:
        ops = Float("float32" if dtype == np.float32 else "float64")
        rng = np.random.default_rng(width)
        return drawn(rng, ops, (1, width), widest), drawn(rng, ops, (1,), widest) * biased

    def checked(ops: Float, x: Box) -> Box:
        w, b = weights(ops.dtype)
        return ops.linear(x, w.astype(np.float64), b.astype(np.float64) if biased else None)

    def real(x: Array) -> tuple[Array, Array]:
        w, b = KNOWN[width, widest, x.shape]
        y, size = dot(x, w.astype(Real))
        return y + b.astype(Real), size + np.abs(b.astype(Real))

    def program(x: Array) -> Array:
        w, b = KNOWN[width, widest, x.shape] = weights(x.dtype)
        return shuffled_dot(x, np.broadcast_to(w, x.shape)) + b

    return Case(checked, real, program, (width,), widest, finite)


KNOWN: dict[Any, Any] = {}  # the weights of a program, which the real function takes too


def first_largest(x: Array) -> Array:
    return (np.arange(x.shape[-1]) == x.argmax(axis=-1)[..., None]).astype(x.dtype)


def halved(x: Array, y: Array) -> Array:
    return x / np.abs(y)


def upright(y: Box) -> Box:
    """The magnitudes of numbers of one sign."""
    return Box(*np.sort(np.abs([y.low, y.high]), axis=0))


CASES: dict[str, Case] = {
    "add": Case(lambda o, x, y: o.add(x, y), sums, lambda x, y: x + y, (1, 1)),
    "minus": Case(smooth.minus, lambda x, y: sums(x, -y), lambda x, y: x - y, (1, 1)),
    "product": Case(lambda o, x, y: o.product(x, y), simple(lambda x, y: x * y), lambda x, y: x * y, (1, 1)),
    "quotient": Case(lambda o, x, y: smooth.quotient(o, x, upright(y)), simple(halved), halved, (1, 1), 1.0, 0.1),
    "relu": Case(lambda o, x: o.relu(x), simple(lambda x: np.maximum(x, 0)), lambda x: np.maximum(x, 0), (1,)),
    "mix": Case(weighted, dot, shuffled_dot, (7, 7), 0.4),
    "mix at the ends": Case(weighted, dot, shuffled_dot, (3, 3), 1.0, 0.05),
    "linear": forming(6, 0.4, False, 0.5),
    "linear with a bias": forming(4, 0.3, True, 0.5),
    "linear at the ends": forming(3, 1.0, True, 0.01),
    "scaled by 1/2": scaling(0.5, Real(0.5)),
    "scaled by 2^-10": scaling(2.0**-10, Real(2) ** -10),
    "scaled by 2": scaling(2.0, Real(2)),
    "scaled by 1/sqrt 7": scaling(7.0**-0.5, 1 / np.sqrt(Real(7))),
    "tanh": Case(smooth.tanh, simple(np.tanh), np.tanh, (1,)),
    "sigmoid": Case(smooth.sigmoid, simple(real_sigma), sigma, (1,), vanishes=True),
    "gelu": Case(smooth.gelu, real_gelu, gelu, (1,)),
    "silu": Case(smooth.swish, lambda x: (x * real_sigma(x), np.abs(x)), lambda x: x * sigma(x), (1,)),
    "elu + 1": Case(
        smooth.elu_plus_one, simple(lambda x: np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))),
        lambda x: np.where(x > 0, x, np.expm1(np.minimum(x, 0))) + x.dtype.type(1), (1,),
    ),
    "rms": norming("rms", 5, 0.4, 0.2),
    "rms at the ends": norming("rms", 2, 1.0, 0.02),
    "rms with weights": norming("rms", 3, 0.3, 0.2, (2.0**-80, -3.0, 2.0**60)),
    "layer": norming("layer", 5, 0.4, 0.2),
    "layer at the ends": norming("layer", 3, 1.0, 0.01),
    "exp": Case(gates.exponential, simple(np.exp), np.exp, (1,), vanishes=True),
    "softplus": Case(gates.softplus, simple(softplus), softplus, (1,), vanishes=True),
    "swish": Case(smooth.swish, simple(lambda x: x * real_sigma(x)), lambda x: x * sigma(x), (1,)),
    "unit": Case(gates.unit, simple(real_unit), unit, (4,), 0.4, 0.2),
    "unit at the ends": Case(gates.unit, simple(real_unit), unit, (2,), 1.0, 0.02),
    "softmax": Case(lambda o, x: o.attention(x, None, "softmax"), simple(softmax), softmax, (6,), 0.3, 0.3),
    "softmax at the ends": Case(lambda o, x: o.attention(x, None, "softmax"), simple(softmax), softmax, (3,), 1.0, 0.02),
    "hard": Case(lambda o, x: o.attention(x, None, "hard"), simple(first_largest), first_largest, (4,)),
}  # fmt: skip


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("arithmetic", ["float32", "float64"])
@pytest.mark.parametrize("name", CASES)
def test_a_result_is_as_close_as_it_says(name: str, arithmetic: str, exact: bool) -> None:
    case, ops, rng = CASES[name], Float(arithmetic), np.random.default_rng(len(name))
    rows = ROWS // max(case.columns)
    operands = [operand(rng, ops, (rows, width), case.widest, exact) for width in case.columns]
    with np.errstate(all="ignore"):
        result = case.checked(ops, *(one.checked for one in operands))
        program = case.program(*(one.program for one in operands))
        real, size = case.real(*(one.real for one in operands))
        assert program.dtype == ops.dtype
        least = Real(np.finfo(ops.dtype).smallest_subnormal) / 2 if case.vanishes else Real(0)
        allowed = LOST * size + least
        inside = {
            "the real number": (result.low - allowed <= real) & (real <= result.high + allowed),
            "a program": (result.low <= program) & (program <= result.high),
        }
        known = np.isfinite(result.low) & np.isfinite(result.high)
    for what, right in inside.items():
        wrong = np.flatnonzero(~(right | ~known).all(axis=-1))[:1]
        at = [[*(one.real[i].tolist() for one in operands), real[i], program[i], result.low[i], result.high[i]] for i in wrong]
        assert not at, f"{what} of {name} in {arithmetic} is outside: operands, real, program, low, high {at[0]}"
    assert known.mean() >= case.finite, f"{name} in {arithmetic} has a bound on {known.mean():.3f} of its operands"


def test_so_many_operands_are_tried() -> None:
    assert len(CASES) * 2 * 2 * ROWS > 1_000_000

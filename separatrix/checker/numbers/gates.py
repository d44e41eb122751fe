"""What gated recurrences compute beside linear maps: decays, time steps, SiLU gates, keys of norm 1, short convolutions, the delta rule.

For float64 and float32. Each bound is about the formula as it stands, token by token: a product rounds after its factors, and a
parallel or chunked form of a recurrence is another program. exp, log1p and the square root are taken to be accurate to 4 units in the
last place, exp(0) to be 1, and what lies below half of the least number to be 0; x may be taken for softplus(x) above 20, as is usual.
"""

from __future__ import annotations

import numpy as np

from separatrix.checker.numbers.between import ends_of, products, rising, sums, totals
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.rounding import gamma, grid_of, no_rounding
from separatrix.checker.numbers.smooth import rooted, sigmoid, vanishes
from separatrix.checker.numbers.values import Array, Values

LINEAR = 20.0  # from here on a program may take x for softplus(x)
LOWEST = -0.2785  # of x sigma(x)
EPSILON = 1e-6  # added to the square of a key's norm


def exponential(ops: Float, x: Values) -> Values:
    """e^x, whose slope is itself."""
    y, e = np.exp(x.value), x.errors
    most = np.exp(x.value + 2 * e)
    error = most * np.minimum(np.expm1(2 * e), 1e300) + ops.function * most + ops.tiny
    known = ((x.value == 0) & (e == 0)) | vanishes(ops, x)
    return ops.within(np.where(vanishes(ops, x), 0.0, y), most, np.where(known, 0.0, error))


def softplus(ops: Float, x: Values) -> Values:
    """log(1 + e^x); its slope is at most 1 and at most e^x."""
    y, e, top = np.logaddexp(0.0, x.value), x.errors, x.value + 2 * x.errors
    slope = np.minimum(1.0, np.exp(np.minimum(top, 0.0)) * (1 + ops.function))
    skipped = np.where(top >= LINEAR, np.exp(-np.maximum(x.value - 2 * e, LINEAR)), 0.0)
    error = slope * e + (2 * ops.function + 4 * ops.u) * (y + 2 * e) + skipped + ops.tiny
    return ops.within(np.where(vanishes(ops, x), 0.0, y), y + 2 * e, np.where(vanishes(ops, x), 0.0, error))


def swish(ops: Float, x: Values) -> Values:
    """x sigma(x) as a product: where sigma vanishes, so does what a program may be off."""
    y = ops.product(x, sigmoid(ops, x))
    y = ops.within(y.value, y.reach, y.errors + ops.tiny * x.reach)  # e^-x may overflow where x e^x does not yet underflow
    low, high = ends_of(x)
    left, right = (z / (1 + np.exp(-np.maximum(z, -700.0))) for z in (low, high))  # it falls up to -1.278.., and rises from there
    least = np.where(low > -1.27, left, np.where(high < -1.29, right, LOWEST))
    return rising(ops, np.minimum(least, right), np.maximum(left, right), y, x.reach)


def unit(ops: Float, x: Values) -> Values:
    """x / sqrt(|x|^2 + eps), of vectors along the last axis."""
    return rooted(ops, x, EPSILON, 1)


def convolved(ops: Float, window: Values, taps: Array, bias: Array | None) -> Values:
    """b + sum over j of w_j x_j, each channel by itself: the last inputs [.., K, channels], taps [channels, K] -> [.., channels]."""
    size_of, terms = np.abs(taps).T, taps.shape[1] + 2
    y, size = (window.value * taps.T).sum(axis=-2), (window.reach * size_of).sum(axis=-2)
    if bias is not None:
        y, size = y + bias, size + np.abs(bias)
    grids = [(grid_of(window.value), grid_of(taps)), *([] if bias is None else [(grid_of(bias),)])]
    if window.error is None and all(no_rounding(ops.digits, float(size.max(initial=0)), *each) for each in grids):
        return ops.within(y, size, None)
    return ops.within(y, size, (window.errors * size_of).sum(axis=-2) + gamma(terms, ops.u) * size + terms * ops.tiny)


def overwritten(ops: Float, S: Values, k: Values, v: Values, beta: Values) -> Values:
    """S + k u^T with u = beta (v - k S): S [.., m, w], k [.., m], v [.., w], beta [..].

    An error of S passes through I - beta k k^T, which may shrink it: what is overwritten is forgotten, its error included. The rest is
    what k, beta and v are off, times what they multiply, and the rounding of each operation at the largest magnitudes.
    """
    m, b, B = k.shape[-1], beta.value[..., None, None], beta.reach[..., None, None]
    K, held = k.reach[..., None], S.reach
    read = K.swapaxes(-1, -2) @ held + v.reach[..., None, :]  # no less than |v| + |k| |S| for any program
    kept = np.abs(np.eye(m) - b * k.value[..., None] * k.value[..., None, :])
    off = k.errors[..., None]
    loose = beta.errors[..., None, None] * K * K.swapaxes(-1, -2) + B * (off * K.swapaxes(-1, -2) + K * off.swapaxes(-1, -2))
    error = (kept + 2 * loose + 8 * ops.u * (1 + B * K * K.swapaxes(-1, -2))) @ S.errors  # |I - beta k k^T| for the real numbers
    error = error + off * B * read + K * beta.errors[..., None, None] * read
    error = error + K * B * (v.errors[..., None, :] + off.swapaxes(-1, -2) @ held)
    error = error + gamma(m + 8, ops.u) * K * B * read + 2 * ops.u * held + (m + 8) * ops.tiny * (1 + K) * (1 + B)
    u = b * (v.value[..., None, :] - k.value[..., None, :] @ S.value)
    value = S.value + k.value[..., None] * u
    size = np.maximum(held + K * B * read, (np.maximum(B, 1.0) * read).max(axis=-1, keepdims=True))  # v - k S is a number by itself
    return ops.kept((beta.reach == 0)[..., None, None], S, ops.within(value, size, error))  # k (0 (v - k S)) is 0 for every program


def clipped(x: Values) -> Values:
    """Cut off at -1 and 1, which moves no two numbers apart."""
    return Values(np.clip(x.value, -1.0, 1.0), x.error)


def one_a_column(scores: Values) -> Values | None:
    """1 where the score is the largest of its column, [.., target, source], else 0; None where two may be the largest."""
    low, high = ends_of(scores)  # of what a program has, which is twice as far off as the real number
    possible = high >= low.max(axis=-2, keepdims=True)
    return Values(np.where(possible, 1.0, 0.0)) if bool((possible.sum(axis=-2) == 1).all()) else None


def divided(ops: Float, x: Values, weight: Array, by: float) -> Values:
    """x times the transposed weight, over a number: a program divides the weights, or what they give."""
    scaled = weight / by
    k, size = ops.linear(x, scaled), x.reach @ np.abs(weight).T  # what is divided has to have room by itself
    return ops.within(k.value, size, k.errors + 4 * ops.u * size / by + ops.tiny * x.reach.sum(axis=-1, keepdims=True))


def fades(ops: Float, heads: int) -> Values:
    """1 - 2^-(5 + h) of every head h, which may have more digits than the format: [heads, 1, 1]."""
    fade = Values((1 - 2.0 ** -(5.0 + np.arange(heads)))[:, None, None])
    return fade if ops.digits >= heads + 4 else fade.looser(ops.u)


def through_state(ops: Float, q: Values, k: Values, v: Values, read: Values) -> Values:
    """sum_j (phi(q) phi(k_j)) v_j as a program has it that holds the state sum_j phi(k_j) v_j: that may overflow or underflow by itself."""
    n = k.shape[-2]
    state = np.swapaxes(k.reach, -1, -2) @ v.reach  # of every token, and so of every prefix
    room = np.maximum(state.max(axis=(-2, -1), keepdims=True), q.reach @ state)
    return ops.within(read.value, room, read.errors + n * ops.tiny * q.reach.sum(axis=-1, keepdims=True))


def added_up(ops: Float, S: Values, size: Values, k: Values, v: Values) -> tuple[Values, Values]:
    """S + k v^T, and the sum of the magnitudes of all terms so far."""
    largest = Values((size.reach + k.reach[..., None] * v.reach[..., None, :]) * (1 + 8 * 2.0**-53))
    k, v = k[..., None], v[..., None, :]
    term = products(ops, k, v, ops.product(k, v))
    return totals(ops, S, term, ops.add(S, term)), largest


def read_sums(ops: Float, q: Values, S: Values, size: Values, tokens: Values) -> Values:
    """q S for sums S [.., m, w] of so many tokens, in whatever order a program adds them up, before or after it multiplies by q."""
    read, m = ops.mix(q[..., None, :], S)[..., 0, :], q.shape[-1]
    most, all_ = (tokens.reach + (m + 8)) * ops.u, (q.reach[..., None, :] @ size.reach)[..., 0, :]
    lost = np.where(most < 0.25, 4 * most, np.inf) * all_ + (tokens.reach + m) * ops.tiny * (1 + q.reach.sum(axis=-1, keepdims=True))
    room = np.maximum(all_, size.reach.max(axis=(-2, -1))[..., None])
    return sums(ops, q, S, ops.within(read.value, room, read.errors + lost), lost)

"""What gated recurrences compute beside linear maps: decays, time steps, SiLU gates, keys of norm 1, short convolutions, the delta rule.

For float64 and float32. Each bound is about the formula as it stands, token by token: a product rounds after its factors, and a
parallel or chunked form of a recurrence is another program. exp, log1p and the square root are taken to be accurate to 4 units in the
last place, exp(0) to be 1, and what lies below half of the least number to be 0; x may be taken for softplus(x) above 20, as is usual.
"""

from __future__ import annotations

import numpy as np

from separatrix.checker.numbers.boxes import Array, Box
from separatrix.checker.numbers.floats import Float
from separatrix.checker.numbers.rounding import TINY64, gamma, grid_of, no_rounding
from separatrix.checker.numbers.smooth import rooted, vanishes

LINEAR = 20.0  # from here on a program may take x for softplus(x)
EPSILON = 1e-6  # added to the square of a key's norm


def exponential(ops: Float, x: Box) -> Box:
    """e^x, which is not below 0 for any program, and 1 at 0."""
    y = ops.rising(x, np.exp, lambda y: 2 * (ops.function * y + ops.tiny))
    sure, one = vanishes(ops, x), (x.low == 0) & (x.high == 0)
    return _settled(y, np.where(one, 1.0, 0.0), sure | one)


def softplus(ops: Float, x: Box) -> Box:
    """log(1 + e^x), which is not below 0 for any program."""
    skipped = np.where(x.high >= LINEAR, np.exp(-np.maximum(x.low, LINEAR)), 0.0)
    y = ops.rising(x, lambda z: np.logaddexp(0.0, z), lambda y: 2 * ((2 * ops.function + 4 * ops.u) * y + skipped + ops.tiny))
    return _settled(y, np.zeros(()), vanishes(ops, x))


def _settled(y: Box, value: Array, sure: Array) -> Box:
    """A number that is not below 0, and is this value where that is sure."""
    low = np.where(y.low > -np.inf, np.maximum(y.low, 0.0), y.low)
    return Box(np.where(sure, value, low), np.where(sure, value, y.high))


def unit(ops: Float, x: Box) -> Box:
    """x / sqrt(|x|^2 + eps), of vectors along the last axis."""
    return rooted(ops, x, EPSILON, 1, np.zeros(()))


def convolved(ops: Float, window: Box, taps: Array, bias: Array | None) -> Box:
    """b + sum over j of w_j x_j, each channel by itself: the last inputs [.., K, channels], taps [channels, K] -> [.., channels]."""
    size_of, terms = np.abs(taps).T, taps.shape[1] + 2
    y, size = (window.middle * taps.T).sum(axis=-2), (window.reach * size_of).sum(axis=-2)
    if bias is not None:
        y, size = y + bias, size + np.abs(bias)
    grids = [(grid_of(window.low), grid_of(taps)), *([] if bias is None else [(grid_of(bias),)])]
    if window.low is window.high and all(no_rounding(ops.digits, float(size.max(initial=0)), *each) for each in grids):
        return ops.within(y, size, None)
    return ops.within(y, size, (window.radius * size_of).sum(axis=-2) + 2 * (gamma(terms, ops.u) * size + terms * ops.tiny))


def overwritten(ops: Float, S: Box, k: Box, v: Box, beta: Box) -> Box:
    """S + k u^T with u = beta (v - k S): S [.., m, w], k [.., m], v [.., w], beta [..].

    What S is off passes through I - beta k k^T, which may shrink it: what is overwritten is forgotten, its error included. The rest is
    what k, beta and v are off, times what they multiply, and the rounding of each operation at the largest magnitudes.
    """
    m, b, B = k.shape[-1], beta.middle[..., None, None], beta.reach[..., None, None]
    K, held, c = k.reach[..., None], S.reach, k.middle[..., None]
    KT, off, beta_off = K.swapaxes(-1, -2), k.radius[..., None], beta.radius[..., None, None]
    read = KT @ held + v.reach[..., None, :]  # no less than |v| + |k| |S| for any program
    kept = np.abs(np.eye(m) - b * c * c.swapaxes(-1, -2))
    loose = beta_off * K * KT + B * (off * KT + K * off.swapaxes(-1, -2))
    far = (kept + loose + 8 * ops.u * (1 + B * K * KT)) @ S.radius  # no less than |I - beta k k^T| for any program
    far = far + off * B * read + K * beta_off * read + K * B * (v.radius[..., None, :] + off.swapaxes(-1, -2) @ held)
    far = far + 2 * (gamma(m + 8, ops.u) * K * B * read + 2 * ops.u * held + (m + 8) * ops.tiny * (1 + K) * (1 + B))
    small = TINY64 * (m + 8) * (1 + B) * (1 + K)  # of products above that underflow in float64 before what multiplies them
    far = far + small * (1 + read + (1 + KT) @ S.radius)
    value = S.middle + c * (b * (v.middle[..., None, :] - c.swapaxes(-1, -2) @ S.middle))
    size = np.maximum(held + K * B * read, (np.maximum(B, 1.0) * read).max(axis=-1, keepdims=True))  # v - k S is a number by itself
    return ops.kept((beta.reach == 0)[..., None, None], S, ops.within(value, size, far))  # k (0 (v - k S)) is 0 for every program


def clipped(ops: Float, x: Box) -> Box:
    """Cut off at -1 and 1, which moves no two numbers apart."""
    return ops.rising(x, lambda z: np.clip(z, -1.0, 1.0), np.zeros_like)


def one_a_column(scores: Box) -> Box | None:
    """1 where the score is the largest of its column, [.., target, source], else 0; None where two may be the largest.

    Nor is a score that may overflow the largest, though it be the only one: a program may take a softmax of its column too.
    """
    if not scores.finite:
        return None
    possible = scores.high >= scores.low.max(axis=-2, keepdims=True)
    return Box(np.where(possible, 1.0, 0.0)) if bool((possible.sum(axis=-2) == 1).all()) else None


def divided(ops: Float, x: Box, weight: Array, by: float) -> Box:
    """x times the transposed weight, over a number: a program divides the weights, or what they give."""
    size = x.reach @ np.abs(weight).T  # what is divided has to have room by itself
    y = ops.linear(x, weight / by).looser(2 * (4 * ops.u * size / by + ops.tiny * x.reach.sum(axis=-1, keepdims=True)))
    return ops.between(y.low, y.high, size)


def fades(ops: Float, heads: int) -> Box:
    """1 - 2^-(5 + h) of every head h, which may have more digits than the format: [heads, 1, 1]."""
    fade = Box((1 - 2.0 ** -(5.0 + np.arange(heads)))[:, None, None])
    return fade if ops.digits >= heads + 4 else fade.looser(2 * ops.u)


def through_state(ops: Float, q: Box, k: Box, v: Box, read: Box) -> Box:
    """sum_j (phi(q) phi(k_j)) v_j as a program has it that holds the state sum_j phi(k_j) v_j: that may overflow or underflow by itself."""
    state = np.swapaxes(k.reach, -1, -2) @ v.reach  # of every token, and so of every prefix
    room = np.maximum(state.max(axis=(-2, -1), keepdims=True), q.reach @ state)
    y = read.looser(2 * k.shape[-2] * ops.tiny * q.reach.sum(axis=-1, keepdims=True))
    return ops.between(y.low, y.high, room)


def added_up(ops: Float, S: Box, size: Box, k: Box, v: Box) -> tuple[Box, Box]:
    """S + k v^T, and the sum of the magnitudes of all terms so far."""
    largest = Box((size.reach + k.reach[..., None] * v.reach[..., None, :]) * (1 + 8 * 2.0**-53))
    return ops.add(S, ops.product(k[..., None], v[..., None, :])), largest


def read_sums(ops: Float, q: Box, S: Box, size: Box, tokens: Box) -> Box:
    """q S for sums S [.., m, w] of so many tokens, in whatever order a program adds them up, before or after it multiplies by q.

    Also by the ends of both, each product being least and largest at some of them.
    """
    m = q.shape[-1]
    most, all_ = (tokens.reach + (m + 8)) * ops.u, (q.reach[..., None, :] @ size.reach)[..., 0, :]
    lost = np.where(most < 0.25, 4 * most, np.inf) * all_ + (tokens.reach + m) * ops.tiny * (1 + q.reach.sum(axis=-1, keepdims=True))
    room = np.maximum(all_, size.reach.max(axis=(-2, -1))[..., None])
    up, down = np.maximum(q.high, 0.0)[..., None, :], np.maximum(-q.low, 0.0)[..., None, :]
    high, low = np.maximum(S.high, 0.0), np.maximum(-S.low, 0.0)
    bottom = np.maximum(q.low, 0.0)[..., None, :] @ np.maximum(S.low, 0.0) - down @ high - up @ low
    ends = Box(bottom[..., 0, :], (up @ high + down @ low)[..., 0, :])
    y = ops.mix(q[..., None, :], S)[..., 0, :].within(ends).looser(2 * lost)
    return ops.between(y.low, y.high, room)

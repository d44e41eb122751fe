"""Chains of a sparse model, compiled. Imported only where such a chain is written: numba takes a while.

All matrices lie one after the other; row r of matrix m holds `data[start[first[m] + r] : start[first[m] + r + 1]]` at `columns`.
A layer is a row of `layers`: its matrices (-1 where there is none), then how it mixes and what its feed-forward part does.
Row r of `keys` and `values` is one coordinate of one head, over the tokens in the cache; a layer's rows begin at KEYS_AT and VALUES_AT.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

STEP, OUT, QUERY, KEY, VALUE, INNER, GATE, OUTER = range(8)  # matrices
RESIDUAL, SMOOTH, UNIFORM, HEADS, KEY_WIDTH, VALUE_WIDTH, KEYS_AT, VALUES_AT, STATE_AT, STATE, LINEAR = range(8, 19)
FIELDS = 19
UNDERFLOW = -746.0  # e^x is 0 in float64 below
LARGEST = 9007199254740992.0  # 2^53: integers up to here are exact
RUNS, ENDED, BROKEN = 0, 1, 2
ROOT = math.sqrt(2 / math.pi)


# a quotient by 0 is infinite or nan, as in torch, and raises nothing: error_model
@njit(cache=True, nogil=True, error_model="numpy")
def _applied(m, x, y, data, columns, start, first, biases):
    """y = W x + b for matrix m; products with 0 are left out, which changes no sum."""
    begin = first[m]
    for r in range(begin, first[m + 1]):
        total = 0.0
        for i in range(start[r], start[r + 1]):
            total += data[i] * x[columns[i]]
        y[r - begin] = total + biases[r]


@njit(cache=True, nogil=True, error_model="numpy")
def _added(stream, part, residual):
    for i in range(stream.shape[0]):
        stream[i] = stream[i] + part[i] if residual else part[i]


@njit(cache=True, nogil=True, error_model="numpy")
def _attended(layer, held, q, u, keys, values, logits):
    """What the heads read from the `held` tokens of the cache: u, head after head."""
    m, width = layer[KEY_WIDTH], layer[VALUE_WIDTH]
    for head in range(layer[HEADS]):
        a = logits[:held]
        a[:] = 0.0
        if not layer[UNIFORM]:
            for d in range(m):
                factor = q[head * m + d]
                if factor != 0.0:
                    row = keys[layer[KEYS_AT] + head * m + d]
                    for j in range(held):
                        a[j] += factor * row[j]
        largest = a[0]
        for j in range(1, held):
            largest = max(largest, a[j])
        total = 0.0
        u[head * width : (head + 1) * width] = 0.0
        at = layer[VALUES_AT] + head * width
        for j in range(held):
            gap = a[j] - largest
            if gap > UNDERFLOW:
                share = 1.0 if gap == 0.0 else math.exp(gap)
                total += share
                for d in range(width):
                    u[head * width + d] += share * values[at + d, j]
        for d in range(width):
            u[head * width + d] /= total


@njit(cache=True, nogil=True, error_model="numpy")
def _features(y, count):
    """elu + 1 in place, which is 0 for very negative numbers, as in torch."""
    for d in range(count):
        y[d] = y[d] + 1.0 if y[d] > 0.0 else math.expm1(y[d]) + 1.0


@njit(cache=True, nogil=True, error_model="numpy")
def _summed(layer, q, k, v, u, h):
    """Linear attention: add the token to S and z, which lie in rows (S_i, z_i) of each head, and read them: u."""
    m, width, at = layer[KEY_WIDTH], layer[VALUE_WIDTH], layer[STATE_AT]
    for head in range(layer[HEADS]):
        total = 0.0
        u[head * width : (head + 1) * width] = 0.0
        for i in range(head * m, (head + 1) * m):
            row = h[at + i * (width + 1) : at + (i + 1) * (width + 1)]
            row[width] += k[i]
            total += q[i] * row[width]
            for d in range(width):
                row[d] += k[i] * v[head * width + d]
                u[head * width + d] += q[i] * row[d]
        for d in range(width):
            u[head * width + d] /= total


@njit(cache=True, nogil=True, error_model="numpy")
def _without(rows, i, held):
    """Drop token i of a cache of `held` tokens."""
    for r in range(rows.shape[0]):
        for j in range(i, held - 1):
            rows[r, j] = rows[r, j + 1]


@njit(cache=True, nogil=True, error_model="numpy")
def advance(
    read, clock, end, prompt, rounds, stops, word, place, gate, layers, scales, leaves, readout, h, keys, values, held,
    data, columns, start, first, biases,
):  # fmt: skip
    """Read rows clock .. end - 1 of `read`; each row after the prompt is written first. The clock after, and RUNS, ENDED or BROKEN.

    `word` holds the embedding of each token (of each coordinate, where `rounds`), `place` those of positions clock .. end - 1.
    """
    width, most, registers = word.shape[1], 1, 0
    for m in range(first.shape[0] - 1):
        most = max(most, first[m + 1] - first[m])
    for layer in layers:
        registers = max(registers, layer[STATE])
    x, part, units, gates, said = np.zeros(registers + width), np.zeros(width), np.zeros(most), np.zeros(most), np.zeros(most)
    summed, scores, began = np.zeros(most), np.zeros(keys.shape[1]), clock
    stream = x[registers:]
    targets = first[readout + 1] - first[readout]
    for t in range(clock, end):
        if rounds:
            stream[:] = 0.0
            for i in range(read.shape[1]):
                if read[t, i]:
                    stream += read[t, i] * word[i]
            stream += place[t - began]
        else:
            token = read[t, 0]
            stream[:] = word[token] + gate[token] * place[t - began]
        for number in range(layers.shape[0]):
            layer = layers[number]
            if layer[STEP] >= 0:
                k = layer[STATE]
                h_here = h[layer[STATE_AT] : layer[STATE_AT] + k]
                x[registers - k : registers] = h_here
                _applied(layer[STEP], x[registers - k :], h_here, data, columns, start, first, biases)
                _applied(layer[OUT], h_here, part, data, columns, start, first, biases)
                _added(stream, part, layer[RESIDUAL])
            elif layer[LINEAR] > 0:
                m = layer[HEADS] * layer[KEY_WIDTH]
                _applied(layer[QUERY], stream, units, data, columns, start, first, biases)
                _applied(layer[KEY], stream, gates, data, columns, start, first, biases)
                _applied(layer[VALUE], stream, said, data, columns, start, first, biases)
                _features(units, m)
                _features(gates, m)
                _summed(layer, units, gates, said, summed, h)
                _applied(layer[OUT], summed, part, data, columns, start, first, biases)
                _added(stream, part, layer[RESIDUAL])
            elif layer[QUERY] >= 0:
                here, m, n = held[number], layer[HEADS] * layer[KEY_WIDTH], layer[HEADS] * layer[VALUE_WIDTH]
                _applied(layer[KEY], stream, units, data, columns, start, first, biases)
                for d in range(m):
                    keys[layer[KEYS_AT] + d, here] = units[d]
                _applied(layer[VALUE], stream, units, data, columns, start, first, biases)
                for d in range(n):
                    values[layer[VALUES_AT] + d, here] = units[d]
                _applied(layer[QUERY], stream, units, data, columns, start, first, biases)
                for d in range(m):
                    units[d] *= scales[number]
                _attended(layer, here + 1, units, gates, keys, values, scores)
                _applied(layer[OUT], gates, part, data, columns, start, first, biases)
                _added(stream, part, layer[RESIDUAL])
                held[number] += 1
                if leaves[number, t - began] >= 0:
                    _without(keys[layer[KEYS_AT] : layer[KEYS_AT] + m], leaves[number, t - began], here + 1)
                    _without(values[layer[VALUES_AT] : layer[VALUES_AT] + n], leaves[number, t - began], here + 1)
                    held[number] -= 1
            if layer[INNER] >= 0:
                hidden = first[layer[INNER] + 1] - first[layer[INNER]]
                _applied(layer[INNER], stream, units, data, columns, start, first, biases)
                for i in range(hidden):
                    if layer[SMOOTH]:
                        y = units[i]
                        units[i] = 0.5 * y * (1.0 + math.tanh(ROOT * (y + 0.044715 * y * y * y)))
                    else:
                        units[i] = max(units[i], 0.0)
                if layer[GATE] >= 0:
                    _applied(layer[GATE], stream, gates, data, columns, start, first, biases)
                    for i in range(hidden):
                        units[i] *= gates[i]
                _applied(layer[OUTER], units, part, data, columns, start, first, biases)
                _added(stream, part, layer[RESIDUAL])
        if t + 1 < prompt:
            continue
        _applied(readout, stream, said, data, columns, start, first, biases)
        if rounds:
            over = True
            for i in range(targets):
                nearest = np.rint(said[i])
                if not abs(nearest) <= LARGEST:
                    return t + 1, BROKEN
                read[t + 1, i] = np.int64(nearest)
                over = over and nearest == 0.0
        else:
            read[t + 1, 0] = np.argmax(said[:targets])
            over = False
            for token in stops:
                over = over or token == read[t + 1, 0]
        if over:
            return t + 1, ENDED
    return end, RUNS


def try_out(dtype: str) -> None:
    """Compile it, or load it from disk, and see that it runs."""
    one, zero, ends = np.zeros(1, dtype), np.zeros(1, np.int64), np.array([0, 1])
    layers = np.full((1, FIELDS), -1, np.int64)
    layers[:, STATE] = 0
    table, read = np.zeros((1, 1), dtype), np.zeros((2, 1), np.int64)
    advance(
        read, 0, 1, 1, False, zero, table, table, one, layers, one, np.full((1, 1), -1), 0, one, table, table, zero,
        one, zero, ends, ends, one,
    )  # fmt: skip

"""Greedy chains of a sparse linear recurrent network, compiled. Imported only where such a chain is written: numba takes a while.

All matrices lie one after the other; row r of matrix m holds `data[start[first[m] + r] : start[first[m] + r + 1]]` at `columns`.
A layer is a row of `layers`: its matrices [A | B], C, inner, gate, outer (-1 where there is none), and whether it is residual.
"""

from __future__ import annotations

import numpy as np
from numba import njit

STEP, OUT, INNER, GATE, OUTER, RESIDUAL = range(6)


@njit(cache=True, nogil=True)
def _applied(m, x, y, data, columns, start, first, biases):
    """y = W x + b for matrix m; products with 0 are left out, which changes no sum."""
    for r in range(first[m + 1] - first[m]):
        total = 0.0
        for i in range(start[first[m] + r], start[first[m] + r + 1]):
            total += data[i] * x[columns[i]]
        y[r] = total + biases[first[m] + r]


@njit(cache=True, nogil=True)
def _read(token, table, h, x, y, z, units, gates, logits, layers, states, readout, data, columns, start, first, biases):
    """Read one token: the registers h and the logits change. h holds those of all layers, x and z a stream behind room for registers."""
    width = table.shape[1]
    stream = x[x.shape[0] - width :]
    stream[:] = table[token]
    for number in range(layers.shape[0]):
        layer, k = layers[number], states[number + 1] - states[number]
        if layer[STEP] >= 0:
            at = x.shape[0] - width - k
            x[at : at + k] = h[states[number] : states[number + 1]]
            _applied(layer[STEP], x[at:], h[states[number] : states[number + 1]], data, columns, start, first, biases)
            _applied(layer[OUT], h[states[number] : states[number + 1]], y, data, columns, start, first, biases)
            for i in range(width):
                stream[i] = stream[i] + y[i] if layer[RESIDUAL] else y[i]
        if layer[INNER] >= 0:
            hidden = first[layer[INNER] + 1] - first[layer[INNER]]
            _applied(layer[INNER], stream, units, data, columns, start, first, biases)
            for i in range(hidden):
                units[i] = max(units[i], 0.0)
            if layer[GATE] >= 0:
                _applied(layer[GATE], stream, gates, data, columns, start, first, biases)
                for i in range(hidden):
                    units[i] *= gates[i]
            _applied(layer[OUTER], units, z, data, columns, start, first, biases)
            for i in range(width):
                stream[i] = stream[i] + z[i] if layer[RESIDUAL] else z[i]
    _applied(readout, stream, logits, data, columns, start, first, biases)


@njit(cache=True, nogil=True)
def write(prompt, stop, chain, table, layers, states, readout, data, columns, start, first, biases):
    """Read the prompt and write into `chain` until the stop token or its end; how many tokens were written."""
    width, most = table.shape[1], 0
    for m in range(first.shape[0] - 1):
        most = max(most, first[m + 1] - first[m])
    registers = 0
    for number in range(layers.shape[0]):
        registers = max(registers, states[number + 1] - states[number])
    h, x, y, z = np.zeros(states[-1]), np.zeros(registers + width), np.zeros(width), np.zeros(width)
    units, gates, logits = np.zeros(most), np.zeros(most), np.zeros(first[readout + 1] - first[readout])
    for token in prompt:
        _read(token, table, h, x, y, z, units, gates, logits, layers, states, readout, data, columns, start, first, biases)
    for written in range(chain.shape[0]):
        chain[written] = np.argmax(logits)
        if chain[written] == stop or written + 1 == chain.shape[0]:
            return written + 1
        _read(chain[written], table, h, x, y, z, units, gates, logits, layers, states, readout, data, columns, start, first, biases)
    return 0


def try_out(dtype: str) -> None:
    """Compile it, or load it from disk, and see that it runs."""
    one, zero = np.zeros(1, dtype), np.zeros(1, np.int64)
    layers = np.full((1, 6), -1, np.int64)
    ends = np.array([0, 1])
    write(zero, 0, zero.copy(), one[None], layers, np.array([0, 0]), 0, one, zero, ends, ends, one)

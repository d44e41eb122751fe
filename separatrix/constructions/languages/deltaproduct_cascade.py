"""Any regular language in DeltaProduct: two layers for each coordinate of a cascade, which keeps, resets or permutes its values.

Notation   f   what stood in the block e_k at the token before; 0 at the first one        v   values of a coordinate
           M   a gain beyond which sigma(-M) is 0 in the format, and sigma(M) is 1        G   one beside which 1e-6 is nothing

DeltaProduct has no convolution. Three factors a token delay a block: S holds it twice, as it was before and as it is now.

    delay      beta = 1 and the key (1, 0) erase the older one, so that nothing of it is left in the last digits; beta = 2 and the key
               (1, -1) / sqrt 2 exchange the two; then beta = 1 and the key (0, 1) write the present block
    register   of a coordinate that never permutes: one key, beta = 1 with the value in one-hot where f resets, and beta = 0 where it keeps
               of one that does: a head for each value, all with the same S: every value twice, 1 at the current one. A swap is beta = 2
               and the key (e_i - e_j + e_i' - e_j') / 2, which is dyadic; a reset writes every number anew, with beta = 1

Nothing before the first token resets to the initial value. Feed-forward parts make 0 or 1 of what is nearly that, and the conjunction with
the present e_k.

A star-free language has a cascade that never permutes. Whatever its delay and its registers are off is forgotten with the next token, or
with the next reset, and a share of sigma(-M) = 0 keeps S bit by bit: right at all lengths, and proven there. A reflection forgets nothing.
Its numbers stay on the dot where 1 / sqrt(4^j) is exact, which the checker does not assume: languages that count are proven at one length.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from separatrix.certificates.construction import Sizes
from separatrix.constructions.languages.cascade_stream import (
    BITS,
    MOST,
    Array,
    CascadeStream,
    LanguageTask,
    answers_of,
    automaton_read,
    cascade_of,
    recognising,
)
from separatrix.errors import BadInput
from separatrix.models.config import FeedForwardConfig, LayerConfig
from separatrix.tasks.languages.automata import Automaton
from separatrix.tasks.languages.cascades import Cascade, Change, permutation_or_reset
from separatrix.tasks.languages.factors import factors
from separatrix.tasks.languages.periods import TooLarge, period

if TYPE_CHECKING:
    from separatrix.certificates.built import Built
    from separatrix.models.mixers.deltaproduct import DeltaProductConfig

M, G = 1024.0, 2.0**30
FACTORS = 3  # of a delay


def cascaded(task: LanguageTask, arithmetic: str, by: str) -> Built:
    """The weights, right at every prefix and at the end symbol."""
    stream = _stream(task, arithmetic, by)
    tensors: dict[str, Array] = {}
    layers: list[LayerConfig] = []
    for level in stream.levels:
        for (config, mixer), reader in (
            (_delay(stream, level), _cleaned(stream, level)),
            (_register(stream, level), _pairs(stream, level)),
        ):
            tensors |= {f"layers.{len(layers)}.mixer.{name}": tensor for name, tensor in mixer.items()}
            tensors |= {f"layers.{len(layers)}.feedforward.{name}": tensor for name, tensor in reader.items()}
            layers.append(LayerConfig(config, FeedForwardConfig(len(reader["inner"])), residual=True))
    model = stream.model(layers, tensors, [answers_of(task)], arithmetic, task.token_count, by)
    return recognising(task, model, by, cascaded_sizes(task, arithmetic, by), arithmetic)


@lru_cache(maxsize=64)
def _cascade(read: Automaton) -> Cascade:
    """Coordinates that keep or reset, where the language is star-free, so that nothing has to be exact; else that also permute."""
    if period(read) is None:
        return cascade_of(read)
    try:
        return permutation_or_reset(read)
    except TooLarge as error:
        raise BadInput("regular: the cascade of the language has too many states") from error


def _stream(task: LanguageTask, arithmetic: str, by: str) -> CascadeStream:
    if arithmetic not in BITS:
        raise BadInput(f"{task.name}/{by}: expected float32 or float64, found {arithmetic}")
    stream = CascadeStream(
        _cascade(automaton_read(task)), lambda stream, level: 2 * len(stream.seen[level]) + stream.coordinate(level).values
    )
    if stream.width > MOST:
        raise BadInput(f"{task.name}/{by}: the language needs a stream of {stream.width} numbers, at most {MOST} are built")
    return stream


def _places(stream: CascadeStream, level: int) -> tuple[list[int], list[int], list[int]]:
    """Where f stands as it is read, where it stands as 0 or 1, and where the values of the coordinate do."""
    more, seen = range(stream.width)[stream.more[level]], len(stream.seen[level])
    return [*more[:seen]], [*more[seen : 2 * seen]], [*more[2 * seen :]]


def _cleaned(stream: CascadeStream, level: int) -> dict[str, Array]:
    """f as it is read, which is near 0 or 1, made 0 or 1."""
    read, before, _ = _places(stream, level)
    return _steps(stream, [((place,), to) for place, to in zip(read, before, strict=True)])


def _pairs(stream: CascadeStream, level: int) -> dict[str, Array]:
    """(e, i) for each e and each value i of the coordinate: 0 or 1."""
    values = _places(stream, level)[2]
    return _steps(stream, [((e, values[i]), above) for e, i, above in stream.pairs(level)])


def _steps(stream: CascadeStream, steps: list[tuple[tuple[int, ...], int]]) -> dict[str, Array]:
    """1 at a place if all of some places are near 1, else 0: with x how many are missing, relu(2 - 4 x) - relu(1 - 4 x)."""
    inner, outer = np.zeros((2 * len(steps), stream.width)), np.zeros((stream.width, 2 * len(steps)))
    bias = np.zeros(2 * len(steps))
    for number, (places, to) in enumerate(steps):
        for unit, (height, sign) in enumerate(((2.0, 1.0), (1.0, -1.0)), 2 * number):
            inner[unit, [*places]], bias[unit], outer[to, unit] = 4.0, height - 4.0 * len(places), sign
    return {"inner": inner, "inner_bias": bias, "outer": outer, "outer_bias": np.zeros(stream.width)}


def _delay(stream: CascadeStream, level: int) -> tuple[DeltaProductConfig, dict[str, Array]]:
    """The block e_k of the token before: 0 if there was none."""
    from separatrix.models.mixers.deltaproduct import DeltaProductConfig

    here, (read, _, _) = [*stream.places[level].values()], _places(stream, level)
    key, value, share = (np.zeros((FACTORS, rows, stream.width)) for rows in (2, len(here), 1))
    key[0, 0, stream.one] = G  # beta = 2 sigma(0) = 1: erases
    key[1, :, stream.one], share[1, 0, stream.one] = (G, -G), M  # exchanges the two
    key[2, 1, stream.one], value[2, np.arange(len(here)), here] = G, M  # writes
    query = np.zeros((2, stream.width))
    query[0, stream.one] = G
    out = np.zeros((stream.width, len(here)))
    out[read, np.arange(len(here))] = len(here) ** -0.5
    return DeltaProductConfig(1, 2, len(here), FACTORS), _tensors(query, key, value, share, out)


def _register(stream: CascadeStream, level: int) -> tuple[DeltaProductConfig, dict[str, Array]]:
    """The value before the present token in one-hot."""
    return _permuting(stream, level) if _permutes(stream, level) else _resetting(stream, level)


def _changes(stream: CascadeStream, level: int) -> list[Change]:
    """What each f does with the value, in the order of its places."""
    coordinate = stream.coordinate(level)
    return [coordinate.changes[e] for e in stream.places[level]]


def _permutes(stream: CascadeStream, level: int) -> bool:
    """Whether some f moves the values in a way that is no reset."""
    kept = tuple(range(stream.coordinate(level).values))
    return any(change != kept and len({*change}) > 1 for change in _changes(stream, level))


def _resetting(stream: CascadeStream, level: int) -> tuple[DeltaProductConfig, dict[str, Array]]:
    """One key; the value stands in what it holds."""
    from separatrix.models.mixers.deltaproduct import DeltaProductConfig

    coordinate, (_, before, places) = stream.coordinate(level), _places(stream, level)
    key, value, share = (np.zeros((1, rows, stream.width)) for rows in (1, coordinate.values, 1))
    query = np.zeros((1, stream.width))
    query[0, stream.one] = key[0, 0, stream.one] = G
    value[0, coordinate.initial, stream.one] = M  # nothing before the first token
    for f, change in zip(before, _changes(stream, level), strict=True):
        if len({*change}) == 1 and coordinate.values > 1:
            value[0, coordinate.initial, f] -= M
            value[0, change[0], f] += M
        else:
            share[0, 0, f] = -M
    out = np.zeros((stream.width, coordinate.values))
    out[places, np.arange(coordinate.values)] = coordinate.values**-0.5
    return DeltaProductConfig(1, 1, coordinate.values, 1), _tensors(query, key, value, share, out)


def _permuting(stream: CascadeStream, level: int) -> tuple[DeltaProductConfig, dict[str, Array]]:
    """A head for each value, which reads one number of the same vector."""
    from separatrix.models.mixers.deltaproduct import DeltaProductConfig

    coordinate, (_, before, places) = stream.coordinate(level), _places(stream, level)
    v, F = coordinate.values, 2 * coordinate.values
    key, value, share = (np.zeros((F, rows, stream.width)) for rows in (F, 1, 1))
    for row in range(F):  # nothing before the first token: every number is written, with beta = 1
        key[row, row, stream.one], value[row, 0, stream.one] = G, float(row % v == coordinate.initial)
    for f, change in zip(before, _changes(stream, level), strict=True):
        if len({*change}) == 1:
            value[:, 0, f] = (np.arange(F) % v == change[0]) - value[:, 0, stream.one]
            continue
        share[:, 0, f] = -M
        for number, factor in enumerate(factors(change)):
            key[number, :, f], share[number, 0, f] = -key[number, :, stream.one], M
            for place, sign in ((factor.i, 1.0), (factor.j, -1.0)):
                key[number, [place, v + place], f] += sign * G
            value[number, 0, f] = -value[number, 0, stream.one]
    query = np.zeros((v, F, stream.width))
    query[np.arange(v), np.arange(v), stream.one] = G
    key, value, share = (np.repeat(tensor[:, None], v, axis=1) for tensor in (key, value, share))  # the same in every head
    out = np.zeros((stream.width, v))
    out[places, np.arange(v)] = 1.0
    return DeltaProductConfig(v, F, 1, F), _tensors(query, key, value, share, out)


def _tensors(query: Array, key: Array, value: Array, share: Array, out: Array) -> dict[str, Array]:
    """Weights of a layer as rows of matrices, ordered by factor, then head, then number of the head."""
    width = query.shape[-1]
    values = value.shape[-2]
    flat = {name: tensor.reshape(-1, width) for name, tensor in (("query", query), ("key", key), ("value", value), ("share", share))}
    return {**flat, "norm.weight": np.ones(values), "out": out}


def cascaded_sizes(task: LanguageTask, arithmetic: str, by: str) -> Sizes:
    """Sizes of `deltaproduct_cascade`, without building it."""
    stream, bits, numbers, heads = _stream(task, arithmetic, by), BITS[arithmetic], 0, 1
    for level in stream.levels:
        values, permutes = stream.coordinate(level).values, _permutes(stream, level)
        numbers += 2 * len(stream.seen[level]) + (2 * values * values if permutes else values)
        heads = max(heads, values if permutes else 1)
    return Sizes(layers=2 * len(stream.levels), heads=heads, width=stream.width, precision_bits=bits, state_bits=numbers * bits)

"""Chains of a model in float64 whose weights are mostly 0, as those of a construction are: ten to a hundred thousand tokens a second.

The naive text is the decoder's own loop over `Model.step`. Compiled, a token costs two operations for every weight that is not 0, and
attention reads its cache one coordinate at a time. Only the order of summation differs, so hard attention, where it may decide a tie,
keeps the model's own steps; so do norms, rotary positions, other formats and other mixers.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt
import torch

from separatrix.errors import BadInput
from separatrix.models.decoders.decoder import CannotContinue, Chain
from separatrix.models.fast.compiling import compiled
from separatrix.models.mixers.attention import MultiHeadAttention
from separatrix.models.mixers.linear_attention import LinearAttention
from separatrix.models.mixers.linear_rnn import LinearRnn

if TYPE_CHECKING:
    from types import ModuleType

    from separatrix.models.layer import Layer
    from separatrix.models.model import Model

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Given = Callable[[list[int]], int | None]
SPARSE = 0.25  # of all weights, at most, are not 0
WORTH = 4000  # tokens times layers from which loading a compiled kernel pays
BLOCK = 1024  # positions embedded at a time
KERNELS = "separatrix.models.fast.compiled_chain"


def writer(model: Model, tokens: int) -> Writer | None:
    """What writes the chains of this model faster than its own steps; None where nothing does."""
    if not isinstance(model, torch.nn.Module) or (tokens * len(model.layers) < WORTH and KERNELS not in sys.modules) or not _fits(model):
        return None
    weights = [parameter for parameter in model.parameters() if parameter.dim() == 2]
    if sum(int((w != 0).sum()) for w in weights) > SPARSE * sum(w.numel() for w in weights):
        return None
    kernels = compiled(KERNELS, "a chain of a sparse model", "float64")
    return None if kernels is None else Writer(kernels, model, packed(model))


def _fits(model: Model) -> bool:
    """Whether it is made of linear recurrences, soft or linear attention and feed-forward parts in float64 on the CPU, without norms."""
    table = model.embedding.table
    native = model.numbers.format.kind == "native" and table.dtype == torch.float64 and table.device.type == "cpu"
    known = model.causal and model.config.readout.norm == "none"
    return native and known and all(_known(layer) for layer in model.each_layer())


def _known(layer: Layer) -> bool:
    mixer, ff = layer.mixer, layer.config.feedforward
    attends = type(mixer) is MultiHeadAttention and mixer.config.scores != "hard" and not mixer.config.rotary
    smooth = ff is None or ff.activation in ("relu", "reglu", "gelu")
    return (mixer is None or type(mixer) in (LinearRnn, LinearAttention) or attends) and smooth and layer.config.norm == "none"


@dataclass(frozen=True)
class Packed:
    """A model as the kernel reads it."""

    words: Floats  # the embedding of each token, or of each coordinate of a vector
    gates: Floats  # of each token's place
    layers: Integers  # [layers, fields]
    scales: Floats  # of each layer's queries
    readout: int
    data: Floats
    columns: Integers
    start: Integers
    first: Integers
    biases: Floats
    registers: int
    keys: int  # numbers that attention stores of each token
    values: int


_PACKED: WeakKeyDictionary[Any, tuple[tuple[object, ...], Packed]] = WeakKeyDictionary()


def packed(model: Model) -> Packed:
    """All matrices of a model, without their zeros; packed again when a weight was changed."""
    version = tuple((p.data_ptr(), p._version) for p in (*model.parameters(), *model.buffers()))
    stored = _PACKED.get(model)
    if stored is None or stored[0] != version:
        _PACKED[model] = stored = version, _pack(model)
    return stored[1]


class _Rows:
    """Matrices, one after the other, without their zeros."""

    def __init__(self) -> None:
        self.data, self.columns, self.counts, self.biases = list[Floats](), list[Integers](), list[Integers](), list[Floats]()
        self.first = [0]

    def add(self, weight: torch.Tensor, bias: torch.Tensor | None = None) -> int:
        """Append a matrix, and return its number."""
        matrix = weight.detach().numpy()
        rows, columns = np.nonzero(matrix)
        self.data.append(matrix[rows, columns])
        self.columns.append(columns)
        self.counts.append(np.bincount(rows, minlength=len(matrix)))
        self.biases.append(np.zeros(len(matrix)) if bias is None else bias.detach().numpy())
        self.first.append(self.first[-1] + len(matrix))
        return len(self.first) - 2


def _pack(model: Model) -> Packed:
    from separatrix.models.fast import compiled_chain as at

    matrices, layers, scales = _Rows(), [], []
    registers = keys = values = 0
    for layer in model.each_layer():
        described = np.full(at.FIELDS, -1, dtype=np.int64)
        described[[at.RESIDUAL, at.STATE, at.SMOOTH]] = layer.config.residual, 0, 0
        scale, mixer, ff = 1.0, layer.mixer, layer.feedforward
        if isinstance(mixer, LinearRnn):
            described[[at.STEP, at.OUT]] = matrices.add(mixer.maps()), matrices.add(mixer.out)
            described[[at.STATE, at.STATE_AT]] = mixer.state_size, registers
            registers += mixer.state_size
        elif isinstance(mixer, MultiHeadAttention | LinearAttention):
            c = mixer.config
            described[at.QUERY] = matrices.add(mixer.query, mixer.query_bias)
            described[at.KEY] = matrices.add(mixer.key, mixer.key_bias)
            described[at.VALUE] = matrices.add(mixer.value, mixer.value_bias)
            described[at.OUT] = matrices.add(mixer.out, mixer.out_bias)
            described[[at.HEADS, at.KEY_WIDTH, at.VALUE_WIDTH]] = c.heads, c.key_width, c.value_width
        if isinstance(mixer, LinearAttention):
            described[[at.LINEAR, at.STATE_AT]] = 1, registers
            registers += mixer.state_size
        elif isinstance(mixer, MultiHeadAttention):
            c = mixer.config
            described[at.UNIFORM] = c.scores == "uniform"
            described[[at.KEYS_AT, at.VALUES_AT]] = keys, values
            keys, values = keys + c.heads * c.key_width, values + c.heads * c.value_width
            scale = 1.0 if mixer.scale is None else mixer.scale
        if ff is not None:
            described[at.INNER] = matrices.add(ff.inner, ff.inner_bias)
            described[at.GATE] = -1 if ff.gate is None else matrices.add(ff.gate, ff.gate_bias)
            described[at.OUTER] = matrices.add(ff.outer, ff.outer_bias)
            described[at.SMOOTH] = ff.config.activation == "gelu"
        layers.append(described)
        scales.append(scale)
    words, gates = _words(model)
    return Packed(
        words=words,
        gates=gates,
        layers=np.array(layers, dtype=np.int64).reshape(-1, at.FIELDS),
        scales=np.array(scales),
        readout=matrices.add(model.readout.weight, model.readout.bias),
        data=np.concatenate(matrices.data),
        columns=np.concatenate(matrices.columns),
        start=np.cumsum([0, *np.concatenate(matrices.counts)]),
        first=np.array(matrices.first, dtype=np.int64),
        biases=np.concatenate(matrices.biases),
        registers=registers,
        keys=keys,
        values=values,
    )


def _words(model: Model) -> tuple[Floats, Floats]:
    """What each token adds to the stream, and the gate of its place."""
    embedding = model.embedding
    if embedding.config.reads == "vectors":
        return np.ascontiguousarray(embedding.table.detach().numpy()), np.ones(1)
    every = torch.arange(embedding.config.vocabulary)
    gate = torch.ones(len(every), dtype=torch.float64) if embedding.gate is None else embedding.gate[embedding.rows(every)]
    return np.ascontiguousarray(embedding.of_tokens(every).detach().numpy()), gate.detach().numpy()


@dataclass(frozen=True)
class Writer:
    """A model with the kernel that runs it."""

    kernels: ModuleType
    model: Model
    packed: Packed

    def write(self, prompt: Sequence[int], stop: int, limit: int) -> tuple[int, ...] | None:
        """The chain after a prompt, with its stop token if it ends within the limit; None if the model's own steps must judge."""
        found = self._run(np.array(prompt, dtype=np.int64)[:, None], np.array([stop]), limit)
        return None if found is None else tuple(found[:, 0].tolist())

    def round(self, prompt: Sequence[Sequence[int]], limit: int) -> tuple[tuple[int, ...], ...] | None:
        """The same for a model that reads and writes integer vectors, up to and with the zero vector."""
        try:
            vectors = np.array(prompt)
        except ValueError:  # rows of different lengths
            return None
        if vectors.dtype != np.int64 or vectors.ndim != 2 or vectors.shape[1] != self.model.config.embedding.plain:
            return None
        found = self._run(vectors, np.zeros(1, dtype=np.int64), limit)
        return None if found is None else tuple(map(tuple, found.tolist()))

    def search(self, prompt: Sequence[int], stop: int, end: int, limit: int, given: Given) -> Chain | None:
        """A chain with searches: what follows the token `end` is not what the model says but what is given."""
        why = ""

        def found(chain: Integers) -> int | None:
            nonlocal why
            try:
                return given(chain[:, 0].tolist())
            except CannotContinue as reason:
                why = str(reason)
                return None

        written = self._run(np.array(prompt, dtype=np.int64)[:, None], np.array([stop, end]), limit, (end, found))
        if written is None:
            return None
        tokens = tuple(written[:, 0].tolist())
        by_itself = len(tokens) == 1 or (len(tokens) > 1 and tokens[-2] != end)
        return Chain(tokens, not why and by_itself and tokens[-1] == stop, why)

    def _run(
        self, prompt: Integers, stops: Integers, limit: int, search: tuple[int, Callable[[Integers], int | None]] | None = None
    ) -> Integers | None:
        p, k, rounds = self.packed, self.kernels, self.model.config.embedding.reads == "vectors"
        last = len(prompt) + limit - 1  # tokens that may be read
        read = np.zeros((len(prompt) + 1, prompt.shape[1]), dtype=np.int64)
        read[: len(prompt)] = prompt
        h, held = np.zeros(p.registers), np.zeros(len(p.layers), dtype=np.int64)
        keys, values, clock, verdict = np.zeros((p.keys, 0)), np.zeros((p.values, 0)), 0, k.RUNS
        while clock < last and verdict == k.RUNS:
            searches = search is not None and clock >= len(prompt) and read[clock, 0] == search[0]
            end = clock + 1 if searches else min(clock + BLOCK, last)
            try:
                places = self._places(clock, end)
            except (BadInput, IndexError):  # beyond what the model stores: its own steps may end before that
                return None
            if end + 1 > len(read):
                read = _longer(read, max(end + 1, 2 * len(read)), 0)
            if end > keys.shape[1]:
                room = max(end, min(2 * keys.shape[1], last))
                keys, values = _longer(keys, room, 1), _longer(values, room, 1)
            clock, verdict = k.advance(
                read, clock, end, len(prompt), rounds, stops, p.words, places, p.gates, p.layers, p.scales, self._leaves(clock, end),
                p.readout, h, keys, values, held, p.data, p.columns, p.start, p.first, p.biases,
            )  # fmt: skip
            if search is None or verdict == k.BROKEN:
                continue
            if searches:
                token = search[1](read[len(prompt) : clock])
                if token is None:
                    return read[len(prompt) : clock]
                read[clock, 0], verdict = token, k.RUNS
            elif read[clock, 0] != stops[0]:
                verdict = k.RUNS
        return None if verdict == k.BROKEN else read[len(prompt) : clock + 1]

    def _places(self, clock: int, end: int) -> Floats:
        """What positions clock + 1 .. end add to the stream."""
        total = torch.zeros(end - clock, self.model.config.width, dtype=torch.float64)
        with torch.no_grad():
            for place in self.model.embedding.every_place():
                total += place(torch.arange(clock + 1, end + 1), torch.float64)
        return total.numpy()

    def _leaves(self, clock: int, end: int) -> Integers:
        """Which token of its cache each layer drops after each token; -1 for none."""
        found = np.full((len(self.packed.layers), end - clock), -1, dtype=np.int64)
        for row, layer in zip(found, self.model.each_layer(), strict=True):
            if isinstance(layer.mixer, MultiHeadAttention):
                dropped = map(layer.mixer.config.mask.leaves, range(clock, end))
                row[:] = [-1 if i is None else i for i in dropped]
        return found


def _longer(numbers: npt.NDArray[Any], size: int, axis: int) -> npt.NDArray[Any]:
    """The same numbers with zeros behind them, up to a size along an axis."""
    shape = list(numbers.shape)
    shape[axis] = size - shape[axis]
    return np.concatenate([numbers, np.zeros(shape, dtype=numbers.dtype)], axis=axis)

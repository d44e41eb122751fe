"""State-based recall by a hybrid: a recurrent layer follows the swaps, and one head of attention reads the table.

Notation   k  registers      L  bits of a block's number      b  bits of a symbol      c  what a register holds where its offset is

PD: the state is the k registers, h_0 = 1 .. k, and a swap is a permutation matrix.

    attention  a place of the table has the key (signs of its block's number, o, o^2), the last token, which sees g = h_1, the query
               (signs of p, 4 g, -2): a score of L + 2 g^2 at place (p, g), and at most 2 less at every other token

DeltaNet and gated DeltaNet, with negative eigenvalues: the state has two equal rows for each register and a column for each offset.

    written    the places 1 .. k of the table write the offsets 1 .. k:  key (e_i + e_i') / sqrt 2, beta = 1, value e_i
    swap i j   beta = 2 and the key (e_i + e_j + e_i' + e_j') / 2, whose numbers are positive, as SiLU leaves them, and dyadic:
               I - 2 k k^T swaps the rows of i and j and changes their signs, on the dot: every sum has two equal terms that are not 0
    read       the last token reads register 1: +-c at the offset g that it holds; the RMS norm makes it +-1
    unsigned   ReLU(x) + ReLU(-x)
    attention  a place shows the signs of its block's number and its offset, the last token those of block p and offset g: only place
               (p, g) has L + 2, every other one at most L

The recurrent state has k numbers, or 2 k^2 and the last three inputs of a convolution, whatever N and M are; the stream is of order log N.
Each half alone needs more: `separatrix bounds state-based-recall`. A reflection is exact as it is run, but the checker bounds the error of
its sums as if it were not, and loses a factor of 3 with each: certificates of the delta rule have few swaps, those of PD any number.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from separatrix.architectures import Architecture
from separatrix.certificates.construction import Construction, Sizes
from separatrix.constructions.named.streams import Array, Stream, Tensors, assembled, binary, bits_of, by_bits, code_bits, one_hot, stream
from separatrix.constructions.named.table_mixers import FROZEN, GAIN, LONG, TAPS
from separatrix.models.config import EmbeddingConfig, FeedForwardConfig, LayerConfig, MixerConfig, PlaceConfig
from separatrix.tasks.state_based_recall import StateBasedRecall

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

FULL = 64.0  # 2 sigma(64) = 2
SHARP = 64.0  # e^(-2 SHARP) times the tokens is nothing: the head reads one place
SEEN = 0.5  # between a bit of 0 and one of 1


def layout(by: str, task: StateBasedRecall, width: int) -> Stream:
    """What a token shows, what is read, and the answer."""
    k, L, b = task.registers, code_bits(task.length), code_bits(task.symbols)
    what, shown = f"state-based-recall with {task.length} blocks of {k}", {"asks": 1, "swap": k - 1, "symbol": b, "block": L, "wanted": L}
    own = {"still": 1, "offset": 2, "holds": 1} if by == "pd" else {"first": k, "offset": k, "read": k, "holds": k}
    return stream(what, width, **shown, **own, answer=b)


def hybrid(by: str, task: StateBasedRecall, width: int, arithmetic: str) -> Built:
    """A recurrent layer, and one head above it."""
    from separatrix.models.mixers.attention import AttentionConfig

    s, sizes = layout(by, task, width), hybrid_sizes(by, task, width, arithmetic)
    L, b = code_bits(task.length), code_bits(task.symbols)
    mixer, hidden, following = _permuted(task, s) if by == "pd" else _reflected(by, task, s)
    query, key = _asking(by, task, s)
    weight, bias = by_bits(task.symbols, s.rows(b, answer=np.eye(b)), SEEN)
    tensors: Tensors = {
        "embedding.table": _tokens(by, task, s),
        "embedding.gate": np.concatenate([np.ones(task.symbols), np.zeros(task.vocabulary - task.symbols)]),
        "embedding.places.0.address.table": _places(by, task, s),
        **{f"layers.0.{name}": tensor for name, tensor in following.items()},
        "layers.1.mixer.query": SHARP * query,
        "layers.1.mixer.key": key,
        "layers.1.mixer.value": s.rows(b, symbol=np.eye(b)),
        "layers.1.mixer.out": s.rows(b, answer=np.eye(b)).T,
        "readout.weight": weight,
        "readout.bias": bias,
    }
    layers = (LayerConfig(mixer, hidden, residual=True), LayerConfig(AttentionConfig(1, L + s.slots["offset"], b), residual=True))
    places = (PlaceConfig("table", s.width, extent=task.token_count, projected=False),)
    embedding = EmbeddingConfig(task.vocabulary, places=places, gated=True)
    facts = {"recurrent bits": float(bits_of(task.name, arithmetic) * recurrent_numbers(by, task)), "registers": float(task.registers)}
    return assembled(task, f"{task.name}/hybrid-{by}", arithmetic, {"width": width}, sizes, embedding, layers, tensors, facts)


def hybrid_sizes(by: str, task: StateBasedRecall, width: int, arithmetic: str) -> Sizes:
    """The registers, and the cache of one head: keys of a place, values of a symbol."""
    s, p, b = layout(by, task, width), bits_of(task.name, arithmetic), code_bits(task.symbols)
    numbers = recurrent_numbers(by, task) + task.token_count * (code_bits(task.length) + s.slots["offset"] + b)
    values = b if by == "pd" else max(b, task.registers)
    return Sizes(layers=2, heads=1, width=s.width, value_width=values, precision_bits=p, state_bits=p * numbers)


def recurrent_numbers(by: str, task: StateBasedRecall) -> int:
    """The registers; or two rows for each, and three inputs of queries, keys and values."""
    k = task.registers
    return k if by == "pd" else 2 * k * k + (TAPS - 1) * 5 * k


def _asking(by: str, task: StateBasedRecall, s: Stream) -> tuple[Array, Array]:
    """Queries and keys: the signs of a block, and an offset as (o, o^2) or one-hot."""
    L, n = code_bits(task.length), s.slots["offset"]
    block, offset = np.eye(L + n)[:, :L], np.eye(L + n)[:, L:]
    key = s.rows(L + n, block=block, offset=offset)
    if by == "pd":
        return s.rows(L + n, wanted=block, holds=4 * offset[:, :1], asks=-2 * offset[:, 1:]), key
    return s.rows(L + n, wanted=block, holds=2 * offset), key


def _permuted(task: StateBasedRecall, s: Stream) -> tuple[MixerConfig, None, Tensors]:
    """A table for each swap, and one for all other tokens."""
    from separatrix.models.mixers.pd import PdConfig

    k = task.registers
    order = np.tile(np.arange(k), (k, 1))
    for i in range(k - 1):
        order[i, [i, i + 1]] = i + 1, i
    tensors = {
        "choice": s.rows(k, swap=np.eye(k)[:, :-1], still=np.eye(k)[:, -1:], asks=np.eye(k)[:, -1:]),
        "tables": np.eye(k)[order].reshape(k, k * k),
        "gate": np.zeros((k, s.width)),
        "gate_bias": np.ones(k),
        "drive": np.zeros((k, s.width)),
        "initial": np.arange(1.0, k + 1),
        "out": s.rows(k, holds=np.eye(k)[:, :1]).T,
    }
    return PdConfig(k, k), None, {f"mixer.{name}": tensor for name, tensor in tensors.items()}


def _reflected(by: str, task: StateBasedRecall, s: Stream) -> tuple[MixerConfig, FeedForwardConfig, Tensors]:
    """The delta rule, and a feed-forward part that drops the signs."""
    k = task.registers
    delta, mixer = _registers(by, task, s)
    feedforward = {
        "inner": np.concatenate([s.rows(k, read=np.eye(k)), s.rows(k, read=-np.eye(k))]),
        "inner_bias": np.zeros(2 * k),
        "outer": np.tile(s.rows(k, holds=np.eye(k)).T, (1, 2)),
        "outer_bias": np.zeros(s.width),
    }
    named = {f"mixer.{name}": tensor for name, tensor in mixer.items()}
    return delta, FeedForwardConfig(2 * k), named | {f"feedforward.{name}": tensor for name, tensor in feedforward.items()}


def _registers(by: str, task: StateBasedRecall, s: Stream) -> tuple[MixerConfig, Tensors]:
    """One head whose keys are registers, each twice, and whose values are offsets."""
    from separatrix.models.mixers.deltanet import DeltaNetConfig
    from separatrix.models.mixers.gated_deltanet import GatedDeltaNetConfig

    k = task.registers
    twice = np.tile(np.eye(k), (2, 1))
    swaps = twice[:, :-1] + twice[:, 1:]  # [2 k, k - 1] the registers of each swap
    taps = np.zeros((5 * k, TAPS))
    taps[:, -1] = 1
    tensors = {
        "into": np.concatenate(
            [
                LONG * s.rows(2 * k, asks=twice[:, :1]),
                LONG * s.rows(2 * k, first=twice, swap=swaps),
                GAIN * s.rows(k, first=np.eye(k)),
            ]
        ),
        "convolution.weight": taps,
        "share": s.rows(1, swap=np.full((1, k - 1), FULL)),  # 2 at a swap, else 1, where keys are those of `first` or 0
        "norm.weight": np.full(k, 1 / math.sqrt(k)),
        "out": s.rows(k, read=np.eye(k)).T,
    }
    if by == "deltanet":
        return DeltaNetConfig(1, 2 * k, k, TAPS, negative=True), tensors
    tensors |= {"rate": np.zeros((1, s.width)), "rate_bias": np.zeros(1), "decay": np.full(1, FROZEN)}
    tensors |= {"gate": FULL * s.rows(k, asks=np.ones((k, 1))), "out": tensors["out"] / FULL}
    return GatedDeltaNetConfig(1, 2 * k, k, TAPS, negative=True), tensors


def _tokens(by: str, task: StateBasedRecall, s: Stream) -> Array:
    """A symbol shows its bits, a swap itself, and the last token the number of its block."""
    N, k = task.length, task.registers
    still = {"still": np.ones((task.symbols, 1))} if by == "pd" else {}
    return np.concatenate(
        [
            s.rows(task.symbols, symbol=binary(task.symbols), **still),
            s.rows(k - 1, swap=np.eye(k - 1)),
            s.rows(N, asks=np.ones((N, 1)), wanted=2 * binary(N) - 1),
        ]
    )


def _places(by: str, task: StateBasedRecall, s: Stream) -> Array:
    """The places of the table show block and offset, for the delta rule the first k also that they are first; later ones nothing."""
    N, k = task.length, task.registers
    place, rows = np.arange(task.places), np.zeros((task.token_count, s.width))
    block, offset = (2 * binary(N) - 1)[place // k], one_hot(place % k, k)
    if by == "pd":
        number = place % k + 1.0
        rows[: task.places] = s.rows(task.places, block=block, offset=np.stack([number, number**2], axis=1))
    else:
        rows[: task.places] = s.rows(task.places, block=block, offset=offset, first=np.where((place < k)[:, None], offset, 0.0))
    return rows


def _declared(by: str, *quick: dict[str, str | int]) -> Construction:
    def build(task: StateBasedRecall, width: int = 0, arithmetic: str = "float64") -> Built:
        return hybrid(by, task, width, arithmetic)

    return Construction(
        name=f"state-based-recall/hybrid-{by}",
        computes=StateBasedRecall,
        architecture=Architecture.HYBRID,
        build=build,
        formula=partial(hybrid_sizes, by),
        quick=quick,
        default_length=8,
    )


HYBRID_PD = _declared("pd", {"length": 2, "registers": 3, "swaps": 4}, {"length": 16, "arithmetic": "float32"})
HYBRID_DELTANET = _declared("deltanet", {"length": 2, "registers": 3, "swaps": 4}, {"length": 4, "swaps": 12})
HYBRID_GATED_DELTANET = _declared("gated-deltanet", {"length": 2, "registers": 3, "swaps": 4, "arithmetic": "float32"})

"""Any one-layer Transformer in fixed point as a two-party protocol, bit for bit equal to the model itself.

[bhattamishra2024 Theorem 4; proof D] [bhattamishra2024 Assumption 3] [bhattamishra2024 Equation 1] [bhattamishra2024 Equation 2]
[bhattamishra2024 Equation 3] [bhattamishra2024 Equation 4] [bhattamishra2024 Equation 5; sent in one direction]

Notation   R  the party that holds the token read out      O  the other one      e  exp(a - M), floored at f bits
           M  largest logit      Z  sum of the e           w  floor(e / Z)       U  sum of w v, exact at 2 f fractional bits

Positions, weights and the partition are known to both; each holds the tokens of its own positions. R sends the token, so both know
the query. Per head both send their largest logit and their part of Z; then O sends its part of U, and R, who now has everything that
the layer computes at that token, does the rest and sends the answer. Every step is that of the format `fixed:p,f`, in which sums are
exact before they are stored once: that is why the parts of two parties add up to the same bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separatrix.bits import ceil_log2
from separatrix.bounds.communication.dialogues import Message, Party, Transcript
from separatrix.bounds.communication.matrix import positions_of
from separatrix.bounds.protocols.one_layer import claimed_bits, repaired_bits, step_bits
from separatrix.checker.models.description import Layer, read_description
from separatrix.checker.models.embedding import embed
from separatrix.checker.models.layer import after_mixing, norm, under
from separatrix.checker.models.mixers.attention import Attention
from separatrix.checker.models.model import Model
from separatrix.checker.numbers.boxes import Box
from separatrix.checker.numbers.exact import Fixed
from separatrix.checker.numbers.formats import numbers
from separatrix.checker.numbers.integers import narrow
from separatrix.checker.seal import Refused
from separatrix.checker.weights import parse_safetensors
from separatrix.errors import BadInput

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class OneLayerModel:
    """A one-layer Transformer read from its description and its weights, in the format `fixed:p,f`."""

    forward: Model
    numbers: Fixed
    model: Mapping[str, Any]  # MODEL, as in a certificate
    weights: bytes

    @property
    def vocabulary(self) -> int:
        """Number of input ids."""
        return self.forward.description.embedding.vocabulary

    @property
    def heads(self) -> Attention:
        """The attention of its only layer."""
        mixer = self.forward.description.layers[0].mixer
        assert isinstance(mixer, Attention)
        return mixer

    def says(self, tokens: Sequence[int], at: int = -1) -> int:
        """The answer at one position, computed from the whole input."""
        return int(self.logits(tokens, at).argmax())

    def logits(self, tokens: Sequence[int], at: int = -1) -> Array:
        """The logits [targets] at one position, in units of 2^-f."""
        return np.asarray(self.forward.logits(np.array(tokens, dtype=np.int64), [at % len(tokens)]).low[0])


@dataclass(frozen=True)
class Seats:
    """The two parties, the position read out, and the positions of R and of O, counted from 0."""

    R: Party
    O: Party  # noqa: E741
    reader: int
    own: tuple[int, ...]
    others: tuple[int, ...]


@dataclass(frozen=True)
class ProtocolRun:
    """The transcript, and R's logits in units of 2^-f."""

    transcript: Transcript
    logits: tuple[int, ...]


@dataclass(frozen=True)
class ProtocolCost:
    """Bits of a one-layer model as a protocol over N tokens: the most that the repaired one sends, and the paper's counts."""

    repaired: int
    printed_steps: int
    printed_claim: float


def one_layer_model(model: Mapping[str, Any], weights: bytes) -> OneLayerModel:
    """The model of a description, as in a certificate, and the bytes of a safetensors file."""
    try:
        ops = numbers(str(model.get("arithmetic")))
        if not isinstance(ops, Fixed):
            raise BadInput(f"the protocol needs arithmetic fixed:p,f, found {model.get('arithmetic')}")
        forward = Model(read_description(dict(model)), parse_safetensors(weights), ops)
    except Refused as error:
        raise BadInput(str(error)) from error
    refuse_layers(forward.description.layers)
    return OneLayerModel(forward, ops, model, weights)


def refuse_layers(layers: Sequence[Layer]) -> None:
    """Refuse a model that is not one layer of attention with a causal mask or none."""
    if len(layers) != 1:
        raise BadInput(f"the protocol takes a model with one layer, found {len(layers)}")
    mixer = layers[0].mixer
    if not isinstance(mixer, Attention) or mixer.mask.kind not in ("all", "causal"):
        actual = "another mixer" if not isinstance(mixer, Attention) else f"a {mixer.mask.kind} mask"
        raise BadInput(f"the protocol takes one layer of attention with a causal mask or none, found {actual}")


def protocol_cost(model: OneLayerModel, N: int) -> ProtocolCost:
    """The three counts for inputs of N tokens; `repaired` is what a run with softmax attention sends when both hold a visible token.

    [bhattamishra2024 Theorem 4]
    """
    heads, p, f = model.heads, model.numbers.bits, model.numbers.f
    m, H, d = heads.value_width, heads.heads, model.forward.description.width
    answer = ceil_log2(model.forward.description.readout.targets)  # the formula assumes two targets, one bit
    repaired = repaired_bits(m, p, f, N, H, model.vocabulary) - 1 + answer
    return ProtocolCost(repaired, step_bits(m, d, p, N, H), claimed_bits(m, p, N, H))


def run_protocol(model: OneLayerModel, tokens: Sequence[int], alice: Iterable[int], at: int = -1) -> ProtocolRun:
    """The protocol on one input: Alice holds the positions `alice`, counted from 0, and the answer is read at the position `at`.

    [bhattamishra2024 Theorem 4; proof D]
    """
    n, seats = len(tokens), seated(tokens, alice, at, model.vocabulary)
    R, reader = seats.R, seats.reader
    messages = [Message(R, natural(tokens[reader], ceil_log2(model.vocabulary)), f"the token read out is {tokens[reader]}")]
    own, other = (
        _Side(model, party, [(i, tokens[i]) for i in positions], n, (reader, tokens[reader]))
        for party, positions in ((R, seats.own), (seats.O, seats.others))
    )
    read = [_head(own, other, h, messages) for h in range(model.heads.heads)]
    logits = own.finish(np.concatenate(read))
    answer = int(logits.argmax())
    messages.append(Message(R, natural(answer, ceil_log2(len(logits))), f"the answer is {answer}"))
    return ProtocolRun(Transcript(tuple(messages), answer), tuple(int(v) for v in logits))


def seated(tokens: Sequence[int], alice: Iterable[int], at: int, vocabulary: int) -> Seats:
    """The roles of both parties when Alice holds the positions `alice`; checks tokens and positions."""
    n = len(tokens)
    positions = positions_of(alice, n)
    wrong = [token for token in tokens if not 0 <= token < vocabulary]
    if wrong:
        raise BadInput(f"tokens must lie in 0..{vocabulary - 1}, found {wrong[0]}")
    if not -n <= at < n:
        raise BadInput(f"the position read out must lie in {-n}..{n - 1}, found {at}")
    rest, reader = tuple(i for i in range(n) if i not in positions), at % n
    return Seats("Alice", "Bob", reader, positions, rest) if reader in positions else Seats("Bob", "Alice", reader, rest, positions)


class _Side:
    """One party: what it computes from its own tokens, the token read out, and the messages it got."""

    def __init__(self, model: OneLayerModel, party: Party, own: list[tuple[int, int]], n: int, reader: tuple[int, int]) -> None:
        self.party, self.n, self.forward, self.ops = party, n, model.forward, model.numbers
        self.heads, self.weights = model.heads, under(model.forward.layers[0], "mixer")
        visible = [(i, token) for i, token in own if not model.heads.causal or i <= reader[0]]
        self.places = [i for i, _ in visible]
        self.x_read = self._embedded([reader])
        self.query = self._linear(self.x_read, "query")
        x = self._embedded(visible)
        self.key, self.value = self._linear(x, "key"), self._linear(x, "value")

    def logits(self, h: int) -> Array:
        """Logits of this party's tokens for head h."""
        m = self.heads.key_width
        return np.asarray(self.ops.logits(self.query.columns(h * m, m), self.key.columns(h * m, m)).low[0])

    def mixed(self, w: Array, h: int) -> Array:
        """This party's part of U, not yet stored, in units of 2^-2f."""
        u = self.heads.value_width
        return np.asarray((w.astype(object)[:, None] * self.value.columns(h * u, u).low.astype(object)).sum(axis=0))

    def finish(self, read: Array) -> Array:
        """The rest of the layer and the read-out, from U of all heads."""
        d, ops = self.forward.description, self.ops
        a = self.heads.out(ops, self.weights, Box(ops.store(read[None], ops.f)))
        y = after_mixing(d.layers[0], self.forward.layers[0], ops, self.x_read, a)
        w = self.forward.weights
        return np.asarray(ops.linear(norm(d.readout.norm, w, "readout.norm", ops, y), w["readout.weight"], w.get("readout.bias")).low[0])

    def _embedded(self, own: list[tuple[int, int]]) -> Box:
        """The vectors of (position, token) pairs; a position is counted from 1 in the model."""
        d = self.forward.description
        rows = [embed(d.embedding, self.forward.weights, self.ops, np.array([token]), i + 1).low for i, token in own]
        return Box(np.concatenate(rows) if rows else np.zeros((0, d.width), dtype=np.int64))

    def _linear(self, x: Box, name: str) -> Box:
        weight = self.weights[name]
        return self.ops.linear(x, weight, self.weights.get(f"{name}_bias")) if len(x) else Box(np.zeros((0, len(weight)), dtype=np.int64))


def _head(own: _Side, other: _Side, h: int, messages: list[Message]) -> Array:
    """Steps 2 to 4 for one head: R's value of U, both parts added. A party without visible tokens sends nothing."""
    sides = [side for side in (own, other) if side.places]  # R holds the token read out, which sees itself
    weights = {"softmax": _softmax, "uniform": _uniform, "hard": _hard}[own.heads.scores](sides, h, messages)
    total = own.mixed(weights[0], h)
    if other.places:
        part, width = other.mixed(weights[1], h), own.ops.bits + own.ops.f
        bits = "".join(signed(int(v), width) for v in part)
        messages.append(Message(other.party, bits, f"head {h + 1}: my part of U is {[int(v) for v in part]}"))
        total = total + part
    return total


def _softmax(sides: list[_Side], h: int, messages: list[Message]) -> list[Array]:
    """Weights of each side's tokens: both largest logits, then both sums of exponentials."""
    ops, n, alone = sides[0].ops, sides[0].n, len(sides) == 1
    logits = [side.logits(h) for side in sides]
    largest = [int(a.max()) for a in logits]
    e = [np.asarray(ops.exponential.floor(narrow(max(largest) - a.astype(object)))).astype(object) for a in logits]
    sums = [int(part.sum()) for part in e]
    if not alone:
        for side, M in zip(sides, largest, strict=True):
            messages.append(Message(side.party, signed(M, ops.bits), f"head {h + 1}: my largest logit is {M}"))
        for side, Z in zip(sides, sums, strict=True):
            messages.append(Message(side.party, natural(Z, ops.f + ceil_log2(n + 1)), f"head {h + 1}: my exponentials add up to {Z}"))
    return [(part << ops.f) // sum(sums) for part in e]


def _uniform(sides: list[_Side], h: int, messages: list[Message]) -> list[Array]:  # noqa: ARG001
    """Both parties know how many tokens are visible."""
    ops = sides[0].ops
    weight = ops.ratio(ops.scale, sum(len(side.places) for side in sides))
    return [np.full(len(side.places), weight, dtype=object) for side in sides]


def _hard(sides: list[_Side], h: int, messages: list[Message]) -> list[Array]:
    """The first largest logit has all the weight: both send theirs and its place."""
    ops, n = sides[0].ops, sides[0].n
    logits = [side.logits(h) for side in sides]
    best = [(int(a.max()), -side.places[int(a.argmax())]) for a, side in zip(logits, sides, strict=True)]
    if len(sides) > 1:
        for side, (M, place) in zip(sides, best, strict=True):
            bits = signed(M, ops.bits) + natural(-place, ceil_log2(n))
            messages.append(Message(side.party, bits, f"head {h + 1}: my largest logit is {M}, first at place {1 - place}"))
    return [np.array([ops.scale if -i == max(best)[1] else 0 for i in side.places], dtype=object) for side in sides]


def signed(number: int, width: int) -> str:
    """A whole number in two's complement."""
    assert -(1 << (width - 1)) <= number < 1 << (width - 1)
    return format(number & ((1 << width) - 1), f"0{width}b")


def natural(number: int, width: int) -> str:
    """A non-negative whole number in binary; empty if there is only one choice."""
    assert 0 <= number < 1 << width
    return format(number, f"0{width}b") if width else ""

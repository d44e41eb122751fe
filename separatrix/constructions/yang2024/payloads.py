"""How a token reads the payload of the token at position t: on standard, linear and block-sparse attention.

[yang2024 Notion 1] [yang2024 Notion 2] [yang2024 Lemma A.9] [yang2024 Lemma A.11] [yang2024 Lemma A.12] [yang2024 Theorem B.3]
[yang2024 Theorem B.4] [yang2024 Proposition 5.4] [yang2024 Theorem C.3]

    standard   one head for each read: the score 2 t j - j^2 is largest at j = t
    window     the same over the last w tokens, where every read lies among them
    linear     W = ceil(sqrt L) slots in each of ceil(L / W) blocks: a token holds its payload in the coordinate of its slot; a head
               averages the vectors of the block of t; the coordinate of t's slot, times how many tokens were averaged, is the payload
    sparse     the same with two layers of attention: a token first averages its own block so far, which the last token of the
               block, and the token itself, then hand on; of the tokens of a block that it sees, a head takes the last

With what was read comes the layer whose feed-forward part may use it, if that part is still free.
A target never lies ahead, so no head averages over nothing. Lemma A.12 states width O(d); it needs the W numbers of a block.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from separatrix.arithmetic.format import Format, parse_format
from separatrix.constructions.assembler import Assembler, Layer
from separatrix.constructions.forms import Form, stack
from separatrix.constructions.number_limits import exact_integers, largest_number, mantissa_bits
from separatrix.constructions.parts.integer_gadgets import block_and_slot, gate, one_hot, pick, spread, squared, times_count, zero
from separatrix.constructions.parts.softmax_reads import accumulated, vanishing_gap
from separatrix.errors import BadInput


@dataclass(frozen=True, eq=False)
class Stream:
    """What the stream holds before any token is read."""

    net: Assembler
    payload: Form
    one: Form
    place: Form  # (i, i^2)
    targets: dict[str, Form]  # the position that each read reads
    largest: float  # bound on the magnitude of a payload
    off: float = 0.0  # how far a target may be off, at most 1/4

    @cached_property
    def format(self) -> Format:
        """The number format of the program."""
        return parse_format(self.net.arithmetic)

    @cached_property
    def gap(self) -> int:
        """A power of two; keys whose logit lies that far below the largest get no weight.

        Where a target t is off by e, its neighbours have (1 + 2 e)^2 - .. = at least 1 - 2 e of the gap that whole numbers give: half.
        """
        return 1 << (vanishing_gap(self.net.length, self.largest, self.format) - 1).bit_length() + (self.off > 0)


@dataclass(frozen=True)
class Blocks:
    """Positions 1 .. L in blocks of W."""

    length: int
    W: int

    @property
    def count(self) -> int:
        """How many blocks the sequence has."""
        return -(-self.length // self.W)

    def block(self, i: int) -> int:
        """The block of a position, from 1 on."""
        return -(-i // self.W)

    def slot(self, i: int) -> int:
        """Its place within the block, from 1 on."""
        return i - (self.block(i) - 1) * self.W


def square_blocks(length: int, W: int = 0) -> Blocks:
    """Blocks of W positions, or of ceil(sqrt L)."""
    return Blocks(length, W or math.isqrt(length - 1) + 1)


def read_standard(stream: Stream) -> tuple[Layer | None, dict[str, Form]]:
    """One layer of softmax attention; the payload at t is read exactly."""
    L, eta = stream.net.length, stream.gap
    _refuse_scores(stream, L * L, eta, f"positions up to {L}")
    layer, reads = stream.net.layer(), {}
    for name, t in stream.targets.items():
        query = eta * stack(2 * t, -stream.one)
        reads[name] = layer.attend(f"read {name}", query=query, key=stream.place, value=stream.payload, into=f"read {name}")
    return layer, reads


def read_two_digit(stream: Stream, blocks: Blocks) -> tuple[Layer | None, dict[str, Form]]:
    """Read the copied token by two digits instead of (i, i^2): the squares of block and slot are at most L, so short floats hold them."""
    net, eta = stream.net, stream.gap
    _refuse_scores(stream, 2 * max(blocks.W, blocks.count) ** 2, eta, f"{blocks.count} blocks of {blocks.W}")
    layer = net.pointwise()
    own = layer.write("own place", block_and_slot(stream.place[0], blocks.W, blocks.count))
    where = {name: layer.write(f"place of {name}", block_and_slot(t, blocks.W, blocks.count)) for name, t in stream.targets.items()}
    layer = net.pointwise()
    block, slot = (stack(own[d], layer.write(name, squared(own[d], most))) for d, (name, most) in enumerate(_digits(blocks)))
    layer, reads, key = net.layer(), {}, stack(block, slot)
    for name, digits in where.items():
        query = eta * stack(2 * digits[0], -stream.one, 2 * digits[1], -stream.one)
        reads[name] = layer.attend(f"read {name}", query=query, key=key, value=stream.payload, into=f"read {name}")
    return layer, reads


def read_window(stream: Stream, window: int, defined: dict[str, Form]) -> tuple[Layer | None, dict[str, Form]]:
    """Read the copied token in a sliding window that may not reach the separator: a flag says whether there is a place to read."""
    from separatrix.models.masks import Window

    L, eta, C = stream.net.length, stream.gap, stream.largest
    _refuse_scores(stream, L * L, eta, f"positions up to {L}")
    layer, reads = stream.net.layer(mask=Window(window)), {}
    for name, t in stream.targets.items():
        query = eta * stack(2 * t, -stream.one)
        seen = layer.attend(f"see {name}", query=query, key=stream.place, value=stream.payload, into=f"see {name}")
        reads[name] = layer.write(f"read {name}", gate(defined[name], seen, C, -C, C))
    return None, reads


def read_linear(stream: Stream, blocks: Blocks, mu: float) -> tuple[Layer | None, dict[str, Form]]:
    """One layer of linear attention between feed-forward parts; phi(mu (e - 1)) is 1 in the coordinate of the block, else e^-mu."""
    if stream.format.exact:
        raise BadInput(f"{stream.format.name} has no exact form of linear attention, whose features are exponentials: expected a float")
    net, W, NB = stream.net, blocks.W, blocks.count
    spelled = _spelled(stream, blocks)
    number, layer = spelled.own[0], net.pointwise()
    slot, own = layer.write("slot", one_hot(spelled.own[1], W)), layer.write("block", one_hot(number, NB))
    asked = {name: layer.write(f"block of {name}", one_hot(where[0], NB)) for name, where in spelled.where.items()}
    wanted, here = _wanted(layer, spelled, number, W)
    by_slot = net.pointwise().write("payload by slot", spread(stream.payload, slot, stream.largest))

    layer, gathered = net.layer(attention="linear"), {}
    leak = min(1.0, blocks.length * (2 * math.exp(-mu) + max(0, NB - 2) * math.exp(-2 * mu)))  # weights of the other blocks
    rounding = accumulated(stream.format, blocks.length) * stream.largest
    for name, block in asked.items():
        every = stack(*[stream.one] * NB)
        gathered[name] = layer.attend(
            f"gather {name}", query=mu * (block - every), key=mu * (own - every), value=by_slot, into=f"block read {name}",
            share=1 - leak, rounding=rounding,
        )  # fmt: skip
    return _picked(stream, layer, gathered, wanted, here, slot)


def read_sparse(stream: Stream, blocks: Blocks, local: int, far: int) -> tuple[Layer | None, dict[str, Form]]:
    """Two layers of block-sparse attention: token i sees the last `local` blocks' worth of tokens and the last `far` of every block."""
    from separatrix.models.masks import BlockSparse

    net, W = stream.net, blocks.W
    if not 1 <= far <= W:
        raise BadInput(f"sparse attention: the last token of every block must be seen, expected 1..{W} global tokens, found {far}")
    mask = BlockSparse(W, local, far)
    spelled = _spelled(stream, blocks)
    (number, last), layer = (spelled.own[0], spelled.own[1]), net.pointwise()
    slot, square = layer.write("slot", one_hot(last, W)), layer.write("block squared", squared(number, blocks.count))
    block = stack(number, square)
    by_slot = net.pointwise().write("payload by slot", spread(stream.payload, slot, stream.largest))

    layer, eta = net.layer(mask=mask), stream.gap
    query = eta * stack(2 * block[0], -stream.one)  # -(difference of blocks)^2, up to a term of the reader
    own = layer.attend("own block", query=query, key=block, value=by_slot, into="own block", rounding=_average_off(stream, W))
    wanted, here = _wanted(layer, spelled, block[0], W)

    layer, gathered = net.layer(mask=mask), {}
    steep = eta * (W + 1)  # a block further costs more than all slots of a block
    _refuse_scores(stream, 2 * blocks.count**2 * (W + 2), eta, f"{blocks.count} blocks of {W}")
    for name, where in spelled.where.items():
        query = stack(2 * steep * where[0], -steep * stream.one, eta * stream.one)
        key = stack(block, last)  # and of the tokens of the block the last one
        gathered[name] = layer.attend(f"gather {name}", query=query, key=key, value=own, into=f"block read {name}")
    return _picked(stream, layer, gathered, wanted, here, slot)


def saturating(format: Format) -> float:
    """A mu at which elu + 1 of -mu is 0 in this format, in which 1 - e^-mu is 1; a multiple of 4."""
    return 4.0 * math.ceil((mantissa_bits(format) + 2) * math.log(2) / 4)


# -- steps that linear and sparse attention share ----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Spelled:
    """The block and the slot of the token itself and of every target."""

    own: Form
    where: dict[str, Form]


def _spelled(stream: Stream, blocks: Blocks) -> Spelled:
    """[yang2024 Lemma A.7] for the token and its targets."""
    layer = stream.net.pointwise()
    where = {name: layer.write(f"place of {name}", block_and_slot(t, blocks.W, blocks.count)) for name, t in stream.targets.items()}
    own = layer.write("own place", block_and_slot(stream.place[0], blocks.W, blocks.count))
    return Spelled(own, where)


def _wanted(layer: Layer, spelled: Spelled, block: Form, W: int) -> tuple[dict[str, Form], dict[str, Form]]:
    """The slot of every target, one-hot, and whether it lies in the token's own block."""
    wanted = {name: layer.write(f"slot of {name}", one_hot(where[1], W)) for name, where in spelled.where.items()}
    here = {name: layer.write(f"{name} is near", zero(where[0] - block)) for name, where in spelled.where.items()}
    return wanted, here


def _picked(
    stream: Stream, layer: Layer, gathered: dict[str, Form], wanted: dict[str, Form], here: dict[str, Form], slot: Form
) -> tuple[Layer | None, dict[str, Form]]:
    """The coordinate of the target's slot, times the number of tokens in the mean."""
    C = stream.largest
    means = {name: layer.write(f"mean {name}", pick(vector, wanted[name], C)) for name, vector in gathered.items()}
    layer = stream.net.pointwise()
    reads = {name: layer.write(f"read {name}", times_count(mean, here[name], slot, C)) for name, mean in means.items()}
    return None, reads


def _average_off(stream: Stream, W: int) -> float:
    """How far a mean over up to W tokens, of which one has a payload in each coordinate, is off by rounding."""
    if stream.format.exact:
        return (stream.largest + 1) * 2.0**-stream.format.fraction  # the weight is floored, and so is the sum
    return accumulated(stream.format, W) * stream.largest


def _refuse_scores(stream: Stream, largest: int, eta: int, what: str) -> None:
    """Scores are integers times eta, a power of two: floats hold them as long as they hold the integers."""
    format = stream.format
    holds = largest * eta <= largest_number(format) if format.exact else largest <= exact_integers(format)
    if not holds:
        raise BadInput(
            f"{what} need integers up to {largest}{f' times {eta}' if format.exact else ''}, which {format.name} does not hold exactly"
        )


def _digits(blocks: Blocks) -> tuple[tuple[str, int], tuple[str, int]]:
    return ("block squared", blocks.count), ("slot squared", blocks.W)

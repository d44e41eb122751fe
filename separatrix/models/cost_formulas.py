"""What each architecture carries and computes, as formulas in its width: no torch, no weights. A law test compares them with the models.

Notation   D  width of the stream      H  heads      t  tokens read before      p  bits of a number

    parameters   numbers stored
    cut          what crosses the cut between two tokens
    operations   of one token: 2 for every weight of a product, and those that update and read the state; norms and activations
                 are left out
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from separatrix.errors import BadInput
from separatrix.models.layer_styles import ALONE, BARE, BLOCK, PLACED_BLOCK, LayerStyle
from separatrix.models.state_at_cut import LayerCut, bits_at_cut

HEADS = 4  # that share the width, in every mixer that has heads
WIDTHS = 2 * HEADS  # every width is a multiple: rotary positions need heads of even width
TAPS = 4  # of a short convolution
HEAD = 64  # the width of a head of Mamba-2, if there is so much
WINDOW = 16  # tokens that a window sees
BLOCK_SIZE = 8  # of block-sparse attention, whose last token every later one sees


@dataclass(frozen=True)
class MixerCosts:
    """One mixer of some width, with its default settings."""

    parameters: int
    products: int  # weights that multiply the vectors of every token
    cut: Callable[[int], LayerCut]
    mixing: Callable[[int], int]  # operations on the state, at the token after t others
    style: LayerStyle
    sees: int | None = None  # tokens, itself included, where it sees no others and keeps nothing of them
    values: int = 0  # heads times the width of their values, of softmax attention


def attention(visible: Callable[[int], int], sees: int | None = None) -> Callable[[int], MixerCosts]:
    """Keys and values of those of t tokens that a later one sees; a query and a sum over each of them and the token itself."""

    def costs(D: int) -> MixerCosts:
        return MixerCosts(
            4 * D * D + 4 * D,
            4 * D * D,
            lambda t: LayerCut(tokens=visible(t), numbers_each=2 * D),
            lambda t: 4 * D * (visible(t) + 1),
            PLACED_BLOCK,
            sees,
            D,
        )

    return costs


def near_or_last(t: int) -> int:
    """Tokens near the next one, and the last of every block before them."""
    far = max(0, t + 1 - BLOCK_SIZE)
    return far // BLOCK_SIZE + t - far


def recurrent(parameters: int, products: int, numbers: int, mixing: int, style: LayerStyle) -> MixerCosts:
    """The costs of a recurrence: its state has the same size after every token."""
    return MixerCosts(parameters, products, lambda _: LayerCut(numbers=numbers), lambda _: mixing, style)


def linear_attention(D: int) -> MixerCosts:
    """S and z of every head: written once and read once."""
    S = D * D // HEADS
    return recurrent(4 * D * D + 4 * D, 4 * D * D, S + D, 4 * S + 4 * D, PLACED_BLOCK)


def retnet(D: int) -> MixerCosts:
    """S of every head fades, is written and is read; values are twice as wide as keys."""
    S = 2 * D * D // HEADS
    return recurrent(8 * D * D, 8 * D * D, S, 5 * S, BLOCK)


def dss(D: int, state: int = 64) -> MixerCosts:
    """`state` complex numbers for each of the stream, made, turned, driven and read; each counts once, as in models/measured_costs.py."""
    numbers = 2 * D * state
    return recurrent(D * D + 3 * D + 2 * D * state + 2 * state, D * D, numbers, 4 * numbers, ALONE)


def mamba(D: int, state: int = 16) -> MixerCosts:
    """Two channels for each number of the stream, each with `state` numbers, behind a short convolution."""
    E, rank = 2 * D, -(-D // 16)
    products = 2 * E * D + E * (rank + 2 * state) + E * rank + D * E
    own, numbers = E * (TAPS + 1) + E + E * state + E, E * state + E * (TAPS - 1)
    return recurrent(products + own, products, numbers, 7 * E * state + 2 * E * TAPS, ALONE)


def mamba2(D: int, state: int = 64) -> MixerCosts:
    """Heads of width 64 over keys and queries that all share, behind a short convolution."""
    E = 2 * D
    heads, mixed = E // min(HEAD, E), E + 2 * state
    products = (E + mixed + heads) * D + D * E
    own = mixed * (TAPS + 1) + 3 * heads + E
    return recurrent(products + own, products, E * state + mixed * (TAPS - 1), 5 * E * state + 2 * mixed * TAPS, ALONE)


def deltanet(D: int) -> MixerCosts:
    """S of every head, from which what a key holds is read, and replaced; a short convolution before it."""
    S = D * D // HEADS
    products = 3 * D * D + HEADS * D + D * D
    return recurrent(products + 3 * D * TAPS + D // HEADS, products, S + 3 * D * (TAPS - 1), 6 * S + 6 * D * TAPS, BLOCK)


def gated_deltanet(D: int) -> MixerCosts:
    """Costs of a DeltaNet layer with a decay and a gate."""
    S = D * D // HEADS
    products = 3 * D * D + 2 * HEADS * D + 2 * D * D
    own = 3 * D * TAPS + D // HEADS + 2 * HEADS
    return recurrent(products + own, products, S + 3 * D * (TAPS - 1), 7 * S + 6 * D * TAPS, BLOCK)


FACTORS = 2  # a token
TABLES = 6  # from which a matrix of PD is mixed


def deltaproduct(D: int) -> MixerCosts:
    """S of every head, overwritten once for each factor."""
    S = D * D // HEADS
    products = 2 * D * D + 2 * FACTORS * D * D + FACTORS * HEADS * D
    return recurrent(products + D // HEADS, products, S, (4 * FACTORS + 2) * S, BLOCK)


def rank_one(D: int) -> MixerCosts:
    """As many numbers as the stream is wide; a dot product and a multiple for each factor."""
    products = 2 * FACTORS * D * D + 2 * D * D
    return recurrent(products + D, products, D, 4 * FACTORS * D, BLOCK)


def pd(D: int) -> MixerCosts:
    """As many numbers as the stream is wide; a matrix mixed from tables, and its product with the gated state."""
    products = TABLES * D + TABLES * D * D + 3 * D * D
    return recurrent(products + 2 * D, products, D, 2 * D * D + D, BLOCK)


def linear_rnn(D: int) -> MixerCosts:
    """As many registers as the stream is wide."""
    return recurrent(3 * D * D, 3 * D * D, D, 0, BLOCK)


def relu_rnn(D: int) -> MixerCosts:
    """As many numbers as the stream is wide, through twice as many units."""
    return recurrent(7 * D * D + 3 * D, 7 * D * D, D, 0, BLOCK)


def selective_rnn(D: int) -> MixerCosts:
    """As many numbers as the stream is wide, each with a gate."""
    return recurrent(3 * D * D + 3 * D, 3 * D * D, D, 0, BLOCK)


def cell(gates: int, vectors: int) -> Callable[[int], MixerCosts]:
    """A recurrent cell of so many gates, whose state is so many vectors."""

    def costs(D: int) -> MixerCosts:
        return recurrent(gates * (2 * D * D + 2 * D), gates * 2 * D * D, vectors * D, 0, BARE)

    return costs


MIXER_COSTS: dict[str, Callable[[int], MixerCosts]] = {
    "attention": attention(lambda t: t),
    "window": attention(lambda t: min(t, WINDOW - 1), WINDOW),
    "block-sparse": attention(near_or_last),
    "linear-attention": linear_attention,
    "retnet": retnet,
    "dss": dss,
    "mamba": mamba,
    "mamba2": mamba2,
    "deltanet": deltanet,
    "gated-deltanet": gated_deltanet,
    "deltaproduct": deltaproduct,
    "rank-one": rank_one,
    "pd": pd,
    "linear-rnn": linear_rnn,
    "relu-rnn": relu_rnn,
    "selective-rnn": selective_rnn,
    "lstm": cell(4, 2),
    "gru": cell(3, 1),
    "elman": cell(1, 1),
}


@dataclass(frozen=True)
class SizedModel:
    """A configuration by name: layers of mixers between an embedding and a read-out."""

    architecture: str
    name: str
    width: int
    mixers: tuple[MixerCosts, ...]
    vocabulary: int
    targets: int
    placed: bool  # learned positions, one for each token
    blocks: tuple[bool, ...]  # whether a feed-forward part follows, for each mixer
    residual: bool

    def cuts(self, tokens: int) -> list[LayerCut]:
        """What each layer carries across the cut after so many tokens."""
        return [mixer.cut(tokens) for mixer in self.mixers]

    def state_bits(self, tokens: int, bits: int) -> int:
        """Bits of the tensors that cross the cut."""
        return bits * sum(cut.numbers + cut.tokens * cut.numbers_each for cut in self.cuts(tokens))

    def carried_bits(self, tokens: int, bits: int, token_bits: int) -> int:
        """The most that they can be worth."""
        return bits_at_cut(self.cuts(tokens), self.width, bits, token_bits)

    def parameters(self, length: int) -> int:
        """Stored numbers, for inputs of at most `length` tokens."""
        D = self.width
        norm = 2 * D if self.residual else 0
        layers = sum(mixer.parameters + norm + (norm + 8 * D * D + 5 * D if block else 0) for mixer, block in self._layers())
        return (self.vocabulary + (length if self.placed else 0)) * D + layers + norm + self.targets * (D + 1)

    def operations(self, tokens: int) -> int:
        """Operations of the token after so many others, read out."""
        D = self.width
        products = sum(mixer.products + (8 * D * D if block else 0) for mixer, block in self._layers())
        return 2 * (products + self.targets * D) + sum(mixer.mixing(tokens) for mixer in self.mixers)

    def sees(self) -> tuple[int, ...] | None:
        """The tokens that each layer sees, itself included; None if some layer sees all of them, or what it has made of them."""
        seen = [mixer.sees for mixer in self.mixers]
        return tuple(one for one in seen if one is not None) if None not in seen else None

    @property
    def place(self) -> str:
        """A model by name, which has fresh weights."""
        return self.name

    def one_layer(self) -> int | None:
        """Heads times the width of their values, of a model that is one layer of softmax attention; None of any other."""
        return self.mixers[0].values or None if len(self.mixers) == 1 else None

    def _layers(self) -> list[tuple[MixerCosts, bool]]:
        return list(zip(self.mixers, self.blocks, strict=True))


def sized_model(architecture: str, layers: int, width: int, vocabulary: int, targets: int) -> SizedModel:
    """NAME-LAYERS-WIDTH by its formulas; `hybrid-NAME` has one layer of attention as its last."""
    if layers < 1 or width < 1 or width % WIDTHS:
        raise BadInput(f"expected at least one layer and a width divisible by {WIDTHS}, found {layers} and {width}")
    if architecture.startswith("hybrid-"):
        return _hybrid(architecture, layers, width, vocabulary, targets)
    mixer = MIXER_COSTS["attention" if architecture == "transformer" else architecture](width)
    style, name = mixer.style, f"{architecture}-{layers}-{width}"
    blocks = (style.feedforward,) * layers
    return SizedModel(architecture, name, width, (mixer,) * layers, vocabulary, targets, style.positions, blocks, style.residual)


def _hybrid(architecture: str, layers: int, width: int, vocabulary: int, targets: int) -> SizedModel:
    """All layers but the last are the mixer's; learned positions, as in every stack."""
    if layers < 2:
        raise BadInput(f"{architecture} has attention above at least one other layer, found {layers} layer")
    below, name = architecture.removeprefix("hybrid-"), f"{architecture}-{layers - 1}-{width}+1"
    mixers = (MIXER_COSTS[below](width),) * (layers - 1) + (MIXER_COSTS["attention"](width),)
    blocks = tuple(mixer.style.feedforward for mixer in mixers)
    return SizedModel(architecture, name, width, mixers, vocabulary, targets, True, blocks, True)


SIZED = (
    "transformer", "window", "block-sparse", "linear-attention", "retnet", "dss", "mamba", "mamba2", "deltanet", "gated-deltanet",
    "deltaproduct", "rank-one", "pd", "linear-rnn", "relu-rnn", "selective-rnn", "lstm", "gru", "elman",
    "hybrid-linear-rnn", "hybrid-mamba", "hybrid-mamba2", "hybrid-gated-deltanet",
)  # fmt: skip

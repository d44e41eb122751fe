"""The configuration of a model, without its numbers: an embedding, layers and a read-out. No torch here.

    layer    y = mix(norm(x)), plus x where residual;   z = FF(norm(y)), plus y where residual
             without a mixer y = x, without a feed-forward part z = y

A mixer's configuration is a class in its own file, models/mixers/<name>.py.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal

from separatrix.errors import BadInput
from separatrix.models.layer_styles import LayerStyle

if TYPE_CHECKING:
    from separatrix.arithmetic.operators import Arithmetic
    from separatrix.models.mixers.mixer import Mixer

Reads = Literal["tokens", "vectors"]
AddressKind = Literal["sign", "quadratic", "one-hot", "table", "sinusoidal"]
Activation = Literal["relu", "reglu", "gelu", "swiglu"]
Norm = Literal["none", "layer", "rms"]
EXACT_ACTIVATIONS = ("relu", "reglu")


@dataclass(frozen=True)
class PlaceConfig:
    """One positional feature: which address, how wide, of which index."""

    address: AddressKind
    dims: int
    extent: int = 0  # bits of a sign address, rows of a table
    shift: int = 0  # the address of t - shift
    fold: int = 0  # ... counted again from 1 after every `fold` positions
    pointers: int = 0  # how many stored pointers; 0 means the position itself
    projected: bool = True  # False: the address is as wide as the stream and is added without a projection


@dataclass(frozen=True)
class EmbeddingConfig:
    """The inputs and positions of a model."""

    plain: int  # ids with a row of their own; if it reads "vectors", integers per input vector
    numbers: int = 0  # further ids, which stand for 1, 2, ...
    number_address: PlaceConfig | None = None
    places: tuple[PlaceConfig, ...] = ()
    gated: bool = False  # whether a gate per token row scales the places
    reads: Reads = "tokens"

    def __post_init__(self) -> None:
        if self.reads == "vectors" and (self.numbers or self.gated):
            raise BadInput("an embedding of integer vectors has no numbered tokens and no gate: expected numbers = 0 and gated = false")

    @property
    def vocabulary(self) -> int:
        """Number of input ids."""
        return self.plain + self.numbers

    @property
    def rows(self) -> int:
        """Rows of the table: one for each plain id, and one that all numbers share."""
        return self.plain + (self.numbers > 0)


class MixerConfig(ABC):
    """The configuration of one kind of mixer: a frozen dataclass with the fields that files store."""

    kind: ClassVar[str]
    style: ClassVar[LayerStyle]  # the layer around it when it is trained by name

    @abstractmethod
    def build(self, width: int, numbers: Arithmetic) -> Mixer:
        """The mixer for a stream of `width` numbers per token, without its weights."""

    @property
    def inexact(self) -> str:
        """The part without an exact form in exact number formats; empty if there is none."""
        return ""

    def need_positive(self, *sizes: str) -> None:
        """Refuse sizes below 1."""
        for name in sizes:
            if getattr(self, name) < 1:
                raise BadInput(f"{self.kind}: {name} must be at least 1, found {getattr(self, name)}")


@dataclass(frozen=True)
class FeedForwardConfig:
    """Two linear maps with a non-linearity between them; gated activations have a third map."""

    hidden: int
    activation: Activation = "relu"
    bias: bool = True

    @property
    def gated(self) -> bool:
        """Whether the activation is multiplied by a second linear form."""
        return self.activation in ("reglu", "swiglu")


@dataclass(frozen=True)
class LayerConfig:
    """One layer: a mixer, a feed-forward part, or both; with neither it is a norm of the stream and nothing else."""

    mixer: MixerConfig | None
    feedforward: FeedForwardConfig | None = None
    residual: bool = False
    norm: Norm = "none"

    def __post_init__(self) -> None:
        if self.mixer is None and self.feedforward is None and (self.norm == "none" or self.residual):
            raise BadInput("a layer needs a mixer, a feed-forward part or both, or a norm without residual connection; found neither")


@dataclass(frozen=True)
class ReadoutConfig:
    """From the stream to logits."""

    targets: int
    norm: Norm = "none"
    bias: bool = True
    tied: bool = field(default=False, metadata={"left out": False})  # the word embedding reads out: logit of a token = <its embedding, x>

    def __post_init__(self) -> None:
        if self.tied and self.bias:
            raise BadInput("a read-out that is tied to the embedding has no bias: expected bias = false")


@dataclass(frozen=True)
class ModelConfig:
    """Everything but the numbers."""

    embedding: EmbeddingConfig
    layers: tuple[LayerConfig, ...]
    readout: ReadoutConfig
    width: int
    arithmetic: str = "float32"
    length: int = 0  # tokens of the longest input, prompt and chain together; 0 if there is no limit
    dropout: float = field(default=0.0, metadata={"described": False})  # only acts in training, so descriptions leave it out

    def __post_init__(self) -> None:
        for name, value, least in (("width", self.width, 1), ("targets", self.readout.targets, 1), ("length", self.length, 0)):
            if value < least:
                raise BadInput(f"model: {name} must be at least {least}, found {value}")
        if self.readout.tied and (self.embedding.reads != "tokens" or self.readout.targets != self.embedding.vocabulary):
            raise BadInput(
                f"a tied read-out has a target for each of {self.embedding.vocabulary} tokens that are read, found {self.readout.targets}"
            )
        if not 0 <= self.dropout < 1:
            raise BadInput(f"model: dropout must lie in [0, 1), found {self.dropout}")

    def inexact(self) -> str:
        """The first part without an exact form, for number formats that need one; empty if there is none."""
        for layer in self.layers:
            if layer.mixer is not None and layer.mixer.inexact:
                return layer.mixer.inexact
            if layer.feedforward is not None and layer.feedforward.activation not in EXACT_ACTIVATIONS:
                return layer.feedforward.activation
            if layer.norm != "none":
                return f"{layer.norm} norm"
        return "" if self.readout.norm == "none" else f"{self.readout.norm} norm"

"""MODEL of docs/certificates.md: every field is read once, checked against its bounds, and turned into the shapes of tensors.

Nothing is allocated here. Sizes are bounded so that products of a few of them stay small integers; `budget` limits what a model costs
to run.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from separatrix.checker.fields import require_fields, within
from separatrix.checker.models.mixers import Mixer, Shapes, read_mixer
from separatrix.checker.seal import Refused

MOST = 1 << 28  # any size: of a table, a layer, an input
INDEX = 1 << 31  # an address squares its index
LAYERS = 1000
ADDRESSES = ("sign", "quadratic", "one-hot", "table", "sinusoidal")
ACTIVATIONS = ("relu", "reglu", "gelu", "swiglu")
GATED = ("reglu", "swiglu")
NORMS = ("none", "layer", "rms")


@dataclass(frozen=True)
class Place:
    """An address of positions or of numbers, by the name of its tensors."""

    name: str
    address: str
    dims: int
    extent: int
    shift: int
    fold: int
    pointers: int
    projected: bool

    def shapes(self, width: int) -> Shapes:
        """The name and shape of each of its tensors."""
        tensors: Shapes = {f"{self.name}.weight": (self.dims, width)} if self.projected else {}
        if self.address == "sign":
            tensors[f"{self.name}.address.generator"] = (self.dims, self.extent)
        if self.address == "table":
            tensors[f"{self.name}.address.table"] = (self.extent, self.dims)
        return tensors | ({f"{self.name}.pointers": (self.pointers,)} if self.pointers else {})


@dataclass(frozen=True)
class Embedding:
    """Tokens and positions."""

    reads: str
    plain: int
    numbers: int
    number_address: Place | None
    places: tuple[Place, ...]
    gated: bool

    @property
    def rows(self) -> int:
        """Rows of the token table."""
        return self.plain + (self.numbers > 0)

    @property
    def vocabulary(self) -> int:
        """Input ids; coordinates of an input vector where vectors are read."""
        return self.plain + self.numbers

    @property
    def addresses(self) -> tuple[Place, ...]:
        """The addresses of positions, and of numbered tokens."""
        return (*self.places, self.number_address) if self.number_address else self.places

    def shapes(self, width: int) -> Shapes:
        """The name and shape of each of its tensors."""
        tensors: Shapes = {"embedding.table": (self.rows, width)}
        if self.gated:
            tensors["embedding.gate"] = (self.rows,)
        for place in self.addresses:
            tensors |= place.shapes(width)
        return tensors


@dataclass(frozen=True)
class FeedForward:
    """Two linear maps with a non-linearity between them."""

    hidden: int
    activation: str
    bias: bool

    @property
    def gated(self) -> bool:
        """Whether hidden units are multiplied by a second linear form."""
        return self.activation in GATED

    def shapes(self, width: int) -> Shapes:
        """The name and shape of each of its tensors."""
        tensors: Shapes = {"inner": (self.hidden, width), "outer": (width, self.hidden)}
        biases: Shapes = {"inner_bias": (self.hidden,), "outer_bias": (width,)}
        if self.gated:
            tensors["gate"], biases["gate_bias"] = (self.hidden, width), (self.hidden,)
        return tensors | (biases if self.bias else {})


@dataclass(frozen=True)
class Layer:
    """A mixer, a feed-forward part, a residual connection or none, a norm or none."""

    mixer: Mixer | None
    feedforward: FeedForward | None
    residual: bool
    norm: str


@dataclass(frozen=True)
class Readout:
    """From the stream to the logits."""

    targets: int
    norm: str
    bias: bool
    tied: bool = False  # whether the embedding of every token reads out


@dataclass(frozen=True)
class Description:
    """A model without its numbers."""

    arithmetic: str
    length: int
    width: int
    embedding: Embedding
    layers: tuple[Layer, ...]
    readout: Readout

    @property
    def causal(self) -> bool:
        """Whether no token's output depends on later tokens."""
        return all(layer.mixer is None or layer.mixer.causal for layer in self.layers)

    def shapes(self) -> Shapes:
        """Every tensor of the model, with its shape."""
        tensors = self.embedding.shapes(self.width)
        for i, layer in enumerate(self.layers):
            norms = ("before_mixing",) * (layer.mixer is not None) + ("before_feedforward",) * (layer.feedforward is not None)
            for name in norms:
                tensors |= _norm(layer.norm, f"layers.{i}.{name}", self.width)
            if layer.mixer is not None:
                tensors |= {f"layers.{i}.mixer.{name}": shape for name, shape in layer.mixer.shapes(self.width).items()}
            if layer.feedforward is not None:
                tensors |= {f"layers.{i}.feedforward.{name}": shape for name, shape in layer.feedforward.shapes(self.width).items()}
        tensors |= _norm(self.readout.norm, "readout.norm", self.width)
        if not self.readout.tied:
            tensors["readout.weight"] = (self.readout.targets, self.width)
        return tensors | ({"readout.bias": (self.readout.targets,)} if self.readout.bias else {})


def read_description(document: Any) -> Description:
    """MODEL, with every field in its bounds."""
    require_fields(document, "model", arithmetic=str, length=int, width=int, embedding=dict, layers=list, readout=dict)
    width = within(document["width"], 1, MOST, "model.width")
    length = within(document["length"], 1, MOST, "model.length")
    within(len(document["layers"]), 1, LAYERS, "model.layers")
    embedding = _embedding(document["embedding"], width)
    layers = tuple(_layer(layer, f"layers.{i}", width) for i, layer in enumerate(document["layers"]))
    tied = isinstance(document["readout"], dict) and "tied" in document["readout"]
    readout = require_fields(document["readout"], "readout", targets=int, norm=str, bias=bool, **({"tied": bool} if tied else {}))
    within(readout["targets"], 1, MOST, "readout.targets")
    _one_of(readout["norm"], NORMS, "readout.norm")
    if tied and (not readout["tied"] or readout["bias"] or embedding.reads != "tokens" or readout["targets"] != embedding.vocabulary):
        raise Refused(f"readout: tied is true without a bias and with {embedding.vocabulary} targets, the tokens that are read, or absent")
    return Description(document["arithmetic"], length, width, embedding, layers, Readout(**readout))


def _embedding(document: Any, width: int) -> Embedding:
    e = require_fields(
        document, "embedding", reads=str, plain=int, numbers=int, number_address=(dict, type(None)), places=list, gated=bool
    )  # fmt: skip
    _one_of(e["reads"], ("tokens", "vectors"), "embedding.reads")
    within(e["plain"], 0, MOST, "embedding.plain")
    within(e["numbers"], 0, MOST, "embedding.numbers")
    within(e["plain"] + e["numbers"], 1, MOST, "embedding.plain + embedding.numbers")
    within(len(e["places"]), 0, LAYERS, "embedding.places")
    number = None if e["number_address"] is None else _place(e["number_address"], "embedding.number", width)
    if number is not None and not e["numbers"]:
        raise Refused("embedding.number_address: there are no numbers to address")
    if e["reads"] == "vectors" and (e["numbers"] or e["gated"]):
        raise Refused("embedding: vectors have no numbered tokens and no gate")
    places = tuple(_place(place, f"embedding.places.{i}", width) for i, place in enumerate(e["places"]))
    return Embedding(e["reads"], e["plain"], e["numbers"], number, places, e["gated"])


def _place(document: Any, name: str, width: int) -> Place:
    require_fields(document, name, address=str, dims=int, extent=int, shift=int, fold=int, pointers=int, projected=bool)
    _one_of(document["address"], ADDRESSES, f"{name}.address")
    for key, least, most in (("dims", 1, MOST), ("extent", 0, MOST), ("pointers", 0, MOST), ("shift", -INDEX, INDEX), ("fold", 0, INDEX)):
        within(document[key], least, most, f"{name}.{key}")
    if document["address"] == "quadratic" and document["dims"] != 2:
        raise Refused(f"{name}.dims: expected 2, found {document['dims']}")
    if document["address"] == "sign":
        within(document["extent"], 1, 62, f"{name}.extent")
    elif document["address"] == "table":
        within(document["extent"], 1, MOST, f"{name}.extent")
    elif document["extent"]:
        raise Refused(f"{name}.extent: expected 0, a {document['address']} address stores nothing, found {document['extent']}")
    if not document["projected"] and document["dims"] != width:
        raise Refused(f"{name}.dims: expected the width {width}, found {document['dims']}")
    if document["pointers"] and (document["shift"] or document["fold"]):
        raise Refused(f"{name}: a place with pointers has neither shift nor fold")
    return Place(name, **document)


def _layer(document: Any, where: str, width: int) -> Layer:
    require_fields(document, where, mixer=(dict, type(None)), feedforward=(dict, type(None)), residual=bool, norm=str)
    _one_of(document["norm"], NORMS, f"{where}.norm")
    mixer = None if document["mixer"] is None else read_mixer(document["mixer"], f"{where}.mixer", width)
    part = document["feedforward"]
    if mixer is None and part is None:
        raise Refused(f"{where}: expected a mixer, a feed-forward part or both")
    return Layer(mixer, None if part is None else _feedforward(part, f"{where}.feedforward"), document["residual"], document["norm"])


def _feedforward(document: Any, where: str) -> FeedForward:
    require_fields(document, where, hidden=int, activation=str, bias=bool)
    within(document["hidden"], 1, MOST, f"{where}.hidden")
    _one_of(document["activation"], ACTIVATIONS, f"{where}.activation")
    return FeedForward(**document)


def _norm(kind: str, name: str, width: int) -> Shapes:
    if kind == "none":
        return {}
    shapes: Shapes = {f"{name}.weight": (width,)}
    return shapes | ({f"{name}.bias": (width,)} if kind == "layer" else {})


def _one_of(value: str, allowed: tuple[str, ...], where: str) -> None:
    if value not in allowed:
        raise Refused(f"{where}: expected one of {', '.join(allowed)}, found {value!r:.80}")

"""A model's description is the JSON of docs/certificates.md, field by field, and nothing else is read back."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from separatrix.errors import BadInput
from separatrix.models.config import EmbeddingConfig, FeedForwardConfig, LayerConfig, ModelConfig, PlaceConfig, ReadoutConfig
from separatrix.models.decoders import DECODERS
from separatrix.models.decoders.greedy import Greedy
from separatrix.models.decoders.position import Position, Positions
from separatrix.models.decoders.rounding import Rounding
from separatrix.models.description import config_class, read_decoder, read_model, written
from separatrix.models.masks import BlockSparse, Window
from separatrix.models.mixers import MIXERS
from separatrix.models.mixers.attention import AttentionConfig
from separatrix.models.mixers.lstm import lstm
from separatrix.models.mixers.register_file import RegisterFileConfig

CONFIG = ModelConfig(
    embedding=EmbeddingConfig(3, 4, PlaceConfig("sign", 2, 3), (PlaceConfig("quadratic", 2, shift=1),), gated=True),
    layers=(
        LayerConfig(AttentionConfig(2, 3, 1, "hard", BlockSparse(4, 2, 1)), FeedForwardConfig(5, "reglu"), residual=True),
        LayerConfig(AttentionConfig(1, 2, 2, mask=Window(7)), None),
        LayerConfig(None, FeedForwardConfig(1, bias=False), norm="rms"),
        LayerConfig(lstm()),
        LayerConfig(RegisterFileConfig(1, 2, 3, 4, 0, 5)),
    ),
    readout=ReadoutConfig(6, "layer", bias=False),
    width=8,
    arithmetic="float64",
    length=9,
    dropout=0.5,
)
# written by hand from the page
DOCUMENT: dict[str, Any] = {
    "arithmetic": "float64", "length": 9, "width": 8,
    "embedding": {
        "reads": "tokens", "plain": 3, "numbers": 4,
        "number_address": {"address": "sign", "dims": 2, "extent": 3, "shift": 0, "fold": 0, "pointers": 0, "projected": True},
        "places": [{"address": "quadratic", "dims": 2, "extent": 0, "shift": 1, "fold": 0, "pointers": 0, "projected": True}],
        "gated": True,
    },
    "layers": [
        {
            "mixer": {
                "kind": "attention", "scores": "hard", "mask": {"kind": "block-sparse", "block": 4, "local": 2, "global": 1},
                "heads": 2, "key_width": 3, "value_width": 1, "scaled": False, "bias": False, "rotary": False,
            },
            "feedforward": {"hidden": 5, "activation": "reglu", "bias": True}, "residual": True, "norm": "none",
        },
        {
            "mixer": {
                "kind": "attention", "scores": "softmax", "mask": {"kind": "window", "size": 7},
                "heads": 1, "key_width": 2, "value_width": 2, "scaled": False, "bias": False, "rotary": False,
            },
            "feedforward": None, "residual": False, "norm": "none",
        },
        {"mixer": None, "feedforward": {"hidden": 1, "activation": "relu", "bias": False}, "residual": False, "norm": "rms"},
        {"mixer": {"kind": "lstm"}, "feedforward": None, "residual": False, "norm": "none"},
        {
            "mixer": {"kind": "register-file", "registers": 1, "scratch": 2, "writes": 3, "rows": 4, "numbers": 0, "length": 5},
            "feedforward": None, "residual": False, "norm": "none",
        },
    ],
    "readout": {"targets": 6, "norm": "layer", "bias": False},
}  # fmt: skip


def test_a_description_has_the_fields_of_the_page() -> None:
    assert written(CONFIG) == DOCUMENT


def test_a_description_is_read_back() -> None:
    again = read_model(json.loads(json.dumps(DOCUMENT)))
    assert written(again) == DOCUMENT
    assert again.layers == CONFIG.layers
    assert again.dropout == 0.0  # of training alone


def holders(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every object of a document, by its path."""
    result = [path] if isinstance(value, dict) else []
    for key, part in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        result += holders(part, (*path, key))
    return result


def at(document: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        document = document[key]
    return document


def test_an_unknown_or_missing_key_is_refused_in_every_object() -> None:
    met = 0
    for path in holders(DOCUMENT):
        added = copy.deepcopy(DOCUMENT)
        at(added, path)["more"] = 1
        with pytest.raises(BadInput, match="has no field 'more'"):
            read_model(added)
        for key in at(DOCUMENT, path):
            lacking = copy.deepcopy(DOCUMENT)
            del at(lacking, path)[key]
            with pytest.raises(BadInput, match=f"lacks the field '{key}'|expected an object with a kind"):
                read_model(lacking)
            met += 1
    assert met > 80


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        (("width",), 8.0, "^model.width: expected int, found 8.0$"),
        (("width",), True, "^model.width: expected int, found True$"),
        (("width",), "8", "^model.width: expected int, found '8'$"),
        (("arithmetic",), 64, "^model.arithmetic: expected str, found 64$"),
        (("embedding", "gated"), 1, "^model.embedding.gated: expected bool, found 1$"),
        (("embedding", "reads"), "pixels", "^model.embedding.reads: expected one of tokens, vectors, found 'pixels'$"),
        (("layers",), {}, "^model.layers: expected a list, found {}$"),
        (("layers", 0), None, r"^model.layers\[0\]: expected an object, found None$"),
        (("layers", 0, "mixer"), "lstm", r"^model.layers\[0\].mixer: expected an object with a kind, found 'lstm'$"),
        (("layers", 0, "mixer", "kind"), "hyena", r"^model.layers\[0\].mixer: unknown mixer 'hyena': expected one of attention, "),
        (
            ("layers", 1, "mixer", "kind"),
            "window",
            "^unknown mixer 'window': window is a name for training; descriptions call it attention$",
        ),
        (
            ("layers", 3, "mixer", "mask"),
            {"kind": "causal"},
            r"^model.layers\[3\].mixer lstm has no field 'mask': expected exactly \(none\)$",
        ),
        (("layers", 1, "mixer", "mask", "kind"), "tree", r"unknown mask 'tree': expected one of all, causal, window, block-sparse$"),
        (("layers", 1, "mixer", "mask", "size"), 0, "^mask window: size must be at least 1"),
        (("layers", 0, "mixer", "heads"), 0, "^attention: heads must be at least 1, found 0$"),
        (("layers", 0, "feedforward", "activation"), "tanh", "expected one of relu, reglu, gelu, swiglu, found 'tanh'$"),
        (("readout", "norm"), None, "^model.readout.norm: expected one of none, layer, rms, found None$"),
    ],
)
def test_what_is_no_description_is_refused_in_one_line(path: tuple[Any, ...], value: Any, says: str) -> None:
    document = copy.deepcopy(DOCUMENT)
    at(document, path[:-1])[path[-1]] = value
    with pytest.raises(BadInput, match=says) as refusal:
        read_model(document)
    assert "\n" not in str(refusal.value)


def test_the_kind_of_a_mixer_is_its_name_in_the_table() -> None:
    kinds = {name for name in MIXERS if name not in ("window", "block-sparse")}
    assert {config_class(kind).kind for kind in kinds} == kinds


@pytest.mark.parametrize(
    ("decoder", "document"),
    [
        (Position(), {"kind": "position"}),
        (Positions(), {"kind": "positions"}),
        (Greedy(stop=3, limit=20), {"kind": "greedy", "stop": 3, "limit": 20}),
        (Rounding(limit=7), {"kind": "rounding", "limit": 7}),
    ],
)
def test_a_decoder_is_described_and_read_back(decoder: Any, document: dict[str, Any]) -> None:
    assert written(decoder) == document
    assert read_decoder(document) == decoder


def test_what_is_no_decoder_is_refused() -> None:
    assert len(DECODERS) == 5
    for document, says in (
        ({"kind": "beam"}, "^decoder: unknown decoder 'beam': expected one of position, positions, greedy, retrieval, rounding$"),
        ({"kind": "greedy", "limit": 3}, "^decoder greedy lacks the field 'stop': expected exactly stop, limit$"),
        ({"kind": "position", "stop": 3}, r"^decoder position has no field 'stop': expected exactly \(none\)$"),
        ("greedy", "^decoder: expected an object with a kind, found 'greedy'$"),
    ):
        with pytest.raises(BadInput, match=says):
            read_decoder(document)

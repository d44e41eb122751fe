"""MODEL is read field by field: sizes are bounded before anything of that size exists, and nothing unknown passes."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from separatrix.checker.models.description import MOST, read_description
from separatrix.checker.models.mixers import read_mixer
from separatrix.checker.seal import Refused
from tests.checker.kinds.forgery import edited, objects
from tests.checker.models.small import ATTENTION, PLACE, document, layer, place

WHOLE = document(layers=[layer(), layer({"kind": "linear-rnn", "state": 2}, None)])
SIZES = [
    *((key,) for key in ("width", "length")),
    ("readout", "targets"),
    *(("embedding", key) for key in ("plain", "numbers")),
    *(("embedding", where, key) for where in ("number_address",) for key in ("dims", "extent", "pointers", "shift", "fold")),
    *(("embedding", "places", 0, key) for key in ("dims", "extent", "pointers", "shift", "fold")),
    *(("layers", 0, "mixer", key) for key in ("heads", "key_width", "value_width")),
    ("layers", 0, "feedforward", "hidden"),
    ("layers", 1, "mixer", "state"),
]


def test_a_description_calls_for_its_tensors() -> None:
    result = read_description(document(width=10, layers=[layer(norm="layer")], readout={"norm": "rms"})).shapes()
    assert result["embedding.table"] == (4, 10)  # three ids and the row that all numbers share
    assert result["embedding.gate"] == (4,)
    assert result["embedding.number.weight"] == (2, 10)
    assert result["embedding.places.0.address.generator"] == (2, 3)
    assert result["layers.0.mixer.key"] == (4, 10)
    assert result["layers.0.mixer.out"] == (10, 2)
    assert result["layers.0.feedforward.gate"] == (2, 10)
    assert result["layers.0.before_mixing.bias"] == (10,)
    assert result["readout.norm.weight"] == (10,)
    assert "readout.norm.bias" not in result
    assert result["readout.bias"] == (2,)
    assert len(result) == 23  # 2 of tokens, 2 of each place, 4 of attention, 6 of the feed-forward part, 4 + 1 of norms, 2 of the read-out


@pytest.mark.parametrize("path", SIZES, ids=lambda path: ".".join(map(str, path)))
@pytest.mark.parametrize("value", [MOST + 1, 10**30, -(10**30)])
def test_no_size_may_be_absurd(path: tuple[Any, ...], value: int) -> None:
    if path[-1] in ("shift", "fold"):
        value *= 100  # positions may be larger than arrays
    with pytest.raises(Refused, match=rf"{path[-1]}: expected -?\d+..\d+, found {value}"):
        read_description(edited(WHOLE, path, value))


@pytest.mark.parametrize("path", [path for path in SIZES if path[-1] in ("width", "length", "dims", "heads", "key_width", "value_width",
                                                                        "targets", "state", "hidden")])  # fmt: skip
def test_no_dimension_is_zero(path: tuple[Any, ...]) -> None:
    with pytest.raises(Refused, match=rf"{path[-1]}: expected 1"):
        read_description(edited(WHOLE, path, 0))


@pytest.mark.parametrize("path", SIZES, ids=lambda path: ".".join(map(str, path)))
@pytest.mark.parametrize("value", [True, 8.0, "8", None])
def test_a_size_is_an_integer(path: tuple[Any, ...], value: Any) -> None:
    with pytest.raises(Refused, match=rf"{path[-1]}: expected int, found"):
        read_description(edited(WHOLE, path, value))


def test_an_unknown_key_is_refused_in_every_object() -> None:
    masked = {**ATTENTION, "mask": {"kind": "block-sparse", "block": 2, "local": 1, "global": 1}}
    whole = document(layers=[layer(masked), layer({"kind": "linear-rnn", "state": 2})])
    met = 0
    for path in objects(whole):
        changed = copy.deepcopy(whole)
        holder: Any = changed
        for key in path:
            holder = holder[key]
        holder["note"] = 1
        with pytest.raises(Refused, match="unknown field 'note'"):
            read_description(changed)
        for key in list(holder):
            if key not in ("note", "kind"):
                lacking = copy.deepcopy(whole)
                other: Any = lacking
                for step in path:
                    other = other[step]
                del other[key]
                with pytest.raises(Refused, match=f"missing field {key!r}"):
                    read_description(lacking)
                met += 1
    assert met > 40


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (("layers",), [], r"^model.layers: expected 1\.\.1000, found 0$"),
        (("layers", 0, "mixer", "kind"), "hyena", r"^layers.0.mixer: expected the kind attention, .*, found 'hyena'$"),
        (("layers", 0, "mixer", "kind"), 3, r"^layers.0.mixer: expected the kind"),
        (("layers", 0, "mixer", "scores"), "sigmoid", r"^layers.0.mixer.scores: expected one of softmax, hard, uniform"),
        (("layers", 0, "mixer", "mask"), {"kind": "future"}, r"^layers.0.mixer.mask: expected the kind all, causal, window, block-sparse"),
        (("layers", 0, "mixer", "mask"), {"kind": "window", "size": 0}, r"mask.size: expected 1"),
        (("layers", 0, "mixer", "mask"), {"kind": "block-sparse", "block": 2, "local": 1, "global": 3}, r"mask.global: expected 0\.\.2"),
        (("layers", 0, "feedforward", "activation"), "tanh", r"activation: expected one of relu, reglu, gelu, swiglu, found 'tanh'"),
        (("layers", 0, "norm"), "group", r"^layers.0.norm: expected one of none, layer, rms"),
        (("embedding", "reads"), "bytes", r"^embedding.reads: expected one of tokens, vectors"),
        (("embedding", "reads"), "vectors", r"^embedding: vectors have no numbered tokens and no gate$"),
        (("embedding", "numbers"), 0, r"^embedding.number_address: there are no numbers to address$"),
        (("embedding", "places"), [place("quadratic", dims=4)], r"^embedding.places.0.dims: expected 2, found 4$"),
        (("embedding", "places"), [place("one-hot", extent=1)], r"expected 0, a one-hot address stores nothing"),
        (("embedding", "places"), [place("sign", extent=63)], r"extent: expected 1\.\.62"),
        (("embedding", "places"), [{**PLACE, "projected": False}], r"^embedding.places.0.dims: expected the width 3, found 2$"),
        (("embedding", "places"), [{**PLACE, "pointers": 2, "fold": 3}], r"a place with pointers has neither shift nor fold$"),
        (("layers", 0), {"mixer": None, "feedforward": None, "residual": True, "norm": "none"}, r"expected a mixer, a feed-forward"),
    ],
)  # fmt: skip
def test_what_makes_no_model_is_refused(path: tuple[Any, ...], value: Any, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        read_description(edited(WHOLE, path, value))


def test_rotary_positions_need_pairs() -> None:
    with pytest.raises(Refused, match=r"rotary positions need an even key width, found 3$"):
        read_description(document(layers=[layer({**ATTENTION, "rotary": True, "key_width": 3})]))


@pytest.mark.parametrize(("key_width", "even"), [(1, False), (2, True), (3, False), (4, True)])
def test_keys_of_retention_have_an_even_width(key_width: int, even: bool) -> None:
    retention = {"kind": "retnet", "heads": 1, "key_width": key_width, "value_width": 1}
    if even:
        assert read_mixer(retention, "mixer", 4).shapes(4)["key"] == (key_width, 4)
    else:
        with pytest.raises(Refused, match=f"mixer.key_width: rotary positions need an even number, found {key_width}"):
            read_mixer(retention, "mixer", 4)

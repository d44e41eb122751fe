"""Sizes of a configuration are bounded before anything of that size exists."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from separatrix.checker.seal import Refused
from separatrix.checker.shapes import MOST, check_config, shapes, widest

PLACE = {"address": "sign", "dims": 4, "extent": 5, "shift": 0, "fold": 0, "pointers": 0, "projected": True}
CONFIG: dict[str, Any] = {
    "embedding": {"plain": 3, "numbers": 7, "number_address": PLACE, "places": [PLACE], "gated": True},
    "targets": 3, "width": 10, "layers": [{"heads": 2, "key_width": 4, "value_width": 3, "hidden": 6, "attention": "softmax"}],
    "causal": False, "residual": False, "activation": "reglu", "norm": "none", "scaled": False, "attention_bias": False,
    "feedforward_bias": True, "rotary": False, "dropout": 0.0, "arithmetic": "fixed:9,3", "length": 8,
}  # fmt: skip
SIZES = [
    *((key,) for key in ("targets", "width", "length")),
    *(("embedding", key) for key in ("plain", "numbers")),
    *(("embedding", "number_address", key) for key in ("dims", "extent", "pointers", "shift", "fold")),
    *(("embedding", "places", 0, key) for key in ("dims", "extent", "pointers", "shift", "fold")),
    *(("layers", 0, key) for key in ("heads", "key_width", "value_width", "hidden")),
]


def changed(path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    config = copy.deepcopy(CONFIG)
    holder: Any = config
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    return config


def test_a_configuration_calls_for_its_tensors() -> None:
    assert check_config(CONFIG) == CONFIG
    found = shapes(CONFIG)
    assert found["embedding.table"] == (4, 10)  # three ids and the row that all numbers share
    assert found["embedding.places.0.address.generator"] == (4, 5)
    assert found["layers.0.attention.key"] == (8, 10)
    assert found["layers.0.attention.out"] == (10, 6)
    assert found["layers.0.feedforward.gate"] == (6, 10)
    assert found["unembedding_bias"] == (3,)
    assert len(found) == 18  # 2 of tokens, 2 of each place, 4 of attention, 6 of the gated feed-forward part, 2 of the read-out
    assert widest(CONFIG) == 10


@pytest.mark.parametrize("path", SIZES, ids=lambda path: ".".join(map(str, path)))
@pytest.mark.parametrize("value", [MOST + 1, 10**30, -(10**30)])
def test_no_size_may_be_absurd(path: tuple[Any, ...], value: int) -> None:
    if path[-1] in ("shift", "fold"):
        value *= 100  # positions may be larger than arrays
    with pytest.raises(Refused, match=rf"{path[-1]}: expected -?\d+..\d+, found {value}"):
        check_config(changed(path, value))


@pytest.mark.parametrize("path", [path for path in SIZES if path[-1] in ("width", "dims", "heads", "key_width", "value_width", "targets")])
def test_no_dimension_is_zero(path: tuple[Any, ...]) -> None:
    with pytest.raises(Refused, match=rf"{path[-1]}: expected 1"):
        check_config(changed(path, 0))


def test_sizes_that_are_small_one_by_one_may_not_multiply_into_a_large_model() -> None:
    with pytest.raises(Refused, match=r"^weights of the model: expected 1..268435456, found \d+$"):
        check_config(changed(("layers",), [{"heads": 1 << 14, "key_width": 1 << 14, "value_width": 1, "hidden": 0, "attention": "hard"}]))


def test_an_address_has_the_dimensions_of_its_kind() -> None:
    with pytest.raises(Refused, match=r"^embedding.places.0.dims: expected 2, found 4$"):
        check_config(changed(("embedding", "places"), [{**PLACE, "address": "quadratic"}]))
    with pytest.raises(Refused, match=r"^embedding.number.dims: expected the width 10, found 4$"):
        check_config(changed(("embedding", "number_address"), {**PLACE, "projected": False}))


@pytest.mark.parametrize(("key", "value"), [("norm", "layer"), ("scaled", True), ("rotary", True), ("attention_bias", True),
                                            ("dropout", 0.1), ("activation", "gelu"), ("feedforward_bias", False)])  # fmt: skip
def test_models_that_the_checker_cannot_run_are_refused(key: str, value: Any) -> None:
    with pytest.raises(Refused, match=r"^the checker runs plain Transformers"):
        check_config({**CONFIG, key: value})

"""Sizes count everything that is stored, and what crosses between tokens."""

from __future__ import annotations

from typing import Any

import pytest

from separatrix.checker.models.description import read_description
from separatrix.checker.models.sizes import SIZES, sizes, state_bits
from tests.checker.models.small import ATTENTION, document, layer, model, place


def test_sizes_by_hand() -> None:
    result = sizes(model(document("fixed:12,4", embedding={"places": [place("sign", pointers=4), place("table", extent=40)]})))
    assert list(result) == list(SIZES)
    weights = 4 * 3 + 4 + 2 * 3 + 2 * 3 + 2 * 3 + 40 * 2 + 2 * 4 * 3 + 2 * 3 + 3 * 2 + (2 * 3 + 2) * 2 + 3 * 2 + 3 + 2 * 3 + 2
    integers = 4 * 3  # four pointers up to 5, of three bits
    bits = 2 * 3 + 2 * 3  # two generators
    assert result["parameter_bits"] == 12 * weights + integers + bits
    assert result["representation_bits"] == result["parameter_bits"] + 12 * 3 * (2 + 40)  # two numbers and forty positions, of width 3
    shape = ("layers", "heads", "width", "key_width", "value_width", "hidden", "state_bits", "precision_bits")
    assert [result[key] for key in shape] == [1, 2, 3, 2, 1, 2, None, 12]


@pytest.mark.parametrize(
    ("mixer", "bits"),
    [
        (ATTENTION, None),
        ({**ATTENTION, "mask": {"kind": "all"}}, None),
        ({**ATTENTION, "mask": {"kind": "block-sparse", "block": 2, "local": 1, "global": 1}}, None),
        ({**ATTENTION, "mask": {"kind": "window", "size": 5}}, 4 * 2 * (2 + 1) * 10),  # keys and values of the four tokens before
        ({"kind": "linear-rnn", "state": 7}, 70),
        ({"kind": "lstm"}, 2 * 3 * 10),
        ({"kind": "deltanet", "heads": 2, "key_width": 3, "value_width": 5, "convolution": 4, "negative": False}, (30 + 3 * 22) * 10),
        ({"kind": "mamba2", "heads": 2, "head_width": 3, "groups": 1, "state": 5, "convolution": 3}, (30 + 2 * 16) * 10),
        ({"kind": "mamba", "inner": 4, "state": 3, "convolution": 1, "rank": 1}, 12 * 10),
        ({"kind": "retnet", "heads": 2, "key_width": 2, "value_width": 3}, 12 * 10),
        (None, 0),
    ],
)
def test_bits_of_state_are_those_that_cross_between_tokens(mixer: Any, bits: int | None) -> None:
    assert state_bits(read_description(document(layers=[layer(mixer)])), 10) == bits
    two = [layer({"kind": "linear-rnn", "state": 2}), layer(mixer)]
    cache = 2 * (2 + 1) * 10 * 40  # keys and values of all forty tokens, where a layer beside them is recurrent
    assert state_bits(read_description(document(layers=two)), 10) == (cache if bits is None else bits) + 20

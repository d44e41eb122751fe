"""Registers in an LSTM and in a GRU, against the oracle; the latest label of a key wins."""

from __future__ import annotations

import numpy as np
import pytest

from separatrix.certificates.verify import verify
from separatrix.checker import check_text
from separatrix.constructions import build
from separatrix.errors import BadInput
from tests.constructions.named.running import all_right, every_input_right, logits

NAMES = ("mqar/lstm", "associative-recall/lstm", "mqar/gru", "associative-recall/gru")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("arithmetic", ["float64", "float32"])
def test_labels_are_recalled(name: str, arithmetic: str) -> None:
    for chosen in ({"length": 12}, {"length": 6, "labels": 5}, {"length": 4, "symbols": 23, "labels": 3}, {"length": 2, "symbols": 2}):
        assert all_right(build(name, arithmetic=arithmetic, **chosen)), chosen
    assert every_input_right(build(name, length=2, labels=3, arithmetic=arithmetic))


@pytest.mark.parametrize("name", ["mqar/lstm", "mqar/gru"])
def test_the_latest_label_of_a_key_wins(name: str) -> None:
    built = build(name, length=12, labels=3)
    rng, S = np.random.default_rng(0), built.task.keys
    keys, labels = rng.integers(0, 4, (60, 11)), rng.integers(0, 3, (60, 11))  # four keys, again and again
    tokens = np.stack([keys, S + labels], axis=2).reshape(60, 22)
    tokens = np.concatenate([tokens, keys[:, :1]], axis=1)
    latest = [labels[i][np.flatnonzero(keys[i] == keys[i, 0])[-1]] for i in range(60)]
    assert logits(built, tokens)[:, -1].argmax(dim=-1).tolist() == latest
    assert len({*latest}) == 3


@pytest.mark.parametrize("name", NAMES)
def test_each_digit_of_the_key_before_is_needed(name: str) -> None:
    for digit in (-1, -4):  # a bucket, a slot
        built = build(name, length=12)
        kernel = built.model.state_dict()["layers.0.mixer.kernel.weight_hh_l0"]
        kernel[:, digit] = 0
        assert not all_right(built), digit


@pytest.mark.parametrize("name", ["mqar/lstm", "mqar/gru"])
def test_a_hundredth_of_the_gain_is_too_little(name: str) -> None:
    built = build(name, length=12)
    for key, tensor in built.model.state_dict().items():
        if ".kernel." in key:
            tensor.mul_(0.01)
    assert not all_right(built)


def test_too_many_keys_are_refused() -> None:
    with pytest.raises(BadInput, match=r"^mqar/lstm: 20000 keys need 20283 units, more than 16384: expected fewer keys$"):
        build("mqar/lstm", length=12, symbols=20000)


@pytest.mark.parametrize("name", ["mqar/gru", "associative-recall/gru"])
def test_small_sizes_are_certified(name: str) -> None:
    verdict = check_text(verify(build(name, length=4 if name.startswith("mqar") else 2)).to_json())
    assert (verdict.holds, verdict.strength) == (True, "proven"), verdict.reason


def test_the_second_layer_of_a_gru_selects() -> None:
    """Without the digits of the query all registers are read at once."""
    built = build("mqar/gru", length=12)
    weights = built.model.state_dict()
    S = built.task.keys
    weights["layers.1.mixer.kernel.weight_ih_l0"][:, S:] = 0
    weights["layers.1.mixer.kernel.bias_ih_l0"][2 * len(weights["readout.weight"][0]) :] = 0
    assert not all_right(built)

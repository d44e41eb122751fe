"""Registers in an LSTM and in a GRU, against the oracle; the latest label of a key wins."""

from __future__ import annotations

import numpy as np
import pytest

from separatrix.certificates.verify import verify
from separatrix.checker import check_text
from separatrix.constructions import build, construction
from separatrix.constructions.named.recall_cells import MOST, Registers
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
            tensor.mul_(0.0005)
    assert not all_right(built)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("arithmetic", ["float64", "float32"])
def test_layers_share_the_keys(name: str, arithmetic: str) -> None:
    for chosen in ({"length": 12, "layers": 3}, {"length": 6, "labels": 5, "layers": 4}, {"length": 4, "symbols": 23, "layers": 7}):
        built = build(name, arithmetic=arithmetic, **chosen)
        assert len(built.model.config.layers) == chosen["layers"]
        assert all_right(built), chosen
    assert every_input_right(build(name, length=2, labels=3, layers=3, arithmetic=arithmetic))


@pytest.mark.parametrize(("name", "first", "keys"), [("mqar/lstm", 1, 4), ("mqar/gru", 1, 6)])
def test_each_layer_remembers_its_own_keys(name: str, first: int, keys: int) -> None:
    """Registers of the middle layer that forget lose their keys, and no others."""
    built = build(name, length=12, layers=3)
    task, weights = built.task, built.model.state_dict()
    shut = weights[f"layers.{first}.mixer.kernel.weight_hh_l0"]
    shut.zero_()  # no digit of the key before: nothing is written
    batch = task.sample(5, 200)
    right = logits(built, batch.tokens).argmax(dim=-1).numpy() == batch.targets
    asked = np.where(batch.mask, batch.tokens, -1)
    lost = {int(key) for key in np.unique(asked[batch.mask & ~right])}
    assert lost == set(range(first * keys, min((first + 1) * keys, task.keys)))


def test_what_a_layer_found_is_passed_on() -> None:
    for name in ("mqar/lstm", "mqar/gru"):
        built = build(name, length=12, layers=4)
        at = Registers(name.partition("/")[2], 4, built.task.keys, built.task.labels)
        built.model.state_dict()["layers.3.mixer.kernel.weight_ih_l0"].view(-1, at.width, at.width)[:, at.found] = 0
        assert not all_right(built), name


def test_layers_that_do_not_fit_are_refused_with_those_that_do() -> None:
    message = r"^mqar/lstm with 8192 keys in 1 layers needs 629,691,306 weights, more than 67,108,864: 17 to 64 layers fit$"
    with pytest.raises(BadInput, match=message):
        build("mqar/lstm", length=8192, layers=1)
    with pytest.raises(BadInput, match=r"expected layers between 2 and 64, or 0 for as few as fit, found 1$"):
        build("mqar/gru", length=12, layers=1)
    with pytest.raises(BadInput, match=r"^mqar/gru with 20000 keys needs [\d,]+ weights in up to 64 layers, more than 67,108,864:"):
        build("mqar/gru", length=12, symbols=20000)


def test_weights_are_counted_as_they_are_built() -> None:
    for cell, layers in (("lstm", 1), ("lstm", 3), ("gru", 2), ("gru", 4)):
        built = build(f"mqar/{cell}", length=12, labels=3, layers=layers)
        at = Registers(cell, layers, built.task.keys, 3)
        assert at.weights == sum(tensor.numel() for tensor in built.model.parameters())


def test_recall_of_8192_keys_fits_into_memory() -> None:
    sizes = construction("mqar/lstm").sizes({"length": 8192})
    assert sizes is not None
    assert (sizes["layers"], Registers("lstm", sizes["layers"], 8192, 2).weights <= MOST) == (17, True)
    assert Registers("lstm", 16, 8192, 2).weights > MOST


@pytest.mark.parametrize("name", ["mqar/gru", "associative-recall/gru", "mqar/lstm"])
def test_small_sizes_are_certified(name: str) -> None:
    for layers in (0, 3):
        verdict = check_text(verify(build(name, length=4 if name.startswith("mqar") else 2, layers=layers)).to_json())
        assert (verdict.holds, verdict.strength) == (True, "proven"), verdict.reason


def test_the_second_layer_of_a_gru_selects() -> None:
    """Without the digits of the query all registers are read at once."""
    built = build("mqar/gru", length=12)
    weights = built.model.state_dict()
    S = built.task.keys
    weights["layers.1.mixer.kernel.weight_ih_l0"][:, S:] = 0
    weights["layers.1.mixer.kernel.bias_ih_l0"][2 * len(weights["readout.weight"][0]) :] = 0
    assert not all_right(built)

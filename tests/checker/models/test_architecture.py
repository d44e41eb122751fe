"""The class of a model is read off its description, whatever its author calls it."""

from __future__ import annotations

from typing import Any

import pytest

from separatrix.architectures import Architecture, architecture_named
from separatrix.checker import check_document
from separatrix.checker.models.architecture import architecture
from separatrix.constructions import CONSTRUCTIONS, build, construction
from tests.checker.kinds.forgery import edited
from tests.checker.kinds.programs import consistent, honest
from tests.checker.replay.small_models import attention
from tests.described import describe_model

SOFT, HARD, NONE = attention(), attention(scores="hard"), {"mixer": None}
WINDOW, SPARSE = (
    attention(mask={"kind": "window", "size": 3}),
    attention(mask={"kind": "block-sparse", "block": 2, "local": 1, "global": 1}),
)
LSTM, RNN = {"mixer": {"kind": "lstm"}}, {"mixer": {"kind": "linear-rnn", "state": 2}}
DELTA = {"mixer": {"kind": "deltanet", "negative": True}}


@pytest.mark.parametrize(
    ("layers", "name"),
    [
        ([SOFT], "transformer-1-layer"),
        ([SOFT, NONE], "transformer-1-layer"),
        ([SOFT, NONE, SOFT], "transformer-2-layers"),
        ([SOFT] * 12, "transformer-12-layers"),
        ([attention(scores="uniform")], "transformer-1-layer"),
        ([attention(mask={"kind": "causal"}), WINDOW], "transformer-2-layers"),
        ([HARD, HARD], "hard-attention"),
        ([HARD, SOFT], "mixed-attention"),
        ([WINDOW, WINDOW], "window"),
        ([WINDOW, SPARSE], "block-sparse"),
        ([LSTM, LSTM], "lstm"),
        ([LSTM, RNN], "recurrent"),
        ([RNN, SOFT], "hybrid"),
        ([DELTA], "deltanet-negative"),
        ([NONE], "feed-forward"),
    ],
)
def test_a_name_for_every_stack(layers: list[Any], name: str) -> None:
    assert architecture({"layers": layers}) == name


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("transformer-1-layer", Architecture.ONE_LAYER),
        ("transformer-2-layers", Architecture.TWO_LAYERS),
        ("transformer-12-layers", Architecture.THREE_LAYERS),
        ("hard-attention", Architecture.HARD_ATTENTION),
        ("register-file", Architecture.RECURRENT),
        ("deltanet-negative", Architecture.DELTANET_NEGATIVE),
        ("mixed-attention", None),
        ("feed-forward", None),
        (None, None),
    ],
)
def test_the_names_of_the_checker_are_architectures(name: str | None, known: Architecture | None) -> None:
    assert architecture_named(name) == known


@pytest.mark.slow  # builds them all
def test_every_construction_is_of_the_architecture_that_it_declares() -> None:
    met = 0
    for name in CONSTRUCTIONS:
        declared = construction(name)
        derived = architecture_named(architecture(describe_model(build(name, **dict(declared.quick[0])).model)))
        wider = (
            Architecture.TRANSFORMER if derived in (Architecture.ONE_LAYER, Architecture.TWO_LAYERS, Architecture.THREE_LAYERS) else None
        )
        assert derived is not None
        assert declared.architecture in (derived, wider, Architecture.ONE_TRANSITION), name
        met += 1
    assert met == len(CONSTRUCTIONS) > 60


def test_an_author_who_renames_a_construction_changes_nothing() -> None:
    document = honest("exact")
    for text in ("", "equality/one-layer", "parity/recurrent"):
        verdict = check_document(consistent(edited(document, ("construction",), text)))
        assert verdict.holds, verdict.reason
        assert verdict.architecture == "transformer-2-layers"
    assert check_document({**document, "construction": "x"}).architecture is None

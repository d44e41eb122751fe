"""The model and the checker compute every number twice, by programs that share nothing: they agree in every bit.

Random small Transformers over all the choices of their configuration, in formats narrow enough to overflow and to round at every
operator, and wide enough to leave 64 bits behind.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
import torch

from separatrix.checker.numbers.formats import numbers
from separatrix.checker.numbers.values import Values
from separatrix.checker.seal import Refused
from separatrix.models.config import EmbeddingConfig, FeedForwardConfig, LayerConfig, ModelConfig, PlaceConfig, ReadoutConfig
from separatrix.models.masks import All, Causal
from separatrix.models.mixers.attention import AttentionConfig
from separatrix.models.mixers.linear_rnn import LinearRnnConfig
from separatrix.models.model import Model
from tests.laws.checked_models import checked

MODELS = 160  # of each format
FORMATS = {  # name -> fractional bits of the weights drawn, and their largest magnitude
    "fixed:6,0": (0, 2.0),
    "fixed:9,8": (8, 0.75),  # no integer bits: 1 is not a number of the format
    "fixed:8,3": (3, 1.5),
    "fixed:12,4": (4, 2.0),
    "fixed:30,20": (6, 1.0),
    "fixed:53,40": (6, 1.0),
    "fixed:64,20": (6, 2.0),
    "fixed:200,90": (6, 1.0),
    "nearest:3": (1, 1.5),
    "nearest:9": (4, 1.0),
    "nearest:31": (8, 1.0),
    "nearest:49": (8, 2.0),
    "nearest:131": (6, 1.0),
    "float:4,3": (2, 0.75),
    "float:5,10": (3, 1.0),
}


def drawn_place(rng: np.random.Generator) -> PlaceConfig:
    kind = str(rng.choice(["sign", "quadratic", "one-hot", "table"]))
    return PlaceConfig(
        address=kind,  # type: ignore[arg-type]
        dims=2 if kind == "quadratic" else int(rng.integers(1, 4)),
        extent={"sign": int(rng.integers(1, 4)), "table": 9}.get(kind, 0),
        shift=int(rng.integers(0, 3)),
        fold=int(rng.choice([0, 0, 3])),
        pointers=int(rng.choice([0, 0, 4])),
    )


def drawn_config(rng: np.random.Generator, arithmetic: str) -> ModelConfig:
    mask, residual, activation = Causal() if rng.integers(2) else All(), bool(rng.integers(2)), "reglu" if rng.integers(2) else "relu"

    def layer() -> LayerConfig:
        hidden = int(rng.integers(0, 4))
        part = FeedForwardConfig(hidden, activation) if hidden else None  # type: ignore[arg-type]
        if rng.integers(5) == 0:
            return LayerConfig(LinearRnnConfig(int(rng.integers(1, 4))), part, residual)
        heads, key_width, value_width = (int(rng.integers(1, 4)) for _ in range(3))
        scores: Any = str(rng.choice(["softmax", "softmax", "hard", "uniform"]))
        return LayerConfig(AttentionConfig(heads, key_width, value_width, scores, mask), part, residual)

    count = int(rng.integers(0, 3))
    return ModelConfig(
        embedding=EmbeddingConfig(
            plain=int(rng.integers(1, 4)),
            numbers=count,
            number_address=drawn_place(rng) if count else None,
            places=tuple(drawn_place(rng) for _ in range(int(rng.integers(0, 3)))),
            gated=bool(rng.integers(2)),
        ),
        layers=tuple(layer() for _ in range(int(rng.integers(1, 3)))),
        readout=ReadoutConfig(int(rng.integers(1, 4))),
        width=int(rng.integers(1, 5)),
        arithmetic=arithmetic,
    )


def drawn_model(rng: np.random.Generator, arithmetic: str, bits: int, most: float) -> Model:
    """Weights on the grid; query weights are smaller in half of the models, so that softmax rows are not all one-hot."""
    model = Model(drawn_config(rng, arithmetic)).double()
    calm = 0.25 if rng.integers(2) else 1.0
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            limit = int(most * (calm if "query" in name else 1.0) * 2**bits)
            parameter.copy_(torch.from_numpy(rng.integers(-limit, limit + 1, tuple(parameter.shape)) / 2.0**bits))
        for name, buffer in model.named_buffers():
            buffer.copy_(
                torch.from_numpy(
                    rng.integers(0, 2, tuple(buffer.shape)) if "generator" in name else rng.integers(1, 8, tuple(buffer.shape))
                )
            )
    return model


def real(logits: Values, scale: int | None) -> list[float]:
    """Logits as float64; the quotient of two integers is the nearest one."""
    return [float(v) if scale is None else int(v) / scale for v in logits.value.ravel()]


@pytest.mark.parametrize("arithmetic", FORMATS)
def test_both_forward_passes_give_the_same_numbers(arithmetic: str) -> None:
    rng = np.random.default_rng(sum(arithmetic.encode()))
    bits, most = FORMATS[arithmetic]
    ops, float64 = numbers(arithmetic), numbers("float64")
    met: Counter[str] = Counter()
    for number in range(MODELS):
        model = drawn_model(rng, arithmetic, bits, most)
        n = int(rng.integers(1, 7))
        tokens = rng.integers(0, model.config.embedding.vocabulary, n)
        with torch.no_grad():
            said = model(torch.from_numpy(tokens[None]))[0].numpy()
        forward, context = checked(model, ops, length=16), f"{arithmetic}, model {number}: {model.config}, tokens {tokens.tolist()}"
        if not np.isfinite(said).all():
            with pytest.raises(Refused, match="not finite"):
                forward.logits(tokens, list(range(n)))
            met["overflow to infinity"] += 1
            continue
        found = forward.logits(tokens, list(range(n)))
        assert real(found, ops.scale) == said.ravel().tolist(), context
        rounding = real(checked(model, float64, length=16).logits(tokens, list(range(n))), None) != said.ravel().tolist()
        met["rounded"] += rounding
        met.update({getattr(layer.mixer, "scores", "linear unit") for layer in model.config.layers})
        met.update({layer.feedforward.activation for layer in model.config.layers if layer.feedforward})
        met.update({f"layers {len(model.config.layers)}", f"residual {model.config.layers[0].residual}", f"causal {model.causal}"})
        met.update({f"heads {getattr(model.config.layers[0].mixer, 'heads', 0)}"})
    wanted = {
        "softmax",
        "hard",
        "uniform",
        "layers 1",
        "layers 2",
        "relu",
        "reglu",
        "causal True",
        "causal False",
        "residual True",
        "heads 3",
        "linear unit",
    }
    assert all(met[what] >= MODELS // 10 for what in wanted), met
    assert met["rounded"] >= MODELS // 4, met  # the format mattered


@pytest.mark.parametrize("arithmetic", ["nearest:17", "float:5,6"])
def test_weights_between_the_numbers_of_a_format_are_rounded_first(arithmetic: str) -> None:
    rng, ops = np.random.default_rng(5), numbers(arithmetic)
    for _ in range(MODELS // 2):
        model = drawn_model(rng, arithmetic, 3, 1.0)
        with torch.no_grad():
            for name, parameter in model.named_parameters():
                if not name.startswith("embedding"):
                    parameter.add_(torch.from_numpy(rng.uniform(-0.01, 0.01, tuple(parameter.shape))))
        tokens = rng.integers(0, model.config.embedding.vocabulary, 4)
        with torch.no_grad():
            said = model(torch.from_numpy(tokens[None]), at=-1)[0].numpy()
        assert real(checked(model, ops, length=16).logits(tokens, [3]), ops.scale) == said.tolist()

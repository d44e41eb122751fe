"""The model and the checker compute every number twice, by programs that share nothing: they agree in every bit.

Random small Transformers over all the choices of their configuration, in formats narrow enough to overflow and to round at every
operator, and wide enough to leave 64 bits behind.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from separatrix.checker.models.model import Model as CheckedModel
from separatrix.checker.numbers.boxes import Box
from separatrix.checker.numbers.formats import numbers
from separatrix.checker.seal import Refused
from separatrix.models.config import EmbeddingConfig, FeedForwardConfig, LayerConfig, ModelConfig, PlaceConfig, ReadoutConfig
from separatrix.models.masks import All, Causal
from separatrix.models.mixers.attention import AttentionConfig
from separatrix.models.mixers.linear_rnn import LinearRnnConfig
from separatrix.models.mixers.relu_rnn import ReluRnnConfig
from separatrix.models.mixers.selective_rnn import SelectiveRnnConfig
from separatrix.models.model import Model
from tests.laws.checked_models import checked

MODELS = 90  # of each format
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


def drawn_place(rng: np.random.Generator, kinds: tuple[str, ...] = ("sign", "quadratic", "one-hot", "table")) -> PlaceConfig:
    kind = str(rng.choice(kinds))
    pointed = bool(rng.integers(3) == 0)  # a place with pointers has neither shift nor fold
    return PlaceConfig(
        address=kind,  # type: ignore[arg-type]
        dims=2 if kind == "quadratic" else int(rng.integers(1, 4)),
        extent={"sign": int(rng.integers(1, 4)), "table": 9}.get(kind, 0),
        shift=0 if pointed else int(rng.integers(0, 3)),
        fold=0 if pointed else int(rng.choice([0, 0, 3])),
        pointers=4 if pointed else 0,
    )


def drawn_config(rng: np.random.Generator, arithmetic: str) -> ModelConfig:
    mask, residual, activation = Causal() if rng.integers(2) else All(), bool(rng.integers(2)), "reglu" if rng.integers(2) else "relu"

    def layer() -> LayerConfig:
        hidden = int(rng.integers(0, 4))
        part = FeedForwardConfig(hidden, activation) if hidden else None  # type: ignore[arg-type]
        if rng.integers(5) == 0:
            state = int(rng.integers(1, 4))
            gated = SelectiveRnnConfig(state, "positive" if rng.integers(2) else "signed")
            mixer = (LinearRnnConfig(state), ReluRnnConfig(state, int(rng.integers(1, 5))), gated)[int(rng.integers(3))]
            return LayerConfig(mixer, part, residual)
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


def real(logits: np.ndarray, scale: int | None) -> list[float]:
    """Logits as float64; the quotient of two integers is the nearest one."""
    return [float(v) if scale is None else int(v) / scale for v in logits.ravel()]


def bounded(forward: CheckedModel, tokens: np.ndarray) -> Box | None:
    """Logits at every position; nothing where some program may overflow, or be off by any amount."""
    try:
        return forward.logits(tokens, list(range(tokens.shape[-1])))
    except Refused as refusal:
        if "not finite, or whose error is not bounded" not in str(refusal):
            raise
        return None


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
            outputs = model(torch.from_numpy(tokens[None]))[0].numpy()
        forward, context = checked(model, length=9), f"{arithmetic}, model {number}: {model.config}, tokens {tokens.tolist()}"
        if not np.isfinite(outputs).all():
            with pytest.raises(Refused, match="not finite"):
                forward.logits(tokens, list(range(n)))
            met["overflow to infinity"] += 1
            continue
        result = bounded(forward, tokens)
        if result is None:
            met["not bounded"] += 1
            continue
        sure = result.low == result.high  # a small float too near the middle of two numbers is left open between them
        if sure.all():
            assert real(result.low, ops.scale) == outputs.ravel().tolist(), context
        said = outputs * (ops.scale or 1)
        assert ((result.low <= said) & (said <= result.high)).all() or ops.exact, context
        met["left open"] += not sure.all()
        in_floats = bounded(checked(model, float64, 9), tokens)
        met["rounded"] += in_floats is not None and real(in_floats.middle, None) != outputs.ravel().tolist()
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
    assert met["left open"] + met["not bounded"] <= MODELS // 20, met


@pytest.mark.parametrize("arithmetic", ["nearest:17", "float:5,6"])
def test_weights_between_the_numbers_of_a_format_are_rounded_before_they_are_written(arithmetic: str) -> None:
    """The model rounds its weights, so a certificate carries the rounded ones; the checker refuses any others."""
    rng = np.random.default_rng(5)
    for _ in range(MODELS // 2):
        model = drawn_model(rng, arithmetic, 3, 1.0)
        with torch.no_grad():
            for name, parameter in model.named_parameters():
                if not name.startswith("embedding"):
                    parameter.add_(torch.from_numpy(rng.uniform(-0.01, 0.01, tuple(parameter.shape))))
        tokens = rng.integers(0, model.config.embedding.vocabulary, 4)
        with torch.no_grad():
            outputs = model(torch.from_numpy(tokens[None]), at=-1)[0].numpy()
        output = checked(model, length=9).logits(tokens, [3])
        if output.point:
            assert real(output.low, numbers(arithmetic).scale) == outputs.tolist()


TRAINED: dict[str, tuple[Any, ...]] = {
    "activation": ("relu", "reglu", "gelu", "swiglu"),
    "norm": ("none", "layer", "rms"),
    "scaled": (False, True),
    "attention_bias": (False, True),
    "feedforward_bias": (False, True),
    "rotary": (False, True),
}


def as_trained(layer: LayerConfig, chosen: dict[str, Any]) -> LayerConfig:
    """The layer with what trained models have."""
    mixer, part = layer.mixer, layer.feedforward
    if isinstance(mixer, AttentionConfig):
        trained = {"scaled": chosen["scaled"], "bias": chosen["attention_bias"], "rotary": chosen["rotary"]}
        mixer = replace(mixer, key_width=2 * mixer.key_width, **trained)
    if part is not None:
        part = FeedForwardConfig(part.hidden, chosen["activation"], chosen["feedforward_bias"])
    return replace(layer, mixer=mixer, feedforward=part, norm=chosen["norm"])


@pytest.mark.parametrize(("arithmetic", "dtype"), [("float64", torch.float64), ("float32", torch.float32)])
def test_in_floats_the_model_lies_within_the_checkers_error_bound(arithmetic: str, dtype: torch.dtype) -> None:
    """With everything that trained models have: norms, biases, smooth activations, scaled logits, rotary and sinusoidal positions."""
    rng, met, used = np.random.default_rng(11), Counter[str](), []
    for number in range(2 * MODELS):
        chosen = {key: values[int(rng.integers(len(values)))] for key, values in TRAINED.items()}
        config = drawn_config(rng, arithmetic)
        config = replace(config, layers=tuple(as_trained(layer, chosen) for layer in config.layers))
        config = replace(config, readout=replace(config.readout, norm=chosen["norm"]))
        kinds = ("sign", "quadratic", "one-hot", "table", "sinusoidal")
        config = replace(config, embedding=replace(config.embedding, places=tuple(drawn_place(rng, kinds) for _ in range(2))))
        model = Model(config).to(dtype)
        with torch.no_grad():
            for parameter in model.parameters():
                parameter.copy_(torch.from_numpy(rng.normal(0, 0.5, tuple(parameter.shape))))
            for name, buffer in model.named_buffers():
                drawn = rng.integers(0, 2, tuple(buffer.shape)) if "generator" in name else rng.integers(1, 8, tuple(buffer.shape))
                buffer.copy_(torch.from_numpy(drawn))
        n = int(rng.integers(1, 7))
        tokens = rng.integers(0, config.embedding.vocabulary, (3, n))
        with torch.no_grad():
            outputs = model(torch.from_numpy(tokens)).to(torch.float64).numpy()
        result = bounded(checked(model, length=9), tokens)
        if result is None:
            met["not bounded"] += 1
            continue
        off, inside = np.abs(result.middle - outputs), (result.low <= outputs) & (outputs <= result.high)
        assert inside.all(), f"{arithmetic}, model {number}: {config}, tokens {tokens.tolist()}"
        if not result.point and float(result.radius.max()) < 2e-3 * (1 + float(np.abs(outputs).max())):
            met["useful"] += 1
            used.append(float((off / np.maximum(result.radius, 1e-300)).max()))
        met.update({f"{key} {value}" for key, value in chosen.items()})
        met.update({place.address for place in config.embedding.places})
    assert all(met[f"{key} {value}"] >= MODELS // 10 for key, values in TRAINED.items() for value in values), met
    assert all(met[kind] >= MODELS // 10 for kind in ("sinusoidal", "quadratic", "table")), met
    assert met["not bounded"] <= MODELS // 5, met
    assert met["useful"] >= MODELS, met  # most bounds are small beside what they bound
    assert max(used) > 0.05  # and not a thousand times too large

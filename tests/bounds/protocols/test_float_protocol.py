"""One-layer Transformers in floats as protocols: the bits of the exact sums, over any partition, and close to the ordinary forward pass."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.numpy import save

from separatrix.bounds.protocols.exact_accumulator import FLOATS
from separatrix.bounds.protocols.float_model import FloatModel, float_model
from separatrix.bounds.protocols.float_protocol import float_protocol_cost, run_float_protocol
from separatrix.checker.models.description import read_description
from separatrix.errors import BadInput
from separatrix.models.config import EmbeddingConfig, FeedForwardConfig, LayerConfig, ModelConfig, PlaceConfig, ReadoutConfig
from separatrix.models.masks import All, Causal
from separatrix.models.mixers.attention import AttentionConfig
from separatrix.models.model import Model
from separatrix.models.transformer import transformer
from tests.bounds.small_models import configuration, place
from tests.described import describe_model, weights_file

TORCH = {"float64": torch.float64, "float32": torch.float32}


def trained(name: str, seed: int, **chosen: Any) -> Model:
    """A one-layer model with weights large enough to matter everywhere, biases and norms among them."""
    fresh = transformer(5, 3, width=8, layers=1, heads=2, length=16, **chosen)
    model = Model(replace(fresh.config, arithmetic=name)).to(TORCH[name])
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(0.0, 0.6, generator=generator)
    return model


def read(model: Model) -> FloatModel:
    return float_model(describe_model(model, length=16), weights_file(model))


def plain_transformer(rng: np.random.Generator, name: str) -> Model:
    """A model as constructions have them: any address, any attention, numbers among the tokens, gates."""
    kinds = [
        (PlaceConfig("sign", 2, 3),),
        (PlaceConfig("quadratic", 2, shift=1),),
        (PlaceConfig("one-hot", 3, fold=3),),
        (PlaceConfig("table", 2, 12), PlaceConfig("sinusoidal", 3)),
    ]
    scores: Any = str(rng.choice(["softmax", "uniform", "hard"]))
    activation: Any = str(rng.choice(["relu", "reglu", "gelu", "swiglu"]))
    heads = AttentionConfig(int(rng.integers(1, 4)), 2, 3, scores, Causal() if rng.integers(2) else All())
    hidden, bias = int(rng.integers(3)), bool(rng.integers(2))
    config = ModelConfig(
        EmbeddingConfig(3, 4, PlaceConfig("sign", 2, 3), kinds[int(rng.integers(4))], bool(rng.integers(2))),
        (LayerConfig(heads, FeedForwardConfig(hidden, activation, bias) if hidden else None, bool(rng.integers(2))),),
        ReadoutConfig(3), 4, arithmetic=name,
    )  # fmt: skip
    model = Model(config).to(TORCH[name])
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.from_numpy(rng.normal(0, 1, tuple(parameter.shape))))
        for buffer in model.buffers():
            buffer.copy_(torch.from_numpy(rng.integers(0, 2, tuple(buffer.shape))))
    return model


def random_tensors(rng: np.random.Generator, config: dict[str, Any]) -> bytes:
    dtype = FLOATS[config["arithmetic"]].dtype
    return save({name: rng.normal(0, 1, shape).astype(dtype) for name, shape in read_description(config).shapes().items()})


def agree(model: FloatModel, tokens: list[int], alice: list[int], at: int) -> None:
    """The protocol gives the bits of the model, and its cost is that of the formula where everything is said."""
    run = run_float_protocol(model, tokens, alice, at)
    direct = model.logits(tokens, at)
    assert np.array(run.logits, dtype=model.format.dtype).tobytes() == direct.tobytes()
    assert run.transcript.answer == model.says(tokens, at)
    cost = float_protocol_cost(model, len(tokens)).repaired
    full = model.heads.scores == "softmax" and (not model.heads.causal or at == -1)
    assert run.transcript.bits == cost if full else run.transcript.bits <= cost


@pytest.mark.parametrize("name", ["float64", "float32"])
@pytest.mark.parametrize("block", ["gpt2", "llama"])
@pytest.mark.parametrize("positions", ["learned", "sinusoidal", "rotary", "none"])
def test_the_protocol_gives_the_bits_of_exact_sums_and_these_are_close_to_the_ordinary_forward_pass(
    name: str, block: Any, positions: Any
) -> None:
    draw = random.Random(f"{name} {block} {positions}")
    for seed in range(4):
        torch_model = trained(name, seed, block=block, positions=positions, causal=seed != 0)
        model = read(torch_model)
        tokens = [draw.randrange(5) for _ in range(draw.randrange(2, 12))]
        at = draw.choice([-1, draw.randrange(len(tokens))])
        ordinary = torch_model(torch.tensor([tokens]), at=at)[0].detach().numpy()
        size = float(np.abs(ordinary).max())
        tolerance = 200 * size * float(np.finfo(model.format.dtype).eps)
        assert np.abs(model.logits(tokens, at) - ordinary).max() <= tolerance
        for _ in range(3):
            agree(model, tokens, draw.sample(range(len(tokens)), draw.randrange(1, len(tokens))), at)


@pytest.mark.parametrize("name", ["float64", "float32"])
def test_the_protocol_gives_the_bits_of_plain_models_of_any_shape(name: str) -> None:
    rng, met = np.random.default_rng(7), Counter[str]()
    for _ in range(120):
        model = read(plain_transformer(rng, name))
        n = int(rng.integers(2, 9))
        tokens = rng.integers(0, 7, n).tolist()
        some = rng.choice(n, int(rng.integers(1, n)), replace=False).tolist()
        for alice, at in ((list(range(0, n, 2)), -1), (some, int(rng.integers(n)))):
            agree(model, tokens, alice, at)
        part = model.model.layers[0].feedforward
        met.update({model.heads.scores, part.activation if part else "none", f"hidden {part is not None}"})
    assert min(met.values()) >= 8, met
    assert len(met) == 10, met  # three scores, four activations and none, hidden or not


def test_plain_models_agree_with_the_ordinary_forward_pass() -> None:
    rng = np.random.default_rng(2)
    for _ in range(40):
        torch_model = plain_transformer(rng, "float64")
        model = read(torch_model)
        tokens = rng.integers(0, 7, 6).tolist()
        with torch.no_grad():
            ordinary = torch_model(torch.tensor([tokens]), at=-1)[0].numpy()
        assert np.abs(model.logits(tokens) - ordinary).max() <= 1e-11 * max(1.0, np.abs(ordinary).max())


def test_floats_added_in_parts_would_not_give_the_same_bits() -> None:
    """The control: with rounded sums in the place of exact ones, the order of the keys shows."""
    draw, differ = random.Random(0), 0
    for _ in range(50):
        e = [np.float32(draw.random()) for _ in range(20)]
        parts = sum(e[:10], np.float32(0)) + sum(e[10:], np.float32(0))
        differ += parts != sum(e, np.float32(0))
        whole = FLOATS["float32"].whole
        assert sum(whole(float(x)) for x in e[:10]) + sum(whole(float(x)) for x in e[10:]) == sum(whole(float(x)) for x in e)
    assert differ > 10


@pytest.mark.parametrize("name", ["float64", "float32"])
def test_the_accumulator_holds_every_float_and_rounds_to_the_nearest(name: str) -> None:
    form, rng = FLOATS[name], np.random.default_rng(0)
    info = np.finfo(form.dtype)
    assert (form.bits, form.significant) == (info.bits, info.nmant + 1)
    assert float(info.smallest_subnormal) == 2.0**-form.f
    ends = [float(info.max), float(info.tiny), float(info.smallest_subnormal), 1.0, 0.0]
    many = rng.integers(0, 256, (500, info.bits // 8)).astype(np.uint8).view(form.dtype)[:, 0]
    for x in [*ends, *(-x for x in ends), *many[np.isfinite(many)].tolist()]:
        assert form.rounded(form.whole(x), form.f) == x
        assert Fraction(form.whole(x), 1 << form.f) == Fraction(x)
        assert np.array([x], dtype=np.dtype(form.dtype).newbyteorder(">")).tobytes() == int(form.written(x), 2).to_bytes(form.bits // 8)
    for _ in range(500):
        bits = int(rng.integers(0, 2 * form.f))
        number = int(rng.integers(-(1 << 62), 1 << 62)) << int(rng.integers(0, 40))
        result, exact = form.rounded(number, bits), Fraction(number, 1 << bits)
        assert float(form.dtype(result)) == result
        for beside in np.nextafter(form.dtype(result), np.array([-np.inf, np.inf], dtype=form.dtype)):  # no neighbour is nearer
            assert abs(Fraction(result) - exact) <= abs(Fraction(float(beside)) - exact)


def test_ties_go_to_the_even_float() -> None:
    """By hand: 2^24 + 1 and 2^24 + 3 lie halfway between float32 numbers, whose last digit counts 2; so do 1/2 and 3/2 of the smallest."""
    form = FLOATS["float32"]
    assert [form.rounded(2**24 + k, 0) for k in (1, 3)] == [2.0**24, 2.0**24 + 4]
    assert [form.rounded(k, form.f + 1) for k in (1, 3)] == [0.0, 2 * 2.0**-149]
    assert form.rounded(-(2**24) - 3, 0) == -(2.0**24) - 4


def test_a_sum_that_rounds_beyond_the_largest_float_is_refused() -> None:
    form = FLOATS["float32"]
    assert form.rounded(2**128 - 2**103 - 1, 0) == float(np.finfo(np.float32).max)  # just below halfway to 2^128
    with pytest.raises(BadInput, match=r"^a sum over keys lies beyond the largest float32$"):
        form.rounded(2**128 - 2**103, 0)


def test_bits_at_a_size_worked_by_hand() -> None:
    """Width 8, two heads of 4, five symbols, three targets, N = 10.

    float32: 3 + 2 (2 * 32 + 2 (149 + 4) + 4 (2 + 128 + 298)) + 2 = 4169, and fixed:278,149 3 + 2 (556 + 306 + 4 * 427) + 2 = 5145.
    float64: 3 + 2 (2 * 64 + 2 (1074 + 4) + 4 (2 + 1024 + 2148)) + 2 = 29965; the printed steps 8 * 64 + 2 (128 + 2 (64 + 4) + 1024) = 3088.
    """
    cost = float_protocol_cost(read(trained("float32", 0)), 10)
    assert (cost.repaired, cost.fixed_point) == (4169, 5145)
    cost = float_protocol_cost(read(trained("float64", 0)), 10)
    assert (cost.repaired, cost.printed_steps, round(cost.printed_claim, 3)) == (29965, 3088, round(24 * (64 + np.log2(10)), 3))


def test_what_alice_says_depends_on_her_tokens_and_what_she_heard_alone() -> None:
    """Equal transcripts on two inputs come back on the inputs crossed from them."""
    rng, met = np.random.default_rng(3), 0
    config = configuration("float32", width=2, embedding={"plain": 2}, layer={"key_width": 2, "value_width": 2})
    for _ in range(5):
        model = float_model(config, random_tensors(rng, config))
        by_messages: dict[tuple[str, ...], list[int]] = {}
        for _ in range(30):
            tokens = rng.integers(0, 2, 7).tolist()
            messages = tuple(m.bits for m in run_float_protocol(model, tokens, [0, 2, 4]).transcript.messages)
            other = by_messages.setdefault(messages, tokens)
            crossed = [tokens[i] if i in (0, 2, 4) else other[i] for i in range(7)]
            assert tuple(m.bits for m in run_float_protocol(model, crossed, [0, 2, 4]).transcript.messages) == messages
            met += crossed not in (tokens, other)
    assert met > 10


def test_values_near_the_largest_float_fit_into_the_message() -> None:
    config = configuration("float64", embedding={"plain": 2}, layer={"attention": "softmax"})
    one = {name: np.zeros(shape) for name, shape in read_description(config).shapes().items()}
    one |= {"embedding.table": np.array([[1.0], [-1.0]]), "layers.0.mixer.value": np.array([[np.finfo(float).max]])}
    model = float_model(config, save(one))
    run = run_float_protocol(model, [0, 0, 0, 1], [0, 1, 2])
    assert "1.34827e+308" in str(run.transcript)  # three quarters of the largest float
    assert list(run.logits) == model.logits([0, 0, 0, 1]).tolist()


def test_bad_input_is_one_clear_line() -> None:
    model = read(trained("float32", 0))
    with pytest.raises(BadInput, match=r"^tokens must lie in 0\.\.4, found 9$"):
        run_float_protocol(model, [0, 9], [0])
    with pytest.raises(BadInput, match=r"^the model takes at most 16 tokens, found 17$"):
        run_float_protocol(model, [0] * 17, [0])
    with pytest.raises(BadInput, match=r"^alice and bob must each hold a position of 2, found 2 for alice$"):
        run_float_protocol(model, [0, 1], [0, 1])
    with pytest.raises(BadInput, match=r"^expected at least one token, found none$"):
        model.logits([])


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        (("arithmetic",), "bfloat16", r"^the exact accumulator needs arithmetic float64 or float32, found bfloat16$"),
        (("arithmetic",), "fixed:8,3", r"found fixed:8,3$"),
        (("arithmetic",), "float64", r"^weights: embedding.table has type float32, the arithmetic requires float64$"),
        (("readout", "norm"), "group", r"^readout.norm: expected one of none, layer, rms, found 'group'$"),
        (("layers", 0, "feedforward", "activation"), "tanh", r"activation: expected one of relu, reglu, gelu, swiglu, found 'tanh'$"),
        (("readout", "norm"), "rms", r"^weights: readout.norm.bias does not belong to the model$"),
        (("layers", 0, "mixer", "bias"), False, r"^weights: layers.0.mixer.key_bias does not belong to the model$"),
        (("layers", 0, "feedforward", "activation"), "swiglu", r"^weights: layers.0.feedforward.gate is missing$"),
        (("readout", "targets"), 4, r"^weights: readout.weight has shape \(3, 8\), the description requires \(4, 8\)$"),
        (("layers", 0, "mixer", "scaled"), 1, r"scaled"),
        (("layers", 0, "mixer", "mask"), {"kind": "window", "size": 3}, r"^the protocol takes .*, found a window mask$"),
        (("layers", 0, "mixer"), {"kind": "linear-rnn", "state": 1}, r"^the protocol takes .*, found another mixer$"),
    ],
)
def test_what_is_not_supported_is_refused(path: tuple[Any, ...], value: Any, says: str) -> None:
    model = trained("float32", 0)
    description: Any = describe_model(model, length=16)
    holder = description
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    with pytest.raises(BadInput, match=says):
        float_model(description, weights_file(model))


def test_two_layers_and_overflow_are_refused() -> None:
    two = transformer(2, 2, width=2, layers=2, heads=1)
    with pytest.raises(BadInput, match=r"^the protocol takes a model with one layer, found 2$"):
        float_model(describe_model(two, length=16), weights_file(two))
    with pytest.raises(BadInput, match=r"^weights: not a safetensors file: "):
        float_model(configuration("float32"), b"x")
    model = trained("float32", 0, positions="none")
    with torch.no_grad():
        for layer in model.each_layer():
            layer.mixer.value.fill_(3e38)
    with pytest.raises(BadInput, match=r"^the model overflows float32: a value is not finite$"):
        run_float_protocol(read(model), [0, 1, 2], [0])


@pytest.mark.parametrize(
    ("shift", "fold", "indices"), [(1, 3, [3, 1, 2, 3, 1]), (0, 3, [1, 2, 3, 1, 2]), (2, 0, [-1, 0, 1, 2, 3]), (5, 2, [2, 1, 2, 1, 2])]
)
def test_a_place_is_shifted_and_then_folded(shift: int, fold: int, indices: list[int]) -> None:
    """index(t) = ((t - shift - 1) mod fold) + 1 for t = 1, 2, .., or t - shift; the quadratic address (i, i^2) shows it."""
    embedding = {"plain": 2, "places": [place("quadratic", 2) | {"shift": shift, "fold": fold, "projected": False}]}
    config = configuration("float64", width=2, embedding=embedding)
    tensors = {name: np.zeros(shape) for name, shape in read_description(config).shapes().items()}
    model = float_model(config, save(tensors))
    assert [model.embedded(0, t).tolist() for t in range(5)] == [[i, i * i] for i in indices]

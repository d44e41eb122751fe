"""Every mixer, under every mask that it can have, is confronted with what all of them promise.

A mixer that is added to the table is met here without a line of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.func import functional_call

from separatrix.constructions import build
from separatrix.errors import BadInput
from separatrix.models import MODELS, make_model
from separatrix.models.config import EmbeddingConfig, LayerConfig, MixerConfig, ModelConfig, ReadoutConfig
from separatrix.models.masks import MASKS, BlockSparse, Causal, Mask, Window
from separatrix.models.mixers import MIXERS
from separatrix.models.mixers.attention import AttentionConfig
from separatrix.models.mixers.pd import Pd
from separatrix.models.model import Model, State
from separatrix.models.saved import describe, restore, weights_bytes

VOCABULARY, TARGETS, ROWS, LENGTH = 7, 5, 3, 11
LONG = 150  # tokens: more than a chunk of any kernel
ROUNDING = 1e-11  # of logits in float64, after two layers with norms
STEP = 1e-6  # of finite differences
SMALL: list[Mask] = [Causal(), Window(1), Window(4), BlockSparse(3, 1, 1), BlockSparse(2, 2, 1)]  # small enough to hide something
BUILT = {"register-file"}  # trained by nobody
OTHERS = {"user"}  # a wrapper, met with an example
WITHOUT_SIZES = {"elman", "gru", "lstm"}  # as wide as the stream


def make(name: str, **chosen: object) -> Model:
    model = make_model(name, vocabulary=VOCABULARY, targets=TARGETS, **{"width": 8, "length": LONG, **chosen})
    assert isinstance(model, Model)
    return model


def masked(mask: Mask) -> Model:
    """Two layers of attention under a mask."""
    model = make("attention", layers=2)
    layers = tuple(LayerConfig(_with_mask(layer, mask), layer.feedforward, layer.residual, layer.norm) for layer in model.config.layers)
    other = Model(replace(model.config, layers=layers))
    other.load_state_dict(model.state_dict())
    return other


def _with_mask(layer: LayerConfig, mask: Mask) -> AttentionConfig:
    assert isinstance(layer.mixer, AttentionConfig)
    return replace(layer.mixer, mask=mask)


def trained() -> list[str]:
    return sorted(set(MIXERS) - BUILT - OTHERS)


def cases() -> Iterator[tuple[str, Callable[[], Any]]]:
    yield "transformer", lambda: make("transformer", layers=2)
    yield "transformer, sinusoidal", lambda: make("transformer", layers=2, positions="sinusoidal")
    yield "transformer, rotary llama", lambda: make("transformer", layers=2, positions="rotary", block="llama")
    for name in trained():
        yield name, lambda name=name: make(name, layers=2)
    yield "gated-deltanet, negative eigenvalues", lambda: make("gated-deltanet", layers=2, negative=True)
    yield "mamba2, two groups", lambda: make("mamba2", layers=2, head=4, groups=2)
    yield "tied-stack", lambda: make("tied-stack", mamba=1, llama=1, hidden=16)
    yield "stack, a hybrid by its name", lambda: make_model("hybrid-mamba-2-8+1", vocabulary=VOCABULARY, targets=TARGETS, length=LONG)
    for mask in SMALL:
        yield f"attention, {mask}", lambda mask=mask: masked(mask)
    yield "stack", lambda: make("stack", mixers=tuple(trained()))
    yield "stack, the other way round", lambda: make("stack", mixers=tuple(reversed(trained())))
    mine = Path(__file__).parents[2] / "examples" / "running_mean.py"
    yield "user", lambda: make(f"{mine}:RunningMean", layers=2)


CASES = dict(cases())
every_case = pytest.mark.parametrize("case", CASES)
CODE = [str(Path(__file__).parents[2] / "examples" / "running_mean.py")]


@cache
def awake(case: str) -> Model:
    """In float64, with weights large enough that every part matters to the logits."""
    model, generator = CASES[case](), torch.Generator().manual_seed(1)
    model.double()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn(parameter.shape, generator=generator, dtype=torch.float64), alpha=0.3)
    return model.eval()


def drawn(seed: int, rows: int = ROWS, length: int = LENGTH) -> Tensor:
    return torch.randint(0, VOCABULARY, (rows, length), generator=torch.Generator().manual_seed(seed))


@torch.no_grad()
def run(model: Model, state: State, tokens: Tensor) -> tuple[State, Tensor]:
    outputs: list[Tensor] = []
    for t in range(tokens.shape[1]):
        state, logits = model.step(state, tokens[:, t])
        outputs.append(logits)
    return state, torch.stack(outputs, dim=1) if outputs else torch.zeros(0)


def test_every_entry_of_the_tables_is_confronted() -> None:
    assert {case.split(",")[0] for case in CASES} == (set(MIXERS) - BUILT) | set(MODELS)
    assert {mask.kind for mask in SMALL} == set(MASKS) - {"all"}  # without a mask a model looks ahead: see below
    assert len(CASES) == len(trained()) + len(SMALL) + 10


@every_case
def test_later_tokens_do_not_change_earlier_logits(case: str) -> None:
    model, tokens = awake(case), drawn(0)
    before = model(tokens)
    for cut in (1, 5, LENGTH - 1):
        changed = tokens.clone()
        changed[:, cut:] = (changed[:, cut:] + 1) % VOCABULARY
        after = model(changed)
        assert torch.equal(after[:, :cut], before[:, :cut])
        assert not torch.allclose(after[:, cut], before[:, cut])
    assert model.causal


@every_case
def test_an_earlier_token_reaches_later_logits(case: str) -> None:
    """Through two layers, two tokens later at least, unless a token sees nothing but itself."""
    model, tokens = awake(case), drawn(0)
    changed = tokens.clone()
    changed[:, 0] = (changed[:, 0] + 1) % VOCABULARY
    moved = (model(changed)[:, 2] - model(tokens)[:, 2]).abs().max()
    assert (moved > 1e-9) == (case != "attention, Window(size=1)")


@every_case
def test_token_by_token_the_logits_are_those_of_the_whole_sequence(case: str) -> None:
    model, tokens = awake(case), drawn(2)
    _, outputs = run(model, model.initial_state(ROWS), tokens)
    assert torch.allclose(outputs, model(tokens), rtol=0, atol=ROUNDING)


@every_case
def test_token_by_token_a_long_sequence_is_the_same_too(case: str) -> None:
    """Where kernels work chunk by chunk, by FFT, or on keys that they gather."""
    model, tokens = awake(case), drawn(9, rows=1, length=LONG)
    _, outputs = run(model, model.initial_state(1), tokens)
    torch.testing.assert_close(outputs, model(tokens), rtol=1e-8, atol=1e-8)


@every_case
def test_one_read_out_position_is_that_row_of_all_of_them(case: str) -> None:
    model, tokens = awake(case), drawn(3)
    at = torch.tensor([0, 4, -1])
    assert torch.allclose(model(tokens, at=at), model(tokens)[torch.arange(ROWS), at], rtol=0, atol=ROUNDING)


@every_case
def test_the_declared_state_is_all_that_crosses_a_cut(case: str) -> None:
    model, tokens = awake(case), drawn(4)
    whole = model(tokens)
    weights, description = weights_bytes(model), describe(model)
    for cut in (0, 1, 6):
        state, _ = run(model, model.initial_state(ROWS), tokens[:, :cut])
        moved = [[tensor.detach().numpy().tobytes() for tensor in layer] for layer in state.layers]  # only these bytes and the clock
        assert 8 * sum(len(part) for layer in moved for part in layer) == ROWS * model.state_bits(cut, "float64")
        shapes = [[tensor.shape for tensor in layer] for layer in state.layers]
        for layer in state.layers:
            for tensor in layer:
                tensor.fill_(float("nan"))
        other = restore(description, weights, CODE)  # shares nothing with the model that read the first part
        layers = tuple(
            tuple(torch.frombuffer(bytearray(part), dtype=torch.float64).reshape(shape) if part else torch.zeros(shape, dtype=torch.float64)
                  for part, shape in zip(parts, sizes, strict=True))
            for parts, sizes in zip(moved, shapes, strict=True)
        )  # fmt: skip
        _, outputs = run(other, State(cut, layers), tokens[:, cut:])
        assert torch.allclose(outputs, whole[:, cut:], rtol=0, atol=ROUNDING)


@every_case
def test_the_gradients_are_those_of_finite_differences(case: str) -> None:
    """Along one random direction in each layer. torch's gradcheck would, where they differ, try every number on its own, for hours."""
    model, tokens = awake(case), drawn(5, rows=2, length=4)
    weights = {name: parameter.detach() for name, parameter in model.named_parameters()}
    generator = torch.Generator().manual_seed(11)

    def judged(weights: dict[str, Tensor]) -> Tensor:
        both = functional_call(model, weights, (tokens,)).flatten(), functional_call(model, weights, (tokens, -1)).flatten()
        return torch.cat(both) @ torch.cos(torch.arange(sum(len(one) for one in both), dtype=torch.float64))

    parts: dict[str, list[str]] = {}
    for name in smooth(model):
        parts.setdefault(".".join(name.split(".")[:2]), []).append(name)
    assert parts
    for layer, names in parts.items():
        along = {name: torch.randn(weights[name].shape, generator=generator, dtype=torch.float64) for name in names}
        inputs = {name: weights[name].clone().requires_grad_() for name in names}
        gradients = torch.autograd.grad(judged(weights | inputs), list(inputs.values()), materialize_grads=True)
        slope = sum(float((gradient * along[name]).sum()) for name, gradient in zip(names, gradients, strict=True))
        up, down = (judged(weights | {name: weights[name] + step * along[name] for name in names}) for step in (STEP, -STEP))
        assert slope == pytest.approx(float((up - down) / (2 * STEP)), rel=1e-4, abs=1e-6), layer


def smooth(model: Model) -> list[str]:
    """The parameters that have a true gradient: `pd` chooses columns by their largest score and passes the gradient of a softmax
    straight through, so what comes before its last choice has none."""
    names = [name for name, _ in model.named_parameters()]
    chosen = max((i for i, layer in enumerate(model.layers) if isinstance(layer.mixer, Pd)), default=None)
    if chosen is None:
        return names
    own = tuple(f"layers.{chosen}.mixer.{part}" for part in ("gate", "drive", "initial", "out"))
    after = tuple(f"layers.{chosen}.{part}." for part in ("feedforward", "before_feedforward"))
    later = tuple(f"layers.{i}." for i in range(chosen + 1, len(model.layers)))
    return [name for name in names if name.startswith((*own, *after, *later, "readout."))]


@every_case
def test_a_saved_model_comes_back_bit_for_bit(case: str) -> None:
    model, tokens = CASES[case](), drawn(6)
    again = restore(describe(model), weights_bytes(model), CODE)
    assert torch.equal(again(tokens), model(tokens))
    assert describe(again) == describe(model)


@every_case
def test_the_loss_falls_on_a_tiny_task(case: str) -> None:
    """The last token but one; where a token sees nothing but itself, the last."""
    model, tokens = CASES[case](), drawn(7, rows=32, length=5)
    wanted = tokens[:, -1 if case == "attention, Window(size=1)" else -2] % TARGETS
    optimiser = torch.optim.Adam(model.parameters(), lr=1e-2)
    losses = []
    for _ in range(200):  # one layer needs a few, a stack of all mixers a hundred
        loss = torch.nn.functional.cross_entropy(model(tokens, at=-1), wanted)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # as in training; without it the stack depends on the machine's rounding
        optimiser.step()
        losses.append(float(loss.detach()))
        if losses[-1] < 0.5 * losses[0]:
            break
    assert losses[-1] < 0.5 * losses[0]


@pytest.mark.parametrize("name", trained())
def test_a_mixer_makes_no_tensor_on_another_device_than_its_own(name: str) -> None:
    """On the meta device, which computes shapes alone: a tensor of the CPU beside it would be refused."""
    with torch.device("meta"):
        (layer,) = make(name).to("meta").each_layer()
        assert layer.mixer is not None
        for n in (LENGTH, LONG):
            assert layer.mixer.mix(torch.zeros(2, n, 8)).device.type == "meta"
        state, y = layer.mixer.step(layer.mixer.initial_state(2), torch.zeros(2, 8), 0)
        assert {tensor.device.type for tensor in (y, *state)} == {"meta"}


@pytest.mark.parametrize("name", [*MODELS, *trained()])
def test_the_weights_depend_on_the_seed_alone(name: str) -> None:
    torch.manual_seed(0)
    one = weights_bytes(make(name))
    torch.manual_seed(1)
    before = torch.random.get_rng_state()
    assert weights_bytes(make(name)) == one
    assert torch.equal(torch.random.get_rng_state(), before)  # the caller's generator is left alone
    assert weights_bytes(make(name, seed=1)) != one


@pytest.mark.parametrize(("number_format", "parts"), [("fixed:12,3", 8), ("nearest:21", 32), ("float:5,8", 32)])
@pytest.mark.parametrize("name", trained())
def test_a_mixer_has_an_exact_form_or_says_that_it_has_none(name: str, number_format: str, parts: int) -> None:
    """In formats in which almost every step is rounded: equal bit for bit, token by token or at once."""
    (layer,) = make(name).config.layers
    embedding, readout = EmbeddingConfig(VOCABULARY), ReadoutConfig(TARGETS)
    config = ModelConfig(embedding, (LayerConfig(plain(layer.mixer)),), readout, 8, number_format, LENGTH)
    if config.inexact():
        with pytest.raises(BadInput, match=f"^{number_format} has no exact form of {config.inexact()}: expected a native float"):
            Model(config)
        return
    model, generator, tokens = Model(config).double(), torch.Generator().manual_seed(0), drawn(8)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randint(-6, 7, parameter.shape, generator=generator) / parts)
        whole = model(tokens)
    assert whole.isfinite().all()
    assert number_format != "fixed:12,3" or torch.equal(8 * whole, (8 * whole).round())
    assert torch.equal(run(model, model.initial_state(ROWS), tokens)[1], whole)


@pytest.mark.parametrize("name", trained())
def test_every_size_of_a_mixer_is_at_least_1(name: str) -> None:
    (layer,) = make(name).config.layers
    mixer = layer.mixer
    assert mixer is not None
    sizes = {size: value for size, value in vars(mixer).items() if type(value) is int and value > 0}
    assert sizes or name in WITHOUT_SIZES
    for size in sizes:
        for wrong in (0, -1):
            with pytest.raises(BadInput, match=f"^{mixer.kind}: {size} must be at least 1,.* found {wrong}$"):
                replace(mixer, **{size: wrong})  # type: ignore[type-var]


def plain(mixer: MixerConfig | None) -> MixerConfig | None:
    """Attention without the scaling that is for training."""
    return replace(mixer, scaled=False) if isinstance(mixer, AttentionConfig) else mixer


def test_registers_keep_the_same_promises() -> None:
    """Built, not trained: causal, parallel = recurrent, one bit each across every cut."""
    built = build("index-lookup/recurrent", length=6, symbols=4)
    tokens = torch.from_numpy(built.task.sample(0, 5).tokens)
    whole, model = built.model(tokens), built.model
    assert torch.equal(model(tokens[:, :4]), whole[:, :4])
    for cut in (0, 3, 6):
        state, _ = run(model, model.initial_state(5), tokens[:, :cut])
        (registers,) = state.layers[0]
        assert registers.dtype == torch.bool
        assert registers[0].numel() == model.state_bits(cut, "float64") == 12
        moved = State(cut, ((registers.numpy().copy(),),))
        registers.logical_not_()
        restored = restore(describe(model), weights_bytes(model))
        _, outputs = run(restored, State(cut, ((torch.from_numpy(moved.layers[0][0]),),)), tokens[:, cut:])
        assert torch.equal(outputs, whole[:, cut:]) if cut < tokens.shape[1] else outputs.numel() == 0
    for name in BUILT:
        with pytest.raises(BadInput, match=f"^{name} cannot be trained"):
            make(name)


def test_without_a_mask_a_model_looks_ahead_and_says_so() -> None:
    model, tokens = make("transformer", causal=False, deviation=0.5), drawn(0)
    assert not model.causal
    assert not torch.allclose(model(tokens)[:, 0], model(tokens[:, :1])[:, 0])


def test_only_the_state_of_attention_grows() -> None:
    assert make("lstm", layers=2).state_bits(10) == make("lstm", layers=2).state_bits(10**6) == 2 * 2 * 8 * 32  # (h, c) of two layers
    assert make("gru").state_bits(10) == make("elman").state_bits(10) == make("linear-rnn").state_bits(10) == 8 * 32
    assert make("transformer", layers=2).state_bits(10, "float16") == 2 * 10 * 2 * 8 * 16  # keys and values of width 8 in two layers
    assert make("window", window=4).state_bits(100) == 3 * 2 * 8 * 32  # the next token reads three earlier ones and itself

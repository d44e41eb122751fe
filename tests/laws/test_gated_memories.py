"""DeltaNet, gated DeltaNet, Mamba, Mamba-2 and retention twice: torch's module, all at once and token by token, and the checker's own."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from separatrix.checker.numbers.boxes import Box
from separatrix.models.config import EmbeddingConfig, FeedForwardConfig, LayerConfig, MixerConfig, ModelConfig, ReadoutConfig
from separatrix.models.mixers.deltanet import DeltaNetConfig
from separatrix.models.mixers.gated_deltanet import GatedDeltaNetConfig
from separatrix.models.mixers.mamba import MambaConfig
from separatrix.models.mixers.mamba2 import Mamba2Config
from separatrix.models.mixers.retnet import RetNetConfig
from separatrix.models.model import Model
from tests.laws.checked_models import checked

TOKENS, ROWS = 11, 3
CONFIGURED: tuple[MixerConfig, ...] = (
    DeltaNetConfig(heads=2, key_width=3, value_width=2, convolution=4, negative=False),
    DeltaNetConfig(heads=1, key_width=2, value_width=3, convolution=2, negative=True),
    GatedDeltaNetConfig(heads=2, key_width=3, value_width=2, convolution=3, negative=True),
    MambaConfig(inner=5, state=3, convolution=4, rank=2),
    MambaConfig(inner=3, state=2, convolution=1, rank=1),
    Mamba2Config(heads=4, head_width=2, groups=2, state=3, convolution=4),
    RetNetConfig(heads=3, key_width=4, value_width=3),
)
FLOATS = (("float64", torch.float64, 1e-7), ("float32", torch.float32, 50.0))


def drawn(mixer: MixerConfig, arithmetic: str, dtype: torch.dtype, seed: int) -> Model:
    """A small model around a mixer, with random weights."""
    norm = ("none", "layer", "rms")[seed % 3]
    layer = LayerConfig(mixer, FeedForwardConfig(3) if seed % 2 else None, residual=bool(seed % 4), norm=norm)  # type: ignore[arg-type]
    model = Model(ModelConfig(EmbeddingConfig(3), (layer,), ReadoutConfig(2), 5, arithmetic)).to(dtype)
    rng = np.random.default_rng(seed)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.from_numpy(rng.normal(0, 0.6, tuple(parameter.shape))))
    return model


@torch.no_grad()
def said(model: Model, tokens: np.ndarray) -> list[np.ndarray]:
    """The logits everywhere: all tokens at once, and one after the other."""
    rows = torch.from_numpy(tokens)
    state, steps = model.initial_state(len(rows)), []
    for t in range(rows.shape[1]):
        state, logits = model.step(state, rows[:, t])
        steps.append(logits)
    return [y.to(torch.float64).numpy() for y in (model(rows), torch.stack(steps, dim=1))]


@pytest.mark.parametrize(
    "mixer", CONFIGURED, ids=lambda mixer: f"{mixer.kind}-{mixer.key_width if hasattr(mixer, 'key_width') else mixer.state}"
)
@pytest.mark.parametrize(("arithmetic", "dtype", "widest"), FLOATS, ids=[name for name, *_ in FLOATS])
def test_the_module_lies_within_the_checkers_error_bound(mixer: MixerConfig, arithmetic: str, dtype: torch.dtype, widest: float) -> None:
    used, small = 0.0, 0
    for seed in range(12):
        model = drawn(mixer, arithmetic, dtype, seed)
        tokens = np.random.default_rng(seed).integers(0, 3, (ROWS, TOKENS))
        bounded: Box = checked(model, length=TOKENS).logits(tokens, list(range(TOKENS)))
        for outputs in said(model, tokens):
            off = np.abs(bounded.middle - outputs)
            assert ((bounded.low <= outputs) & (outputs <= bounded.high)).all(), (seed, float((off / bounded.radius).max()))
            used = max(used, float((off / bounded.radius).max()))
        small += float(bounded.radius.max()) < 2 * widest
    assert used > 1e-4  # not a hundred thousand times too large
    assert small >= 8  # and most of them say something


@pytest.mark.parametrize("mixer", CONFIGURED, ids=lambda mixer: mixer.kind)
def test_each_tensor_of_a_mixer_is_read(mixer: MixerConfig) -> None:
    """A weight that one of the two ignored would pass the comparison above if it were small: moved by 1, it moves both alike."""
    model = drawn(mixer, "float64", torch.float64, seed=5)
    tokens = np.random.default_rng(1).integers(0, 3, (ROWS, TOKENS))
    before = checked(model, length=TOKENS).logits(tokens, [TOKENS - 1]).middle
    names = [name for name, _ in model.named_parameters() if name.startswith("layers.0.mixer.")]
    for name in names:
        parameter = model.get_parameter(name)
        with torch.no_grad():
            parameter += 1.0
            theirs = model(torch.from_numpy(tokens), at=-1).numpy()
            ours = checked(model, length=TOKENS).logits(tokens, [TOKENS - 1]).middle
            parameter -= 1.0
        assert np.abs(ours - before).max() > 1e-6, name
        assert np.abs(ours[:, 0] - theirs).max() < 1e-6, name
    assert len(names) >= 5


def test_an_error_is_forgotten_with_what_it_is_an_error_of() -> None:
    """Written over by beta = 1 again and again, a memory is as sure as after the first time; added to, it is not."""
    from separatrix.checker.numbers.floats import Float
    from separatrix.checker.numbers.gates import overwritten

    ops, errors = Float("float32"), []
    for share in (1.0, 0.5):
        S = Box(np.full((1, 2, 1), -2e-3), np.full((1, 2, 1), 2e-3))
        for _ in range(60):
            S = overwritten(ops, S, Box(np.array([[1.0, 0.0]])), Box(np.array([[3.0]])), Box(np.array([share])))
        errors.append(S.radius[0, :, 0] / 2)
    assert errors[0][0] < 1e-5
    assert errors[1][0] < 1e-5  # half of it is forgotten each time
    assert (np.array(errors)[:, 1] >= 1e-3).all()  # the other row was never written

"""Mixers of the user's own: made from what they ask for, tried out before they are trained, loaded only by name."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import torch

from separatrix.errors import BadInput
from separatrix.models import make_model
from separatrix.models.mixers.user import UserConfig
from separatrix.models.model import Model
from separatrix.models.saved import describe, restore, weights_bytes

MINE = """
import torch
from torch import nn

class Mean(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.scale = nn.Parameter(torch.randn(width))

    def forward(self, x):
        return self.scale * x.cumsum(1) / torch.arange(1, x.shape[1] + 1, dtype=x.dtype)[None, :, None]

class SteppedMean(Mean):
    def step(self, state, x):
        total, count = (torch.zeros_like(x), torch.zeros(len(x), 1, dtype=x.dtype)) if state is None else state
        total, count = total + x, count + 1
        return (total, count), self.scale * total / count

class Forgetful(SteppedMean):
    def step(self, state, x):
        return super().step(None, x)

class Everything(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.linear = nn.Linear(d_model, d_model)

    def forward(self, x):
        return self.linear(x.mean(1, keepdim=True).expand_as(x))

class Peek(nn.Identity):
    def forward(self, x):
        return torch.cat([x[:, 1:], x[:, -1:]], dim=1)

class Kernel(nn.Module):
    def __init__(self, dim, kernel, gain=1.0):
        super().__init__()
        assert isinstance(kernel, int)
        self.kernel, self.gain, self.weight = kernel, gain, nn.Parameter(torch.ones(dim))

    def forward(self, x):
        back = torch.cat([torch.zeros_like(x[:, : self.kernel]), x], dim=1)[:, : x.shape[1]]
        return self.gain * self.weight * back

class Short(nn.Module):
    def forward(self, x):
        return x[:, :-1]

class Broken(Mean):
    def forward(self, x):
        return super().forward(x) / (x.cumsum(1) - x).abs().sign().sub(1).abs().sub(1)

class Log(nn.Identity):
    def forward(self, x):
        return x.log()

def number():
    return 3

text = "not callable"
"""


@pytest.fixture
def mine(tmp_path: Path) -> str:
    path = tmp_path / "mine.py"
    path.write_text(MINE)
    return str(path)


def make(place: str, **chosen: object) -> Model:
    model = make_model(place, vocabulary=5, targets=3, **{"width": 8, **chosen})
    assert isinstance(model, Model)
    return model


def by_steps(model: Model, tokens: torch.Tensor) -> torch.Tensor:
    state, outputs = model.initial_state(len(tokens)), []
    for t in range(tokens.shape[1]):
        state, logits = model.step(state, tokens[:, t])
        outputs.append(logits)
    return torch.stack(outputs, dim=1)


TOKENS = torch.arange(12).reshape(2, 6) % 5


def test_a_mixer_of_ones_own_stands_in_layers(mine: str) -> None:
    model = make(f"{mine}:Mean", layers=2)
    assert [type(layer.mixer).__name__ for layer in model.config.layers] == ["UserConfig"] * 2
    assert torch.allclose(by_steps(model, TOKENS), model(TOKENS), atol=1e-6)
    assert not model.state_known  # reading everything again is a way to run it, not what it would have to carry
    for length in (0, 6):
        with pytest.raises(BadInput, match=r"the size of the state of mixer Mean is unknown: give it step\(state, x\)"):
            model.state_bits(length)


def test_a_mixer_of_ones_own_gets_positions_only_if_asked(mine: str) -> None:
    assert make(f"{mine}:Mean").config.embedding.places == ()
    assert len(make(f"{mine}:Mean", positions="learned", length=6).config.embedding.places) == 1


def test_a_step_of_ones_own_makes_the_state_small(mine: str) -> None:
    model = make("stack", mixers=f"{mine}:SteppedMean,gru")
    assert torch.allclose(by_steps(model, TOKENS), model(TOKENS), atol=1e-6)
    assert model.state_bits(6) == model.state_bits(60) == (8 + 1 + 8) * 32  # total and count, and h


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("Everything", "mixer Everything is not causal: its output at token 1 changes with the tokens after it"),
        ("Peek", "mixer Peek is not causal: its output at token 1 changes with the tokens after it"),
        ("Forgetful", "mixer Forgetful: step and forward disagree: token by token the output is different"),
        ("Broken", "mixer Broken returns inf, first at token 1 of 9 normally distributed vectors"),
        ("Log", "mixer Log returns nan, first at token 1 of 9 normally distributed vectors"),
        ("Short", r"mixer Short: forward must return \[b, n, d\] = \[2, 9, 8\], found \[2, 8, 8\]"),
        ("Kernel", r"mixer .*mine.py:Kernel needs kernel \(any\)"),
        ("text", "expected a model, a mixer or a Hugging Face configuration, found str"),
    ],
)
def test_what_cannot_be_trained_is_refused_before_it_is(mine: str, name: str, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        make(f"{mine}:{name}")


def test_what_makes_no_module_is_refused(mine: str) -> None:
    with pytest.raises(BadInput, match="expected a torch module, found int"):
        make("stack", mixers=(f"{mine}:number",))


def test_its_own_arguments_can_be_set_and_are_remembered(mine: str) -> None:
    """Unhinted parameters take numbers as numbers, also from text."""
    model = make(f"{mine}:Kernel", kernel="2", gain=0.5)
    (layer,) = model.config.layers
    assert isinstance(layer.mixer, UserConfig)
    assert layer.mixer.settings == (("kernel", 2), ("gain", 0.5))
    again = restore(describe(model), weights_bytes(model), [f"{mine}:Kernel"])
    assert torch.equal(again(TOKENS), model(TOKENS))
    with pytest.raises(
        BadInput,
        match=r"model .*mine.py:Kernel has no parameter 'kernal': expected one of .*positions.* gain, kernel; did you mean 'kernel'",
    ):
        make(f"{mine}:Kernel", kernal=2)


def test_a_file_cannot_ask_to_run_code(mine: str) -> None:
    model = make(f"{mine}:Mean")
    description, weights = describe(model), weights_bytes(model)
    assert description["layers"][0]["mixer"]["code"] == "mine.py:Mean"  # no folder of this machine
    with pytest.raises(BadInput, match=r"this file needs to run the code mine.py:Mean: pass --code mine"):
        restore(description, weights)
    for named in (f"{mine}:Mean", mine):
        assert torch.equal(restore(description, weights, [named])(TOKENS), model(TOKENS))


def test_code_is_known_by_its_content(mine: str, tmp_path: Path) -> None:
    model = make(f"{mine}:Mean")
    description, weights = describe(model), weights_bytes(model)
    elsewhere = tmp_path / "other" / "renamed.py"
    elsewhere.parent.mkdir()
    shutil.copy(mine, elsewhere)
    assert torch.equal(restore(description, weights, [str(elsewhere)])(TOKENS), model(TOKENS))
    changed = tmp_path / "other" / "mine.py"
    changed.write_text(MINE.replace("self.scale * x.cumsum", "2 * self.scale * x.cumsum"))
    with pytest.raises(
        BadInput, match=r"mine.py is not the code that was used: its SHA-256 begins with [0-9a-f]{12}, expected [0-9a-f]{12}"
    ):
        restore(description, weights, [str(changed)])


def test_it_has_no_exact_form(mine: str) -> None:
    from dataclasses import replace

    config = make(f"{mine}:Mean").config
    layers = tuple(replace(layer, feedforward=None, norm="none") for layer in config.layers)
    with pytest.raises(BadInput, match=r"^fixed:8,4 has no exact form of mixer .*mine.py:Mean: expected a native float, such as float64"):
        Model(replace(config, layers=layers, arithmetic="fixed:8,4"))

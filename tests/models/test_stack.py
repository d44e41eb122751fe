from pathlib import Path

import pytest
import torch

from separatrix.errors import BadInput
from separatrix.models import make_model
from separatrix.models.gru import gru
from separatrix.models.lstm import lstm
from separatrix.models.saved import describe, restore, weights_bytes
from separatrix.models.stack import Stack, stack
from separatrix.models.trainable import transformer

CUMULATIVE = """
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

class Short(nn.Module):
    def forward(self, x):
        return x[:, :-1]

class Demanding(nn.Module):
    def __init__(self, width, kernel):
        super().__init__()

def number():
    return 3
"""


@pytest.fixture
def mine(tmp_path: Path) -> str:
    path = tmp_path / "mine.py"
    path.write_text(CUMULATIVE)
    return str(path)


def logits_by_steps(model: Stack, tokens: torch.Tensor) -> torch.Tensor:
    state, said = model.initial_state(len(tokens)), []
    for t in range(tokens.shape[1]):
        state, logits = model.step(state, tokens[:, t])
        said.append(logits)
    return torch.stack(said, dim=1)


@pytest.mark.parametrize("layers", [1, 3])
def test_an_lstm_is_torchs(layers: int) -> None:
    model, tokens = lstm(6, 4, width=10, layers=layers, seed=3), torch.arange(24).reshape(3, 8) % 6
    peer = torch.nn.LSTM(10, 10, num_layers=layers, batch_first=True)
    kernels = [block.mixer.get_submodule("kernel") for block in model.stack()]
    for index, kernel in enumerate(kernels):
        for name, parameter in kernel.named_parameters():
            getattr(peer, name.replace("_l0", f"_l{index}")).data.copy_(parameter.data)
    hidden = peer(torch.nn.functional.embedding(tokens, model.embedding.table))[0]
    assert torch.allclose(model(tokens), model.unembedding(hidden), atol=1e-6)


def test_attention_mixers_in_residual_blocks_are_the_gpt2_transformer() -> None:
    ours = stack(7, 5, mixers=("attention",) * 2, width=8, heads=2, length=9, seed=1)
    peer = transformer(7, 5, width=8, layers=2, heads=2, length=9)
    renamed = {
        name.replace("blocks.", "layers.").replace(".mixer.heads.", ".attention.").replace("before_mixing", "before_attention")
        .replace("unembedding.weight", "unembedding").replace("unembedding.bias", "unembedding_bias"): tensor
        for name, tensor in ours.state_dict().items()
    }  # fmt: skip
    peer.load_state_dict(renamed)
    tokens = torch.arange(18).reshape(2, 9) % 7
    assert torch.allclose(ours(tokens), peer(tokens), atol=1e-6)


def test_a_mixer_of_ones_own_stands_in_a_stack(mine: str) -> None:
    model = make_model(f"{mine}:Mean", vocabulary=5, targets=3, width=8, layers=2)
    assert isinstance(model, Stack)
    assert model.config.mixers == (f"{mine}:Mean",) * 2
    tokens = torch.arange(12).reshape(2, 6) % 5
    assert torch.allclose(logits_by_steps(model, tokens), model(tokens), atol=1e-6)
    assert model.state_bits(6) == 2 * 6 * 8 * 32  # without a step every vector that was read is carried


def test_a_step_of_ones_own_makes_the_state_small(mine: str) -> None:
    model = make_model("stack", vocabulary=5, targets=3, width=8, mixers=f"{mine}:SteppedMean,gru")
    assert isinstance(model, Stack)
    tokens = torch.arange(12).reshape(2, 6) % 5
    assert torch.allclose(logits_by_steps(model, tokens), model(tokens), atol=1e-6)
    assert model.state_bits(6) == model.state_bits(60) == (8 + 1 + 8) * 32  # total and count, and h


def test_a_file_cannot_ask_to_run_code(mine: str) -> None:
    model = make_model(f"{mine}:Mean", vocabulary=5, targets=3, width=8)
    description, weights = describe(model), weights_bytes(model)
    with pytest.raises(
        BadInput, match=r"this model runs the code .*mine.py:Mean; a file cannot ask for that by itself: name it, as in --code"
    ):
        restore(description, weights)
    tokens = torch.arange(12).reshape(2, 6) % 5
    assert torch.equal(restore(description, weights, [f"{mine}:Mean"])(tokens), model(tokens))


def test_a_mixer_that_loses_a_token_is_refused(mine: str) -> None:
    model = make_model(f"{mine}:Short", vocabulary=5, targets=3, width=8)
    with pytest.raises(BadInput, match=r"mixer Short: forward must return \[b, n, d\] = \[1, 4, 8\], found \[1, 3, 8\]"):
        model(torch.zeros(1, 4, dtype=torch.int64))


def test_what_is_no_mixer_is_refused(mine: str) -> None:
    with pytest.raises(BadInput, match="needs 'kernel': a mixer is made from width and heads alone"):
        stack(5, 3, mixers=(f"{mine}:Demanding",))
    with pytest.raises(BadInput, match="expected a torch module, found int"):
        stack(5, 3, mixers=(f"{mine}:number",))
    with pytest.raises(BadInput, match=r"unknown mixer 'lsmt': expected one of attention, elman, gru, lstm .* did you mean 'lstm'"):
        stack(5, 3, mixers=("lsmt",))


def test_sizes_that_cannot_be_are_refused() -> None:
    with pytest.raises(BadInput, match="attention: width 10 is not divisible by heads 4"):
        stack(5, 3, mixers=("attention",), width=10)
    with pytest.raises(BadInput, match="gru: layers must be at least 1, found 0"):
        gru(5, 3, layers=0)
    with pytest.raises(BadInput, match=r"lstm: dropout must lie in \[0, 1\), found 1.0"):
        lstm(5, 3, dropout=1.0)
    with pytest.raises(BadInput, match="stack: mixers must be at least 1, found 0"):
        stack(5, 3, mixers=())


def test_ids_outside_the_vocabulary_are_refused() -> None:
    with pytest.raises(BadInput, match=r"token 5 lies outside the vocabulary 0\.\.4"):
        lstm(5, 3, width=4)(torch.tensor([[0, 5]]))
    with pytest.raises(BadInput, match=r"expected integer tokens \[rows, n\], found float32 of shape \[1, 2\]"):
        lstm(5, 3, width=4)(torch.zeros(1, 2))


def test_dropout_acts_in_training_only() -> None:
    model, tokens = lstm(5, 3, width=16, layers=2, dropout=0.5), torch.zeros(2, 4, dtype=torch.int64)
    assert not torch.equal(model(tokens), model(tokens))
    model.eval()
    assert torch.equal(model(tokens), model(tokens))

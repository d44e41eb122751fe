"""Linear attention: all at once equals token by token; trained by name; and as built weights that the checker runs again."""

from __future__ import annotations

import torch

import separatrix as sx
from separatrix.arithmetic import arithmetic
from separatrix.certificates.built import Built
from separatrix.certificates.claim import Claim
from separatrix.certificates.program import Program
from separatrix.certificates.verify import verify
from separatrix.checker import check_text
from separatrix.models.config import EmbeddingConfig, FeedForwardConfig, LayerConfig, ModelConfig, PlaceConfig, ReadoutConfig
from separatrix.models.decoders.position import Position
from separatrix.models.mixers.linear_attention import LinearAttention, LinearAttentionConfig
from separatrix.models.model import Model
from separatrix.tasks.equality import Equality


def drawn(dtype: torch.dtype = torch.float64) -> LinearAttention:
    mixer = LinearAttentionConfig(heads=2, key_width=3, value_width=4, bias=True).build(5, arithmetic("float64")).to(dtype)
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for parameter in mixer.parameters():
            parameter.normal_(0.0, 0.7, generator=generator)
    return mixer


def test_all_at_once_equals_the_recurrence_with_its_gradients() -> None:
    mixer, x = drawn(), torch.randn(2, 7, 5, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    state, outputs = mixer.initial_state(2), []
    for t in range(7):
        state, y = mixer.step(state, x[:, t], t)
        outputs.append(y)
    stepped = torch.stack(outputs, dim=1)
    torch.testing.assert_close(mixer.mix(x), stepped, rtol=1e-12, atol=1e-12)
    one, other = (torch.autograd.grad((y**2).sum(), list(mixer.parameters())) for y in (mixer.mix(x), stepped))
    torch.testing.assert_close(one, other, rtol=1e-9, atol=1e-9)
    assert sum(tensor[0].numel() for tensor in state) == mixer.state_numbers(7) == 2 * 3 * (4 + 1)


def test_it_is_trained_by_name() -> None:
    model = sx.model("lintf-2-16", vocabulary=9, targets=4, length=12)
    tokens = torch.randint(0, 9, (3, 12), generator=torch.Generator().manual_seed(0))
    assert model(tokens).shape == (3, 12, 4)
    assert [layer.mixer.kind for layer in model.config.layers] == ["linear-attention"] * 2
    assert model.state_bits(12) == model.state_bits(5) == 2 * 32 * 4 * 4 * (4 + 1)  # two layers, four heads of 4 x 4 and 4


def equality_by_a_mean(N: int) -> Built:
    """With keys that are all 0 every feature is 1, so the head reads a mean: of +- s_i 2^i, which is 0 exactly where the halves agree."""
    task, powers = Equality(N, 2), [2.0**i for i in range(N // 2)]
    place = PlaceConfig("table", 1, N, projected=False)
    heads = LinearAttentionConfig(heads=1, key_width=1, value_width=1)
    config = ModelConfig(
        EmbeddingConfig(2, places=(place,), gated=True), (LayerConfig(heads, FeedForwardConfig(2)),), ReadoutConfig(2), 1,
        arithmetic="float64", length=N,
    )  # fmt: skip
    model = Model(config).double()
    tensors = {
        "embedding.gate": [0.0, 1.0],
        "embedding.places.0.address.table": [[p] for p in (*powers, *(-p for p in powers))],
        "layers.0.mixer.value": [[1.0]],
        "layers.0.mixer.out": [[float(N)]],
        "layers.0.feedforward.inner": [[1.0], [-1.0]],
        "layers.0.feedforward.outer": [[1.0, 1.0]],
        "readout.weight": [[1.0], [-1.0]],
        "readout.bias": [0.0, 1.0],
    }
    with torch.no_grad():
        for name, tensor in model.state_dict().items():
            tensor.copy_(torch.tensor(tensors[name], dtype=torch.float64) if name in tensors else torch.zeros_like(tensor))
    claim = Claim("equality/linear-attention", "", task.name, task.parameters, {}, "float64")
    return Built(Program(model, Position()), claim, task)


def test_built_weights_are_verified_and_checked() -> None:
    certificate = verify(equality_by_a_mean(10))
    verdict = check_text(certificate.to_json())
    assert (verdict.holds, verdict.strength) == (True, "exhaustive"), verdict.reason
    assert verdict.claim.startswith("equality, N = 10, 2 symbols: right on all 1,024 inputs; one layer, one head")


def test_another_weight_is_refuted() -> None:
    built = equality_by_a_mean(10)
    with torch.no_grad():
        built.model.embedding.every_place()[0].address.table[0] = 2.0  # two places now count alike
    assert not verify(built).holds

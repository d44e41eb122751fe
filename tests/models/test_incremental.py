import pytest
import torch

from separatrix.constructions import build
from separatrix.errors import BadInput
from separatrix.models.trainable import transformer


def test_a_built_layer_without_mask_answers_at_every_last_token() -> None:
    built = build("index-lookup", length=8, symbols=4)
    tokens = torch.tensor([[3, 1, 2, 0, 1, 1, 2, 3, 4 + 2]])  # s_3 = 2
    state = built.model.initial_state(1)
    for t in range(tokens.shape[1]):
        state, logits = built.model.step(state, tokens[:, t])
        assert torch.allclose(logits, built.model(tokens[:, : t + 1], at=-1))
    assert int(logits.argmax()) == 2


def test_exact_formats_are_stepped_exactly() -> None:
    built = build("index-lookup", length=4, symbols=2, address="quadratic", arithmetic="fixed:24,8")
    tokens = torch.tensor([[1, 0, 1, 1, 2 + 1]])
    state = built.model.initial_state(1)
    for t in range(5):
        state, logits = built.model.step(state, tokens[:, t])
    assert torch.equal(logits, built.model(tokens, at=-1))


def test_two_layers_without_mask_have_no_state() -> None:
    model = transformer(3, 2, width=8, layers=2, causal=False)
    for ask in (lambda: model.step(model.initial_state(1), torch.tensor([0])), lambda: model.state_bits(5)):
        with pytest.raises(BadInput, match="a Transformer of 2 layers without causal mask has no state: every token reads all others"):
            ask()

"""Every architecture is confronted with what all of them promise."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import Tensor
from torch.func import functional_call

from separatrix.models import MODELS, make_model
from separatrix.models.saved import describe, restore, weights_bytes
from separatrix.models.sequence_model import SequenceModel, State
from separatrix.models.transformer import Transformer

VOCABULARY, TARGETS, ROWS, LENGTH = 7, 5, 3, 11


def made(name: str, **chosen: object) -> SequenceModel:
    sizes = {"width": 8, "heads": 2, "length": 16, **chosen} if name in ("transformer", "stack") else {"width": 6, "layers": 2, **chosen}
    model = make_model(name, vocabulary=VOCABULARY, targets=TARGETS, **sizes)
    assert isinstance(model, SequenceModel)
    return model


CASES: dict[str, Callable[[], SequenceModel]] = {
    "transformer": lambda: made("transformer", layers=2),
    "transformer, sinusoidal": lambda: made("transformer", layers=2, positions="sinusoidal"),
    "transformer, rotary llama": lambda: made("transformer", layers=2, positions="rotary", block="llama"),
    "lstm": lambda: made("lstm"),
    "gru": lambda: made("gru"),
    "elman": lambda: made("elman"),
    "stack": lambda: made("stack", mixers=("attention", "lstm", "gru", "elman", "attention")),
}
every_architecture = pytest.mark.parametrize("case", CASES)


def awake(model: SequenceModel) -> SequenceModel:
    """In float64, with weights large enough that every part matters to the logits."""
    generator = torch.Generator().manual_seed(1)
    model.double()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn(parameter.shape, generator=generator, dtype=torch.float64), alpha=0.3)
    return model.eval()


def drawn(seed: int, rows: int = ROWS, length: int = LENGTH) -> Tensor:
    return torch.randint(0, VOCABULARY, (rows, length), generator=torch.Generator().manual_seed(seed))


@torch.no_grad()
def run(model: SequenceModel, state: State, tokens: Tensor) -> tuple[State, Tensor]:
    said: list[Tensor] = []
    for t in range(tokens.shape[1]):
        state, logits = model.step(state, tokens[:, t])
        said.append(logits)
    return state, torch.stack(said, dim=1) if said else torch.zeros(0)


def test_every_entry_of_the_table_is_confronted() -> None:
    assert {case.split(",")[0] for case in CASES} == set(MODELS)
    assert len(MODELS) == 5


@every_architecture
def test_later_tokens_do_not_change_earlier_logits(case: str) -> None:
    model, tokens = awake(CASES[case]()), drawn(0)
    before = model(tokens)
    for cut in (1, 5, LENGTH - 1):
        changed = tokens.clone()
        changed[:, cut:] = (changed[:, cut:] + 1) % VOCABULARY
        after = model(changed)
        assert torch.equal(after[:, :cut], before[:, :cut])
        assert not torch.allclose(after[:, cut], before[:, cut])


@every_architecture
def test_an_earlier_token_reaches_later_logits(case: str) -> None:
    model, tokens = awake(CASES[case]()), drawn(0)
    changed = tokens.clone()
    changed[:, 0] = (changed[:, 0] + 1) % VOCABULARY
    assert (model(changed)[:, -1] - model(tokens)[:, -1]).abs().max() > 1e-9


@every_architecture
def test_token_by_token_the_logits_are_those_of_the_whole_sequence(case: str) -> None:
    model, tokens = awake(CASES[case]()), drawn(2)
    _, said = run(model, model.initial_state(ROWS), tokens)
    assert torch.allclose(said, model(tokens), rtol=0, atol=1e-12)


@every_architecture
def test_one_read_out_position_is_that_row_of_all_of_them(case: str) -> None:
    model, tokens = awake(CASES[case]()), drawn(3)
    at = torch.tensor([0, 4, -1])
    assert torch.allclose(model(tokens, at=at), model(tokens)[torch.arange(ROWS), at], rtol=0, atol=1e-12)


@every_architecture
def test_the_declared_state_is_all_that_crosses_a_cut(case: str) -> None:
    model, tokens = awake(CASES[case]()), drawn(4)
    whole = model(tokens)
    weights, description = weights_bytes(model), describe(model)
    for cut in (0, 1, 6):
        state, _ = run(model, model.initial_state(ROWS), tokens[:, :cut])
        moved = [[tensor.numpy().tobytes() for tensor in layer] for layer in state.layers]  # nothing but these bytes and the clock
        assert 8 * sum(len(part) for layer in moved for part in layer) == ROWS * model.state_bits(cut, "float64")
        shapes = [[tensor.shape for tensor in layer] for layer in state.layers]
        for layer in state.layers:
            for tensor in layer:
                tensor.fill_(float("nan"))
        other = restore(description, weights)  # shares nothing with the model that read the first part
        layers = tuple(
            tuple(torch.frombuffer(bytearray(part), dtype=torch.float64).reshape(shape) if part else torch.zeros(shape, dtype=torch.float64)
                  for part, shape in zip(parts, sizes, strict=True))
            for parts, sizes in zip(moved, shapes, strict=True)
        )  # fmt: skip
        _, said = run(other, State(cut, layers), tokens[:, cut:])
        assert torch.allclose(said, whole[:, cut:], rtol=0, atol=1e-12)


@every_architecture
def test_the_gradients_are_those_of_finite_differences(case: str) -> None:
    model, tokens = awake(CASES[case]()), drawn(5, rows=2, length=4)
    names = [name for name, _ in model.named_parameters()]
    values = [parameter.detach().clone().requires_grad_() for parameter in model.parameters()]

    def logits(*given: Tensor) -> tuple[Tensor, Tensor]:
        weights = dict(zip(names, given, strict=True))
        return functional_call(model, weights, (tokens,)), functional_call(model, weights, (tokens, -1))

    assert torch.autograd.gradcheck(logits, values, fast_mode=True)


@every_architecture
def test_a_saved_model_comes_back_bit_for_bit(case: str) -> None:
    model, tokens = CASES[case](), drawn(6)
    again = restore(describe(model), weights_bytes(model))
    assert torch.equal(again(tokens), model(tokens))
    assert describe(again) == describe(model)


@every_architecture
def test_the_loss_falls_on_a_tiny_task(case: str) -> None:
    model, tokens = CASES[case](), drawn(7, rows=32, length=5)
    wanted = tokens[:, -2] % TARGETS  # the last token but one
    optimiser = torch.optim.Adam(model.parameters(), lr=1e-2)
    losses = []
    for _ in range(60):
        loss = torch.nn.functional.cross_entropy(model(tokens, at=-1), wanted)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(float(loss.detach()))
    assert losses[-1] < 0.5 * losses[0]


@every_architecture
def test_the_weights_depend_on_the_seed_alone(case: str) -> None:
    torch.manual_seed(0)
    one = weights_bytes(CASES[case]())
    torch.manual_seed(1)
    assert weights_bytes(CASES[case]()) == one
    assert weights_bytes(made(case.split(",", maxsplit=1)[0], seed=1)) != weights_bytes(made(case.split(",", maxsplit=1)[0], seed=0))


def test_only_the_state_of_attention_grows() -> None:
    assert made("lstm").state_bits(10) == made("lstm").state_bits(10**6) == 2 * 2 * 6 * 32  # (h, c) of two layers
    assert made("gru").state_bits(10) == made("elman").state_bits(10) == 2 * 6 * 32
    transformer = made("transformer", layers=2)
    assert isinstance(transformer, Transformer)
    assert transformer.state_bits(10, "float16") == 2 * 10 * 2 * 8 * 16  # keys and values of width 8 in two layers

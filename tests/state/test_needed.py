"""What is held but not needed can be overwritten: the model goes on as if nothing had happened. What is needed cannot."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
import torch

from separatrix.state import config_state
from tests.state.random_configs import random_config
from tests.state.real_cache import build

pytestmark = pytest.mark.filterwarnings("ignore")
N = 21


def _columns(layer: Any, needed: bool) -> list[torch.Tensor]:
    states = layer.conv_states[0]
    return [states[..., -1:] if needed else states[..., :1]]


def _chunk(layer: Any, needed: bool) -> list[torch.Tensor]:
    past = N % 9 if needed else 0
    return [t[:, :, t.shape[2] - past :] if needed else t[:, :, : t.shape[2] - N % 9] for t in (layer.keys, layer.values)]


def _local(layer: Any, needed: bool) -> list[torch.Tensor]:
    return [t[:, :, -4:] if needed else t[:, :, : N - 4] for t in (layer.keys, layer.values)]


CASES: dict[str, tuple[dict[str, Any], int, Callable[[Any, bool], list[torch.Tensor]]]] = {
    "mamba": ({"conv_kernel": 4}, 0, _columns),
    "lfm2": ({"conv_L_cache": 3, "num_hidden_layers": 2, "full_attn_idxs": [0]}, 1, _columns),
    "llama4_text": ({"attention_chunk_size": 9, "layer_types": ["chunked_attention", "full_attention", "chunked_attention"]}, 0, _chunk),
    "gpt_neo": ({"window_size": 5}, 1, _local),
}


@pytest.mark.parametrize("kind", CASES)
def test_only_what_is_needed_changes_what_comes_after(kind: str) -> None:
    changes, index, part = CASES[kind]
    config = {**random_config(kind, 0), **changes}
    counted = config_state(config, N, "float32").layers[index]
    assert counted.needed < counted.held
    model = build(config, torch.float32)
    tokens = torch.randint(5, 50, (1, N), generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        output = model(input_ids=tokens, use_cache=True)
    cache = output.get("past_key_values") if output.get("past_key_values") is not None else output["cache_params"]
    name = "past_key_values" if output.get("past_key_values") is not None else "cache_params"

    def goes_on(needed: bool | None) -> torch.Tensor:
        """Logits of three further tokens, after noise was written over a part of the state."""
        state = deepcopy(cache)
        if needed is not None:
            for piece in part(state.layers[index], needed):
                piece.copy_(torch.randn(piece.shape, generator=torch.Generator().manual_seed(2)) * 3)
        logits = []
        for step in range(3):
            place = {"position_ids": torch.tensor([[N + step]])} if name == "past_key_values" else {}
            with torch.no_grad():
                logits.append(model(input_ids=torch.tensor([[7 + step]]), use_cache=True, **{name: state}, **place).logits)
        return torch.cat(logits)

    untouched = goes_on(None)
    assert torch.equal(goes_on(False), untouched)
    assert not torch.allclose(goes_on(True), untouched)

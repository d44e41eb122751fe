"""Larger configs: the language model inside them is counted as transformers resolves it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from separatrix.errors import BadInput
from separatrix.state import config_state
from separatrix.state.engine import FLAT, wrappers
from separatrix.state.from_config import FAMILIES
from tests.state.real_cache import load_config

pytestmark = pytest.mark.filterwarnings("ignore")

SIZES = {"hidden_size": 64, "num_hidden_layers": 4, "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 200}
CASES: dict[str, dict[str, Any]] = {
    "llava": {"text_config": {"model_type": "llama", "num_hidden_layers": 3}},
    "llava_onevision": {"text_config": SIZES},
    "gemma3": {"text_config": {"hidden_size": 64, "num_hidden_layers": 7, "sliding_window": 16}},
    "gemma3n": {"text_config": {"model_type": "gemma3n_text", "num_hidden_layers": 35, "sliding_window": 16}},
    "llama4": {"text_config": {**SIZES, "attention_chunk_size": 16}},
    "mistral3": {"text_config": {**SIZES, "model_type": "mistral", "sliding_window": None}},
    "voxtral": {"text_config": {"num_attention_heads": 16}},
    "kimi_k25": {"text_config": {**SIZES, "model_type": "kimi_k2", "num_key_value_heads": 4}},
    "qwen2_5_omni": {"thinker_config": {"text_config": SIZES}},
    "qwen3_5": {"text_config": {**SIZES, "full_attention_interval": 2}},
    "qwen2_vl": {**SIZES},
    "qwen2_5_vl": {**SIZES, "use_sliding_window": True, "sliding_window": 16, "max_window_layers": 2},
    "aya_vision": {"text_config": {"model_type": "cohere2", **SIZES, "sliding_window_pattern": 2, "sliding_window": 16}},
    "paligemma": {"text_config": {"model_type": "gemma", **SIZES}},
}


@pytest.mark.parametrize("kind", CASES)
def test_a_larger_config_is_counted_as_it_is_resolved(kind: str) -> None:
    document = {"model_type": kind, **CASES[kind]}
    resolved = load_config(document)
    for step in wrappers()[kind].path[:-1]:
        resolved = getattr(resolved, step)
    inner = resolved.get_text_config(decoder=True)
    saved = {**json.loads(inner.to_json_string()), "model_type": inner.model_type}
    for length in (5, 100):
        counted, expected = config_state(document, length, "bfloat16"), config_state(saved, length, "bfloat16")
        assert [(layer.kind, layer.held) for layer in counted.layers] == [(layer.kind, layer.held) for layer in expected.layers]


def test_the_dtype_of_the_larger_config_counts_first() -> None:
    inner = {"model_type": "llama", **SIZES, "dtype": "float32"}
    assert config_state({"model_type": "llava", "dtype": "bfloat16", "text_config": inner}, 5).dtype == "bfloat16"
    assert config_state({"model_type": "llava", "text_config": inner}, 5).dtype == "float32"


def test_a_flat_config_has_its_sizes_or_is_refused() -> None:
    flat = {"model_type": "qwen2_vl", **{key: value for key, value in SIZES.items() if key != "num_hidden_layers"}}
    with pytest.raises(BadInput, match="qwen2_vl_text config: num_hidden_layers is missing"):
        config_state(flat, 5)


def test_most_larger_configs_hold_a_language_model_with_a_formula() -> None:
    known = [kind for kind, wrapper in wrappers().items() if wrapper.type in FAMILIES]
    assert len(known) >= 85
    assert set(FLAT) <= set(known)


def test_an_unknown_language_model_inside_is_refused_by_its_own_name() -> None:
    with pytest.raises(BadInput, match="no formula for model_type 'novel'"):
        config_state({"model_type": "llava", "text_config": {"model_type": "novel", **SIZES}}, 5)

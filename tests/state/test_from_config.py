"""Configs as published models have them, counted by hand; and configs that must not be counted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import separatrix as sx
from separatrix.errors import BadInput
from separatrix.state import UnknownFamily, config_state

LLAMA = {"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8}
MISTRAL = {**LLAMA, "model_type": "mistral", "sliding_window": 256}
DEEPSEEK_V3 = {
    "model_type": "deepseek_v3", "hidden_size": 7168, "num_hidden_layers": 61, "num_attention_heads": 128, "num_key_value_heads": 128,
    "kv_lora_rank": 512, "q_lora_rank": 1536, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128, "torch_dtype": "bfloat16",
}  # fmt: skip
FALCON_7B = {
    "model_type": "falcon", "hidden_size": 4544, "num_hidden_layers": 32, "num_attention_heads": 71, "num_kv_heads": 71,
    "multi_query": True, "new_decoder_architecture": False,
}  # fmt: skip
FALCON_40B = {
    "model_type": "falcon", "hidden_size": 8192, "num_hidden_layers": 60, "num_attention_heads": 128, "num_kv_heads": 8,
    "multi_query": True, "new_decoder_architecture": True,
}  # fmt: skip
GEMMA3_4B = {  # its section for the language model leaves out what equals the class defaults
    "model_type": "gemma3", "torch_dtype": "bfloat16", "vision_config": {"hidden_size": 1152},
    "text_config": {"model_type": "gemma3_text", "hidden_size": 2560, "num_hidden_layers": 34, "sliding_window": 1024},
}  # fmt: skip
LLAMA4 = {
    "model_type": "llama4_text", "hidden_size": 5120, "num_hidden_layers": 48, "num_attention_heads": 40, "num_key_value_heads": 8,
    "head_dim": 128, "attention_chunk_size": 8192, "no_rope_layer_interval": 4,
}  # fmt: skip


def test_grouped_queries_by_hand() -> None:
    assert sx.state_bytes(LLAMA, length=1000, dtype="bfloat16").held == 32 * 2 * 8 * 128 * 1000 * 2


def test_a_window_holds_one_token_less_than_its_length() -> None:
    assert sx.state_bytes(MISTRAL, length=1000, dtype="bfloat16").held == 32 * 2 * 8 * 128 * 255 * 2
    assert sx.state_bytes(MISTRAL, length=254, dtype="bfloat16").held == 32 * 2 * 8 * 128 * 254 * 2


def test_a_window_that_is_switched_off_is_full_attention() -> None:
    config = {**LLAMA, "model_type": "qwen2", "sliding_window": 16, "use_sliding_window": False, "max_window_layers": 0}
    assert sx.state_bytes(config, length=1000, dtype="bfloat16").held == 32 * 2 * 8 * 128 * 1000 * 2
    on = sx.state_bytes({**config, "use_sliding_window": True, "max_window_layers": 30}, length=1000, dtype="bfloat16")
    assert on.held == 2 * 8 * 128 * 2 * (30 * 1000 + 2 * 15)


def test_latent_attention_caches_576_numbers_for_a_token_and_layer() -> None:
    counted = sx.state_bytes(DEEPSEEK_V3, length=1000)
    assert counted.held == 61 * 576 * 1000 * 2
    assert any(f"{61 * 128 * 320 * 1000 * 2:,}" in note for note in counted.notes)  # what whole heads would take


def test_multi_query_has_one_head_whatever_num_kv_heads_says() -> None:
    assert sx.state_bytes(FALCON_7B, length=100, dtype="bfloat16").held == 32 * 2 * 64 * 100 * 2


def test_heads_that_are_copied_into_the_cache_are_held_but_not_needed() -> None:
    counted = sx.state_bytes(FALCON_40B, length=100, dtype="bfloat16")
    assert (counted.held, counted.needed) == (60 * 2 * 128 * 64 * 100 * 2, 60 * 2 * 8 * 64 * 100 * 2)


def test_a_nested_config_with_class_defaults_by_hand() -> None:
    counted = sx.state_bytes(GEMMA3_4B, length=32768)
    assert counted.held == 2 * 4 * 256 * 2 * (5 * 32768 + 29 * 1023)
    assert "num_key_value_heads = 4 is the class default" in counted.layers[0].document()["formula"]


def test_chunks_are_cached_like_windows_but_only_the_open_chunk_is_needed() -> None:
    counted = sx.state_bytes(LLAMA4, length=20000, dtype="bfloat16")
    assert counted.held == 2 * 8 * 128 * 2 * (36 * 8191 + 12 * 20000)
    assert counted.needed == 2 * 8 * 128 * 2 * (36 * (20000 - 2 * 8192) + 12 * 20000)


RECURRENT_GEMMA = {
    "model_type": "recurrent_gemma", "hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "conv1d_width": 4, "lru_width": 8,
}  # fmt: skip
ZAYA = {
    "model_type": "zaya", "hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 4,
    "cca_time0": 3, "cca_time1": 2,
}  # fmt: skip
QWEN4 = {
    "model_type": "qwen4_exp_text", "hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2, "num_key_value_heads": 1,
    "head_dim": 4, "indexer_kv_heads": 1, "indexer_head_dim": 6, "layer_types": ["full_attention", "qwen_sparse_attention"],
}  # fmt: skip
DEEPSEEK_V4 = {
    "model_type": "deepseek_v4", "hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2, "head_dim": 6, "sliding_window": 4,
    "index_head_dim": 5, "compress_ratios": [0, 4, 0],
}  # fmt: skip


@pytest.mark.parametrize(
    ("config", "length", "held", "needed"),
    [
        (RECURRENT_GEMMA, 2, 8 * 3 * 2 + 8 * 4, 8 * 2 * 2 + 8 * 4),  # one of three past columns is still a zero
        (RECURRENT_GEMMA, 9, 8 * 3 * 2 + 8 * 4, 8 * 3 * 2 + 8 * 4),
        (ZAYA, 2, 2 * 8 * 2 * 2 + 24 * 3 * 2 + 4 * 2, 2 * 8 * 2 * 2 + 24 * 2 * 2 + 4 * 2),  # keys, two convolutions, delayed values
        (QWEN4, 5, 2 * (2 * 4 + 6) * 5 * 2 + 3 * 5 * 8, 2 * (2 * 4 + 6) * 5 * 2),  # the positions of the tokens follow from their number
        (
            DEEPSEEK_V4,
            9,
            (2 * 6 * 3 + 6 * 3 + (6 + 5) * (2 + 4 + 8)) * 2,
            (6 * 3 + 6 * 3 + (6 + 5) * (2 + 4 + 8)) * 2,
        ),  # values that are keys
    ],
)
def test_what_is_held_and_not_needed_by_hand(config: dict[str, Any], length: int, held: int, needed: int) -> None:
    counted = config_state(config, length, "bfloat16")
    assert (counted.held, counted.needed) == (held, needed)


def test_layers_that_a_list_has_too_many_of_are_cut_where_the_engine_cuts_them() -> None:
    kinds = ["sliding_attention", "compressed_sparse_attention", "sliding_attention"]
    listed = {key: value for key, value in DEEPSEEK_V4.items() if key != "compress_ratios"} | {"layer_types": kinds}
    assert config_state(listed, 9, "bfloat16").held == config_state(DEEPSEEK_V4, 9, "bfloat16").held


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ({"model_type": "cohere2", "sliding_window_pattern": 2}, {"layer_types": ["sliding_attention", "full_attention"] * 2}),
        ({"model_type": "gemma3_text", "sliding_window_pattern": 2}, {"layer_types": ["sliding_attention", "full_attention"] * 2}),
        ({"model_type": "qwen3_next", "full_attention_interval": 2}, {"layer_types": ["linear_attention", "full_attention"] * 2}),
        ({"model_type": "lfm2", "full_attn_idxs": [1, 3]}, {"layer_types": ["conv", "full_attention"] * 2}),
        ({"model_type": "granitemoehybrid", "layers_block_type": ["mamba", "attention"] * 2, "mamba_n_heads": 8},
         {"layer_types": ["linear_attention", "full_attention"] * 2}),
        ({"model_type": "nemotron_h", "hybrid_override_pattern": "M*-E"}, {"layers_block_type": ["mamba", "attention", "mlp", "moe"]}),
        ({"model_type": "llama4_text", "no_rope_layers": [1, 0, 1, 0]}, {"layer_types": ["chunked_attention", "full_attention"] * 2}),
    ],
)  # fmt: skip
def test_older_spellings_list_the_same_layers(older: dict[str, Any], newer: dict[str, Any]) -> None:
    sizes = {"hidden_size": 64, "num_hidden_layers": 4, "num_attention_heads": 4, "sliding_window": 8, "attention_chunk_size": 8}
    first = config_state({**sizes, **older}, 100, "bfloat16")
    second = config_state(
        {**sizes, "model_type": older["model_type"], **{k: v for k, v in older.items() if k == "mamba_n_heads"}, **newer}, 100, "bfloat16"
    )
    assert [(a.kind, a.held) for a in first.layers] == [(b.kind, b.held) for b in second.layers]
    assert len({layer.held for layer in first.layers}) > 1


def test_state_that_stays_float32_does_not_shrink_with_the_dtype() -> None:
    config = {
        "model_type": "mamba2",
        "hidden_size": 64,
        "num_hidden_layers": 1,
        "num_heads": 4,
        "head_dim": 32,
        "n_groups": 1,
        "state_size": 8,
    }
    half, whole = (config_state(config, 100, dtype).held for dtype in ("bfloat16", "float32"))
    assert whole - half == (4 * 32 + 2 * 8) * 4 * 2  # only the convolution is half as large


def test_the_dtype_is_the_configs_own_where_none_is_asked_for() -> None:
    for key in ("dtype", "torch_dtype"):
        assert config_state({**LLAMA, key: "bfloat16"}, 10).dtype == "bfloat16"
    assert config_state({**LLAMA, "torch_dtype": "bfloat16"}, 10, "float32").dtype == "float32"
    silent = config_state(LLAMA, 10)
    assert (silent.dtype, "sets no dtype" in str(silent.notes)) == ("float32", True)


def test_quantised_weights_leave_the_state_alone() -> None:
    quantised = {**LLAMA, "dtype": "bfloat16", "quantization_config": {"quant_method": "fp8"}}
    assert config_state(quantised, 10).held == config_state({**LLAMA, "dtype": "bfloat16"}, 10).held


def test_a_config_is_read_from_a_file_and_from_its_folder(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(LLAMA))
    assert sx.state_bytes(tmp_path, length=7).held == sx.state_bytes(tmp_path / "config.json", length=7).held == 32 * 2 * 8 * 128 * 7 * 4


def test_the_example_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(sx.__file__).parent.parent / "docs" / "state.md").read_text(encoding="utf-8")
    exec(page.split("```python")[1].split("```")[0], {})
    held = 32 * 2 * 8 * 128 * 1000 * 2
    assert capsys.readouterr().out.startswith(f"{held} {held} {held} 2 * num_key_value_heads")


def without(config: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in config.items() if key != name}


@pytest.mark.parametrize(
    ("config", "line"),
    [
        (without(LLAMA, "num_hidden_layers"), "llama config: num_hidden_layers is missing, and its state cannot be counted without it"),
        (without(LLAMA, "hidden_size"), "llama config: hidden_size is missing"),
        (without(LLAMA, "num_attention_heads"), "llama config: num_attention_heads is missing"),
        ({"model_type": "llama"}, "llama config: num_hidden_layers is missing"),
        ({**LLAMA, "num_key_value_heads": "8"}, "num_key_value_heads must be an integer of at least 1, found '8'"),
        ({**LLAMA, "hidden_size": -1}, "hidden_size must be an integer of at least 1, found -1"),
        ({**LLAMA, "layer_types": ["full_attention"]}, "layer_types lists 1 layers, num_hidden_layers says 32"),
        ({**LLAMA, "layer_types": ["linear_attention"] * 32}, "layer type 'linear_attention' is unknown: expected full_attention"),
        ({**LLAMA, "layer_types": ["sliding_attention"] * 32}, "a layer is sliding_attention, but there is no sliding_window"),
        ({**LLAMA, "kv_lora_rank": 512}, "kv_lora_rank = 512 implies a state that llama does not have: is model_type right?"),
        ({**LLAMA, "dtype": "float8_e4m3fn"}, "dtype 'float8_e4m3fn' is unknown"),
        ({**LLAMA, "is_encoder_decoder": True}, "an encoder with a decoder"),
        ({"model_type": "gemma3", "vision_config": {}}, "gemma3 config: text_config is missing"),
        ({"model_type": "nemotron_h", "hidden_size": 64}, "layers_block_type and hybrid_override_pattern are missing"),
        ({"model_type": "nemotron_h", "hidden_size": 64, "hybrid_override_pattern": "M*X"}, "hybrid_override_pattern has the letters X"),
        ({**DEEPSEEK_V3, "kv_lora_rank": None}, "kv_lora_rank is null"),
        ({**LLAMA, "model_type": ["llama"]}, "model_type is missing"),
    ],
)  # fmt: skip
def test_a_config_that_cannot_be_counted_is_refused_in_one_line(config: dict[str, Any], line: str) -> None:
    with pytest.raises(BadInput) as refused:
        config_state(config, 100)
    assert line in str(refused.value)
    assert "\n" not in str(refused.value)


def test_an_unknown_family_is_refused_with_the_fields_that_look_like_state() -> None:
    config = {"model_type": "novel", "d_model": 512, "ssm_state": 64, "window_length": 128, "vocab_size": 7, "dropout": 0.1, "n_head": None}
    with pytest.raises(
        UnknownFamily, match="no formula for model_type 'novel'; fields that look like state: d_model = 512, ssm_state = 64"
    ) as refused:
        config_state(config, 100)
    assert "vocab_size" not in str(refused.value)
    assert "dropout" not in str(refused.value)


@pytest.mark.parametrize(("length", "batch"), [(0, 1), (-5, 1), (5, 0), (True, 1)])
def test_lengths_and_batches_are_positive_integers(length: int, batch: int) -> None:
    with pytest.raises(BadInput, match="must be an integer of at least 1"):
        config_state(LLAMA, length, "bfloat16", batch)


@pytest.mark.parametrize("text", ["", "[1]", "{", "null", '"llama"', "\ufeff{}"])
def test_a_file_that_is_not_a_config_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "config.json").write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=r"not a JSON config|not a config"):
        config_state(tmp_path, 10)

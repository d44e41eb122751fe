"""Random small configs of every family, as they would stand in a config.json. Sizes are unequal on purpose.

A tuple means: one of these. A function gets the generator and the config so far. `LEFT_OUT` removes a field.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable
from typing import Any

FULL, SLIDING, LINEAR = "full_attention", "sliding_attention", "linear_attention"
SIZES = ("num_hidden_layers", "num_attention_heads", "hidden_size")
LEFT_OUT = object()
Draw = Callable[[random.Random, dict[str, Any]], Any]


def some(*kinds: str, first: tuple[str, ...] = ()) -> Draw:
    """A type for each layer; those in `first` come first."""
    return lambda r, d: [*first, *(r.choice(kinds) for _ in range(d["num_hidden_layers"] - len(first)))]


def maybe(value: Any) -> Draw:
    """The value, or nothing."""
    return lambda r, d: _drawn(value, r, d) if r.random() < 0.5 else LEFT_OUT


def heads(factor: int) -> Draw:
    """So many numbers for each head of attention."""
    return lambda _, d: factor * d["num_attention_heads"]


def twice_hidden_over(parts: int) -> Draw:
    """What a head of Mamba is wide when the stream is doubled."""
    return lambda _, d: 2 * d["hidden_size"] // parts


def all_heads(_: random.Random, d: dict[str, Any]) -> int:
    """As many heads of keys and values as of queries."""
    return int(d["num_attention_heads"])


MLA = {"kv_lora_rank": (6, 10), "q_lora_rank": 12, "qk_rope_head_dim": (4, 8), "qk_nope_head_dim": 6, "v_head_dim": (5, 8)}
LATENT = {**MLA, "head_dim": LEFT_OUT, "num_key_value_heads": all_heads}
INDEXED = {**LATENT, "index_topk": (2, 5), "index_head_dim": (8, 16), "index_n_heads": 2, "layer_types": LEFT_OUT}
SHARED = {"indexer_types": maybe(some("full", "shared", first=("full",)))}
MAMBA = {"state_size": (3, 8), "conv_kernel": (2, 4, 6), "expand": (1, 2, 3)}
MAMBA2 = {"mamba_n_heads": 4, "mamba_d_head": ("auto", twice_hidden_over(4)), "mamba_n_groups": (1, 2), "mamba_d_state": (4, 8)}
MAMBA2 |= {"mamba_d_conv": (2, 4, 5), "mamba_expand": 2, "mamba_chunk_size": 4}
DELTA = {"linear_num_key_heads": (1, 2), "linear_num_value_heads": 2, "linear_key_head_dim": (4, 8), "linear_value_head_dim": (4, 6)}
DELTA |= {"linear_conv_kernel_dim": (2, 4, 5)}
NEXT = {**DELTA, "head_dim": 8, "layer_types": maybe(some(LINEAR, FULL, first=(LINEAR, FULL)))}
SECTIONED = {"rope_parameters": {"rope_type": "default", "rope_theta": 10000.0, "mrope_section": [4, 2, 2]}, "hidden_size": heads(16)}
SIXTEEN = {**SECTIONED, "head_dim": 16}
ROPES = {kind: {"rope_type": "default", "rope_theta": 1e4} for kind in (FULL, SLIDING)}
KDA = {"head_dim": 4, "num_heads": 2, "short_conv_kernel_size": 3, "full_attn_layers": [1, 3], "kda_layers": [2]}
GEMMA4 = {"num_hidden_layers": 5, "layer_types": [SLIDING, FULL, SLIDING, FULL, SLIDING], "num_kv_shared_layers": (0, 1, 2)}
GEMMA4 |= {"head_dim": 8, "global_head_dim": maybe((8, 16)), "num_global_key_value_heads": maybe(1)}
INKLING = {
    "swa_num_attention_heads": 4, "swa_num_key_value_heads": 2, "swa_head_dim": 8, "sliding_window_size": (2, 5, 9),
    "conv_kernel_size": (2, 4), "sliding_window": LEFT_OUT, "layer_types": LEFT_OUT,
}  # fmt: skip
OWN: dict[str, dict[str, Any]] = {
    "gemma2": {"query_pre_attn_scalar": 8},
    "vaultgemma": {"query_pre_attn_scalar": 8},
    "gemma3_text": {"use_bidirectional_attention": (True, False), "sliding_window": (4, 9), "sliding_window_pattern": maybe((1, 2, 3))},
    "cohere2": {"sliding_window_pattern": maybe((1, 2, 3))},
    "cohere2_moe": {"prefix_dense_intermediate_size": 16, "first_k_dense_replace": (0, 1), "sliding_window_pattern": (2, 3)},
    "cohere_compass_text": {"layer_types": some(FULL, SLIDING), "rope_parameters": ROPES},
    "exaone4": {"sliding_window_pattern": (1, 2, 3)},
    "afmoe": {"global_attn_every_n_layers": (1, 2, 3), "num_dense_layers": 1},
    "modernbert-decoder": {"local_attention": (4, 9, 16), "sliding_window": LEFT_OUT, "global_attn_every_n_layers": maybe((1, 2))},
    "llama4_text": {
        "attention_chunk_size": (2, 5, 9),
        "intermediate_size_mlp": 16,
        "no_rope_layer_interval": (2, 3),
        "no_rope_layers": maybe([1, 0, 1]),
    }
    | {"num_hidden_layers": 3, "layer_types": maybe(some(FULL, "chunked_attention"))},
    "smollm3": {"no_rope_layer_interval": (1, 2), "use_sliding_window": True},
    "qwen2": {"use_sliding_window": (True, False), "max_window_layers": (0, 1, 9), "layer_types": LEFT_OUT},
    "qwen2_moe": {"use_sliding_window": (True, False), "max_window_layers": (0, 1, 9), "layer_types": LEFT_OUT},
    "dots1": {"max_window_layers": (0, 1, 9)},
    "falcon": {
        "num_kv_heads": 2,
        "num_attention_heads": 4,
        "hidden_size": 32,
        "multi_query": (True, False),
        "new_decoder_architecture": True,
    },
    "gpt_neo": {"attention_types": [[["global", "local"], 2]], "num_hidden_layers": 4, "window_size": (2, 5, 9)},
    "mimo_v2_flash": {"v_head_dim": (4, 6), "num_key_value_heads": 1},
    "gemma3n_text": {"num_hidden_layers": 5, "layer_types": [SLIDING, FULL, SLIDING, FULL, SLIDING], "num_kv_shared_layers": (0, 1, 2)}
    | {"sliding_window": (2, 5), "vocab_size_per_layer_input": 60, "hidden_size_per_layer_input": 4, "laurel_rank": 4}
    | {"activation_sparsity_pattern": [0.0] * 5},
    "gemma4_text": {**GEMMA4, "vocab_size_per_layer_input": 60, "hidden_size_per_layer_input": 4, "attention_k_eq_v": (True, False)},
    "gemma4_unified_text": GEMMA4,
    "mllama_text_model": {"cross_attention_layers": [1], "num_key_value_heads": 1},
    "hrm_text": {"H_cycles": (1, 2), "L_cycles": (1, 3), "num_hidden_layers": (1, 2)},
    "step3p5": {"layer_types": some(FULL, SLIDING), "share_expert_dim": 16, "moe_num_experts": 4},
    "jetmoe": {"kv_channels": (4, 8), "num_key_value_heads": 2, "head_dim": LEFT_OUT, "num_attention_heads": LEFT_OUT},
    "diffllama": {"num_key_value_heads": 2, "num_attention_heads": 4, "hidden_size": 32},
    "dbrx": {
        "attn_config": {"kv_n_heads": 2, "clip_qkv": 8, "rope_theta": 1e4},
        "ffn_config": {"ffn_hidden_size": 16, "moe_num_experts": 2, "moe_top_k": 1},
    }
    | {"d_model": heads(8), "n_heads": all_heads, "n_layers": 2}
    | dict.fromkeys(("hidden_size", "num_attention_heads", "num_hidden_layers", "num_key_value_heads"), LEFT_OUT),
    "helium": {"head_dim": 8, "hidden_size": heads(8)},
    "gpt_bigcode": {"multi_query": (True, False)},
    "gptj": {"rotary_dim": 4},
    "codegen": {"rotary_dim": 4, "num_attention_heads": 4, "hidden_size": 32},
    "bitnet": {"head_dim": LEFT_OUT},
    "nemotron": {"num_key_value_heads": all_heads},
    "stablelm": {"partial_rotary_factor": 1.0, "hidden_size": heads(8), "head_dim": LEFT_OUT},
    "phi4_multimodal": {
        "vision_config": {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "crop_size": 28}
        | {"image_size": 28, "image_token_id": 11},
        "audio_config": {"hidden_size": 16, "intermediate_size": 16, "num_blocks": 1, "num_attention_heads": 2, "nemo_conv_channels": 8}
        | {"ext_pw_out_channel": 16, "depthwise_separable_out_channel": 16, "audio_token_id": 12},
    },
    **dict.fromkeys(("deepseek_v2", "deepseek_v3", "glm4_moe_lite", "minicpm3", "youtu", "axk1"), LATENT),
    "longcat_flash": {**LATENT, "num_layers": (1, 2), "num_hidden_layers": LEFT_OUT, "ffn_hidden_size": 16, "expert_ffn_hidden_size": 16}
    | {"zero_expert_num": 2, "moe_topk": 2, "qk_rope_head_dim": 8, "head_dim": 8},
    "deepseek_v32": INDEXED,
    "axk2": INDEXED,
    "glm_moe_dsa": {**INDEXED, **SHARED, "index_topk_freq": maybe((2, 3))},
    "hy_v4": {**INDEXED, **SHARED},
    "mamba": MAMBA,
    "falcon_mamba": MAMBA,
    "mamba2": {"state_size": (3, 8), "conv_kernel": (2, 4, 6), "expand": 2, "num_heads": 4, "head_dim": twice_hidden_over(4)}
    | {"n_groups": (1, 2), "chunk_size": 4, "hidden_size": (16, 24)},
    "xlstm": {"hidden_size": (64, 128), "num_heads": 2, "chunk_size": 16, "qk_dim_factor": 1.0, "head_dim": LEFT_OUT},
    "jamba": {"mamba_d_state": (3, 8), "mamba_d_conv": (2, 4, 5), "mamba_expand": 2, "attn_layer_period": 2, "attn_layer_offset": (0, 1)}
    | {"use_mamba_kernels": False, "expert_layer_period": 2, "expert_layer_offset": 1, "num_experts": 2},
    "bamba": {**MAMBA2, "attn_layer_indices": ([0], [0, 1])},
    "granitemoehybrid": {**MAMBA2, "layer_types": some("mamba", "attention", first=("attention",)), "position_embedding_type": "rope"},
    "falcon_h1": {**MAMBA2, "mamba_d_ssm": (None, twice_hidden_over(1))},
    "nemotron_h": {"hybrid_override_pattern": ("M*-E", "*MM", "ME*M"), "ssm_state_size": (4, 8), "mamba_num_heads": 4, "mamba_head_dim": 4}
    | {"n_groups": (1, 2), "conv_kernel": (2, 4), "chunk_size": 4, "moe_shared_expert_intermediate_size": 16, "use_mamba_kernels": False}
    | {"num_hidden_layers": LEFT_OUT, "layer_types": LEFT_OUT, "sliding_window": LEFT_OUT},
    "zamba": {"num_hidden_layers": 5, "layers_block_type": ["mamba", "mamba", "hybrid", "mamba", "hybrid"], "n_mamba_heads": 2}
    | {"mamba_d_state": (4, 8), "mamba_d_conv": (2, 4), "mamba_expand": 2, "use_mamba_kernels": False}
    | {"num_key_value_heads": all_heads, "head_dim": LEFT_OUT},
    "zamba2": {
        "num_hidden_layers": 4,
        "layers_block_type": ["mamba", "hybrid", "mamba", "hybrid"],
        "n_mamba_heads": 4,
        "mamba_ngroups": (1, 2),
    }
    | {"mamba_d_state": (4, 8), "mamba_d_conv": (2, 4), "mamba_expand": 2, "use_mamba_kernels": False, "chunk_size": 4, "adapter_rank": 4}
    | {"num_key_value_heads": all_heads, "head_dim": LEFT_OUT},
    "lfm2": {"conv_L_cache": (2, 3, 5), "full_attn_idxs": ([0], [0, 1])},
    "lfm2_moe": {"conv_L_cache": (2, 3, 5), "layer_types": some(FULL, "conv", first=(FULL,)), "num_dense_layers": 1},
    "lfm3": {
        "num_hidden_layers": (3, 5),
        "conv_L_cache": (2, 3, 5),
        "head_dim": (8, 16),
        "layer_types": maybe(some(FULL, SLIDING, "conv", first=(FULL,))),
    },
    "inkling2_text": INKLING,
    "qwen3_next": {**NEXT, "full_attention_interval": 2},
    "qwen3_5_text": {**NEXT, "full_attention_interval": 2},
    "qwen3_5_moe_text": {**NEXT, "full_attention_interval": 2},
    "olmo_hybrid": {
        **{name: maybe(value) for name, value in DELTA.items()},
        "linear_num_value_heads": LEFT_OUT,
        "linear_num_key_heads": LEFT_OUT,
    }
    | {"num_key_value_heads": all_heads, "head_dim": LEFT_OUT},
    "kimi_linear": {**LATENT, "linear_attn_config": KDA, "num_hidden_layers": 3},
    "bailing_hybrid": {**LATENT, "short_conv_kernel_size": (2, 4), "layer_group_size": (1, 2), "head_dim": (4, 8)},
    "minimax": {"layer_types": maybe(some(FULL, LINEAR, first=(FULL,))), "block_size": 8},
    "qwen4_exp_text": {**NEXT, "indexer_n_heads": 2, "indexer_kv_heads": 1, "indexer_head_dim": 8, "indexer_budget": 8}
    | {"indexer_compress_ratio": 2, "hc_lowrank": 4},
    "recurrent_gemma": {"attention_window_size": (2, 5, 9), "conv1d_width": (2, 4)}
    | {"sliding_window": LEFT_OUT, "head_dim": LEFT_OUT, "layer_types": LEFT_OUT},  # layer_types follow from block_types
    "zaya": {"num_experts_per_tok": 1, "cca_time0": (2, 3), "cca_time1": (2, 3), "router_hidden_size": 8}
    | {"layer_types": maybe(some("hybrid", "hybrid_sliding"))},
    "inkling_text": {**INKLING, "local_layer_ids": maybe([0])},
    "minimax_m3_vl_text": {"index_n_heads": 1, "index_head_dim": (8, 12), "index_block_size": 4, "index_topk_blocks": 2, "head_dim": 8}
    | {"num_key_value_heads": 1, "dense_intermediate_size": 16, "layer_types": some(FULL, "minimax_m3_sparse")},
    "deepseek_v4": {"num_key_value_heads": 1, "head_dim": 16, "q_lora_rank": 8, "o_groups": 2, "o_lora_rank": 8, "index_n_heads": 2}
    | {"index_head_dim": 8, "index_topk": 4, "sliding_window": (4, 9), "num_attention_heads": 4, "hidden_size": 32}
    | {"compress_rates": {"compressed_sparse_attention": 4, "heavily_compressed_attention": 8}}
    | {"layer_types": some(SLIDING, "compressed_sparse_attention", "heavily_compressed_attention")},
    "cosmos3_edge_text": SIXTEEN,
    **dict.fromkeys(("glm4v_text", "glm_image_text", "glm_ocr_text", "qwen2_vl_text", "qwen2_5_vl_text", "qwen2_5_omni_text"), SECTIONED),
    "glm4v_moe_text": {**SECTIONED, "rope_parameters": {**SECTIONED["rope_parameters"], "mrope_section": [2, 1, 1]}},
    **dict.fromkeys(("qwen3_vl_text", "qwen3_vl_moe_text", "paddleocr_vl_text", "qwen3_omni_moe_text"), SIXTEEN),
    "hunyuan_vl_text": {**SECTIONED, "head_dim": 16}
    | {"rope_parameters": {"rope_type": "dynamic", "alpha": 1e3, "rope_theta": 1e4, "factor": 1.0, "mrope_section": [2, 2, 2, 2]}},
    "ernie4_5_vl_moe_text": {**SECTIONED, "rope_parameters": {**SECTIONED["rope_parameters"], "mrope_section": [3, 3, 2]}}
    | {"moe_intermediate_size": [16, 16], "moe_num_experts": 4, "moe_k": 2},
}
for _name in ("qwen3", "qwen2_vl_text", "qwen2_5_vl_text", "qwen2_5_omni_text"):
    OWN[_name] = {**OWN.get(_name, {}), **OWN["qwen2"]}
OWN["exaone_moe"] = OWN["exaone4"]


def random_config(kind: str, seed: int) -> dict[str, Any]:
    """A small config of the family `kind`."""
    from transformers import CONFIG_MAPPING

    r = random.Random(f"{kind}/{seed}")
    queries = r.choice((2, 4, 6))
    keys = r.choice([count for count in (1, 2, 3, 4, 6) if queries % count == 0])
    common: dict[str, Any] = {
        "vocab_size": 60, "hidden_size": queries * r.choice((4, 8, 12)), "intermediate_size": 24, "num_attention_heads": queries,
        "num_hidden_layers": r.choice((2, 3, 4)), "num_key_value_heads": keys, "head_dim": r.choice((4, 8, 12)),
        "sliding_window": r.choice((1, 2, 5, 9)), "moe_intermediate_size": 16, "n_routed_experts": 4, "num_experts": 4,
        "num_local_experts": 4, "num_experts_per_tok": 2, "n_group": 1, "topk_group": 1, "n_shared_experts": 1,
        "first_k_dense_replace": 1, "shared_expert_intermediate_size": 16, "shared_intermediate_size": 16,
        "max_position_embeddings": 512, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2,
    }  # fmt: skip
    cls = CONFIG_MAPPING[kind]
    known = {field.name for field in dataclasses.fields(cls)} | set(cls.attribute_map)
    config = {name: value for name, value in common.items() if name in known}
    if {"layer_types", "sliding_window"} <= known and r.random() < 0.5:
        config["layer_types"] = [r.choice((FULL, SLIDING)) for _ in range(common["num_hidden_layers"])]
    sizes_first = sorted(
        OWN.get(kind, {}).items(), key=lambda item: item[0] not in ("num_hidden_layers", "num_attention_heads", "hidden_size")
    )
    for name, value in sizes_first:
        drawn = _drawn(value, r, {**common, **config})
        if drawn is LEFT_OUT:
            config.pop(name, None)
        else:
            config[name] = drawn
    return {**config, "model_type": kind}


def _drawn(value: Any, r: random.Random, config: dict[str, Any]) -> Any:
    if isinstance(value, tuple):
        return _drawn(r.choice(value), r, config)
    return value(r, config) if callable(value) else value

"""Three kinds of wrong answers that other tools were reported to give, on configs as the published models have them."""

from __future__ import annotations

import separatrix as sx

QWEN3_NEXT = {
    "model_type": "qwen3_next", "dtype": "bfloat16", "hidden_size": 2048, "num_hidden_layers": 48, "num_attention_heads": 16,
    "num_key_value_heads": 2, "head_dim": 256, "full_attention_interval": 4, "linear_conv_kernel_dim": 4, "linear_key_head_dim": 128,
    "linear_value_head_dim": 128, "linear_num_key_heads": 16, "linear_num_value_heads": 32,
}  # fmt: skip
GRANITE_HYBRID = {
    "model_type": "granitemoehybrid", "dtype": "bfloat16", "hidden_size": 1536, "num_hidden_layers": 40, "num_attention_heads": 12,
    "num_key_value_heads": 4, "mamba_n_heads": 48, "mamba_d_head": 64, "mamba_n_groups": 1, "mamba_d_state": 128, "mamba_d_conv": 4,
    "mamba_expand": 2, "layer_types": ["attention" if i in (5, 15, 25, 35) else "mamba" for i in range(40)],
}  # fmt: skip
MAMBA = {
    "model_type": "mamba", "torch_dtype": "float32", "hidden_size": 2560, "num_hidden_layers": 64, "state_size": 16, "conv_kernel": 4,
    "expand": 2, "intermediate_size": 5120,
}  # fmt: skip
GPT_OSS = {
    "model_type": "gpt_oss", "hidden_size": 2880, "num_hidden_layers": 24, "num_attention_heads": 64, "num_key_value_heads": 8,
    "head_dim": 64, "sliding_window": 128, "layer_types": ["sliding_attention", "full_attention"] * 12,
    "quantization_config": {"quant_method": "mxfp4"},
}  # fmt: skip


def test_a_hybrid_is_not_counted_as_if_all_layers_had_full_caches() -> None:
    counted = sx.state_bytes(QWEN3_NEXT, length=32768)
    full = 12 * 2 * 2 * 256 * 32768 * 2  # twelve of 48 layers
    linear = 36 * ((2 * 16 * 128 + 32 * 128) * 4 * 2 + 32 * 128 * 128 * 4)  # three convolutions in bfloat16, matrices in float32
    assert counted.held == full + linear == 883_163_136
    assert counted.held * 3 < 48 * 2 * 2 * 256 * 32768 * 2  # what the naive count says
    assert [layer.kind for layer in counted.layers[:4]] == ["conv + delta"] * 3 + ["full"]


def test_a_hybrid_listed_by_its_older_names_is_counted_layer_by_layer() -> None:
    counted = sx.state_bytes(GRANITE_HYBRID, length=131072)
    attention = 4 * 2 * 4 * 128 * 131072 * 2
    mamba2 = 36 * ((48 * 64 + 2 * 128) * 4 * 2 + 48 * 64 * 128 * 4)
    assert counted.held == attention + mamba2 == 1_131_323_392
    assert [layer.index for layer in counted.layers if layer.kind == "full"] == [5, 15, 25, 35]


def test_the_state_of_a_mamba_is_not_empty_and_does_not_grow() -> None:
    short, long = (sx.state_bytes(MAMBA, length=length, dtype="bfloat16") for length in (16, 10**6))
    assert short.held == long.held == 64 * (5120 * 4 * 2 + 5120 * 16 * 4) == 23_592_960
    assert long.needed == 64 * (5120 * 3 * 2 + 5120 * 16 * 4)  # the oldest tap is overwritten before it is read


def test_a_sliding_window_is_not_ignored() -> None:
    counted = sx.state_bytes(GPT_OSS, length=131072, dtype="bfloat16")
    assert counted.held == 12 * 2 * 8 * 64 * (131072 + 127) * 2 == 3_224_346_624
    assert counted.allocated == 24 * 2 * 8 * 64 * 131072 * 2  # until the first decoded token, the windows are views of the whole prompt

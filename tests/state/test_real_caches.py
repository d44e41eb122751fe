"""The law of the state room: for every family, the formula equals the bytes of the tensors that transformers holds."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
import torch

from separatrix.state import config_state
from separatrix.state.from_config import FAMILIES
from tests.state.random_configs import random_config
from tests.state.real_cache import allocated, build, cache_tensors, held, load_config

pytestmark = pytest.mark.filterwarnings("ignore")  # warnings of transformers' own code

LENGTHS = (1, 3, 21)  # one token, below most windows and kernels, beyond all of them: no drawn window exceeds 16


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)  # the models are tiny: threads only wait for each other
    yield
    torch.set_num_threads(before)


@pytest.mark.parametrize("kind", FAMILIES)
def test_formula_equals_the_real_cache_byte_for_byte(kind: str) -> None:
    for seed, name in ((0, "bfloat16"), (1, "float32")):
        config = random_config(kind, seed)
        model = build(config, getattr(torch, name))
        saved = {**json.loads(model.config.to_json_string()), "model_type": kind}
        for length in LENGTHS:
            tensors = cache_tensors(model, length)
            for document in (config, saved):
                counted = config_state(document, length, name)
                assert counted.held == held(tensors), (length, name, config)
                assert counted.allocated == allocated(tensors), (length, name, config)
                assert counted.held == sum(layer.held for layer in counted.layers)
                assert counted.needed <= counted.held <= counted.allocated or "positions" in str(counted.layers)


def test_every_family_that_the_specification_lists_is_met() -> None:
    listed = """llama qwen3 diffllama gpt2 gpt_neox bloom opt mpt gptj gpt_neo gpt_bigcode falcon jetmoe mistral mixtral phi3 starcoder2
        qwen2 gemma2 gemma3_text gpt_oss olmo3 cohere2 exaone4 afmoe modernbert-decoder smollm3 laguna granite_swa gemma3n_text gemma4_text
        llama4_text mimo_v2_flash deepseek_v2 deepseek_v3 glm4_moe_lite minicpm3 youtu deepseek_v32 glm_moe_dsa hy_v4 longcat_flash
        deepseek_v4 mamba falcon_mamba mamba2 rwkv xlstm jamba bamba granitemoehybrid falcon_h1 nemotron_h zamba zamba2 lfm2 lfm2_moe
        qwen3_next qwen3_5_text olmo_hybrid kimi_linear bailing_hybrid minimax recurrent_gemma zaya inkling_text minimax_m3_vl_text
        qwen4_exp_text hrm_text"""
    assert set(listed.split()) <= set(FAMILIES)
    assert len(FAMILIES) >= 150


@pytest.mark.parametrize("kind", ["llama", "gemma3_text", "jamba", "qwen3_next", "deepseek_v3", "minimax", "rwkv"])
def test_a_batch_holds_its_sequences_side_by_side(kind: str) -> None:
    config = random_config(kind, 0)
    tensors = cache_tensors(build(config, torch.bfloat16), 9, batch=3)
    one, three = (config_state(config, 9, "bfloat16", batch) for batch in (1, 3))
    assert (three.held, three.allocated) == (held(tensors), allocated(tensors))
    assert (three.needed, [layer.needed for layer in three.layers]) == (3 * one.needed, [3 * layer.needed for layer in one.layers])


@pytest.mark.parametrize("kind", ["lfm3", "inkling2_text"])
def test_layers_that_a_config_does_not_list_are_those_its_class_fills_in(kind: str) -> None:
    """With thirteen layers every case of the rule occurs, more than once."""
    bare = {name: value for name, value in random_config(kind, 0).items() if name != "layer_types"} | {"num_hidden_layers": 13}
    filled = load_config(bare).layer_types
    assert len(set(filled)) > 1
    absent, listed = (config_state(document, 21, "bfloat16") for document in (bare, {**bare, "layer_types": filled}))
    assert [layer.held for layer in absent.layers] == [layer.held for layer in listed.layers]

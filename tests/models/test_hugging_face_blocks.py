"""The usual blocks are those of `transformers`, weight for weight."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
import torch
from torch import nn

from separatrix.models.model import Model
from separatrix.models.transformer import transformer

VOCABULARY, WIDTH, HEADS, LAYERS, LENGTH = 11, 24, 4, 2, 13


@pytest.fixture(scope="module")
def hf() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its own imports
        import transformers
    return transformers


def put(parameter: nn.Parameter | None, value: torch.Tensor) -> None:
    assert parameter is not None
    assert parameter.shape == value.shape
    parameter.data.copy_(value)


def random_weights(peer: nn.Module) -> None:
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for parameter in peer.parameters():
            parameter.copy_(0.3 * torch.randn(parameter.shape, generator=generator))


def agree(ours: Model, peer: nn.Module) -> None:
    tokens = torch.randint(0, VOCABULARY, (3, LENGTH), generator=torch.Generator().manual_seed(1))
    peer.eval()
    with torch.no_grad():
        wanted = peer(input_ids=tokens, use_cache=False).logits
        assert torch.allclose(ours(tokens), wanted, rtol=1e-4, atol=1e-4)
        assert torch.allclose(ours(tokens, at=-1), wanted[:, -1], rtol=1e-4, atol=1e-4)


def test_the_gpt2_block_is_that_of_transformers(hf: Any) -> None:
    config = hf.GPT2Config(
        vocab_size=VOCABULARY, n_positions=LENGTH, n_embd=WIDTH, n_layer=LAYERS, n_head=HEADS,
        resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0, bos_token_id=0, eos_token_id=0,
    )  # fmt: skip
    peer = hf.GPT2LMHeadModel(config)
    random_weights(peer)
    ours, body = transformer(VOCABULARY, VOCABULARY, width=WIDTH, layers=LAYERS, heads=HEADS, length=LENGTH), peer.transformer
    put(ours.embedding.table, body.wte.weight)
    put(ours.embedding.every_place()[0].address.get_parameter("table"), body.wpe.weight)
    for layer, block in zip(ours.each_layer(), body.h, strict=True):
        q, k, v = block.attn.c_attn.weight.T.chunk(3)
        q_bias, k_bias, v_bias = block.attn.c_attn.bias.chunk(3)
        heads, feedforward = layer.mixer, layer.feedforward
        for name, value in (("query", q), ("key", k), ("value", v), ("out", block.attn.c_proj.weight.T)):
            put(getattr(heads, name), value)
        for name, value in (("query", q_bias), ("key", k_bias), ("value", v_bias), ("out", block.attn.c_proj.bias)):
            put(getattr(heads, f"{name}_bias"), value)
        assert feedforward is not None
        put(feedforward.inner, block.mlp.c_fc.weight.T)
        put(feedforward.inner_bias, block.mlp.c_fc.bias)
        put(feedforward.outer, block.mlp.c_proj.weight.T)
        put(feedforward.outer_bias, block.mlp.c_proj.bias)
        for norm, theirs in ((layer.before_mixing, block.ln_1), (layer.before_feedforward, block.ln_2)):
            assert norm is not None
            norm.load_state_dict(theirs.state_dict())
    assert ours.readout.norm is not None
    ours.readout.norm.load_state_dict(body.ln_f.state_dict())
    put(ours.readout.weight, peer.lm_head.weight)
    agree(ours, peer)


def test_the_llama_block_is_that_of_transformers(hf: Any) -> None:
    config = hf.LlamaConfig(
        vocab_size=VOCABULARY, hidden_size=WIDTH, intermediate_size=8 * WIDTH // 3, num_hidden_layers=LAYERS, num_attention_heads=HEADS,
        num_key_value_heads=HEADS, max_position_embeddings=LENGTH, rms_norm_eps=1e-6, tie_word_embeddings=False,
        bos_token_id=0, eos_token_id=0, pad_token_id=None,
    )  # fmt: skip
    peer = hf.LlamaForCausalLM(config)
    random_weights(peer)
    ours = transformer(VOCABULARY, VOCABULARY, width=WIDTH, layers=LAYERS, heads=HEADS, length=LENGTH, positions="rotary", block="llama")
    body = peer.model
    put(ours.embedding.table, body.embed_tokens.weight)
    for layer, block in zip(ours.each_layer(), body.layers, strict=True):
        for name, theirs in (("query", "q_proj"), ("key", "k_proj"), ("value", "v_proj"), ("out", "o_proj")):
            put(getattr(layer.mixer, name), getattr(block.self_attn, theirs).weight)
        assert layer.feedforward is not None
        for name, theirs in (("inner", "gate_proj"), ("gate", "up_proj"), ("outer", "down_proj")):
            put(getattr(layer.feedforward, name), getattr(block.mlp, theirs).weight)
        for norm, its in ((layer.before_mixing, block.input_layernorm), (layer.before_feedforward, block.post_attention_layernorm)):
            assert norm is not None
            norm.load_state_dict(its.state_dict())
    assert ours.readout.norm is not None
    ours.readout.norm.load_state_dict(body.norm.state_dict())
    put(ours.readout.weight, peer.lm_head.weight)
    agree(ours, peer)

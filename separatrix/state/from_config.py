"""From a config to the bytes of its state, by formula: no transformers, no torch, no weights."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from separatrix.errors import BadInput
from separatrix.state.engine import engine
from separatrix.state.families.attention import ATTENTION
from separatrix.state.families.latent import LATENT
from separatrix.state.families.linear_hybrids import LINEAR_HYBRIDS
from separatrix.state.families.mamba_hybrids import MAMBA_HYBRIDS
from separatrix.state.families.mixed import MIXED
from separatrix.state.families.recurrent import RECURRENT
from separatrix.state.families.unequal import UNEQUAL
from separatrix.state.family import Family
from separatrix.state.fields import Fields, whole_number
from separatrix.state.named_number import named
from separatrix.state.part import Cut
from separatrix.state.reading import BYTES, chosen_dtype, read_config, read_json, state_like
from separatrix.state.report import StateBytes, report

FAMILIES: dict[str, Family] = {**ATTENTION, **UNEQUAL, **LATENT, **RECURRENT, **MAMBA_HYBRIDS, **LINEAR_HYBRIDS, **MIXED}


class UnknownFamily(BadInput):
    """A config of a type for which there is no formula."""


def config_state(config: Mapping[str, Any] | str | Path, length: int, dtype: str | None = None, batch: int = 1) -> StateBytes:
    """The bytes that the engine's cache of a config holds after `length` tokens."""
    document = config if isinstance(config, Mapping) else read_json(config)
    read = read_config(document)
    fields = read.fields
    if fields.type not in FAMILIES:
        raise UnknownFamily(f"no formula for model_type {fields.type!r}{state_like(fields.raw)}")
    whole_number(length, "length", 1)
    whole_number(batch, "batch", 1)
    name, assumed = chosen_dtype(dtype, read)
    _refuse_foreign(fields)
    counted = FAMILIES[fields.type](fields, Cut(named("N", length), named("b", BYTES[name])))
    return report(counted, engine(), name, length, named("batch", batch), (*read.notes, *assumed))


FOREIGN = (  # fields that create a state of their own; a class that does not know them would silently ignore them
    "kv_lora_rank", "linear_attn_config", "hybrid_override_pattern", "layers_block_type", "attn_layer_period", "attn_layer_indices",
    "mamba_d_state", "ssm_state_size", "ssm_cfg", "conv_L_cache", "index_head_dim", "num_kv_shared_layers", "per_layer_config",
    "block_types", "linear_num_value_heads", "linear_num_heads", "cca_time0", "attn_type_list", "compress_ratios", "compress_rates",
    "lru_width", "conv1d_width",
)  # fmt: skip


def _refuse_foreign(fields: Fields) -> None:
    """Refuse a config whose fields belong to a different architecture than its type."""
    reads = OWN_FOREIGN.get(fields.type, ())
    for name in FOREIGN:
        known = name in fields.known.defaults or name in fields.known.spellings or name in reads
        if not known and fields.raw.get(name) not in (None, False, 0, [], {}):
            raise fields.refuse(f"{name} = {fields.raw[name]!r} implies a state that {fields.type} does not have: is model_type right?")


OWN_FOREIGN = {  # fields that a family reads although its class has no such field
    "kimi_linear": ("linear_attn_config",),
    "nemotron_h": ("hybrid_override_pattern", "layers_block_type"),
    "minimax": ("attn_type_list",),
    "bailing_hybrid": ("linear_num_heads",),
    "deepseek_v4": ("compress_ratios",),
    "gemma4_text": ("per_layer_config",),
    "gemma4_unified_text": ("per_layer_config",),
    "step3p5": ("per_layer_config",),
    "bamba": ("layers_block_type",),
    "jamba": ("layers_block_type",),
    "recurrent_gemma": ("layers_block_type",),
    "falcon_h1": ("layers_block_type",),
}

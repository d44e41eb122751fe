"""Families whose layers are attention: all tokens, a window of them, or chunks.

The engine's cache follows `layer_types`; where a config and its class have none, all layers have a window if `sliding_window` is set.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from separatrix.state.families.heads import (
    grouped,
    grouped_by_stream,
    head_width,
    key_value_heads,
    multi_head,
    one_or_all,
)
from separatrix.state.family import Counted, Family, by_type
from separatrix.state.fields import Fields
from separatrix.state.kinds import chunk, full, window
from separatrix.state.listing import CHUNKED, FULL, SLIDING, Listing, Rule, all_of, by_window, full_every, full_where, listing
from separatrix.state.named_number import NamedNumber, literal
from separatrix.state.part import Cut, Part


def from_the_end(fields: Fields) -> Listing:
    """Windows from layer `max_window_layers` on."""
    count, first = fields.layers(), fields.whole("max_window_layers", 0)
    if fields.value("sliding_window") is None:
        return Listing((FULL,) * count)
    types = tuple(SLIDING if i >= first.value else FULL for i in range(count))
    return Listing(types, f"layer_types is absent: {SLIDING} from layer max_window_layers = {first.value} on")


def every_other_up_to(fields: Fields) -> Listing:
    """Windows in every other layer below `max_window_layers`."""
    count, last = fields.layers(), fields.whole("max_window_layers", 0)
    if fields.value("sliding_window") is None:
        return Listing((FULL,) * count)
    types = tuple(SLIDING if (i + 1) % 2 and i < last.value else FULL for i in range(count))
    return Listing(types, f"layer_types is absent: every other layer below max_window_layers = {last.value} is {SLIDING}")


def without_rotation(fields: Fields) -> Listing:
    """Windows in the layers that have no rotary embedding, where windows are switched on."""
    count, every = fields.layers(), fields.whole("no_rope_layer_interval").value
    rotated = fields.numbers("no_rope_layers")
    if rotated is None:
        rotated = tuple(int((i + 1) % every != 0) for i in range(count))
    if len(rotated) < count:
        raise fields.refuse(f"no_rope_layers lists {len(rotated)} layers, num_hidden_layers says {count}")
    on = fields.flag("use_sliding_window") and fields.value("sliding_window") is not None
    types = tuple(SLIDING if on and not rotated[i] else FULL for i in range(count))
    return Listing(types, f"layer_types is absent: {SLIDING} where no_rope_layers is 0" if on else "")


def chunked_where_rotated(fields: Fields) -> Listing:
    """Chunks in the layers with a rotary embedding (`no_rope_layers` is 1 there)."""
    count, every = fields.layers(), fields.whole("no_rope_layer_interval").value
    rotated = fields.numbers("no_rope_layers") or tuple(int((i + 1) % every != 0) for i in range(count))
    if len(rotated) != count:
        raise fields.refuse(f"no_rope_layers lists {len(rotated)} layers, num_hidden_layers says {count}")
    return Listing(tuple(CHUNKED if r else FULL for r in rotated), f"layer_types is absent: {CHUNKED} where no_rope_layers is 1")


def sliding_if_there_is_a_window(fields: Fields) -> Listing:
    return Listing((SLIDING if fields.value("sliding_window") is not None else FULL,) * fields.layers())


def pattern_unless_no_window(fields: Fields) -> Listing:
    """A period in `sliding_window_pattern`, which is ignored without a window."""
    if fields.value("sliding_window") is None:
        raise fields.refuse("sliding_window is null and layer_types absent: the engine cannot tell the layers' types")
    return full_every(4, "sliding_window_pattern")(fields)


def with_a_prefix(fields: Fields) -> Listing:
    """One period for the first dense layers, another for the rest."""
    count, dense = fields.layers(), fields.optional("first_k_dense_replace", 0)
    first, rest = fields.whole("prefix_dense_sliding_window_pattern"), fields.whole("sliding_window_pattern")
    prefix = min(count, dense.value) if dense else 0
    types = [SLIDING if (i + 1) % first.value else FULL for i in range(prefix)]
    types += [SLIDING if (i + 1) % rest.value else FULL for i in range(count - prefix)]
    return Listing(tuple(types), f"layer_types is absent: every {rest.value}. layer after the first {prefix} is {FULL}")


def every_n_layers(fields: Fields) -> Listing:
    """ModernBERT's decoder: layers 0, n, 2n, ... are full."""
    count, every = fields.layers(), fields.optional("global_attn_every_n_layers")
    n = every.value if every else 3
    return Listing(
        tuple(SLIDING if i % n else FULL for i in range(count)), f"layer_types is absent: layers 0, {n}, {2 * n}, ... are {FULL}"
    )


def sliding_window(fields: Fields) -> NamedNumber | None:
    """The window of the config."""
    return fields.optional("sliding_window")


def unless_switched_off(fields: Fields) -> Fields:
    """`sliding_window` counts only with `use_sliding_window`."""
    return fields if fields.flag("use_sliding_window") else fields.over({"sliding_window": None})


def n_embed_first(fields: Fields) -> Fields:
    """An older spelling of hidden_size that overrides it."""
    older = fields.value("n_embed")
    return fields if older is None else fields.over({"hidden_size": older})


def as_it_is(fields: Fields) -> Fields:
    """The fields unchanged: this family needs no preparation."""
    return fields


@dataclass(frozen=True)
class Attention:
    """A family of attention layers: how they are listed, what a token adds to the cache, and how long the window is."""

    rule: Rule = by_window
    width: Callable[[Fields], NamedNumber] = grouped
    window: Callable[[Fields], NamedNumber | None] = sliding_window
    prepare: Callable[[Fields], Fields] = as_it_is

    def __call__(self, fields: Fields, cut: Cut) -> Counted:
        """One part of state for each layer, by its type."""
        ready = self.prepare(fields)
        listed = listing(ready, self.rule)
        width, size = self.width(ready), self.window(ready)
        return by_type(ready, listed, {kind: (attention_part(kind, width, size, ready, cut),) for kind in dict.fromkeys(listed.types)})


def attention_part(kind: str, width: NamedNumber, size: NamedNumber | None, fields: Fields, cut: Cut) -> Part:
    """The state of one attention layer of the type `kind`."""
    if kind == FULL:
        return full(width, cut)
    if kind == SLIDING:
        if size is None:
            raise fields.refuse(f"a layer is {SLIDING}, but there is no sliding_window")
        return window(width, size, cut)
    if kind == CHUNKED:
        return chunk(width, fields.whole("attention_chunk_size"), cut)
    raise fields.refuse(f"layer type {kind!r} is unknown: expected {FULL}, {SLIDING} or {CHUNKED}")


def _half_of_local_attention(fields: Fields) -> NamedNumber | None:
    return fields.whole("local_attention") // literal(2)


def _both_ways(fields: Fields) -> NamedNumber | None:
    """Gemma 3: a window that looks both ways reaches half as far back."""
    size = fields.optional("sliding_window")
    return size // literal(2) + literal(1) if size and fields.flag("use_bidirectional_attention") else size


def _zero_is_none(fields: Fields) -> Fields:
    return fields if fields.value("sliding_window") else fields.over({"sliding_window": None})


def _dbrx(fields: Fields) -> NamedNumber:
    heads = fields.section("attn_config").get("kv_n_heads", 1)
    inner = Fields(f"{fields.type} attn_config", {"kv_n_heads": heads})
    return literal(2) * inner.whole("kv_n_heads") * (fields.whole("hidden_size") // fields.whole("num_attention_heads"))


def _nemotron(fields: Fields) -> NamedNumber:
    """Its class does not fill in num_key_value_heads."""
    return literal(2) * fields.whole("num_key_value_heads") * head_width(fields)


def _kv_channels(fields: Fields) -> NamedNumber:
    return literal(2) * key_value_heads(fields) * fields.whole("kv_channels")


PLAIN = Attention()
MULTI_HEAD = Attention(width=multi_head)
BY_STREAM = Attention(width=grouped_by_stream)
QWEN2 = Attention(from_the_end, prepare=unless_switched_off)

ALIKE = (
    "llama", "apertus", "arcee", "aria_text", "bitnet", "cohere", "doge", "ernie4_5", "ernie4_5_moe", "flex_olmo",
    "gemma", "glm", "glm4", "glm4_moe", "granite", "granitemoe", "granitemoeshared", "helium", "hunyuan_v1_dense",
    "hunyuan_v1_moe", "hy_v3", "hyperclovax", "jais2", "minimax_m2", "ministral3", "mistral", "mixtral", "nanochat",
    "olmo", "olmo2", "olmoe", "phi", "phi3", "phi4_multimodal", "phimoe", "seed_oss", "solar_open", "starcoder2",
    "diffllama", "cosmos3_edge_text", "emu3_text_model", "ernie4_5_vl_moe_text", "glm4v_text", "glm4v_moe_text",
    "glm_image_text", "glm_ocr_text", "hunyuan_vl_text", "molmo2_text", "paddleocr_vl_text", "qwen3_vl_text",
    "qwen3_vl_moe_text", "qwen3_omni_moe_text", "internlm3", "iquestcoder", "granite_docling_text",
)  # fmt: skip
EVERY_HEAD = (
    "gpt2", "gpt-sw3", "gpt_neox", "gpt_neox_japanese", "opt", "mpt", "gptj", "codegen", "ctrl", "biogpt", "xglm",
    "persimmon",
)  # fmt: skip

ATTENTION: dict[str, Family] = {
    # every layer alike
    **dict.fromkeys(ALIKE, PLAIN),
    **dict.fromkeys(EVERY_HEAD, MULTI_HEAD),
    "bloom": Attention(width=multi_head, prepare=n_embed_first),
    "stablelm": BY_STREAM,
    "nemotron": Attention(width=_nemotron),
    "gpt_bigcode": Attention(width=one_or_all),
    "dbrx": Attention(width=_dbrx),
    "jetmoe": Attention(width=_kv_channels),
    "qwen3_moe": Attention(prepare=unless_switched_off),
    # windows in some layers
    "qwen2": QWEN2,
    "qwen3": QWEN2,
    "qwen2_vl_text": QWEN2,
    "qwen2_5_vl_text": QWEN2,
    "qwen2_5_omni_text": QWEN2,
    "qwen2_moe": Attention(every_other_up_to, prepare=unless_switched_off),
    "dots1": Attention(from_the_end),
    "smollm3": Attention(without_rotation),
    "gemma2": Attention(full_every(2)),
    "vaultgemma": Attention(full_every(2)),
    "gpt_oss": Attention(full_every(2)),
    "gemma3_text": Attention(full_every(6, "sliding_window_pattern"), window=_both_ways),
    "cohere2": Attention(full_every(4, "sliding_window_pattern")),
    "cohere2_moe": Attention(with_a_prefix),
    "cohere_compass_text": Attention(all_of(FULL)),
    "exaone4": Attention(pattern_unless_no_window),
    "exaone_moe": Attention(pattern_unless_no_window),
    "olmo3": Attention(full_every(4)),
    "afmoe": Attention(full_every(4, "global_attn_every_n_layers")),
    "kolibri1": Attention(full_every(5)),
    "laguna": Attention(all_of(FULL)),
    "mellum": Attention(all_of(FULL)),
    "ministral": Attention(sliding_if_there_is_a_window),
    "granite_swa": Attention(full_where(lambda i, _: i % 4 == 0, "i % 4 == 0")),
    "granitemoe_swa": Attention(full_where(lambda i, _: i % 4 == 0, "i % 4 == 0")),
    "cwm": Attention(full_where(lambda i, _: i % 4 == 0, "i % 4 == 0"), prepare=_zero_is_none),
    "beam": Attention(full_where(lambda i, count: (i + 1) % 6 == 0 or i == count - 1, "(i + 1) % 6 == 0 and last")),
    "flint": Attention(full_where(lambda i, count: i < 2 or i % 4 == 1 or i == count - 1, "i < 2 or i % 4 == 1, and last")),
    "muse_glimmer_text": Attention(full_where(lambda i, count: (count - 1 - i) % 4 == 0, "(L - 1 - i) % 4 == 0")),
    "muse_spark_text": Attention(full_where(lambda i, count: (count - 1 - i) % 4 == 0, "(L - 1 - i) % 4 == 0")),
    "modernbert-decoder": Attention(every_n_layers, multi_head, _half_of_local_attention),
    "llama4_text": Attention(chunked_where_rotated),
}

"""Families that mix attention with linear attention or short convolutions."""

from __future__ import annotations

from separatrix.state.families.attention import attention_part
from separatrix.state.families.heads import grouped, head_width
from separatrix.state.families.latent import cached_latent, expanded_note
from separatrix.state.family import Counted, Family, by_type
from separatrix.state.fields import Fields
from separatrix.state.kinds import columns, full, gated_delta, indexer, kimi_delta, recurrent
from separatrix.state.listing import FULL, INDEXED, LINEAR, OLDER, SLIDING, Listing, full_every, listing
from separatrix.state.named_number import NamedNumber, literal, named, product
from separatrix.state.part import Cut, Layer, Part

CONV = "conv"
INT64 = literal(8)


def lfm2(fields: Fields, cut: Cut) -> Counted:
    """Attention, or a short convolution over the stream."""
    return by_type(fields, listing(fields, _full_at), {FULL: (full(grouped(fields), cut),), CONV: _short(fields, cut)})


def lfm2_moe(fields: Fields, cut: Cut) -> Counted:
    """Layers of LFM2 with experts; its class has no rule for a missing list."""
    if fields.value("layer_types") is None:
        raise fields.refuse("layer_types is missing, and its state cannot be counted without it")
    return lfm2(fields, cut)


def _full_at(fields: Fields) -> Listing:
    places = fields.numbers("full_attn_idxs")
    count = fields.layers()
    if places is None:
        return Listing((FULL,) * count, "layer_types and full_attn_idxs are absent: every layer is full_attention")
    return Listing(
        tuple(FULL if i in places else CONV for i in range(count)), f"layer_types is absent: {FULL} at full_attn_idxs, else conv"
    )


def lfm3(fields: Fields, cut: Cut) -> Counted:
    """Attention over all tokens or over a window, or a short convolution over the stream."""
    listed, size = listing(fields, _by_fours), fields.optional("sliding_window")
    layers: dict[str, Layer] = {
        kind: (attention_part(kind, grouped(fields), size, fields, cut),) for kind in (FULL, SLIDING) if kind in listed.types
    }
    return by_type(fields, listed, {**layers, CONV: _short(fields, cut)})


def _short(fields: Fields, cut: Cut) -> Layer:
    return (columns(fields.whole("hidden_size"), fields.whole("conv_L_cache"), cut.b, cut),)


def _by_fours(fields: Fields) -> Listing:
    types = tuple(FULL if i % 4 == 2 else SLIDING if i % 4 == 0 and i else CONV for i in range(fields.layers()))
    return Listing(types, f"layer_types is absent: {FULL} where i % 4 = 2, {SLIDING} where i % 4 = 0 but for the first, else {CONV}")


def _gated_delta(fields: Fields, cut: Cut) -> Layer:
    return gated_delta(
        fields.whole("linear_num_key_heads"),
        fields.whole("linear_key_head_dim"),
        fields.whole("linear_num_value_heads"),
        fields.whole("linear_value_head_dim"),
        fields.whole("linear_conv_kernel_dim"),
        cut,
    )


def qwen3_next(fields: Fields, cut: Cut) -> Counted:
    """Gated DeltaNet, and attention in every fourth layer."""
    listed = listing(fields, full_every(4, "full_attention_interval", LINEAR))
    return by_type(fields, listed, {LINEAR: _gated_delta(fields, cut), FULL: (full(grouped(fields), cut),)})


def olmo_hybrid(fields: Fields, cut: Cut) -> Counted:
    """Layers of OLMo hybrids, with sizes that default to the attention's."""
    listed = listing(fields, _every_fourth_or_last)
    heads = fields.whole("num_attention_heads")
    key_heads = fields.optional("linear_num_key_heads") or heads
    value_heads = fields.optional("linear_num_value_heads") or heads
    key_width = fields.optional("linear_key_head_dim") or _three_quarters(fields, key_heads)
    value_width = fields.optional("linear_value_head_dim") or literal(2) * key_width
    linear = gated_delta(key_heads, key_width, value_heads, value_width, fields.whole("linear_conv_kernel_dim"), cut)
    for kind in (LINEAR, FULL):
        if kind not in listed.types:
            raise fields.refuse(f"the engine expects at least one layer of {kind}")
    return by_type(fields, listed, {LINEAR: linear, FULL: (full(grouped(fields), cut),)})


def _three_quarters(fields: Fields, heads: NamedNumber) -> NamedNumber:
    hidden = fields.whole("hidden_size")
    return named(f"int(0.75 * {hidden.text} / {heads.text})", int(0.75 * hidden.value / heads.value))


def _every_fourth_or_last(fields: Fields) -> Listing:
    types = [FULL if i % 4 == 3 else LINEAR for i in range(fields.layers())]
    if FULL not in types:
        types[-1] = FULL
    return Listing(tuple(types), f"layer_types is absent: every fourth layer is {FULL}, or else the last")


def kimi_linear(fields: Fields, cut: Cut) -> Counted:
    """Kimi Delta Attention, and latent attention in some layers; older configs say so in `linear_attn_config`."""
    inner = fields.section("linear_attn_config")
    names = {"linear_head_dim": "head_dim", "linear_num_heads": "num_heads", "linear_conv_kernel_dim": "short_conv_kernel_size"}
    ready = fields.over({ours: inner[theirs] for ours, theirs in names.items() if theirs in inner})
    listed = listing(ready, _kimi_rule)
    sizes = [ready.whole(name) for name in names]
    linear = kimi_delta(sizes[1], sizes[0], sizes[2], cut)
    counted = by_type(ready, listed, {LINEAR: linear, FULL: (cached_latent(ready, cut),)})
    return Counted(counted.layers, (*counted.notes, *expanded_note(ready, cut, listed.types.count(FULL))))


def _kimi_rule(fields: Fields) -> Listing:
    inner, count = fields.section("linear_attn_config"), fields.layers()
    if "full_attn_layers" in inner and "kda_layers" in inner:
        full_at = {place - 1 for place in Fields(fields.type, inner).numbers("full_attn_layers") or ()}
        linear_at = {place - 1 for place in Fields(fields.type, inner).numbers("kda_layers") or ()}
        if full_at & linear_at or full_at | linear_at != set(range(count)):
            raise fields.refuse("linear_attn_config must put each layer, counted from 1, into kda_layers or full_attn_layers")
        return Listing(tuple(FULL if i in full_at else LINEAR for i in range(count)), "by linear_attn_config, which counts from 1")
    types = tuple(FULL if i and i % 4 == 0 else LINEAR for i in range(count))
    return Listing(types, f"layer_types is absent: {FULL} where i > 0 and i % 4 == 0, else {LINEAR}")


def bailing_hybrid(fields: Fields, cut: Cut) -> Counted:
    """Linear layers with full attention at the end of each group, with the heads of attention unless a saved config has others."""
    group = fields.whole("layer_group_size")
    listed = listing(fields, full_every(group.value, "layer_group_size", LINEAR))
    heads = fields.optional("linear_num_heads") or fields.whole("num_attention_heads")
    width = fields.optional("linear_head_dim") or fields.whole("head_dim")
    taps = fields.optional("linear_conv_kernel_dim") or fields.whole("short_conv_kernel_size")
    linear = kimi_delta(heads, width, taps, cut)
    counted = by_type(fields, listed, {LINEAR: linear, FULL: (cached_latent(fields, cut),)})
    return Counted(counted.layers, (*counted.notes, *expanded_note(fields, cut, listed.types.count(FULL))))


def minimax(fields: Fields, cut: Cut) -> Counted:
    """Lightning attention: a matrix for each head in the model's dtype, no convolution. A window in the config is not used by its cache."""
    listed = listing(fields, full_every(2, None, FULL, LINEAR))
    width = head_width(fields)
    lightning = recurrent("lightning", product(fields.whole("num_attention_heads"), width, width), cut.b)
    counted = by_type(fields, listed, {FULL: (full(grouped(fields), cut),), LINEAR: (lightning,)})
    if fields.value("attn_type_list") is None or fields.value("layer_types") is not None:
        return counted
    return Counted(counted.layers, (*counted.notes, "the engine ignores attn_type_list and alternates: use layer_types"))


def qwen4_exp(fields: Fields, cut: Cut) -> Counted:
    """Gated DeltaNet, and attention with an indexer; the first such layer also holds three positions of every token."""
    if fields.value("ple_layer_ids"):
        raise fields.refuse("ple_layer_ids adds caches for which there is no formula here: use --measure")
    entries = fields.names("layer_types")
    ready = fields if entries is None else fields.over({"layer_types": [INDEXED if OLDER.get(t, t) == FULL else t for t in entries]})
    listed = listing(ready, full_every(4, "full_attention_interval", LINEAR, INDEXED))
    keys = indexer(fields.whole("indexer_kv_heads") * fields.whole("indexer_head_dim"), cut)
    attention: Layer = (full(grouped(fields), cut), keys)
    counted = by_type(ready, listed, {LINEAR: _gated_delta(fields, cut), INDEXED: attention})
    if INDEXED not in listed.types:
        return counted
    # they follow from the number of tokens; after a prompt the three are views of one storage
    positions = Part("positions", literal(3) * cut.N * INT64, literal(0), cut.N * INT64)
    first = listed.types.index(INDEXED)
    return Counted((*counted.layers[:first], (*attention, positions), *counted.layers[first + 1 :]), counted.notes)


LINEAR_HYBRIDS: dict[str, Family] = {
    "lfm2": lfm2,
    "lfm2_moe": lfm2_moe,
    "lfm3": lfm3,
    "qwen3_next": qwen3_next,
    "qwen3_5_text": qwen3_next,
    "qwen3_5_moe_text": qwen3_next,
    "olmo_hybrid": olmo_hybrid,
    "kimi_linear": kimi_linear,
    "bailing_hybrid": bailing_hybrid,
    "minimax": minimax,
    "qwen4_exp_text": qwen4_exp,
}

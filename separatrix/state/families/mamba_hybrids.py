"""Families that mix attention with Mamba or Mamba-2, layer by layer or in one layer."""

from __future__ import annotations

from separatrix.state.families.heads import grouped
from separatrix.state.family import Counted, Family, alike, by_type
from separatrix.state.fields import Fields
from separatrix.state.kinds import full, mamba, mamba2
from separatrix.state.listing import FULL, LINEAR, Listing, all_of, from_letters, listing
from separatrix.state.named_number import NamedNumber, literal, product
from separatrix.state.part import Cut, Layer

HYBRID = "hybrid"  # a Mamba layer with an attention before it


def jamba(fields: Fields, cut: Cut) -> Counted:
    """Attention in every `attn_layer_period`-th layer, Mamba in the others."""
    period, offset = fields.whole("attn_layer_period"), fields.whole("attn_layer_offset", 0)
    if offset.value >= period.value:
        raise fields.refuse(f"attn_layer_offset = {offset.value} must be smaller than attn_layer_period = {period.value}")
    types = tuple(FULL if i % period.value == offset.value else LINEAR for i in range(fields.layers()))
    listed = Listing(types, f"attention where i % attn_layer_period = i % {period.value} is attn_layer_offset = {offset.value}")
    return by_type(fields, listed, {FULL: (full(grouped(fields), cut),), LINEAR: _mamba(fields, cut)})


def _mamba(fields: Fields, cut: Cut) -> Layer:
    channels = fields.whole("mamba_expand") * fields.whole("hidden_size")
    return mamba(channels, fields.whole("mamba_d_conv"), fields.whole("mamba_d_state"), cut)


def bamba(fields: Fields, cut: Cut) -> Counted:
    """Attention at `attn_layer_indices`, Mamba-2 in the others."""
    places = fields.numbers("attn_layer_indices") or ()
    types = tuple(FULL if i in places else LINEAR for i in range(fields.layers()))
    listed = Listing(types, f"attention at attn_layer_indices = {list(places)}")
    return by_type(fields, listed, {FULL: (full(grouped(fields), cut),), LINEAR: _mamba2(fields, cut, _expanded(fields))})


def granitemoehybrid(fields: Fields, cut: Cut) -> Counted:
    """Mamba-2 and attention layers of Granite, listed by `layer_types` (or `layers_block_type`)."""
    listed = listing(fields, all_of(LINEAR))
    return by_type(fields, listed, {LINEAR: _mamba2(fields, cut, _expanded(fields)), FULL: (full(grouped(fields), cut),)})


def falcon_h1(fields: Fields, cut: Cut) -> Counted:
    """Attention and Mamba-2 side by side in every layer."""
    inner = fields.optional("mamba_d_ssm") or _expanded(fields)
    return alike((full(grouped(fields), cut), *_mamba2(fields, cut, inner)), fields.layers())


def _expanded(fields: Fields) -> NamedNumber:
    return fields.whole("mamba_expand") * fields.whole("hidden_size")


def _mamba2(fields: Fields, cut: Cut, inner: NamedNumber) -> Layer:
    """Heads of Mamba-2; `mamba_d_head` defaults to the quotient."""
    heads = fields.whole("mamba_n_heads")
    auto = fields.value("mamba_d_head") in (None, "auto")
    width = inner // heads if auto else fields.whole("mamba_d_head")
    if heads.value * width.value != inner.value:
        raise fields.refuse(f"mamba_n_heads * mamba_d_head = {heads.value * width.value} must equal {inner.text} = {inner.value}")
    return mamba2(heads, width, fields.whole("mamba_n_groups"), fields.whole("mamba_d_state"), fields.whole("mamba_d_conv"), cut)


LETTERS = {"M": LINEAR, "*": FULL, "-": "mlp", "E": "moe"}


def nemotron_h(fields: Fields, cut: Cut) -> Counted:
    """One block for each layer: Mamba-2, attention, or a feed-forward network that carries nothing."""
    pattern = fields.value("hybrid_override_pattern")
    blocks = fields.names("layer_types")
    if blocks is not None:
        listed = listing(fields.over({"num_hidden_layers": len(blocks)}), all_of(LINEAR))
    elif isinstance(pattern, str):
        listed = from_letters(pattern, LETTERS, fields, "hybrid_override_pattern")
    else:
        raise fields.refuse(
            "layers_block_type and hybrid_override_pattern are missing, and its state cannot be counted without one of them"
        )
    heads, width, states = fields.whole("mamba_num_heads"), fields.whole("mamba_head_dim"), fields.whole("ssm_state_size")
    groups = fields.optional("mamba_n_groups") or fields.whole("n_groups")
    taps = fields.optional("mamba_d_conv") or fields.whole("conv_kernel")
    layers: dict[str, Layer] = {LINEAR: mamba2(heads, width, groups, states, taps, cut), FULL: (full(grouped(fields), cut),)}
    return by_type(fields, listed, {**layers, "mlp": (), "moe": ()})


def zamba(fields: Fields, cut: Cut) -> Counted:
    """Mamba in every layer; hybrid layers put a shared attention before it, over the stream and the embedding side by side."""
    width = fields.optional("attention_head_dim") or literal(2) * fields.whole("hidden_size") // fields.whole("num_attention_heads")
    listed = listing(fields, _zamba_rule, "layers_block_type")
    own = _mamba(fields, cut)
    attention = full(literal(2) * fields.whole("num_key_value_heads") * width, cut)
    return by_type(fields, listed, {LINEAR: own, HYBRID: (attention, *own)})


def _zamba_rule(fields: Fields) -> Listing:
    period, offset = fields.whole("attn_layer_period").value, fields.whole("attn_layer_offset", 0).value
    rest = tuple(HYBRID if i % period == offset else LINEAR for i in range(max(fields.layers() - 3, 0)))
    types = (LINEAR, LINEAR, HYBRID, *rest)
    if len(types) != fields.layers():
        raise fields.refuse("layers_block_type is absent and num_hidden_layers below 3: the class's rule does not fit")
    return Listing(types, "layers_block_type is absent: hybrid at layer 2 and then by attn_layer_period and attn_layer_offset")


def zamba2(fields: Fields, cut: Cut) -> Counted:
    """Zamba2: Mamba-2 layers with shared attention among them."""
    listed = listing(fields, _zamba2_rule, "layers_block_type")
    heads = fields.whole("n_mamba_heads")
    width = fields.optional("mamba_headdim") or _expanded(fields) // heads
    own = mamba2(heads, width, fields.whole("mamba_ngroups"), fields.whole("mamba_d_state"), fields.whole("mamba_d_conv"), cut)
    queries = fields.whole("num_attention_heads")
    head = fields.optional("attention_head_dim") or literal(2) * fields.whole("hidden_size") // queries
    attention = full(product(literal(2), fields.optional("num_key_value_heads") or queries, head), cut)
    return by_type(fields, listed, {LINEAR: own, HYBRID: (attention, *own)})


def _zamba2_rule(fields: Fields) -> Listing:
    """The class knows only a list of 54 layers."""
    types = [LINEAR] + ([LINEAR] * 5 + [HYBRID]) * 7 + [LINEAR] * 4 + [HYBRID] + [LINEAR] * 3 + [HYBRID] + [LINEAR] * 2
    if len(types) != fields.layers():
        raise fields.refuse(
            f"layers_block_type is absent: the class's own list has {len(types)} layers, num_hidden_layers says {fields.layers()}"
        )
    return Listing(tuple(types), "layers_block_type is absent: the class's own list of 54 layers")


MAMBA_HYBRIDS: dict[str, Family] = {
    "jamba": jamba,
    "bamba": bamba,
    "granitemoehybrid": granitemoehybrid,
    "falcon_h1": falcon_h1,
    "nemotron_h": nemotron_h,
    "zamba": zamba,
    "zamba2": zamba2,
}

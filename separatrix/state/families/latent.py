"""Families of latent attention (MLA). The engine caches the latent; heads and head_dim of such a config say nothing about its cache."""

from __future__ import annotations

from collections.abc import Callable

from separatrix.state.family import Counted, Family, alike, by_type
from separatrix.state.fields import Fields
from separatrix.state.kinds import indexer, latent, window
from separatrix.state.listing import FULL, INDEXED, SLIDING, all_of, by_window, listing
from separatrix.state.named_number import NamedNumber, literal, product
from separatrix.state.part import Cut, Layer, Part


def cached_latent(fields: Fields, cut: Cut) -> Part:
    """The compressed keys and values that one layer caches."""
    return latent(fields.whole("kv_lora_rank"), fields.whole("qk_rope_head_dim", 0), cut)


def expanded_note(fields: Fields, cut: Cut, layers: int) -> tuple[str, ...]:
    """What an engine that caches whole heads would hold instead, if the config gives their width."""
    sizes = [fields.optional(name, 0) for name in ("qk_nope_head_dim", "qk_rope_head_dim", "v_head_dim")]
    heads = None if fields.absent("num_attention_heads") else fields.optional("num_attention_heads")
    if heads is None or any(size is None for size in sizes):
        return ()
    nope, rope, value = (size for size in sizes if size is not None)
    bytes_held = product(literal(layers), heads, nope + rope + value, cut.N, cut.b)
    return (f"an engine that caches heads instead of the latent (transformers 4) holds {bytes_held.value:,}: {bytes_held.text}",)


def mla(fields: Fields, cut: Cut) -> Counted:
    """Every layer caches the latent."""
    listed = listing(fields, by_window)
    part = cached_latent(fields, cut)
    width = fields.whole("kv_lora_rank") + fields.whole("qk_rope_head_dim", 0)
    layers: dict[str, Layer] = {FULL: (part,)}
    if SLIDING in listed.types:
        layers[SLIDING] = (window(width, fields.whole("sliding_window"), cut, "latent window"),)
    counted = by_type(fields, listed, layers)
    return Counted(counted.layers, (*counted.notes, *expanded_note(fields, cut, len(listed.types))))


def longcat_flash(fields: Fields, cut: Cut) -> Counted:
    """Two attentions in every layer, each with its cache."""
    if fields.absent("num_layers") and not fields.absent("num_hidden_layers"):
        slots = 2 * (fields.layers() // 2)
    else:
        slots = 2 * fields.over({"num_hidden_layers": fields.value("num_layers")}).layers()
    counted = alike((cached_latent(fields, cut),), slots)
    return Counted(counted.layers, ("two attentions in each of num_layers layers, so two cache slots", *expanded_note(fields, cut, slots)))


def _own_indexer(fields: Fields, default: Callable[[int], bool], count: int) -> list[bool]:
    """Which layers have their own indexer; the others reuse the choice of an earlier layer."""
    entries = fields.names("indexer_types")
    if entries is None:
        return [default(i) for i in range(count)]
    if len(entries) < count:
        raise fields.refuse(f"indexer_types lists {len(entries)} layers of {count}")
    return [entry != "shared" for entry in entries[:count]]


def _by_frequency(fields: Fields) -> Callable[[int], bool]:
    """Older spellings: a pattern of F and S, or a frequency and an offset."""
    pattern = fields.value("index_topk_pattern")
    if pattern is not None:
        return lambda i: i < len(pattern) and pattern[i] in ("F", "full")
    every = fields.optional("index_topk_freq", 0)
    offset = fields.optional("index_skip_topk_offset", 0)
    step, start = max(every.value if every else 1, 1), offset.value if offset else 2
    return lambda i: max(i - start + 1, 0) % step == 0


def _indexed(fields: Fields, cut: Cut, own: Callable[[Fields], Callable[[int], bool]]) -> Counted:
    """The latent in every layer, and an indexer's keys in the layers that have their own."""
    listed = listing(fields, all_of(INDEXED))
    chooses = _own_indexer(fields, own(fields), len(listed.types))
    cached, keys = cached_latent(fields, cut), indexer(_index_width(fields), cut)
    for kind in listed.types:
        if kind != INDEXED:
            raise fields.refuse(f"layer type {kind!r} is unknown: expected {INDEXED}")
    return Counted(tuple((cached, keys) if choose else (cached,) for choose in chooses), expanded_note(fields, cut, len(listed.types)))


def _index_width(fields: Fields) -> NamedNumber:
    return fields.whole("index_head_dim")


def every_layer_indexes(fields: Fields, cut: Cut) -> Counted:
    """DeepSeek-V3.2 and its like: an indexer in every layer."""
    return _indexed(fields.over({"indexer_types": None}), cut, lambda _: lambda _i: True)


def some_layers_index(fields: Fields, cut: Cut) -> Counted:
    """GLM's form: layers may share the choice of an earlier one."""
    return _indexed(fields, cut, _by_frequency)


def hy_v4(fields: Fields, cut: Cut) -> Counted:
    """The first layer and then every fourth have their own indexer."""
    return _indexed(fields, cut, lambda _: lambda i: i == 0 or (i - 1) % 4 == 0)


LATENT: dict[str, Family] = {
    **dict.fromkeys(["deepseek_v2", "deepseek_v3", "glm4_moe_lite", "minicpm3", "youtu", "axk1"], mla),
    "longcat_flash": longcat_flash,
    "deepseek_v32": every_layer_indexes,
    "axk2": every_layer_indexes,
    "glm_moe_dsa": some_layers_index,
    "hy_v4": hy_v4,
}

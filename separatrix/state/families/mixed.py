"""Families whose layers hold several states at once: RecurrentGemma, ZAYA, Inkling, MiniMax-M3, DeepSeek-V4."""

from __future__ import annotations

from separatrix.state.families.attention import attention_part
from separatrix.state.families.heads import grouped, head_width, key_value_heads
from separatrix.state.family import Counted, Family, by_type
from separatrix.state.fields import Fields
from separatrix.state.kinds import columns, full, heavy, indexer, overlapping, past_columns, recurrent, window
from separatrix.state.listing import FULL, SLIDING, Listing, all_of, listing
from separatrix.state.named_number import NamedNumber, literal, named
from separatrix.state.part import FLOAT32, Cut, Layer, Part

HYBRID, HYBRID_SLIDING = "hybrid", "hybrid_sliding"
HEAVY, OVERLAPPING = "heavily_compressed_attention", "compressed_sparse_attention"


def recurrent_gemma(fields: Fields, cut: Cut) -> Counted:
    """A gated linear recurrence and windows of attention, in a pattern that repeats."""
    pattern = fields.names("block_types")
    if not pattern:
        raise fields.refuse("block_types is empty, and its state cannot be counted without it")
    width = fields.optional("lru_width") or fields.whole("hidden_size")
    attention = window(grouped(fields), fields.whole("attention_window_size"), cut)
    taps = fields.whole("conv1d_width", 2)
    past = past_columns(width, taps - literal(1), cut.b, cut)
    if cut.N.value == 1:  # a single token takes the decoding path, which keeps a view of all taps
        past = Part(past.kind, past.held, past.needed, width * taps * cut.b)
    types = (pattern * fields.layers())[: fields.layers()]
    listed = Listing(types, f"block_types = {', '.join(pattern)}, repeated")
    return by_type(fields, listed, {"recurrent": (past, recurrent("lru", width, FLOAT32)), "attention": (attention,)})


def zaya(fields: Fields, cut: Cut) -> Counted:
    """Attention whose queries and keys pass two short convolutions, and whose values come half from the token before."""
    heads, kv, width = fields.whole("num_attention_heads"), key_value_heads(fields), head_width(fields)
    taps = fields.whole("cca_time0") + fields.whole("cca_time1") - literal(2)
    past = past_columns((heads + kv) * width, taps, cut.b, cut)
    delayed = recurrent("delayed", kv * width // literal(2), cut.b)
    listed = listing(fields, all_of(HYBRID))
    size = fields.optional("sliding_window")
    layers: dict[str, Layer] = {HYBRID: (full(grouped(fields), cut), past, delayed)}
    if HYBRID_SLIDING in listed.types:
        layers[HYBRID_SLIDING] = (attention_part(SLIDING, grouped(fields), size, fields, cut), past, delayed)
    return by_type(fields, listed, layers)


def inkling(fields: Fields, cut: Cut) -> Counted:
    """Attention with four short convolutions in float32: over keys, over values, and twice over the stream."""
    listed = listing(fields, _inkling_rule)
    taps, stream = fields.whole("conv_kernel_size"), fields.whole("hidden_size")
    kv, width = key_value_heads(fields), head_width(fields)
    layers: dict[str, Layer] = {HYBRID: (full(literal(2) * kv * width, cut), _four(kv * width, stream, taps, cut))}
    if HYBRID_SLIDING in listed.types:
        kv, width = fields.whole("swa_num_key_value_heads"), fields.whole("swa_head_dim")
        part = window(literal(2) * kv * width, fields.whole("sliding_window_size"), cut)
        layers[HYBRID_SLIDING] = (part, _four(kv * width, stream, taps, cut))
    return by_type(fields, listed, layers)


def _four(keys: NamedNumber, stream: NamedNumber, taps: NamedNumber, cut: Cut) -> Part:
    return columns(literal(2) * keys + literal(2) * stream, taps, FLOAT32, cut)


def _inkling_rule(fields: Fields) -> Listing:
    local, count = fields.numbers("local_layer_ids"), fields.layers()
    if local is None:
        types = tuple(HYBRID_SLIDING if (i + 1) % 6 else HYBRID for i in range(count))
        return Listing(types, "layer_types is absent: every 6. layer is hybrid, the others hybrid_sliding")
    return Listing(
        tuple(HYBRID_SLIDING if i in local else HYBRID for i in range(count)), "layer_types is absent: windows at local_layer_ids"
    )


def minimax_m3(fields: Fields, cut: Cut) -> Counted:
    """Attention, with an indexer's keys in the sparse layers."""
    sparse = fields.section("sparse_attention_config")
    ready = fields.over({"index_head_dim": sparse["sparse_index_dim"]}) if "sparse_index_dim" in sparse else fields
    listed = listing(ready, _sparse_where)
    attention = full(grouped(ready), cut)
    return by_type(ready, listed, {FULL: (attention,), "minimax_m3_sparse": (attention, indexer(ready.whole("index_head_dim"), cut))})


def _sparse_where(fields: Fields) -> Listing:
    marks = Fields(fields.type, fields.section("sparse_attention_config")).numbers("sparse_attention_freq")
    count = fields.layers()
    if marks is None:
        return Listing((FULL,) * count, f"layer_types is absent: every layer is {FULL}")
    if len(marks) != count:
        raise fields.refuse(f"sparse_attention_freq lists {len(marks)} layers, num_hidden_layers says {count}")
    return Listing(tuple("minimax_m3_sparse" if mark else FULL for mark in marks), "by sparse_attention_config")


def deepseek_v4(fields: Fields, cut: Cut) -> Counted:
    """Windows whose keys are their values, and blocks of older tokens compressed into one entry each."""
    width, size = fields.whole("head_dim"), fields.whole("sliding_window")
    rates, listed = _rates(fields), _v4_listing(fields)
    once = window(width, size, cut)
    twice = Part("window", literal(2) * once.held, once.held, literal(2) * once.allocated)  # the second tensor is a copy of the first
    layers: dict[str, Layer] = {SLIDING: (twice,)}
    if HEAVY in listed.types:
        layers[HEAVY] = (once, heavy(width, _rate(fields, rates, HEAVY), cut))
    if OVERLAPPING in listed.types:
        rate, index = _rate(fields, rates, OVERLAPPING), fields.whole("index_head_dim")
        layers[OVERLAPPING] = (once, overlapping(width, rate, cut), overlapping(index, rate, cut))
    return by_type(fields, listed, layers)


def _rates(fields: Fields) -> dict[str, object]:
    rates: dict[str, object] = dict(fields.section("compress_rates")) or {OVERLAPPING: 4, HEAVY: 128}
    for name, kind in (("compress_rate_csa", OVERLAPPING), ("compress_rate_hca", HEAVY)):
        if fields.value(name) is not None:
            rates[kind] = fields.value(name)
    return rates


def _rate(fields: Fields, rates: dict[str, object], kind: str) -> NamedNumber:
    if kind not in rates:
        raise fields.refuse(f"compress_rates has no entry for {kind}")
    rate = Fields(f"{fields.type} compress_rates", {kind: rates[kind]}).whole(kind)
    return named(f"compress_rates[{kind}]", rate.value)


def _v4_listing(fields: Fields) -> Listing:
    count, entries, ratios = fields.layers(), fields.names("layer_types"), fields.numbers("compress_ratios")
    if entries is not None:
        types: tuple[str, ...] = entries[:count]
        note = ""
    elif ratios is not None:
        meaning = {0: SLIDING, 4: OVERLAPPING, 128: HEAVY}
        if not set(ratios) <= set(meaning):
            raise fields.refuse(f"compress_ratios must be 0, 4 or 128, found {sorted(set(ratios) - set(meaning))}")
        types, note = tuple(meaning[ratio] for ratio in ratios)[:count], "by compress_ratios"
    else:
        mixed = tuple(OVERLAPPING if i % 2 else HEAVY for i in range(max(count - 2, 0)))
        types, note = ((HEAVY,) * min(count, 2) + mixed), f"layer_types is absent: two layers of {HEAVY}, then both kinds in turn"
    if len(types) != count:
        raise fields.refuse(f"layer_types lists {len(types)} layers, num_hidden_layers says {count}")
    return Listing(types, note)


MIXED: dict[str, Family] = {
    "recurrent_gemma": recurrent_gemma,
    "zaya": zaya,
    "inkling_text": inkling,
    "inkling2_text": inkling,
    "minimax_m3_vl_text": minimax_m3,
    "deepseek_v4": deepseek_v4,
}

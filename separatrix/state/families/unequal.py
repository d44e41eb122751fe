"""Attention families whose layers differ in heads, whose cache holds more than is read, or whose layers share one cache."""

from __future__ import annotations

from collections.abc import Mapping

from separatrix.state.families.attention import attention_part, sliding_window
from separatrix.state.families.heads import grouped, head_width, key_value_heads, multi_head
from separatrix.state.family import Counted, Family, alike, by_type
from separatrix.state.fields import Fields, whole_number
from separatrix.state.kinds import full
from separatrix.state.listing import FULL, SLIDING, Listing, all_of, full_every, full_where, listing
from separatrix.state.named_number import NamedNumber, least, literal, named
from separatrix.state.part import Cut, Layer, Part


def falcon(fields: Fields, cut: Cut) -> Counted:
    """`multi_query`: one head. The newer decoder repeats its few heads for every query before it caches them."""
    heads = fields.whole("num_attention_heads")
    width = (fields.optional("n_embed") or fields.whole("hidden_size")) // heads
    count = fields.layers()
    if fields.flag("new_decoder_architecture"):
        held = literal(2) * heads * width * cut.N * cut.b
        needed = literal(2) * (fields.optional("num_kv_heads") or heads) * width * cut.N * cut.b
        return alike((Part("full", held, needed, held),), count)
    if fields.flag("multi_query"):
        return alike((full(literal(2) * width, cut),), count)
    return alike((full(literal(2) * (fields.optional("num_kv_heads") or heads) * width, cut),), count)


def gpt_neo(fields: Fields, cut: Cut) -> Counted:
    """Local layers read a window but cache every token."""
    count, width, size = fields.layers(), multi_head(fields), fields.whole("window_size")
    kinds = _expanded(fields)
    if len(kinds) != count:
        raise fields.refuse(f"attention_types lists {len(kinds)} layers, {fields.spelled('num_hidden_layers')} says {count}")
    everything = full(width, cut)
    local = Part("local", everything.held, width * least(cut.N, size - literal(1)) * cut.b, everything.allocated)
    return Counted(tuple((everything if kind == "global" else local,) for kind in kinds))


def _expanded(fields: Fields) -> list[str]:
    """`[[["global", "local"], 12]]` as one word for each layer."""
    kinds: list[str] = []
    for entry in fields.value("attention_types") or [[["global", "local"], 12]]:
        if not (isinstance(entry, list) and len(entry) == 2 and isinstance(entry[0], list) and set(entry[0]) <= {"global", "local"}):
            raise fields.refuse(f"attention_types has the entry {entry!r}: expected [[global or local, ...], times]")
        kinds += entry[0] * whole_number(entry[1], "gpt_neo config: a count of attention_types", 0)
    return kinds


def mimo_v2_flash(fields: Fields, cut: Cut) -> Counted:
    """Values narrower than keys, and twice the heads where there is a window."""
    listed = listing(fields, full_where(lambda i, _: i == 0 or (i + 1) % 6 == 0, "i == 0 or (i + 1) % 6 == 0"))
    heads, width = key_value_heads(fields), head_width(fields) + fields.whole("v_head_dim")
    sizes = fields.optional("sliding_window_size")
    size = sizes + literal(1) if sizes else fields.optional("sliding_window")
    parts = {
        FULL: (full(heads * width, cut),),
        SLIDING: (attention_part(SLIDING, literal(2) * heads * width, size, fields, cut),) if SLIDING in listed.types else (),
    }
    return by_type(fields, listed, parts)


def gemma3n(fields: Fields, cut: Cut) -> Counted:
    """The last layers read the keys and values of an earlier one."""
    listed = listing(fields, full_every(5))
    own = len(listed.types) - fields.whole("num_kv_shared_layers", 0).value
    own = own if own > 0 else len(listed.types)
    width, size = grouped(fields), sliding_window(fields)
    parts = {kind: (attention_part(kind, width, size, fields, cut),) for kind in set(listed.types[:own])}
    return _shared_after(own, Counted(tuple(parts[kind] for kind in listed.types[:own]), _noted(listed)), len(listed.types))


def gemma4(fields: Fields, cut: Cut) -> Counted:
    """Full layers have heads of a different size; the last layers read the keys and values of an earlier one."""
    listed = _last_is_full(listing(fields, full_every(6)))
    own = len(listed.types) - fields.whole("num_kv_shared_layers", 0).value
    if own < 0:
        raise fields.refuse(f"num_kv_shared_layers exceeds the {len(listed.types)} layers")
    size = sliding_window(fields)
    if size and fields.value("use_bidirectional_attention") == "all":
        size = size // literal(2) + literal(1)
    layers = []
    for i, kind in enumerate(listed.types[:own]):
        width = _gemma4_width(fields, i, kind)
        layers.append((attention_part(kind, width, size, fields, cut),))
    return _shared_after(own, Counted(tuple(layers), _noted(listed)), len(listed.types))


def _gemma4_width(fields: Fields, layer: int, kind: str) -> NamedNumber:
    """Keys and values of a token: `per_layer_config` where it is written out, else the `global_` fields for full layers."""
    if "per_layer_config" in fields.raw:  # even empty it replaces the `global_` fields
        return grouped(fields.over(_override(fields, fields.section("per_layer_config"), layer)))
    if kind != FULL:
        return grouped(fields)
    width = fields.optional("global_head_dim") or named("global_head_dim", 512).noting(
        "global_head_dim = 512 is the class default: the config does not set it"
    )
    gated = fields.value("attention_k_eq_v") is not None and not fields.flag("attention_k_eq_v")
    heads = None if gated else fields.optional("num_global_key_value_heads")
    return literal(2) * (heads or key_value_heads(fields)) * width


def _override(fields: Fields, written: Mapping[str, object], layer: int) -> Mapping[str, object]:
    entry = written.get(str(layer), {})
    if not isinstance(entry, Mapping):
        raise fields.refuse(f"per_layer_config of layer {layer} must be an object, found {entry!r}")
    return entry


def _last_is_full(listed: Listing) -> Listing:
    """The engine turns the last layer into a full one, whatever the config says."""
    if listed.types[-1] == FULL:
        return listed
    return Listing((*listed.types[:-1], FULL), f"{listed.note}; the engine makes the last layer {FULL}".lstrip("; "))


def step3p5(fields: Fields, cut: Cut) -> Counted:
    """The layer list may continue with layers that only predict further tokens; they are not run."""
    count, extra = fields.layers(), fields.optional("num_nextn_predict_layers", 0)
    entries = fields.names("layer_types")
    ready = fields.over({"layer_types": entries[:count]}) if entries and extra and len(entries) == count + extra.value else fields
    listed = listing(ready, all_of(FULL))
    width, size = grouped(fields), sliding_window(fields)
    parts = {kind: (attention_part(kind, width, size, fields, cut),) for kind in set(listed.types)}
    return by_type(fields, listed, parts)


def mllama(fields: Fields, cut: Cut) -> Counted:
    """Cross-attention layers hold keys and values of an image, and nothing of the text."""
    crossed = fields.numbers("cross_attention_layers")
    crossed = (3, 8, 13, 18, 23, 28, 33, 38) if crossed is None else crossed
    own: Layer = (full(grouped(fields), cut),)
    layers = tuple(() if i in crossed else own for i in range(fields.layers()))
    return Counted(layers, ("layers of cross attention hold keys and values of an image, which are not counted",))


def hrm_text(fields: Fields, cut: Cut) -> Counted:
    """Two stacks that run many times: each run of a layer has its own cache."""
    per_stack = fields.optional("num_layers_per_stack") or fields.whole("num_hidden_layers")
    slots = per_stack * fields.whole("H_cycles") * (fields.whole("L_cycles") + literal(1))
    width = literal(2) * fields.whole("num_attention_heads") * head_width(fields)
    return Counted(((full(width, cut),),) * slots.value, (f"{slots.formula} cache slots: one for each run of a layer",))


def _shared_after(own: int, counted: Counted, count: int) -> Counted:
    if own == count:
        return counted
    note = f"layers {own} to {count - 1} read the keys and values of an earlier layer: num_kv_shared_layers = {count - own}"
    return Counted((*counted.layers, *(((),) * (count - own))), (*counted.notes, note))


def _noted(listed: Listing) -> tuple[str, ...]:
    return (listed.note,) if listed.note else ()


UNEQUAL: dict[str, Family] = {
    "falcon": falcon,
    "gpt_neo": gpt_neo,
    "mimo_v2_flash": mimo_v2_flash,
    "gemma3n_text": gemma3n,
    "gemma4_text": gemma4,
    "gemma4_unified_text": gemma4,
    "step3p5": step3p5,
    "mllama_text_model": mllama,
    "hrm_text": hrm_text,
}

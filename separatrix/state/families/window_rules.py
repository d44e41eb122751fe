"""Which layers have windows or chunks if a config does not list its layers: rules of individual classes."""

from __future__ import annotations

from separatrix.state.fields import Fields
from separatrix.state.listing import CHUNKED, FULL, SLIDING, Listing, full_every


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

"""The type of each layer: `layer_types` if a config has it, else the rule of its class."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from separatrix.state.fields import Fields, whole_number

FULL, SLIDING, CHUNKED, INDEXED, LINEAR = (
    "full_attention",
    "sliding_attention",
    "chunked_attention",
    "indexed_attention",
    "linear_attention",
)
OLDER = {  # earlier names of the same types
    "attention": FULL,
    "mamba": LINEAR,
    "deepseek_sparse_attention": INDEXED,
    "qwen_sparse_attention": INDEXED,
}


@dataclass(frozen=True)
class Listing:
    """The type of each layer, and where it comes from."""

    types: tuple[str, ...]
    note: str = ""  # empty if the config itself lists them


Rule = Callable[[Fields], Listing]


def listing(fields: Fields, rule: Rule, name: str = "layer_types") -> Listing:
    """The list of the config, else the one that the rule gives."""
    entries = fields.names(name)
    if entries is None:
        return rule(fields)
    count = fields.layers()
    if len(entries) != count:
        raise fields.refuse(f"{fields.spelled(name)} lists {len(entries)} layers, num_hidden_layers says {count}")
    return Listing(tuple(OLDER.get(entry, entry) for entry in entries))


def by_window(fields: Fields) -> Listing:
    """All layers the same: a window if there is one, else chunks, else full."""
    count = fields.layers()
    if fields.value("sliding_window") is not None:
        return Listing((SLIDING,) * count)
    if fields.value("attention_chunk_size") is not None:
        return Listing((CHUNKED,) * count)
    return Listing((FULL,) * count)


def all_of(kind: str) -> Rule:
    """A rule for configs without `layer_types`: every layer is of one kind."""

    def rule(fields: Fields) -> Listing:
        return Listing((kind,) * fields.layers(), f"layer_types is absent: every layer is {kind}")

    return rule


def full_every(period: int, name: str | None = None, other: str = SLIDING, full: str = FULL) -> Rule:
    """Layers period, 2 * period, ... (from 1) are full; `name` is the field that may set another period."""

    def rule(fields: Fields) -> Listing:
        every = period
        if name is not None and fields.value(name) is not None:
            every = whole_number(fields.value(name), f"{fields.type} config: {name}", 1)
        types = tuple(other if (i + 1) % every else full for i in range(fields.layers()))
        source = f"{name} = {every}" if name is not None and not fields.absent(name) else f"the class's period of {every}"
        return Listing(types, f"layer_types is absent: by {source}, every {every}. layer is {full} and the others {other}")

    return rule


def full_where(is_full: Callable[[int, int], bool], says: str) -> Rule:
    """Layer i of L (from 0) is full where `is_full(i, L)`; `says` is that condition in words."""

    def rule(fields: Fields) -> Listing:
        count = fields.layers()
        types = tuple(FULL if is_full(i, count) else SLIDING for i in range(count))
        return Listing(types, f"layer_types is absent: layer i is {FULL} where {says}, else {SLIDING}")

    return rule


def from_letters(letters: str, meaning: Mapping[str, str], fields: Fields, name: str) -> Listing:
    """One letter for each layer."""
    unknown = sorted(set(letters) - set(meaning))
    if unknown:
        raise fields.refuse(f"{name} has the letters {' '.join(unknown)}: expected {' '.join(meaning)}")
    return Listing(tuple(meaning[letter] for letter in letters), f"by {name}")

"""Heads of keys and values: how many there are, how wide they are, and what one token adds to the cache of one layer."""

from __future__ import annotations

from separatrix.state.fields import Fields
from separatrix.state.named_number import NamedNumber, literal


def key_value_heads(fields: Fields) -> NamedNumber:
    """Heads of keys and values; by default as many as heads of queries."""
    return fields.optional("num_key_value_heads") or fields.whole("num_attention_heads")


def head_width(fields: Fields, name: str = "head_dim") -> NamedNumber:
    """Width of one head; by default the width of the stream divided by the heads."""
    return fields.optional(name) or fields.whole("hidden_size") // fields.whole("num_attention_heads")


def grouped(fields: Fields) -> NamedNumber:
    """Keys and values of a token, with the config's number of heads."""
    return literal(2) * key_value_heads(fields) * head_width(fields)


def grouped_by_stream(fields: Fields) -> NamedNumber:
    """Heads of grouped attention, for classes that ignore `head_dim`."""
    return literal(2) * key_value_heads(fields) * (fields.whole("hidden_size") // fields.whole("num_attention_heads"))


def multi_head(fields: Fields) -> NamedNumber:
    """Keys and values of a token with every head: together as wide as the stream."""
    hidden, heads = fields.whole("hidden_size"), fields.optional("num_attention_heads")
    if heads and not fields.absent("num_attention_heads") and hidden.value % heads.value:
        raise fields.refuse(f"{hidden.text} = {hidden.value} is not a multiple of {heads.text} = {heads.value}")
    return literal(2) * hidden


def one_or_all(fields: Fields) -> NamedNumber:
    """`multi_query`: one head for all queries, else all heads."""
    if fields.flag("multi_query"):
        return literal(2) * (fields.whole("hidden_size") // fields.whole("num_attention_heads"))
    return multi_head(fields)

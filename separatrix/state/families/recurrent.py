"""Families without attention: Mamba, Mamba-2, RWKV and xLSTM. Their state does not grow."""

from __future__ import annotations

from separatrix.state.family import Counted, Family, alike
from separatrix.state.fields import Fields
from separatrix.state.kinds import mamba as mamba_layer
from separatrix.state.kinds import mamba2 as mamba2_layer
from separatrix.state.kinds import recurrent
from separatrix.state.named_number import NamedNumber, literal, named
from separatrix.state.part import FLOAT32, Cut


def mamba(fields: Fields, cut: Cut) -> Counted:
    """D = expand * hidden_size channels; `intermediate_size` is overwritten by that."""
    channels = fields.whole("expand") * fields.whole("hidden_size")
    return alike(mamba_layer(channels, fields.whole("conv_kernel"), fields.whole("state_size"), cut), fields.layers())


def mamba2(fields: Fields, cut: Cut) -> Counted:
    """Heads times their width must be expand * hidden_size."""
    heads, width = fields.whole("num_heads"), fields.whole("head_dim")
    inner = fields.whole("expand") * fields.whole("hidden_size")
    if heads.value * width.value != inner.value:
        raise fields.refuse(f"num_heads * head_dim = {heads.value * width.value} must equal expand * hidden_size = {inner.value}")
    layer = mamba2_layer(heads, width, fields.whole("n_groups"), fields.whole("state_size"), fields.whole("conv_kernel"), cut)
    return alike(layer, fields.layers())


def rwkv(fields: Fields, cut: Cut) -> Counted:
    """Five vectors: the last inputs of both blocks in the model's dtype, and three sums that stay in float32."""
    hidden = fields.whole("hidden_size")
    inner = fields.optional("attention_hidden_size") or hidden
    if inner.value != hidden.value:
        raise fields.refuse(f"attention_hidden_size = {inner.value} differs from hidden_size = {hidden.value}, which the engine cannot run")
    layer = (recurrent("shift", literal(2) * hidden, cut.b), recurrent("rwkv", literal(3) * inner, FLOAT32))
    return alike(layer, fields.layers())


def xlstm(fields: Fields, cut: Cut) -> Counted:
    """A matrix, a vector and a number for each head, in the model's dtype whatever `inference_state_dtype` says."""
    hidden = _else_called(fields, "hidden_size", "embedding_dim").whole("hidden_size")
    ready = _else_called(fields, "num_hidden_layers", "num_blocks")
    heads = fields.whole("num_heads")
    keys, values = _rounded_up(fields, hidden, "qk_dim_factor", 0.5), _rounded_up(fields, hidden, "v_dim_factor", 1.0)
    key, value = keys // heads, values // heads
    return alike((recurrent("mlstm", heads * (key * value + key + literal(1)), cut.b),), ready.layers())


def _else_called(fields: Fields, name: str, other: str) -> Fields:
    """A field that is null under its first name may have a second name; an absent field has the class default, which is not filled in."""
    return fields.over({name: fields.value(other)}) if not fields.absent(name) and fields.value(name) is None else fields


def _rounded_up(fields: Fields, hidden: NamedNumber, name: str, default: float) -> NamedNumber:
    """A share of the stream, rounded up to a multiple of 64."""
    factor = fields.value(name)
    factor = default if factor is None else factor
    if isinstance(factor, bool) or not isinstance(factor, int | float) or factor <= 0:
        raise fields.refuse(f"{name} must be a positive number, found {factor!r}")
    rounded = int(((hidden.value * factor + 63) // 64) * 64)
    return named(f"roundup64({hidden.text} * {name})", rounded)


RECURRENT: dict[str, Family] = {
    "mamba": mamba,
    "falcon_mamba": mamba,
    "mamba2": mamba2,
    "rwkv": rwkv,
    "xlstm": xlstm,
}

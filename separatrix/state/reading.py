"""Reading a config: a path, a folder or a dictionary, down to the part that describes the language model, and its dtype."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from separatrix.errors import BadInput
from separatrix.state.engine import FLAT, RENAMED, class_fields, wrappers
from separatrix.state.fields import Fields, shortened

BYTES = {"float64": 8, "float32": 4, "bfloat16": 2, "float16": 2, "float8": 1, "int8": 1}
NESTED = ("text_config", "decoder", "generator")  # sections in which larger configs put the language model
LARGEST = 16 * 2**20  # bytes of a config file


@dataclass(frozen=True)
class Config:
    """The language model of a config, with its dtype and notes."""

    fields: Fields
    dtype: str | None  # None if the config does not set it
    notes: tuple[str, ...] = ()


def read_json(place: str | Path) -> dict[str, Any]:
    """The object in a config file, or in the config.json of a folder."""
    path = Path(place)
    path = path / "config.json" if path.is_dir() else path
    try:
        if path.stat().st_size > LARGEST:
            raise BadInput(f"{str(path)!r} is larger than {LARGEST} bytes: expected a config.json")
        document = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise BadInput(f"no such config: {str(path)!r}") from error
    except (OSError, ValueError, RecursionError) as error:
        raise BadInput(f"{str(path)!r} is not a JSON config: {' '.join(str(error).split())[:200]}") from error
    if not isinstance(document, dict):
        raise BadInput(f"{str(path)!r} is not a config: expected a JSON object, found {type(document).__name__}")
    return document


def read_config(document: Mapping[str, Any]) -> Config:
    """The language model in a config, in whichever section it is."""
    kind = model_type(document, "config")
    if document.get("is_encoder_decoder") is True:
        raise BadInput(f"{kind} config: an encoder with a decoder; the state between two tokens is counted only for decoders")
    inner, inner_kind, notes = dict(document), kind, list(_quantised(document))
    nested = kind in wrappers() and not _is_flat(document, kind)
    if kind in wrappers():
        inner, inner_kind = _language_model(document, kind)
        notes.append(f"the language model of {kind} is its {inner_kind}; images and sounds count once they are tokens")
    raw = {key: value for key, value in inner.items() if key != "model_type"}
    fields = Fields(inner_kind, raw, class_fields(inner_kind), nested)
    return Config(fields, _dtype(document) or _dtype(inner), tuple(notes))


def model_type(document: Mapping[str, Any], what: str) -> str:
    """The model_type of a config."""
    kind = document.get("model_type")
    if not isinstance(kind, str) or not kind:
        raise BadInput(f"{what}: model_type is missing, so the family is unknown{state_like(document)}")
    return kind


def _is_flat(document: Mapping[str, Any], kind: str) -> bool:
    """Older configs of some types have the fields of their language model at the top."""
    return kind in FLAT and document.get("text_config") is None


def _language_model(document: Mapping[str, Any], kind: str) -> tuple[dict[str, Any], str]:
    """The section of a larger config that describes its language model, and that section's type."""
    wrapper = wrappers()[kind]
    section: Any = document
    for key in wrapper.path:
        section = section.get(key) if isinstance(section, Mapping) else None
    if _is_flat(document, kind):
        known = class_fields(wrapper.type)
        names = {*known.defaults, *known.spellings, "torch_dtype", "dtype"}
        return {key: value for key, value in document.items() if key in names}, wrapper.type
    if not isinstance(section, Mapping):
        raise BadInput(f"{kind} config: {'.'.join(wrapper.path)} is missing, and its state cannot be counted without it")
    named = section.get("model_type")
    inner = named if isinstance(named, str) and not wrapper.fixed else wrapper.type
    return {**wrapper.fills, **section}, RENAMED.get((kind, inner), inner)


def _dtype(document: Mapping[str, Any]) -> str | None:
    for key in ("dtype", "torch_dtype"):
        value = document.get(key)
        if isinstance(value, str):
            return value.removeprefix("torch.")
        if value is not None:
            raise BadInput(f"config: {key} must be a string, found {shortened(value)}")
    return None


def chosen_dtype(requested: str | None, config: Config) -> tuple[str, tuple[str, ...]]:
    """The requested dtype, else the config's, else the engine's own."""
    if requested is not None:
        if requested not in BYTES:
            raise BadInput(f"unknown dtype {requested!r}: expected {' '.join(BYTES)}")
        return requested, ()
    if config.dtype is None:
        return "float32", ("the config sets no dtype: float32, the engine's default",)
    if config.dtype not in BYTES:
        raise BadInput(f"config: dtype {config.dtype!r} is unknown: expected {' '.join(BYTES)}, or pass --dtype")
    return config.dtype, ()


def _quantised(document: Mapping[str, Any]) -> tuple[str, ...]:
    """A note on quantised weights, which do not change the state."""
    quantised = document.get("quantization_config")
    if not isinstance(quantised, Mapping):
        return ()
    if quantised.get("kv_cache_scheme"):
        return ("quantization_config asks for a quantised cache (kv_cache_scheme), which the engine's default cache does not use",)
    return ("quantization_config applies to the weights: the state keeps the model's dtype",)


LOOKS_LIKE_STATE = (
    "state", "conv", "window", "chunk", "head", "kv", "lora_rank", "layer", "hidden_size", "block", "expand",
    "recurrent", "linear", "mamba", "ssm", "cache", "attn", "attention", "d_model", "n_embd", "rank", "latent", "index", "compress",
)  # fmt: skip
UNRELATED = ("dropout", "bias", "norm", "init", "token", "dtype", "moe", "expert", "act", "eps", "rope", "scal", "vocab", "tie", "lm_head")


def state_like(document: Mapping[str, Any]) -> str:
    """The fields of an unknown config that look like state, for the message that refuses it."""
    likely = [
        f"{key} = {shortened(value)}"
        for key, value in document.items()
        if any(part in key for part in LOOKS_LIKE_STATE) and not any(part in key for part in UNRELATED) and value not in (None, False)
    ]
    return f"; fields that look like state: {', '.join(likely[:24])}" if likely else "; no field looks like state"

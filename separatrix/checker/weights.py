"""Weights of a certificate: a safetensors file, embedded in base64 or stored beside the certificate.

A file is 8 bytes of header length, the header as JSON, and the numbers. The reader is as strict as the library's: the header begins with a
brace, tensors follow each other without gap or overlap up to the end of the file, and shape times type is the length of each.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from separatrix.checker.budget import Budget
from separatrix.checker.fields import require_fields
from separatrix.checker.files import read_regular
from separatrix.checker.numbers.boxes import Array, tensor
from separatrix.checker.seal import Refused, Unreadable, no_constant, unique_keys

DTYPES = {"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I64": 8, "U8": 1}  # bytes of a number
EMBEDDED = 1 << 20  # bytes; larger weights are stored beside the certificate
HEADER = 1 << 24  # bytes of a header; the library allows 100 MB
Tensors = dict[str, Array]


@dataclass(frozen=True)
class Entry:
    """One tensor of a header."""

    dtype: str
    shape: tuple[int, ...]
    begin: int
    end: int


def weights_of(document: Any, beside: Path | None, budget: Budget) -> bytes:
    """The file of the field `weights`, with its hash checked."""
    if isinstance(document, dict) and "file" in document:
        require_fields(document, "weights", file=str, sha256=str)
        raw = _beside(document["file"], beside, budget)
    else:
        require_fields(document, "weights", base64=str, sha256=str)
        try:
            raw = base64.b64decode(document["base64"], validate=True)
        except (binascii.Error, ValueError) as error:
            raise Refused("weights: not base64") from error
        if len(raw) > EMBEDDED:
            raise Refused(f"weights: {len(raw)} bytes are embedded, expected at most {EMBEDDED}")
    if hashlib.sha256(raw).hexdigest() != document["sha256"]:
        raise Refused("weights: the hash does not match the bytes")
    return raw


def parse_safetensors(raw: bytes) -> Tensors:
    """The tensors of a file."""
    header, start = read_header(raw)
    return {name: _numbers(name, entry, raw[start + entry.begin : start + entry.end]) for name, entry in header.items()}


def read_header(raw: bytes) -> tuple[dict[str, Entry], int]:
    """The tensors in a file's header, checked against each other and the file's length, and the offset of the numbers."""
    size = int.from_bytes(raw[:8], "little")
    if len(raw) < 8 or size > min(HEADER, len(raw) - 8):
        raise Refused("weights: not a safetensors file: its header does not fit into the file")
    text = raw[8 : 8 + size]
    if not text.startswith(b"{") or not text.rstrip(b" ").endswith(b"}"):
        raise Refused("weights: not a safetensors file: its header is not an object padded with spaces")
    try:
        document = json.loads(text.decode(), object_pairs_hook=unique_keys, parse_constant=no_constant)
    except (ValueError, RecursionError) as error:
        raise Refused(f"weights: not a safetensors file: {error}"[:200]) from error
    entries = {name: _entry(name, entry) for name, entry in document.items() if name != "__metadata__"}
    _check_metadata(document.get("__metadata__", {}))
    at = 0
    for name, entry in sorted(entries.items(), key=lambda item: (item[1].begin, item[1].end)):
        if entry.begin != at:
            raise Refused(f"weights: {name} begins at byte {entry.begin}, expected {at}: tensors leave no gap and do not overlap")
        at = entry.end
    if at != len(raw) - 8 - size:
        raise Refused(f"weights: the tensors end at byte {at}, the file at {len(raw) - 8 - size}")
    return entries, 8 + size


def _entry(name: str, document: Any) -> Entry:
    require_fields(document, f"weights: {name:.80}", dtype=str, shape=list, data_offsets=list)
    dtype, shape, offsets = document["dtype"], document["shape"], document["data_offsets"]
    if dtype not in DTYPES:
        raise Refused(f"weights: {name:.80} has the type {dtype:.20}, expected one of {', '.join(DTYPES)}")
    if len(shape) > 8 or len(offsets) != 2 or any(type(v) is not int or not 0 <= v < 1 << 62 for v in (*shape, *offsets)):
        raise Refused(f"weights: {name:.80}: expected a shape and two offsets of integers")
    if offsets[1] - offsets[0] != math.prod(shape) * DTYPES[dtype]:
        raise Refused(f"weights: {name:.80} has {offsets[1] - offsets[0]} bytes, which does not match its shape and type")
    return Entry(dtype, tuple(shape), *offsets)


def _check_metadata(document: Any) -> None:
    if not isinstance(document, dict) or not all(isinstance(value, str) for value in document.values()):
        raise Refused("weights: expected metadata of texts")


def _numbers(name: str, entry: Entry, raw: bytes) -> Array:
    numbers = tensor(raw, entry.dtype, entry.shape)
    if numbers is None:
        raise Refused(f"weights: {name:.80} holds a number that is not finite")
    return numbers


def _beside(name: str, beside: Path | None, budget: Budget) -> bytes:
    if beside is None or Path(name).name != name or name in ("", ".", "..") or len(name) > 200 or "\0" in name:
        raise Refused("weights: expected the name of a file beside the certificate")
    try:
        return read_regular(beside / name, budget.bytes // 4, f"the weights {name!r} beside the certificate")
    except Unreadable as error:
        raise Unreadable(f"weights: {error}") from error

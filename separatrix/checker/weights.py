"""Weights of a certificate: a safetensors file, embedded in base64 or lying beside the certificate."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from separatrix.checker.fields import exactly
from separatrix.checker.seal import Refused, Unreadable

DTYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2", "I64": "<i8", "U8": "u1"}
EMBEDDED = 1 << 20  # bytes; larger weights lie beside the certificate
Tensors = dict[str, npt.NDArray[Any]]


def load_weights(document: Any, beside: Path | None) -> tuple[Tensors, bytes]:
    """The tensors and the raw file of the field `weights`; its hash is checked."""
    if isinstance(document, dict) and "file" in document:
        exactly(document, "weights", file=str, sha256=str)
        raw = _beside(document["file"], beside)
    else:
        exactly(document, "weights", base64=str, sha256=str)
        try:
            raw = base64.b64decode(document["base64"], validate=True)
        except (binascii.Error, ValueError) as error:
            raise Refused("weights: not base64") from error
        if len(raw) > EMBEDDED:
            raise Refused(f"weights: {len(raw)} bytes are embedded, at most {EMBEDDED} may be")
    if hashlib.sha256(raw).hexdigest() != document["sha256"]:
        raise Refused("weights: the hash does not fit the bytes")
    return parse_safetensors(raw), raw


def parse_safetensors(raw: bytes) -> Tensors:
    """Tensors of a safetensors file: 8 bytes of header length, the header as JSON, the numbers."""
    try:
        size = int.from_bytes(raw[:8], "little")
        header = json.loads(raw[8 : 8 + size])
        body, tensors = raw[8 + size :], {}
        for name, entry in header.items():
            if name == "__metadata__":
                continue
            begin, end = entry["data_offsets"]
            if not 0 <= begin <= end <= len(body):
                raise Refused(f"weights: {name} lies outside the file")
            numbers = np.frombuffer(body[begin:end], dtype=DTYPES[entry["dtype"]])
            if entry["dtype"] == "BF16":  # the upper half of a float32
                numbers = (numbers.astype("<u4") << 16).view("<f4")
            tensors[name] = numbers.reshape(entry["shape"])
            if numbers.dtype.kind == "f" and not np.isfinite(numbers).all():
                raise Refused(f"weights: {name} holds a number that is not finite")
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        raise error if isinstance(error, Refused) else Refused("weights: not a safetensors file") from error
    return tensors


def _beside(name: str, beside: Path | None) -> bytes:
    if beside is None or Path(name).is_absolute() or ".." in Path(name).parts:
        raise Refused("weights: expected a path beside the certificate")
    if not (beside / name).is_file():  # a pipe would wait for ever
        raise Unreadable(f"weights: no file {name!r} beside the certificate")
    try:
        return (beside / name).read_bytes()
    except OSError as error:
        raise Unreadable(f"weights: cannot read {name!r} beside the certificate") from error

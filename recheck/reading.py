"""A document from its bytes, and tensors from a safetensors file, both read strictly."""

import base64
import binascii
import gzip
import hashlib
import json
import math
import struct
import zlib
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from recheck.verdicts import Refused, exactly, require

CAP = 64 << 20  # bytes of a file, packed or not
CODES = {"F64": ("d", 8), "F32": ("f", 4), "U8": ("B", 1), "I64": ("q", 8)}


@dataclass(frozen=True)
class Tensor:
    """Numbers in row-major order; floats are kept as the exact rationals that they are."""

    shape: tuple[int, ...]
    dtype: str
    numbers: tuple[Fraction, ...]

    def rows(self) -> list[tuple[Fraction, ...]]:
        """A matrix, row by row."""
        width = self.shape[1]
        return [self.numbers[i * width : (i + 1) * width] for i in range(self.shape[0])]


def read_document(path: Path) -> dict[str, Any]:
    """The document in a file, packed or not, with the digest that it claims."""
    raw = path.read_bytes() if path.stat().st_size <= CAP else b""
    if raw[:2] == b"\x1f\x8b":
        try:
            with gzip.open(path) as packed:
                raw = packed.read(CAP + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise Refused(f"not a gzip file: {error}") from error
    require(0 < len(raw) <= CAP, f"expected 1 to {CAP} bytes")
    document = strict(raw)
    require(document.get("schema") == "separatrix/certificate", "schema: not a certificate of Separatrix")
    require(type(document.get("version")) is int and document["version"] == 3, "version: expected 3")
    require(isinstance(document.get("kind"), str), "kind: expected a name")
    require(document.get("digest") == digest(document), "digest: it does not belong to this document")
    return document


def strict(raw: bytes) -> dict[str, Any]:
    """The object that some bytes are the JSON of."""
    try:
        document = json.loads(raw.decode("utf-8"), object_pairs_hook=_unrepeated, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise Refused(f"not a JSON document: {error}") from error
    require(isinstance(document, dict), "not an object")
    return dict(document)


def digest(document: dict[str, Any]) -> str:
    """The SHA-256 of the canonical JSON of a document without its digest."""
    unsealed = {name: value for name, value in document.items() if name != "digest"}
    try:
        text = json.dumps(unsealed, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    except (ValueError, RecursionError) as error:
        raise Refused(f"no canonical JSON: {error}") from error
    return hashlib.sha256(text.encode()).hexdigest()


def read_weights(entry: Any, folder: Path) -> dict[str, Tensor]:
    """The tensors of a document, embedded or beside it, whose hash is the one stated."""
    require(isinstance(entry, dict) and set(entry) in ({"base64", "sha256"}, {"file", "sha256"}), "weights: unexpected keys")
    if "file" in entry:
        name = entry["file"]
        require(isinstance(name, str) and Path(name).name == name, "weights: the file must lie beside the document")
        beside = folder / name
        require(beside.is_file() and beside.stat().st_size <= CAP, f"weights: {name} is not a readable file")
        raw = beside.read_bytes()
    else:
        require(isinstance(entry["base64"], str), "weights: base64 must be a string")
        try:
            raw = base64.b64decode(entry["base64"], validate=True)
        except (binascii.Error, ValueError) as error:
            raise Refused(f"weights: {error}") from error
    require(hashlib.sha256(raw).hexdigest() == entry["sha256"], "weights: the SHA-256 is another one")
    return parse_safetensors(raw)


def parse_safetensors(raw: bytes) -> dict[str, Tensor]:
    """All tensors of a safetensors file; its bytes must be used exactly once."""
    require(len(raw) >= 8, "weights: no header")
    (length,) = struct.unpack("<Q", raw[:8])
    require(length <= len(raw) - 8, "weights: the header is longer than the file")
    header = strict(raw[8 : 8 + length])
    header.pop("__metadata__", None)
    data, tensors, spans = raw[8 + length :], {}, []
    for name, entry in header.items():
        exactly(entry, "dtype shape data_offsets", f"weights {name}")
        shape, offsets = entry["shape"], entry["data_offsets"]
        require(entry["dtype"] in CODES, f"weights {name}: dtype {entry['dtype']!r} is not known")
        for numbers in (shape, offsets):
            require(isinstance(numbers, list) and all(type(n) is int and n >= 0 for n in numbers), f"weights {name}: bad sizes")
        code, size = CODES[entry["dtype"]]
        require(len(offsets) == 2 and offsets[1] <= len(data), f"weights {name}: bad offsets")
        first, last = offsets
        count = math.prod(shape)
        require(last - first == count * size, f"weights {name}: {last - first} bytes for {count} numbers of {size}")
        values = struct.unpack(f"<{count}{code}", data[first:last])
        require(all(math.isfinite(v) for v in values), f"weights {name}: not finite")
        tensors[name] = Tensor(tuple(shape), entry["dtype"], tuple(Fraction(v) for v in values))
        spans.append((first, last))
    spans.sort()
    ends = [0, *(last for _, last in spans)]
    require(all(first == end for (first, _), end in zip(spans, ends, strict=False)) and ends[-1] == len(data), "weights: gaps or overlaps")
    return tensors


def _unrepeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not a number")

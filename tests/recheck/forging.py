"""Documents that were changed and sealed again, for tests of the second checker."""

from __future__ import annotations

import base64
import hashlib
import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

from recheck.__main__ import check


def sealed(document: dict[str, Any]) -> dict[str, Any]:
    """The document with the digest that it has now."""
    unsealed = {name: value for name, value in document.items() if name != "digest"}
    text = json.dumps(unsealed, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return {**unsealed, "digest": hashlib.sha256(text.encode()).hexdigest()}


def verdict(document: dict[str, Any], folder: Path) -> dict[str, Any]:
    """What is said of a document that was sealed again."""
    path = folder / "document.json"
    path.write_text(json.dumps(sealed(document)))
    return check(path)


def reweighted(document: dict[str, Any], tensor: str, change: Callable[[list[float]], list[float]]) -> dict[str, Any]:
    """The document with other numbers in one tensor, under their own hash."""
    raw = bytearray(base64.b64decode(document["weights"]["base64"]))
    (length,) = struct.unpack("<Q", raw[:8])
    entry = json.loads(raw[8 : 8 + length])[tensor]
    code, size = ("d", 8) if entry["dtype"] == "F64" else ("f", 4)
    first, last = (8 + length + offset for offset in entry["data_offsets"])
    numbers = f"<{(last - first) // size}{code}"
    raw[first:last] = struct.pack(numbers, *change(list(struct.unpack(numbers, raw[first:last]))))
    return {**document, "weights": {"base64": base64.b64encode(raw).decode(), "sha256": hashlib.sha256(raw).hexdigest()}}

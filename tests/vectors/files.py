"""Lies below the level of fields: bytes that are no document, and JSON that two readers may read as two documents."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Iterator
from typing import Any

from separatrix.checker import sealed

Document = dict[str, Any]


def broken_files(honest: Document) -> Iterator[tuple[str, bytes]]:
    """What each wants to be believed, and its bytes; all are made from one honest document."""
    text = json.dumps(honest)
    yield "nothing is a certificate", b""
    yield "a number is a certificate", b"42"
    yield "a list of certificates is one", f"[{text}]".encode()
    yield "half a certificate is one", text[: len(text) // 2].encode()
    yield "what follows the document does not matter", f"{text} {text}".encode()
    yield "of a field that stands twice, the reader takes the one that I mean", text.replace("{", '{"kind": "program", ', 1).encode()
    yield "NaN is a number", text.replace('"sizes": {', '"sizes": {"more": NaN, ', 1).encode()
    yield "a number beyond all floats is a number", text.replace('"sizes": {', '"sizes": {"more": 1e999, ', 1).encode()
    yield "any bytes are text", text.encode()[:-1] + b', "\xff": 1}'
    yield "UTF-16 is text too", text.encode("utf-16")
    yield "nesting has no bound", b'{"a":' * 20_000 + b"1" + b"}" * 20_000
    yield "a digest may be left out", json.dumps({key: value for key, value in honest.items() if key != "digest"}).encode()
    yield "any digest will do", json.dumps({**honest, "digest": "0" * 64}).encode()
    yield "the first version is still read", json.dumps(sealed({**honest, "version": 1})).encode()
    yield "a later version is read as this one", json.dumps(sealed({**honest, "version": 4})).encode()
    yield "another schema is as good", json.dumps(sealed({**honest, "schema": "certificate"})).encode()
    yield "a kind of my own", json.dumps(sealed({**honest, "kind": "theorem"})).encode()
    yield "true is 1", json.dumps(sealed({**honest, "sizes": {**honest["sizes"], "layers": True}})).encode()
    yield "a field of my own", json.dumps(sealed({**honest, "note": "checked by hand"})).encode()
    yield "a field may be left out", json.dumps(sealed({key: value for key, value in honest.items() if key != "sizes"})).encode()
    for about, change in WEIGHTS:
        raw = change(base64.b64decode(honest["weights"]["base64"]))
        weights = {"base64": base64.b64encode(raw).decode(), "sha256": hashlib.sha256(raw).hexdigest()}
        yield about, json.dumps(sealed({**honest, "weights": weights})).encode()


def header(change: Callable[[dict[str, Any]], Any]) -> Callable[[bytes], bytes]:
    """Other weights: the header of a safetensors file changed, its data as they were."""

    def changed(raw: bytes) -> bytes:
        size = int.from_bytes(raw[:8], "little")
        fields = json.loads(raw[8 : 8 + size])
        change(fields)
        text = json.dumps(fields).encode()
        return len(text).to_bytes(8, "little") + text + raw[8 + size :]

    return changed


def _first(fields: dict[str, Any]) -> dict[str, Any]:
    entry: dict[str, Any] = fields[min(name for name in fields if name != "__metadata__")]
    return entry


def _shared(fields: dict[str, Any]) -> None:
    _first(fields)["data_offsets"] = fields[max(name for name in fields if name != "__metadata__")]["data_offsets"]


def _negative(fields: dict[str, Any]) -> None:
    _first(fields)["shape"] = [-size for size in _first(fields)["shape"]]


WEIGHTS: tuple[tuple[str, Callable[[bytes], bytes]], ...] = (
    ("weights may be cut off", lambda raw: raw[:-8]),
    ("bytes behind the weights do not matter", lambda raw: raw + bytes(8)),
    ("a header may claim any length", lambda raw: (1 << 62).to_bytes(8, "little") + raw[8:]),
    ("two tensors may share their bytes", header(_shared)),
    ("a size may be negative", header(_negative)),
    ("a tensor of objects is a tensor", header(lambda fields: _first(fields).update(dtype="OBJ"))),
    ("a tensor that the model does not have is no harm", header(lambda fields: fields.update(extra=_first(fields)))),
)

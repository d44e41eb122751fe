"""The safetensors reader: whatever the library refuses is refused, and what it accepts has the same numbers."""

from __future__ import annotations

import base64
import hashlib
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors import SafetensorError
from safetensors.numpy import load, save
from safetensors.torch import save as save_torch

from separatrix.checker.budget import Budget, OverBudget
from separatrix.checker.seal import Refused, Unreadable
from separatrix.checker.weights import EMBEDDED, parse_safetensors, weights_of

TENSORS = {"a": np.arange(6.0).reshape(2, 3), "b": np.array([1, 2], dtype=np.int64), "c": np.ones((1, 2), dtype=np.uint8),
           "d": np.array([0.5, -1.0], dtype=np.float32), "e": np.zeros((0, 3))}  # fmt: skip


def file(header: Any, body: bytes = b"", text: bytes | None = None) -> bytes:
    raw = json.dumps(header).encode() if text is None else text
    return len(raw).to_bytes(8, "little") + raw + body


def entry(dtype: str = "F64", shape: Any = (1,), offsets: Any = (0, 8)) -> dict[str, Any]:
    return {"dtype": dtype, "shape": list(shape), "data_offsets": list(offsets)}


def test_what_the_library_writes_is_read() -> None:
    result = parse_safetensors(save(TENSORS, {"made by": "a test"}))
    assert set(result) == set(TENSORS)
    for name, tensor in TENSORS.items():
        assert result[name].dtype == tensor.dtype
        assert result[name].tolist() == tensor.tolist()
    half = parse_safetensors(
        save_torch({"x": torch.tensor([1.5, -0.25], dtype=torch.bfloat16), "y": torch.tensor([0.1], dtype=torch.float16)})
    )
    assert half["x"].tolist() == [1.5, -0.25]
    assert half["y"].tolist() == [float(np.float16(0.1))]


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"", "header does not fit"),
        (b"\xff" * 8 + b"{}", "header does not fit"),
        ((1 << 62).to_bytes(8, "little") + b"{}", "header does not fit"),
        (file({}, b"xxxxxxxx"), "the tensors end at byte 0, the file at 8"),
        (file({"a": entry(shape=(2,))}, b"x" * 8), "has 8 bytes, which does not match its shape and type"),
        (file({"a": entry(offsets=(8, 0))}, b"x" * 8), "has -8 bytes"),
        (file({"a": entry(), "b": entry()}, b"x" * 8), "no gap and do not overlap"),
        (file({"a": entry(), "b": entry(offsets=(4, 12))}, b"x" * 12), "no gap and do not overlap"),
        (file({"a": entry(offsets=(8, 16))}, b"x" * 16), "begins at byte 8, expected 0"),
        (file({"a": entry()}, b"x" * 16), "the tensors end at byte 8, the file at 16"),
        (file({"a": entry()}, b"x" * 4), "the tensors end at byte 8, the file at 4"),
        (file({"a": entry(dtype="F8")}, b"x" * 8), "has the type F8"),
        (file({"a": entry(shape=(-1, -1))}, b"x" * 8), "expected a shape and two offsets"),
        (file({"a": entry(shape=(True,))}, b"x" * 8), "expected a shape and two offsets"),
        (file({"a": entry(shape=(1.0,))}, b"x" * 8), "expected a shape and two offsets"),
        (file({"a": entry(shape=(1 << 63, 1 << 63), offsets=(0, 0))}), "expected a shape and two offsets"),
        (file({"a": {**entry(), "more": 1}}, b"x" * 8), "unknown field 'more'"),
        (file({"a": 7}), "expected an object"),
        (file({"__metadata__": {"a": 1}}), "expected metadata of texts"),
        (file({"__metadata__": []}), "expected metadata of texts"),
        (file(None, b"", b"[]"), "not an object padded with spaces"),
        (file(None, b"", b" {}"), "not an object padded with spaces"),
        (file(None, b"", b"{}\n"), "not an object padded with spaces"),
        (file(None, b"", b'{"a"}'), "not a safetensors file"),
        (file(None, b"", b'{"__metadata__": {}, "__metadata__": {}}'), "is repeated"),
        (file(None, b"", b'{"' + b"\xff" * 3 + b'": 1}'), "not a safetensors file"),
        (file(None, b"", b'{"a":' + b"[" * 60000 + b"}"), "not a safetensors file"),
        (save({"a": np.array([np.nan])}), "holds a number that is not finite"),
        (save({"a": np.array([np.inf], dtype=np.float32)}), "holds a number that is not finite"),
    ],
    ids=range(29),
)
def test_a_file_that_is_not_one_is_refused(raw: bytes, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        parse_safetensors(raw)


def test_whatever_the_library_refuses_is_refused() -> None:
    """Mutated headers: never an exception of another kind, never a file accepted that the library does not read."""
    rng, raw = random.Random(3), save(TENSORS)
    size = int.from_bytes(raw[:8], "little")
    accepted = refused = 0
    for _ in range(4000):
        mutated = bytearray(raw)
        for _ in range(rng.randint(1, 3)):
            mutated[rng.randrange(8 + size)] = rng.choice(b'0123456789{}[]",: -FIU648abc')
        if rng.random() < 0.2:
            mutated = mutated[: rng.randrange(len(mutated))]
        try:
            result = parse_safetensors(bytes(mutated))
        except Refused:
            refused += 1
            continue
        accepted += 1
        theirs = load(bytes(mutated))  # must not raise
        assert {name: tensor.tobytes() for name, tensor in result.items()} == {name: tensor.tobytes() for name, tensor in theirs.items()}
    assert refused > 3000
    assert accepted > 20
    with pytest.raises(SafetensorError):
        load(b"x")


def field(raw: bytes) -> dict[str, str]:
    return {"base64": base64.b64encode(raw).decode(), "sha256": hashlib.sha256(raw).hexdigest()}


def test_the_hash_is_that_of_the_bytes(tmp_path: Path) -> None:
    raw = save(TENSORS)
    assert weights_of(field(raw), None, Budget()) == raw
    (tmp_path / "w").write_bytes(raw)
    assert weights_of({"file": "w", "sha256": hashlib.sha256(raw).hexdigest()}, tmp_path, Budget()) == raw
    for wrong in ({**field(raw), "sha256": "0" * 64}, {"file": "w", "sha256": "0" * 64}):
        with pytest.raises(Refused, match=r"^weights: the hash does not match the bytes$"):
            weights_of(wrong, tmp_path, Budget())


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "../w", "/etc/passwd", "w" * 5000, "a\0b", "./w"])
def test_weights_lie_beside_the_certificate_by_a_plain_name(name: str, tmp_path: Path) -> None:
    (tmp_path / "w").write_bytes(b"")
    with pytest.raises(Refused, match=r"^weights: expected the name of a file beside the certificate$"):
        weights_of({"file": name, "sha256": ""}, tmp_path, Budget())
    with pytest.raises(Refused, match=r"^weights: expected the name of a file beside the certificate$"):
        weights_of({"file": "w", "sha256": ""}, None, Budget())


def test_embedded_weights_are_small_and_base64() -> None:
    with pytest.raises(Refused, match=r"^weights: not base64$"):
        weights_of({"base64": "é", "sha256": ""}, None, Budget())
    with pytest.raises(Refused, match=rf"^weights: {EMBEDDED + 1} bytes are embedded, expected at most {EMBEDDED}$"):
        weights_of(field(b"x" * (EMBEDDED + 1)), None, Budget())
    for wrong in ({"base64": "", "sha256": "", "file": "w"}, {"sha256": ""}, [], {"base64": 3, "sha256": ""}):
        with pytest.raises(Refused, match=r"^weights"):
            weights_of(wrong, None, Budget())


def test_a_missing_file_is_unreadable_and_a_large_one_over_budget(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match=r"^weights: cannot read the weights 'w' beside the certificate: No such file or directory$"):
        weights_of({"file": "w", "sha256": ""}, tmp_path, Budget())
    with (tmp_path / "w").open("wb") as sparse:
        sparse.truncate(4 << 30)
    with pytest.raises(OverBudget, match=r"has 4294967296 bytes, at most 268435456 are read$"):
        weights_of({"file": "w", "sha256": ""}, tmp_path, Budget())

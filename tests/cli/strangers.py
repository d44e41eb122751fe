"""Files that strangers may send: what crashed, hung or filled the memory of a careless reader, each by name."""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save

from separatrix.checker import VERSION, sealed
from tests.checker.kinds.forgery import edited
from tests.checker.kinds.programs import honest, tensors_of, with_weights

Document = dict[str, Any]
MIXER = ("program", "model", "layers", 0, "mixer")
LENGTH = ("program", "model", "length")
HUGE = 10**4000


def text(document: Document) -> str:
    return json.dumps(sealed(document))


def unsealed(document: Document) -> str:
    """With a digest of the right form: what cannot be sealed at all still reaches the reader."""
    return json.dumps({**document, "digest": "0" * 64})


def named_weights(name: str) -> str:
    return text({**honest("lookup"), "weights": {"file": name, "sha256": "0" * 64}})


def wide(tokens: int, width: int, arithmetic: str) -> str:
    claim = {"task": "equality", "parameters": {"length": tokens, "symbols": 2}}
    document = edited(edited({**honest("exact"), "claim": claim}, LENGTH, tokens), ("program", "model", "width"), width)
    return text(edited(document, ("program", "model", "arithmetic"), arithmetic))


def overlapping() -> str:
    """4000 tensors over the same bytes."""
    header = json.dumps({f"t{i}": {"dtype": "F64", "shape": [1000], "data_offsets": [0, 8000]} for i in range(4000)}).encode()
    raw = len(header).to_bytes(8, "little") + header + b"\0" * 8000
    weights = {"base64": base64.b64encode(raw).decode(), "sha256": hashlib.sha256(raw).hexdigest()}
    return text({**honest("lookup"), "weights": weights})


def many_cases(count: int) -> str:
    cases = [{"tokens": list(symbols), "at": [8], "expected": [0]} for symbols in product(range(5), repeat=8)][:count]
    return text({**honest("cases"), "cases": cases})


def table_of(tokens: int) -> str:
    """A state profile of a function of 2^tokens strings."""
    claim = {"task": "table", "parameters": {"sizes": [2] * tokens, "answers": [0, 1] * 2 ** (tokens - 1)}}
    head = {"schema": "separatrix/certificate", "version": VERSION, "kind": "state-profile", "claim": claim, "cites": ""}
    return text({**head, "classes": [1] * tokens + [2], "bits": 1, "total": True, "strength": "proven"})


def one_hot_numbers(folder: Path) -> str:
    """A thousand numbered tokens, each with an address of a million coordinates; the file of weights has 8 MB."""
    document = honest("cases")
    embedding = {**document["program"]["model"]["embedding"], "numbers": 10**6, "gated": False, "places": []}
    embedding["number_address"] = {
        "address": "one-hot", "dims": 10**6, "extent": 0, "shift": 0, "fold": 0, "pointers": 0, "projected": True,
    }  # fmt: skip
    model = {
        "arithmetic": "float64", "length": 1000, "width": 1, "embedding": {**embedding, "plain": 1},
        "layers": [{"mixer": None, "feedforward": {"hidden": 1, "activation": "relu", "bias": False}, "residual": False, "norm": "none"}],
        "readout": {"targets": 2, "norm": "none", "bias": False},
    }  # fmt: skip
    tensors = {
        "embedding.table": np.ones((2, 1)), "embedding.number.weight": np.ones((10**6, 1)),
        "layers.0.feedforward.inner": np.ones((1, 1)), "layers.0.feedforward.outer": np.ones((1, 1)), "readout.weight": np.ones((2, 1)),
    }  # fmt: skip
    raw = save(tensors)
    (folder / "numbers.safetensors").write_bytes(raw)
    cases = [{"tokens": [1 + i] * 1000, "at": [1000], "expected": [i]} for i in range(2)]
    weights = {"file": "numbers.safetensors", "sha256": hashlib.sha256(raw).hexdigest()}
    sizes = {**document["sizes"]}
    program = {"model": model, "decoder": {"kind": "position"}}
    return text({**document, "program": program, "weights": weights, "cases": cases, "sizes": sizes, "lemmas": []})


def many_places() -> str:
    """A thousand places of a thousand coordinates over a thousand tokens."""
    place = {"address": "one-hot", "dims": 1000, "extent": 0, "shift": 0, "fold": 0, "pointers": 0, "projected": True}
    document = edited(honest("cases"), ("program", "model", "embedding", "places"), [place] * 1000)
    document = edited(edited(document, ("program", "model", "width"), 1), LENGTH, 1000)
    return text({**document, "cases": [{"tokens": [0] * 999 + [i], "at": [1000], "expected": [i]} for i in range(2)]})


def sparse_weights(folder: Path) -> str:
    """A file of weights of 4 GB, none of which is on the disk."""
    with (folder / "sparse").open("wb") as file:
        file.truncate(4 << 30)
    return named_weights("sparse")


def infinite() -> str:
    tensors = tensors_of(honest("lookup"))
    tensors["readout.bias"][0] = np.inf
    return text(with_weights(honest("lookup"), tensors))


CERTIFICATES: dict[str, Callable[[Path], str]] = {
    "a weights name of 5000 characters": lambda _: named_weights("w" * 5000),
    "weights from a device": lambda _: named_weights("/dev/zero"),
    "a NUL in the name of the weights": lambda _: named_weights("a\0b"),
    "weights in another folder": lambda _: named_weights("../../etc/passwd"),
    "half of a surrogate pair": lambda _: unsealed({**honest("lookup"), "construction": "\ud800"}),
    "a number beyond float64": lambda _: unsealed(honest("lookup")).replace(f'"version": {VERSION}', '"version": 1e400'),
    "evidence that is a number": lambda _: text({**honest("lookup"), "evidence": 7}),
    "tests that are a number": lambda _: text({**honest("lookup"), "tests": 7}),
    "a count of 10^4000": lambda _: text(edited(honest("lookup"), ("tests", 0, "count"), HUGE)),
    "10^9 symbols": lambda _: text(edited(honest("lookup"), ("claim", "parameters", "symbols"), 10**9)),
    "nesting of 10^5": lambda _: "[" * 10**5 + "]" * 10**5,
    "200,000 cases": lambda _: many_cases(200_000),
    "a thousand families": lambda _: text({**honest("lookup"), "tests": honest("lookup")["tests"] * 1000}),
    "a kilobit at 4096 x 2048": lambda _: wide(4096, 2048, "fixed:1024,1000"),
    "32768 tokens x 8192": lambda _: wide(32768, 8192, "fixed:14,6"),
    "2^21 strings": lambda _: table_of(21),
    "2^18 strings": lambda _: table_of(18),
    "scratch of 2^28": lambda _: text(edited(honest("registers"), (*MIXER, "scratch"), 1 << 28)),
    "scratch of 2^24": lambda _: text(edited(honest("registers"), (*MIXER, "scratch"), 1 << 24)),
    "4000 tensors over the same bytes": lambda _: overlapping(),
    "an infinite weight": lambda _: infinite(),
    "a thousand numbers of a million coordinates": one_hot_numbers,
    "a thousand places": lambda _: many_places(),
    "4 GB of weights": sparse_weights,
}


def written(folder: Path, name: str) -> Path:
    """A hostile certificate as a file."""
    path = folder / f"{list(CERTIFICATES).index(name):02}.json"
    path.write_bytes(CERTIFICATES[name](folder).encode("utf-8", "surrogatepass"))
    return path


def fifo(folder: Path) -> Path:
    """A pipe that nobody writes to."""
    path = folder / "pipe.json"
    os.mkfifo(path)
    return path

"""A failure as a document: a certificate that the checker accepts, or, for models that it cannot run, a record that anyone can replay."""

from __future__ import annotations

import base64
import hashlib
import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import save
from torch import nn

from separatrix.certificates.evaluator import logits_of
from separatrix.certificates.files import write_document, write_file
from separatrix.checker import SCHEMA, VERSION, check_document, sealed
from separatrix.checker.specs import names
from separatrix.checker.weights import EMBEDDED
from separatrix.errors import BadInput
from separatrix.models.description import written
from separatrix.models.model import Model
from separatrix.models.saved import describe, weights_bytes
from separatrix.refuters.leads import Subject
from separatrix.refuters.search import Failure
from separatrix.tasks import Batch, is_of_the_package, make_task
from separatrix.tasks.capabilities import chain_limit

RECORD, RECORD_VERSION = "separatrix/failure", 1
CLOSE = 1e-3  # relative difference of outputs that another machine may show


@dataclass(frozen=True)
class FailureDocument:
    """The document, the weights that lie beside it if they are large, and why it is not a certificate, if it is not."""

    document: dict[str, Any]
    beside: tuple[tuple[str, bytes], ...] = ()
    why_not: str = ""
    note: str = ""

    def write(self, path: Path) -> None:
        """Write the document, and the weights beside it."""
        for name, content in self.beside:
            write_file(path.parent / name, content)
        write_document(path, self.document)


def failure_document(subject: Subject, place: str, failure: Failure) -> FailureDocument:
    """The certificate of a failure if the checker accepts it, else a record.

    The error bound of float32 covers every order of summation and may exceed the lead; then the same weights are judged in float64.
    """
    model = subject.model
    certificate = _certificate(subject, failure)
    if isinstance(certificate, str) and isinstance(model, Model) and model.config.arithmetic == "float32":
        precise = _certificate(replace(subject, model=_in_float64(model)), failure)
        if isinstance(precise, FailureDocument):
            return replace(precise, note="about the same weights in float64: in float32 the lead does not exceed the error bound")
    if isinstance(certificate, FailureDocument):
        return certificate
    return FailureDocument(_record(subject, place, failure), why_not=certificate)


def _in_float64(model: Model) -> Model:
    """A copy of the model that computes with the same weights in float64."""
    precise = Model(replace(model.config, arithmetic="float64")).to(torch.float64)
    precise.load_state_dict({name: t.to(torch.float64) if t.is_floating_point() else t for name, t in model.state_dict().items()})
    return precise.eval()


def replay(record: Mapping[str, Any], model: nn.Module) -> str:
    """Run the input of a record again; the difference that was found, or an empty string. Chains are not replayed."""
    try:
        task = make_task(record["task"], **record["parameters"])
        tokens, position = [int(token) for token in record["tokens"]], int(record["position"]) - 1
        expected, said, outputs = int(record["expected"]), int(record["said"]), np.array(record["outputs"], dtype=np.float64)
        digest = str(record["weights"])
    except (KeyError, TypeError, ValueError) as error:
        raise BadInput(f"the record is incomplete: {type(error).__name__}: {error}") from error
    right = task.answer(tokens)
    if right is None or not 0 <= position < len(tokens):
        return "its tokens are not an input of the task"
    if expected not in (right if isinstance(right, tuple) else (right,)):
        return f"the task expects {right}, not {expected}"
    if weights_digest(model) != digest:
        return "these are other weights"
    logits = _outputs(model, tokens, position)
    if len(logits) != len(outputs) or not np.allclose(logits, outputs, rtol=CLOSE, atol=CLOSE * float(np.abs(outputs).max())):
        return "the model's outputs are different"
    if int(logits.argmax()) != said:
        return f"the model says {int(logits.argmax())}, not {said}"
    return "" if said != expected else "the model is right on this input"


def read_record(path: Path) -> dict[str, Any]:
    """Read a record of a failure from a file."""
    try:
        document: Any = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadInput(f"{str(path)!r} is not a record: {' '.join(str(error).split())[:200]}") from error
    if not isinstance(document, dict) or (document.get("schema"), document.get("version")) != (RECORD, RECORD_VERSION):
        raise BadInput(f"{str(path)!r} is not a record: expected schema {RECORD} version {RECORD_VERSION}")
    return document


def weights_digest(model: nn.Module) -> str:
    """The SHA-256 of all tensors of a model, by name."""
    seen: dict[str, Any] = {}
    for name, tensor in model.state_dict().items():
        seen[name] = tensor.detach().cpu().clone().contiguous()
    return hashlib.sha256(save(seen)).hexdigest()


def _certificate(subject: Subject, failure: Failure) -> FailureDocument | str:
    """A counterexample that the checker accepts, or why there is none."""
    model, task = subject.model, subject.task
    if not isinstance(model, Model):
        return f"the checker cannot run a {type(model).__name__}"
    if any(layer["mixer"]["kind"] == "user" for layer in describe(model)["layers"]):
        return "the checker does not run code of yours; --out FILE keeps the failure, and --replay FILE runs it again"
    if not is_of_the_package(task) or task.name not in names():
        return f"the checker has no oracle for {task.name}"
    written_to = task.token_count + (chain_limit(task) if subject.writes else 0)
    raw, longest = weights_bytes(model), model.config.length or written_to  # 0: it reads inputs of any length
    checksum, small = hashlib.sha256(raw).hexdigest(), len(raw) <= EMBEDDED
    stored = {"base64": base64.b64encode(raw).decode()} if small else {"file": f"{checksum[:16]}.safetensors"}
    decoder = {"kind": "position" if task.scored_at_end else "positions"} if subject.decoder is None else written(subject.decoder)
    document = {
        "schema": SCHEMA,
        "version": VERSION,
        "kind": "counterexample",
        "claim": {"task": task.name, "parameters": json.loads(json.dumps(task.parameters))},
        "program": {"model": {**describe(model), "length": longest}, "decoder": decoder},
        "weights": {**stored, "sha256": checksum},
        "tokens": list(failure.tokens),
        "position": failure.position + 1,
        "said": failure.said,
        "expected": failure.expected,
        "margin": 0.0,
        "strength": "proven",
    }
    beside = () if small else ((str(stored["file"]), raw),)
    with tempfile.TemporaryDirectory() as folder:
        for name, content in beside:
            write_file(Path(folder) / name, content)
        verdict = check_document(sealed(document), Path(folder))
    return FailureDocument(sealed(document), beside) if verdict.holds else verdict.reason


def _record(subject: Subject, place: str, failure: Failure) -> dict[str, Any]:
    model, task = subject.model, subject.task
    read = subject.judged_on(failure.batch).row(0)  # a program that writes has read its chain up to the position
    return {
        "schema": RECORD,
        "version": RECORD_VERSION,
        "found": True,
        "model": Path(place).name if Path(place).exists() else place,
        "weights": weights_digest(model),
        "task": task.name,
        "parameters": json.loads(json.dumps(task.parameters)),
        "tokens": list(failure.tokens),
        "position": failure.position + 1,
        "said": failure.said,
        "expected": failure.expected,
        "margin": failure.margin,
        "outputs": _outputs(model, list(read), failure.position).tolist(),
    }


def _outputs(model: nn.Module, tokens: list[int], position: int) -> Any:
    row = np.array([tokens], dtype=np.int64)
    mask = np.zeros(row.shape, dtype=bool)
    mask[0, position] = True
    return logits_of(model, Batch(row, np.zeros_like(row), mask, np.array([len(tokens)])))[0]

"""Constructions of the house as a rule meets them, with a tensor or a field of the description changed."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import numpy as np

from separatrix.certificates.proofs import find
from separatrix.certificates.verify import sealed_weights
from separatrix.checker.budget import Budget
from separatrix.checker.models.description import read_description
from separatrix.checker.models.model import Model
from separatrix.checker.numbers.formats import numbers
from separatrix.checker.replay import Proof, prove
from separatrix.checker.specs import Spec, spec_of
from separatrix.checker.weights import Tensors, parse_safetensors
from separatrix.constructions import build

Change = Callable[[Tensors], None]
Redescribe = Callable[[dict[str, Any]], None]


def built(name: str, **parameters: Any) -> tuple[dict[str, Any], Tensors, Spec]:
    """Description, tensors and oracle of a construction."""
    made = build(name, **parameters)
    document = json.loads(json.dumps(made.program.document()))["model"]
    tensors = {key: value.copy() for key, value in parse_safetensors(sealed_weights(made)).items()}
    return document, tensors, spec_of(made.claim.task, json.loads(json.dumps(made.claim.task_parameters)))


def judged(parts: tuple[dict[str, Any], Tensors, Spec], change: Change | None = None, described: Redescribe | None = None) -> Proof | str:
    """The proof of a construction after a change, or every reason why there is none."""
    document, tensors, task = copy.deepcopy(parts[0]), {name: tensor.copy() for name, tensor in parts[1].items()}, parts[2]
    if described is not None:
        described(document)
    if change is not None:
        change(tensors)
    model = Model(read_description(document), tensors, numbers(document["arithmetic"]))
    with np.errstate(all="ignore"):
        proof, why = find(model, task, Budget())
        return "; ".join(why) if proof is None else prove(model, task.form(), proof, Budget())

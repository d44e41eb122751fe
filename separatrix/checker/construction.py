"""Certificates of built models: run the weights again and recompute every derived field."""

from __future__ import annotations

import hashlib
import math
from pathlib import Path
from typing import Any

import numpy as np

from separatrix.checker.evidence import check_statement, proven
from separatrix.checker.fields import exactly, same, within
from separatrix.checker.forward import Forward
from separatrix.checker.numbers import Numbers, numbers
from separatrix.checker.oracles import oracle
from separatrix.checker.registers import Registers
from separatrix.checker.seal import Refused
from separatrix.checker.weights import Tensors, load_weights

MARGINS = 1 << 10  # margins are stored in units of 1/1024, rounded down
SLACK = 2.0**-20  # taken off first, so that two correct float implementations round to the same unit
MOST_CASES = 10**6
RESULT: dict[str, Any] = {
    "cases": int,
    "errors": int,
    "margin": (int, float, type(None)),
    "decisions": str,
    "counterexample": (dict, type(None)),
}


def check_construction(document: dict[str, Any], beside: Path | None) -> None:
    """Refuse the certificate unless every derived field is what its weights give."""
    exactly(
        document, "certificate", schema=str, version=int, kind=str, statement=dict, task_parameters=dict, parameters=dict, arithmetic=str,
        model=dict, weights=dict, sizes=dict, cases=list, result=dict, evidence=list, holds=bool, digest=str,
    )  # fmt: skip
    statement = exactly(document["statement"], "statement", construction=str, cites=str, task=str)
    check_statement(statement)
    model = exactly(document["model"], "model", config=dict, **{"class": str})
    if model["config"].get("arithmetic") != document["arithmetic"]:
        raise Refused("the model's arithmetic is not the certificate's")
    tensors, _ = load_weights(document["weights"], beside)
    ops = numbers(document["arithmetic"])
    forward = runner(model, tensors, ops)
    task = oracle(statement["task"], document["task_parameters"])
    e = forward.embedding
    same(e["plain"] + e["numbers"], task.vocabulary, "the model's vocabulary")
    same(model["config"]["targets"], task.targets, "the model's targets")
    if model["config"]["length"] < 1:
        raise Refused("config.length: expected the number of tokens that the model is made for")
    exactly(document["sizes"], "sizes", **dict.fromkeys(SIZES, int))
    for key, value in sizes(forward, tensors, ops).items():
        same(document["sizes"][key], value, f"sizes.{key}")
    claimed = exactly(document["result"], "result", **RESULT)
    same(claimed["cases"], announced(document["cases"]), "result.cases")  # before the work of running them
    found = proven(statement, document["task_parameters"], document["parameters"], forward)
    same(document["evidence"], found + tested(document["cases"]), "evidence")
    result = run_cases(forward, task, document["cases"])
    for key, value in result.items():
        same(claimed[key], value, f"result.{key}")
    same(document["holds"], result["errors"] == 0, "holds")
    if not document["holds"]:
        raise Refused(f"the certificate records a failure: {result['errors']} of {result['cases']} cases are wrong")


def runner(model: dict[str, Any], tensors: Tensors, ops: Numbers) -> Forward | Registers:
    """The model of a description, ready to run."""
    if model["class"] == "transformer":
        return Forward(model["config"], tensors, ops)
    if model["class"] == "register-file":
        return Registers(model["config"], tensors, ops)
    raise Refused(f"unknown model class {model['class']!r}")


def announced(families: list[Any]) -> int:
    """How many cases the families say they have."""
    for family in families:
        exactly(family, "cases", kind=str, seed=int, count=int)
        within(family["count"], 0, MOST_CASES, "cases.count")
    return sum(family["count"] for family in families)


def run_cases(forward: Forward | Registers, task: Any, families: list[Any]) -> dict[str, Any]:
    """Every case through the model: how many are wrong, the least margin, a hash of what was said."""
    total, errors, margin, said = 0, 0, math.inf, hashlib.sha256()
    counterexample = None
    for family in families:
        for tokens, wanted in task.cases(family["kind"], family["seed"], family["count"]):
            total += 1
            logits = forward.logits(tokens, list(wanted))
            chosen = logits.argmax(axis=1)
            said.update(np.ascontiguousarray(chosen, dtype="<i8").tobytes())
            targets = np.array(list(wanted.values()))
            margin = min(margin, _margin(logits, targets))
            if (chosen != targets).any():
                errors += 1
                if counterexample is None:
                    shown = {"tokens": tokens.tolist()} if len(tokens) <= 4096 else {"tokens": None}
                    counterexample = {"kind": family["kind"], "number": _number(families, family, total), **shown,
                                      "said": chosen.tolist(), "expected": targets.tolist()}  # fmt: skip
    scale = forward.numbers.scale
    value = None if total == 0 else rounded_down(margin, forward.numbers.bits) if scale is None else margin / scale
    return {"cases": total, "errors": errors, "margin": value, "decisions": said.hexdigest(), "counterexample": counterexample}


def rounded_down(margin: float, bits: int = 64) -> float:
    """A margin in units of 1/1024 (of 1/4 in 16-bit floats, whose sums differ from machine to machine), never above the true one."""
    units, slack = (MARGINS, SLACK) if bits > 16 else (4, 1 / 8)
    return math.floor((float(margin) - slack) * units) / units


def tested(families: list[Any]) -> list[dict[str, Any]]:
    """What the cases are worth as evidence."""
    return [{"tag": "exhaustive" if f["kind"] == "all" else "tested", "what": f["kind"], "count": f["count"]} for f in families]


SIZES = ("layers", "heads", "width", "precision_bits", "parameter_bits", "representation_bits")


def sizes(forward: Forward | Registers, tensors: dict[str, Any], ops: Numbers) -> dict[str, int]:
    """What the model costs: stored bits, and the same with every generated embedding tabulated."""
    config, e = forward.config, forward.embedding
    stored = 0
    for tensor in tensors.values():
        if tensor.dtype.kind == "f":
            stored += ops.bits * tensor.size
        else:
            stored += tensor.size * (1 if tensor.dtype == np.uint8 else max(1, int(tensor.max(initial=0)).bit_length()))
    if isinstance(forward, Registers):  # registers of one bit: width times precision are the bits of the state
        return dict(zip(SIZES, (1, 0, config["registers"], 1, stored, stored), strict=True))
    generated = ops.bits * config["width"] * (e["numbers"] + (config["length"] if e["places"] else 0))
    heads = max(layer["heads"] for layer in config["layers"])
    found = (len(config["layers"]), heads, config["width"], ops.bits, stored, stored + generated)
    return dict(zip(SIZES, found, strict=True))


def _margin(logits: Any, targets: Any) -> Any:
    """The least amount by which a target's logit exceeds every other; an exact integer, in units of the format, in exact formats."""
    rows = np.arange(len(targets))
    right = logits[rows, targets]
    if logits.shape[1] == 1:
        found = right.min()
    else:
        others = logits.copy()
        others[rows, targets] = logits.min() - 1
        found = (right - others.max(axis=1)).min()
    return float(found) if logits.dtype.kind == "f" else int(found)


def _number(families: list[Any], family: Any, total: int) -> int:
    """Which case of its family the total-th case is."""
    before = 0
    for other in families:
        if other is family:
            break
        before += other["count"]
    return total - 1 - before

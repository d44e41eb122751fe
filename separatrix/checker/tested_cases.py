"""Certificates of models for a task that the checker has no oracle for: they carry their cases, with the answers expected.

What is checked is that the model of the certificate gives these answers on these inputs. Whether they are the right ones, and whether
the inputs were well chosen, is the word of whoever wrote the certificate: so is everything said about the task.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from separatrix.checker.construction import RESULT, SIZES, run_cases, runner, sizes, tested
from separatrix.checker.evidence import CONSTRUCTIONS, positional_heads
from separatrix.checker.fields import exactly, same
from separatrix.checker.forward import Forward
from separatrix.checker.numbers import numbers
from separatrix.checker.oracles import ORACLES
from separatrix.checker.seal import Refused
from separatrix.checker.weights import load_weights

if TYPE_CHECKING:
    from separatrix.checker.oracles import Case

KIND = "tested-cases"
MOST = 10**6  # cases


class Given:
    """The cases of a certificate in the place of an oracle."""

    def __init__(self, cases: list[Any], targets: int) -> None:
        if not 1 <= len(cases) <= MOST:
            raise Refused(f"cases: expected 1..{MOST}, found {len(cases)}")
        self.listed = [_case(case, targets) for case in cases]

    def cases(self, kind: str, seed: int, count: int) -> Iterator[Case]:
        """All of them, in their order."""
        del kind, seed, count
        return iter(self.listed)


def check_tested_cases(document: dict[str, Any], beside: Path | None) -> None:
    """Refuse the certificate unless its model says on its cases what it claims, and has the sizes it claims."""
    exactly(
        document, "certificate", schema=str, version=int, kind=str, statement=dict, task_parameters=dict, parameters=dict, arithmetic=str,
        model=dict, weights=dict, sizes=dict, cases=list, result=dict, evidence=list, holds=bool, digest=str,
    )  # fmt: skip
    statement = exactly(document["statement"], "statement", construction=str, cites=str, task=str)
    if statement["task"] in ORACLES or statement["construction"] in CONSTRUCTIONS:
        raise Refused(f"the checker has an oracle for {statement['task']!r}: expected a certificate of kind 'construction'")
    model = exactly(document["model"], "model", config=dict, **{"class": str})
    same(document["arithmetic"], model["config"].get("arithmetic"), "arithmetic")
    tensors, _ = load_weights(document["weights"], beside)
    ops = numbers(document["arithmetic"])
    forward = runner(model, tensors, ops)
    exactly(document["sizes"], "sizes", **dict.fromkeys(SIZES, int))
    for key, value in sizes(forward, tensors, ops).items():
        same(document["sizes"][key], value, f"sizes.{key}")
    given = Given(document["cases"], model["config"]["targets"])
    families = [{"kind": KIND, "seed": 0, "count": len(given.listed)}]
    shown = positional_heads(forward) if isinstance(forward, Forward) else []
    same(document["evidence"], shown + tested(families), "evidence")
    claimed = exactly(document["result"], "result", **RESULT)
    result = run_cases(forward, given, families)
    for key, value in result.items():
        same(claimed[key], value, f"result.{key}")
    same(document["holds"], result["errors"] == 0, "holds")
    if not document["holds"]:
        raise Refused(f"the certificate records a failure: {result['errors']} of {result['cases']} cases are wrong")


def _case(case: Any, targets: int) -> Case:
    exactly(case, "case", tokens=list, at=list, expected=list)
    for key, least, most in (("tokens", 0, 1 << 62), ("at", 0, len(case["tokens"]) - 1), ("expected", 0, targets - 1)):
        if any(type(v) is not int or not least <= v <= most for v in case[key]):
            raise Refused(f"case.{key}: expected integers {least}..{most}")
    if not case["at"] or sorted(set(case["at"])) != case["at"] or len(case["at"]) != len(case["expected"]):
        raise Refused("case: expected positions in rising order, and an answer for each")
    return np.array(case["tokens"], dtype=np.int64), dict(zip(case["at"], case["expected"], strict=True))

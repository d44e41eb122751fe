"""Certificates of chains counted: after the inputs of a task so many different chains are due, so that much of the input is kept.

Where a chain begins, everything that a model still has of its input must tell inputs with different chains apart. The inputs are all of the
task's, or those that the author lists.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from separatrix.checker.budget import Budget
from separatrix.checker.fields import require_equal
from separatrix.checker.kinds.counterexample import input_of
from separatrix.checker.seal import Refused
from separatrix.checker.sentence import Shown, number
from separatrix.checker.specs import Spec, task_of
from separatrix.checker.specs.counts import bits, in_bits
from separatrix.checker.statements import Witness, check_lower

FIELDS: dict[str, Any] = {
    "claim": dict, "cites": str, "listed": (list, type(None)), "inputs": int, "chains": int, "alike": (list, type(None)), "bits": int
}  # fmt: skip
CALLS = 1 << 14  # work for each input, whatever its size
KEPT = 400  # bytes that are kept of each chain
Tokens = tuple[int, ...]


def judge(document: dict[str, Any], _beside: Path | None, budget: Budget) -> Shown:
    """Refuse the certificate unless so many chains are due."""
    task = task_of(document["claim"])
    if task.decoder not in ("greedy", "rounding"):
        raise Refused(f"claim: {task.name} has no chain that follows from its input")
    chains: dict[str, Tokens] = {}
    alike, count, lengths = False, 0, set()
    for tokens in _inputs(document["listed"], task, budget):
        lengths.add(len(tokens))
        alike |= chains.setdefault(_chain(task, tokens), tokens) != tokens
        count += 1
    if len(lengths) > 1:
        raise Refused("listed: expected inputs of one length, since a model may know how many tokens it has read")
    require_equal(document["inputs"], count, "inputs")
    require_equal(document["chains"], len(chains), "chains")
    require_equal(document["bits"], bits(len(chains)), "bits")
    if len(chains) < 2:
        raise Refused("chains: one chain is due after all inputs, so nothing is shown")
    _judge_alike(document["alike"], task, alike, budget)
    cited = check_lower(document["cites"], Witness("chain-count", task, document["bits"]))
    which = "all" if document["listed"] is None else "these"
    sentence = (
        f"{task.title}: {number(len(chains))} different chains follow {which} {number(count)} inputs, so a model keeps at least "
        f"{in_bits(document['bits'])} of its input where the chain begins"
    )
    regular = f"no two of {which} inputs have one chain" if not alike else f"two inputs have one chain: {document['alike']}"
    evidence = [{"kind": "count", "text": regular, "inputs": count, "chains": len(chains)}]
    return Shown(sentence, "proven", (*evidence, *cited))


def _inputs(listed: list[Any] | None, task: Spec, budget: Budget) -> Iterable[Tokens]:
    each = CALLS + task.drawing * task.tokens
    if listed is None:
        if task.input_count is None:
            raise Refused("listed: the task has too many inputs to run them all; expected a list of inputs")
        budget.allow(task.input_count * each, task.input_count * KEPT)
        return (tokens for tokens in task.inputs() if task.truth(tokens) is not None)
    budget.allow(len(listed) * each, len(listed) * (KEPT + 8 * task.tokens))
    inputs = [tuple(input_of(tokens, task, "listed", budget).tolist()) for tokens in listed]
    if len(set(inputs)) < len(inputs):
        raise Refused("listed: an input appears twice")
    return inputs


def _chain(task: Spec, tokens: Tokens) -> str:
    """What has to be written; a prompt of another length is another prompt."""
    return repr(task.chain(tokens))


def _judge_alike(pair: list[Any] | None, task: Spec, alike: bool, budget: Budget) -> None:
    """Two inputs with one chain, if there are any."""
    if pair is None:
        if alike:
            raise Refused("alike: some inputs have one chain, expected two of them")
        return
    if len(pair) != 2:
        raise Refused(f"alike: expected two inputs, found {len(pair)}")
    one, other = (tuple(input_of(tokens, task, "alike", budget).tolist()) for tokens in pair)
    if one == other:
        raise Refused("alike: one input twice")
    if _chain(task, one) != _chain(task, other):
        raise Refused("alike: the two inputs have different chains")

"""Recall by a hybrid whose attention half is idle: a recurrent table below one layer of attention that adds nothing.

A stack of two kinds contains each of them: out = 0 leaves the stream as it is (models/inclusions.py). So a hybrid needs no more than its
recurrent half, and remembers in its cache what nobody reads.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from separatrix.architectures import Architecture
from separatrix.certificates.construction import Construction, Sizes
from separatrix.constructions.named.recall_tables import recall_by, table_sizes
from separatrix.constructions.named.streams import bits_of
from separatrix.tasks.alternating import Recall
from separatrix.tasks.associative_recall import AssociativeRecall
from separatrix.tasks.mqar import Mqar

if TYPE_CHECKING:
    from separatrix.certificates.built import Built


def hybrid(by: str, task: Recall, width: int, arithmetic: str) -> Built:
    """The table of one architecture, and one head of attention above it."""
    from separatrix.models.inclusions import as_hybrid

    below = recall_by(by, task, 0, width, arithmetic)
    name, sizes = f"{task.name}/hybrid-{by}", hybrid_sizes(by, task, width, arithmetic)
    facts = {"state bits": float(sizes["state_bits"]), "recurrent bits": below.claim.facts["state bits"]}
    program = replace(below.program, model=as_hybrid(below.model).eval())
    return replace(below, program=program, claim=replace(below.claim, construction=name, facts=facts))


def hybrid_sizes(by: str, task: Recall, width: int, arithmetic: str) -> Sizes:
    """One layer more, whose keys and values are as wide as the stream."""
    below = table_sizes(by, task, 0, width, arithmetic)
    cache = bits_of(task.name, arithmetic) * task.token_count * 2 * below.width
    return replace(below, layers=2, heads=1, value_width=below.width, state_bits=below["state_bits"] + cache)


def _declared(computes: type[Recall], by: str, **quick: str | int) -> Construction:
    def build(task: Recall, width: int = 0, arithmetic: str = "float64") -> Built:
        return hybrid(by, task, width, arithmetic)

    return Construction(
        name=f"{computes.name}/hybrid-{by}",
        computes=computes,
        architecture=Architecture.HYBRID,
        build=build,
        formula=partial(hybrid_sizes, by),
        quick=(quick,),
        default_length=16,
    )


MQAR_HYBRID_MAMBA2 = _declared(Mqar, "mamba2", length=4)
MQAR_HYBRID_GATED_DELTANET = _declared(Mqar, "gated-deltanet", length=4)
RECALL_HYBRID_MAMBA2 = _declared(AssociativeRecall, "mamba2", length=2)
RECALL_HYBRID_GATED_DELTANET = _declared(AssociativeRecall, "gated-deltanet", length=2)

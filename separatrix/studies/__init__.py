"""Studies: one file, one question."""

from __future__ import annotations

from importlib import import_module

from separatrix.errors import BadInput, did_you_mean
from separatrix.studies.stored import study_rows
from separatrix.studies.study import Row, Study

STUDIES = {
    "addresses": "separatrix.studies.addresses",
    "attention-place": "separatrix.studies.attention_place",
    "attention-replaced": "separatrix.studies.attention_replaced",
    "attention-trained": "separatrix.studies.attention_trained",
    "beyond-length": "separatrix.studies.beyond_length",
    "beyond-printed": "separatrix.studies.beyond_printed",
    "chain-widths": "separatrix.studies.chain_widths",
    "changes-found": "separatrix.studies.changes_found",
    "dyck-printed": "separatrix.studies.dyck_printed",
    "equality-copied": "separatrix.studies.equality_copied",
    "equality-one": "separatrix.studies.equality_one",
    "equality-random": "separatrix.studies.equality_random",
    "influence": "separatrix.studies.influence",
    "lookup-printed": "separatrix.studies.lookup_printed",
    "lstm-widths": "separatrix.studies.lstm_widths",
    "mamba-widths": "separatrix.studies.mamba_widths",
    "memory-of-lookup": "separatrix.studies.memory_of_lookup",
    "next-symbol": "separatrix.studies.next_symbol",
    "noise-by-construction": "separatrix.studies.noise_by_construction",
    "noise-recovered": "separatrix.studies.noise_recovered",
    "built-and-trained": "separatrix.studies.built_and_trained",
    "operations": "separatrix.studies.operations",
    "positions-asked": "separatrix.studies.positions_asked",
    "precision": "separatrix.studies.precision",
    "programs-learned": "separatrix.studies.programs_learned",
    "rates": "separatrix.studies.rates",
    "recall-learned": "separatrix.studies.recall_learned",
    "representation": "separatrix.studies.representation",
    "savings": "separatrix.studies.savings",
    "separatrix": "separatrix.studies.separatrix",
    "state-tracking": "separatrix.studies.state_tracking",
    "tracked-and-trained": "separatrix.studies.tracked_and_trained",
    "trade-offs": "separatrix.studies.trade_offs",
    "trees-learned": "separatrix.studies.trees_learned",
    "vectors-rounded": "separatrix.studies.vectors_rounded",
    "wide-or-deep": "separatrix.studies.wide_or_deep",
}

__all__ = ["STUDIES", "Row", "Study", "studies", "study", "study_rows"]


def study(name: str) -> Study:
    """The study of this name."""
    if name not in STUDIES:
        hint = did_you_mean(name, STUDIES)  # first, because there are many names
        raise BadInput(f"unknown study {name!r}{hint or ':'} expected one of {', '.join(STUDIES)}")
    module = import_module(STUDIES[name])
    return Study(
        name, module.QUESTION, module.PREDICTION, module.CITES, module.CAPTION,
        module.CELLS, module.run, module.rows, module.figure, module.answer, module.TRAINS, getattr(module, "PARTIAL", False),
        getattr(module, "RESULTS_OF", ""), getattr(module, "QUICK_TRAINING", False),
    )  # fmt: skip


def studies() -> tuple[Study, ...]:
    """Every study, in the order of the table."""
    return tuple(study(name) for name in STUDIES)

"""The shipped dynamic programs, each on three architectures.

[yang2024 Theorem 4.1] [yang2024 Theorem 4.2]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from separatrix.architectures import Architecture, Mode
from separatrix.certificates.construction import Construction, Settings, Sizes
from separatrix.constructions.yang2024 import compact_lis
from separatrix.constructions.yang2024.dynamic_programs import (
    linear,
    linear_sizes,
    sparse,
    sparse_sizes,
    standard,
    standard_sizes,
    window,
    window_sizes,
)
from separatrix.tasks.cellular_automaton import CellularAutomaton
from separatrix.tasks.edit_distance import EditDistance
from separatrix.tasks.edit_distance_local import EditDistanceLocal
from separatrix.tasks.lis import Lis
from separatrix.tasks.programs.dynamic_program import DynamicProgram
from separatrix.tasks.reverse_sum import ReverseSum

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

# the kinds of attention, each with how it is built, its sizes, its statement and its architecture
MADE: dict[str, tuple[Callable[..., Built], Callable[..., Sizes], str, Architecture]] = {
    "standard": (standard, standard_sizes, "yang2024 Theorem 4.1", Architecture.TRANSFORMER),
    "linear": (linear, linear_sizes, "yang2024 Theorem 4.2", Architecture.LINEAR_ATTENTION),
    "sparse": (sparse, sparse_sizes, "yang2024 Theorem 4.2", Architecture.BLOCK_SPARSE),
    "window": (window, window_sizes, "yang2024 Proposition 5.4", Architecture.WINDOW),
}


def declared(
    program: type[DynamicProgram], attention: str, quick: tuple[Settings, ...], default_length: int, fixed: tuple[str, ...] = ()
) -> Construction:
    """A program on one kind of attention."""
    build, formula, cites, architecture = MADE[attention]
    return Construction(
        name=f"{program.name}/{attention}",
        cites=cites,
        computes=program,
        architecture=architecture,
        mode=Mode.CHAIN,
        build=build,
        formula=formula,
        quick=quick,
        default_length=default_length,
        fixed=fixed,
    )


SUMS: tuple[Settings, ...] = ({"length": 4, "symbols": 4},)  # all inputs
REVERSE_SUM_STANDARD = declared(ReverseSum, "standard", SUMS, 40)
REVERSE_SUM_LINEAR = declared(ReverseSum, "linear", SUMS, 40)
REVERSE_SUM_SPARSE = declared(ReverseSum, "sparse", SUMS, 40)

SUBSEQUENCES: tuple[Settings, ...] = ({"length": 4, "symbols": 3},)
LIS_STANDARD = replace(
    declared(Lis, "standard", (*SUBSEQUENCES, {"length": 4, "symbols": 4, "compact": True}), 10),
    build=compact_lis.standard,
    formula=compact_lis.standard_sizes,
)
LIS_LINEAR = declared(Lis, "linear", SUBSEQUENCES, 10)
LIS_SPARSE = declared(Lis, "sparse", SUBSEQUENCES, 10)

WORDS: tuple[Settings, ...] = ({"length": 2, "second": 3, "symbols": 2},)
EDIT_DISTANCE_STANDARD = declared(EditDistance, "standard", WORDS, 8)
EDIT_DISTANCE_LINEAR = declared(EditDistance, "linear", WORDS, 8)
EDIT_DISTANCE_SPARSE = declared(EditDistance, "sparse", WORDS, 8)
EDIT_DISTANCE_LOCAL_WINDOW = declared(EditDistanceLocal, "window", WORDS, 6)

CELLULAR_AUTOMATON_WINDOW = declared(CellularAutomaton, "window", ({"length": 6, "rows": 3},), 10, fixed=("symbols",))

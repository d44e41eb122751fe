"""A user's own dynamic program, named as `file.py:Name`, on the kind of attention that `--set attention=...` chooses.

The checker does not know the user's task, but it can run any dynamic program that is stated as data: so the claim is about the data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from separatrix.architectures import Architecture, Mode
from separatrix.certificates.construction import Construction, Sizes
from separatrix.constructions.yang2024.declarations import MADE
from separatrix.constructions.yang2024.dynamic_programs import Attention
from separatrix.constructions.yang2024.plans import MapsKept
from separatrix.errors import BadInput
from separatrix.parameters import parameters
from separatrix.tasks.programs.as_data import as_data
from separatrix.tasks.programs.dynamic_program import DynamicProgram

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

DEFAULT_LENGTH = 5


def own_program(program: type[DynamicProgram]) -> Construction:
    """The declaration of a program that is not the package's."""
    missing = sorted(getattr(program, "__abstractmethods__", ()))
    if missing:
        raise BadInput(f"{program.name}: a dynamic program needs the method{'s' * (len(missing) > 1)} {' and '.join(missing)}")
    return Construction(
        name=program.name,
        computes=program,
        architecture=Architecture.TRANSFORMER,
        mode=Mode.CHAIN,
        build=_build,
        formula=_sizes,
        quick=(),
        default_length=DEFAULT_LENGTH,
    )


def _build(task: DynamicProgram, attention: Attention = "standard", maps: MapsKept = "networks", arithmetic: str = "float64") -> Built:
    return MADE[attention][0](as_data(task), maps=maps, arithmetic=arithmetic)


def _sizes(task: DynamicProgram, attention: Attention, maps: MapsKept, arithmetic: str) -> Sizes:
    formula = MADE[attention][1]
    settings = {name: p.default for name, p in parameters(MADE[attention][0]).items() if not p.required}
    return formula(task, **{**settings, "maps": maps, "arithmetic": arithmetic})

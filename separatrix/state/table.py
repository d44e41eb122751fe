"""The table of families: model type -> how the state of its layers is counted."""

from __future__ import annotations

from separatrix.state.families.attention import ATTENTION
from separatrix.state.families.latent import LATENT
from separatrix.state.families.linear_hybrids import LINEAR_HYBRIDS
from separatrix.state.families.mamba_hybrids import MAMBA_HYBRIDS
from separatrix.state.families.mixed import MIXED
from separatrix.state.families.recurrent import RECURRENT
from separatrix.state.families.unequal import UNEQUAL
from separatrix.state.family import Family

FAMILIES: dict[str, Family] = {**ATTENTION, **UNEQUAL, **LATENT, **RECURRENT, **MAMBA_HYBRIDS, **LINEAR_HYBRIDS, **MIXED}

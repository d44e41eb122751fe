"""A task's state profile beside what a model carries across every cut: any architecture, any stack, hybrids layer by layer.

After t tokens a correct model is in one of at least classes[t] states, and a model that carries b bits has at most 2^b.
So a cut at which ceil(log2 classes[t]) exceeds the bits that cross it refutes the model, whatever its weights are.
What crosses a cut is the mixers' own account (models/state_at_cut.py): this room asks no model and needs no torch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from separatrix.bounds.states.profile import StateProfile
from separatrix.models.state_at_cut import LayerCut, bits_by_layer


@dataclass(frozen=True)
class CutVerdict:
    """The cut with the least room, and whether that is too little."""

    tokens: int  # before the cut
    needed: int  # bits
    by_layer: tuple[int, ...]  # bits that cross, for each layer that mixes

    @property
    def carried(self) -> int:
        """Bits that cross the cut, summed over the layers."""
        return sum(self.by_layer)

    @property
    def refuted(self) -> bool:
        """Whether no weights can make the model right on every input."""
        return self.carried < self.needed


def tightest_cut(
    profile: StateProfile, cuts: Callable[[int], Sequence[LayerCut]], width: int, bits: int, token_bits: int
) -> CutVerdict:  # fmt: skip
    """Where a model has the least room for a task; `cuts` says what its layers carry after so many tokens (`Model.cuts`)."""

    def verdict(t: int) -> CutVerdict:
        return CutVerdict(t, profile.bits_at[t], tuple(bits_by_layer(cuts(t), width, bits, token_bits)))

    return min(map(verdict, range(len(profile.classes))), key=lambda v: v.carried - v.needed)

"""Which weights of a construction depend on the length it is built for: determined by building it twice, not declared.

A program is uniform if one set of weights serves every length up to some longest one; most constructions of the papers are families,
with constants that follow N. Comparing two builds shows which tensors change, and how.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from separatrix.constructions import build
from separatrix.errors import BadInput

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

Change = Literal["same", "values", "shape", "missing"]


@dataclass(frozen=True)
class Dependence:
    """How every tensor changes from one length to another; `missing` if only one of the two builds has it."""

    lengths: tuple[int, int]
    tensors: dict[str, Change]

    @property
    def uniform(self) -> bool:
        """Whether the same weights serve both lengths."""
        return all(change == "same" for change in self.tensors.values())

    @property
    def depends(self) -> tuple[str, ...]:
        """The tensors that change with the length."""
        return tuple(name for name, change in self.tensors.items() if change != "same")


def dependence(name: str, length: int, other: int, **parameters: Any) -> Dependence:
    """Build a construction at two lengths, all else equal, and compare the weights."""
    if length == other:
        raise BadInput(f"{name}: expected two different lengths, found {length} twice")
    return compared(build(name, length=length, **parameters), build(name, length=other, **parameters))


def compared(one: Built, other: Built) -> Dependence:
    """The weights of two builds beside each other."""
    first, second = one.model.state_dict(), other.model.state_dict()
    changes: dict[str, Change] = {}
    for name in sorted(first.keys() | second.keys()):
        if name not in first or name not in second:
            changes[name] = "missing"
        elif first[name].shape != second[name].shape:
            changes[name] = "shape"
        else:
            changes[name] = "same" if bool((first[name] == second[name]).all()) else "values"
    return Dependence((one.task.length, other.task.length), changes)

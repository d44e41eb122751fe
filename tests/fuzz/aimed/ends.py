"""Numbers at the ends of a format: where they are, and how tensors are moved there."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from tests.fuzz.aimed.subjects import Subject, Tensors

ENDS = {"float32": (127, -126, -149), "float64": (1023, -1022, -1074)}  # exponents: the largest, the least normal, the least


def floats(tensors: Tensors) -> list[str]:
    """The names of the tensors that hold numbers of the format."""
    return sorted(name for name, tensor in tensors.items() if tensor.dtype.kind == "f" and tensor.size)


def ends(subject: Subject) -> tuple[int, int, int]:
    """Exponents of the format: of the largest number, of the least normal one and of the least."""
    if subject.arithmetic in ENDS:
        return ENDS[subject.arithmetic]
    first, _, second = subject.arithmetic.partition(":")[2].partition(",")
    if subject.arithmetic.startswith("float:"):
        half = 1 << (int(first) - 1)
        return half - 1, 2 - half, 2 - half - int(second)
    grain = int(second) if second.isdigit() else (int(first) - 1) // 2
    return int(first) - 2 - grain, -grain, -grain


def largest(tensors: Tensors, names: tuple[str, ...]) -> int:
    """The exponent of the largest number."""
    most = max((float(np.abs(tensors[name]).max(initial=0.0)) for name in names), default=0.0)
    return int(np.frexp(most)[1]) - 1 if most and np.isfinite(most) else 0


def scale(tensors: Tensors, names: tuple[str, ...], by: int) -> None:
    """Some tensors, times a power of two."""
    with np.errstate(all="ignore"):
        for name in names:
            tensors[name] = np.ldexp(tensors[name], by)


def to_an_end(subject: Subject, rng: random.Random, names: tuple[str, ...]) -> int:
    """A power of two that takes the largest number of some tensors close to an end of the format, or to its root."""
    top, normal, least = ends(subject)
    goal = rng.choice((top, top // 2, normal, normal // 2, least, least // 2, rng.randint(least, top)))
    return goal + rng.choice((-12, -4, -2, -1, 0, 0, 1, 2, 4, 10, 20)) - largest(subject.tensors, names)


def nudged(tensor: Any, rng: random.Random, by: float) -> Any:
    """One entry moved."""
    changed = tensor.copy()
    with np.errstate(all="ignore"):
        changed.reshape(-1)[rng.randrange(tensor.size)] += by
    return changed

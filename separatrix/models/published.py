"""The configurations of the papers, by name: which architecture, which parameters, which statement they come from. No torch here.

lstm-3-256, mamba-6-256, tf-1-64, ..           bhattamishra2024, whose labels LSTM-(3, 256), Mamba-(6,256) name them too
wen2024-llama-1m, wen2024-hybrid-0.5m, ..      wen2024: 0.5M, 1M and 2M parameters beside frozen tied embeddings
yang2024-sparse-3-256, ..                      yang2024: standard, linear and sparse, 3 or 5 layers, widths 32 to 1024
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Published:
    """A configuration that a paper trains."""

    architecture: str
    cites: str  # the statement that speaks of it
    parameters: dict[str, Any] = field(default_factory=dict)
    block_of_length: bool = False  # whether its sparse blocks are as long as yang2024 makes them for a length

    def sized(self, length: int | None) -> dict[str, Any]:
        """The parameters, for inputs of `length` tokens where that is known."""
        return {**self.parameters, **({"block": sparse_block(length)} if self.block_of_length and length else {})}


def sparse_block(length: int) -> int:
    """2^floor(log2 sqrt L). [yang2024 Experiment 2]"""
    return 1 << (math.isqrt(length).bit_length() - 1)


def _published() -> Iterator[tuple[str, Published]]:
    figure = {"lstm": (3, 256), "lintf": (6, 256), "retnet": (6, 256), "dss": (6, 256), "mamba": (6, 256), "tf": (1, 64)}
    full = {"lintf": "linear-attention", "tf": "transformer"}
    for name, (layers, width) in figure.items():
        yield f"{name}-{layers}-{width}", Published(full.get(name, name), "bhattamishra2024 Figure 2", {"layers": layers, "width": width})
    for width in (32, 64, 256, 512, 1024):
        yield f"mamba-2-{width}", Published("mamba", "bhattamishra2024 Experiment 5", {"layers": 2, "width": width})
    for size, width, llama, mamba, (below, width_below) in (
        ("0.5m", 64, 8, (64, 16), (12, 64)),
        ("1m", 64, 16, (128, 10), (7, 128)),
        ("2m", 128, 12, (128, 18), (14, 128)),
    ):
        for name, chosen in (
            ("llama", {"width": width, "llama": llama}),
            ("mamba", {"width": mamba[0], "mamba": mamba[1], "llama": 0}),
            ("hybrid", {"width": width_below, "mamba": below, "llama": 1}),
        ):
            yield f"wen2024-{name}-{size}", Published("tied-stack", "wen2024 Experiment 4", chosen)
    for layers, cites in ((3, "yang2024 Experiment 2"), (5, "yang2024 Experiment 9")):
        for width in (32, 64, 128, 256, 512, 1024):
            sizes: dict[str, Any] = {"layers": layers, "width": width, "heads": 4, "positions": "sinusoidal"}
            yield f"yang2024-standard-{layers}-{width}", Published("transformer", cites, sizes)
            yield f"yang2024-linear-{layers}-{width}", Published("linear-attention", cites, sizes)
            yield f"yang2024-sparse-{layers}-{width}", Published("block-sparse", cites, {**sizes, "local": 1, "ends": 1}, True)


PUBLISHED = dict(_published())

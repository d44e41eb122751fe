"""The documented random words in plain Python, written from the definition alone; tests replay samplers with them."""

from __future__ import annotations

from separatrix.tasks import Task

WORD = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15


def mix(z: int) -> int:
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB & WORD
    return z ^ z >> 31


class Draws:
    """The words of one example."""

    def __init__(self, task: Task, seed: int, example: int) -> None:
        self.start = mix(task.key(seed) + GOLDEN * (example + 1) & WORD)

    def word(self, draw: int) -> int:
        return mix(self.start + GOLDEN * (draw + 1) & WORD)

    def high(self, draw: int, n: int) -> int:
        """0..n-1 from the high half of a word."""
        return (self.word(draw) >> 32) * n >> 32

    def low(self, draw: int, n: int) -> int:
        """0..n-1 from the low half of a word."""
        return (self.word(draw) & 0xFFFFFFFF) * n >> 32

"""What a check may cost. Work and bytes are computed from the header of a document, before anything runs, and never from a clock.

Work is counted in multiplications of float64 in a large product, of which a machine of today does about 10^9 a second; what costs more
counts as many of them as it takes the time of. So the same files are over budget on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

SECOND = 10**9  # units of work
SECONDS = 10.0  # by default, and 1 GB of memory with it
BYTES_A_SECOND = (1 << 30) / SECONDS  # memory grows with the budget


class OverBudget(Exception):
    """A document that would cost more than the budget; the text has the estimate."""


@dataclass(frozen=True)
class Budget:
    """Seconds of work; the memory allowed grows in proportion, 1 GB for 10 s."""

    seconds: float = SECONDS
    spent: int = 0  # work of what was allowed before, in units

    @property
    def bytes(self) -> int:
        """Memory allowed."""
        return int(self.seconds * BYTES_A_SECOND)

    def after(self, work: int) -> Budget:
        """What is left beside work that was allowed."""
        return replace(self, spent=self.spent + work)

    def allow(self, work: int, memory: int) -> None:
        """Refuse to start what costs more, together with what was allowed before."""
        work += self.spent
        if work > self.seconds * SECOND or memory > self.bytes:
            needed = max(work / SECOND, memory / BYTES_A_SECOND)
            raise OverBudget(
                f"checking this takes about {_shown(work / SECOND)} s and {_shown(memory / (1 << 30))} GB, "
                f"above the budget of {self.seconds:g} s and {self.bytes / (1 << 30):.3g} GB: --budget {_shown(needed * 1.05)} allows it"
            )


def _shown(amount: float) -> str:
    """Two digits, rounded up, whatever the size; no exponent below a million."""
    if amount >= 1e6:
        return f"{amount:.1e}"
    return f"{amount:.2f}" if amount < 10 else f"{amount:.0f}" if amount == int(amount) else f"{int(amount) + 1}"

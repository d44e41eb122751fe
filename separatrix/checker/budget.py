"""The cost that a check may have. Work and bytes are computed from the header of a document, before anything runs, never from a clock.

The unit of work is one float64 multiplication in a large product, of which a current machine does about 10^9 a second; slower
operations count in proportion to their time. So the same files are over budget on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

SECOND = 10**9  # units of work
SECONDS = 10.0  # by default, and 1 GB of memory with it
BYTES_A_SECOND = (1 << 30) / SECONDS  # memory grows with the budget


class OverBudget(Exception):
    """A document that would cost more than the budget; the message has the estimate."""


@dataclass(frozen=True)
class Budget:
    """Seconds of work; the memory allowed grows in proportion, 1 GB for 10 s."""

    seconds: float = SECONDS
    spent: int = 0  # work allowed before, in units

    @property
    def bytes(self) -> int:
        """Memory allowed."""
        return int(self.seconds * BYTES_A_SECOND)

    def after(self, work: int) -> Budget:
        """The budget that remains after this work."""
        return replace(self, spent=self.spent + work)

    def allow(self, work: int, memory: int) -> None:
        """Refuse work that exceeds the budget together with what was allowed before."""
        work += self.spent
        if work > self.seconds * SECOND or memory > self.bytes:
            needed = max(work / SECOND, memory / BYTES_A_SECOND)
            raise OverBudget(
                f"checking this takes about {_shown(work / SECOND)} s and {_shown(memory / (1 << 30))} GB, "
                f"above the budget of {self.seconds:g} s and {self.bytes / (1 << 30):.3g} GB: --budget {_shown(needed * 1.05)} allows it"
            )


def _shown(amount: float) -> str:
    """Two digits, rounded up; no exponent below a million."""
    if amount >= 1e6:
        return f"{amount:.1e}"
    return f"{amount:.2f}" if amount < 10 else f"{amount:.0f}" if amount == int(amount) else f"{int(amount) + 1}"

"""What is right, declared in a form that a proof rule can read: no function to be sampled, but which token decides which answer.

A law holds every form to `truth` of its task, on all inputs of small sizes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence


class Form(ABC):
    """The right answers of a task, as a declaration. Every kind of form is a frozen dataclass of its own."""

    @abstractmethod
    def answers(self, tokens: Sequence[int]) -> dict[int, int]:
        """The right target at every position that is asked, of an input inside the promise."""

    @abstractmethod
    def constant(self) -> bool:
        """Whether all inputs have the same answer, so that a claim about them shows nothing."""

"""Tasks whose tokens are words and whose answers are such words again: inputs and chains have one alphabet."""

from __future__ import annotations

from separatrix.tasks.task import Task


class Spelled(Task):
    """`spelling` names every token; any of them may be asked for."""

    @property
    def vocabulary(self) -> int:
        return len(self.spelling)

    @property
    def targets(self) -> int:
        return self.vocabulary

    def target_text(self, target: int) -> str:
        return self.spelling[target]

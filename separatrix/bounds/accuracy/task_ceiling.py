"""The ceiling of a task: in closed form where there is one, else from its inputs, each equally likely."""

from __future__ import annotations

import math

from separatrix.bounds.accuracy.ceiling import Ceiling, accuracy_ceiling, least_state_bits
from separatrix.bounds.accuracy.ceiling_forms import ceiling_form
from separatrix.errors import BadInput
from separatrix.tasks import Task

COUNTED = 2_000_000  # inputs that are asked one by one


def task_ceiling(task: Task, state_bits: int | None, accuracy: float | None) -> Ceiling:
    """Best accuracy with `state_bits`, or least bits for `accuracy`; exactly one of the two is given."""
    found = ceiling_form(task.name, task.parameters, state_bits, accuracy)
    if found is not None:
        return found
    alphabets = task.alphabets()
    inputs = math.prod(len(alphabet) for alphabet in alphabets) if alphabets else 0
    if not 0 < inputs <= COUNTED:
        raise BadInput(f"{task.name} at length {task.length}: {inputs or 'too many'} inputs to count, and no closed form is known")
    every = [tuple(alphabet) for alphabet in alphabets]
    if state_bits is not None:
        return accuracy_ceiling(task.answer, every, len(every), state_bits)
    assert accuracy is not None
    return least_state_bits(task.answer, every, len(every), accuracy)

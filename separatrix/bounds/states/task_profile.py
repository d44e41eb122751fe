"""The state profile of a task: counted where that is possible, else by a closed form that is named."""

from __future__ import annotations

import math

from separatrix.bounds.languages.language import layered_classes
from separatrix.bounds.states.closed_forms import closed_form
from separatrix.bounds.states.profile import StateProfile, state_profile
from separatrix.errors import BadInput
from separatrix.tasks import Task
from separatrix.tasks.regular import Regular

COUNTED = 2_000_000  # inputs that are asked one by one


def task_profile(task: Task) -> StateProfile:
    """How many states a recurrent model of this task needs after each token."""
    if task.sample(0, 1).mask.sum() > 1:  # counting would ask for all answers at the last token
        return _in_closed_form(task, "several tokens are scored")
    alphabets = task.alphabets()
    inputs = math.prod(len(alphabet) for alphabet in alphabets) if alphabets else 0
    if 0 < inputs <= COUNTED:
        return state_profile(task.answer, [tuple(alphabet) for alphabet in alphabets], len(alphabets))
    if isinstance(task, Regular):
        classes = layered_classes(task.automaton, task.length)
        classes = (*classes, classes[-1])  # the end of the word changes nothing
        return StateProfile(classes, classes, "layered automaton of the minimal one")
    return _in_closed_form(task, f"{inputs or 'too many'} inputs to count")


def _in_closed_form(task: Task, why: str) -> StateProfile:
    found = closed_form(task.name, task.parameters)
    if found is None:
        raise BadInput(f"{task.name} at length {task.length}: {why}, and no closed form is known")
    return found[1]

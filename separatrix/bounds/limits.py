"""The limits of a task: its state profile, its ceiling on accuracy and its lower bounds, by formula or counted.

[bhattamishra2024 Theorem 2]

The known facts about a task are in its family's file. A user's own task, or one without a formula, is counted if possible.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from separatrix.architectures import Architecture
from separatrix.bits import ceil_log2
from separatrix.bounds.accuracy.ceiling import Ceiling, check_accuracy, check_bits, least_bits
from separatrix.bounds.families import known_bounds
from separatrix.bounds.lower import CountedProfile, LowerBound, Precision, Witness, one_layer_bounds, state_bounds, string_count
from separatrix.bounds.protocols.one_layer import check_precision
from separatrix.bounds.states.profile import StateProfile, state_profile
from separatrix.errors import BadInput
from separatrix.tasks import Task

COUNTED = 2_000_000  # inputs that are evaluated one by one
STEPS = 50_000_000  # of the oracle, over all of them: seconds
ALONG = 1 << 16  # inputs whose answers along the way are compared
EXAMPLES = 64  # examples drawn to see which tokens are scored


def task_profile(task: Task) -> StateProfile:
    """How many states a recurrent model of this task needs after each token: counted, or by a named closed form."""
    obstacle = _obstacle(task)
    if obstacle is None:
        return _counted(task)
    form = known_bounds(task).form
    if form is not None:
        return form.profile(task)
    along = _counted_along(task)
    if along is None:
        raise BadInput(f"{task.name} at length {task.length}: {obstacle}, and no closed form is known")
    return along


def task_ceiling(task: Task, state_bits: int | None = None, accuracy: float | None = None) -> Ceiling:
    """Best accuracy with `state_bits`, or least bits for `accuracy`: in closed form, else over all inputs, each equally likely."""
    if (state_bits is None) == (accuracy is None):
        raise BadInput("a ceiling needs either state bits or an accuracy, not both")
    by_form = _ceiling_in_closed_form(task, state_bits, accuracy)
    if by_form is not None:
        return by_form
    if not _countable(task):
        raise BadInput(
            f"{task.name} at length {task.length}: {about_strings(task)} inputs to count, and no closed form of the ceiling is known"
        )
    from separatrix.bounds.accuracy.counted_ceiling import accuracy_ceiling, least_state_bits

    every = [tuple(alphabet) for alphabet in task.alphabets()]
    if state_bits is not None:
        return accuracy_ceiling(task.answer, every, len(every), state_bits)
    assert accuracy is not None
    return least_state_bits(task.answer, every, len(every), accuracy)


def bounds_for(task: Task, precision: int, fractional: int | None = None) -> tuple[LowerBound, ...]:
    """Every known bound for a task, with numbers of `precision` bits; a task without known bounds is counted if possible.

    `fractional` is the number of fractional bits and sharpens the one-layer bounds; without it they hold for every split.
    """
    check_precision(precision, precision - 1 if fractional is None else fractional)
    if task.length > task.bounded_up_to:
        raise BadInput(f"{task.name}: bounds are exact integers and are evaluated up to N = {task.bounded_up_to:,}, found {task.length:,}")
    numbers = Precision(precision, fractional)
    rows = known_bounds(task).rows(task, numbers)
    if any(row.architecture == Architecture.RECURRENT for row in rows):
        return rows
    from separatrix.bounds.communication.splits import one_layer_need

    obstacle = _obstacle(task)
    profile = _counted_along(task) if obstacle else _counted(task)
    if profile is None:
        return rows
    lower, upper = max(profile.classes_lower), max(profile.classes_upper)
    witness = Witness(profile.method, None if obstacle else CountedProfile(task))
    formula, cites = "ceil(log2 of the most classes of prefixes), counted", "bhattamishra2024 Theorem 2"
    counted = state_bounds(lower, upper, precision, formula, cites, "For inputs of this length; zero error.", False, witness)
    need = None if obstacle or any(row.architecture == Architecture.ONE_LAYER for row in rows) else one_layer_need(task, numbers)
    return (*counted, *rows, *(one_layer_bounds(need, numbers) if need is not None else ()))


def certify_counted(task: Task) -> dict[str, Any]:
    """The certificate of a task's counted profile, which the checker counts again; refuses a profile that was not counted."""
    obstacle = _obstacle(task)
    if obstacle is not None:
        where = f"{task.name} at length {task.length}"
        raise BadInput(f"only a counted profile can be certified; {where}: {obstacle}; choose a smaller length")
    return CountedProfile(task).certificate()


def require_answers(task: Task, most: int, what: str) -> None:
    """Refuse a task without one answer for each input, or with more than `most` strings to look at; `what` looks at all of them."""
    where = f"{task.name} at length {task.length}"
    if not task.scored_at_end:
        raise BadInput(f"{where}: {what} needs one answer for each input, and this task scores other tokens than the last")
    if string_count(task, most) is None:
        count_text = about_strings(task)
        raise BadInput(f"{where}: {what} takes at most {most:,} inputs, found {count_text}; choose a smaller length or fewer symbols")


def about_strings(task: Task) -> str:
    """The number of strings over a task's alphabets as short text, never thousands of digits."""
    digits = sum(math.log10(len(alphabet)) for alphabet in task.alphabets())
    return f"about 10^{digits:.0f}"


def _countable(task: Task) -> bool:
    """Whether the oracle answers on all inputs within seconds."""
    return string_count(task, min(COUNTED, STEPS // max(1, task.answer_steps))) is not None


def _obstacle(task: Task) -> str | None:
    """Why a profile cannot be counted; None if it can."""
    if not _countable(task):
        return f"{about_strings(task)} inputs to count"
    if not task.scored_at_end:  # counting needs all answers at the last token
        return "other tokens than the last are scored"
    return None


def _counted(task: Task) -> StateProfile:
    alphabets = [tuple(alphabet) for alphabet in task.alphabets()]
    return state_profile(task.answer, alphabets, len(alphabets))


def _counted_along(task: Task) -> StateProfile | None:
    """The count of a task with answers along the way; None if it is too large, or if its answers are not targets."""
    if task.scored_at_end or string_count(task, ALONG) is None or not _countable(task):
        return None
    from separatrix.bounds.states.scored_along import profile_along

    batch = task.sample(0, EXAMPLES)
    inputs = [*task.inputs()]
    scored = np.flatnonzero(batch.mask[0])
    answers = [np.atleast_1d(np.array(task.answer(tokens))) for tokens in inputs]
    same = all(batch.answer(r) == task.answer(batch.row(r)) for r in range(EXAMPLES)) and (batch.mask == batch.mask[0]).all()
    if not same or any(len(answer) != len(scored) for answer in answers):
        return None  # the target is a random draw, or different tokens are scored in every example
    due = np.full((len(inputs), task.token_count), -1, dtype=np.int64)
    due[:, scored] = answers
    return profile_along(inputs, due.tolist())


def _ceiling_in_closed_form(task: Task, state_bits: int | None, accuracy: float | None) -> Ceiling | None:
    facts = known_bounds(task)
    ceiling = facts.ceiling
    if ceiling is None or facts.form is None:
        return None
    if state_bits is not None:
        check_bits(state_bits)
        return ceiling(task, state_bits)
    assert accuracy is not None
    check_accuracy(accuracy)
    enough = ceil_log2(facts.form.widest(task)[1])
    best = ceiling(task, enough)
    if best is None or accuracy == 1:  # zero error: a floating-point ceiling rounds to 1 long before
        return best

    def by_bits(bits: int) -> Ceiling:
        value = ceiling(task, bits)
        assert value is not None  # a ceiling exists, as it did for `enough`
        return value

    return least_bits(by_bits, accuracy, enough)

"""What some tasks can do: each task has all members of a capability or none, and enough tasks have each to be met."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from separatrix.tasks import TASKS, Task, make_task, task_at, task_class
from separatrix.tasks.capabilities import (
    DrawsChains,
    HoldsVectors,
    Interviewed,
    LimitsChain,
    PointsElsewhere,
    PublicLines,
    RevealsPrompt,
    Searches,
    WritesChain,
    asked_positions,
    chain_limit,
    prompt_of,
    search_of,
    stop_of,
    tokens_read,
    vectors_of,
)

HOLDERS = {  # at least so many tasks have it
    WritesChain: 11,
    LimitsChain: 11,
    Searches: 6,
    HoldsVectors: 5,
    PublicLines: 4,
    DrawsChains: 1,
    PointsElsewhere: 3,
    Interviewed: 4,
    RevealsPrompt: 5,
}


def drawn(name: str) -> Task:
    return task_at(name, task_class(name).drawn_at)


@pytest.mark.parametrize("capability", HOLDERS)
def test_a_task_has_a_capability_wholly_or_not_at_all(capability: Any) -> None:
    members = {name for name in vars(capability) if not name.startswith("_")}
    held = {name: members & {*dir(task_class(name))} for name in TASKS}
    assert members
    assert {name for name, some in held.items() if some and some != members} == set()
    assert {name for name in TASKS if isinstance(drawn(name), capability)} == {name for name, some in held.items() if some}
    assert sum(map(bool, held.values())) >= HOLDERS[capability]


def test_models_are_trained_on_every_chain_of_tokens() -> None:
    for name in TASKS:
        assert isinstance(drawn(name), WritesChain) == isinstance(drawn(name), LimitsChain), name


def test_a_task_without_any_answers_for_itself() -> None:
    task = make_task("parity", length=4)
    batch = task.sample(0, 3)
    assert (stop_of(task), chain_limit(task), search_of(task), vectors_of(task, batch.tokens)) == (None, 0, None, None)
    assert tokens_read(task) == task.token_count == 5
    assert prompt_of(task, (1, 0, 1)) == [1, 0, 1]
    assert asked_positions(task, batch).tolist() == [5, 5, 5]


def test_a_chain_and_vectors_are_read_with_the_input() -> None:
    thinking = make_task("index", length=4, thought="search")
    assert tokens_read(thinking) == thinking.token_count + chain_limit(thinking) - 1
    program = make_task("reverse-sum", length=3, symbols=5)
    read, written = vectors_of(program, np.array([[3, 1, 4, 5]])) or (np.empty(0), np.empty(0))
    assert prompt_of(program, read[0].tolist()) == [3, 1, 4, 5]
    assert not written[0, -1].any()

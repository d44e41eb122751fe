"""The sentence of the front page promises no more than the ledger and the constructions hold."""

from __future__ import annotations

import re

import pytest

from separatrix.architectures import COLUMNS, Architecture
from separatrix.atlas.reading.asked import NO, TRACKING, YES, Reply, replies
from separatrix.atlas.reading.cells import Cell
from separatrix.constructions import construction
from separatrix.ledger.cells import grid
from separatrix.ledger.needs import LENGTHS
from separatrix.records.task_choices import bounded_task
from separatrix.tasks import TASKS

Replies = dict[str, dict[Architecture, tuple[Reply, ...]]]


@pytest.fixture(scope="module")
def known() -> Replies:
    cells = {task: {one: Cell(facts, bounded_task(task).length) for one, facts in row.items()} for task, row in grid().items()}
    return replies(cells, {}, frozenset())


def test_there_is_a_reply_for_every_task_architecture_and_length(known: Replies) -> None:
    assert set(known) == set(TASKS)
    assert all(set(row) == set(COLUMNS) and all(len(at) == len(LENGTHS) for at in row.values()) for row in known.values())


def test_a_yes_about_one_language_names_it_and_leads_to_all_of_them(known: Replies) -> None:
    said = [one for at in known["regular"].values() for one in at if one.tone == YES]
    assert len(said) > 10
    for one in said:
        assert re.match(r"Yes.* \(language = .+\): ", one.headline), one
        assert any(why.link == TRACKING for why in one.reasons)


def test_mamba_does_parity_not_at_all_lengths(known: Replies) -> None:
    assert {one.tone for one in known["parity"][Architecture.MAMBA]} == {NO}


def test_a_command_is_offered_only_where_its_construction_takes_the_length(known: Replies) -> None:
    offered = {
        (task, *match.groups())
        for task, row in known.items()
        for at in row.values()
        for one in at
        for why in one.reasons
        for match in re.finditer(r"`separatrix verify (\S+) --length (\d+)`", why.text)
    }
    assert len(offered) > 30
    for task, name, length in offered:
        assert construction(name).narrowest(bounded_task(task).at(int(length)).parameters) is not None, (task, name, length)
    assert ("mqar", "mqar/mamba-2-64", "1000") not in offered  # its shape is given, and holds fewer keys

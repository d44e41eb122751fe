"""The oracles draw the cases that the tasks draw, by other code."""

from __future__ import annotations

import numpy as np
import pytest

from separatrix.checker.oracles import names
from separatrix.checker.seal import Refused
from tests.checker.oracles.settings import DRAWN, GIVEN, Setting, both, named


@pytest.mark.parametrize("setting", DRAWN, ids=named)
def test_every_family_has_the_tasks_cases(setting: Setting) -> None:
    task, second = both(*setting)
    assert (second.vocabulary, second.targets, second.families) == (task.vocabulary, task.targets, task.case_kinds)
    for family in task.case_kinds:
        for count in (45, task.length):  # as many cases as positions: some families then ask about each once
            batch, drawn = task.cases(family, 3, count), [*second.cases(family, 3, count)]
            assert len(drawn) == count
            for r, (tokens, wanted) in enumerate(drawn):
                assert tuple(tokens.tolist()) == batch.row(r), (family, r)
                assert wanted == {int(t): int(batch.targets[r, t]) for t in np.flatnonzero(batch.mask[r])}, (family, r)


@pytest.mark.parametrize("setting", DRAWN, ids=named)
def test_what_is_asked_of_a_case_is_its_answer(setting: Setting) -> None:
    task, second = both(*setting)
    for family in second.families:
        for tokens, wanted in second.cases(family, 9, 6):
            answers = tuple(wanted.values())
            assert second.answer(tokens.tolist()) == (answers if len(answers) > 1 else answers[0])
            assert len(tokens) <= second.tokens
            assert list(wanted) == [len(tokens) - 1] or second.decoder == "positions"
    assert len(second.alphabets) == len(task.alphabets())
    written = len(second.chain(tokens.tolist())) - 1 if second.vectors else task.chain_limit  # the zero vector is never read
    assert second.tokens - written == len(second.alphabets)


@pytest.mark.parametrize("setting", [setting for setting in DRAWN if setting[1].get("thought", "none") != "none"], ids=named)
def test_the_oracle_writes_the_chain_of_the_task(setting: Setting) -> None:
    task, second = both(*setting)
    assert second.decoder == ("greedy" if task.search is None else "retrieval")
    for family in task.case_kinds:
        for tokens, _ in second.cases(family, 4, 12):
            chain = second.chain(tokens.tolist())
            assert chain == task.chain(tokens.tolist())
            assert 1 < len(chain) <= task.chain_limit
            assert len(tokens) + len(chain) <= second.tokens


PROGRAMS = [setting for setting in DRAWN if both(*setting)[1].vectors]


@pytest.mark.parametrize("setting", PROGRAMS, ids=named)
def test_the_oracle_writes_the_vectors_of_the_task(setting: Setting) -> None:
    task, second = both(*setting)
    assert second.decoder == "rounding"
    for family in task.case_kinds:
        batch = task.cases(family, 4, 12)
        vectors = task.as_vectors(batch.tokens)
        assert vectors is not None
        for r, (tokens, _) in enumerate(second.cases(family, 4, 12)):
            assert second.as_read(tokens).tolist() == vectors[0][r].tolist()
            assert [[*vector] for vector in second.chain(tokens.tolist())] == vectors[1][r].tolist()
    assert len(PROGRAMS) >= 3


def test_every_task_with_an_oracle_was_met() -> None:
    assert {name for name, _ in DRAWN} == names() - GIVEN


@pytest.mark.parametrize("setting", DRAWN[::7], ids=named)
def test_a_family_that_the_task_does_not_have_is_refused(setting: Setting) -> None:
    _, second = both(*setting)
    for family in ("all", "", "hard"):
        with pytest.raises(Refused, match=f"{second.name} has no cases '{family}'"):
            next(second.cases(family, 0, 1))
    with pytest.raises(Refused, match="dyck has no cases 'crossed'"):  # its fooling set needs depth 2
        next(both("dyck", {"length": 8, "depth": 3})[1].cases("crossed", 0, 1))

"""All inputs of a claim: how many there are, what they are, and what the answer to each is."""

from __future__ import annotations

from itertools import product

import pytest

from separatrix.checker.cases import families
from separatrix.checker.specs import names, spec_of
from tests.checker.specs.settings import GIVEN, SMALL, Setting, both, named


def lengths(setting: Setting) -> list[int]:
    """The lengths N that the claim names."""
    name, chosen = setting
    N = chosen["length"]
    if chosen.get("distribution") != "training":
        return [N]
    return {
        "index-lookup": [*range(min(10, N), N + 1)],
        "nearest-neighbor": [*range(max(2, N // 2 + 1), N + 1)],
    }.get(name, [*range(2 * -(-N // 20), N + 1, 2)])


@pytest.mark.parametrize("setting", SMALL, ids=named)
def test_all_cases_are_the_inputs_of_the_task_at_every_length_that_the_claim_names(setting: Setting) -> None:
    task, second = both(*setting)
    listed = [(tuple(tokens.tolist()), tuple(wanted.values())) for tokens, wanted in second.all_cases()]
    expected = []
    for N in lengths(setting):
        expected += [(tokens, task.answer(tokens)) for tokens in task.at(N).inputs()]
    assert sorted(listed) == sorted((tokens, answer if isinstance(answer, tuple) else (answer,)) for tokens, answer in expected)
    assert second.input_count == len(listed)


@pytest.mark.parametrize("setting", SMALL, ids=named)
def test_every_string_over_the_alphabets_has_the_tasks_answer(setting: Setting) -> None:
    task, second = both(*setting)
    assert [tuple(alphabet) for alphabet in second.alphabets] == [tuple(alphabet) for alphabet in task.alphabets()]
    for tokens in product(*second.alphabets):
        assert second.answer(tokens) == task.answer(tokens), tokens


@pytest.mark.parametrize("setting", SMALL, ids=named)
def test_what_is_not_an_input_of_the_claim_has_no_answer(setting: Setting) -> None:
    _, second = both(*setting)
    full = next(iter(second.all_cases()))[0].tolist()
    longest = [alphabet.start for alphabet in second.alphabets]
    assert second.answer(full) is not None
    assert second.answer([]) is None
    assert second.answer([*longest, longest[-1]]) is None  # longer than anything that the claim names
    for place in range(len(full)):
        for token in (-1, second.vocabulary):
            assert second.answer([*full[:place], token, *full[place + 1 :]]) is None
    if len(lengths(setting)) == 1:
        assert second.answer(full[:-1]) is None


def test_every_oracle_was_met() -> None:
    assert {name for name, _ in SMALL} == names() - GIVEN


@pytest.mark.parametrize(
    ("setting", "count"),
    [
        (("index-lookup", {"length": 9, "symbols": 64}), 64**9 * 9),
        (("index-lookup", {"length": 1000, "symbols": 64}), None),
        (("equality", {"length": 40}), 2**40),
        (("equality", {"length": 10**6, "symbols": 2}), None),
        (("intersects", {"length": 10**4}), None),
        (("parity", {"length": 10**6}), None),
        (("eq-random", {"length": 40, "distribution": "training"}), sum(2**k for k in range(4, 41, 2))),
        (("mqar", {"length": 2000}), None),
        (("associative-recall", {"length": 1000}), None),
        (("nearest-neighbor", {"length": 16, "dimension": 6}), None),
        (("nearest-neighbor", {"length": 3, "dimension": 20, "gamma": 0.1}), None),
        (("dyck", {"length": 400}), None),
    ],
)
def test_inputs_are_counted_where_anyone_would_run_them(setting: Setting, count: int | None) -> None:
    assert both(*setting)[1].input_count == count


def test_a_table_is_read_in_row_major_order() -> None:
    second = spec_of("table", {"sizes": [2, 3], "answers": [0, 1, 2, 3, None, 5]})
    assert [second.answer(tokens) for tokens in product(range(2), range(3))] == [0, 1, 2, 3, None, 5]
    assert [tuple(tokens.tolist()) for tokens, _ in second.all_cases()] == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 2)]
    assert (second.input_count, second.vocabulary, second.targets, second.tokens, families(second)) == (5, 3, 6, 2, ())
    assert second.answer((0, 3)) is None
    assert second.answer((0,)) is None

"""The checker's own cases: inside the promise, the same every time, of every family, with the answers of the task."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from separatrix.checker.cases import drawn, families
from separatrix.checker.seal import Refused
from separatrix.checker.specs import Spec, names, spec_of
from tests.checker.specs.settings import DRAWN, GIVEN, Setting, both, named

COUNT = 30


@pytest.mark.parametrize("setting", DRAWN, ids=named)
def test_every_case_has_the_answer_of_the_task_where_it_is_asked(setting: Setting) -> None:
    task, spec = both(*setting)
    for family in families(spec):
        cases = [*drawn(spec, family, 3, COUNT)]
        assert len(cases) == COUNT
        for tokens, wanted in cases:
            answers = tuple(wanted.values())
            assert spec.allows(tokens.tolist())
            assert task.answer(tuple(tokens.tolist())) == (answers if len(answers) > 1 else answers[0]), (family, tokens)
            assert len(tokens) <= len(spec.alphabets)
            assert list(wanted) == [len(tokens) - 1] or spec.decoder == "positions"


@pytest.mark.parametrize("setting", DRAWN, ids=named)
def test_the_positions_that_are_asked_are_those_that_the_task_scores(setting: Setting) -> None:
    task, spec = both(*setting)
    batch = task.sample(5, 6)
    for r in range(6):
        _, wanted = spec.asked(np.array(batch.row(r)))
        assert wanted == {int(t): int(batch.targets[r, t]) for t in np.flatnonzero(batch.mask[r])}


def test_every_task_with_a_spec_was_met() -> None:
    assert {name for name, _ in DRAWN} == names() - GIVEN


@pytest.mark.parametrize("setting", DRAWN, ids=named)
def test_cases_are_a_function_of_seed_family_and_number(setting: Setting) -> None:
    _, spec = both(*setting)
    for family in families(spec):
        some, again, other = ([tokens.tolist() for tokens, _ in drawn(spec, family, seed, 12)] for seed in (1, 1, 2))
        assert some == again
        few = {tuple(tokens) for tokens in some} & {tuple(tokens) for tokens in other}
        assert len(few) < 12 or spec.input_count is not None
        if not spec.several_lengths:
            assert [tokens.tolist() for tokens, _ in drawn(spec, family, 1, 5)] == some[:5]


@pytest.mark.parametrize("setting", [s for s in DRAWN if s[0] in ("index-lookup", "eq-one", "nearest-neighbor", "arithmetic")], ids=named)
def test_cases_of_several_lengths_come_by_length(setting: Setting) -> None:
    _, spec = both(*setting)
    lengths = [len(tokens) for tokens, _ in drawn(spec, "random", 0, 40)]
    assert lengths == sorted(lengths)
    assert len({*lengths}) > 1 or not spec.several_lengths


def plain(symbols: int, length: int, **facts: object) -> Spec:
    """A task that asks for the first symbol."""
    fields = {"title": "first", "alphabets": (range(symbols),) * length, "vocabulary": symbols, "targets": symbols, "input_count": None}
    return replace(Spec(truth=lambda tokens: tokens[0], **fields), **facts)  # type: ignore[arg-type]


def test_random_choices_are_uniform_over_the_alphabets() -> None:
    """Each of 5 symbols at each of 8 places: 4,000 choices have 800 of each symbol, with a deviation of 25."""
    tokens = np.array([case for case, _ in drawn(plain(5, 8), "random", 0, 500)])
    counts = np.bincount(tokens.ravel(), minlength=5)
    assert abs(counts - 800).max() < 130
    assert len({tuple(row) for row in tokens.tolist()}) == 500
    assert abs(np.bincount(tokens[:, 3], minlength=5) - 100).max() < 50


def test_extremes_are_the_least_and_the_largest_and_two_symbols_have_no_others() -> None:
    tokens = np.array([case for case, _ in drawn(plain(5, 8), "extremes", 0, 100)])
    assert {*tokens.ravel().tolist()} == {0, 4}
    assert abs((tokens == 4).mean() - 0.5) < 0.1
    assert families(plain(2, 8)) == ("random", "near-constant")
    assert families(replace(plain(3, 8), drawn=False)) == ()


def test_near_constant_cases_have_at_most_one_other_symbol_at_every_place_in_turn() -> None:
    changed = set()
    for tokens, _ in drawn(plain(7, 6), "near-constant", 0, 300):
        values, counts = np.unique(tokens, return_counts=True)
        assert len(values) <= 2
        assert counts.min() == 1 or len(values) == 1
        changed |= {int(np.flatnonzero(tokens == values[counts == 1][0])[0])} if len(values) == 2 else {-1}
    assert changed == {-1, 0, 1, 2, 3, 4, 5}


def test_a_case_outside_the_promise_is_drawn_again() -> None:
    even = plain(4, 3, truth=lambda tokens: None if sum(tokens) % 2 else tokens[0])
    assert not any(sum(tokens.tolist()) % 2 for tokens, _ in drawn(even, "random", 0, 200))
    lone = plain(1000, 3, truth=lambda tokens: None if any(tokens) else 1)
    assert [tokens.tolist() for tokens, _ in drawn(lone, "random", 0, 2)] == [[0, 0, 0]] * 2
    never = plain(4, 3, truth=lambda _: None)
    with pytest.raises(Refused, match="first: no case of the family random lies inside the promise"):
        next(drawn(never, "random", 0, 1))


@pytest.mark.parametrize(
    ("name", "parameters", "family"),
    [
        ("index-lookup", {"length": 9, "symbols": 5, "distribution": "evaluation"}, "lone-symbol"),
        ("index", {"length": 9, "thought": "none"}, "lone-symbol"),
        ("associative-recall", {"length": 9, "symbols": None, "labels": 3}, "lone-label"),
        ("eq-one", {"length": 18, "symbols": 3, "distribution": "evaluation"}, "one-change"),
        ("recall-next", {"length": 10, "thought": "none"}, "every-place"),
    ],
)
def test_as_many_cases_as_places_ask_for_every_place_once(name: str, parameters: dict[str, object], family: str) -> None:
    spec = spec_of(name, parameters)
    seen = set()
    for j, (tokens, _) in enumerate(drawn(spec, family, 4, 9)):
        row = tokens.tolist()
        if family == "lone-symbol":
            word, asked = (row[:-1], row[-1] - 5) if name == "index-lookup" else (row[1:-1], row[-1] - 1)
            assert word.count(word[asked]) == 1
            assert len({*word}) == 2
            seen.add(asked)
        elif family == "lone-label":
            labels = row[1:-1:2]
            place = row[:-1:2].index(row[-1])
            assert labels.count(labels[place]) == 1
            seen.add(place)
        elif family == "one-change":
            (place,) = [i for i in range(9) if row[i] != row[10 + i]]
            seen.add(place)
        else:
            assert row[-1] == row[1 + j]
            seen.add(j)
    assert seen == {*range(9)}


@pytest.mark.parametrize("family", ["all", "", "hard", "lone-symbol"])
def test_a_family_that_the_task_does_not_have_is_refused(family: str) -> None:
    with pytest.raises(Refused, match=f"parity has no cases '{family}'"):
        drawn(spec_of("parity", {"length": 5}), family, 0, 1)


def test_a_witness_needs_no_drawing() -> None:
    """Proofs about functions load no code that draws cases."""
    code = (
        "import sys; from separatrix.checker import check_text\n"
        "from separatrix.checker.specs import FILE, spec_of\n"
        "import separatrix.checker.kinds.fooling_set, separatrix.checker.kinds.state_profile, importlib\n"
        "[importlib.import_module(f'separatrix.checker.specs.{file}') for file in FILE.values()]\n"
        "print('separatrix.checker.cases' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "False"

"""Every task against its promises, at the sizes that the task itself names."""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, get_args, get_origin

import numpy as np
import pytest

from separatrix.errors import BadInput
from separatrix.papers import statements
from separatrix.parameters import parameters
from separatrix.tasks import TASKS, Batch, Task, task_at, task_class
from separatrix.tasks.audit.audit import audit
from separatrix.tasks.audit.shortcuts import leaking
from separatrix.tasks.capabilities import asked_positions, chain_of, second_solver
from separatrix.tasks.next_symbol import NextSymbol

ROOT = Path(__file__).parents[2]
EXAMPLES = 1500  # of every setting that is sampled
CASES = 200  # of every kind of adversarial cases

everywhere = pytest.mark.parametrize("name", sorted(TASKS))
looked_at = pytest.mark.parametrize(  # its second solver takes seconds
    "name", [pytest.param(name, marks=pytest.mark.slow if name == "edit-distance-local" else ()) for name in sorted(TASKS)]
)


@functools.cache
def samples(name: str) -> tuple[Task, ...]:
    """The task at its audited size, at each other choice of a parameter with choices, and at the further sizes it names."""
    kind = task_class(name)
    choices = [
        {**kind.audited_at, parameter.name: value}
        for parameter in parameters(kind).values()
        if get_origin(parameter.type) is Literal
        for value in get_args(parameter.type)
        if value != parameter.default
    ]
    return tuple(task_at(name, settings) for settings in (kind.audited_at, *choices, *kind.sampled_at))


@functools.cache
def tiny(name: str) -> Task:
    """The task at the size at which every string is met."""
    return task_at(name, task_class(name).enumerated_at)


@everywhere
def test_the_table_names_the_task_and_the_task_says_what_it_is(name: str) -> None:
    kind = task_class(name)
    assert kind.name == name
    assert kind.title
    assert kind.cites == "" or kind.cites in {s.key for s in statements()}
    assert not (kind.cites and kind.source)
    assert kind.length_means


def test_no_two_tasks_share_a_title() -> None:
    assert len({task_class(name).title for name in TASKS}) == len(TASKS)


@everywhere
def test_every_task_can_be_looked_at_where_it_says(name: str) -> None:
    kind = task_class(name)
    for settings in (kind.drawn_at, kind.counted_at, kind.audited_at, kind.enumerated_at, kind.bounded_at):
        assert task_at(name, settings).length == settings["length"]


@looked_at
def test_what_is_drawn_has_the_answer_of_the_oracle_and_of_the_second_solver(name: str) -> None:
    for task in samples(name):
        for batch in batches(task):
            for r in range(len(batch.tokens)):
                assert_right(task, batch, r)


def assert_right(task: Task, batch: Batch, r: int) -> None:
    tokens = batch.row(r)
    answer = task.answer(tokens)
    assert answer is not None, f"drawn outside the promise: {task.text(tokens)}"
    solver = second_solver(task)
    assert solver is None or answer == solver(tokens), task.text(tokens)
    if not isinstance(task, NextSymbol):
        assert batch.answer(r) == answer, task.text(tokens)
        return
    for t in np.flatnonzero(batch.mask[r]):  # there the target is one draw among the symbols that may follow
        assert batch.targets[r, t] in task.answer(tokens[: t + 1]), task.text(tokens)


def test_only_a_function_of_the_users_own_has_no_second_solver() -> None:
    assert [name for name in TASKS if second_solver(tiny(name)) is None] == ["function"]


@everywhere
def test_on_every_string_of_a_tiny_size_oracle_second_solver_and_enumeration_agree(name: str) -> None:
    task = tiny(name)
    enumerated = [*task.inputs()]
    assert 0 < len(enumerated) == len({*enumerated})
    promised, solver = set(), second_solver(task)
    for tokens in itertools.product(range(task.vocabulary), repeat=task.token_count):
        answer = task.answer(tokens)
        if answer is not None:
            promised.add(tokens)
            assert solver is None or solver(tokens) == answer, task.text(tokens)
    assert promised == {*enumerated}


@everywhere
def test_what_a_task_says_about_its_inputs_is_so(name: str) -> None:
    task = tiny(name)
    enumerated = [*task.inputs()]
    assert task.input_count == (
        len(enumerated) if second_solver(task) is not None else 0
    )  # the promise of a user's function only its author knows
    assert task.total <= (len(enumerated) == np.prod([len(ids) for ids in task.alphabets()]))
    alphabets = task.alphabets()
    assert len(alphabets) == task.token_count
    for ids, met in zip(alphabets, zip(*enumerated, strict=True), strict=True):
        assert {*met} <= {*ids} <= {*range(task.vocabulary)}
    assert {*task.position_kinds} <= {*task.case_kinds}


@everywhere
def test_the_batch_in_which_an_example_is_drawn_does_not_matter(name: str) -> None:
    for task in samples(name):
        together = task.sample(3, 40)
        apart = [task.sample(3, 13, start=0), task.sample(3, 1, start=13), task.sample(3, 0, start=14), task.sample(3, 26, start=14)]
        assert [*rows(together)] == [row for batch in apart for row in rows(batch)]


@everywhere
def test_another_seed_is_other_data(name: str) -> None:
    for task in samples(name):
        assert [*rows(task.sample(0, 40))] != [*rows(task.sample(1, 40))]


@everywhere
def test_ids_lie_in_the_vocabulary_and_nothing_stands_or_counts_in_the_padding(name: str) -> None:
    for task in samples(name):
        for batch in batches(task):
            padding = np.arange(batch.tokens.shape[1]) >= batch.lengths[:, None]
            assert batch.tokens.shape == batch.targets.shape == batch.mask.shape
            assert batch.tokens.shape[1] == batch.lengths.max()
            assert {array.dtype for array in (batch.tokens, batch.targets, batch.lengths)} == {np.dtype(np.int64)}
            assert 0 <= batch.tokens.min() <= batch.tokens.max() < task.vocabulary
            assert 0 <= batch.targets.min() <= batch.targets.max() < task.targets
            assert not batch.tokens[padding].any()
            assert not batch.targets[~batch.mask].any()
            assert not batch.mask[padding].any()
            assert batch.mask.any(axis=1).all()


@everywhere
def test_a_task_says_whether_the_last_token_alone_is_scored(name: str) -> None:
    for task in samples(name):
        batch = task.sample(0, 300)
        at_end = np.arange(batch.tokens.shape[1]) == batch.lengths[:, None] - 1
        assert task.scored_at_end == bool((batch.mask == at_end).all())


@everywhere
def test_every_scored_position_asks_about_a_position_of_its_input(name: str) -> None:
    for task in samples(name):
        batch = task.sample(4, 60)
        positions = asked_positions(task, batch)
        assert positions.shape == (int(batch.mask.sum()),)
        assert 1 <= positions.min() <= positions.max() <= task.token_count


@everywhere
def test_a_chain_ends_with_its_stop_token_and_lies_in_the_vocabulary(name: str) -> None:
    for task in samples(name):
        tokens = task.sample(6, 1).row(0)
        chain = chain_of(task, tokens)
        assert chain is None or {*chain} <= {*range(task.vocabulary)}


@everywhere
def test_the_text_of_an_input_reads_back(name: str) -> None:
    for task in samples(name):
        batch = task.sample(5, 50)
        for r in range(50):
            assert task.read(task.text(batch.row(r))) == batch.row(r)


@everywhere
def test_the_number_of_tokens_is_the_formula_that_people_read(name: str) -> None:
    for task in samples(name):
        longest = task.sample(0, 300).lengths
        assert longest.max() <= task.token_count
        if getattr(task, "distribution", "evaluation") == "evaluation":
            assert {*longest.tolist()} == {task.token_count}
        formula = re.sub(r"(\d) ([A-Za-z])", r"\1 * \2", task.tokens)
        assert eval(formula, {"N": task.length, **vars(task)}) == task.token_count


@everywhere
def test_a_row_counts_only_if_every_scored_position_is_right(name: str) -> None:
    task = samples(name)[0]
    batch = task.sample(2, 8)
    assert task.score(batch.targets, batch) == 1
    predictions = np.where(batch.mask, batch.targets, 1)
    assert task.score(predictions, batch) == 1
    last = np.flatnonzero(batch.mask[5])[-1]
    predictions[5, last] = (predictions[5, last] + 1) % task.targets
    assert task.score(predictions, batch) == 7 / 8


@looked_at
def test_every_leak_in_words_shows_in_the_numbers_and_every_large_number_has_its_words(name: str) -> None:
    report = audit(samples(name)[0])
    assert report["disagreements"] == 0
    assert {*leaking(report["shortcuts"])} == {shortcut for leak in task_class(name).known_leaks for shortcut in leak.shown_by}


def test_a_fresh_process_draws_the_same_data() -> None:
    script = "from tests.laws.test_tasks import fingerprints; import json; print(json.dumps(fingerprints()))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT, timeout=120)
    assert json.loads(run.stdout) == fingerprints()


def test_making_every_task_loads_neither_torch_nor_numba() -> None:
    script = (
        "import sys; from separatrix.tasks import TASKS, task_at, task_class\n"
        "every = [task_at(name, task_class(name).drawn_at) for name in TASKS]\n"
        "print(len(every), *sorted({'torch', 'numba'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT, timeout=120)
    assert run.stdout.split() == [str(len(TASKS))]


def fingerprints() -> dict[str, str]:
    """A digest of what every task draws."""
    digests = {}
    for name in TASKS:
        digest = hashlib.sha256()
        for task in samples(name):
            for batch in batches(task, examples=40, cases=10):
                digest.update(repr([*rows(batch)]).encode())
        digests[name] = digest.hexdigest()
    return digests


def batches(task: Task, examples: int = EXAMPLES, cases: int = CASES) -> Iterator[Batch]:
    """Samples and all adversarial cases."""
    yield task.sample(7, examples)
    for kind in task.case_kinds:
        yield task.cases(kind, 11, cases)


def rows(batch: Batch) -> Iterator[tuple[list[int], list[int], list[bool]]]:
    """The examples of a batch without their padding."""
    for r, n in enumerate(batch.lengths):
        yield batch.tokens[r, :n].tolist(), batch.targets[r, :n].tolist(), batch.mask[r, :n].tolist()


def test_every_task_says_what_kind_of_question_it_is() -> None:
    kinds = {"retrieval", "comparison", "Boolean functions", "languages", "dynamic programs", "graphs and machines"}
    assert {task_class(name).about for name in TASKS} == kinds


@everywhere
def test_lengths_beyond_all_reason_are_refused_in_one_line(name: str) -> None:
    with pytest.raises(BadInput, match=r"length N must be at most 10\^12, found about 10\^26"):
        task_at(name, {**task_class(name).drawn_at, "length": 10**26})


@everywhere
def test_no_single_token_gives_the_answer_away(name: str) -> None:
    """At the default parameters, among examples with one and the same token at a place there are two answers, whatever the place."""
    for settings in (task_class(name).drawn_at, task_class(name).audited_at):
        task = task_at(name, settings)
        batch = task.sample(0, 500)
        rows = [(batch.row(r), batch.answer(r)) for r in range(500)]
        for place in range(max(len(tokens) for tokens, _ in rows)):
            answers: dict[int, set[object]] = {}
            for tokens, answer in rows:
                if place < len(tokens):
                    answers.setdefault(tokens[place], set()).add(answer)
            assert any(len(told) > 1 for told in answers.values()), f"{task}: token {place + 1} gives the answer away"

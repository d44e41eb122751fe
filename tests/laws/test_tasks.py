"""Every task against its promises."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from separatrix.tasks import TASKS, Batch, Task, make_task
from separatrix.tasks.next_symbol import NextSymbol
from tests.tasks.solvers import CONFRONTED

ROOT = Path(__file__).parents[2]
MET = 23  # entries of TASKS, counted by hand
UNCOUNTED = ("function",)  # what its promise is only its author knows
EXAMPLES = 1500  # of every setting that is sampled
CASES = 200  # of every kind of adversarial cases

everywhere = pytest.mark.parametrize("name", sorted(TASKS))


def test_no_task_is_left_out() -> None:
    assert set(CONFRONTED) == set(TASKS)
    assert len(TASKS) == MET


@everywhere
def test_what_is_drawn_has_the_answer_of_the_oracle_and_of_the_second_solver(name: str) -> None:
    for task in CONFRONTED[name].samples(name):
        for batch in batches(task):
            for r in range(len(batch.tokens)):
                assert_right(name, task, batch, r)


def assert_right(name: str, task: Task, batch: Batch, r: int) -> None:
    tokens = batch.row(r)
    answer = task.answer(tokens)
    assert answer is not None, f"drawn outside the promise: {task.text(tokens)}"
    assert answer == CONFRONTED[name].solve(task, tokens), task.text(tokens)
    if not isinstance(task, NextSymbol):
        assert batch.answer(r) == answer, task.text(tokens)
        return
    for t in np.flatnonzero(batch.mask[r]):  # there the target is one draw among the symbols that may follow
        assert batch.targets[r, t] in task.answer(tokens[: t + 1]), task.text(tokens)


@everywhere
def test_on_every_string_of_a_tiny_size_the_oracle_the_second_solver_and_the_enumeration_agree(name: str) -> None:
    task = make_task(name, **CONFRONTED[name].tiny)
    enumerated = [*task.inputs()]
    length = len(enumerated[0])
    assert 0 < len(enumerated) == len({*enumerated})
    promised = set()
    for tokens in itertools.product(range(task.vocabulary), repeat=length):
        answer = task.answer(tokens)
        assert answer == CONFRONTED[name].solve(task, tokens), task.text(tokens)
        if answer is not None:
            promised.add(tokens)
    assert promised == {*enumerated}


@everywhere
def test_what_a_task_says_about_its_inputs_is_so(name: str) -> None:
    task = make_task(name, **CONFRONTED[name].tiny)
    enumerated = [*task.inputs()]
    assert task.input_count == (0 if name in UNCOUNTED else len(enumerated))
    alphabets = task.alphabets()
    assert len(alphabets) == len(enumerated[0])
    for ids, met in zip(alphabets, zip(*enumerated, strict=True), strict=True):
        assert {*met} <= {*ids} <= {*range(task.vocabulary)}
    assert {*task.position_kinds} <= {*task.case_kinds}


@everywhere
def test_the_batch_in_which_an_example_is_drawn_does_not_matter(name: str) -> None:
    for task in CONFRONTED[name].samples(name):
        together = task.sample(3, 40)
        apart = [task.sample(3, 13, start=0), task.sample(3, 1, start=13), task.sample(3, 0, start=14), task.sample(3, 26, start=14)]
        assert [*rows(together)] == [row for batch in apart for row in rows(batch)]


@everywhere
def test_another_seed_is_other_data(name: str) -> None:
    for task in CONFRONTED[name].samples(name):
        assert [*rows(task.sample(0, 40))] != [*rows(task.sample(1, 40))]


@everywhere
def test_ids_lie_in_the_vocabulary_and_nothing_stands_or_counts_in_the_padding(name: str) -> None:
    for task in CONFRONTED[name].samples(name):
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
def test_the_text_of_an_input_reads_back(name: str) -> None:
    for task in CONFRONTED[name].samples(name):
        batch = task.sample(5, 50)
        for r in range(50):
            assert task.read(task.text(batch.row(r))) == batch.row(r)


@everywhere
def test_the_number_of_tokens_is_the_formula(name: str) -> None:
    for task in CONFRONTED[name].samples(name):
        if getattr(task, "distribution", "evaluation") == "evaluation":
            tokens = eval(re.sub(r"(\d) N", r"\1 * N", task.tokens), {"N": task.length})
            assert {*task.sample(0, 20).lengths.tolist()} == {tokens}


@everywhere
def test_a_row_counts_only_if_every_scored_position_is_right(name: str) -> None:
    task = CONFRONTED[name].samples(name)[0]
    batch = task.sample(2, 8)
    assert task.score(batch.targets, batch) == 1
    said = np.where(batch.mask, batch.targets, 1)
    assert task.score(said, batch) == 1
    last = np.flatnonzero(batch.mask[5])[-1]
    said[5, last] = (said[5, last] + 1) % task.targets
    assert task.score(said, batch) == 7 / 8


def test_a_fresh_process_draws_the_same_data() -> None:
    script = "from tests.laws.test_tasks import fingerprints; import json; print(json.dumps(fingerprints()))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT, timeout=120)
    assert json.loads(run.stdout) == fingerprints()


def test_making_every_task_loads_neither_torch_nor_numba() -> None:
    script = (
        "import sys; from tests.tasks.solvers import CONFRONTED\n"
        "made = [confronted.samples(name) for name, confronted in CONFRONTED.items()]\n"
        "print(len(made), *sorted({'torch', 'numba'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT, timeout=120)
    assert run.stdout.split() == [str(MET)]


def fingerprints() -> dict[str, str]:
    """A digest of what every task draws."""
    found = {}
    for name in TASKS:
        digest = hashlib.sha256()
        for task in CONFRONTED[name].samples(name):
            for batch in batches(task, examples=40, cases=10):
                digest.update(repr([*rows(batch)]).encode())
        found[name] = digest.hexdigest()
    return found


def batches(task: Task, examples: int = EXAMPLES, cases: int = CASES) -> Iterator[Batch]:
    """Samples and all adversarial cases."""
    yield task.sample(7, examples)
    for kind in task.case_kinds:
        yield task.cases(kind, 11, cases)


def rows(batch: Batch) -> Iterator[tuple[list[int], list[int], list[bool]]]:
    """The examples of a batch without their padding."""
    for r, n in enumerate(batch.lengths):
        yield batch.tokens[r, :n].tolist(), batch.targets[r, :n].tolist(), batch.mask[r, :n].tolist()

import numpy as np

from separatrix.certificates.evaluator import rows_of
from separatrix.tasks.index_lookup import IndexLookup
from separatrix.training.batches import batches, permutation

TASK = IndexLookup(length=12, symbols=5, distribution="training")


def test_a_fresh_batch_is_the_next_stretch_of_the_stream() -> None:
    of_step, stream = batches(TASK, 4, 0, seed=7), TASK.sample(7, 12)
    for step in range(3):
        batch = of_step(step)
        for r in range(4):
            assert batch.row(r) == stream.row(4 * step + r)


def test_a_finite_set_comes_once_in_every_epoch_and_in_another_order() -> None:
    of_step, finite = batches(TASK, 4, 10, seed=7), TASK.sample(7, 10)
    rows = [of_step(step).row(r) for step in range(5) for r in range(4)]  # two epochs
    whole = sorted(finite.row(r) for r in range(10))
    assert sorted(rows[:10]) == sorted(rows[10:]) == whole
    assert rows[:10] != rows[10:]
    assert rows == [finite.row(int(j)) for epoch in (0, 1) for j in permutation(10, epoch, 7)]


def test_a_step_of_a_finite_set_does_not_depend_on_the_steps_before() -> None:
    one, other = batches(TASK, 4, 10, seed=7), batches(TASK, 4, 10, seed=7)
    late = one(9)
    for step in range(10):
        early = other(step)
    assert np.array_equal(late.tokens, early.tokens)
    assert np.array_equal(late.targets, early.targets)


def test_the_order_depends_on_the_seed() -> None:
    assert sorted(permutation(50, 0, 1)) == list(range(50))
    assert list(permutation(50, 0, 1)) != list(permutation(50, 0, 2))


def test_some_rows_keep_only_the_padding_they_need() -> None:
    batch = TASK.sample(0, 50)
    shortest = int(batch.lengths.argmin())
    part = rows_of(batch, np.array([shortest]))
    assert part.tokens.shape == (1, batch.lengths[shortest])
    assert part.row(0) == batch.row(shortest)
    assert part.answer(0) == batch.answer(shortest)

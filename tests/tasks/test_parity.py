from __future__ import annotations

from separatrix.tasks.parity import Parity
from tests.tasks.plain_counter import Draws


def test_the_language_has_the_strings_with_an_even_number_of_ones() -> None:
    task = Parity(3)
    members = [task.text(tokens) for tokens in task.inputs() if task.answer(tokens)]
    assert members == ["0 0 0 <eos>", "0 1 1 <eos>", "1 0 1 <eos>", "1 1 0 <eos>"]


def test_examples_replay_from_the_documented_draws() -> None:
    task = Parity(20)
    batch = task.sample(4, 50, start=7)
    for r in range(50):
        draws = Draws(task, 4, 7 + r)
        assert batch.row(r) == (*(draws.high(c, 2) for c in range(20)), 2)


def test_labels_are_balanced() -> None:
    share = Parity(30).sample(0, 10_000).targets[:, -1].mean()
    assert abs(share - 0.5) < 0.02  # 4 standard deviations

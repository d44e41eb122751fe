"""Chains of dynamic programs in the words of the public data: what is written is the public line, and runs are planted as there."""

from __future__ import annotations

import numpy as np
import pytest

from separatrix.errors import BadInput
from separatrix.tasks import make_task
from separatrix.tasks.capabilities import tokens_read
from separatrix.tasks.edit_distance_chain import EditDistanceChain
from separatrix.tasks.edit_distance_local_chain import EditDistanceLocalChain
from separatrix.tasks.lis_chain import LisChain
from separatrix.tasks.programs.public_chain import PublicChain
from separatrix.training.examples import examples

TASKS: tuple[PublicChain, ...] = (
    LisChain(40),
    LisChain(12, 12),
    EditDistanceChain(6),
    EditDistanceChain(3, 4, 3),
    EditDistanceChain(2, 26, 7),
)


@pytest.mark.parametrize("task", TASKS, ids=repr)
def test_prompt_and_chain_are_the_line_of_the_public_data(task: PublicChain) -> None:
    batch = task.sample(3, 30)
    for r in range(30):
        tokens = batch.row(r)
        prompt, chain = task.entries(tokens), task.chain(tokens)
        assert prompt is not None
        assert chain is not None
        assert task.text([*tokens, *chain[:-1]]) == task.program.benchmark_line(prompt)
        assert chain[-2] == task.answer(tokens)


def test_an_example_by_hand() -> None:
    lis, edit = LisChain(4, 6), EditDistanceChain(2, 2, 3)
    assert lis.text(lis.chain(lis.read("7 5 6 8 <sep>")) or ()) == "1 1 2 3 <sep> 3 <eos>"
    assert edit.text(edit.chain(edit.read("a b | b a a <sep>")) or ()) == "3 1 2 , 1 3 4 , <sep> 4 <eos>"


def test_words_are_written_again_before_every_row() -> None:
    local, edit = EditDistanceLocalChain(2, 2, 3), EditDistanceChain(2, 2, 3)
    prompt = local.read("a b | b a a <sep>")
    assert local.text(local.chain(prompt) or ()) == "a b | b a a | 1 3 1 2 , b | b a a | 2 1 3 4 , <sep> 4 <eos>"
    assert local.answer(prompt) == edit.answer(prompt) == 4
    assert [tokens_read(EditDistanceLocalChain(n)) for n in (6, 12, 20)] == [159, 492, 1216]  # without the end, as in the public data


@pytest.mark.parametrize("n", [3, 6])
def test_every_word_of_a_local_chain_follows_from_its_place_and_the_last_words(n: int) -> None:
    """n1 + 2 n2 + 4 of them reach what the program needs; with two fewer, two chains differ at one place after the same words."""
    task = EditDistanceLocalChain(n, 2)
    window = n + 2 * task.other_length + 4
    lines = [(*tokens, *(task.chain(tokens) or ())) for tokens in task.sample(0, 1000).tokens.tolist()]

    def ambiguous(seen: int) -> bool:
        next_word: dict[tuple[int, ...], int] = {}
        for line in lines:
            for at in range(task.token_count, len(line)):
                before = (at, *line[max(0, at - seen) : at])
                if next_word.setdefault(before, line[at]) != line[at]:
                    return True
        return False

    assert not ambiguous(window)
    assert ambiguous(window - 2)


def test_the_published_lengths_of_a_chain() -> None:
    """The smallest and the next sizes: 83 and 223 words for 40 and 110 numbers, 72 and 210 for words of 6 and 12 letters."""
    assert [tokens_read(LisChain(n, n)) for n in (40, 110)] == [83, 223]
    assert [tokens_read(EditDistanceChain(n)) for n in (6, 12)] == [72, 210]


@pytest.mark.parametrize("task", [EditDistanceChain(5, 4, 6), EditDistanceLocalChain(5, 4, 6)], ids=repr)
def test_values_are_those_of_the_program(task: PublicChain) -> None:
    for tokens in task.cases("extremes", 1, 20).tokens.tolist() + task.sample(1, 20).tokens.tolist():
        prompt = task.entries(tokens)
        assert prompt is not None
        assert task.values(prompt) == task.program.values(prompt)


def test_runs_are_planted_so_that_long_subsequences_occur() -> None:
    """Uniform numbers have about 2 sqrt(N) = 13 at N = 40; with one run of 3 .. 40 the longest has up to 40."""
    batch = LisChain(40).sample(0, 400)
    lengths = batch.targets[batch.mask]
    assert lengths.max() > 30
    assert lengths.min() >= 3


def test_edited_words_are_closer_than_fresh_ones() -> None:
    batch = EditDistanceChain(12).sample(0, 400)
    distances = np.sort(batch.targets[batch.mask])
    assert distances[40] < 15 < distances[-40]


def test_every_token_of_a_chain_is_trained() -> None:
    batch = examples(make_task("lis-chain", length=5, symbols=9), 0, 3)
    assert batch.mask.sum(axis=1).tolist() == [8, 8, 8]  # five values, a separator, the answer, the end


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: LisChain(40, 39), "symbols must lie in 40..4096, found 39"),
        (lambda: EditDistanceChain(6, 27), "symbols must lie in 2..26, found 27"),
        (lambda: EditDistanceChain(6, 26, 5), "second must be at least 6, found 5"),
        (lambda: EditDistanceChain(6, using=0), "using must be at least 1"),
    ],
)
def test_sizes_that_cannot_be_are_refused(make: object, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        make()  # type: ignore[operator]

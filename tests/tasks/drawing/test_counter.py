from __future__ import annotations

import hashlib

import numpy as np

from separatrix.tasks import make_task
from separatrix.tasks.drawing.counter import BLOCK, GOLDEN, below, integers, mix, stream_key, words
from tests.tasks.plain_counter import Draws


def test_mixing_multiples_of_the_golden_word_gives_splitmix64() -> None:
    # The first outputs of splitmix64 with seed 0, as its authors' C program prints them.
    assert [*map(hex, mix(GOLDEN * np.arange(1, 4, dtype=np.uint64)))] == ["0xe220a8397b1dcdaf", "0x6e789e6aa1b965f4", "0x6c45d188009454f"]


def test_words_follow_their_definition() -> None:
    task = make_task("index-lookup", length=3)
    drawn_words = words(task.key(9), [0, 5, 2**40], [0, 1, 70_000])
    for row, example in zip(drawn_words, [0, 5, 2**40], strict=True):
        assert row.tolist() == [Draws(task, 9, example).word(draw) for draw in (0, 1, 70_000)]


def test_the_blocks_in_which_words_are_mixed_do_not_show() -> None:
    draws = np.arange(BLOCK + 3)
    whole = words(1, [4, 5], draws)
    assert (whole[1] == words(1, [5], draws)[0]).all()
    assert (whole[:, -5:] == words(1, [4, 5], draws[-5:])).all()


def test_mix_leaves_its_argument_alone() -> None:
    z = np.array([1, 2], dtype=np.uint64)
    mix(z)
    assert z.tolist() == [1, 2]


def test_below_takes_the_share_that_the_high_half_names() -> None:
    word = np.array([0, 2**63 - 1, 2**63, 2**64 - 1], dtype=np.uint64)
    assert below(word, 10).tolist() == [0, 4, 5, 9]
    assert below(word, [1, 2, 3, 2**32]).tolist() == [0, 0, 1, 2**32 - 1]


def test_integers_are_below_of_words() -> None:
    assert (integers(3, range(5), range(7), 12) == below(words(3, range(5), range(7)), 12)).all()


def test_the_key_is_the_digest_of_the_canonical_document() -> None:
    canonical = '{"parameters":{"a":1,"é":null},"seed":7,"task":"t"}'
    assert stream_key("t", {"é": None, "a": 1}, 7) == int.from_bytes(hashlib.sha256(canonical.encode()).digest()[:8], "big")

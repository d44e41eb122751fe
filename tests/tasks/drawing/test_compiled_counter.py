from __future__ import annotations

import numpy as np

from separatrix.tasks.drawing import compiled_counter, counter


def test_the_compiled_words_are_the_words() -> None:
    key = np.uint64(2**64 - 3)
    for example in (0, 1, 2**40):
        start = np.uint64(compiled_counter.stream(key, example))
        results = [compiled_counter.word(start, draw) for draw in (0, 1, 99)]
        assert results == counter.words(int(key), [example], [0, 1, 99])[0].tolist()


def test_both_halves_of_a_word_are_cut_the_same_way() -> None:
    high, low = np.uint64(0xFFFFFFFF_00000000), np.uint64(0x00000000_FFFFFFFF)
    assert [compiled_counter.below(word, 10) for word in (high, low)] == [9, 0]
    assert [compiled_counter.below_low(word, 10) for word in (high, low)] == [0, 9]

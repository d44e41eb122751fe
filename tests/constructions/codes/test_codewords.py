"""Counting codewords agrees with comparing all pairs, one by one."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from separatrix.constructions.parts.codes.codewords import coherence_of, least_weight, two_sided_coherence_of, weight_enumerator


def some_generator(k: int, bits: int) -> np.ndarray:
    return ((np.arange(k)[:, None] * 2654435761 + np.arange(bits) ** 3 * 40503 + 12345) >> 7 & 1).astype(np.uint8)


@pytest.mark.parametrize(("k", "bits"), [(1, 1), (5, 3), (16, 4), (17, 9), (33, 10)])
def test_the_counts_are_those_of_a_plain_loop_over_all_inputs(k: int, bits: int) -> None:
    G = some_generator(k, bits)
    loop = Counter(int(sum(G @ np.array(x) % 2)) for x in product((0, 1), repeat=bits))
    assert dict(enumerate(weight_enumerator(G))) == {w: loop[w] for w in range(k + 1)}


def test_the_identity_has_binomially_many_words_beyond_one_block_too() -> None:
    assert weight_enumerator(np.eye(19, dtype=np.uint8)).tolist() == [math.comb(19, w) for w in range(20)]


def test_coherence_is_read_off_the_lightest_and_the_heaviest_word() -> None:
    counts = np.array([1, 0, 3, 0, 0, 4, 0])  # k = 6: products 6 - 2 * 2 and 6 - 2 * 5
    assert coherence_of(counts) == Fraction(2, 6)
    assert two_sided_coherence_of(counts) == Fraction(4, 6)


def test_two_inputs_with_one_word_have_coherence_one() -> None:
    assert coherence_of(weight_enumerator(np.array([[1, 1], [1, 1]], dtype=np.uint8))) == 1


def test_the_least_weight_is_the_softmax_of_every_position() -> None:
    G = some_generator(24, 6)
    signs = 1 - 2 * (((np.arange(64)[:, None] >> np.arange(6)) & 1) @ G.T % 2)
    logits = np.concatenate([0.3 * signs @ signs.T, np.zeros((64, 2))], axis=1)
    weights = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    assert np.diag(weights) == pytest.approx(least_weight(weight_enumerator(G), 0.3, others=2), rel=1e-12)


def test_the_binary_digits_give_the_closed_form() -> None:
    eta, L = 0.9, 12
    counts = weight_enumerator(np.eye(L, dtype=np.uint8))
    assert least_weight(counts, eta) == pytest.approx(1 / ((1 + math.exp(-2 * eta)) ** L + math.exp(-eta * L)), rel=1e-12)

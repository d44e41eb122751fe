"""Counters that wrap around."""

from __future__ import annotations

import random

import pytest
import torch

from separatrix.bounds.languages.enumeration import automata
from separatrix.bounds.languages.monoid import syntactic_monoid
from separatrix.bounds.languages.wrapping import wrapped_counter
from separatrix.tasks.languages.given import given_language


@pytest.mark.parametrize(("language", "bits"), [("@parity", 1), ("(aaaa)*", 2), ("((a|b)(a|b))*", 1), ("a*", 0), ("group:c16", 4)])
def test_a_counter_of_k_bits_does_it(language: str, bits: int) -> None:
    automaton = given_language(language).automaton
    found = wrapped_counter(automaton)
    assert found is not None
    assert found.bits == bits
    draw = random.Random(1)
    for _ in range(50):  # words of any length, run
        word = [draw.randrange(len(automaton.alphabet)) for _ in range(draw.randrange(200))]
        counter = sum(found.steps[a] for a in word) % (1 << bits)
        assert counter == found.numbers[automaton.run(word)]


@pytest.mark.parametrize("language", ["@mod-3", "(ab)*", "@s3", "group:v4", "@flip-flop"])
def test_no_counter_does_these(language: str) -> None:
    assert wrapped_counter(given_language(language).automaton) is None


def test_exactly_the_languages_of_cyclic_two_groups() -> None:
    """Against the monoid: as many elements as states, a power of two, and one of them of that order."""
    met = 0
    for states in (1, 2, 3, 4):
        for automaton in automata(states):
            monoid = syntactic_monoid(automaton)
            assert monoid is not None
            cyclic = len(monoid) == states and states & (states - 1) == 0 and int(monoid.periods.max()) == states
            assert (wrapped_counter(automaton) is not None) == cyclic
            met += cyclic
    assert met > 10


@pytest.mark.parametrize("language", ["@parity", "(aaaa)*", "group:c16"])
def test_one_number_of_eight_bits_counts_it_where_sums_wrap_around_and_not_where_they_saturate(language: str) -> None:
    """h <- h + B x in torch's int8, as linear attention without a quotient adds up; the steps are moved to the highest bits."""
    automaton = given_language(language).automaton
    found = wrapped_counter(automaton)
    assert found is not None
    shift = 8 - found.bits
    drive = torch.tensor([step << shift for step in found.steps]).to(torch.int8)
    word, draw = [], random.Random(2)
    wrapped, saturated, differ = torch.zeros((), dtype=torch.int8), 0, 0
    for _ in range(3000):
        word.append(draw.randrange(len(automaton.alphabet)))
        wrapped = wrapped + drive[word[-1]]
        assert wrapped.dtype == torch.int8
        assert (int(wrapped) % 256) >> shift == found.numbers[automaton.run(word)]
        saturated = max(-128, min(127, saturated + int(drive[word[-1]])))
        differ += (saturated % 256) >> shift != found.numbers[automaton.run(word)]
    assert differ > 500

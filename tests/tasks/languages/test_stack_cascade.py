"""Brackets of bounded depth are recognised by their automaton, and their cascade covers it."""

from __future__ import annotations

import random

import pytest

from separatrix.tasks.languages.automata import Automaton, minimal, numbered
from separatrix.tasks.languages.cascades import keep_or_reset, serial, with_end
from separatrix.tasks.languages.gallery import named_language
from separatrix.tasks.languages.regular_expression import automaton
from separatrix.tasks.languages.stack_cascade import brackets_of, star_free_cascade
from separatrix.tasks.languages.stacks import stack_moves


def brackets(types: int, depth: int, order: list[int]) -> Automaton:
    """The language over letters in any order."""
    rows = {q: tuple(row[a] for a in order) for q, row in enumerate(stack_moves(types, depth))}
    return minimal(numbered(tuple("abcdefgh"[: 2 * types]), rows, 0, {0}))


@pytest.mark.parametrize(("types", "depth"), [(2, 1), (2, 2), (2, 3), (3, 2), (4, 1)])
def test_the_cascade_keeps_or_resets_and_covers_the_language_whatever_its_letters_are_called(types: int, depth: int) -> None:
    order = random.Random(types + depth).sample(range(2 * types), 2 * types)
    for language in (brackets(types, depth, order), with_end(brackets(types, depth, order), "<eos>")):
        found = star_free_cascade(language)
        assert found.covers()
        assert serial(found).covers()
        assert len(found.reachable) < 300
        for c in (c for layer in found.layers for c in layer):
            assert all(change == tuple(range(c.values)) or len({*change}) == 1 for change in c.changes.values())


def test_other_languages_are_left_to_the_general_search() -> None:
    for text in ("(ab)*", "(ab|cd)*e", "(a(ab)*b)*", "(ab|ba)*", "(ab|cd)*|c"):
        language = automaton(text)
        assert brackets_of(language) is None
        assert star_free_cascade(language) == keep_or_reset(language)
    one_type, more = named_language("dyck-1-2"), brackets(2, 2, [0, 1, 2, 3])
    assert brackets_of(one_type) is None
    wrong = (*more.moves[:-1], tuple(0 for _ in more.moves[-1]))
    assert brackets_of(Automaton(more.alphabet, wrong, more.accepting)) is None

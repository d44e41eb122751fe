from __future__ import annotations

from collections import Counter

import pytest
from automata.fa.dfa import DFA

from separatrix.bounds.languages.enumeration import automata
from separatrix.bounds.languages.monoid import syntactic_monoid
from separatrix.tasks.languages import periods
from separatrix.tasks.languages.automata import Automaton
from separatrix.tasks.languages.gallery import named_language
from separatrix.tasks.languages.periods import Period, TooLarge, blocks_until_still, period
from separatrix.tasks.languages.regular_expression import automaton


def shows_a_period(language: Automaton, witness: Period) -> bool:
    """After p blocks the automaton is where it was, and not all of x u^i y are members, asked of another library."""
    dfa = DFA(
        states=set(range(language.states)),
        input_symbols=set(language.alphabet),
        transitions={q: dict(zip(language.alphabet, row, strict=True)) for q, row in enumerate(language.moves)},
        initial_state=0,
        final_states=set(language.accepting),
    )
    answers = [dfa.accepts_input("".join(language.alphabet[a] for a in witness.word(i))) for i in range(3 * witness.p)]
    again = language.run(witness.u * witness.p, language.run(witness.x)) == language.run(witness.x)
    return again and len({*answers[: witness.p]}) == 2 and answers == answers[: witness.p] * 3


def test_the_witnesses_of_parity_and_of_remainders() -> None:
    assert period(named_language("parity")) == Period((), (1,), (), 2)
    assert period(named_language("mod-5")) == Period((), (1,), (), 5)
    assert period(automaton("b(aa)*b")) == Period((1,), (0,), (1,), 2)
    assert period(named_language("parity")).document(("0", "1")) == {"x": [], "u": ["1"], "y": [], "p": 2}  # type: ignore[union-attr]


def test_a_language_has_a_witness_unless_it_is_star_free() -> None:
    without = Counter[int]()
    for states in (1, 2, 3):
        for language in automata(states):
            witness, monoid = period(language), syntactic_monoid(language)
            assert monoid is not None
            assert (witness is None) == monoid.aperiodic
            assert witness is None or shows_a_period(language, witness)
            without[states] += witness is None
    assert without == {1: 2, 2: 10, 3: 162}


def test_no_shorter_word_counts() -> None:
    """(ab)* against words of even length: the period of ((a|b)(a|b))* is seen by one letter, that of (ab|ba)* over pairs by two."""
    assert len(period(automaton("(..)*", "ab")).u) == 1  # type: ignore[union-attr]
    only_blocks = automaton("(abab)*")  # a and b alone lead nowhere twice
    witness = period(only_blocks)
    assert witness is not None
    assert (len(witness.u), witness.p) == (2, 2)
    for letter in (0, 1):
        assert only_blocks.run((letter,) * 5) == only_blocks.run((letter,) * 6)


def test_the_length_at_which_every_stack_stands_still() -> None:
    assert blocks_until_still(1, 2, 1) == 1
    assert blocks_until_still(3, 16, 2) == 45
    assert blocks_until_still(2, 10, 2, (4, 4)) == 2 * 9 + 2 + 2  # three letters reach over two blocks
    assert blocks_until_still(2, 10, 3, (4, 4)) == 2 * 9 + 1 + 1
    assert blocks_until_still(1, 10, 1, (1,)) == 9


def test_a_search_that_ends_early_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise a language that counts only far out would be called star-free."""
    monkeypatch.setattr(periods, "MAPS", 3)
    with pytest.raises(TooLarge):
        period(automaton("(abab)*"))


@pytest.mark.slow
def test_52_970_of_the_languages_of_at_most_four_states_have_a_witness() -> None:
    blocks, cycles, longest = Counter[int](), Counter[int](), 0
    for states in range(1, 5):
        for language in automata(states):
            witness = period(language)
            if witness is not None:
                q = language.run(witness.x)
                assert language.run(witness.u * witness.p, q) == q
                assert len({language.accepts(witness.word(i)) for i in range(witness.p)}) == 2
                blocks[len(witness.u)] += 1
                cycles[witness.p] += 1
                longest = max(longest, len(witness.word(1)))
    assert sum(blocks.values()) == 57_068 - 4_098
    assert blocks == {1: 48_614, 2: 3_460, 3: 896}
    assert cycles[2] == 30_814
    assert longest <= 5

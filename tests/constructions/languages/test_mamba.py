from __future__ import annotations

import json
import random

import pytest
import torch

import separatrix as sx
from separatrix.bounds.languages.enumeration import automata
from separatrix.certificates.built import Built
from separatrix.certificates.simulation import simulate
from separatrix.tasks.languages.automata import Automaton
from separatrix.tasks.languages.periods import period


def built_for(language: Automaton, arithmetic: str, length: int = 30) -> Built:
    return sx.build("regular/mamba", length=length, language=json.dumps(language.document()), arithmetic=arithmetic)


def right_everywhere(built: Built, language: Automaton, words: list[list[int]]) -> bool:
    """All positions at once, and the recurrence, against the automaton after every letter."""
    tokens = torch.tensor(words)
    labels = torch.tensor([[int(language.accepts(word[: t + 1])) for t in range(len(word))] for word in words])
    with torch.no_grad():
        at_once = built.model(tokens)
        state, stepped = built.model.initial_state(len(words)), []
        for t in range(tokens.shape[1]):
            state, logits = built.model.step(state, tokens[:, t])
            stepped.append(logits)
    return all(bool((logits.argmax(dim=2) == labels).all()) for logits in (at_once, torch.stack(stepped, dim=1)))


def sample() -> list[Automaton]:
    star_free = [language for states in (1, 2, 3) for language in automata(states) if period(language) is None]
    return [*star_free[:2], *random.Random(1).sample(star_free, 5)]


@pytest.mark.parametrize("arithmetic", ["float32", "float64"])
def test_star_free_languages_are_recognised_at_all_lengths(arithmetic: str) -> None:
    draw = random.Random(2)
    for language in sample():
        built = built_for(language, arithmetic)
        found = simulate(built.model, language, len(language.alphabet))
        assert found.holds
        assert found.margin > 0.9
        assert len(built.model.layers) == max(1, language.states - 1)  # a stack has a layer
        words = [[draw.randrange(2) for _ in range(100)] for _ in range(8)] + [[0] * 100, [1] * 100, [0, 1] * 50]
        assert right_everywhere(built, language, words)


def test_three_layers_with_a_neutral_letter_over_hundreds_of_tokens() -> None:
    built = sx.build("regular/mamba", length=400, language="c*(ac*(ac*bc*)*bc*)*")
    language = built.task.automaton  # type: ignore[attr-defined]
    draw = random.Random(3)
    words = []
    for _ in range(4):  # letters that do not lead into the state from which nothing is accepted
        word, state = [], 0
        for _ in range(400):
            word.append(draw.choice([a for a, r in enumerate(language.moves[state]) if {*language.moves[r]} != {r}]))
            state = language.moves[state][word[-1]]
        words.append(word)
    assert right_everywhere(built, language, words)
    assert len(built.model.layers) <= language.states - 1


def test_a_kept_state_stays_bit_for_bit_the_same() -> None:
    built = sx.build("regular/mamba", length=10, language="@flip-flop", arithmetic="float32")
    state, _ = built.model.step(built.model.initial_state(1), torch.tensor([1]))
    for _ in range(4):  # until the convolution holds nothing but reads
        state, _ = built.model.step(state, torch.tensor([2]))
    first = [tensor.clone() for tensor in state.layers[0]]
    for _ in range(300):
        state, logits = built.model.step(state, torch.tensor([2]))
    assert all(torch.equal(one, other) for one, other in zip(first, state.layers[0], strict=True))
    assert logits.argmax() == 1


def test_one_changed_weight_breaks_it() -> None:
    built = sx.build("regular/mamba", length=10, language="@flip-flop")
    with torch.no_grad():
        built.model.layers[0].mixer.select[0, 1] = 0.0  # type: ignore[union-attr, index]  nothing is ever kept
    language = built.task.automaton  # type: ignore[attr-defined]
    assert simulate(built.model, language, 3).wrong is not None


@pytest.mark.slow
def test_all_4_098_star_free_languages_of_at_most_four_states() -> None:
    """The weights depend on the accepting states in the read-out alone, so each table of moves is simulated with all its languages."""
    known: dict[object, Built] = {}
    met = 0
    for states in range(1, 5):
        for language in automata(states):
            if period(language) is not None:
                continue
            met += 1
            if language.moves not in known:
                known = {language.moves: built_for(language, "float32")}
                assert simulate(known[language.moves].model, language, len(language.alphabet)).holds
                continue
            built = built_for(language, "float32")
            before, after = known[language.moves].model.state_dict(), built.model.state_dict()
            assert all(torch.equal(before[name], after[name]) for name in after if not name.startswith("readout.weight"))
            assert torch.equal(after["readout.weight"].sum(dim=0), before["readout.weight"].sum(dim=0))
    assert met == 4_098

"""The state itself after every symbol, by every architecture that has weights for it."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product

import pytest
import torch

import separatrix as sx
from separatrix.checker.replay import Proof
from separatrix.checker.specs import spec_of
from separatrix.checker.specs.forms.automaton import Automaton, Tracker
from separatrix.checker.weights import Tensors
from separatrix.constructions import CONSTRUCTIONS
from separatrix.tasks.languages.gallery import named_language
from tests.checker.replay.built import built, judged

STAR_FREE, COUNT_TWO, ANY = ("dyck-1-2", "flip-flop"), ("parity",), ("s3", "third-last-is-1")
TRACKED = {  # what each is tried on; the first is proven at every length
    **dict.fromkeys(("mamba", "mamba2", "deltanet", "gated-deltanet", "selective-rnn-positive"), STAR_FREE),
    **dict.fromkeys(("selective-rnn", "one-symmetric-layer"), COUNT_TWO),
    "deltaproduct": (*STAR_FREE, *COUNT_TWO),
    "deltanet-negative": (*COUNT_TWO, *STAR_FREE),
    **dict.fromkeys(("elman", "gru", "lstm", "rank-one", "pd"), ANY),
}


def test_there_are_no_others() -> None:
    assert {f"state-tracking/{by}" for by in TRACKED} == {name for name in CONSTRUCTIONS if name.startswith("state-tracking/")}


@pytest.mark.parametrize("by", TRACKED)
def test_every_state_of_every_short_word_and_of_long_ones_is_right(by: str) -> None:
    for language in TRACKED[by]:
        automaton, draw = named_language(language), random.Random(3)
        letters = range(len(automaton.alphabet))
        made = sx.build(f"state-tracking/{by}", length=60, language=f"@{language}")
        words = [[*word, *draw.choices(letters, k=60 - 5)] for word in product(letters, repeat=5)]
        wanted = [[automaton.run(word[: t + 1]) for t in range(60)] for word in words]
        with torch.no_grad():
            assert made.model(torch.tensor(words)).argmax(dim=2).tolist() == wanted


@pytest.mark.parametrize("by", TRACKED)
def test_it_is_proven_and_but_for_one_at_every_length(by: str) -> None:
    proof = judged(built(f"state-tracking/{by}", length=8, language=f"@{TRACKED[by][0]}"))
    assert isinstance(proof, Proof)
    assert (proof.every_length is None) == (by == "deltanet-negative")  # a flip forgets nothing, and the checker knows its key nearly


def test_a_model_that_is_right_at_the_last_token_alone_is_not_proven() -> None:
    """Words of two letters of {aa, ab, ba} are in other states after one letter than after two; the read-out exchanges the first."""
    model, weights, spec = built("state-tracking/lstm", length=2, language="aa|ab|ba")
    tracker = spec.form()
    assert isinstance(tracker, Tracker)
    first = sorted({tracker.step(0, a) for a in range(2)})
    assert len(first) == 2
    assert not {tracker.step(q, a) for q in first for a in range(2)} & {*first}

    def exchange(tensors: Tensors) -> None:
        tensors["readout.weight"][first] = tensors["readout.weight"][first[::-1]]

    at_the_end = replace(spec, form=lambda: Automaton(tracker.alphabets, tracker.start, tracker.step, tracker.answer))
    assert isinstance(judged((model, weights, spec)), Proof)
    assert isinstance(judged((model, weights, at_the_end), exchange), Proof)
    assert "the right answer may trail" in str(judged((model, weights, spec), exchange))


def test_one_input_of_each_length_is_a_constant_at_one_length() -> None:
    assert _form("(aa)*").constant()
    assert not _form("(ab)*").constant()


def _form(language: str) -> Tracker:
    form = spec_of("state-tracking", {"length": 5, "language": language, "alphabet": None}).form()
    assert isinstance(form, Tracker)
    return form

from __future__ import annotations

import json
import random

import pytest
import torch

import separatrix as sx
from separatrix.bounds.languages.enumeration import automata
from separatrix.certificates.simulation import simulate
from separatrix.tasks.languages.gallery import named_language

WAYS = ("regular/rank-one", "regular/pd")


@pytest.mark.parametrize("arithmetic", ["float32", "float64"])
@pytest.mark.parametrize("way", WAYS)
def test_any_language_is_recognised_at_all_lengths_in_one_layer(way: str, arithmetic: str) -> None:
    languages = [*automata(2), *random.Random(1).sample(list(automata(3)), 12)]
    for language in [*languages, *map(named_language, ("s3", "mod-5", "dyck-2-2", "flip-flop"))]:
        built = sx.build(way, length=5, language=json.dumps(language.document()), arithmetic=arithmetic)
        found = simulate(built.model, language, len(language.alphabet))
        assert found.holds
        assert found.pairs == language.states  # the one-hot states themselves, and nothing else
        assert found.margin == 1.0
        assert simulate(built.model, language, None).holds
        assert len(built.model.layers) == 1


@pytest.mark.parametrize("way", WAYS)
def test_all_positions_at_once_agree_with_the_automaton_on_a_long_word(way: str) -> None:
    language = named_language("s3")
    built = sx.build(way, length=300, language="@s3", arithmetic="float32")
    draw = random.Random(4)
    words = [[draw.randrange(2) for _ in range(300)] for _ in range(3)]
    with torch.no_grad():
        said = built.model(torch.tensor(words)).argmax(dim=2).tolist()
    assert said == [[int(language.accepts(word[: t + 1])) for t in range(300)] for word in words]


@pytest.mark.parametrize(("way", "tensor"), [("regular/rank-one", "read"), ("regular/pd", "tables")])
def test_one_changed_weight_is_found(way: str, tensor: str) -> None:
    built = sx.build(way, length=5, language="@s3")
    with torch.no_grad():
        matrix = getattr(built.model.layers[0].mixer, tensor)
        row, column = (matrix != 0).nonzero()[0].tolist()
        matrix[row, column] = 0.0 if tensor == "read" else -1.0
    assert not simulate(built.model, built.task.automaton, 2).holds  # type: ignore[attr-defined]


@pytest.mark.parametrize("language", ["@parity", "@s3", "@cycle-navigation", "@last-is-1", "@flip-flop"])
def test_reflections_and_projections_with_unit_keys_track_letters_that_permute_or_reset(language: str) -> None:
    built = sx.build("regular/one-symmetric-layer", length=12, language=language)
    mixer = built.model.layers[0].mixer
    F, h = mixer.config.factors, mixer.config.state
    moved, read = (getattr(mixer, name).detach().reshape(F, h, -1) for name in ("moved", "read"))
    for token in range(built.task.vocabulary):
        for a, b in zip(moved[:, :, token], read[:, :, token], strict=True):
            beta = float(a @ b)  # I - a b^T = I - beta k k^T, where k k^T has the trace 1
            assert beta in (0.0, 1.0, 2.0)
            assert (a[:, None] * b == b[:, None] * a).all()
    assert simulate(built.model, built.task.automaton, len(built.task.letters)).holds

"""Every function of a count by two softmax layers: all counts, all lengths up to N, one set of weights."""

from __future__ import annotations

import json

import numpy as np
import pytest
import torch

from separatrix.certificates.verify import trial, verify
from separatrix.checker import check_text
from separatrix.constructions import build
from separatrix.constructions.other.soft_symmetric import counted
from separatrix.errors import BadInput
from separatrix.tasks import make_task

NAME = "regular/soft-attention"


def any_set(counts: set[int], N: int) -> str:
    """The automaton of the words over 0 and 1 whose number of 1s is in a set; above N nothing is."""
    moves = {str(k): {"0": str(k), "1": str(min(k + 1, N + 1))} for k in range(N + 2)}
    return json.dumps({"alphabet": ["0", "1"], "start": "0", "accepting": [str(k) for k in sorted(counts)], "moves": moves})


@torch.no_grad()
def test_random_sets_of_counts_are_decided_at_every_length() -> None:
    rng = np.random.default_rng(0)
    for N in (1, 5, 40):
        counts = {k for k in range(N + 1) if rng.integers(2)}
        model = build(NAME, length=N, language=any_set(counts, N)).model
        for n in range(1, N + 1):
            rows = np.array([[*rng.permutation([1] * k + [0] * (n - k)), 2] for k in range(n + 1)])
            assert model(torch.from_numpy(rows), at=-1).argmax(dim=-1).tolist() == [int(k in counts) for k in range(n + 1)], (N, n)


@pytest.mark.parametrize(("language", "N"), [("@mod-3", 200), ("@parity", 30), (".*1.*1.*1.*", 50), ("@ones", 20), ("b*ab*", 60)])
def test_languages_of_counts_are_right_and_as_wide_as_parity(language: str, N: int) -> None:
    built = build(NAME, length=N, language=language)
    assert (built.sizes()["width"], built.sizes()["layers"]) == (9, 2)
    assert trial(built, [{"kind": kind, "seed": 5, "count": 50} for kind in ("random", "one-symbol")]).holds


def test_all_words_of_nine_symbols_are_certified() -> None:
    verdict = check_text(verify(build(NAME, length=9, language="0*10*10*")).to_json())
    assert (verdict.holds, verdict.strength) == (True, "exhaustive"), verdict.reason


def test_the_count_of_one_symbol_is_found() -> None:
    assert counted(make_task("regular", length=4, language="@mod-3")) == (1, [1, 0, 0, 1, 0])  # type: ignore[arg-type]
    assert counted(make_task("regular", length=3, language="@ones")) == (0, [1, 0, 0, 0])  # type: ignore[arg-type]


def test_a_changed_entry_of_the_table_is_refuted() -> None:
    built = build(NAME, length=8, language="@mod-3")
    with torch.no_grad():
        built.model.state_dict()["embedding.places.1.address.table"][2] = 1.0
    assert not verify(built).holds


@pytest.mark.parametrize("language", ["(ab)*", "@dyck-1-2", "@tomita-5", "@s3"])
def test_languages_in_which_the_order_or_two_counts_matter_are_refused(language: str) -> None:
    with pytest.raises(BadInput, match="expected a language that depends on how often one symbol occurs"):
        build(NAME, length=8, language=language)

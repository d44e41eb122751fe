"""The specs write the chains of the tasks, by other code."""

from __future__ import annotations

import numpy as np
import pytest

from separatrix.checker.cases import drawn, families
from separatrix.tasks.capabilities import chain_limit, chain_of, search_of, vectors_of
from tests.checker.specs.settings import DRAWN, Setting, both, named

THINKING = [setting for setting in DRAWN if setting[1].get("thought", "none") != "none" or setting[0] == "arithmetic"]
PROGRAMS = [setting for setting in DRAWN if both(*setting)[1].vectors]


@pytest.mark.parametrize("setting", THINKING, ids=named)
def test_the_spec_writes_the_chain_of_the_task(setting: Setting) -> None:
    task, spec = both(*setting)
    assert spec.decoder == ("greedy" if search_of(task) is None else "retrieval")
    assert spec.written == chain_limit(task)
    for family in families(spec):
        for tokens, _ in drawn(spec, family, 4, 12):
            chain = spec.chain(tokens.tolist())
            assert chain == chain_of(task, tokens.tolist())
            assert 1 < len(chain) <= chain_limit(task)
            assert len(tokens) + len(chain) <= spec.tokens


@pytest.mark.parametrize("setting", PROGRAMS, ids=named)
def test_the_spec_writes_the_vectors_of_the_task(setting: Setting) -> None:
    task, spec = both(*setting)
    assert spec.decoder == "rounding"
    for family in families(spec):
        cases = np.stack([tokens for tokens, _ in drawn(spec, family, 4, 12)])
        vectors = vectors_of(task, cases)
        assert vectors is not None
        for r, tokens in enumerate(cases):
            assert spec.as_read(tokens).tolist() == vectors[0][r].tolist()
            chain = spec.chain(tokens.tolist())
            assert [[*vector] for vector in chain] == vectors[1][r].tolist()
            assert spec.written == len(chain) - 1  # the zero vector is never read
    assert len(PROGRAMS) >= 3

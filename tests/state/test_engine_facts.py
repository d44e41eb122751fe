"""The defaults and spellings in engine.json are those of transformers' own classes."""

from __future__ import annotations

import json

import pytest

from tests.state.engine_facts import FILE, facts


@pytest.mark.filterwarnings("ignore")
def test_engine_json_is_what_the_classes_say() -> None:
    stored = json.loads(FILE.read_text(encoding="utf-8"))
    installed = json.loads(json.dumps(facts(stored["wrappers"])))
    for kind, entry in installed["types"].items():
        assert stored["types"][kind] == entry, f"{kind}: run python -m tests.state.engine_facts and look at what changed"
    assert stored == installed

"""The panel of least widths against N."""

from __future__ import annotations

import json
from typing import Any

from separatrix.studies.least_widths import LEARNED, growth_panel


def point(name: str, length: int, value: float) -> dict[str, Any]:
    return {"name": name, "kind": LEARNED, "length": length, "value": value}


def test_a_model_that_was_tried_at_one_size_says_so_beside_its_leader() -> None:
    drawn = [point("LSTM", 8, 6), point("LSTM", 16, 12), point("Mamba", 8, 4)]
    panel = growth_panel(drawn, {"LSTM": "red", "Mamba": "blue"}, (8, 16), "Least width", "width", {})
    written = json.dumps(panel["layer"][-2:])
    assert "Mamba, at N = 8 only" in written
    assert "LSTM" in written
    assert "LSTM, at" not in written

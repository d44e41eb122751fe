"""The notebook runs from top to bottom and prints what it shows; no kernel is needed for that, its cells are plain Python."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stdout
from typing import Any

from tests.docs.reading import ROOT

NOTEBOOK = ROOT / "examples" / "tour.ipynb"


def test_the_notebook_runs_and_prints_what_it_shows() -> None:
    book = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in book["cells"]}) == len(book["cells"])
    space: dict[str, Any] = {}
    code = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
    assert len(code) == 5
    for number, cell in enumerate(code, 1):
        printed = io.StringIO()
        with redirect_stdout(printed):
            exec(compile("".join(cell["source"]), f"cell {number}", "exec"), space)
        (shown,) = cell["outputs"]
        assert cell["execution_count"] == number
        assert printed.getvalue() == "".join(shown["text"]), f"cell {number}: run the notebook again"

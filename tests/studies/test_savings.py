"""Whether efficient attention saves operations: at built widths it does not, except on local chains."""

from __future__ import annotations

from separatrix.studies.savings import CELLS, figure, run


def test_built_linear_and_sparse_programs_cost_more_than_the_standard_one() -> None:
    costs = {}
    for cell in CELLS:
        if cell["program"] == "reverse-sum":
            costs[cell["attention"]] = run(cell)
    for standard, linear, sparse in zip(*(costs[way] for way in ("standard", "linear", "sparse")), strict=True):
        assert standard["operations"] < min(linear["operations"], sparse["operations"])
        assert standard["width"] == 21
        assert linear["of_mixing"] > 0
    assert all(1.9 < rows[0]["power_of_L"] < 2.01 for rows in costs.values())  # 2 in Table 1; width like sqrt L, squared, times L
    assert [row["by"] for row in costs["linear"]] == ["built"] * 4 + ["formula"] * 5
    assert 100_000 <= costs["linear"][-1]["L"] < 110_000


def test_the_figure_has_a_panel_for_every_program() -> None:
    rows = [{"program": p, "attention": "standard", "L": 3, "operations": 5, "power_of_L": 1.0} for p in ("lis", "edit-distance")]
    assert [panel["title"]["text"] for panel in figure(rows)["concat"]] == ["Longest increasing subsequence", "Edit distance"]

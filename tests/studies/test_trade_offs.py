"""The trade-offs: narrow addresses pay in range, and each construction breaks where it says."""

from __future__ import annotations

from separatrix.studies.trade_offs import PROGRAMS, figure, holds_in, largest_noise, row


def test_the_quadratic_address_is_narrow_and_its_logits_are_large() -> None:
    (equality,) = (one for one in PROGRAMS if one.construction == "equality")
    narrow, wide = row(equality, "quadratic"), row(equality, "binary")
    assert narrow["width"] == 7 < wide["width"] == 16  # 1 + 3 * 2 and 1 + 3 * 5 at N = 32
    assert narrow["largest_logit"] == 3 * 32**2 > wide["largest_logit"]
    assert wide["least_f"] == 5  # log2 N, forced by the uniform weight 1/N


def test_a_format_that_cannot_hold_the_logits_is_refused() -> None:
    assert holds_in("index-lookup", {"length": 32, "address": "quadratic"}, "float16") == "refused"
    assert holds_in("index-lookup", {"length": 32, "address": "binary"}, "float16") == "holds"


def test_noise_breaks_the_quadratic_address_first() -> None:
    assert largest_noise("index-lookup", {"length": 32, "address": "quadratic"}) < largest_noise(
        "index-lookup", {"length": 32, "address": "binary"}
    )


def test_the_printed_widths_follow_the_papers_formula() -> None:
    # k = (8 / gamma^2) ln 2N = 128 ln 64 = 532.3 at N = 32, rounded up to 533
    # recall among n keys: d' = log2 n signs, gamma = 2 / d' / 100, (8 / gamma^2) ln 4N: 2426016 at d' = 5, 3493462 at 6
    assert {one.construction: one.printed_width for one in PROGRAMS} == {
        "index-lookup": 6 + 2 * 533, "equality": 3 + 2 * 533, "intersects": 1 + 3 * 533, "k-dnf": 1 + 3 * 533,
        "mqar": 5 + 2 * 2426016, "associative-recall": 6 + 2 * 3493462,
    }  # fmt: skip


def test_the_figure_draws_every_row() -> None:
    rows = [{"largest_logit": 1.0, "width": 2, "construction": "a", "address": "b"}]
    assert [panel["data"]["values"] for panel in figure(rows)["concat"]] == [rows, rows]

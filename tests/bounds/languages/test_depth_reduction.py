"""The depth reduction with numbers: shapes of hard attention, and the lengths from which all of them fail on PARITY."""

from __future__ import annotations

from fractions import Fraction

import pytest

from separatrix.architectures import Quantity
from separatrix.bounds.languages.depth_reduction import DepthReduction
from separatrix.bounds.limits import bounds_for
from separatrix.checker import check_document
from separatrix.checker.kinds.depth_reduction import reduced
from separatrix.checker.seal import Refused
from separatrix.errors import BadInput
from separatrix.tasks import make_task


@pytest.mark.parametrize(("layers", "heads"), [(1, 1), (1, 8), (2, 1), (2, 8), (3, 1), (3, 2)])
def test_the_checker_accepts_every_shape(layers: int, heads: int) -> None:
    found = DepthReduction(layers, heads)
    verdict = check_document(found.certificate())
    assert verdict.holds, verdict.reason
    assert verdict.strength == "proven"
    assert len(verdict.evidence) == layers + 1


def test_more_layers_and_more_heads_hold_out_longer() -> None:
    by_heads = [DepthReduction(2, heads).least for heads in (1, 2, 4, 8)]
    by_layers = [DepthReduction(layers, 1).least for layers in (1, 2, 3)]
    assert by_heads == sorted({*by_heads})
    assert by_layers == sorted({*by_layers})


def test_by_hand_one_step_with_one_head() -> None:
    """c = 1, C = 1, eta = 1/4, q = 1/2, delta = 1/24, k = 425: f = 8 k^2, D = 4, and 85 places share no bit."""
    step = (1, Fraction(1), 1, Fraction(1, 4), Fraction(1, 2), Fraction(1, 24))
    share, least = reduced(*step, 425, "step")
    assert 85 / 4 >= 8 * 425**2 / (425**2 - 1) + 0.6931471806 * 19  # 2 k^2 = 361,250 has 19 binary digits
    assert share == Fraction(1, 2) * (1 - Fraction(25, 48))
    assert least == 5189  # 0.6931471806 over 1/6912 - 2/180624 = 0.000133603
    with pytest.raises(Refused, match="too short for the Local Lemma"):
        reduced(*step, 420, "step")


def test_the_share_counts_where_bits_are_fixed_twice() -> None:
    """2^c c/k must stay below eta C, not only below eta, as is printed."""
    with pytest.raises(Refused, match="more than eta C"):
        reduced(1, Fraction(1, 100), 1, Fraction(1, 4), Fraction(1, 2), Fraction(1, 24), 500, "step")


def test_a_list_by_new_inputs_covers_what_the_printed_one_leaves_out() -> None:
    """The entry on Lemma 4: places that depend on {1}, {2}, {1, 3}, lists of three."""
    places = [{1}, {2}, {1, 3}, {4}]

    def owns(chosen: list[int]) -> bool:
        return all(places[i] - set().union(*(places[j] for j in chosen if j != i)) for i in chosen)

    assert owns([0, 1, 3])
    assert not owns([0, 1, 2])
    assert places[2] - (places[0] | places[1] | places[3]) == {3}  # a new input before the end of the printed list


def test_bounds_print_the_layers_of_hard_attention_where_they_are_known() -> None:
    def layers(length: int) -> list[int]:
        rows = bounds_for(make_task("parity", length=length), 32)
        return [row.value for row in rows if row.quantity is Quantity.LAYERS_ONE_HEAD]

    assert (layers(100), layers(999), layers(7097), layers(7098)) == ([], [2], [2], [3])


@pytest.mark.parametrize(("layers", "heads", "says"), [(0, 1, "1 to 3 layers"), (4, 1, "cannot be written out"), (2, 9, "1 to 8 heads")])
def test_shapes_beyond_are_refused(layers: int, heads: int, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        DepthReduction(layers, heads)

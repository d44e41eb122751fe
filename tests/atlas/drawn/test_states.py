"""Bits as bars: filled up to what is needed, outlined up to what suffices."""

from __future__ import annotations

import re

import pytest

from separatrix.atlas.drawn.states import BIT, DOUBLING, TALL, bit_bars, height_of, state_lines
from separatrix.atlas.pages.tasks import model_states
from separatrix.models import make_model


def test_heights_are_in_proportion_to_bits() -> None:
    picture = str(bit_bars([0, 2, 11], [0, 2, 11], "bits"))
    heights = [float(h) for h in re.findall(r'class="column mark"[^>]* height="([\d.]+)"', picture)]
    assert heights == [0, 20, 110]
    assert TALL == 110
    assert 'class="column open"' not in picture
    assert re.findall(r'class="note"[^>]*>(\d+)<', picture) == ["0", "2", "11"]


def test_a_single_bit_is_no_tower() -> None:
    assert f'height="{BIT}"' in str(bit_bars([0, 1], [0, 1], ""))


def test_what_suffices_is_outlined_where_it_is_more() -> None:
    picture = str(bit_bars([1, 2], [1, 4], ""))
    assert re.findall(r'class="column open"[^>]* height="([\d.]+)"', picture) == ["104"]
    assert re.findall(r'class="note quiet"[^>]*>(\d+)<', picture) == ["0", "4", "1"]


def test_lines_of_models_stand_over_the_bars_and_are_named_at_their_end() -> None:
    picture = str(state_lines([0, 1, 3], [("small", (7, 7, 7)), ("growing", (0, 1, 3))], "beside"))
    heights = [float(h) for h in re.findall(r'class="column mark"[^>]* height="([\d.]+)"', picture)]
    assert heights == [0, DOUBLING, 2 * DOUBLING]  # log2(1 + bits)
    assert height_of(7) == 3 * DOUBLING
    assert re.findall(r'text-anchor="start">([^<]+)<', picture) == ["small: 7", "growing: 3"]


@pytest.mark.parametrize(("name", "carried"), model_states(5))
def test_the_lines_are_the_state_bits_that_the_models_declare(name: str, carried: tuple[int, ...]) -> None:
    model = make_model(name, vocabulary=4, targets=2)
    assert [model.state_bits(length=t, dtype="float32") for t in range(1, 5)] == list(carried[1:])

"""Bits as bars: filled up to what is needed, outlined up to what suffices."""

from __future__ import annotations

import re

from separatrix.atlas.drawn.states import BIT, TALL, bit_bars


def test_heights_are_in_proportion_to_bits() -> None:
    picture = str(bit_bars([0, 2, 11], [0, 2, 11], "bits"))
    heights = [float(h) for h in re.findall(r'class="column mark"[^>]* height="([\d.]+)"', picture)]
    assert heights == [0, 20, 110]
    assert TALL == 110
    assert 'class="column open"' not in picture
    assert re.findall(r'class="note "[^>]*>(\d+)<', picture) == ["0", "2", "11"]


def test_a_single_bit_is_no_tower() -> None:
    assert f'height="{BIT}"' in str(bit_bars([0, 1], [0, 1], ""))


def test_what_suffices_is_outlined_where_it_is_more() -> None:
    picture = str(bit_bars([1, 2], [1, 4], ""))
    assert re.findall(r'class="column open"[^>]* height="([\d.]+)"', picture) == ["104"]
    assert re.findall(r'class="note quiet"[^>]*>(\d+)<', picture) == ["0", "4", "1"]

"""Addresses of many places: how many bits of a codeword are gone through, and how many places share a gap."""

from __future__ import annotations

import numpy as np
import pytest

from separatrix.checker.numbers.addresses import CODEWORDS, sign_gaps
from separatrix.checker.numbers.boxes import Box
from separatrix.checker.seal import Unproven

ONE, NONE = Box(np.ones((1, 1))), Box(np.zeros((1, 1)))


def test_codewords_are_counted_up_to_so_many_bits_and_no_further() -> None:
    """A sign that is the parity of 22 bits: half of the 2^22 places have another one, and of the others p itself is none."""
    gaps, counts = sign_gaps(ONE, NONE, np.ones((1, CODEWORDS), dtype=np.uint8), 1 << CODEWORDS, "here")
    assert gaps.tolist() == [0.0, 2.0]
    assert counts.tolist() == [(1 << 21) - 1, 1 << 21]
    with pytest.raises(Unproven, match=f"need 22 to {CODEWORDS} bits of an index, found 23"):
        sign_gaps(ONE, NONE, np.ones((1, CODEWORDS + 1), dtype=np.uint8), 1 << CODEWORDS, "here")


def test_fewer_bits_than_places_need_are_refused() -> None:
    sign_gaps(ONE, NONE, np.ones((1, 3), dtype=np.uint8), 8, "here")
    with pytest.raises(Unproven, match="9 places need 4 to 22 bits of an index, found 3"):
        sign_gaps(ONE, NONE, np.ones((1, 3), dtype=np.uint8), 9, "here")

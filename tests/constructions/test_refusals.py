"""Bad input to this room is refused in one line that says what was expected and what was found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import separatrix as sx
from separatrix.certificates.verify import verify
from separatrix.constructions import build
from separatrix.constructions.bhattamishra2024.own_vectors import nearest_vectors
from separatrix.constructions.breaking_lengths import breaking_lengths
from separatrix.constructions.forms import slot_form
from separatrix.constructions.least_precision import least_fixed
from separatrix.constructions.parts.codes.codewords import weight_enumerator
from separatrix.constructions.parts.codes.galois import galois_field
from separatrix.constructions.parts.codes.near_orthogonal import almost_orthogonal
from separatrix.constructions.parts.codes.quadratic_forms import QuadraticForms
from separatrix.constructions.parts.codes.reed_solomon import ReedSolomon
from separatrix.constructions.uniformity import dependence
from separatrix.errors import BadInput

REFUSED: tuple[tuple[str, Callable[[], Any]], ...] = (
    (
        r"^the code has 2\^27 words of 4 signs: enumeration takes at most 2\^26 words and 2\^32 signs$",
        lambda: weight_enumerator(np.zeros((4, 27), dtype=np.uint8)),
    ),
    (r"^the field GF\(2\^m\) is tabulated for 1 <= m <= 16, found m = 17$", lambda: galois_field(17)),
    (
        r"^N = 17 lies outside \[1, 2\^4\], the positions that this code-rs distinguishes$",
        lambda: ReedSolomon(2, 2, 4).code().addresses(17),
    ),
    (r"^code-(qf|rs): a generator of \d+ x \d+ bits is too large, expected at most 2\^24 bits$", lambda: almost_orthogonal(2**64, 0.0001)),
    (r"^code-qf: a generator of 1048576 x 21 bits is too large, expected at most 2\^24 bits$", lambda: QuadraticForms(20, 0).generator()),
    ("expected float32 or float64", lambda: sx.build("regular/deltaproduct", length=10, language="(ab)*", arithmetic="fixed:8,2")),
    *(
        (
            f"expected fixed:p,f, float32 or float64, found {name}",
            lambda name=name: sx.build("regular/selective-rnn-positive", length=10, language="(ab)*", arithmetic=name),
        )
        for name in ("fixed:8,0", "bfloat16")
    ),
    ("expected a language whose groups are 2-groups", lambda: sx.build("regular/selective-rnn", length=10, language="@mod-3")),
    ("at least fixed:9,2", lambda: sx.build("regular/selective-rnn", length=10, language="@parity", arithmetic="fixed:8,2")),
    ("expected a star-free language", lambda: sx.build("regular/mamba", length=10, language="@parity")),
    ("expected float32 or float64", lambda: sx.build("regular/mamba", length=10, language="(ab)*", arithmetic="float16")),
    ("expected a native float", lambda: sx.build("regular/rank-one", length=5, language="(ab)*", arithmetic="fixed:8,0")),
    (
        "some letter neither permutes the states nor leads all of them to one",
        lambda: sx.build("regular/one-symmetric-layer", length=5, language="(ab)*"),
    ),
    (
        r"^copy/elman, N = 1000: 6006 units are above 4096: expected a shorter input or fewer symbols$",
        lambda: build("copy/elman", length=1000),
    ),
    (
        r"^copy, N = 5000: 30006 registers are above 4096: expected a shorter input or fewer symbols$",
        lambda: build("copy/linear-rnn", length=5000),
    ),
    (
        r"^copy, N = 16 needs a stream of at least 15 numbers \(slot .*\), found width = 8$",
        lambda: build("copy/retnet", length=16, symbols=2, width=8),
    ),
    ("expected a construction that takes a number format", lambda: next(breaking_lengths("index-lookup/recurrent", 20))),
    ("expected a longest length above 1, found 1", lambda: next(breaking_lengths("lis/standard", 1))),
    ("float16", lambda: verify(build("equality", length=64, arithmetic="float16"))),
    ("forms of 2 and 1 rows cannot be added", lambda: slot_form("a", 2) + slot_form("c", 1)),
    ("no fixed point of up to 64 bits can hold it", lambda: least_fixed("index-lookup", length=2**31, address="quadratic")),
    ("is lost in float32", lambda: nearest_vectors(3, "1,0\n0.8,0.6\n0.6,0.8\n", 1e-7, arithmetic="float32")),
    ("logits need integers up to", lambda: build("eq-ncp", length=3000, arithmetic="float32")),
    ("length N must be even", lambda: build("eq-ncp", length=5)),
    (r"^dyck: the machine has more than 1024 states, found at least 2047$", lambda: build("dyck/elman", length=40, depth=10)),
    (r"^equality: expected two different lengths, found 8 twice$", lambda: dependence("equality", 8, 8)),
    ("which bfloat16 does not hold exactly", lambda: build("lis/standard", length=10, compact=True, arithmetic="bfloat16")),
    ("built with positions=square", lambda: build("lis/standard", length=10, compact=True, positions="two-digit")),
    ("the last token of every block must be seen", lambda: build("reverse-sum/sparse", length=10, far=0)),
    ("has no exact form of linear attention", lambda: build("lis/linear", length=4, arithmetic="fixed:60,24")),
)


@pytest.mark.parametrize(("says", "call"), REFUSED)
def test_bad_input_is_refused_in_words(says: str, call: Callable[[], Any]) -> None:
    with pytest.raises(BadInput, match=says):
        call()

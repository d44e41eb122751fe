"""The best code for N positions, and the table of all families."""

from __future__ import annotations

import math
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
import torch

from separatrix.constructions.parts.codes.codewords import least_weight, weight_enumerator
from separatrix.constructions.parts.codes.near_orthogonal import Family, almost_orthogonal, families
from separatrix.constructions.parts.codes.random_signs import measured_coherence, measured_two_sided_coherence, paper_dimensions
from separatrix.errors import BadInput
from separatrix.models.positions import SignAddress

QUARTER = Fraction(1, 4)


def row(N: int, family: str, gamma: float | Fraction = QUARTER) -> Family:
    return next(result for result in families(N, gamma) if result.family == family)


def test_the_code_needs_16_32_64_128_128_dimensions() -> None:
    codes = [almost_orthogonal(10**e) for e in range(2, 7)]
    assert [code.dims for code in codes] == [16, 32, 64, 128, 128]
    assert [code.bits for code in codes] == [7, 11, 16, 22, 22]
    assert all(code.coherence == QUARTER and code.proof == "enumeration" for code in codes)


def test_beyond_two_to_the_22_the_smaller_of_the_two_codes_is_taken() -> None:
    assert [(code.family, code.dims, code.proof) for code in map(almost_orthogonal, (2**22 + 1, 10**8, 10**9, 2**64))] == [
        ("code-qf", 256, "theorem"), ("code-qf", 256, "theorem"), ("code-rs", 320, "theorem"), ("code-rs", 1280, "theorem"),
    ]  # fmt: skip


@pytest.mark.parametrize("gamma", [Fraction(1, 2), QUARTER, Fraction(1, 8), Fraction(1, 30)])
@pytest.mark.parametrize("N", [1, 2, 3, 5, 17, 100, 700])
def test_all_pairs_keep_the_coherence_asked_for(N: int, gamma: Fraction) -> None:
    assert measured_coherence(almost_orthogonal(N, gamma).addresses(N)) <= gamma
    assert measured_two_sided_coherence(almost_orthogonal(N, gamma, two_sided=True).addresses(N)) <= gamma


def test_the_address_module_of_the_models_makes_the_same_signs() -> None:
    code = almost_orthogonal(1000)
    module = SignAddress(torch.from_numpy(code.generator.copy()))
    assert (module(torch.arange(1, 1001), torch.float64).numpy() == code.addresses(1000)).all()
    assert module.stored_bits == code.stored_bits == 32 * 11


def test_the_last_address_is_that_of_zero_and_no_two_coincide() -> None:
    code = almost_orthogonal(16)
    signs = code.addresses(16)
    assert (signs[15] == code.address(0)).all()
    assert (signs[15] == 1).all()
    assert len({tuple(address) for address in signs.tolist()}) == 16


@pytest.mark.parametrize("N", [5, 16, 100, 128, 500])
def test_no_position_has_more_competitors_at_a_distance_than_there_are_words_of_that_weight(N: int) -> None:
    code = almost_orthogonal(N)
    counts = weight_enumerator(code.generator)
    signs = code.addresses(N).astype(int)
    apart = (code.dims - signs @ signs.T) // 2
    for p in range(N):
        result = np.bincount(apart[p], minlength=code.dims + 1)
        assert (result <= counts).all()
        assert 1 << code.bits > N or (result == counts).all()


def test_the_weight_among_a_million_positions_is_98_percent_at_the_papers_corrected_temperature() -> None:
    N = 10**6
    code = almost_orthogonal(N)
    counts = weight_enumerator(code.generator[:, :20])  # the digits that tell N positions apart
    assert 0.98 <= least_weight(counts, (4 / 3) * math.log(3 * N) / code.dims) <= 0.99


def test_the_table_of_families_at_a_quarter() -> None:
    names = ["code-qf", "code-rs", "random", "random-hoeffding", "one-hot", "binary", "quadratic"]
    expected = {
        10**2: [16, 32, 679, 295, 100, 7, 2],
        10**3: [32, 64, 973, 443, 1000, 10, 2],
        10**4: [64, 96, 1268, 590, 10**4, 14, 2],
        10**5: [128, 128, 1563, 737, 10**5, 17, 2],
        10**6: [128, 128, 1858, 885, 10**6, 20, 2],
    }
    for N, dimensions in expected.items():
        rows = families(N)
        assert [result.family for result in rows] == names
        assert [result.dimensions for result in rows] == dimensions
        assert {result.paper_dimensions for result in rows} == {dimensions[2]}


def test_each_row_says_how_its_coherence_is_known_and_what_it_stores() -> None:
    code = row(10**6, "code-qf")
    assert (code.coherence, code.known, code.stored_bits, code.meets) == (QUARTER, "enumeration", 128 * 22, True)
    assert code.note == "quadratic forms over GF(2^7), exponents 1, 5, 9"
    outer = row(10**9, "code-rs")
    assert (outer.dimensions, outer.coherence, outer.known) == (320, QUARTER, "theorem")
    drawn, far = row(200, "random"), row(10**6, "random")
    assert (drawn.known, drawn.meets, drawn.stored_bits) == ("measured", True, 200 * drawn.dimensions)
    assert (far.known, far.coherence) == ("theorem", QUARTER)
    assert "was not measured" in far.note
    assert (row(100, "one-hot").coherence, row(100, "one-hot").meets) == (0, True)
    assert (row(100, "quadratic").coherence, row(100, "quadratic").meets) == (None, False)


def test_random_vectors_too_long_to_draw_are_listed_all_the_same() -> None:
    # 8 * 10^6 ln 20 = 23965858.2
    assert (row(10, "random", 0.001).dimensions, row(10, "random", 0.001).known) == (23965859, "theorem")


def test_the_table_has_no_largest_n_and_no_smallest_coherence() -> None:
    # orthogonal or antipodal words are left: 2^(L - 1) dimensions for 2^L positions
    assert [result.dimensions for result in families(2**300, 1e-300)[:2]] == [2**299, 2**299]


@pytest.mark.parametrize("N", [2, 3, 4, 5, 16, 33])
def test_the_coherence_of_the_binary_digits_is_that_of_all_pairs(N: int) -> None:
    L = max(1, (N - 1).bit_length())
    signs = 1 - 2 * ((np.arange(1, N + 1)[:, None] >> np.arange(L)) & 1)
    assert row(N, "binary").coherence == measured_coherence(signs.astype(np.int8))


def test_a_smaller_coherence_takes_more_dimensions() -> None:
    # (m, d) = (4, 2), (5, 1), (6, 1), (8, 1) carry 11, 11, 10, 13 digits; m = 7 at 1/16 is left with linear forms, 8 digits
    assert [almost_orthogonal(1000, gamma).dims for gamma in (0.5, 0.25, 0.125, 0.0625)] == [16, 32, 64, 256]
    assert almost_orthogonal(1000, 0.0625).family == "code-qf"


@pytest.mark.parametrize(
    ("N", "gamma", "message"),
    [
        (100, 0.0, "the coherence must lie strictly between 0 and 1, found 0.0"),
        (100, 1, "the coherence must lie strictly between 0 and 1, found 1"),
        (0, 0.25, "the number of positions N must be an integer of at least 1, found 0"),
    ],
)
def test_bad_numbers_are_refused(N: int, gamma: float, message: str) -> None:
    for answer in (almost_orthogonal, families):
        with pytest.raises(BadInput) as refusal:
            answer(N, gamma)
        assert str(refusal.value) == message


def test_the_table_needs_no_torch() -> None:
    program = (
        "import sys\nfrom separatrix.constructions.parts.codes.near_orthogonal import families\n"
        "families(1000)\nsys.exit('torch' in sys.modules or 'numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_up_to_two_to_the_64_an_address_takes_at_most_21_dimensions_for_each_bit() -> None:
    """The paper's random draw takes 8 * 16 * ln 2 > 88 for each bit."""
    dims = {m: almost_orthogonal(1 << m).dims for m in range(1, 65)}
    assert all(dims[m] <= 21 * m < paper_dimensions(1 << m, Fraction(1, 4)) for m in dims)
    assert dims[61] == 1280  # so 20 for each bit are not enough
    assert [dims[m] for m in dims] == sorted(dims.values())

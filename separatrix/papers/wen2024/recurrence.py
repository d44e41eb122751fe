"""Appendix B.3: what a linear unit remembers."""

from __future__ import annotations

from separatrix.papers.statement import Erratum, Statement

LEMMA_B_20 = Statement(
    key="wen2024 Lemma B.20",
    kind="lemma",
    says=(
        "Recent inputs: for constant k and C, a linear unit holds C coordinates of the last k input vectors in its state, as a shift "
        "register."
    ),
    place="appendix B.3",
    proof="appendix B.3",
    errata=(
        Erratum(
            printed="h_t is built from x_(t-1)",
            true="by Definition 3.5 h_t takes in the current input x_t, so k past inputs need k + 1 registers for each coordinate",
            evidence="by hand: r_0 = x_t and r_j(t) = r_(j-1)(t-1) give r_j = x_(t-j)",
        ),
    ),
)

LEMMA_B_21 = Statement(
    key="wen2024 Lemma B.21",
    kind="lemma",
    says="Summation: a linear unit holds the sum of one coordinate of the last k input vectors.",
    place="appendix B.3",
    proof="appendix B.3",
    errata=(
        Erratum(
            printed="h_t = x_(t-1) + h_(t-1) holds the sum of the last k inputs",
            true=(
                "this is the sum of all inputs so far (with x_t, by Definition 3.5); a sum over the last k inputs also subtracts "
                "x_(t-k) from a register of Lemma B.20"
            ),
            evidence="by hand: nothing ever leaves the printed sum",
        ),
    ),
)

LEMMA_B_22 = Statement(
    key="wen2024 Lemma B.22",
    kind="lemma",
    says=(
        "Special positions: for constant k and C, a linear unit and a feed-forward network of width Ck hold C coordinates of the inputs "
        "at positions 1 to k; the network zeroes all later inputs and the unit sums."
    ),
    place="appendix B.3",
    proof="appendix B.3",
)

LEMMA_B_23 = Statement(
    key="wen2024 Lemma B.23",
    kind="lemma",
    says="Reciting: a feed-forward network of width kC outputs a fixed sequence of values in [C] at k fixed positions.",
    place="appendix B.3",
    proof="appendix B.3",
)

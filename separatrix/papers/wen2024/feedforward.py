"""Appendix B.1: what one ReGLU network computes, six gadgets."""

from __future__ import annotations

from separatrix.papers.statement import Erratum, Statement

LEMMA_B_1 = Statement(
    key="wen2024 Lemma B.1",
    kind="lemma",
    says="Multiplication: one ReGLU network of constant width computes the product of two given coordinates, for every real input.",
    place="appendix B.1",
    proof="appendix B.1",
    errata=(
        Erratum(
            printed="a ReLU on both factors, and the two units added",
            true="the second factor has no ReLU and the units are subtracted: relu(x) y - relu(-x) y",
            evidence=(
                "wrong on 147 of the 225 integer pairs in [-7, 7]^2 as printed, on 98 without the second ReLU but still added, on 0 as "
                "corrected"
            ),
        ),
    ),
)

LEMMA_B_2 = Statement(
    key="wen2024 Lemma B.2",
    kind="lemma",
    says="Linear maps: one ReGLU network of width d computes W x for a given d x d matrix W, with the gate held at 1 by its bias.",
    place="appendix B.1",
    proof="appendix B.1",
)

LEMMA_B_3 = Statement(
    key="wen2024 Lemma B.3",
    kind="lemma",
    says=(
        "Indicator: one ReGLU network of width 4 computes whether a coordinate equals a given integer B, if that coordinate is an integer."
    ),
    place="appendix B.1",
    proof="appendix B.1",
    errata=(
        Erratum(
            printed="output weights 10 (1, -1, -1, 1)",
            true="the signs must be 10 (1, -1, 1, -1)",
            evidence="as printed x - B = -3..3 gives 20, 20, 20, 9, 0, 0, 0; as corrected 0, 0, 0, 1, 0, 0, 0",
        ),
        Erratum(
            printed="biases B - 0.6 and B + 0.4",
            true="they are not dyadic and are rounded in R_p; relu(x-B+1) - 2 relu(x-B) + relu(x-B-1) is exact and has width 3",
            evidence="with the signs corrected the value at x = B is 1.25 for 4 fractional bits and 1.016 for 8",
        ),
    ),
)

LEMMA_B_4 = Statement(
    key="wen2024 Lemma B.4",
    kind="lemma",
    says=(
        "Lookup table: for constant B and k, one ReGLU network of width O(B^k) reads a table whose keys are k integers bounded by B and "
        "whose values lie in R_p, by indicators on the base-B code of the key."
    ),
    place="appendix B.1",
    proof="appendix B.1",
)

LEMMA_B_5 = Statement(
    key="wen2024 Lemma B.5",
    kind="lemma",
    says="Threshold: one ReGLU network of width 2 computes whether a coordinate is above u, if it is at most u - eps or at least u.",
    place="appendix B.1",
    proof="appendix B.1",
    errata=(
        Erratum(
            printed="four output weights for two units, and the final formula (2/eps)(relu(x-u-eps) - relu(x-u+0.5))",
            true="(2/eps)(relu(x-u+eps) - relu(x-u+eps/2)), as the biases say; it is 1 at x = u, so it tests x >= u",
            evidence=(
                "with u = 3 and eps = 1/4 the printed formula gives 0, -2, -4, -6, -6 at 2, 2.75, 3, 4, 9; the corrected one 0, 0, 1, 1, 1"
            ),
        ),
    ),
)

LEMMA_B_6 = Statement(
    key="wen2024 Lemma B.6",
    kind="lemma",
    says="Interval: one ReGLU network of width 4, a difference of two thresholds, computes whether a coordinate lies in [u, v].",
    place="appendix B.1",
    proof="appendix B.1",
    errata=(
        Erratum(
            printed="valid for x <= u - eps, x in [u, v], or x >= v",
            true="the last part must be x >= v + eps",
            evidence="by hand: between v and v + eps the second threshold rises from 0 to 1, so the value is not an indicator there",
        ),
    ),
)

"""Appendix A.1: what two-layer GeLU networks can compute."""

from __future__ import annotations

from separatrix.papers.statement import Erratum, Statement

LEMMA_A_1 = Statement(
    key="yang2024 Lemma A.1",
    kind="lemma",
    says="A GeLU network with 4 hidden units multiplies a and b in [-M, M] up to any eps > 0, with parameters polynomial in M and 1/eps.",
    place="appendix A.1",
    proof="not in this paper (Feng et al. 2023)",
    errata=(
        Erratum(
            printed="Any eps can be had.",
            true="Not in floating point. With input scale 1/lam the truncation error is a b (a^2 + b^2)/(3 lam^2), at most 2 M^4/(3 "
            "lam^2), and the rounding error about lam M u. The best lam = M u^(-1/3) leaves 1.1 to 1.4 times M^2 u^(2/3).",
            evidence="float64: about 2.8e-11 M^2 (1e-3 only for M up to some 6,000); float32: 1.7e-5 M^2 (M up to 7.5); bfloat16: "
            "unusable. Weights of 1e11 to 1e17 make it the one fragile gadget; where a factor is 0 or 1, relu(v + 2Ce - C) - Ce with |v| "
            "<= C - 1 is exact with one unit.",
        ),
    ),
)

LEMMA_A_2 = Statement(
    key="yang2024 Lemma A.2",
    kind="lemma",
    says="Every two-layer ReLU network with parameters up to M is matched, at all inputs and up to any eps, by a GeLU network of the same "
    "size with parameters polynomial in M and 1/eps.",
    place="appendix A.1",
    proof="not in this paper (Feng et al. 2023)",
    errata=(
        Erratum(
            printed="Parameters polynomial in M and 1/eps (no constant).",
            true="GeLU(lam x)/lam differs from ReLU(x) by at most 0.16997/lam, attained at lam |x| = 0.7518; if the kink is at least delta "
            "away and lam delta >= 9, by rounding only. So lam = 170 sum|W2| gives 1e-3.",
            evidence="Maximum over a fine grid; 0.17004/lam for the tanh form of GeLU.",
        ),
    ),
)

LEMMA_A_3 = Statement(
    key="yang2024 Lemma A.3",
    kind="lemma",
    says="A GeLU network with 2 d2 hidden units computes a linear map W x into d2 coordinates up to any eps, with parameters polynomial in "
    "max|W| and 1/eps.",
    place="appendix A.1",
    proof="not in this paper (Feng et al. 2023)",
    errata=(
        Erratum(
            printed="An approximation with parameters that grow with 1/eps.",
            true="It is exact at any scale and needs no large weights: GeLU(z) - GeLU(-z) = z, since Phi(z) + Phi(-z) = 1. The tanh form "
            "has the same symmetry.",
            evidence="Relative error 2.2e-16 in float64 on 20,000 random values.",
        ),
    ),
)

LEMMA_A_4 = Statement(
    key="yang2024 Lemma A.4",
    kind="lemma",
    says="A GeLU network with 2d + 2 hidden units selects x if t >= alpha and y if t <= -alpha (equation 11), up to any eps for x and y in "
    "[-M, M]^d and every such t, infinite ones included; parameters polynomial in M, 1/alpha and 1/eps.",
    place="appendix A.1, equation 11",
    proof="not in this paper (Feng et al. 2023)",
    errata=(
        Erratum(
            printed="t may be any number beyond alpha in size, up to infinity.",
            true="|t| must be bounded: x + C t - C t cancels, with an error of order C |t| u, C = 2M/alpha.",
            evidence="M = 100, alpha = 0.01, float64: below 1e-11 for |t| <= 1, some 1e-3 at 1e9, several units at 1e12.",
        ),
    ),
)

LEMMA_A_5 = Statement(
    key="yang2024 Lemma A.5",
    kind="lemma",
    says="A GeLU network with 2n hidden units maps every x within 1/3 of an integer i in 0..n to the vector of i ones followed by zeros, "
    "up to any eps.",
    place="appendix A.1",
    proof="appendix A.1, equation 12",
)

EQUATION_12 = Statement(
    key="yang2024 Equation 12",
    kind="equation",
    says="The k-th entry of the staircase, the indicator of k <= j, is written as a difference of two ReLUs of slope 2 with kinks at j - k "
    "= -3/4 and -1/4.",
    place="appendix A.1, proof of Lemma A.5",
    errata=(
        Erratum(
            printed="The ramp serves all x within 1/3 of an integer.",
            true="With slope 2 it serves radius 1/4 only. Slope 3 is right: relu(3(x - k) + 2) - relu(3(x - k) + 1).",
            evidence="At distance 1/3 the printed form gives 5/6 for 1 and 1/6 for 0; with slope 3 both are exact.",
        ),
    ),
)

LEMMA_A_6 = Statement(
    key="yang2024 Lemma A.6",
    kind="lemma",
    says="A GeLU network with 2n hidden units maps every x within 1/3 of an integer i in 0..n to the vector of i - 1 zeros followed by "
    "ones, up to any eps.",
    place="appendix A.1",
    proof="appendix A.1, equation 13",
)

EQUATION_13 = Statement(
    key="yang2024 Equation 13",
    kind="equation",
    says="The k-th entry of the mirrored staircase, the indicator of k >= j, as a difference of two ReLUs of slope 2.",
    place="appendix A.1, proof of Lemma A.6",
    errata=(
        Erratum(
            printed="The ramp serves all x within 1/3 of an integer.",
            true="Radius 1/4 only, as for equation 12; use relu(3(k - x) + 2) - relu(3(k - x) + 1).",
            evidence="Error 1/6 at distance 1/3; with slope 3, below 1e-15 at radius 0.3 once lam >= 100.",
        ),
    ),
)

LEMMA_A_7 = Statement(
    key="yang2024 Lemma A.7",
    kind="lemma",
    says="A GeLU network with O(n) hidden units maps every x within 1/4 of an integer i in 1..n^2 to ceil(i/n), ceil(i/n) - 1 and the "
    "place of i in its group of n, which is i mod n or n.",
    place="appendix A.1",
    proof="appendix A.1, equation 14",
    errata=(
        Erratum(
            printed="All three outputs depend on the nearest integer i only.",
            true="The third, x - n(ceil - 1), is linear in x and carries the error |x - i|, up to 1/4. A staircase on the slot cleans it.",
            evidence="Measured error equal to |x - i|; the first output is right to 1e-14.",
        ),
    ),
)

EQUATION_14 = Statement(
    key="yang2024 Equation 14",
    kind="equation",
    says="ceil(i/n) is written as the sum over j = 1..n of the indicators of i <= j n, each a difference of two ReLUs.",
    place="appendix A.1, proof of Lemma A.7",
    errata=(
        Erratum(
            printed="The sum of the indicators of i <= j n is ceil(i/n).",
            true="That sum is n + 1 - ceil(i/n). Right is 1 plus the sum over j = 1..n-1 of the indicators of i > j n, as relu(3(x - jn) - "
            "1) - relu(3(x - jn) - 2).",
            evidence="The printed sum is wrong on 67 to 100 % of i for n = 2..32 (right only where ceil(i/n) = (n + 1)/2); the repaired "
            "one is right everywhere.",
        ),
    ),
)

"""Many almost orthogonal sign vectors in few dimensions, the addresses of all constructions."""

from __future__ import annotations

from separatrix.papers.statement import Erratum, Statement

LEMMA_2 = Statement(
    key="bhattamishra2024 Lemma 2",
    kind="lemma",
    says=(
        "For every N and gamma there are N vectors with entries +-1/sqrt(k), k = O(log N / gamma^2), whose inner products are at least 1 - "
        "gamma with themselves and at most gamma with each other. The proof draws them at random with k = (8 / gamma^2) ln 2N."
    ),
    place="appendix B.3; used in section 3",
    proof="appendix B.3",
    errata=(
        Erratum(
            printed="Hoeffding gives P(|<X_i, X_j>| >= gamma) <= 2 exp(-k gamma^2 / 4), hence k = (8 / gamma^2) ln 2N.",
            true=(
                "The exponent is k gamma^2 / 2; since lookups need only the upper side, k = (4 / gamma^2) ln N suffices: at gamma = 1/4, "
                "295, 443, 590, 737, 885 instead of 679, 973, 1268, 1563, 1858 for N = 10^2, ..., 10^6."
            ),
            evidence=(
                "Both formulas evaluated; random vectors were seen to reach the bound at a median k of 208 (N = 100) and 320 (N = 1000)."
            ),
        ),
        Erratum(
            printed="The inner product of a vector with itself is at least 1 - gamma.",
            true="It is exactly 1, so the gap is 1 - gamma and not 1 - 2 gamma.",
            evidence="k entries of square 1/k sum to 1.",
        ),
        Erratum(
            printed="Existence by the probabilistic method.",
            true=(
                "Explicit GF(2)-linear codes do it with fewer coordinates at gamma = 1/4: k = 16, 32, 64, 128 carry N = 2^7, 2^11, 2^16, "
                "2^22. They are O((log N / log log N)^2), so for the O(log N) statement the lemma is still needed."
            ),
            evidence=(
                "All codewords by Walsh-Hadamard transform: largest inner product exactly k/4 for exponents {1,5}, {1,5}, {1,5,9}, {1,5,9} "
                "over GF(2^m), m = 4..7; {1,3} at m = 4 gives 1/2. Reed-Solomon over biorthogonal words: (K-1)/n, k = 128 at N = 10^6."
            ),
        ),
        Erratum(
            printed="Entries are +-1/sqrt(k).",
            true="In fixed point store +-1 and scale the query by 1/k; +-1/sqrt(k) is off the grid and flooring it breaks the bounds.",
            evidence="k = 32 at step 0.001: self products from 0.991 to 1.0025, cross products up to 0.2528 > 1/4.",
        ),
        Erratum(
            printed="Nearly orthogonal addresses are presented as the key to width O(log N).",
            true=(
                "Not needed: the +-1 binary digits of i (ceil(log2 N) coordinates, query scale about ln(L / ln(4/3)) / 2) or the pair (i, "
                "i^2) with query eta (2p, -1) and eta = 3 single out a position too."
            ),
            evidence=(
                "Competing mass is (1 + e^(-2 eta))^L - 1 resp. at most 2 sum_j e^(-eta j^2): weight 0.75 at eta = 2.12 for N = 10^6, "
                "width 46, resp. 0.909 for every N."
            ),
        ),
    ),
)

REMARK_10 = Statement(
    key="bhattamishra2024 Remark 10",
    kind="remark",
    says=(
        "The i-th address vector can be produced on demand in logarithmic space and polynomial time by a derandomised "
        "Johnson-Lindenstrauss map, so that N x d positional embeddings need not be stored."
    ),
    place="appendix B.3; section 1",
    proof="cited: Sivakumar 2002",
)

LEMMA_3 = Statement(
    key="bhattamishra2024 Lemma 3",
    kind="lemma",
    says=(
        "For N unit vectors and 0 < eps < 1/2 there is a linear map x -> A x / sqrt(k), A with entries +-1 and k = O(log N / eps^2), that "
        "changes every inner product among them by at most eps."
    ),
    place="appendix B.3",
    proof="cited: Achlioptas 2003",
    errata=(
        Erratum(
            printed="On the standard basis the images have squared norm 1 +- eps.",
            true=(
                "The image of e_i is a column of A over sqrt(k), so its squared norm is exactly 1; only the cross products carry an error."
            ),
            evidence="k entries of square 1/k sum to 1.",
        ),
    ),
)

COROLLARY_8_1 = Statement(
    key="bhattamishra2024 Corollary 8.1",
    kind="corollary",
    says=(
        "There are N vectors T(1), ..., T(N) with k = O(log N) entries +-1/sqrt(k) whose inner products are at least 3/4 on the diagonal "
        "and at most 1/4 off it."
    ),
    place="appendix B.3",
    proof="Lemma 2 or Lemma 3 with error 1/4",
    errata=(
        Erratum(
            printed="Diagonal at least 3/4, so the gap is 1/2.",
            true="The diagonal is exactly 1 and the gap is 3/4.",
            evidence="k entries of square 1/k sum to 1; with +-1 entries the lookup scale drops from 2 ln 3N to (4/3) ln 3N.",
        ),
    ),
)

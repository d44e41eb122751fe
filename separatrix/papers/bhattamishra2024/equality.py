"""Equality and Disjointness: lower bounds for one layer and recurrent models, weights for two layers."""

from __future__ import annotations

from separatrix.papers.statement import Erratum, Statement

TASK_3 = Statement(
    key="bhattamishra2024 Task 3",
    kind="task",
    says="Equality: EQ(x) = 1 exactly when the first and the second half of a string of N bits agree. INEQ is its complement.",
    place="section 4.2; appendix F",
)

TASK_4 = Statement(
    key="bhattamishra2024 Task 4",
    kind="task",
    says="Disjointness: for two vectors of N/2 bits, DISJ(x, y) = max_i x_i y_i, the indicator that the inner product is positive.",
    place="section 4.2; appendix B.1",
    errata=(
        Erratum(
            printed="The function is called Disjointness; appendix F.3 calls the same formula its complement.",
            true="As defined it is 1 when the two sets intersect; a clear name is 'intersects'.",
            evidence="By reading: DISJ(a, b) = I[a.b > 0] in section 4.2 and B.1, and the 2-DNF of F.3 has the same values.",
        ),
    ),
)

REMARK_5 = Statement(
    key="bhattamishra2024 Remark 5",
    kind="remark",
    says=(
        "Neither recurrent models nor one-layer Transformers compute Equality or Disjointness with width below order N. Both functions are "
        "2-CNFs with O(N) terms, so models of width o(N) miss functions of uniform AC0."
    ),
    place="section 4.2",
    proof="Theorems 2 and 4 with Facts 1 and 2",
    errata=(
        Erratum(
            printed="Width Omega(N).",
            true="Width Omega(N / p) for recurrent models and m H = Omega(N / (p + log N)) for one layer.",
            evidence="By reading Theorems 2 and 4: with p of order log N both lose a factor log N.",
        ),
        Erratum(
            printed="Disjointness is a 2-CNF.",
            true="As defined (1 when the sets meet) it is a 2-DNF with N/2 terms; its complement is the 2-CNF.",
            evidence=(
                "Solutions of a 2-CNF are closed under bitwise majority; three inputs that meet in three different single places have "
                "majority 0."
            ),
        ),
    ),
)

FOOTNOTE_3 = Statement(
    key="bhattamishra2024 Footnote 3",
    kind="remark",
    says="AC0 is the class of constant-depth circuits of polynomial size whose AND and OR gates take any number of inputs.",
    place="section 4.2, footnote 3",
)

THEOREM_6 = Statement(
    key="bhattamishra2024 Theorem 6",
    kind="theorem",
    says=(
        "For every N a two-layer Transformer with two heads, width O(log N) and precision O(log N) computes EQ on all N-bit strings. Layer "
        "1 fetches bit i - N/2 for each i > N/2 and takes the XOR with bit i; layer 2 averages the mismatches uniformly and thresholds at "
        "1/N."
    ),
    place="section 5.1; restated in appendix F.2",
    proof="appendix F.2",
    errata=(
        Erratum(
            printed="eta = log N + K log 2N makes the weight round to 1.",
            true="eta = 2 ln((N - 1)(2 N^K - 1)), as the line above it derives; the factor 2 is lost.",
            evidence="N = 256, K = 2: the printed eta leaves 1 - w = 0.0302, the rounding needs at most 7.63e-6.",
        ),
        Erratum(
            printed="eta >= K log 2N makes all other weights round to 0.",
            true="eta >= 2 ln(2 N^K).",
            evidence="N = 256, K = 2: the printed eta bounds a competitor by 0.00195 only; 7.63e-6 is needed.",
        ),
        Erratum(
            printed="A weight within 1/(2 N^K) of 1 is rounded to 1.",
            true=(
                "Numbers are rounded down, so it becomes 1 - N^-K. It is exactly 1 if the exponentials are floored first: competitors are "
                "0, Z = 1."
            ),
            evidence="N = 1000, K = 2: 0.9999999999974 is stored as 0.999999.",
        ),
        Erratum(
            printed="Any N.",
            true="N even, as the two halves must have one length.",
            evidence="By reading the definition of EQ.",
        ),
        Erratum(
            printed="d = 2 + 2k.",
            true="3 + 2k for the printed embedding; 1 + 2k if key and self query share T(i); 7 with the address pair (i, i^2) for any N.",
            evidence=(
                "Built with three address types: 0 errors on all inputs for N = 2..12 and thousands at N = 64, 256, 1024, in float64 and "
                "with f = 12."
            ),
        ),
        Erratum(
            printed="The value vector [0, x_i, 0_k, 0_k] and the sum after the residual, which shows T(i) in the last block for i > N/2.",
            true="The value lacks one last coordinate 0, and the last block is T(i - N/2).",
            evidence="By reading: the embedding of i > N/2 ends in T(i - N/2), 1 and the values written for it must have the same length.",
        ),
        Erratum(
            printed="The mean over mismatches starts at i = N/2.",
            true="It starts at i = N/2 + 1.",
            evidence="By reading: position N/2 belongs to the first half.",
        ),
        Erratum(
            printed="p = O(log N) without a lower limit.",
            true="This construction needs f = log2 N fractional bits and no fewer, forced by the uniform weight floor(1/N) of layer 2.",
            evidence="Smallest working f: 3, 6, 8 for N = 8, 64, 256.",
        ),
    ),
)

REMARK_6 = Statement(
    key="bhattamishra2024 Remark 6",
    kind="remark",
    says=(
        "The Equality construction has total representation size O((log N)^3) and works over any finite alphabet. With it, and with "
        "thresholds of sparse features, two layers separate from one layer and from recurrent models on Equality and Disjointness."
    ),
    place="section 5.1",
)

REMARK_13 = Statement(
    key="bhattamishra2024 Remark 13",
    kind="remark",
    says="INEQ is a disjunctive normal form of two-literal terms, two terms for each of the N/2 matched pairs; the paper counts N/2 terms.",
    place="appendix F",
    errata=(
        Erratum(
            printed="A 2-DNF with N/2 terms.",
            true="It has N terms.",
            evidence="By counting the printed formula: (x and not y), (not x and y) for each of N/2 pairs.",
        ),
    ),
)

QUESTION_3 = Statement(
    key="bhattamishra2024 Question 3",
    kind="question",
    says=(
        "Does the automaton bound of Lemma 4 survive when the transition function may change from step to step? The paper calls this "
        "unclear, though its communication bounds do allow it."
    ),
    place="appendix F.1",
    errata=(
        Erratum(
            printed="It is unclear.",
            true=(
                "It is settled by the layered count: step-dependent models need max_t ceil(log2 w_t) bits and no more, w_t the number of "
                "residual functions after t symbols; the number of automaton states itself is not the right quantity."
            ),
            evidence="Equality at N = 12: 1, 2, 4, 8, 16, 32, 64, 33, 17, 9, 5, 3, 2 classes, 6 bits.",
        ),
    ),
)

LEMMA_4 = Statement(
    key="bhattamishra2024 Lemma 4",
    kind="lemma",
    says=(
        "If a recurrent model whose transition does not depend on the step agrees with a DFA of n states on all strings, then its state "
        "has m p >= log n bits."
    ),
    place="appendix F.1",
    proof="appendix F.1",
    errata=(
        Erratum(
            printed="A DFA with n states.",
            true="The minimal DFA with n states.",
            evidence="By reading: the proof contradicts minimality; a DFA with useless states is a counterexample to the printed form.",
        ),
        Erratum(
            printed="The proof assumes m < log n and concludes m >= log n.",
            true="m p < log n and m p >= log n.",
            evidence="By reading: the constructed automaton has 2^(m p) states.",
        ),
    ),
)

THEOREM_11 = Statement(
    key="bhattamishra2024 Theorem 11",
    kind="theorem",
    says="A recurrent model that computes INEQ on all strings of N bits has m p >= N / 2.",
    place="appendix F.1",
    proof="appendix F.1, twice: from Fact 2 with Theorem 2, and from Lemma 4",
    errata=(
        Erratum(
            printed="A lower bound of N/2 bits.",
            true="N/2 bits are exactly what is needed and enough, for Equality and for Disjointness.",
            evidence="Profiles at N = 12 are 1, 2, 4, 8, 16, 32, 64, 33, 17, 9, 5, 3, 2 for both.",
        ),
    ),
)

THEOREM_12 = Statement(
    key="bhattamishra2024 Theorem 12",
    kind="theorem",
    says=(
        "A one-layer Transformer of width m with H heads and p-bit numbers that computes INEQ on all strings of N bits has m p H = "
        "Omega(N)."
    ),
    place="appendix F.1",
    proof="Theorem 4 and Fact 2",
    errata=(
        Erratum(
            printed="m p H = Omega(N).",
            true=(
                "That needs p = Omega(log N); in general m (p + log N) H = Omega(N). Exactly: ceil(log2|Sigma|) + H (2p + 2f + 2 "
                "ceil(log2(N+1)) + m(p + f)) + 1 >= N/2 + 1."
            ),
            evidence=(
                "D(EQ on n bits) = n + 1 against the repaired protocol. Order N is reached: width 1 with values 2^i and p = N/2 + O(1) "
                "computes EQ in one layer."
            ),
        ),
        Erratum(
            printed="No word on error.",
            true="The bound is deterministic only: with random value weights one layer decides EQ with small error at constant width.",
            evidence="One uniform head with random 16-bit values: 0 of 2000 errors at N = 20..1000, error 2^-bits in theory.",
        ),
    ),
)

REMARK_14 = Statement(
    key="bhattamishra2024 Remark 14",
    kind="remark",
    says=(
        "The first layer of the Equality construction may also scale as in Theorem 1 and let the feed-forward network threshold, instead "
        "of relying on rounding to turn softmax into hard attention."
    ),
    place="appendix F.2",
)

"""Section 4: dynamic programs as reasoning, and how wide the efficient Transformers must be."""

from __future__ import annotations

from separatrix.papers.statement import Erratum, Statement

EQUATION_9 = Statement(
    key="yang2024 Equation 9",
    kind="equation",
    says="A DP value dp(i) is a function f of the state i, of K earlier values at h_1(i)..h_K(i) and of J input tokens at g_1(i)..g_J(i), "
    "with K and J finite; the answer is u of the last value.",
    place="section 4.1",
    errata=(
        Erratum(
            printed="The form is said to be general enough to cover chain-of-thought problems.",
            true="It leaves out programs whose dependences are read from the input. The 0/1 knapsack does not fit: h would depend on the "
            "weights, not on the state.",
            evidence="dp(i, w) needs dp(i - 1, w - w_i), and w_i is an input token, while h may see the state only.",
        ),
    ),
)

ASSUMPTION_1 = Statement(
    key="yang2024 Assumption 1",
    kind="assumption",
    says="f, g, h and u are approximated by GeLU networks of constant size, and so is the map from the current state to the next one (made "
    "formal as Assumptions B.1 and B.2).",
    place="section 4.1",
)

ASSUMPTION_2 = Statement(
    key="yang2024 Assumption 2",
    kind="assumption",
    says="Input elements are integers; states, DP values and the answer are integer vectors; their range may grow polynomially in L.",
    place="section 4.1",
)

EQUATION_10 = Statement(
    key="yang2024 Equation 10",
    kind="equation",
    says="Output format: n input tokens, a separator, one token per state in order with the state and its DP value, then one token with "
    "the answer u(dp(i_N)). Each generated output is rounded to integers and fed back without an embedding layer.",
    place="section 4.1",
    errata=(
        Erratum(
            printed="The answer is a function u of the last DP value only.",
            true="The longest increasing subsequence is a maximum over states, which such a u cannot see. A sentinel row j = n + 1 that is "
            "larger than every element repairs it: the answer is dp(n + 1, n) - 1.",
            evidence="With states (j, k), 0 <= k < j, there are (n + 1)(n + 2)/2 states and L = n + 2 + (n + 1)(n + 2)/2. All 27 and 256 "
            "inputs of length 3 and 4 come out right on three architectures.",
        ),
    ),
)

ASSUMPTION_3 = Statement(
    key="yang2024 Assumption 3",
    kind="assumption",
    says="Log precision: every neuron stores a floating-point number of O(log L) bits and every elementary operation is truncated to it.",
    place="section 4.1",
)

THEOREM_4_1 = Statement(
    key="yang2024 Theorem 4.1",
    kind="theorem",
    says="For every DP problem under the assumptions and every n there is a log-precision autoregressive Transformer whose depth, width "
    "and number of heads do not depend on n and which is correct on all inputs of length n. Taken from Feng et al. (2023).",
    place="section 4.1",
    proof="not in this paper (Feng et al. 2023); restated as Theorem C.2",
    errata=(
        Erratum(
            printed="Width, depth and heads are constant (no numbers).",
            true="Exact weights exist with D = 32, 10 blocks and 4 heads for the longest increasing subsequence at every n; D = 35, 10 "
            "blocks and 5 heads for the edit distance; D = 18, 4 blocks and 2 heads for the reversed sum. n itself sits in the weights.",
            evidence="Full generation, every emitted token equal to the reference: n = 32 (L = 595), 20 by 22 (L = 527), n = 400 (L = "
            "802), 2 to 4 random inputs each; smaller sizes exhaustively.",
        ),
    ),
)

THEOREM_4_2 = Statement(
    key="yang2024 Theorem 4.2",
    kind="theorem",
    says="For every DP problem as in Theorem 4.1 and every n, both a log-precision sparse Transformer with block size Theta(sqrt L) and a "
    "linear Transformer with constant depth and heads and width O(sqrt L) are correct on all inputs of length n.",
    place="section 4.2",
    proof="appendix B.1 (Theorems B.3 and B.4)",
    errata=(
        Erratum(
            printed="D = O(sqrt L) (no constant).",
            true="With W = ceil(sqrt L), NB = ceil(L/W), R = K + J and D_std the width of the standard construction: D_linear = D_std + 1 "
            "+ 2W + NB + R(NB + 2W + 4) and D_sparse = D_std + 3 + 3W + R(2W + 4).",
            evidence="Full generation with these widths, every token right: LIS n = 32 (419 and 326), edit distance 20 by 22 (470 and "
            "357), reversed sum n = 400 (285 and 232), 2 to 4 random inputs each; exhaustive on all 27 and 256 LIS inputs (n = 3, 4), 243 "
            "edit-distance inputs and reversed sums of length 5.",
        ),
    ),
)

REMARK_2 = Statement(
    key="yang2024 Remark 2",
    kind="remark",
    says="With D = O(sqrt L) the efficient models of Theorem 4.2 cost O(L^2) in total, no less than the standard Transformer of constant "
    "width.",
    place="section 4.2",
)

DEFINITION_4_3 = Statement(
    key="yang2024 Definition 4.3",
    kind="definition",
    says="A DP problem is regular if any two different inputs of the same length differ in some DP value. The paper calls this a weak "
    "assumption.",
    place="section 4.2",
    errata=(
        Erratum(
            printed="Regularity is called a weak assumption, and LIS and ED serve to validate the bound that rests on it.",
            true="The longest increasing subsequence and the edit distance are not regular.",
            evidence="(1, 2) and (1, 3) have the same DP values 1, 2; LIS has only 1, 2, 5, 15, 52, 203 different chains (Bell numbers) "
            "for n = 1..6. The edit distance of two words of length 4 over 4 letters has 65,536 inputs and only 1,367 tables (864 of 6,561 "
            "with 3 letters, 128 of 256 with 2).",
        ),
    ),
)

THEOREM_4_4 = Statement(
    key="yang2024 Theorem 4.4",
    kind="theorem",
    says="For a regular DP problem with L = Theta(n) and n large, a log-precision sparse Transformer with block size Theta(sqrt L) or "
    "linear Transformer of constant depth and heads is correct on all inputs of length n only if D is at least sqrt(L) up to logarithms.",
    place="section 4.2",
    proof="appendix B.2 (Theorems B.5 and B.6)",
    errata=(
        Erratum(
            printed="The theorem is presented as the reason why the tasks of section 6 need growing widths.",
            true="No experiment meets its hypotheses: LIS with bounded K and the edit distance have L = Theta(n^2), which leaves L^(1/4) "
            "only, and neither is regular; the LIS chain of the experiments has K = n - 1. The reversed sum dp(i) = dp(i - 1) + s_(n+1-i), "
            "with L = 2n + 2, does meet them.",
            evidence="L = n + 2 + (n + 1)(n + 2)/2 for LIS and n + 2 + (n1 + 1)(n2 + 1) for the edit distance; non-regularity by the "
            "counts at Definition 4.3.",
        ),
        Erratum(
            printed="D = Omega-tilde(sqrt L) (no constant).",
            true="For a regular problem over 10 symbols with p = 16, M = 3, H = 4 the bound is 0.37 sqrt(L) (linear) and 0.035 sqrt(L) "
            "(sparse, B = sqrt L). Bounds and constructions are still 20 to 200 times apart.",
            evidence="Reversed sum, n = 5000: linear at least 44.6 (M = 1, H = 2, p = 16) against 933 built; sparse 3.4 against 736; "
            "standard 18.",
        ),
    ),
)

CLAIM_4 = Statement(
    key="yang2024 Claim 4",
    kind="claim",
    says="Proof idea of Theorem 4.4: some set of neurons determines all later outputs, holds few bits by log precision, and must differ "
    "between any two inputs of a regular problem.",
    place="section 4.2",
    proof="appendix B.2",
)

"""The nearest-neighbour algorithm and multi-query recall in two layers."""

from __future__ import annotations

from separatrix.papers.statement import Erratum, Statement

TASK_5 = Statement(
    key="bhattamishra2024 Task 5",
    kind="task",
    says=(
        "Nearest neighbour: read x_1, y_1, ..., x_(k-1), y_(k-1), x_k with unit vectors x_i, binary labels and N/2 < k <= N, and output "
        "the label of the earlier vector with the largest inner product with x_k."
    ),
    place="section 5.2; appendix G",
)

TASK_6 = Statement(
    key="bhattamishra2024 Task 6",
    kind="task",
    says=(
        "Multi-query associative recall: the nearest-neighbour task in which the last N/2 vectors repeat the first N/2 in some order, so "
        "that every query has an exact match."
    ),
    place="section 5.2; appendix G",
)

ASSUMPTION_1 = Statement(
    key="bhattamishra2024 Assumption 1",
    kind="assumption",
    says="Every input vector of the nearest-neighbour task has Euclidean norm 1.",
    place="section 5.2; appendix G.2",
)

ASSUMPTION_2 = Statement(
    key="bhattamishra2024 Assumption 2",
    kind="assumption",
    says=(
        "There is a margin gamma >= N^-c, c a universal constant, by which the inner product of each query with its nearest neighbour "
        "exceeds its inner product with every other earlier vector. Ties are thereby excluded."
    ),
    place="section 5.2; appendix G.2",
)

THEOREM_7 = Statement(
    key="bhattamishra2024 Theorem 7",
    kind="theorem",
    says=(
        "For every N a two-layer Transformer with two heads, width O(log N) and precision O(log N) performs the nearest-neighbour task on "
        "all sequences of length at most N that satisfy the norm and margin assumptions. Layer 1 finds the neighbour and fetches the "
        "address of its label, layer 2 fetches the label; the total size is O((log N)^3)."
    ),
    place="section 5.2; restated in appendix G.2",
    proof="appendix G.2",
    errata=(
        Erratum(
            printed="The construction has width O(log N).",
            true=(
                "Its addresses have coherence gamma/100, so k is of order 10^4 log N / gamma^2: polynomial in N for gamma = N^-c, log^3 N "
                "for multi-query recall. Excluding the own key by a position-only term cannot avoid it: rank Omega(log N / (gamma^2 log "
                "1/gamma))."
            ),
            evidence="gamma = 0.1, N = 100: k = 4.8 * 10^7, while one-hot addresses need 2N = 200. The rank bound is Alon's.",
        ),
        Erratum(
            printed="The theorem is proven by fetching the label's address.",
            true=(
                "The statement is true by an induction head of width d' + O(log N), whatever gamma: layer 1 copies each x_i into its label "
                "token (heads 'previous' and 'self', share 1 - gamma/32), layer 2 compares the query with these copies at label tokens "
                "only, with scale ln(18N) / (0.7 gamma)."
            ),
            evidence=(
                "0 errors against brute force: 4 margin patterns, N <= 60, gamma from 0.3 to 0.001, three address types, float64 and f = "
                "24, about 1100 cases each; 1120 multi-query recalls at n = 8, 16, 32; 1028 queries in one causal pass. Least f about "
                "log2(1/gamma) + 2 or 3."
            ),
        ),
        Erratum(
            printed="Label keys carry -2.3.",
            true="-2 times 3, that is -6: the key scales the type feature (1 at inputs, -2 at labels) by 3.",
            evidence=(
                "By reading: the inner product with labels is given as -6. With this and the next repairs 1136 of 1136 cases are right."
            ),
        ),
        Erratum(
            printed="The inner product is written with + 2, later with + 3, and the final display with neither.",
            true="+ 3 throughout: <x_k, x_i> + 3 - 10 <T(2k-1), T(2i-1)>.",
            evidence="By reading the key [x_i, 3, T(2i-1)] against the query's 1; 1136 of 1136 cases right after repair.",
        ),
        Erratum(
            printed="The second layer queries with T_s(2j*) / k.",
            true="T_s(2j*) / sqrt(k), so that its product with T(2j*) is 1.",
            evidence="With 1/k 100 of 100 cases are wrong; with 1/sqrt(k) and orthogonal addresses 1136 of 1136 are right.",
        ),
        Erratum(
            printed="The value vector of the neighbour is V(z_{j*}).",
            true="V(z_{2j*-1}).",
            evidence="By reading: inputs stand at the odd positions.",
        ),
    ),
)

THEOREM_8 = Statement(
    key="bhattamishra2024 Theorem 8",
    kind="theorem",
    says=(
        "A recurrent model of width m and precision p that performs the nearest-neighbour task on all inputs of length N has m >= N / (2p)."
    ),
    place="section 5.2; restated in appendix G.1",
    proof="appendix G.1, by multi-query recall from Fact 1",
    errata=(
        Erratum(
            printed="N/2 bits of state (n = N/2 labelled keys).",
            true=(
                "For keys in arbitrary order, ceil(n - 1 + log2 n) bits, reached just before the last label; n bits are tight only when "
                "the order of the keys is fixed."
            ),
            evidence="Classes at that cut 4, 12, 32, 80 for n = 2, 3, 4, 5: 4, 5, 7 bits against the printed 3, 4, 5 for n = 3, 4, 5.",
        ),
    ),
)

REMARK_16 = Statement(
    key="bhattamishra2024 Remark 16",
    kind="remark",
    says=(
        "Recall is a special case of nearest neighbour: embed each of Theta(N) symbols as its normalised binary code of ceil(log|Sigma|) "
        "bits; an exact match has inner product 1 and, by the paper, all others at most 1 - 1/log N, so the margin assumption holds."
    ),
    place="appendix G",
    errata=(
        Erratum(
            printed="The margin is 1/log N.",
            true="It is 2/d' for codes of d' bits: two codes that differ in one bit have inner product 1 - 2/d'.",
            evidence="By hand: flipping one of d' coordinates of size 1/sqrt(d') changes the product by 2/d'.",
        ),
    ),
)

EQUATION_9 = Statement(
    key="bhattamishra2024 Equation 9",
    kind="equation",
    says=(
        "Embeddings of the nearest-neighbour construction: an input holds its vector, 0, type 1, its own address, its label's address and "
        "a free slot; a label holds zeros, y_i, type -2, its own address twice and a free slot. Addresses run over 1..2N."
    ),
    place="appendix G.2, proof of Theorem 7",
)

EQUATION_10 = Statement(
    key="bhattamishra2024 Equation 10",
    kind="equation",
    says=(
        "In layer 1 the logit of the nearest neighbour exceeds every other by at least (4/5) gamma, so the scale eta = 5 ln(18N) / (4 "
        "gamma) puts more than 9/10 of the weight on it."
    ),
    place="appendix G.2, proof of Theorem 7",
)

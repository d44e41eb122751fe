"""Thresholds of sparse features in two layers, and why two layers have no short protocol."""

from __future__ import annotations

from separatrix.papers.statement import Erratum, Statement

TASK_8 = Statement(
    key="bhattamishra2024 Task 8",
    kind="task",
    says=(
        "Thresholds of sparse features: h(x) = 1 exactly when more than b of at most N functions g_I are 1 on x, each g_I depending on at "
        "most k = O(1) positions and being 0 for empty I. THRES_{k,N} is the class of all such h."
    ),
    place="appendix F.3",
)

THEOREM_13 = Statement(
    key="bhattamishra2024 Theorem 13",
    kind="theorem",
    says=(
        "Every h in THRES_{k,N} is computed by a two-layer Transformer with k heads, width O(log N) and precision O(log N): layer 1 "
        "fetches the k bits of feature i at position i and evaluates the feature, layer 2 averages over N + 1 tokens and compares with b / "
        "(N + 1)."
    ),
    place="appendix F.3",
    proof="appendix F.3",
    errata=(
        Erratum(
            printed="H = k heads and embeddings of size 1 + (k + 1) r.",
            true=(
                "The feed-forward network is shared but each position has its own g_I, so the embedding carries a truth table of 2^k "
                "entries that must pass through attention: H = k + 1 (one self head), d = 1 + (k + 2) r + 2^k."
            ),
            evidence=(
                "Built and checked: 60 random instances, thresholds at exact counts, 5 address/precision combinations, 48300 cases, 0 "
                "errors."
            ),
        ),
        Erratum(
            printed="The start token carries 0 and missing indices point to it, so missing bits read 0 in the -1/+1 domain.",
            true=(
                "The start token carries -1, the code of bit 0; tables are defined with padded bits 0, and an empty set has the zero table."
            ),
            evidence="By reading: 0 is neither of the two bit codes. The 48300 cases include short and empty index sets.",
        ),
        Erratum(
            printed="Layer 1 outputs and layer 2 values are written g_{I_1} at every position.",
            true="Position i holds g_{I_i}.",
            evidence="By reading: the attention output below it sums g_{I_i} over i.",
        ),
        Erratum(
            printed="Compare with b / (N + 1).",
            true="In fixed point compare with b floor(1/(N+1)); f >= log2(N + 1) fractional bits are needed.",
            evidence="The uniform weight is stored as floor(1/(N+1)) and vanishes with fewer bits.",
        ),
    ),
)

REMARK_15 = Statement(
    key="bhattamishra2024 Remark 15",
    kind="remark",
    says=(
        "THRES_{k,N} contains Equality, Disjointness, every k-DNF of at most N terms and every k-CNF of at most N clauses, so two layers "
        "of logarithmic width express them."
    ),
    place="appendix F.3, discussion",
    proof="Theorem 13",
)

LEMMA_5 = Statement(
    key="bhattamishra2024 Lemma 5",
    kind="lemma",
    says=(
        "For even N and every split into two sets of N/2 positions there is a two-layer Transformer with two heads, width O(log N) and "
        "precision O(log N), whose binary output costs the owners of the two sets at least N/2 bits."
    ),
    place="appendix F.4",
    proof="appendix F.4, from Theorem 6 by renaming positions",
    errata=(
        Erratum(
            printed="Renumber the positional encodings.",
            true="Match the a-th smallest position of one set with the a-th smallest of the other.",
            evidence="20 random balanced splits at N = 64 built and verified.",
        ),
    ),
)

EQUATION_6 = Statement(
    key="bhattamishra2024 Equation 6",
    kind="equation",
    says="For a split S_A, S_B the hard function is 1 exactly when the bits at S_A and the bits at S_B, each in order, differ.",
    place="appendix F.4, proof of Lemma 5",
)

COROLLARY_13_1 = Statement(
    key="bhattamishra2024 Corollary 13.1",
    kind="corollary",
    says=(
        "A protocol that computes every two-layer Transformer over every split with O(m p H g(N)) bits must have g(N) = Omega(N / (log "
        "N)^2), so Theorem 4 has no analogue for two layers."
    ),
    place="appendix F.4",
    proof="appendix F.4, from Lemma 5",
)

EQUATION_7 = Statement(
    key="bhattamishra2024 Equation 7",
    kind="equation",
    says="The assumption refuted in Corollary 13.1: a protocol with o(m p H N / (log N)^2) bits for every two-layer Transformer and split.",
    place="appendix F.4, proof of Corollary 13.1",
)

EQUATION_8 = Statement(
    key="bhattamishra2024 Equation 8",
    kind="equation",
    says="The Transformers of Lemma 5 have m p H = O((log N)^2), so the assumed protocol would use o(N) bits where N/2 are needed.",
    place="appendix F.4, proof of Corollary 13.1",
)

"""Index lookup and associative recall: one narrow attention layer against linear recurrent state."""

from __future__ import annotations

from separatrix.papers.statement import Erratum, Statement

TASK_1 = Statement(
    key="bhattamishra2024 Task 1",
    kind="task",
    says=(
        "Index lookup: the input is N symbols of a finite alphabet, repetitions allowed, and then a position p in 1..N; the output is "
        "symbol p."
    ),
    place="section 3; appendix C",
)

REMARK_1 = Statement(
    key="bhattamishra2024 Remark 1",
    kind="remark",
    says=(
        "One-hot positional embeddings would solve index lookup because they are orthogonal, but they force the width to Omega(N); nearly "
        "orthogonal vectors avoid that."
    ),
    place="section 3",
)

THEOREM_1 = Statement(
    key="bhattamishra2024 Theorem 1",
    kind="theorem",
    says=(
        "For every N one attention layer of width O(log N) and precision O(log N) performs index lookup on all inputs of length up to N. "
        "The index token queries with its address vector scaled by eta > 2 ln 3N, the weight on the right place exceeds 3/4, and a ReLU "
        "network thresholds the averaged binary code of the symbol."
    ),
    place="section 3",
    proof="appendix C.2",
    errata=(
        Erratum(
            printed="eta > 2 ln 3N.",
            true="Right for a gap of 1/2; since T(i) has unit norm the gap is 3/4 and eta > (4/3) ln 3N is enough.",
            evidence=(
                "At either threshold the worst-case weight is 3/4; 0 errors for all p with all-complement symbols at N = 16, 100, 128, and "
                "streamed up to N = 4 * 10^6 with least weight 0.92 to 0.99."
            ),
        ),
        Erratum(
            printed="Precision p = O(log N).",
            true=(
                "p = O(log log N) suffices: only the range of the logits must be held, and flooring helps because small exponentials "
                "become 0."
            ),
            evidence=(
                "Fixed point with floor: 2 to 3 fractional bits have 0 errors for N = 10^2..10^5, and f = 1 works once eta times the gap "
                "exceeds f ln 2."
            ),
        ),
        Erratum(
            printed="The weight on place p is at least 3/4, and the feed-forward network may use that value.",
            true="If a real softmax is floored only at the end the weight can be 3/4 - 2^-f, so choose eta for a share of 0.76.",
            evidence="Flooring a weight just above 3/4 loses up to one step of 2^-f.",
        ),
        Erratum(
            printed="In the sketch the symbol code rho maps into |Sigma| binary coordinates.",
            true="It maps into log|Sigma| coordinates, as in appendix C.2.",
            evidence="By reading: the embedding has log|Sigma| + 2k coordinates, which leaves log|Sigma| for rho.",
        ),
    ),
)

THEOREM_2 = Statement(
    key="bhattamishra2024 Theorem 2",
    kind="theorem",
    says=(
        "If a recurrent model with m p bits of state computes f on length N, then for every K < N Alice, holding the first K symbols, can "
        "let Bob compute f by sending m p bits once."
    ),
    place="section 3",
    proof="section 3",
    errata=(
        Erratum(
            printed="Only the lower bound on the state is drawn from the protocol.",
            true=(
                "For step-dependent transition functions it is an equality: the least state is max over t of ceil(log2 w_t) bits, w_t the "
                "number of different residual functions after t symbols."
            ),
            evidence=(
                "Profiles computed by merging the prefix tree: Equality and Disjointness at N = 12 both peak at 64 classes, 6 = N/2 bits."
            ),
        ),
    ),
)

THEOREM_3 = Statement(
    key="bhattamishra2024 Theorem 3",
    kind="theorem",
    says="A recurrent model of width m and precision p that performs index lookup on all sequences of length N has m >= N / p.",
    place="section 3; restated in appendix C.1",
    proof="appendix C.1, from Fact 3",
    errata=(
        Erratum(
            printed="m p >= N whatever the alphabet.",
            true="The exact requirement is ceil(N log2 |Sigma|) bits of state; the printed bound is tight for two symbols only.",
            evidence="After N symbols all |Sigma|^N prefixes differ; 64 symbols make it 6N bits.",
        ),
        Erratum(
            printed="The introduction speaks of width Omega(N).",
            true="The width is Omega(N / p); it is the m p bits of state that are Omega(N).",
            evidence="By reading: the theorem itself says m >= N / p, which is N / (c log N) for p = c log N.",
        ),
    ),
)

REMARK_2 = Statement(
    key="bhattamishra2024 Remark 2",
    kind="remark",
    says=(
        "The recurrent bounds hold with arbitrary positional embeddings and also for causal linear attention, where dot products replace "
        "the softmax weights, because such layers run as recurrences."
    ),
    place="section 3, discussion",
)

TASK_7 = Statement(
    key="bhattamishra2024 Task 7",
    kind="task",
    says=(
        "Single-query associative recall: N distinct symbols, each followed by its label, and then one of the symbols as a query; the "
        "output is the label of the queried symbol."
    ),
    place="appendix C.1; appendix G",
)

PROPOSITION_9 = Statement(
    key="bhattamishra2024 Proposition 9",
    kind="proposition",
    says="A recurrent model of width m and precision p that performs associative recall on all sequences of length N has m >= N / p.",
    place="appendix C.1",
    proof="appendix C.1, from Fact 3",
    errata=(
        Erratum(
            printed="The proof ends with the state being 'at most' N / p.",
            true="At least N / p.",
            evidence="By reading: the proposition and the reduction from INDEX give m p >= N.",
        ),
        Erratum(
            printed="n bits of state for n labelled symbols.",
            true=(
                "Tight when the keys come in a known order. With n keys in arbitrary order the exact need is ceil(n - 1 + log2 n) bits, "
                "reached just before the last label."
            ),
            evidence=(
                "Classes at that cut: 4, 12, 32, 80 for n = 2, 3, 4, 5, which is n 2^(n-1); so 4, 5, 7 bits against 3, 4, 5 for n = 3, 4, "
                "5."
            ),
        ),
    ),
)

QUESTION_2 = Statement(
    key="bhattamishra2024 Question 2",
    kind="question",
    status="open",
    says=(
        "Can one layer of small width perform associative recall? The lookup construction does not carry over, and the one-layer "
        "lower-bound technique does not apply directly, so neither answer is proven; two layers of logarithmic width do suffice."
    ),
    place="appendix C.2, discussion",
)

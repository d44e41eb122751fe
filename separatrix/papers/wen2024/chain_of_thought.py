"""Section 4: what a chain of thought gives recurrent models, and the gap it cannot close."""

from __future__ import annotations

from separatrix.papers.statement import Erratum, Statement

CLAIM_2 = Statement(
    key="wen2024 Claim 2",
    kind="claim",
    says=(
        "With a chain of thought the gap is one-sided: there are tasks on which Transformers need exponentially less than recurrent "
        "models, and no task, for regular recurrent models, on which it is the other way round."
    ),
    place="section 4; section 4.2.3",
    proof="Theorems 4.6, 4.7 and 4.8",
)

THEOREM_4_1 = Statement(
    key="wen2024 Theorem 4.1",
    kind="theorem",
    says=(
        "If PSPACE is not contained in P/poly, some task of input length n is solved by a linear RNN family with Theta(log n) bits of "
        "memory and a chain of polynomial length, but by no regular RNN family with Theta(log n) bits of memory without a chain."
    ),
    place="section 4.1; restated in appendix B.5",
    proof="appendix B.5",
)

ASSUMPTION_3 = Statement(
    key="wen2024 Assumption 3",
    kind="assumption",
    says="Not every problem of polynomial space has circuits of polynomial size: PSPACE is not contained in P/poly.",
    place="section 4.1",
    status="open",
)

DEFINITION_4_2 = Statement(
    key="wen2024 Definition 4.2",
    kind="definition",
    says="Index: given n tokens and a query i in [n], output the i-th token.",
    place="section 4.2.1",
)

DEFINITION_4_3 = Statement(
    key="wen2024 Definition 4.3",
    kind="definition",
    says="Associative recall (AR): given n tokens from [n] and a query q in [n], output the token that follows q in the sequence.",
    place="section 4.2.1",
    errata=(
        Erratum(
            printed="the token after q, for any q in [n]",
            true=(
                "undefined when q is absent or only at the end, ambiguous when q occurs twice; the constructions return the token after "
                "the first occurrence and need q to occur before the last place of the sequence"
            ),
            evidence="by hand: if q occurs last or nowhere, the query token of the prompt is what the first match finds",
        ),
    ),
)

DEFINITION_4_4 = Statement(
    key="wen2024 Definition 4.4",
    kind="definition",
    says=(
        "c-gram retrieval: a c-gram is c tokens in a row. Given n tokens and c - 1 tokens that begin some c-gram of the sequence, "
        "output the last token of that c-gram."
    ),
    place="section 4.2.1",
)

DEFINITION_4_5 = Statement(
    key="wen2024 Definition 4.5",
    kind="definition",
    says=(
        "Counting: given n tokens, a query token q in [n] and a natural number t, output 1 if q occurs more than t times in the "
        "sequence and 0 otherwise."
    ),
    place="section 4.2.1",
    errata=(
        Erratum(
            printed="the threshold t is any natural number, the vocabulary holds the numbers [n]",
            true="t = 0 is a legal threshold without a token of its own; it needs a special token whose number coordinate is 0",
            evidence="by hand: the reduction from Index needs the threshold 0",
        ),
    ),
)

THEOREM_4_6 = Statement(
    key="wen2024 Theorem 4.6",
    kind="theorem",
    says=(
        "Index, associative recall, c-gram retrieval and Counting of size n are solved by Transformers of constant size with O(log n) "
        "precision. No RNN family with o(n) bits of memory solves any of them for large n, whatever the length of its chain of thought."
    ),
    place="section 4.2.1; restated in appendix B.4",
    proof="appendix B.4",
    errata=(
        Erratum(
            printed="Counting: the COUNT block at the last token gives 1/(m+1); multiply by t + 1 and compare with 1",
            true=(
                "the query q itself is counted, and the threshold token too when t = q: with e = 1[t = q] the block gives 1/(m+2+e), "
                "and the answer is YES iff (t+3+e) times it is at most 1"
            ),
            evidence=(
                "88 cases, exact and float64, n = 6, 16, 64, with t = q, t = 0, t = m and constant sequences: all right with the "
                "corrected test"
            ),
        ),
        Erratum(
            printed="two layers suffice for Counting",
            true="COPY then COUNT takes three layers, since the first attention only waits for its feed-forward network; Index takes two",
            evidence="built and run exactly at n = 6, 16, 64: Index 2 layers, recall, c-gram retrieval and Counting 3",
        ),
    ),
)

CLAIM_3 = Statement(
    key="wen2024 Claim 3",
    kind="claim",
    says=(
        "A recurrent model is a one-pass streaming algorithm and hence a one-way protocol: Alice runs it on her part of the input and "
        "sends the state, Bob continues on his part and on the chain of thought. Its state has at least as many bits as the message "
        "must have."
    ),
    place="section 4.2.1",
    proof="appendix B.4",
)

EQUATION_4 = Statement(
    key="wen2024 Equation 4",
    kind="equation",
    says="A graph is written <s> u_1 ~ v_1 ... u_m ~ v_m, with u_i < v_i and the edges in random order; every edge takes three tokens.",
    place="section 4.2.2; again as equation 6 in appendix A.3",
    errata=(
        Erratum(
            printed="the prompt ends with its last edge",
            true=(
                "a closing token is required unless m = n - 1 is promised: without it a causal model cannot tell the first vertex of "
                "the chain from the first endpoint of another edge; with <sep> the prompt has 3m + 2 tokens"
            ),
            evidence="by hand: the prefixes are identical; the public code closes the prompt with [EOS]",
        ),
    ),
)

THEOREM_4_7 = Statement(
    key="wen2024 Theorem 4.7",
    kind="theorem",
    says=(
        "No RNN family with o(n) bits of memory solves IsTree on n vertices for large n, whatever the length of its chain of thought. A "
        "Transformer of constant depth and dimension with O(log n) precision solves it with a chain of length O(n)."
    ),
    place="section 4.2.2; restated in appendix B.6",
    proof="appendix B.6",
)

CONSTRUCTION_1 = Statement(
    key="wen2024 Construction 1",
    kind="construction",
    says=(
        "A binary string x of length n - 2 and an index k in [n-3] give a graph on n vertices: a is joined to x_a + n - 1 for each a in "
        "[n-2], and k to k + 1. It is a tree iff x_k differs from x_(k+1). Alice owns the first edges, Bob the last one."
    ),
    place="section 4.2.2; with n + 2 vertices in appendix B.6.1",
    proof="appendix B.6.1",
)

FIGURE_3 = Statement(
    key="wen2024 Figure 3",
    kind="figure",
    says=(
        "The graph of the string 0101 with index 2: edges 2~6, 1~5, 3~5, 4~6, 2~3. Its tour from vertex 1 is 1 5 3 2 6 4 6 2 3 5 1, and "
        "the answer is YES."
    ),
    place="section 4.2.2",
)

CONSTRUCTION_2 = Statement(
    key="wen2024 Construction 2",
    kind="construction",
    says=(
        "The tour needs two lookups. The father of a vertex is the token before its first occurrence in the chain. The next edge at v "
        "after (u, v) is found by occurrence counts: attention stores 1/(count+1) at each edge, a feed-forward network turns one "
        "reciprocal into the next, and a second lookup finds the edge that carries it."
    ),
    place="section 4.2.2",
    proof="appendix B.6.2",
)

THEOREM_4_8 = Statement(
    key="wen2024 Theorem 4.8",
    kind="theorem",
    says=(
        "Let A be constant and p = Theta(A log n). If one step of an RNN has a circuit of size P(n) <= 2^(p/2), then a Transformer with "
        "O(P(n) log max(P(n), n)) bits of parameters simulates the RNN and its chain of at most n^A steps exactly, with a chain of at "
        "most (P(n)+1) n^A steps, on every input of length n."
    ),
    place="section 4.2.3; restated in appendix B.7",
    proof="appendix B.7",
    errata=(
        Erratum(
            printed="the chain has at most (P+1) n^A steps",
            true=(
                "the bound leaves out the n steps that read the input: the chain has 1 + (P+1)T tokens, T = n + the RNN's own chain steps"
            ),
            evidence=(
                "token by token against the recurrence: parity (P = 41), a mod-4 counter with its own chain (P = 87), Dyck words to "
                "depth 5 (P = 212), n = 2, 3, 5, chains up to 1066 tokens"
            ),
        ),
    ),
)

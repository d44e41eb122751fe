"""Appendices B.4 to B.7: the proofs of section 4, their games, reductions, search and simulations."""

from __future__ import annotations

from separatrix.papers.statement import Erratum, Statement

LEMMA_B_24 = Statement(
    key="wen2024 Lemma B.24",
    kind="lemma",
    says=(
        "One-way Index: if Alice holds x in {0,1}^n, Bob holds k and only Alice speaks, then Omega(n) bits are needed for Bob to know x_k."
    ),
    place="appendix B.4",
    proof="appendix B.4",
)

CONSTRUCTION_3 = Statement(
    key="wen2024 Construction 3",
    kind="construction",
    says=(
        "Index reduces to associative recall: for x in {0,1}^(n/2) the sequence 1, x_1 + n/2, 2, x_2 + n/2, ..., n/2, x_(n/2) + n/2 "
        "with query k asks for x_k."
    ),
    place="appendix B.4",
    proof="appendix B.4",
    errata=(
        Erratum(
            printed="values x_i + n/2",
            true="the value n/2 of a zero bit is also the last key; the values must be x_i + n/2 + 1",
            evidence=(
                "n = 8, all 16 strings and 4 queries, first occurrence wins: 13 of 64 answers wrong as printed, 0 with the shift by 1"
            ),
        ),
    ),
)

CONSTRUCTION_4 = Statement(
    key="wen2024 Construction 4",
    kind="construction",
    says=(
        "Index reduces to c-gram retrieval: each bit becomes its index c - 1 times followed by x_i + n/c, and the query is k repeated c "
        "- 1 times."
    ),
    place="appendix B.4",
    proof="appendix B.4",
    errata=(
        Erratum(
            printed="x in {0,1}^(n/2) and values x_i + n/c",
            true="there are n/c blocks, so x lies in {0,1}^(n/c); the value n/c collides with the last key, use x_i + n/c + 1",
            evidence="c = 3, n = 12, all 16 strings and 4 queries: 4 of 64 answers wrong as printed, 0 with the shift by 1",
        ),
    ),
)

CONSTRUCTION_5 = Statement(
    key="wen2024 Construction 5",
    kind="construction",
    says=(
        "Index reduces to Counting: list the indices j with x_j = 1 once each and ask whether k occurs more often than a threshold of 1."
    ),
    place="appendix B.4",
    proof="appendix B.4",
    errata=(
        Erratum(
            printed="queried threshold 1",
            true="the threshold must be 0",
            evidence="by hand: every index is listed at most once, so more than once never happens",
        ),
    ),
)

LEMMA_B_25 = Statement(
    key="wen2024 Lemma B.25",
    kind="lemma",
    says=(
        "If PSPACE is not contained in P/poly, some Turing machine of linear space is simulated by no circuit family of polynomial "
        "size; the proof pads inputs."
    ),
    place="appendix B.5",
    proof="appendix B.5",
)

CONSTRUCTION_6 = Statement(
    key="wen2024 Construction 6",
    kind="construction",
    says=(
        "The task of Theorem 4.1: with m = floor(log2 n) the input is n - m zeros and a string x of length m; the answer is that of the "
        "machine of Lemma B.25 on x. A linear RNN keeps state, pointer and tape in its state, and writes new state, move and cell value "
        "as its chain."
    ),
    place="appendix B.5",
    proof="appendix B.5",
    errata=(
        Erratum(
            printed="the RNN keeps the tape in its state and updates the cell under the pointer",
            true=(
                "a linear unit cannot overwrite: the m + 2 cells are running sums, the chain block is old symbol, new symbol, state, "
                "move, and at the new symbol the difference new - old is added to the cell under the pointer, which is the sum of the "
                "moves"
            ),
            evidence=(
                "compiled without attention: 4T + 1 chain tokens, 6 layers, linear units of dimension 58 + m; palindromes at n = "
                "4..1024 all right"
            ),
        ),
    ),
)

LEMMA_B_26 = Statement(
    key="wen2024 Lemma B.26",
    kind="lemma",
    says="No RNN with o(n) bits of memory solves IsTree of size n perfectly, with or without a chain of thought.",
    place="appendix B.6",
    proof="appendix B.6.1, by Lemma B.28",
)

LEMMA_B_27 = Statement(
    key="wen2024 Lemma B.27",
    kind="lemma",
    says=(
        "A Transformer of constant depth and width with O(log n) precision solves IsTree of size n perfectly with a chain of thought. "
        "Nine layers write the tour of Algorithm 1, stop with NO at a visited vertex, and test the length at the end."
    ),
    place="appendix B.6",
    proof="appendix B.6.2",
    errata=(
        Erratum(
            printed="the output n (-v, 1, -1, ..., -1) decodes to v",
            true="with the printed embedding it gives the logit -n v i to the number i, never largest at v; emit 2vK on i and -K on i^2",
            evidence="by hand: all special tokens share the logit -n, and no number has a larger one",
        ),
        Erratum(
            printed="layer 7 looks for the next edge with two MatchNext heads, one for each endpoint",
            true=(
                "each head alone sees gaps in the counts, which violates the condition of Definition B.12; one list of records (vertex, "
                "partner, 1/(count+1)) with both endpoints is needed"
            ),
            evidence=(
                "n = 7, edges 5~6, 1~5, 2~5, 3~5, 5~7, 4~7: after 5~6 the target is 1/3, the first head holds 1/2 and 1/6 for vertex 5, "
                "ties, and returns count 1/3 and partner 6.5"
            ),
        ),
        Erratum(
            printed="at the end the answer is YES iff the position is 5n - 3",
            true="the number of edges and the length of the tour must be tested separately, or graphs that are no trees pass",
            evidence="n = 7, vertex 1 isolated, 10 edges among 2..7: the tour ends at position 31 + 1 = 32 = 5 * 7 - 3",
        ),
        Erratum(
            printed="layer 1 and 2 write ROUND(1/n) for a vertex that occurs n times",
            true="COUNT writes ROUND(1/(m+1)) for m occurrences, the current one included",
            evidence="by hand from Definition B.8",
        ),
        Erratum(
            printed="nine layers are described",
            true="with these corrections twelve layers (six of them without attention), 64 slots and feed-forward width 16 do it",
            evidence=(
                "exact arithmetic, chain equal to the search oracle token by token: all 74 graphs with n <= 4; 135 graphs at n = 6, 10, "
                "16, 32; the reduction at n = 64; a list of adversarial graphs; least precision 55, 65, 71 bits at n = 6, 10, 16"
            ),
        ),
    ),
)

LEMMA_B_28 = Statement(
    key="wen2024 Lemma B.28",
    kind="lemma",
    says=(
        "If Alice holds x in {0,1}^n, Bob holds k and only Alice speaks, then Omega(n) bits are needed for Bob to know whether x_k = "
        "x_(k-1); the proof passes to the prefix sums mod 2."
    ),
    place="appendix B.6.1",
    proof="appendix B.6.1",
    errata=(
        Erratum(
            printed="x_k = x_(k-1) iff the prefix sums at k and k - 1 agree",
            true="the prefix sums at k and k - 1 agree iff x_k = 0, which is what the reduction from Index needs",
            evidence="n = 6, all strings and k = 2..6: the printed equivalence fails in 160 of 320 cases, the corrected one in none",
        ),
    ),
)

ALGORITHM_1 = Statement(
    key="wen2024 Algorithm 1",
    kind="algorithm",
    says=(
        "Depth-first search with two stacks: yield the top v of S1; if v has a neighbour in neither stack, push the one whose edge "
        "comes first in the input, otherwise move v to S2; stop when S1 is empty. The search starts at v_1."
    ),
    place="appendix B.6.2; named in section 4.2.2",
    errata=(
        Erratum(
            printed="the text says that each step pops the top of S1 and pushes all its new neighbours",
            true="the pseudo-code pushes one neighbour and pops only when none is left; only this yields a tour of 2n - 1 vertices",
            evidence="by hand: popping at once would yield every vertex once, n in all",
        ),
    ),
)

LEMMA_B_29 = Statement(
    key="wen2024 Lemma B.29",
    kind="lemma",
    says=(
        "Algorithm 1 yields a traversal of a spanning tree of the component of v_1. So G is a tree iff it has n - 1 edges and the "
        "traversal has 2n - 1 vertices."
    ),
    place="appendix B.6.2",
    proof="appendix B.6.2",
)

EQUATION_10 = Statement(
    key="wen2024 Equation 10",
    kind="equation",
    says=(
        "While solving IsTree the Transformer reads the graph's tokens followed by a prefix v_1, ..., v_r of the tour; the graph takes "
        "3n - 2 tokens."
    ),
    place="appendix B.6.2",
    errata=(
        Erratum(
            printed="the graph takes 3n - 2 tokens",
            true="it takes 3m + 1 tokens, which is 3n - 2 only when m = n - 1; nothing marks where the graph ends",
            evidence=(
                "by hand from equation 4; with a closing <sep> the prompt has 3m + 2 tokens and the tour of a tree ends at position 5n - 2"
            ),
        ),
    ),
)

FOOTNOTE_5 = Statement(
    key="wen2024 Footnote 5",
    kind="remark",
    says="In the construction of Lemma B.27 the constant A of Definition B.12 is 1.",
    place="footnote 5",
)

THEOREM_B_30 = Statement(
    key="wen2024 Theorem B.30",
    kind="theorem",
    says=(
        "Cited as Theorem 3.3 of Li et al. 2024: a circuit of size T(n) on n inputs is evaluated in T(n) chain steps by a Transformer "
        "of constant depth and precision, width O(log n), and a position embedding of size O(T(n) log n)."
    ),
    place="appendix B.7",
    proof="in the cited paper",
)

CONSTRUCTION_7 = Statement(
    key="wen2024 Construction 7",
    kind="construction",
    says=(
        "The circuit of one RNN step has gates 1..P(n) in order of evaluation: a constant 1, a bit of the input, a bit of the state, or "
        "the AND or XOR of two gates. The state bits come first, the last p Lambda gates are the next state, and the gates before them "
        "the output."
    ),
    place="appendix B.7",
)

CONSTRUCTION_8 = Statement(
    key="wen2024 Construction 8",
    kind="construction",
    says=(
        "The chain of Theorem 4.8: after the n input tokens, place n + a(P+1) + b holds the output of gate b in step a + 1 for b <= P, "
        "and the next token of the RNN's sequence for b = P + 1. Five layers fetch the two arguments of a gate and assemble the output "
        "token."
    ),
    place="appendix B.7",
    proof="appendix B.7",
    errata=(
        Erratum(
            printed="layer 1 reads a and b off the position with a network of width O(P)",
            true=(
                "a = floor(position / (P+1)) has more than O(P) pieces; attention to the last token that is no bit gives its place q, "
                "and a = (q - n - 2)/(P+1) is linear in q"
            ),
            evidence="by hand: a takes as many values as the chain has steps; built with the head for q in the second layer",
        ),
        Erratum(
            printed="place b = P + 1 holds token n + a + 1 of the sequence",
            true="it holds token a + 2: the next input token while a + 2 <= n, then the RNN's own output",
            evidence="by hand: step a + 1 has read token a + 1, so token a + 2 is next",
        ),
        Erratum(
            printed="input bits are read from the embedding by layers of width O(1), five layers in all",
            true="a network of width O(1) cannot extract bits of a number; tokens carry bit slots, and three layers do",
            evidence=(
                "token by token: parity (P = 41), a mod-4 counter (P = 87), Dyck words to depth 5 (P = 212); heads 0, 1 and 3 plus the "
                "number of output bits"
            ),
        ),
    ),
)

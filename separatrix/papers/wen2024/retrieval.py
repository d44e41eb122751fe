"""Section 5: search by regular expression, and one Transformer layer at the end."""

from __future__ import annotations

from separatrix.papers.statement import Erratum, Statement

FIGURE_4 = Statement(
    key="wen2024 Figure 4",
    kind="figure",
    says=(
        "Two ways to add retrieval: a recurrent model that writes a query between two search tokens and receives the result in its "
        "context, and a recurrent model whose outputs feed one attention layer."
    ),
    place="section 5",
)

PROPOSITION_5_1 = Statement(
    key="wen2024 Proposition 5.1",
    kind="proposition",
    says=(
        "An oracle for associative recall is not enough: for large n no RNN family with O(log n) bits of memory and O(log n) parameters "
        "solves Index of length n with such an oracle in any number of chain steps. In sequences with a filler token at every even "
        "place the oracle only ever says the filler or the third token."
    ),
    place="section 5.1",
    proof="section 5.1",
    errata=(
        Erratum(
            printed="the oracle answers any query",
            true=(
                "its answer for a token that does not occur in the sequence must be fixed by convention, and must not depend on the "
                "rest of the input"
            ),
            evidence=(
                "by hand: an RNN cannot know whether such a token occurs, so the simulation needs an answer that is the same either way"
            ),
        ),
    ),
)

THEOREM_5_2 = Statement(
    key="wen2024 Theorem 5.2",
    kind="theorem",
    says=(
        "With search by regular expression, linear RNN families with O(log n) bits of memory and O(log n) parameters solve Index, "
        "associative recall, c-gram retrieval and Counting in O(1) chain steps."
    ),
    place="section 5.1; restated in appendix B.8",
    proof="section 5.1; appendix B.8",
)

THEOREM_5_3 = Statement(
    key="wen2024 Theorem 5.3",
    kind="theorem",
    says=(
        "With search by regular expression, a linear RNN family with O(log n) bits of memory and O(log n) parameters solves IsTree on n "
        "vertices in O(n) chain steps."
    ),
    place="section 5.1; restated in appendix B.9",
    proof="appendix B.9",
    errata=(
        Erratum(
            printed="the network that writes the chain is left out",
            true=(
                "it exists: a window of 18 tokens, 4 layers, 160 slots, feed-forward widths 2, 10, 3, 91; at most 63n - 47 chain tokens "
                "on trees"
            ),
            evidence="505 graphs and adversarial ones, visits equal to the search oracle; 142, 268, 709, 1843 tokens at n = 3, 5, 12, 30",
        ),
    ),
)

THEOREM_5_4 = Statement(
    key="wen2024 Theorem 5.4",
    kind="theorem",
    says=(
        "For constants A and B, every Turing machine of time n^A with B states and B symbols is simulated on inputs of length n by a "
        "linear RNN family with search: B special symbols, O(A log n) bits of precision and memory, O(A B^2 log n) bits of parameters, "
        "a chain of O(n^A) tokens."
    ),
    place="section 5.1; restated in appendix B.10",
    proof="section 5.1; appendix B.10",
)

REMARK_5 = Statement(
    key="wen2024 Remark 5",
    kind="remark",
    says=(
        "The result on search is about representation power. It is no practical method as it stands, since no training data for "
        "in-context search by regular expression exists."
    ),
    place="section 5.1; section 7",
)

DEFINITION_5_5 = Statement(
    key="wen2024 Definition 5.5",
    kind="definition",
    says=(
        "A hybrid RNN feeds the outputs o(s_1), ..., o(s_l) of a recurrent model to one Transformer layer and decodes the last column "
        "of that layer with the word embedding matrix."
    ),
    place="section 5.2",
)

THEOREM_5_6 = Statement(
    key="wen2024 Theorem 5.6",
    kind="theorem",
    says=(
        "Hybrid linear RNN families with O(log n) bits of memory and O(log n) parameters solve Index, associative recall, c-gram "
        "retrieval and Counting without a chain of thought."
    ),
    place="section 5.2; restated in appendix B.11",
    proof="section 5.2; appendix B.11",
    errata=(
        Erratum(
            printed="the attention layer of Theorem 4.6 is kept as it is, Counting included",
            true=(
                "Counting needs the corrected test of Theorem 4.6, since the query and possibly the threshold token are counted here too"
            ),
            evidence="88 cases, exact and float64, n = 6, 16, 64, one attention layer and a linear unit in place of COPY: all right",
        ),
    ),
)

THEOREM_5_7 = Statement(
    key="wen2024 Theorem 5.7",
    kind="theorem",
    says=(
        "A hybrid linear RNN with O(log n) bits of memory and O(log n) parameters solves IsTree on n vertices with a chain of length "
        "O(n log n). On the graphs built from a binary string in Theorem 4.7 it needs no chain."
    ),
    place="section 5.2; restated in appendix B.12",
    proof="appendix B.12",
    errata=(
        Erratum(
            printed="numbers are tokens up to n",
            true="the chain writes positions of the prompt, so the vocabulary must hold the numbers up to 3m + 3",
            evidence=(
                "compiled with 4 layers, the last with 4 heads, and 114 slots: 119, 239, 503, 1019, 1987 chain tokens on trees with n = "
                "3, 5, 9, 16, 32, which is 9.4 to 12.5 n log2(3n)"
            ),
        ),
    ),
)

THEOREM_5_8 = Statement(
    key="wen2024 Theorem 5.8",
    kind="theorem",
    says=(
        "For constants A and B, every Turing machine of time n^A with B states and B symbols is simulated on inputs of length n by a "
        "hybrid linear RNN with B special symbols, O(A log n) bits of precision and memory and O(A B^2 log n) bits of parameters, in "
        "O(n^A) chain steps."
    ),
    place="section 5.2; restated in appendix B.13",
    proof="section 5.2; appendix B.13",
)

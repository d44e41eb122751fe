"""The model classes, number format and communication facts that every later statement rests on."""

from __future__ import annotations

from separatrix.papers.statement import Erratum, Statement

SECTION_2_1 = Statement(
    key="bhattamishra2024 Section 2(1)",
    kind="definition",
    says=(
        "A Transformer layer applies a feed-forward network to multi-head softmax attention; queries and keys are m x d projections, the "
        "width is max(m, d), and an output matrix maps the mH concatenated coordinates back to d. Embeddings see the token and its "
        "position. TF^L_{m,p,H} holds all models with at most L layers, width m, H heads and p-bit numbers."
    ),
    place="section 2",
    errata=(
        Erratum(
            printed="Masks, layer norm and the position of the answer are not mentioned.",
            true="The class has no mask and no layer norm, and the answer is read at the last token.",
            evidence="By reading: softmax runs over all positions, and the proofs in C.2 and D follow the last token's query.",
        ),
        Erratum(
            printed="The class has no residual connection, yet the two-layer proofs add the layer's input to the attention output.",
            true=(
                "Inside the class the input is carried by one more head, the self head, whose query and key are the position's own address."
            ),
            evidence=(
                "The built models of Theorems 6 and 7 use one retrieval head and one self head, which is the H = 2 of their statements."
            ),
        ),
    ),
)

SECTION_2_2 = Statement(
    key="bhattamishra2024 Section 2(2)",
    kind="definition",
    says=(
        "A recurrent model of width m and precision p keeps m p bits of state, updates them by h_t = g^(t)(x_t, h_(t-1)) and outputs y_t = "
        "f^(t)(h_t). Any functions g^(t) and f^(t) are allowed, a new pair at each step, which covers LSTMs, linear "
        "Transformers and state-space models."
    ),
    place="section 2",
)

SECTION_2_3 = Statement(
    key="bhattamishra2024 Section 2(3)",
    kind="definition",
    says=(
        "The representation size of a model is the number of bits of all its parameters and embeddings: Theta(m d p H) for a Transformer "
        "and at least m p, the size of the state, for a recurrent model."
    ),
    place="section 2; appendix A(2)",
)

FIGURE_1 = Statement(
    key="bhattamishra2024 Figure 1",
    kind="figure",
    says="Three sketches of tasks: index lookup, Dyck-2 with depth at most 2, and nearest-neighbour prediction from labelled vectors.",
    place="section 2",
)

APPENDIX_B_1 = Statement(
    key="bhattamishra2024 Appendix B.1",
    kind="definition",
    says=(
        "Two parties with unlimited computing power hold complementary parts of the input; the communication complexity over that "
        "partition is the least number of bits they must exchange to know f on every input. One-way complexity lets a single party send. "
        "C(f) >= k is said when k bits are needed over any partition."
    ),
    place="appendix B.1",
    errata=(
        Erratum(
            printed=(
                "C(f) >= k is defined by needing k bits over 'any' partition, which can be read as every partition or as some partition."
            ),
            true=(
                "Some partition is meant: one hard partition bounds a one-layer Transformer, and a hard contiguous cut bounds a recurrent "
                "model."
            ),
            evidence=(
                "Dyck-(2,2) needs N bits over the odd/even split, but its contiguous cuts have only 6 (even) or 3 (odd) classes, 3 bits."
            ),
        ),
    ),
)

FACT_1 = Statement(
    key="bhattamishra2024 Fact 1",
    kind="fact",
    says=(
        "A deterministic protocol for DISJ(a, b) = max_i a_i b_i on two N-bit vectors exchanges at least N bits, and a randomised one "
        "still needs Omega(N)."
    ),
    place="appendix B.1",
    proof="cited: Yao 1979",
    errata=(
        Erratum(
            printed="At least N bits (deterministic).",
            true="Exactly N + 1 bits when one party sends its input and gets the answer back.",
            evidence=(
                "The 2^N pairs (A, complement of A) form a fooling set of value 0 and some input has value 1, so a protocol has at least "
                "2^N + 1 leaves; sending A and one answer bit takes N + 1."
            ),
        ),
    ),
)

FACT_2 = Statement(
    key="bhattamishra2024 Fact 2",
    kind="fact",
    says="A deterministic protocol that decides whether two N-bit strings are equal exchanges at least N bits.",
    place="appendix B.1",
    proof="cited: Rao and Yehudayoff 2020, chapter 1",
    errata=(
        Erratum(
            printed="At least N bits.",
            true="Exactly N + 1 bits.",
            evidence=(
                "The N-bit identity matrix needs 2^N rectangles of value 1 and at least one of value 0, so at least 2^N + 1 leaves; "
                "sending one string and one answer bit takes N + 1."
            ),
        ),
    ),
)

FACT_3 = Statement(
    key="bhattamishra2024 Fact 3",
    kind="fact",
    says=(
        "If Alice holds N bits, Bob holds an index and only Alice may send, a deterministic protocol for the indexed bit needs N bits and "
        "a randomised one Omega(N)."
    ),
    place="appendix B.1",
    proof="cited: Jayram, Kumar and Sivakumar 2008",
)

REMARK_9 = Statement(
    key="bhattamishra2024 Remark 9",
    kind="remark",
    says=(
        "Equality costs Omega(N) bits deterministically but only O(log N) with randomness and a small error, whereas Disjointness and "
        "one-way INDEX stay at Omega(N) even then."
    ),
    place="appendix B.1",
)

APPENDIX_B_2 = Statement(
    key="bhattamishra2024 Appendix B.2",
    kind="definition",
    says=(
        "Numbers lie between -N^K and N^K in steps of N^-K for a constant K; a real is rounded down to the grid and values above N^K "
        "become N^K. The paper counts N^(2K) numbers, hence p = 2K log N bits. All parameters and intermediate values are such numbers."
    ),
    place="appendix B.2",
    errata=(
        Erratum(
            printed="The grid has N^(2K) elements, so p = 2K log N.",
            true="It has 2 N^(2K) + 1 elements, so p = ceil(log2(2 N^(2K) + 1)), which is 2K log2 N + 2 rounded up.",
            evidence="Counted: N = 16, K = 1 gives 513 numbers and 10 bits against the printed 8; N = 1000, K = 2 gives 41 against 39.9.",
        ),
        Erratum(
            printed="Values are 'rounded down'.",
            true="Down means towards minus infinity; for negative values that is not truncation.",
            evidence="-1/sqrt(32) at step 0.001 is stored as -0.177 and not as -0.176; the two readings give different attention weights.",
        ),
        Erratum(
            printed="Overflow is defined upwards only: z > N^K becomes N^K.",
            true="Clamp on both sides: store(x) = clamp(floor(x 2^f)) / 2^f with the range [-2^r, 2^r - 2^-f] and p = 1 + r + f.",
            evidence="By reading: a logit below -N^K has no stored value under the printed rule.",
        ),
        Erratum(
            printed="All intermediate values are rounded; the order of the roundings inside attention is not given.",
            true=(
                "Logit stored once, maximum subtracted, each exponential floored, exact sum Z, each weight floor(e / Z), exact sum of w v "
                "at 2f bits, one store."
            ),
            evidence=(
                "With N = 1000, K = 2 a real softmax value 0.9999999999974 is stored as 0.999999; flooring the exponentials first gives 1."
            ),
        ),
        Erratum(
            printed="Addition of numbers in this format is used as if it were associative for any sum.",
            true=(
                "Saturating addition is associative for non-negative numbers only; signed sums need the exact accumulator of 2f fractional "
                "bits."
            ),
            evidence="With maximum 7: (6 + 6) - 6 = 1 but 6 + (6 - 6) = 6.",
        ),
        Erratum(
            printed="The exponential is a real function followed by rounding.",
            true="It must be one deterministic integer routine, because both parties of the protocol have to get the same bits.",
            evidence="float64 exp does not decide the floor beyond about 40 fractional bits.",
        ),
    ),
)

ASSUMPTION_3 = Statement(
    key="bhattamishra2024 Assumption 3",
    kind="assumption",
    says=(
        "In finite precision softmax is computed after subtracting the row's largest logit, so that every exponential lies in [0, 1], and "
        "intermediate results are rounded to p bits."
    ),
    place="appendix D",
)

"""Section 5: arithmetic and local dynamic programs, where the efficient Transformers do save computation."""

from __future__ import annotations

from separatrix.papers.statement import Erratum, Statement

TASK_1 = Statement(
    key="yang2024 Task 1",
    kind="task",
    says="Arithmetic evaluation: given an expression with + - * / and brackets, write it out step by step, each step one operation "
    "shorter, the steps joined by equals signs.",
    place="section 5.1",
)

PROPOSITION_5_1 = Statement(
    key="yang2024 Proposition 5.1",
    kind="proposition",
    says="For every n a log-precision sparse Transformer with block size Theta(sqrt L), 5 layers, 5 heads per layer and constant width "
    "solves arithmetic evaluation for all expressions of length at most n.",
    place="section 5.1",
    errata=(
        Erratum(
            printed="An informal statement; appendix C proves Propositions 5.2, 5.4 and 5.5 but not this one.",
            true="It holds, with 4 blocks of attention and one two-layer network each: 5 heads in the first block, D = 171 and 476 hidden "
            "units for p = 11 (117 and 98 for p = 5), independent of n, weights at most 384 n + 3840. A leading equals sign is added as "
            "first token.",
            evidence="Exact generation with logit margin 1.000 at (p, operators) = (5, 3), (11, 6), (11, 10), (11, 16), up to 492 tokens; "
            "an earlier version also at 30 operators, 1,638 tokens. The reference chain reached the generator's value on 7,200 of 7,200 "
            "expressions.",
        ),
        Erratum(
            printed="Block size Theta(sqrt L), no constant.",
            true="A window of w >= 2n - 7 is needed when the first handle is bracketed, and 2n - 4 is argued to be always enough; w = 2n + "
            "1, or equation 6 with B = 2n + 1 and k = c = 1, agrees with dense attention. As L grows like n^2 this is Theta(sqrt L).",
            evidence="At n = 15, w = 22 fails and w = 23 passes. A counting head that averages over all tokens, as in the dense "
            "construction of Feng et al., is not available in sparse attention and not needed.",
        ),
    ),
)

CLAIM_5 = Statement(
    key="yang2024 Claim 5",
    kind="claim",
    says="By the constant width of Proposition 5.1 arithmetic evaluation costs a sparse Transformer O(L sqrt L).",
    place="section 5.1",
)

PROPOSITION_5_2 = Statement(
    key="yang2024 Proposition 5.2",
    kind="proposition",
    says="A log-precision linear Transformer of constant depth and heads solves arithmetic evaluation for all expressions of length at "
    "most n only if D is at least L^(1/4) up to logarithms, so it costs at least L sqrt(L).",
    place="section 5.1",
    proof="appendix C.1 (Theorem C.1)",
)

QUESTION_1 = Statement(
    key="yang2024 Question 1",
    kind="question",
    says="Is there a linear Transformer for arithmetic evaluation that comes near the bound of Proposition 5.2? The paper gives no "
    "construction.",
    place="section 5.1",
    status="open",
)

CLAIM_6 = Statement(
    key="yang2024 Claim 6",
    kind="claim",
    says="In the arithmetic chain the blocks between equals signs depend on the block before alone; this data locality is why a small "
    "width is enough.",
    place="section 5.2",
)

DEFINITION_5_3 = Statement(
    key="yang2024 Definition 5.3",
    kind="definition",
    says="A DP problem has m-locality, m >= n, if every output token o_i, i in 1..L, is a function of K outputs at distance at most m "
    "before it.",
    place="section 5.2",
    errata=(
        Erratum(
            printed="The condition is asked of all i from 1 to L.",
            true="It must be asked of i > n only: the first n tokens are the input and are a function of nothing. Since m >= n, m = o(L) "
            "forces L to grow faster than n.",
            evidence="o_1 has no token before it; for i <= n the condition would make the input redundant.",
        ),
    ),
)

PROPOSITION_5_4 = Statement(
    key="yang2024 Proposition 5.4",
    kind="proposition",
    says="For every m-local DP problem as in Theorem 4.1 and every n, a log-precision sparse Transformer with block size Theta(m) and "
    "constant depth, heads and width is correct on all inputs of length n.",
    place="section 5.2",
    proof="appendix C.2 (Theorem C.3)",
    errata=(
        Erratum(
            printed="Block size Theta(m), constants left out.",
            true="For the rule 110 cellular automaton on n cells a window w is enough iff w >= n + 2: the first row lies one separator "
            "further away. D = 31 serves every n and every number of rows.",
            evidence="All 64 and 256 inputs at n = 6 and 8: w = n + 2 is exact on all of them, w = n + 1 on 33 and 88. Also 10 cells for "
            "20 rows, L = 212.",
        ),
    ),
)

CLAIM_7 = Statement(
    key="yang2024 Claim 7",
    kind="claim",
    says="On an m-local problem the sparse Transformer costs O(m L) up to logarithms, less than L^2 when m is far below L.",
    place="section 5.2",
    errata=(
        Erratum(
            printed="The cost is O-tilde(m L).",
            true="With c >= 1 the global tokens add L^2/m: the cost is L(m + L/m), that is max(m L, L sqrt L) with B = max(m, sqrt L). The "
            "printed bound needs c = 0 or m at least sqrt L. The cell of Table 1 is right.",
            evidence="L = 1e6, m = B = 100, k = c = 1: on average 5,099 pairs per token, not 100.",
        ),
    ),
)

PROPOSITION_5_5 = Statement(
    key="yang2024 Proposition 5.5",
    kind="proposition",
    says="For an m-local regular DP problem with m = Theta(n), a log-precision linear Transformer of constant depth and heads is correct "
    "on all inputs of length n only if D is at least sqrt(m) up to logarithms, so it costs at least m L.",
    place="section 5.2",
    proof="appendix C.3 (Theorem C.4)",
)

QUESTION_2 = Statement(
    key="yang2024 Question 2",
    kind="question",
    says="Can a linear Transformer reach the m L lower bound on m-local problems, or can the bound be raised? Called a challenging open "
    "question; the experiments suggest that locality helps linear Transformers too.",
    place="section 5.2; section 7",
    status="open",
)

"""Sections 1 and 3: the three architectures, what they cost, and the table of results."""

from __future__ import annotations

from separatrix.papers.statement import Erratum, Statement

TABLE_1 = Statement(
    key="yang2024 Table 1",
    kind="table",
    says="Total cost up to logarithms. Standard: L^2 on general reasoning, arithmetic and local reasoning. Sparse: L^2, L sqrt(L), and L "
    "sqrt(L) if m = O(sqrt L). Linear: L^2, at least L sqrt(L), at least m L.",
    place="section 1",
)

REMARK_1 = Statement(
    key="yang2024 Remark 1",
    kind="clarification",
    says="Notation: O and Omega as usual, a further symbol when both hold, and the tilde versions up to a power of log of the product of "
    "the arguments.",
    place="section 1, notations",
    errata=(
        Erratum(
            printed="The symbol O-tilde is defined as both O and Omega.",
            true="Theta is meant; O-tilde is defined, as an upper bound up to logarithms, in the next sentence.",
            evidence="Both definitions of the same symbol stand in one paragraph, and Theta is used afterwards without a definition.",
        ),
    ),
)

EQUATION_1 = Statement(
    key="yang2024 Equation 1",
    kind="equation",
    says="Each of the M blocks adds causal attention over positions 1..i to its input, then adds a feed-forward network of the sum "
    "(equations 1 and 2). There is no layer norm, and the positional embedding is learnable.",
    place="section 3, equations 1 and 2",
)

EQUATION_3 = Statement(
    key="yang2024 Equation 3",
    kind="equation",
    says="Multi-head attention is the sum over H heads of the transposed output matrix times the head; all head matrices have ceil(D/H) "
    "rows and D columns.",
    place="section 3",
)

EQUATION_4 = Statement(
    key="yang2024 Equation 4",
    kind="equation",
    says="A head is the softmax average of the value vectors, with exponentials of unscaled dot products of key and query.",
    place="section 3",
)

EQUATION_5 = Statement(
    key="yang2024 Equation 5",
    kind="equation",
    says="The feed-forward network is W2 GeLU(W1 x) with two D by D matrices and no biases.",
    place="section 3",
    errata=(
        Erratum(
            printed="W1 and W2 are D by D.",
            true="The experiments use a hidden width of 4D, and the constructions need more hidden units than D in places; pad D to the "
            "larger of the two if the equation is taken literally.",
            evidence="Linear LIS at n = 32: D = 419 with 643 hidden units; sparse: 326 with 459; edit distance 20 by 22: 470 with 749 and "
            "357 with 529.",
        ),
    ),
)

CLAIM_1 = Statement(
    key="yang2024 Claim 1",
    kind="claim",
    says="A standard Transformer with M blocks costs Theta(M (L^2 D + L D^2)) on a sequence of length L.",
    place="section 3",
)

EQUATION_6 = Statement(
    key="yang2024 Equation 6",
    kind="equation",
    says="In the sparse Transformer token i attends to the last k B positions and to every j with (j - 1) mod B >= B - c, the last c "
    "tokens of each block; B is the block size, k and c are constants.",
    place="section 3",
    errata=(
        Erratum(
            printed="The second set has no upper limit on j.",
            true="Both sets need j <= i, otherwise attention is not causal.",
            evidence="As printed, token 3 with B = 5 and c = 1 sees 5, 10, 15 and 20.",
        ),
    ),
)

CLAIM_2 = Statement(
    key="yang2024 Claim 2",
    kind="claim",
    says="With block size Theta(sqrt L) the sparse Transformer reaches its least cost, Theta(M (L sqrt(L) D + L D^2)).",
    place="section 3",
    errata=(
        Erratum(
            printed="B = Theta(sqrt L), constants left out.",
            true="The pairs are the sum over i of min(i, kB) + c floor(r/B) + max(0, r mod B - (B - c)), r = max(0, i - kB). The number of "
            "visible prompt tokens is least at B = sqrt(c n/k), where it is about 2 sqrt(c k n).",
            evidence="The formula equals a brute-force count. Log-slopes of the total cost over L = 1e5..4e5: 1.998 (standard, constant "
            "D), 1.39 and rising to 1.5 (sparse, constant D), 2.00 (sparse and linear with D = sqrt L), 1.47 (linear with D = L^(1/4)).",
        ),
    ),
)

EQUATION_7 = Statement(
    key="yang2024 Equation 7",
    kind="equation",
    says="The linear Transformer keeps the sum over heads but replaces each head by its linear version of equation 8.",
    place="section 3",
)

EQUATION_8 = Statement(
    key="yang2024 Equation 8",
    kind="equation",
    says="A linear head weights value vectors by phi(key) . phi(query) with phi = elu + 1, normalised by the sum of these weights.",
    place="section 3",
)

CLAIM_3 = Statement(
    key="yang2024 Claim 3",
    kind="claim",
    says="Prefix sums of value times phi(key) and of phi(key) bring the linear Transformer down to Theta(M L D^2), linear in L.",
    place="section 3",
)

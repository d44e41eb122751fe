"""Appendix C: arithmetic made formal, and the proofs of section 5."""

from __future__ import annotations

from separatrix.papers.statement import Erratum, Statement

TASK_6 = Statement(
    key="yang2024 Task 6",
    kind="task",
    says="Arithmetic(n, p): expressions of length at most n over the integers modulo a prime p. A handle is a pair of adjacent numbers "
    "whose operation may be carried out; each step of the chain resolves the leftmost handle.",
    place="appendix C",
    errata=(
        Erratum(
            printed="The chain solves the leftmost variable first.",
            true="The leftmost handle is meant. This is a function of the expression and suits the theory; the data of the experiments "
            "follow another order, see Task 4.",
            evidence="The leftmost-handle chain reached the value of the expression on 7,200 of 7,200 random ones (p = 5, 7, 11; 1 to 16 "
            "operators).",
        ),
    ),
)

THEOREM_C_1 = Statement(
    key="yang2024 Theorem C.1",
    kind="theorem",
    says="The formal Proposition 5.2: the chain is determined by the hidden state after the input, the first step has exp(Omega(n)) "
    "possible results, n is of order sqrt(L), so D is at least L^(1/4) up to logarithms.",
    place="appendix C.1; section 5.1",
    proof="appendix C.1",
    errata=(
        Erratum(
            printed="exp(Omega(n)) results of the first step (no count; every a op b op ... is called legal).",
            true="With m operators the state needs log2 p + (m - 1) log2(4p - 1) bits: all bracket-free second lines can be reached "
            "through (a + 0). Division by zero is not legal, hence 4p - 1.",
            evidence="At 16 operators, p = 11, M = 3, H = 4 the bound is D >= 0.7, 1.3, 8.8 for numbers of 32, 16 and 1 bits.",
        ),
    ),
)

THEOREM_C_2 = Statement(
    key="yang2024 Theorem C.2",
    kind="theorem",
    says="From Feng et al. (2023): for any DP problem and any n a Transformer of constant depth, width and heads, with parameters "
    "polynomial in n, is correct on all inputs of length at most n.",
    place="appendix C.2",
    proof="not in this paper (Feng et al. 2023)",
    errata=(
        Erratum(
            printed="For any DP problem; L is the depth.",
            true="The assumptions of Theorem 4.1 are needed here too, and L is the length of the sequence everywhere else.",
            evidence="Reading: Theorem 4.1 quotes the same result with its assumptions, for inputs of length n.",
        ),
    ),
)

THEOREM_C_3 = Statement(
    key="yang2024 Theorem C.3",
    kind="theorem",
    says="The formal Proposition 5.4: on an m-local problem the standard Transformer attends to nothing further back than m, so masking "
    "the rest changes nothing.",
    place="appendix C.2; section 5.2",
    proof="appendix C.2",
    errata=(
        Erratum(
            printed="The proof rests on Theorem C.3.",
            true="It rests on Theorem C.2.",
            evidence="The sentence cites the statement that is being proven.",
        ),
    ),
)

THEOREM_C_4 = Statement(
    key="yang2024 Theorem C.4",
    kind="theorem",
    says="The formal Proposition 5.5: with m = Theta(n) the hidden states need Omega(m) bits, so D is at least sqrt(m/log m) in order.",
    place="appendix C.3; section 5.2",
    proof="appendix C.3",
    errata=(
        Erratum(
            printed="The argument is that of Theorem 4.2.",
            true="It is that of Theorem 4.4.",
            evidence="Theorem 4.2 is the upper bound; the section's own first sentence names Theorem 4.4.",
        ),
    ),
)

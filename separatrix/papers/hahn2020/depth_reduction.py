"""Section 5.1: the proof of the Depth Reduction Lemma, in its three stages."""

from __future__ import annotations

from separatrix.papers.statement import Erratum, Statement

STAGE_1 = Statement(
    key="hahn2020 Stage 1",
    kind="claim",
    says="By counting at most n c pairs, at most eta C n inputs feed more than c/(eta C) layer-0 activations. Fixing those inputs leaves "
    "(1 - eta) C n free and every remaining input feeds at most c/(eta C) activations.",
    place="section 5.1, stage 1",
    proof="section 5.1, stage 1",
)

EQUATION_7 = Statement(
    key="hahn2020 Equation 7",
    kind="equation",
    says="For a layer-1 head at i and each of the at most 2^c values z of its own activation, positions j are ranked by the highest score "
    "that j can reach under the restriction among inputs that give z, ties by position.",
    place="section 5.1, stage 2",
)

NOTION_5 = Statement(
    key="hahn2020 Notion 5",
    kind="definition",
    says="For each head and z a list of k ranked positions is chosen, each with an input that feeds no other chosen one, with the least "
    "possible last rank. The pair is satisfied if one chosen activation is already fixed to its best score; then only k activations "
    "compete, and a satisfied head depends on at most c(2^c k + 1) inputs.",
    place="section 5.1, stage 2",
    errata=(
        Erratum(
            printed="Satisfied means that one of the layer-0 activations y with subscript i_s is fixed to the value of highest score.",
            true="The subscript is j_(i_s): i_s is a rank in the list, j_(i_s) the position that has this rank.",
            evidence="The list i_1 < ... < i_k indexes the sequence j_1, ..., j_n two paragraphs earlier.",
        ),
    ),
)

FIGURE_3 = Statement(
    key="hahn2020 Figure 3",
    kind="figure",
    says="Example of the choice of ranked positions for c = 2 and k = 2: two activations, each with input bits that feed no other chosen "
    "one.",
    place="section 5.1, stage 2",
)

NOTION_6 = Statement(
    key="hahn2020 Notion 6",
    kind="definition",
    says="A layer-1 head k-depends on a free input that feeds a position ranked no later than its last chosen one, for some z; by "
    "minimality these are exactly the inputs of the chosen positions, at most 2^c c k. Heads that share such an input are k-neighbours.",
    place="section 5.1, stage 2",
    errata=(
        Erratum(
            printed="Because the last rank is minimal, a head k-depends on an input iff that input feeds a chosen position.",
            true="Minimality does not give this. Choose greedily instead: take the next ranked position whenever it brings an input not "
            "covered yet; then every input up to the last rank is covered.",
            evidence="Ranked input sets {a}, {a, b}, {c} with k = 2: the choice of the first and third is minimal, yet b, which feeds the "
            "second, is not covered.",
        ),
    ),
)

STAGE_2 = Statement(
    key="hahn2020 Stage 2",
    kind="claim",
    says="While a layer-0 activation has more than 2^c k H unsatisfied k-depending heads, fixing its c inputs satisfies more than k H "
    "pairs at once; this happens at most 2^c n/k times. If 2^c c/k <= eta, then (1 - 2 eta) C n inputs stay free and each unsatisfied head "
    "has at most f = 2^(2c) c^2 k^2 H/(eta C) unsatisfied k-neighbours.",
    place="section 5.1, stage 2",
    proof="section 5.1, stage 2",
    errata=(
        Erratum(
            printed="k is chosen with 2^c c/k <= eta, which leaves (1 - 2 eta) C n inputs free.",
            true="k must satisfy 2^c c/k <= eta C.",
            evidence="The free share is (1 - eta) C - 2^c c/k; with the printed choice it is only bounded by (1 - eta) C - eta, which for "
            "C < 1 is less than (1 - 2 eta) C.",
        ),
    ),
)

STAGE_3 = Statement(
    key="hahn2020 Stage 3",
    kind="claim",
    says="Fix each remaining input to 0 or 1 with probability q/2 each. With positive probability every head and value z is satisfied and "
    "at most a (1 + delta) q share of the inputs is fixed, so (1 - 2 eta)(1 - (1 + delta) q) C n = C' n stay free.",
    place="section 5.1, stage 3",
    proof="section 5.1, stage 3, by the Lovasz local lemma",
)

EQUATION_8 = Statement(
    key="hahn2020 Equation 8",
    kind="equation",
    says="Chernoff: the probability that the random restriction fixes more than a (1 + delta) q share of the free inputs is at most "
    "exp(-delta^2 q (1 - 2 eta) C n/3).",
    place="section 5.1, stage 3",
)

EQUATION_9 = Statement(
    key="hahn2020 Equation 9",
    kind="equation",
    says="The probability that none of the k chosen activations of a head is fixed to its best value is at most (1 - (q/2)^c)^(k eta "
    "C/c^2), because each such event depends on at most c^2/(eta C) others.",
    place="section 5.1, stage 3",
    errata=(
        Erratum(
            printed="Among the k events at least k/(c^2/(eta C)) are independent.",
            true="The greedy choice gives k/(1 + c^2/(eta C)): an event excludes its neighbours and itself.",
            evidence="A graph of degree d has an independent set of k/(1 + d) vertices, and disjoint cliques attain it. The exponent stays "
            "linear in k, so the limit argument is untouched.",
        ),
    ),
)

EQUATION_10 = Statement(
    key="hahn2020 Equation 10",
    kind="equation",
    says="Local lemma, heads: with A = 1/k^2 and B = 1/2 it is enough that the probability of equation 9 is at most A (1 - B) (1 - A)^f, "
    "where f bounds the number of dependent events.",
    place="section 5.1, stage 3",
    errata=(
        Erratum(
            printed="Each event depends on at most f = 2^(2c) c^2 k^2 H/(eta C) others.",
            true="There is one event per head and value z, so the degree is 2^c f.",
            evidence="f counts neighbouring heads and each head has up to 2^c values z. The least k for c = 1, H = 1, C' = 0.5 grows from "
            "2,237 (from 1,805 in a second search) to 3,679 (3,446); the limit argument in equation 12 still works.",
        ),
    ),
)

EQUATION_11 = Statement(
    key="hahn2020 Equation 11",
    kind="equation",
    says="Local lemma, budget: it is enough that the probability of equation 8 is at most B (1 - A)^(2^c H n), which holds for large n and "
    "k.",
    place="section 5.1, stage 3",
)

EQUATION_12 = Statement(
    key="hahn2020 Equation 12",
    kind="equation",
    says="The k-th root of equation 10: a constant D < 1 on the left, while the right side tends to 1 as k grows, so some k that does not "
    "depend on n satisfies it.",
    place="section 5.1, stage 3",
)

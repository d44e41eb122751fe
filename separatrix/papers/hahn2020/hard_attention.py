"""Section 5: hard attention ignores most of its input once a few symbols are fixed."""

from __future__ import annotations

from separatrix.papers.statement import Erratum, Statement

REMARK_3 = Statement(
    key="hahn2020 Remark 3",
    kind="remark",
    says="The hard-attention results assume nothing about activation functions or parameter norms; the position-wise activations need not "
    "even be vectors.",
    place="section 5",
)

FIGURE_1 = Statement(
    key="hahn2020 Figure 1",
    kind="figure",
    says="Drawing of the layer-by-layer argument: fix a few inputs so that layer 1 reads few positions, fix a few more for layer 2, then "
    "absorb layer 1 into the inputs.",
    place="section 5",
)

NOTION_4 = Statement(
    key="hahn2020 Notion 4",
    kind="definition",
    says="An input restriction gives, for each length n, a map from positions to {*, 0, 1}; positions with a bit are fixed to it and the "
    "output is a function of the starred inputs only.",
    place="section 5",
)

REMARK_4 = Statement(
    key="hahn2020 Remark 4",
    kind="remark",
    says="Restrictions come from the proof that constant-depth polynomial-size Boolean circuits miss PARITY; the circuit arguments do not "
    "seem to carry over to real-valued activations, so the paper finds its restrictions in another way.",
    place="section 5",
)

THEOREM_1 = Statement(
    key="hahn2020 Theorem 1",
    kind="theorem",
    says="For every hard-attention transformer and every C in (0, 1) there are a restriction and an integer c > 0 such that at least C n "
    "inputs stay free for all large n, and the restricted output depends on at most c of them, whatever n is.",
    place="section 5",
    proof="section 5, by Lemma 4 once per layer; Lemma 4 in section 5.1",
    errata=(
        Erratum(
            printed="The restricted output depends on at most c inputs, with an integer c > 0.",
            true="c = 0 can always be had: fix those c inputs as well (start from a slightly larger C) and the output is constant.",
            evidence="A greedy version of the reduction on more than 40 random models of width 8 always reached a constant output. One "
            "layer: at most H bits fixed at any n. Two layers: H = 1 took 14-22 bits at n = 100 and 22-32 at n = 200; H = 2 took 21-35 and "
            "39-42. Three layers, H = 1: 39 bits at n = 100. Each restriction was re-derived by an independent propagation.",
        ),
    ),
)

COROLLARY_2 = Statement(
    key="hahn2020 Corollary 2",
    kind="corollary",
    says="No hard-attention transformer recognises PARITY or 2DYCK at all lengths. For 2DYCK the proof already defeats one bracket type: "
    "it fixes the first 0.2 n symbols to open and the last 0.2 n to closed brackets and applies Theorem 1 with C = 0.9.",
    place="section 5",
    proof="section 5",
    errata=(
        Erratum(
            printed="After 0.4 n symbols are fixed, Theorem 1 is applied with C = 0.9.",
            true="Only 0.6 n symbols are free by then, so 0.9 n cannot stay free. Start the lemma at C = 0.6 with C' = 0.5, which fixes at "
            "most 0.1 n more, and take lengths with n - 1 even, because one position holds the end symbol.",
            evidence="Counting. With the repaired constants the reduction found, for 12 of 12 random models, a balanced and an unbalanced "
            "one-bracket word with the same output; for PARITY it found two inputs one bit apart with equal outputs in every one of more "
            "than 40 runs.",
        ),
    ),
)

TASK_3 = Statement(
    key="hahn2020 Task 3",
    kind="task",
    says="1DYCK: correctly bracketed words with a single bracket type, the easier variant on which the 2DYCK half of Corollary 2 is "
    "proven.",
    place="section 5, proof of Corollary 2",
)

CONSTRUCTION_1 = Statement(
    key="hahn2020 Construction 1",
    kind="construction",
    says="The language 1* over {0, 1} is recognised by one hard-attention head that looks for a 0 and rejects if it finds one.",
    place="section 5, discussion",
)

CONSTRUCTION_2 = Statement(
    key="hahn2020 Construction 2",
    kind="construction",
    says="The language a^n b^n is recognised by hard attention with suitable positions: one head finds the last position n, the next looks "
    "for a b before n/2 or an a at or after n/2, and the model rejects iff there is one.",
    place="section 5, discussion",
    errata=(
        Erratum(
            printed="Rejecting on a b before n/2 or an a from n/2 on recognises a^n b^n.",
            true="The rule also accepts every a^k b^(k+1). The parity of the length must be tested too: with the end symbol at n, a "
            "misplaced letter scores 1, the end symbol scores 1/2 if n is even and 0 otherwise, every other position 0; accept iff the "
            "attended score is 0.",
            evidence="All words of up to 14 letters: the printed rule errs exactly on b, abb, aabbb, ..., a^6 b^7; the repaired rule on "
            "none.",
        ),
        Erratum(
            printed="A first head has to fetch the largest position n.",
            true="One layer with one head is enough, since the end symbol at position n already knows n from its own position.",
            evidence="The repaired one-layer rule is right on all words of up to 14 letters.",
        ),
    ),
)

REMARK_5 = Statement(
    key="hahn2020 Remark 5",
    kind="remark",
    says="1* and a^n b^n escape the method because a few fixed symbols force a word out of them; PARITY and 2DYCK cannot be forced that "
    "way.",
    place="section 5, discussion",
)

CLAIM_1 = Statement(
    key="hahn2020 Claim 1",
    kind="claim",
    says="Sensitivity criterion: if for some C in (0, 1) no way of fixing C n input symbols decides membership, then no hard-attention "
    "transformer recognises the language.",
    place="section 5, discussion",
)

QUESTION_1 = Statement(
    key="hahn2020 Question 1",
    kind="question",
    says="How does the criterion of Claim 1 relate to the sensitivity of Boolean functions studied in complexity theory and to results on "
    "generalisation of feed-forward networks? Left for later work.",
    place="section 5, discussion",
    status="open",
)

CLAIM_2 = Statement(
    key="hahn2020 Claim 2",
    kind="claim",
    says="Budget of the proof: it fixes about (1 - C^(1/L)) n inputs per layer, so that C n stay free after L layers, and each layer "
    "multiplies the number of inputs behind an activation by a bounded factor.",
    place="section 5, proof idea",
    errata=(
        Erratum(
            printed="The factor per layer is bounded independently of n (no size is given).",
            true="It is bounded but far too large to bind at any real length. With the corrected degree count and eta, q, delta optimised, "
            "H = 1 and C = 1 need k of about 3.5e3 for c = 1 and C' = 0.5, 5e5 for C' = 0.9, 2.5e6 for c = 2 and 6e8 for c = 3.",
            evidence="Two independent searches gave 3,446 and 3,679; 498,957 and 506,874; 2.3e6 and 2.6e6; 5.9e8 and 6.8e8. At k = 3,679 "
            "the next layer has c = 7,359 and a table of 2^7359 rows. Resampling in place of the local lemma already converges at k = 8-16 "
            "(56-100 of 200 bits fixed), and the greedy search fixes 13-20. Against heads that seek the nearest 1 the number of fixed bits "
            "is about n/(c + 1): 54, 41, 28 and 19 of 160 for c = 2, 3, 5, 8.",
        ),
    ),
)

FIGURE_2 = Statement(
    key="hahn2020 Figure 2",
    kind="figure",
    says="Drawing of one reduction step: before it, a layer-1 head may read any input; after it, each head can read only c of them, and an "
    "activation depends on H c inputs and its own.",
    place="section 5",
)

DEFINITION_3 = Statement(
    key="hahn2020 Definition 3",
    kind="definition",
    says="A c-transformer with L layers is a transformer whose layer-0 activation at j is any function of the embeddings at no more than c "
    "input positions, which may depend on j and n (equation 4).",
    place="section 5",
)

LEMMA_4 = Statement(
    key="hahn2020 Lemma 4",
    kind="lemma",
    says="Depth reduction: given a c-transformer with L layers and H heads and a restriction that leaves C n inputs free, for every C' < C "
    "there is a further restriction that leaves C' n free, under which the function is computed by a c(2^c k H + 1)-transformer with L - 1 "
    "layers, k an integer depending on C'.",
    place="section 5, equations 5 and 6",
    proof="section 5.1",
)

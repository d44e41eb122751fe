"""Appendix B: the constructions of width sqrt(L), and the bottlenecks that force it."""

from __future__ import annotations

from separatrix.papers.statement import Erratum, Statement

ASSUMPTION_B_1 = Statement(
    key="yang2024 Assumption B.1",
    kind="assumption",
    says="Each of f, g, h and u is approximated by a GeLU network of constant size.",
    place="appendix B; section 4.1",
    errata=(
        Erratum(
            printed="The assumption is called natural and mild, and LIS is used as an instance of it.",
            true="The LIS chain of the experiments, one value per element, has K = n - 1 and does not satisfy it. Dense attention still "
            "solves it with width 4V + 8 for V possible values and 2 attention layers; LIS over pairs (j, k) satisfies the assumption with "
            "K = J = 2.",
            evidence="Run for n = 10, 40, 110, L up to 223, D = 608 at V = 150.",
        ),
    ),
)

ASSUMPTION_B_2 = Statement(
    key="yang2024 Assumption B.2",
    kind="assumption",
    says="The next state is a function of the token number and the current state that a GeLU network approximates.",
    place="appendix B; section 4.1",
)

REMARK_4 = Statement(
    key="yang2024 Remark 4",
    kind="remark",
    says="The proofs replace residual additions by concatenation, which is said not to change what the architecture can express.",
    place="appendix B",
)

THEOREM_B_3 = Statement(
    key="yang2024 Theorem B.3",
    kind="theorem",
    says="The linear half of Theorem 4.2. With W = ceil(sqrt L), four blocks compute the next state, the positions it needs, the values "
    "there (slot one-hots, a block mean by Lemma A.9, multiplication by the count, selection of the slot), and the output.",
    place="appendix B.1",
    proof="appendix B.1",
    errata=(
        Erratum(
            printed="Four blocks.",
            true="8 to 15 blocks of attention and one two-layer network once every network is two-layer: 15 for LIS and edit distance, 9 "
            "for the reversed sum (14 and 8 in the sparse case), with 1 attention layer that is not idle (2 in the sparse case).",
            evidence="Exact weights, generated chains equal to the reference up to L = 595, 527 and 802; rounding distance at most 5.6e-5.",
        ),
        Erratum(
            printed="Block 3: the W copies are all gated by the indicator that the slot of k equals 1.",
            true="The indicators run over slot = 1, 2, ..., W.",
            evidence="Reading: otherwise only the first token of a block is ever stored.",
        ),
        Erratum(
            printed="Block 3: a partial block is divided by i - ceil(t/W)(W - 1).",
            true="By i - (ceil(t/W) - 1) W, the number of tokens of the block up to i.",
            evidence="W = 4, t = i = 6: the printed form gives 0, the block holds 2 tokens.",
        ),
        Erratum(
            printed="The one-hot vector is the entrywise product of the two staircases, e = m * n.",
            true="No product is needed: e = m + n - 1 for i >= 1, or differences of adjacent steps. Count one-hot gates can also replace "
            "the last use of Lemma A.1, which lowers the largest weight from 1e11..1e17 to 2e5 (4e12 remains where LIS squares a state).",
            evidence="Exact on integers. In float32 the distance to rounding of the reversed sum at n = 40 falls from 0.26-0.28 to 2.8e-3 "
            "(linear) and 0 (sparse).",
        ),
        Erratum(
            printed="The vectors contain n_k and e_sep, which are not defined.",
            true="They are left over from Feng et al. (2023) and play no part.",
            evidence="Neither is read by a later block.",
        ),
        Erratum(
            printed="Lemma A.9 is applied with a large enough mu.",
            true="How large matters: too small a mu breaks generation.",
            evidence="Linear LIS at n = 16: mu = 6 and 8 fail, 10 passes with rounding distance 0.08, 14 with 1.5e-3, 20 with 4e-6, 30 "
            "with 8e-9.",
        ),
    ),
)

THEOREM_B_4 = Statement(
    key="yang2024 Theorem B.4",
    kind="theorem",
    says="The sparse half of Theorem 4.2, block size Theta(sqrt L): the same four blocks with the look-up done by the COPY of Lemma A.12.",
    place="appendix B.1",
    proof="appendix B.1",
)

THEOREM_B_5 = Statement(
    key="yang2024 Theorem B.5",
    kind="theorem",
    says="The linear half of Theorem 4.4: the recurrent states after the input and a fixed token determine the whole chain, so they need "
    "Omega(n) bits, and D is at least of order sqrt(L) up to logarithms.",
    place="appendix B.2",
    proof="appendix B.2",
    errata=(
        Erratum(
            printed="The header claims D = Omega(sqrt L), the proof D = Omega(sqrt(L)/log L).",
            true="The proof gives sqrt(L/log L), hence Omega-tilde in the header. With constants: M(D^2/H + D) p >= bits, that is D >= "
            "(H/2)(sqrt(1 + 4R/H) - 1) with R = bits/(M p) and bits = n log2|alphabet| for a regular problem.",
            evidence="The states hold D^2/H + D numbers of p = O(log L) bits per layer: a D/H by D/H matrix and a vector for each of H "
            "heads.",
        ),
        Erratum(
            printed="The appendix is introduced as the proof of Theorem 4.2.",
            true="It proves Theorem 4.4.",
            evidence="Its heading and the two statements in it.",
        ),
    ),
)

THEOREM_B_6 = Statement(
    key="yang2024 Theorem B.6",
    kind="theorem",
    says="The sparse half of Theorem 4.4, block size Theta(sqrt L): while generating, the model sees Theta(B) input tokens, the last c of "
    "every block and the last B, whose embeddings hold Theta(B D log n) bits; if D = o(sqrt(L)/ln L) two inputs give the same chain.",
    place="appendix B.2",
    proof="appendix B.2",
    errata=(
        Erratum(
            printed="Theta(B) visible tokens, each D numbers per layer.",
            true="Visible are v = min(n, kB - 1) + c floor(r/B) + max(0, r mod B - (B - c)), r = n - min(n, kB - 1). Layer 0 holds token "
            "ids only, so D >= (bits - v log2|alphabet|)/(v (M - 1) p), and M = 1 is impossible at any width once bits exceed v "
            "log2|alphabet|.",
            evidence="v equals a brute-force count. Overwriting keys and values of all 45 invisible of 60 prompt tokens left the "
            "generation unchanged; overwriting one visible token broke it.",
        ),
    ),
)

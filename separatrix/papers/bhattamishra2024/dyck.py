"""Bounded Dyck languages: constant recurrent state against linear width of one attention layer."""

from __future__ import annotations

from separatrix.papers.statement import Erratum, Statement

TASK_2 = Statement(
    key="bhattamishra2024 Task 2",
    kind="task",
    says=(
        "Dyck-(n, k): decide whether a string over n bracket pairs is well matched with at most k brackets open after any prefix. Each "
        "such language is regular. In the two-party form N is even and the parties hold the odd and the even positions."
    ),
    place="section 4.1; appendix E",
)

LEMMA_1 = Statement(
    key="bhattamishra2024 Lemma 1",
    kind="lemma",
    says=(
        "If one party holds the odd and the other the even positions of a string of length N, deciding membership in Dyck-(2,2) costs "
        "at least N - 1 bits. All 2^(N-1) members form a fooling set, since the odd symbols of a member determine its even symbols."
    ),
    place="section 4.1; restated in appendix E",
    proof="appendix E",
    errata=(
        Erratum(
            printed="At least N - 1 bits.",
            true="Exactly N + 1 bits: that many are needed, and they suffice (send the index of one's half or 'invalid', get the answer).",
            evidence=(
                "The communication matrix is a partial permutation matrix of rank 2^(N-1) and its complement has rank 2^(N-1) + 1, checked "
                "for N <= 10. A protocol cuts the matrix into at least as many rectangles as the two ranks together, 2^N + 1, so it takes "
                "more than N bits."
            ),
        ),
        Erratum(
            printed="The length N is unrestricted in the lemma.",
            true="N must be even: for odd N the slice of the language is empty and nothing need be exchanged.",
            evidence="Counted: 2^(N-1) members for every even N from 2 to 20, none for odd N.",
        ),
        Erratum(
            printed="The proof shows only that the odd half determines the even half.",
            true="A fooling set as claimed (both crossed pairs have value 0) also needs the converse, which holds.",
            evidence="All members enumerated: as many odd halves, even halves and members, for every even N from 2 to 20.",
        ),
        Erratum(
            printed="The rule for the even symbols is written for the first outer bracket x_1 only.",
            true="Scan the odd symbols: y_j opens the partner of x_(j+1) if that closes, otherwise it closes the current outer bracket.",
            evidence="All members of length up to 20 have exactly one completion of either half.",
        ),
        Erratum(
            printed="Section 4.1 gives Alice the even positions.",
            true="The lemma gives her the odd ones; the bound is the same.",
            evidence="By reading both places.",
        ),
    ),
)

THEOREM_5 = Statement(
    key="bhattamishra2024 Theorem 5",
    kind="theorem",
    says="A one-layer Transformer that decides Dyck-(2,2) on length N has m H >= (N - 1) / (3 (p + log N)).",
    place="section 4.1",
    proof="Theorem 4 and Lemma 1",
    errata=(
        Erratum(
            printed="m H >= (N - 1) / (3 (p + log N)) for every m and N.",
            true=(
                "Proven by the repaired protocol for m >= 4 and even N. The exact form is H (m(p + f) + 2p + 2f + 2 ceil(log2(N+1))) + 3 "
                ">= N + 1."
            ),
            evidence="The repaired count stays below 3 m (p + log N) H at all 1440 points with m >= 4; odd lengths have no members at all.",
        ),
        Erratum(
            printed="The text combines 'Lemmas 4 and 1'.",
            true="Theorem 4 and Lemma 1.",
            evidence="By reading: Lemma 4 is about automata and recurrent models.",
        ),
        Erratum(
            printed="The bound is set beside experiments at N = 400.",
            true=(
                "There it says m H >= 3.3 (p = 32), or m >= 6 for one head in the exact form with f = 16: far below the widths that were "
                "trained."
            ),
            evidence="Both formulas evaluated at N = 400, p = 32.",
        ),
        Erratum(
            printed="The limit is stated without a word on error.",
            true="It is a deterministic bound: the odd/even matrix is permutation-like, so a randomised protocol needs O(log N) bits only.",
            evidence="The matrix has at most one 1 in each row and column (N <= 10), as Equality has.",
        ),
    ),
)

REMARK_3 = Statement(
    key="bhattamishra2024 Remark 3",
    kind="remark",
    says=(
        "Recurrent networks of constant width with sigmoid or ReLU activations recognise bounded Dyck languages, and two-layer "
        "Transformers can model them too, both by earlier work; hence one-layer Transformers and recurrent models separate in the other "
        "direction."
    ),
    place="section 4.1; appendix E",
    proof="cited: Hewitt et al. 2020 (sigmoid), Bhattamishra et al. 2020 (ReLU), Yao et al. 2021 (two layers)",
)

REMARK_4 = Statement(
    key="bhattamishra2024 Remark 4",
    kind="remark",
    says=(
        "A recurrent model yields a one-way protocol over contiguous cuts, a one-layer Transformer a two-way protocol over any partition. "
        "So INDEX, which costs log N bits when Bob may speak, bounds only the former, and Dyck-(2,2), whose contiguous cuts need at most "
        "two open brackets, only the latter."
    ),
    place="section 4.2; appendix F",
    errata=(
        Erratum(
            printed="Appendix F quotes the protocol as O(m p H log N) bits.",
            true="Theorem 4 gives O(m (p + log N) H), which is smaller whenever p and log N are both large.",
            evidence="p + log N <= p log N for p, log N >= 2.",
        ),
        Erratum(
            printed="Two open brackets are enough at a contiguous cut.",
            true=(
                "One more class is needed for prefixes that are already invalid: 6 classes after an even and 3 after an odd number of "
                "symbols."
            ),
            evidence="Profile at length 8: 1, 3, 6, 3, 6, 3, 6, 3, 2, so 3 bits at any length.",
        ),
    ),
)

DEFINITION_1 = Statement(
    key="bhattamishra2024 Definition 1",
    kind="definition",
    says=(
        "A fooling set for a two-party function f is a set of input pairs on which f has one value b, such that of any two distinct pairs "
        "at least one of the two crossed pairs has a value other than b."
    ),
    place="appendix E",
)

FACT_4 = Statement(
    key="bhattamishra2024 Fact 4",
    kind="fact",
    says="A fooling set S for f forces the communication complexity of f to be at least log2 |S|.",
    place="appendix E",
    proof="standard",
    errata=(
        Erratum(
            printed="At least log2 |S|.",
            true="At least ceil(log2(|S| + 1)) when f is not constant, as the other value needs a rectangle of its own.",
            evidence="Leaves of a protocol are one-valued rectangles: |S| of value b and at least one of the other value.",
        ),
    ),
)

REMARK_11 = Statement(
    key="bhattamishra2024 Remark 11",
    kind="remark",
    says=(
        "Lemma 1 could also be derived from algebra: show that the syntactic monoid of Dyck-(2,2) lies outside the variety DA and use the "
        "known classification of the communication complexity of regular languages."
    ),
    place="appendix E",
    proof="sketched; cites Raymond, Tesson and Therien 1998",
)

THEOREM_10 = Statement(
    key="bhattamishra2024 Theorem 10",
    kind="theorem",
    says="Theorem 5 again with the width written d: a one-layer Transformer deciding Dyck-(2,2) has d H >= (N - 1) / (3 (p + log N)).",
    place="appendix E",
    proof="Theorem 4 and Lemma 1",
    errata=(
        Erratum(
            printed="d H >= (N - 1) / (3 (p + log N)) for every width and every N.",
            true="As for Theorem 5: width at least 4 and even N; exact form H (m(p + f) + 2p + 2f + 2 ceil(log2(N+1))) + 3 >= N + 1.",
            evidence="1440 parameter points of the repaired protocol; member counts 2^(N-1) for even and 0 for odd N.",
        ),
    ),
)

REMARK_12 = Statement(
    key="bhattamishra2024 Remark 12",
    kind="remark",
    says=(
        "An automaton with k states needs log k bits of recurrent state. Dyck-(n, k) has an automaton with O(2^k) states, Dyck-(2,2) one "
        "with 7, so recurrent models of constant size recognise them at every length."
    ),
    place="appendix E",
    errata=(
        Erratum(
            printed="Dyck-(n, k) has an automaton with O(2^k) states.",
            true="O(n^k): the minimal complete automaton has 1 + n + ... + n^k states and a sink.",
            evidence="Minimised: 8 for (2,2), 16 for (2,3), 14 for (3,2).",
        ),
        Erratum(
            printed="7 states for Dyck-(2,2).",
            true="8 for a complete automaton, the sink included; 3 bits of state either way.",
            evidence="The stack contents of depth 0, 1, 2 are 1 + 2 + 4 states, and no two states of the 8 are equivalent.",
        ),
    ),
)

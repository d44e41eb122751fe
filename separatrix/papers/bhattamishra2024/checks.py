"""Validation steps, limits, confidence notes and questions that a summary of the paper lists."""

from __future__ import annotations

from separatrix.papers.statement import Erratum, Statement

CHECK_1 = Statement(
    key="bhattamishra2024 Check 1",
    kind="check",
    says=(
        "Precision sensitivity: vary the precision of the address vectors and measure index lookup accuracy, to find the least precision "
        "that works and the practical limits."
    ),
    place="summary of the paper, next check 1",
)

CHECK_2 = Statement(
    key="bhattamishra2024 Check 2",
    kind="check",
    says=(
        "Scaling beyond the reported ranges: run lengths over 800 and widths over 1024 for both families and compare with the predicted "
        "scaling."
    ),
    place="summary of the paper, next check 2",
)

CHECK_3 = Statement(
    key="bhattamishra2024 Check 3",
    kind="check",
    says=(
        "Other attention: compare softmax with approximations of hard attention, linear attention and further mechanisms, to see how far "
        "the results depend on the kind of attention."
    ),
    place="summary of the paper, next check 3",
)

CHECK_4 = Statement(
    key="bhattamishra2024 Check 4",
    kind="check",
    says="First experiment: index lookup at several sequence lengths and Transformer widths.",
    place="summary of the paper, first experiments 1",
)

CHECK_5 = Statement(
    key="bhattamishra2024 Check 5",
    kind="check",
    says="Second experiment: recognition of Dyck-2 with bounded depth by different architectures.",
    place="summary of the paper, first experiments 2",
)

CHECK_6 = Statement(
    key="bhattamishra2024 Check 6",
    kind="check",
    says="Third experiment: string equality with one-layer against two-layer Transformers.",
    place="summary of the paper, first experiments 3",
)

CHECK_7 = Statement(
    key="bhattamishra2024 Check 7",
    kind="check",
    says="Limitation: nearly orthogonal addresses may not scale to very long sequences or may meet limits of precision in practice.",
    place="summary of the paper, limitations 1",
)

CHECK_8 = Statement(
    key="bhattamishra2024 Check 8",
    kind="check",
    says="Limitation: the communication arguments may assume an ideal model, and finite precision in an implementation could break them.",
    place="summary of the paper, limitations 2",
    errata=(
        Erratum(
            printed="The reductions assume idealised behaviour that finite precision may not show.",
            true="They are about finite precision: the protocol counts the stored bits and reproduces the rounded output exactly.",
            evidence="3200 of 3200 protocol runs on 400 random fixed-point models agree with the direct output bit for bit.",
        ),
    ),
)

CHECK_9 = Statement(
    key="bhattamishra2024 Check 9",
    kind="check",
    says="Limitation: the experiments cover a few synthetic tasks at lengths 20 to 800, and behaviour outside these ranges is unverified.",
    place="summary of the paper, limitations 3",
    errata=(
        Erratum(
            printed="Four synthetic tasks are validated, nearest neighbour among them.",
            true="The paper trains on index lookup, Dyck-(2,2) and string equality; nearest neighbour and recall are left to earlier work.",
            evidence="By reading section 6.",
        ),
    ),
)

CHECK_10 = Statement(
    key="bhattamishra2024 Check 10",
    kind="check",
    says="High confidence is given to the index lookup and bounded Dyck results, because their communication reductions are clear.",
    place="summary of the paper, confidence",
)

CHECK_11 = Statement(
    key="bhattamishra2024 Check 11",
    kind="check",
    says="Medium confidence is given to the Transformer constructions: sound as mathematics, uncertain in practice.",
    place="summary of the paper, confidence",
    errata=(
        Erratum(
            printed="The upper bounds are mathematically sound.",
            true=(
                "Three proofs need repair: the scale of Theorem 6, the width of Theorem 7 and the heads of Theorem 13, whose k heads "
                "become k + 1."
            ),
            evidence="The errata of those theorems, each with a corrected construction checked without error.",
        ),
    ),
)

CHECK_12 = Statement(
    key="bhattamishra2024 Check 12",
    kind="check",
    says="Low confidence is given to the empirical scaling, which rests on limited sweeps of the parameters.",
    place="summary of the paper, confidence",
)

CHECK_13 = Statement(
    key="bhattamishra2024 Check 13",
    kind="question",
    status="open",
    says="It is asked which features of the Transformer make index lookup and nearest neighbour cheap compared with recurrent models.",
    place="summary of the paper, open question 1",
)

CHECK_14 = Statement(
    key="bhattamishra2024 Check 14",
    kind="question",
    status="open",
    says="It is asked how two-layer Transformers compare with larger one-layer ones in what they express and how efficiently they learn.",
    place="summary of the paper, open question 2",
)

CHECK_15 = Statement(
    key="bhattamishra2024 Check 15",
    kind="question",
    status="open",
    says="It is asked what the differences in representational power mean for applications outside synthetic tasks.",
    place="summary of the paper, open question 3",
)

CHECK_16 = Statement(
    key="bhattamishra2024 Check 16",
    kind="check",
    says="Self-test: count the vectors that fit into k dimensions when their inner products must stay below gamma.",
    place="summary of the paper, foundations 1",
)

CHECK_17 = Statement(
    key="bhattamishra2024 Check 17",
    kind="check",
    says="Self-test: give the communication complexity of deciding whether two strings are equal.",
    place="summary of the paper, foundations 2",
)

CHECK_18 = Statement(
    key="bhattamishra2024 Check 18",
    kind="check",
    says="Self-test: name the least stack depth that recognises Dyck-2.",
    place="summary of the paper, foundations 3",
    errata=(
        Erratum(
            printed="The question supposes that Dyck-2 needs some fixed least stack depth.",
            true="Unbounded Dyck-2 is not regular and no fixed depth is enough; Dyck-(2, k) needs depth k.",
            evidence="k opening brackets of either type can stand open, 2^k contents that different suffixes tell apart.",
        ),
    ),
)

CHECK_19 = Statement(
    key="bhattamishra2024 Check 19",
    kind="check",
    says=(
        "Key result as summarised: one-layer Transformers and recurrent models both need linear width for string equality and for nearest "
        "neighbour."
    ),
    place="summary of the paper, key results",
    errata=(
        Erratum(
            printed="One-layer Transformers need linear width for nearest neighbour too.",
            true="The paper proves this for Equality only; for recall and nearest neighbour in one layer neither answer is known.",
            evidence="By reading appendix C.2, which leaves one-layer associative recall open.",
        ),
    ),
)

CHECK_20 = Statement(
    key="bhattamishra2024 Check 20",
    kind="check",
    says=(
        "Design trade-offs to measure: precision against width, one layer (enough for index lookup) against two (needed for Boolean "
        "functions), and softmax against hard attention for exact retrieval."
    ),
    place="summary of the paper, design trade-offs",
)

"""What the paper says its results do and do not imply, and the question it leaves open."""

from __future__ import annotations

from separatrix.papers.statement import Erratum, Statement

REMARK_8 = Statement(
    key="bhattamishra2024 Remark 8",
    kind="remark",
    says=(
        "Recurrent models can express every regular language, log-precision Transformers only languages in uniform TC0; yet when the size "
        "is limited relative to the length, some practical tasks fit small Transformers and no small recurrent model, whatever its "
        "transition function."
    ),
    place="section 7",
)

QUESTION_1 = Statement(
    key="bhattamishra2024 Question 1",
    kind="question",
    status="open",
    says=(
        "Which tasks need large two-layer Transformers? No limit on two layers follows from the paper, and by Corollary 13.1 a "
        "communication argument like Theorem 4 cannot give one, so other tools are needed."
    ),
    place="section 7, limitations",
)

APPENDIX_A_1 = Statement(
    key="bhattamishra2024 Appendix A(1)",
    kind="clarification",
    says=(
        "The lower bounds imply that recurrent and one-layer models whose width does not grow linearly with the length cannot learn the "
        "tasks, but only for N large against m, beyond the lengths of the experiments. The positive results say nothing about learning."
    ),
    place="appendix A",
)

APPENDIX_A_2 = Statement(
    key="bhattamishra2024 Appendix A(2)",
    kind="clarification",
    says=(
        "The size O((log N)^3) of the constructed Transformers includes input and positional embeddings, which are generated in "
        "logarithmic space rather than stored. Recurrent models need Omega(N) even without counting their embeddings."
    ),
    place="appendix A",
    errata=(
        Erratum(
            printed="Total size O((log N)^3) for nearest neighbours as well.",
            true=(
                "Not for the construction in the paper, whose width grows like log N / gamma^2; it holds for the induction-head "
                "construction."
            ),
            evidence=(
                "gamma = 0.1, N = 100: 4.8 * 10^7 address coordinates as printed, against a total width of 15 at N = 60, d' = 6 with (i, "
                "i^2)."
            ),
        ),
    ),
)

APPENDIX_A_3 = Statement(
    key="bhattamishra2024 Appendix A(3)",
    kind="clarification",
    says=(
        "A RASP program for these tasks would not give the same results: RASP allows arbitrary feed-forward functions and attention that "
        "is not a dot product of queries and keys, so the logarithmic sizes would be lost."
    ),
    place="appendix A",
)

APPENDIX_A_4 = Statement(
    key="bhattamishra2024 Appendix A(4)",
    kind="clarification",
    says=(
        "Failure in an experiment speaks of the rate of learning: longer training or larger models might succeed. Transformers learn index "
        "lookup at several learning rates, recurrent models at none that was tried, even with 25 times the steps."
    ),
    place="appendix A",
    errata=(
        Erratum(
            printed="25 times the steps.",
            true="Section 6 says 10 times for the same comparison; the text does not settle it.",
            evidence="By reading both places.",
        ),
    ),
)

APPENDIX_A_5 = Statement(
    key="bhattamishra2024 Appendix A(5)",
    kind="clarification",
    says=(
        "The lower bounds still hold with layer norm, residual connections, arbitrary positional embeddings and an arbitrary function "
        "after the attention block or the state; only the attention and the recurrent state must have finite precision."
    ),
    place="appendix A",
)

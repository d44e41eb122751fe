"""How the training data of the experiments is drawn, as the paper words it and made precise."""

from __future__ import annotations

from separatrix.papers.statement import Erratum, Statement

TASK_9 = Statement(
    key="bhattamishra2024 Task 9",
    kind="task",
    says=(
        "Index lookup data: draw a length k uniformly from 10..N, draw symbols uniformly from an alphabet of 64, then a position uniformly "
        "from 1..k. Evaluation uses length exactly N."
    ),
    place="appendix H.1",
    errata=(
        Erratum(
            printed="A length k is drawn, and then N symbols.",
            true="k symbols, followed by the index token (vocabulary 64 + N).",
            evidence="By reading: the position is drawn up to k, and evaluation is said to be at length exactly N.",
        ),
        Erratum(
            printed="Positions are uniform.",
            true="Uniform given k, but far from uniform over training: early positions are much more frequent. Chance is 1/64.",
            evidence="P(position 1) / P(position N) is 15.4 at N = 20 and 1496 at N = 400, by summation.",
        ),
    ),
)

TASK_10 = Statement(
    key="bhattamishra2024 Task 10",
    kind="task",
    says=(
        "Positive Dyck-(2,2) strings of length N: for N - 2 steps open a random bracket when the stack is empty, close when it holds two, "
        "and otherwise choose uniformly between opening and closing; then close what is open or append one matched pair. Half of all "
        "examples are positive."
    ),
    place="appendix H.1",
    errata=(
        Erratum(
            printed="After N - 2 steps a pair is appended or the stack is closed, for any N.",
            true="N must be even; the stack then holds 0 or 2 brackets, never 1.",
            evidence="Parity: the stack height has the parity of the number of steps.",
        ),
        Erratum(
            printed="At depth 1 choose uniformly between the open brackets and the closing bracket.",
            true="Ambiguous: three equally likely tokens (open with 2/3) or a fair choice of direction; we take the first.",
            evidence="By reading.",
        ),
        Erratum(
            printed="The distribution of positives is not discussed.",
            true="It is not uniform. Uniform: cut each of the N/2 - 1 gaps with probability 1/2 and draw one type bit per pair.",
            evidence="N = 4: each of the four nested words has probability 0.167 and each of the four flat ones 0.083.",
        ),
    ),
)

TASK_11 = Statement(
    key="bhattamishra2024 Task 11",
    kind="task",
    says=(
        "Negative Dyck-(2,2) strings: take a positive one, draw k uniformly from 1..N/10 and k distinct places, and at each swap the "
        "bracket type or its direction with probability 1/2 each; repeat the corruption if the result is still a member."
    ),
    place="appendix H.1",
    errata=(
        Erratum(
            printed="k from 1 to N/10.",
            true="k from 1 to max(1, floor(N/10)); a repeated corruption draws a new k on the same positive string.",
            evidence="N below 10 or not divisible by 10 is otherwise undefined.",
        ),
        Erratum(
            printed="The chance of remaining a member is too low to matter.",
            true=(
                "k = 1 never remains a member; k = 2 does in 1.9 % (N = 20), 0.7 % (N = 50) and 0.4 % (N = 100); over all k 0.8 to 0.9 % "
                "at N = 20."
            ),
            evidence="60000 corruptions of two places at each length, 20000 of random k.",
        ),
        Erratum(
            printed="Shortcuts in these negatives are not discussed.",
            true="Comparing the number of opening brackets with N/2 alone rejects 57 % of the negatives at N = 20 and 84 % at N = 400.",
            evidence="Sampled: 56, 66, 73 and 85 % in 20000 negatives at N = 20, 50, 100, 400.",
        ),
    ),
)

TASK_12 = Statement(
    key="bhattamishra2024 Task 12",
    kind="task",
    says=(
        "Eq-random: binary halves of k/2 symbols around a separator, with k uniform over the even lengths N/10, N/10 + 2, ..., N; with "
        "probability 1/2 the second half repeats the first, otherwise it is drawn afresh, and the label is true equality. Evaluation uses "
        "k = N."
    ),
    place="appendix H.2",
    errata=(
        Erratum(
            printed="Lengths N/10, N/10 + 2, ..., N.",
            true="Start at 2 ceil(N/20): for N = 50 the printed list starts at 5, is odd throughout and never reaches 50.",
            evidence="5, 7, 9, ..., 49.",
        ),
        Erratum(
            printed="Positive with probability 1/2.",
            true="1/2 + 2^(-k/2) / 2, because a fresh half may agree by chance.",
            evidence="Mean over training lengths at N = 20: 0.55.",
        ),
    ),
)

TASK_13 = Statement(
    key="bhattamishra2024 Task 13",
    kind="task",
    says=(
        "Eq-one: as Eq-random over a vocabulary of 1024, but a negative example differs from equality in exactly one symbol of the second "
        "half."
    ),
    place="appendix H.2",
    errata=(
        Erratum(
            printed="Positives as 'in the Eq-one setting', within the definition of Eq-one.",
            true="Eq-random is meant.",
            evidence="By reading: only Eq-random has been defined before it.",
        ),
        Erratum(
            printed="A vocabulary of 1024 and one changed symbol.",
            true="1024 symbols plus the separator, and the new symbol differs from the old: the paper leaves both open.",
            evidence="By reading; if the new symbol could equal the old the label would be wrong once in 1024 negatives.",
        ),
    ),
)

REMARK_17 = Statement(
    key="bhattamishra2024 Remark 17",
    kind="remark",
    says=(
        "Both classification tasks have shortcuts: in Eq-random a few stored symbols decide with high probability, and in Eq-one counting "
        "each symbol in the two halves decides always. Hence the next-character setting."
    ),
    place="appendix H.2",
)

TASK_14 = Statement(
    key="bhattamishra2024 Task 14",
    kind="task",
    says=(
        "Eq-ncp: predict the set of valid next symbols after every prefix, over 1024 symbols. In the first half all are valid; after the "
        "separator exactly one is, which makes it copying. A string counts as right only if every prefix is."
    ),
    place="appendix H.2",
    errata=(
        Erratum(
            printed="Every prefix counts, and the string may end.",
            true="Score the k/2 predictions after the separator; the trivial first half and the end of the string are left out.",
            evidence="By reading: the paper calls the first half trivial and does not define an end symbol.",
        ),
    ),
)

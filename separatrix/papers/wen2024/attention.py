"""Appendix B.2: copying, counting and matching with one attention head."""

from __future__ import annotations

from separatrix.papers.statement import Erratum, Statement

DEFINITION_B_7 = Statement(
    key="wen2024 Definition B.7",
    kind="definition",
    says="COPY[s, I1, I2] writes at every position k the coordinates I1 of position k - s into the coordinates I2, and 0 elsewhere.",
    place="appendix B.2",
    errata=(
        Erratum(
            printed="the source is position max(k - s, 0)",
            true="the source is max(k - s, 1): positions count from 1, and position 1 is <s>",
            evidence="by hand: there is no position 0",
        ),
    ),
)

DEFINITION_B_8 = Statement(
    key="wen2024 Definition B.8",
    kind="definition",
    says=(
        "COUNT[I1, I2, i] writes 1/(m+1) into coordinate i, where m is the number of positions up to and including k whose coordinates "
        "I1 equal the coordinates I2 of position k. Keys and queries are non-zero integers of at most 10 coordinates."
    ),
    place="appendix B.2",
)

DEFINITION_B_9 = Statement(
    key="wen2024 Definition B.9",
    kind="definition",
    says=(
        "Match[I1, I2, I3, I4] writes into I3 the coordinates I4 of the first position whose key I1 equals the query I2 of position k, "
        "or of position 1 if there is none."
    ),
    place="appendix B.2",
)

DEFINITION_B_10 = Statement(
    key="wen2024 Definition B.10",
    kind="definition",
    says="MatchClose is Match with the last matching position instead of the first; position 1 stays the default.",
    place="appendix B.2",
)

DEFINITION_B_11 = Statement(
    key="wen2024 Definition B.11",
    kind="definition",
    says=(
        "MatchNearest is Match with the matching position nearest to the number in coordinate i of position k; position 1 stays the "
        "default."
    ),
    place="appendix B.2",
    errata=(
        Erratum(
            printed="the nearest matching position",
            true="two positions can be equally near; here the larger one is taken, by aiming at the target plus 1/4",
            evidence="by hand: with the printed logits a tie gives equal weights, so the output is the mean of two values",
        ),
    ),
)

DEFINITION_B_12 = Statement(
    key="wen2024 Definition B.12",
    kind="definition",
    says=(
        "MatchNext[I1, I2, I3, I4, a] picks, among the positions that match and position 1, the one whose count coordinate a is nearest "
        "to next(X_(a,k)). Counts lie in ROUND(1/[n^A], p) or are 0; those of one key must be distinct and consecutive unit fractions. "
        "It assumes p > 10 A log n."
    ),
    place="appendix B.2",
    errata=(
        Erratum(
            printed="p > 10 A log n is enough",
            true="the printed logits overflow R_p: they need (4A+5) log2 n integer bits, so p >= 2(4A+5) log2 n",
            evidence=(
                "by hand: n^(4A+3) times a squared difference up to n^2 takes 9 log2 n bits at A = 1, while F = (p-1)/2 gives 5 log2 n"
            ),
        ),
        Erratum(
            printed="condition 3 ranges over k >= k",
            true="it ranges over the positions k' <= k that the query at k can see",
            evidence="by hand: attention is causal",
        ),
    ),
)

LEMMA_B_13 = Statement(
    key="wen2024 Lemma B.13",
    kind="lemma",
    says=(
        "COPY takes one feed-forward and one attention block with one head: with k, k^2 and 1 as coordinates the logits are -n (k - s - "
        "k')^2, so after rounding the softmax is one-hot. The network is the one of a layer, the attention that of the next."
    ),
    place="appendix B.2",
    proof="appendix B.2",
    errata=(
        Erratum(
            printed="the argmax over k' < k is max(k - s, 0)",
            true="the argmax over k' <= k is max(k - s, 1)",
            evidence="by hand: s = 0 reads the position itself, and the first s positions read position 1",
        ),
        Erratum(
            printed="a gap of n makes the softmax one-hot after rounding to O(log n) bits",
            true="this holds for large n only; a gap of (F+1) ln 2 + ln L always suffices at length L",
            evidence="with p about 10 log2 n: at n = 8 the rows of 7 of 8 positions are not one-hot; at n = 16, 32, 64, 128 all are",
        ),
    ),
)

LEMMA_B_14 = Statement(
    key="wen2024 Lemma B.14",
    kind="lemma",
    says=(
        "COUNT takes one feed-forward and one attention block with one head and gives the rounded value ROUND(1/(m+1), p): all m "
        "matches and position 1 have logit 0, every other position at most -n, and only position 1 has value 1. Coordinate 3 must mark "
        "position 1, and its key must be 0."
    ),
    place="appendix B.2",
    proof="appendix B.2",
    errata=(
        Erratum(
            printed="keys n (1 + 1[k'=1], x, x^2) and queries -(q^2, q, 1)",
            true="keys (1 - 1[k'=1], x, x^2) and queries g (-q^2, 2q, -1), which give -g (x - q)^2 at k' > 1 and 0 at k' = 1",
            evidence=(
                "as printed a match has logit -3n q^2 and position 1 has -2n q^2; on <s> 1 ~ 2 1 ~ 3 2 ~ 3 1 all 7 vertex positions of "
                "11 come out wrong; corrected, 60 random and adversarial sequences (L <= 40) have no error"
            ),
        ),
    ),
)

LEMMA_B_15 = Statement(
    key="wen2024 Lemma B.15",
    kind="lemma",
    says=(
        "Match takes one feed-forward and one attention block with one head for positions k <= n^c: the logit is -n^(4c+1) |key - "
        "query|^2 - n k'^2, and exactly -n^(2c+2) at position 1, whose key must be 0."
    ),
    place="appendix B.2",
    proof="appendix B.2",
    errata=(
        Erratum(
            printed="the proof picks the largest matching position",
            true="the smallest one wins, since the logit falls with k'^2; this is also what the definition says",
            evidence=(
                "by hand; 60 random and adversarial sequences (L <= 40, two-dimensional keys, all keys equal) agree, exact and float64"
            ),
        ),
        Erratum(
            printed="any integer queries",
            true=(
                "a query of 0 matches every position whose key is 0, such as a special token, instead of falling back to position 1; "
                "queries must be non-zero"
            ),
            evidence="by hand: the squared difference is 0 at such a position",
        ),
        Erratum(
            printed="p = O(log n)",
            true=(
                "the printed constants need p >= 2(4c+3) log2 n; weights Gamma = 64 and D = Gamma (L+1)^2, G = 2D do the same with far "
                "fewer bits"
            ),
            evidence=(
                "with compact constants associative recall needs 19, 24, 32 integer bits at n = 6, 16, 64 and passes at p = 49 for n = "
                "16; printed with c = 2 (chains are longer than n), float64 is exact to n = 28 only"
            ),
        ),
    ),
)

LEMMA_B_16 = Statement(
    key="wen2024 Lemma B.16",
    kind="lemma",
    says=(
        "MatchClose takes one feed-forward and one attention block with one head for k <= n^c: as Lemma B.15, with -n (k - k')^2 in "
        "place of -n k'^2."
    ),
    place="appendix B.2",
    proof="appendix B.2",
)

LEMMA_B_17 = Statement(
    key="wen2024 Lemma B.17",
    kind="lemma",
    says=(
        "MatchNearest takes one feed-forward and one attention block with one head for k <= n^c: as Lemma B.15, with -n (T - k')^2 in "
        "place of -n k'^2, where T is the target in coordinate i."
    ),
    place="appendix B.2",
    proof="appendix B.2",
    errata=(
        Erratum(
            printed="the softmax is one-hot",
            true="not when two matches are equally near to T; weight 2n and target T + 1/4 break every tie towards the larger position",
            evidence="60 random and adversarial sequences (L <= 40), exact and float64: no error, every softmax one-hot",
        ),
    ),
)

LEMMA_B_18 = Statement(
    key="wen2024 Lemma B.18",
    kind="lemma",
    says=(
        "MatchNext takes one feed-forward and one attention block with one head for k <= n^c. The network approximates next(x) by 1/2, "
        "1/3, 1/4 on three intervals and by x - x^2 + x^3 for x <= 11/40; the logit is -n^(4A+3) |key - query|^2 - n^(4A+1) (next - "
        "count)^2, and -n^(4A+2) at position 1."
    ),
    place="appendix B.2",
    proof="appendix B.2, with Lemma B.19",
    errata=(
        Erratum(
            printed="one feed-forward block computes next",
            true="x^3 gated by an interval has degree above 2, so it takes two feed-forward layers (widths 14 and 5)",
            evidence="by hand: one ReGLU unit is a product of two linear forms",
        ),
        Erratum(
            printed="the default term at position 1 contains n^(4A+1) X_(a,k)^2, and one line has n^(3A)",
            true="it must be n^(4A+1) next^2, so that position 1 gets -n^(4A+2) exactly; n^(3A) should be n^(4A+1)",
            evidence="by hand: the count of position 1 is 0, so next^2 is what has to cancel",
        ),
        Erratum(
            printed="next is arbitrary on [2/5, 7/20], and the last case has 1/next^6",
            true="the interval is [7/20, 2/5]; the term is next^6",
            evidence="by hand: 7/20 < 2/5, and Lemma B.19 bounds the error by next^3, whose square is next^6",
        ),
        Erratum(
            printed="the nearest count is unique",
            true="only if the counts present for the key are consecutive; otherwise two of them can be exactly equally near",
            evidence=(
                "next = 1/3 is equally far from 1/2 and 1/6, next = 1/4 from 1/3 and 1/6; with consecutive counts 480 of 480 runs are "
                "right at 40 and 48 fractional bits, the least gap being 1.03/M^4 for counts below M"
            ),
        ),
    ),
)

LEMMA_B_19 = Statement(
    key="wen2024 Lemma B.19",
    kind="lemma",
    says="For large n and x in ROUND(1/[n^A], p) the feed-forward approximation of next(x) is off by at most next(x)^3 + O(n^(-10A)).",
    place="appendix B.2",
    proof="appendix B.2",
    errata=(
        Erratum(
            printed="x - x^2 + x^3 at x = 1/m equals 1/(m+1) - 1/(m^3 (m+1)); a step of the proof drops x^3",
            true="it equals 1/(m+1) + 1/(m^3 (m+1)), exactly; the bound itself stands",
            evidence="exact fractions, m = 1, 3, 4, 7, 100; 1/(m^3 (m+1)) <= 1/(m+1)^3 holds for m = 3..499",
        ),
        Erratum(
            printed="the proof splits at x >= 3/10 and x <= 7/20",
            true="the two cases overlap at x near 1/3; the polynomial is used for x <= 11/40, that is m >= 4",
            evidence="by hand from the definition of the approximation",
        ),
        Erratum(
            printed="rounding errors are at most n^(-10A) when p > 10 A log n",
            true="with (p-1)/2 fractional bits this takes p >= 20 A log2 n; the construction does not need it",
            evidence="by hand: the rounding error of R_p is up to 2^(-(p+1)/2)",
        ),
    ),
)

"""The communication protocol that computes a one-layer Transformer, equation by equation."""

from __future__ import annotations

from separatrix.papers.statement import Erratum, Statement

THEOREM_4 = Statement(
    key="bhattamishra2024 Theorem 4",
    kind="theorem",
    says=(
        "Let a one-layer Transformer of width m, H heads and precision p read N symbols that are split between two parties in any way. The "
        "parties can compute its output by exchanging 3 m (p + log N) H bits."
    ),
    place="section 4; restated in appendix D",
    proof="appendix D",
    errata=(
        Erratum(
            printed="The four steps of the proof take at most 3 m (p + log N) H bits.",
            true=(
                "They add up to d p + H (2p + 2(p + ceil(log2(N+1))) + 4 m p), more than the claim exactly when p (mH + 4H + d) > (3m - 2) "
                "H log N, up to rounding; for d = m and H = 1 that is p above about 1.5 log N."
            ),
            evidence=(
                "m = d = 64, p = 64, N = 1000, H = 1: 20756 bits against 14201. With p = 2K log2 N and m = d = 64 the ratio is 1.13, 1.35, "
                "1.45 for K = 1, 2, 3 at H = 1 and 0.93, 1.12, 1.20 at H = 8."
            ),
        ),
        Erratum(
            printed="The constant 3 holds for every m.",
            true=(
                "A repaired protocol (send the last token, not its embedding; send U one way; one answer bit back) takes ceil(log2|Sigma|) "
                "+ H (2p + 2f + 2 ceil(log2(N+1)) + m(p + f)) + 1 bits, within 3 m (p + log N) H for m >= 4 and |Sigma| <= 4 N^10. For m "
                "<= 3 the count can exceed the claim, which is then unproven."
            ),
            evidence=(
                "0 violations for m >= 4 on 1440 parameter points, f = p - 1 included. N = 1000, 4 symbols: 203 against 150 at m = 1, p = "
                "40, f = 20; 339 against 300 at m = 2, p = 40, f = 39. 3200 runs on 400 random models and random or odd/even splits "
                "reproduce the direct output bit for bit."
            ),
        ),
    ),
)

EQUATION_1 = Statement(
    key="bhattamishra2024 Equation 1",
    kind="equation",
    says=(
        "After the last token has been shared, each party computes the logits A_{N,i} = <Q(x_N), K(x_i)> of its own positions, rounded to "
        "p bits."
    ),
    place="appendix D, proof of Theorem 4, first step",
    errata=(
        Erratum(
            printed="The owner of position N sends the embedding x_N with d p bits.",
            true="Sending the token is enough, ceil(log2|Sigma|) bits: both parties know the embedding map and the position.",
            evidence="3200 of 3200 protocol runs that send the token reproduce the model's output bit for bit.",
        ),
    ),
)

EQUATION_2 = Statement(
    key="bhattamishra2024 Equation 2",
    kind="equation",
    says=(
        "The parties exchange their largest logits, 2p bits per head, and subtract the overall maximum M, so that every exponential lies "
        "in (0, 1]."
    ),
    place="appendix D, proof of Theorem 4, second step",
    errata=(
        Erratum(
            printed="Exponentials lie in (0, 1].",
            true="After rounding down they lie in [0, 1]: every shifted logit below -f ln 2 becomes exactly 0.",
            evidence="floor(2^f e^a) = 0 for a < -f ln 2; index lookup relies on it at 1 to 3 fractional bits.",
        ),
    ),
)

EQUATION_3 = Statement(
    key="bhattamishra2024 Equation 3",
    kind="equation",
    says=(
        "The normaliser is the sum Z = Z_A + Z_B of the parties' partial sums of exponentials; exchanging them costs 2(p + log N) bits per "
        "head. Z does not depend on the split because adding non-negative numbers is associative."
    ),
    place="appendix D, proof of Theorem 4, third step",
    errata=(
        Erratum(
            printed="Each partial sum needs p + log N bits.",
            true="f + ceil(log2(N+1)) bits: f fractional bits and an integer part between 0 and N.",
            evidence="The exact integer sum was sent with that many bits in 3200 bit-exact protocol runs.",
        ),
    ),
)

EQUATION_4 = Statement(
    key="bhattamishra2024 Equation 4",
    kind="equation",
    says=(
        "Knowing Z, each party divides its exponentials by Z and rounds, which gives the attention weights of its own positions with p "
        "bits."
    ),
    place="appendix D, proof of Theorem 4",
)

EQUATION_5 = Statement(
    key="bhattamishra2024 Equation 5",
    kind="equation",
    says=(
        "The attention output is U_A + U_B, the parties' weighted sums of values held exactly at 2p bits, exchanged in both directions for "
        "4 m p bits per head and rounded once at the end."
    ),
    place="appendix D, proof of Theorem 4, fourth step",
    errata=(
        Erratum(
            printed="Both partial sums are exchanged, 4 m p bits.",
            true="One direction is enough, m (p + f) bits per head, followed by a single answer bit.",
            evidence="3200 of 3200 protocol runs with the one-way exchange reproduce the model's output bit for bit.",
        ),
    ),
)

FOOTNOTE_4 = Statement(
    key="bhattamishra2024 Footnote 4",
    kind="remark",
    says=(
        "Where bounded-precision addition is not associative the protocol still works: the exponentials lie in [0, 1], so their sum can be "
        "formed exactly with p + log N bits and rounded to p bits afterwards."
    ),
    place="appendix D, footnote 4",
)

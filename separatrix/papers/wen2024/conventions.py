"""Appendix A: graph problems, the numbers R_p, tokens, language models, chain of thought and retrieval."""

from __future__ import annotations

from separatrix.papers.statement import Erratum, Statement

DEFINITION_A_1 = Statement(
    key="wen2024 Definition A.1",
    kind="definition",
    says="A decision problem assigns YES or NO to every graph; vertices are labelled 1 to n, and m counts the edges.",
    place="appendix A.1",
)

DEFINITION_A_2 = Statement(
    key="wen2024 Definition A.2",
    kind="definition",
    says="IsTree: the answer is YES if the undirected graph is a tree, that is, any two vertices are joined by exactly one simple path.",
    place="appendix A.1; section 4.2.2",
)

REMARK_6 = Statement(
    key="wen2024 Remark 6",
    kind="remark",
    says="Depth-first search solves IsTree in O(n) time, which makes it a minimal example of a reasoning task.",
    place="appendix A.1; section 4.2.2",
)

EQUATION_5 = Statement(
    key="wen2024 Equation 5",
    kind="equation",
    says=(
        "For odd p, R_p is the set of numbers (2 b_p - 1) times the sum over i = 1..p-1 of b_i 2^((p-1)/2 - i), with bits b_1, ..., "
        "b_p. Integers in R_p form Z_p."
    ),
    place="appendix A.2",
)


CLARIFICATION_3 = Statement(
    key="wen2024 Clarification 3",
    kind="clarification",
    says=(
        "An operation on R_p is computed exactly and then rounded once to the nearest number of R_p. ROUND(1/[m], p) is the set of the "
        "rounded fractions 1/i with i in [m], and next(x) = 1/(m+1) where 1/m is the unit fraction nearest to x."
    ),
    place="appendix A.2",
    errata=(
        Erratum(
            printed="rounding to nearest, without a rule for ties or for overflow, and without saying what one operation is",
            true=(
                "fixed here: ties to even; overflow saturates, or raises in strict mode; one rounding for each linear form, product, "
                "logit, softmax entry and weighted sum; weights are rounded too"
            ),
            evidence=(
                "a softmax row rounds to one-hot iff the other weights sum to less than 2^-(F+1); a gap of (F+1) ln 2 + ln L is enough "
                "at length L (L = 1000: 18.7, 29.8, 40.9, 52.0 at p = 33, 65, 97, 129)"
            ),
        ),
        Erratum(
            printed="next is defined for x in {0, 1}",
            true="next is used for x in (0, 1]; the set with the two elements 0 and 1 is a misprint",
            evidence="by hand: Lemma B.19 applies it to the rounded unit fractions",
        ),
    ),
)

ASSUMPTION_4 = Statement(
    key="wen2024 Assumption 4",
    kind="assumption",
    says=(
        "Besides the numbers there is a constant number of special tokens; six are listed: <s>, ~, YES, NO, <StartSearch>, <EndSearch>. "
        "Strings are split at spaces, and detokenising puts one space between neighbouring tokens."
    ),
    place="appendix A.3",
    errata=(
        Erratum(
            printed="the list of special tokens ends with <EndSearch>",
            true=(
                "FAILED, the father sign - of Algorithm 2, the end of the prompt and the pieces of each regular expression are tokens "
                "as well"
            ),
            evidence=(
                "by hand: Definition A.5 returns FAILED, Algorithm 2 writes -, and a query of constant length must be made of tokens"
            ),
        ),
    ),
)

DEFINITION_A_3 = Statement(
    key="wen2024 Definition A.3",
    kind="definition",
    says="A language model maps every token sequence of length 1 to L to a probability distribution over the vocabulary.",
    place="appendix A.3; section 3",
)

DEFINITION_A_4 = Statement(
    key="wen2024 Definition A.4",
    kind="definition",
    says=(
        "Chain of thought: append the most likely next token, starting from the input, until that token is YES or NO. A task is solved "
        "within T steps if this happens after at most T tokens with the right answer; T = 0 means without a chain."
    ),
    place="appendix A.4; section 3",
    errata=(
        Erratum(
            printed="the run ends at YES or NO here, at any token of the answer set in section 3",
            true="the two rules differ: Index, recall and c-gram retrieval never answer YES or NO, and Counting is defined with 0 and 1",
            evidence="by hand from Definitions 4.2 to 4.5",
        ),
    ),
)

DEFINITION_A_5 = Statement(
    key="wen2024 Definition A.5",
    kind="definition",
    says=(
        "In-context retrieval: after <EndSearch> the result of RETRIEVE is appended. RETRIEVE takes the tokens from the last "
        "<StartSearch> to <EndSearch> as a Python regular expression, searches the text before them, and returns the first capturing "
        "group of the first match; FAILED if there is none."
    ),
    place="appendix A.4; section 5.1",
    errata=(
        Erratum(
            printed="the pattern is the detokenised slice from <StartSearch> to <EndSearch>",
            true="the slice contains the two search tokens; the pattern is what lies strictly between them",
            evidence="by hand from the indices of section 5.1",
        ),
        Erratum(
            printed="the tokens of a pattern are joined with spaces",
            true=(
                "spaces inside a pattern break its quantifiers: pattern tokens must be concatenated, and only the text is joined with "
                "spaces"
            ),
            evidence="Python re: `a{ 2 }` is literal text and does not match `aa`, also under the verbose flag",
        ),
        Erratum(
            printed="re.search(pattern, string).group(1), where appendix A.4 returns the match and section 5.1 its first group",
            true="group 1 is returned; when nothing matches, or group 1 took no part in the match, the result is FAILED",
            evidence=(
                "Python re: without a match the printed expression raises an error; in the alternations of Algorithm 2 the second "
                "branch fills group 2 and leaves group 1 empty"
            ),
        ),
    ),
)

REMARK_7 = Statement(
    key="wen2024 Remark 7",
    kind="remark",
    says="If |V| = O(n) and every query and result has length O(1), a search by regular expression typically takes O(n) time.",
    place="appendix A.4",
)

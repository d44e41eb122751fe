"""Section 3: embeddings, precision, Transformers, recurrent models, and what it means to solve a problem."""

from __future__ import annotations

from separatrix.papers.statement import Erratum, Statement

ASSUMPTION_1 = Statement(
    key="wen2024 Assumption 1",
    kind="assumption",
    says=(
        "Word and position embeddings are fixed, shared by all models and not counted as parameters. The number i is embedded as i "
        "times w_1, the k-th special token as w_(2+k), position l as l times w_d; the embedding is the sum, and the same word matrix "
        "gives the logits."
    ),
    place="section 3; appendix A.3",
    errata=(
        Erratum(
            printed="the number i is embedded as i w_1, and the transpose of the embedding decodes",
            true=(
                "the logit of i is then linear in i, so the argmax can only be 1, n or a special token; embedding i as i w_num + i^2 "
                "w_sq (the coordinate w_2 is free) decodes v from out_num = 2vK, out_sq = -K"
            ),
            evidence="by hand: the logit of i becomes K(2vi - i^2) = K(v^2 - (i - v)^2), largest at i = v alone, with margin K",
        ),
        Erratum(
            printed="the embedding of ~ is w_2",
            true="~ is the second special token, so the rule w_(2+k) gives w_4; YES = w_5 and NO = w_6 follow the same rule",
            evidence="by hand from the list of special tokens; the proof of Lemma B.27 uses w_5 and w_6",
        ),
    ),
)

REMARK_3 = Statement(
    key="wen2024 Remark 3",
    kind="remark",
    says=(
        "A vocabulary that contains [n] is a simplification. The results carry over to numbers written in a few digit tokens: the lower "
        "bounds do not use the embedding, and a few layers can compute it for the upper bounds."
    ),
    place="section 3",
)

ASSUMPTION_2 = Statement(
    key="wen2024 Assumption 2",
    kind="assumption",
    says=(
        "Every number of a model is held in p bits with p = O(log n), and R_p denotes the numbers so represented; the constant is "
        "stated where it matters."
    ),
    place="section 3; appendix A.2",
    errata=(
        Erratum(
            printed="R_p holds the p-bit floating-point numbers",
            true=(
                "R_p as defined is fixed point: a sign, F = (p - 1)/2 integer and F fractional bits, spacing 2^-F, largest value 2^F - 2^-F"
            ),
            evidence="by hand from equation 5: the bit weights run from 2^(F-1) down to 2^-F, and there is no exponent",
        ),
    ),
)

CLARIFICATION_1 = Statement(
    key="wen2024 Clarification 1",
    kind="clarification",
    says=(
        "A language model maps a non-empty sequence to a distribution over the next token, and a family of models is one model for each "
        "input size; weights and constants may therefore depend on n."
    ),
    place="section 3",
)

DEFINITION_3_1 = Statement(
    key="wen2024 Definition 3.1",
    kind="definition",
    says=(
        "A Transformer block adds attention and then a ReGLU feed-forward network, f(X) = X + A(X) + g(X + A(X)). A sums H heads of "
        "causal softmax attention whose logits are divided by sqrt(d); queries, keys and values have no bias."
    ),
    place="section 3",
    errata=(
        Erratum(
            printed="logits carry 1/sqrt(d), while the proofs of appendix B.2 compute them without it",
            true=(
                "the factor turns a gap of n into n/sqrt(d); padding d to a power of four and multiplying the query matrix by sqrt(d) "
                "restores the proofs exactly"
            ),
            evidence="COPY at p about 10 log2 n and d = 16, not compensated: not one-hot for n = 8, 16, 32, 64; one-hot at n = 128",
        ),
    ),
)

FOOTNOTE_4 = Statement(
    key="wen2024 Footnote 4",
    kind="remark",
    says=(
        "The feed-forward activation is ReGLU, relu(W1 x + b1) times (W2 x + b2) entrywise. It stands in for SwiGLU and lets a network "
        "multiply two coordinates."
    ),
    place="footnote 4",
)

DEFINITION_3_2 = Statement(
    key="wen2024 Definition 3.2",
    kind="definition",
    says=(
        "A Transformer with L layers embeds the sequence, applies its blocks in order, multiplies the last column by the word embedding "
        "matrix and takes the softmax as the distribution of the next token."
    ),
    place="section 3",
    errata=(
        Erratum(
            printed="proofs give the output of the last layer as if the residual stream held nothing else",
            true="the stream still carries the token's own embedding, so the last feed-forward network must subtract it before decoding",
            evidence=(
                "by hand: f(X) = X + ... leaves the word coordinates of the last token in the logits; one linear unit with factor -1 "
                "removes them"
            ),
        ),
    ),
)

DEFINITION_3_3 = Statement(
    key="wen2024 Definition 3.3",
    kind="definition",
    says=(
        "A recurrent model has a state s of Lambda numbers of p bits, a transition s_k = t(s_(k-1), Emb(S)_k) from a fixed s_0, and an "
        "output o(s). It is measured by its parameter bits P, its state bits M = Lambda p, and the number C of bit operations for t and "
        "o."
    ),
    place="section 3",
)

DEFINITION_3_4 = Statement(
    key="wen2024 Definition 3.4",
    kind="definition",
    says="A recurrent architecture is regular if C = Theta(P), P = Omega(M) and P is polynomial in M.",
    place="section 3",
)

REMARK_4 = Statement(
    key="wen2024 Remark 4",
    kind="remark",
    says=(
        "To the authors' knowledge all modern linear-time Transformers are regular recurrent models, and Definition 3.3 also covers "
        "models with a sliding context window or a key-value cache of bounded size."
    ),
    place="section 3",
)

DEFINITION_3_5 = Statement(
    key="wen2024 Definition 3.5",
    kind="definition",
    says=(
        "A linear recurrent block is f(X) = X + LU(X) + g(X + LU(X)) with a ReGLU network g. Its linear unit has h_0 = 0 and h_t = A "
        "h_(t-1) + B x_t with fixed matrices A and B, and outputs h."
    ),
    place="section 3",
)

DEFINITION_3_6 = Statement(
    key="wen2024 Definition 3.6",
    kind="definition",
    says=(
        "A linear RNN stacks L linear recurrent blocks on the embedding and decodes the last column with the word embedding matrix and "
        "a softmax."
    ),
    place="section 3",
)

CLARIFICATION_2 = Statement(
    key="wen2024 Clarification 2",
    kind="clarification",
    says=(
        "A model solves a problem directly if its most likely next token is the answer. With a chain of thought it appends its most "
        "likely token again and again; the run ends at the first token of the answer set V_A, which must be the answer."
    ),
    place="section 3; appendix A.4",
    errata=(
        Erratum(
            printed="the chain ends at the first token that lies in the answer set",
            true=(
                "for Index and associative recall the answers are numbers, and so are the tokens of a search query, so the run would "
                "end inside the query; the chain needs a marker before the answer, or no steps at all"
            ),
            evidence="by hand: each query of Theorem 5.2 contains the index or the key, which is itself a possible answer",
        ),
    ),
)

"""Section 6: the influence of one symbol on soft attention fades like 1/n, and what this costs in cross-entropy."""

from __future__ import annotations

from separatrix.papers.statement import Erratum, Statement

FOOTNOTE_3 = Statement(
    key="hahn2020 Footnote 3",
    kind="remark",
    says="A proof that soft-attention transformers cannot evaluate Boolean formulas with perfect accuracy would separate log-space uniform "
    "TC0 from NC1, which is a long-standing open problem.",
    place="section 6, footnote 3",
)

QUESTION_2 = Statement(
    key="hahn2020 Question 2",
    kind="question",
    says="Are there limits on the accuracy, not only on the cross-entropy, of soft-attention transformers on such languages? By Footnote 3 "
    "an answer as strong as Corollary 2 would settle a major question of complexity theory.",
    place="section 6",
    status="open",
)

LEMMA_5 = Statement(
    key="hahn2020 Lemma 5",
    kind="lemma",
    says="In a soft-attention transformer, exchanging one input symbol before the last changes the final activation at position n by "
    "O(1/n), with constants that depend on the parameter matrices.",
    place="section 6",
    proof="section 6, after Theorem 6",
    errata=(
        Erratum(
            printed="The bound holds for every soft-attention transformer.",
            true="The positional embeddings must be bounded uniformly in n, which the paper does not say.",
            evidence="With p_i = i used as the score, the last position keeps weight 1 - 1/e = 0.632 for every n (checked at 10, 100, "
            "1000).",
        ),
        Erratum(
            printed="The influence is at most H^L C^(2L) D/n.",
            true="The repaired recursion gives a usable constant. With F_k = F_(k-1)(1 + Lam(1 + H)) + |W2||relu(b1)|, mu = max |M|, G = "
            "mu F, A = mu F^2, a = e^(2A)/(e^(2A) + n - 1): eps <- eps + Lam(eps + H(eps + a del + F min(2, 2 G eps + 2 a G(eps + del)))) "
            "and del <- del + Lam(del + H(eps + a del + F min(2, G(del + eps) + 4 a G del))), from eps = 0 and del = D.",
            evidence="Measured influence times n is constant, 0.14-0.23 for n = 16..1024. The repaired bound times n: 1.7 (L = 1), 52 (L = "
            "2, H = 1), 621 (L = 2, H = 2); the printed constant: 2.2e3, 5e18, 4e38, never violated but vacuous.",
        ),
    ),
)

REMARK_6 = Statement(
    key="hahn2020 Remark 6",
    kind="remark",
    says="Recurrent networks differ: one flipped bit can flip the final state at any length, as in a recurrent network that tracks parity.",
    place="section 6",
)

ASSUMPTION_1 = Statement(
    key="hahn2020 Assumption 1",
    kind="assumption",
    says="The prediction is a Lipschitz function of the last activation, such as a ReLU network followed by a softmax.",
    place="section 6",
)

TASK_4 = Statement(
    key="hahn2020 Task 4",
    kind="task",
    says="PARITY as a source: after an even number of 1s the string ends with probability p; otherwise, and after an odd number, a fair "
    "bit follows. Given a prefix, predict the next symbol among 0, 1 and the end.",
    place="section 6",
)

TASK_5 = Statement(
    key="hahn2020 Task 5",
    kind="task",
    says="2DYCK as a source: a grammar that expands S to (S)S or [S]S with probability p/2 each and to nothing with probability 1 - p. "
    "Given a prefix, predict the next symbol among four brackets and the end.",
    place="section 6",
    errata=(
        Erratum(
            printed="No condition on p is stated.",
            true="p < 1/2 is needed: the expected length is 2p/(1 - 2p). The optimal cross-entropy is then h(p) + p ln 2 nats per symbol, "
            "at every height.",
            evidence="The height walk goes up with probability p and down with 1 - p. At p = 0.25 the optimum is 0.7356 nats.",
        ),
    ),
)

THEOREM_6 = Statement(
    key="hahn2020 Theorem 6",
    kind="theorem",
    says="As n grows, the next-symbol cross-entropy of a soft-attention transformer converges to the unigram chance level on PARITY, and "
    "on 2DYCK stays above the optimum by a constant, at least P0 (1 - p) log 2, with P0 a lower bound on the chance that a prefix is "
    "unbalanced and ends with a closing bracket.",
    place="section 6",
    proof="section 6, from Lemma 5",
    errata=(
        Erratum(
            printed="On PARITY the cross-entropy converges to the unigram chance level.",
            true="Read at the last symbol, as in the 2DYCK part, the floor is the last-symbol level: survival makes x_n informative, "
            "P(even | 0) = (1 - p)/(2 - p) and P(even | 1) = 1/(2 - p). The floor is (1/2) sum over b of h(e_b) + (1 - e_b) ln 2, with e_0 "
            "= p(1 - p)/(2 - p) and e_1 = p/(2 - p), and a skip connection attains it. The unigram level is right only for a read-out "
            "token without content.",
            evidence="Flip x_(n-1) and keep x_n. Nats (optimum, last symbol, unigram): p = 0.5: 0.866434, 1.063398, 1.082196; p = 0.9: "
            "0.5438, 0.7599, 1.0694. An exact recursion over prefixes gives the two conditional probabilities.",
        ),
        Erratum(
            printed="The cross-entropy converges to that level.",
            true="Only a lower limit is proven: liminf is at least the floor, and at a finite n the cross-entropy is at least the floor "
            "minus 2 Lip eps(n), with eps(n) the influence bound of Lemma 5.",
            evidence="A transformer may be arbitrarily worse than the floor; nothing in the statement says that it is trained.",
        ),
        Erratum(
            printed="On 2DYCK there is some constant P0 in (0, 1).",
            true="Among surviving prefixes, with s = p/(1 - p): P0 tends to (3 - s)/4 for odd n and to s(2 - s)/(1 + s) for even n.",
            evidence="Exact recursion at p = 0.25: 0.4152 at n = 2000 and 0.6662 at n = 2001, limits 5/12 and 2/3. The excess over the "
            "optimum is then at least 0.217 (even) and 0.347 (odd) nats in the limit.",
        ),
    ),
)

FOOTNOTE_4 = Statement(
    key="hahn2020 Footnote 4",
    kind="claim",
    says="The height of a 2DYCK prefix is a Markov chain that, over even n, is aperiodic and positive recurrent, so it converges to a "
    "stationary law with positive weight on each even height; hence a prefix is unbalanced and ends with a closing bracket with a "
    "probability that stays positive.",
    place="section 6, footnote 4",
    errata=(
        Erratum(
            printed="The height chain is positive recurrent and converges to its stationary distribution.",
            true="The chain is absorbed when the word ends. Conditional on survival the limit is the quasi-stationary (Yaglom) law, weight "
            "of height h proportional to (h + 1) r^h with r = sqrt(p/(1 - p)), over heights of the parity of n; survival decays by 2 "
            "sqrt(p(1 - p)) per symbol.",
            evidence="With s = p/(1 - p) it gives P(h = 0 | even n) = (1 - s)^2/(1 + s) = 1/3 at p = 0.25; exact recursion at n = 2000: "
            "0.3348.",
        ),
    ),
)

CLAIM_3 = Statement(
    key="hahn2020 Claim 3",
    kind="claim",
    says="Induction of Lemma 5: after layer k the changed position differs by at most C^(2k) D and every other one by at most H^k C^(2k) "
    "D/n, where C = 2(1 + exp(2A) + Lip of the feed-forward network) and D is the change of the embedding.",
    place="section 6, proof of Lemma 5",
    proof="section 6, proof of Lemma 5",
    errata=(
        Erratum(
            printed="At the changed position the head outputs differ by o(1).",
            true="They differ by O(1): the query there has changed, so all its attention weights may change.",
            evidence="Compare two inputs that differ at i: the weights of row i are a softmax of scores that all depend on y_i. The "
            "repaired recursion of Lemma 5 keeps a separate term for position i.",
        ),
        Erratum(
            printed="The change at position j is bounded through the heads at position i (subscript i in the sum over heads).",
            true="The heads are those of position j.",
            evidence="Equation 3 feeds position j with its own heads.",
        ),
    ),
)

REMARK_7 = Statement(
    key="hahn2020 Remark 7",
    kind="remark",
    says="The proof of Lemma 5 rests on a number of layers that does not grow with n. The same strategy covers other smooth fixed-depth "
    "architectures, such as temporal convolutions with average pooling.",
    place="section 6, proof of Lemma 5",
)

CLAIM_4 = Statement(
    key="hahn2020 Claim 4",
    kind="claim",
    says="Activations at j are bounded in norm by F = 2 Cf^L (|p_j| + |v_j|), so scores are bounded by A = F^2 Ca (dot product) or 2 F Ca "
    "(additive), and an attention weight by exp(2A)/(n - 1); Cf and Ca come from the norms of the parameter matrices.",
    place="section 6, proof of Lemma 5",
    errata=(
        Erratum(
            printed="The norm bound at position j uses only the embeddings at j.",
            true="Heads average over all positions, so the bound must take the largest embedding over all positions, and it must count the "
            "H heads and the biases: F_k = F_(k-1)(1 + Lam(1 + H)) + |W2||relu(b1)|.",
            evidence="A position with a zero embedding takes over the norm of the others after one layer of attention.",
        ),
    ),
)

CLAIM_5 = Statement(
    key="hahn2020 Claim 5",
    kind="claim",
    says="The change of a head's output is at most the sum over positions of the attention weight times the change of the activation "
    "there.",
    place="section 6, proof of Lemma 5",
    errata=(
        Erratum(
            printed="|b - b'| is at most the weighted sum of |y_w - y'_w|.",
            true="The weights change too, which adds F times the l1 change of the softmax. That change is at most the largest change of a "
            "score, and at most 2 a |change| when one key with weight at most a changes.",
            evidence="The printed inequality failed in 1,250 of 1,600 random cases (in 1,039 of 1,600 of a second draw); the two softmax "
            "bounds held in 20,000 random cases. Lemma 5 itself stays true.",
        ),
    ),
)

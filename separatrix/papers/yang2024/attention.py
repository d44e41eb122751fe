"""Appendices A.2 and A.3: averaging a block with linear attention, copying one token with sparse attention."""

from __future__ import annotations

from separatrix.papers.statement import Erratum, Statement

LEMMA_A_8 = Statement(
    key="yang2024 Lemma A.8",
    kind="lemma",
    says="Linear attention can be run as a recurrence with a matrix state s and a vector state z (equations 16 to 19).",
    place="appendix A.2",
)

EQUATION_15 = Statement(
    key="yang2024 Equation 15",
    kind="equation",
    says="Linear attention at token i: the sum over j <= i of phi(key_j) . phi(query_i) times the value, divided by the sum of these "
    "weights.",
    place="appendix A.2",
    errata=(
        Erratum(
            printed="The value inside the sum is W_V x_i.",
            true="It is W_V x_j; with x_i the whole layer would return W_V x_i.",
            evidence="The corrected form equals the recurrence to 2e-16; the printed one differed from it by 2.6 in a random example.",
        ),
    ),
)

EQUATION_17 = Statement(
    key="yang2024 Equation 17",
    kind="equation",
    says="The states start at zero (equation 16); token i adds phi(key) times the transposed value to s and phi(key) to z (equation 18). "
    "They are called hidden states.",
    place="appendix A.2, equations 16 to 18",
)

EQUATION_19 = Statement(
    key="yang2024 Equation 19",
    kind="equation",
    says="The output at i is phi(query) transposed times s, divided by phi(query) . z.",
    place="appendix A.2",
)

NOTION_1 = Statement(
    key="yang2024 Notion 1",
    kind="definition",
    says="AGG: over m^2 tokens in m blocks, token i names a block q_i and receives the mean of the payloads of the tokens of that block up "
    "to i; undefined if there are none yet.",
    place="appendix A.2",
    errata=(
        Erratum(
            printed="The token vector, payload and two one-hot vectors and 1, lies in dimension d + m + 1.",
            true="Two one-hot vectors of length m make d + 2m + 1.",
            evidence="Counting the coordinates listed.",
        ),
        Erratum(
            printed="For an empty block the output may be anything.",
            true="For large mu it is 0/0 and poisons everything after: exp(-mu), computed as expm1(-mu) + 1, is 0 for mu > 36.7 in "
            "float64, 16.6 in float32 and about 6 in bfloat16. Use mu = 30 (float64) or 14 to 16 (float32), or clamp the target to a block "
            "that exists.",
            evidence="Seen on every prompt token that looks ahead.",
        ),
    ),
)

LEMMA_A_9 = Statement(
    key="yang2024 Lemma A.9",
    kind="lemma",
    says="For 0 < eps <= M one causal linear-attention head of width O(max(d, m)) computes AGG up to eps, with query mu(e_q - 1), key "
    "mu(e_block - 1), mu = ln(2 M m^3/eps), and parameters polynomial in log M, log m and log 1/eps.",
    place="appendix A.2",
    proof="appendix A.2",
    errata=(
        Erratum(
            printed="The weight is q . k = 1 + (m - 1) exp(-mu) inside the block; the same letter then stands for normalised weights.",
            true="The weight is phi(q) . phi(k) = 1 + (m - 1) exp(-2 mu) inside the block, 2 exp(-mu) + (m - 2) exp(-2 mu) outside. Raw "
            "and normalised weights are two quantities. The final bound survives.",
            evidence="Computed for m = 4, 8, 16 and eps from 1e-1 to 1e-6: the error stays 5 to 50 times below eps. m = 12, M = 10: "
            "6.9e-2, 4.7e-4, 3.1e-6, 1.4e-10 at mu = 10, 15, 20, 30.",
        ),
    ),
)

NOTION_2 = Statement(
    key="yang2024 Notion 2",
    kind="definition",
    says="COPY: token i receives the value of the token with the highest rating r_j among those visible to it that match its query; "
    "anything if there is none.",
    place="appendix A.3",
    errata=(
        Erratum(
            printed="The matching set is all visible j < i with q . k < rho.",
            true="It must be |q . k| <= rho and j <= i. The printed set contains every non-matching token, because mismatches have q . k "
            "<= -delta.",
            evidence="Assumption A.10 puts each product either within rho of 0 or at or below -delta.",
        ),
        Erratum(
            printed="The token vectors lie in dimension d + 2, and so do the columns of K, Q, V.",
            true="d + 4: payload, rating, slot, block and 1.",
            evidence="Counting the coordinates listed.",
        ),
    ),
)

ASSUMPTION_A_10 = Statement(
    key="yang2024 Assumption A.10",
    kind="assumption",
    says="Every product q_i . k_j is either within rho of 0 or at most -delta; ratings of different tokens differ by at least delta; V has "
    "norm at most 1.",
    place="appendix A.3",
)

LEMMA_A_11 = Statement(
    key="yang2024 Lemma A.11",
    kind="lemma",
    says="Under Assumption A.10 with rho <= delta^2/(8M), one standard attention layer with one head and width O(d) computes COPY up to "
    "eps wherever some token matches, with parameters polynomial in M, 1/delta, log n and log 1/eps.",
    place="appendix A.3",
    proof="not in this paper (Feng et al. 2023)",
    errata=(
        Erratum(
            printed="A standard module defined in equation 6, with block size B.",
            true="Equation 6 and B belong to the sparse lemma that follows; standard attention is equations 3 and 4.",
            evidence="Reading: the sentence is that of Lemma A.12.",
        ),
        Erratum(
            printed="Parameters polynomial in the listed quantities; log precision is enough.",
            true="Scores lam q . k + mu r_j with lam = 8M ln(2nM/eps)/delta^2 and mu = 3 ln(2nM/eps)/delta work. But the position look-up "
            "with query (2t, -1) and key (j, j^2) runs out of digits: float32 serves L <= 4096 (scale a power of two; 2048 at scale 40), "
            "bfloat16 and float16 L <= 16. Two-digit keys (block, slot) serve 32,768, 64 and 512.",
            evidence="Error at most 4e-14 in float64 for n = 16..256; the limits by direct computation in each format.",
        ),
    ),
)

LEMMA_A_12 = Statement(
    key="yang2024 Lemma A.12",
    kind="lemma",
    says="Under the same assumption a sparse module with three attention layers, block size B, one head and embedding size O(d) computes "
    "COPY up to eps, with parameters polynomial in M, 1/delta, log n and log 1/eps. The proof spreads payloads over B slots, gathers a "
    "block, and copies from a token that holds the target block.",
    place="appendix A.3",
    proof="appendix A.3",
    errata=(
        Erratum(
            printed="Embedding size O(d).",
            true="Theta(B d): a token has to hold its whole block. O(d) would contradict Theorem B.6.",
            evidence="The first layer already writes B copies of a payload of size d.",
        ),
        Erratum(
            printed="Any COPY operation, three attention layers.",
            true="The proof does index look-up only, and two attention layers do it. Score -40 (block_j - block_i)^2 gathers the block so "
            "far, slot(i) tokens; score -lam (block_j - target)^2 + mu slot_j, mu = 40, lam = mu (B + 2), reads it; gates pick the slot "
            "and multiply by the count.",
            evidence="Error below 1e-15 for every k >= 1, 1 <= c < B tried, n not a multiple of B, negative payloads included.",
        ),
        Erratum(
            printed="Layer 1: slot i mod B + 1, with ReLU(ReLU(v + M) - M(...)).",
            true="The formula peaks at slot i mod B, returns ReLU(v) and so loses negative v, and nested ReLUs are no two-layer network. "
            "Use a gate with the one-hot of slot(i) = i - (ceil(i/B) - 1) B.",
            evidence="At the matching slot the inner term is v + M - M = v and the outer ReLU cuts it at 0.",
        ),
        Erratum(
            printed="Layer 2: uniform attention over the previous B tokens, times B.",
            true="The visible set also holds global tokens, and fewer than B tokens at the start; the order of the gathered block is "
            "misprinted. Attend to the current block only and carry the count.",
            evidence="As printed, 80 to 100 % of the copies are wrong; under a charitable local reading still 5 to 13 %, in the first "
            "block.",
        ),
        Erratum(
            printed="Layer 3: copy from the token of the target block.",
            true="Matching the block alone is ambiguous, since tokens inside the window hold part of it. The rating slot_j picks the "
            "latest visible one: the block's end token, or i itself in the current block.",
            evidence="With the rating the copies are exact, see above.",
        ),
    ),
)

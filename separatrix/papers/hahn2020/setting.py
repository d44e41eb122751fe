"""Sections 2 to 4: the model and the two languages."""

from __future__ import annotations

from separatrix.papers.statement import Statement

REMARK_1 = Statement(
    key="hahn2020 Remark 1",
    kind="remark",
    says="Lemma 5 widens an earlier robustness result for a single layer with a single head and embeddings drawn uniformly from the "
    "sphere: it needs no distribution and allows any number of heads and layers.",
    place="section 2",
)

EQUATION_1 = Statement(
    key="hahn2020 Equation 1",
    kind="equation",
    says="The score that head h of layer k at position i gives to position j is an arbitrary function of the two layer-(k-1) activations "
    "there; scaled dot products of queries and keys are one choice.",
    place="section 3",
)

EQUATION_2 = Statement(
    key="hahn2020 Equation 2",
    kind="equation",
    says="A head returns the attention-weighted sum of all n activations of the layer below. A value matrix is left out because the "
    "position-wise map that follows can apply it.",
    place="section 3",
)

NOTION_1 = Statement(
    key="hahn2020 Notion 1",
    kind="definition",
    says="Soft attention: the weights are the softmax of the scores over all n positions.",
    place="section 3",
)

NOTION_2 = Statement(
    key="hahn2020 Notion 2",
    kind="definition",
    says="Hard attention: the weight is 1 at a position of maximal score and 0 elsewhere, so a head copies one activation.",
    place="section 3",
)

FOOTNOTE_1 = Statement(
    key="hahn2020 Footnote 1",
    kind="clarification",
    says="Among several positions of maximal score, hard attention takes the first one; the analysis is said to survive other tie-breaking "
    "rules, random choice included.",
    place="section 3, footnote 1",
)

EQUATION_3 = Statement(
    key="hahn2020 Equation 3",
    kind="equation",
    says="The new activation at position i is a feed-forward network with a skip connection, applied to the old activation there and to "
    "the outputs of the H heads.",
    place="section 3",
)

NOTION_3 = Statement(
    key="hahn2020 Notion 3",
    kind="definition",
    says="Language recognition: the input ends with an end-of-sequence symbol at position n, and the label in or out of the language is "
    "read from the last layer's activation at n.",
    place="section 3",
)

TASK_1 = Statement(
    key="hahn2020 Task 1",
    kind="task",
    says="PARITY: bit strings with an even number of 1s, a regular language with a two-state automaton and the simplest one that is not "
    "counter-free.",
    place="section 4",
)

FOOTNOTE_2 = Statement(
    key="hahn2020 Footnote 2",
    kind="remark",
    says="A model class that cannot compute PARITY misses all regular languages with a syntactic morphism that fails to be "
    "quasi-aperiodic; this makes precise in what sense PARITY stands for nearly all languages outside the counter-free ones.",
    place="section 4, footnote 2",
)

REMARK_2 = Statement(
    key="hahn2020 Remark 2",
    kind="remark",
    says="Evaluating nested negations is PARITY, so a model class that fails on PARITY cannot evaluate logical formulas either.",
    place="section 4",
)

TASK_2 = Statement(
    key="hahn2020 Task 2",
    kind="task",
    says="2DYCK: correctly bracketed words over two bracket types. By Chomsky and Schuetzenberger every context-free language comes from a "
    "Dyck language with enough bracket types, a regular language and homomorphisms.",
    place="section 4",
)

"""What the abstract, introduction and related work claim: the hierarchy, the headline experiment, the public code."""

from __future__ import annotations

from separatrix.papers.statement import Erratum, Statement

CLAIM_1 = Statement(
    key="wen2024 Claim 1",
    kind="claim",
    says=(
        "Two remedies each let recurrent models with O(log n) bits of memory and a chain of thought solve every polynomial-time "
        "problem: calls to a regular-expression search over the context, or one Transformer layer at the end."
    ),
    place="abstract; section 1",
    proof="Theorems 5.4 and 5.8",
)

FOOTNOTE_3 = Statement(
    key="wen2024 Footnote 3",
    kind="remark",
    says="The code of the experiments is public as the repository rnn-icrag of dangxingyu.",
    place="footnote 3",
    errata=(
        Erratum(
            printed="the code of the IsTree experiments is available, its default settings included",
            true=(
                "its default graph type `random` labels a graph by connectivity alone, so some graphs with a cycle are called trees; "
                "only the type `binary` (two stars and one edge, m = n - 1) has right labels"
            ),
            evidence="commit e22a55c of April 2024: 12.8, 8.7 and 6.3 % of the TRUE labels have a cycle at n = 8, 16, 32",
        ),
        Erratum(
            printed="the code of the IsTree experiments is available, its evaluation included",
            true=(
                "the evaluation command of its README cannot work: the validation script loads a pretrained directory where training "
                "writes a state dictionary, and touches an embedding attribute that the Mamba and hybrid models lack"
            ),
            evidence=(
                "read at commit e22a55c: the generation evaluator is commented out; padding is on the right while the label is read at "
                "the last place; data generation has no seed; the models need CUDA or a download; the key state_size is ignored; no "
                "licence is given"
            ),
        ),
    ),
)

FIGURE_1 = Statement(
    key="wen2024 Figure 1",
    kind="figure",
    says=(
        "Hierarchy of representation power at O(log n) bits: a chain of thought strictly strengthens recurrent models but leaves them "
        "unable to solve all of P and exponentially weaker than Transformers with one. Transformers with a chain of thought, and "
        "recurrent models with in-context retrieval, both contain P."
    ),
    place="section 1",
    proof="Theorems 4.1, 4.7, 5.4 and 5.8",
)

FACT_1 = Statement(
    key="wen2024 Fact 1",
    kind="fact",
    says=(
        "Cited from Feng et al. 2023 and Li et al. 2024: a Transformer alone cannot leave the circuit class TC0, but with a chain of "
        "thought it can simulate any polynomial-time Turing machine."
    ),
    place="section 1; used in section 4.1",
    proof="in the cited papers",
)

QUESTION_1 = Statement(
    key="wen2024 Question 1",
    kind="question",
    says=(
        "Can a chain of thought, or another small enhancement, put recurrent models on a par with Transformers? The paper answers no "
        "for the chain alone and yes once retrieval from the context is added."
    ),
    place="section 1",
    proof="Theorems 4.7, 5.4 and 5.8",
)

FIGURE_2 = Statement(
    key="wen2024 Figure 2",
    kind="figure",
    says=(
        "Mamba and LLaMA models of 0.5M, 1M and 2M parameters on IsTree with 16, 32 and 64 vertices, trained on the label alone, on a "
        "depth-first tour, or on search queries. Neither solves the task without a chain; Mamba with a chain decays fast as the graph "
        "grows; with retrieval all are almost perfect."
    ),
    place="section 1",
    errata=(
        Erratum(
            printed="accuracies are shown as a picture only",
            true=(
                "no accuracy of the figure is given as a number, so a reproduction can be compared with its shape and not with its values"
            ),
            evidence="neither the text of the paper nor the public code contains the values",
        ),
    ),
)

REMARK_1 = Statement(
    key="wen2024 Remark 1",
    kind="remark",
    says=(
        "Without a chain of thought a recurrent model is a shallow circuit of size polynomial in log n. With one it can be an "
        "exponentially deeper circuit, which is the idea behind the first separation."
    ),
    place="section 1; section 4.1",
    proof="appendix B.5",
)

REMARK_2 = Statement(
    key="wen2024 Remark 2",
    kind="remark",
    says=(
        "The lower bounds come from one-pass streaming, so they hold for every recurrent model with o(n) bits of memory, for any format "
        "of the chain, and for tasks whose answer is a single token; earlier counting arguments needed long outputs."
    ),
    place="section 2",
    proof="appendices B.4 and B.6.1",
)

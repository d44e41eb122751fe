"""Sections 6 and 7: the IsTree experiments as far as text and public code describe them, and what is left open."""

from __future__ import annotations

from separatrix.papers.statement import Erratum, Statement

EXPERIMENT_1 = Statement(
    key="wen2024 Experiment 1",
    kind="experiment",
    says=(
        "Data: IsTree on the graphs of the lower bound of Theorem 4.7, with 16, 32 and 64 vertices. Chains of thought follow Algorithm "
        "1, retrieval traces follow Algorithm 2, and the vanilla setting has only the label."
    ),
    place="section 6",
    errata=(
        Erratum(
            printed="graphs are built as in the proof, where the two centres are the last two vertices",
            true=(
                "the public data permutes the labels: any two vertices are centres, every other joins one at random, one edge joins two "
                "leaves"
            ),
            evidence="read from the public code, type `binary`: n - 1 edges in random order, YES share 0.50",
        ),
        Erratum(
            printed="an edge is u ~ v with u < v, a father record is father - child, vertices count from 1",
            true=(
                "the public data writes edges u - v with u > v and records child ~ father, counts from 0, starts at vertex 0 and closes "
                "prompt and chain with [EOS]; the loss is masked up to the first [EOS] and on every retrieved token"
            ),
            evidence="read from the public code: prompt and label take 3n tokens (48, 96, 192), a tree with its tour 5n (80, 160, 320)",
        ),
        Erratum(
            printed="the tour of Algorithm 1 is the chain",
            true=(
                "the tour of the public data stops at the vertex that sees an already visited neighbour, so its length gives the label "
                "away: label accuracy under teacher forcing says nothing, only generated chains count"
            ),
            evidence="a sample with a tree has 5n tokens; the others had 52 to 70, 100 to 144 and 197 to 272 tokens at n = 16, 32, 64",
        ),
    ),
)

EXPERIMENT_2 = Statement(
    key="wen2024 Experiment 2",
    kind="experiment",
    says=(
        "Evaluation: 5000 validation samples, last iterate. Chains are decoded to the first YES or NO or to a limit longer than every "
        "true chain, and a run that gives no answer counts as right with probability 0.5."
    ),
    place="section 6",
    errata=(
        Erratum(
            printed="chains are generated, and no answer counts one half",
            true=(
                "the public code scores vanilla and retrieval by exact match of all unmasked tokens under teacher forcing, and no "
                "answer as wrong"
            ),
            evidence="read from the public code; its generation evaluator is commented out",
        ),
    ),
)

EXPERIMENT_3 = Statement(
    key="wen2024 Experiment 3",
    kind="experiment",
    says=(
        "Retrieval traces are shortened: the fixed parts of the regular expressions are left out, and the model writes only the "
        "vertices and special tokens of each query."
    ),
    place="section 6",
    errata=(
        Erratum(
            printed="short queries stand for the regular expressions of Algorithm 2",
            true="a short query left in the context looks like an edge to later queries; edge queries must be restricted to the prompt",
            evidence="searching the whole context corrupts 70 of 100 traces; restricted to the prompt, the replay agrees on all",
        ),
        Erratum(
            printed="a vertex already on the stack ends the trace with its father and NO",
            true="when the cycle closes at the root the father is printed as FAILED, which is also what an unvisited vertex gets",
            evidence=(
                "public data: 64 of 162, 26 of 137 and 16 of 169 cycle endings at n = 16, 32, 64; the trace of a tree has 40n - 25 tokens"
            ),
        ),
    ),
)

EXPERIMENT_4 = Statement(
    key="wen2024 Experiment 4",
    kind="experiment",
    says=(
        "Models: LLaMA for Transformers, Mamba for recurrent models, Mamba with one LLaMA block for hybrids, at 0.5M, 1M and 2M "
        "parameters. Embedding and prediction head are tied and frozen; token i is the vector of sines and cosines of i / 10000^(j/d), "
        "and positions use RoPE."
    ),
    place="section 6",
    errata=(
        Erratum(
            printed="exponent j/d for j up to d/2, with N the number of tokens",
            true="the public code uses exponent 2j/d with sine and cosine interleaved; N occurs in no formula",
            evidence="read from the public code; the tied argmax decodes every token with margin at least 1.08",
        ),
        Erratum(
            printed="three sizes: 0.5M, 1M, 2M",
            true=(
                "trainable parameters: LLaMA 525,376, 1,050,688, 1,969,280; Mamba 523,328, 1,166,208, 2,099,072; hybrid 458,240, "
                "980,608, 1,796,864, the final norm of the hybrid lying before its LLaMA block"
            ),
            evidence=(
                "counted: LLaMA (width, feed-forward, layers, heads) (64,256,8,4), (64,256,16,4), (128,256,12,4); Mamba (width, layers) "
                "(64,16), (128,10), (128,18); hybrid Mamba (64,12), (128,7), (128,14); state 16, expansion 2, convolution 4"
            ),
        ),
    ),
)

EXPERIMENT_5 = Statement(
    key="wen2024 Experiment 5",
    kind="experiment",
    says=(
        "Training: Adam with a cosine learning rate on at least one million samples, repeated with five million where the model does "
        "not converge. After a grid search the rate is 1e-3 for Transformers and 3e-4 for all others."
    ),
    place="section 6",
    errata=(
        Erratum(
            printed="Adam with a cosine schedule",
            true=(
                "the public code runs AdamW without weight decay, batch 64, warm-up over 10,000 samples, cosine to 0; its clipping flag "
                "is unused"
            ),
            evidence="read from the public code",
        ),
    ),
)

FIGURE_5 = Statement(
    key="wen2024 Figure 5",
    kind="figure",
    says=(
        "Mamba with one attention layer, 0.5M, 1M and 2M parameters, on IsTree with 16, 32 and 64 vertices, in the three settings of "
        "Figure 2: every model is nearly perfect on the validation set."
    ),
    place="section 6",
    errata=(
        Erratum(
            printed="accuracies are shown as a picture only",
            true="no accuracy of the figure is given as a number",
            evidence="neither the text of the paper nor the public code contains the values",
        ),
    ),
)

EXPERIMENT_6 = Statement(
    key="wen2024 Experiment 6",
    kind="experiment",
    says=(
        "Finding: a chain of thought helps both Transformers and recurrent models, but recurrent models fall off sharply with the size "
        "of the graph and Transformers are always ahead."
    ),
    place="section 6",
    errata=(
        Erratum(
            printed="the results are in Figures 3 and 5",
            true="the results are in Figures 2 and 5; Figure 3 is the example graph",
            evidence="by hand from the captions",
        ),
    ),
)

EXPERIMENT_7 = Statement(
    key="wen2024 Experiment 7",
    kind="experiment",
    says="Finding: with retrieval by regular expression all models reach nearly perfect accuracy.",
    place="section 6",
)

EXPERIMENT_8 = Statement(
    key="wen2024 Experiment 8",
    kind="experiment",
    says="Finding: the hybrid is the best model and nearly perfect even without a chain of thought or explicit retrieval.",
    place="section 6",
)

QUESTION_2 = Statement(
    key="wen2024 Question 2",
    kind="question",
    says=(
        "Open: how language models can be brought to use in-context retrieval, or another kind of retrieval, in practice and beyond IsTree."
    ),
    place="section 7",
    status="open",
)

QUESTION_3 = Statement(
    key="wen2024 Question 3",
    kind="question",
    says=(
        "Open: which other changes to recurrent architectures do as much as one Transformer layer, or buy more representation power for "
        "the memory they cost."
    ),
    place="section 7",
    status="open",
)

QUESTION_4 = Statement(
    key="wen2024 Question 4",
    kind="question",
    says=(
        "What can be said about training dynamics and generalisation of recurrent models and Transformers on these tasks? Only "
        "representation power is studied; the authors call this the hardest and most important direction."
    ),
    place="section 7",
    status="open",
)

"""What was trained and measured, with the numbers of the figures."""

from __future__ import annotations

from separatrix.papers.statement import Erratum, Statement

REMARK_7 = Statement(
    key="bhattamishra2024 Remark 7",
    kind="remark",
    says=(
        "Expressiveness does not imply learnability, whereas the lower bounds do imply failure once the length is large; for a state of "
        "128 numbers of 64 bits they start to bind at lengths over 8 thousand."
    ),
    place="section 6",
    errata=(
        Erratum(
            printed="The bound applies at lengths over 8k.",
            true="With the 64 symbols of the experiments index lookup already needs more than 8192 bits at N >= 1366.",
            evidence="ceil(6N) > 8192 exactly for N >= 1366.",
        ),
    ),
)

EXPERIMENT_1 = Statement(
    key="bhattamishra2024 Experiment 1",
    kind="experiment",
    says=(
        "Set-up: cross-entropy, Adam, fresh batches of 64, up to 250 thousand steps (about 16 million examples), 5000 evaluation examples, "
        "learning rate and other hyper-parameters tuned for each model, lengths below 1000."
    ),
    place="section 6",
)

FIGURE_2 = Statement(
    key="bhattamishra2024 Figure 2",
    kind="figure",
    says=(
        "Index lookup accuracy in % at lengths 20, 50, 100, 200, 400: LSTM-(3,256) 100, 49.8, 18.2, 9.4, 5.8; LinTF-(6,256) 100, 71.6, "
        "20.6, 9.4, 4.1; RetNet-(6,256) 100, 78.5, 27.0, 14.2, 5.2; DSS-(6,256) 100, 75.8, 39.6, 10.7, 5.3; Mamba-(6,256) 100, 99.3, 90.2, "
        "28.9, 12.6; TF-(1,64) 100, 100, 100, 100, 99.9. Also validation curves: index lookup at 200, Dyck-(2,2) at 400."
    ),
    place="section 6",
)

EXPERIMENT_2 = Statement(
    key="bhattamishra2024 Experiment 2",
    kind="experiment",
    says=(
        "Index lookup with 64 symbols at lengths 20 to 400: a one-layer Transformer of width 64 is near perfect within a few thousand "
        "steps, while five recurrent models of up to 6 layers and width 256 degrade over length 100 even with 10 times the steps."
    ),
    place="section 6",
    errata=(
        Erratum(
            printed="10 times the training steps; appendix A(4) says 25 times for the same figure.",
            true="The two places disagree, and the text does not settle which factor is meant.",
            evidence="By reading both places.",
        ),
        Erratum(
            printed="Recurrent models degrade on lengths over 100.",
            true="Four of the five already fall to between 49.8 and 78.5 % at length 50; only Mamba holds to 100.",
            evidence="The table in the left part of Figure 2.",
        ),
    ),
)

EXPERIMENT_3 = Statement(
    key="bhattamishra2024 Experiment 3",
    kind="experiment",
    says=(
        "Dyck-(2,2) at lengths 20 to 400: one-layer Transformers of width 256 are near perfect up to 100 and struggle beyond, while LSTMs, "
        "Mamba and two-layer Transformers of width 64 stay near perfect up to 400. The theory covers LSTMs here but not linear "
        "recurrences."
    ),
    place="section 6",
)

FIGURE_3 = Statement(
    key="bhattamishra2024 Figure 3",
    kind="figure",
    says=(
        "Two-layer Mamba on index lookup, accuracy in % at lengths 20, 50, 75, 100, 200, 400: width 32 97.7, 34.3, 28.4, 18.8, 9.8, 3.6; "
        "width 64 99.6, 78.9, 47.7, 34.6, 13.5, 6.0; width 256 99.7, 98.7, 87.5, 52.8, 30.4, 11.5; width 512 99.6, 99.6, 98.2, 70.5, 29.8, "
        "9.8; width 1024 99.8, 99.4, 97.8, 82.1, 34.1, 12.6."
    ),
    place="appendix H",
)

EXPERIMENT_4 = Statement(
    key="bhattamishra2024 Experiment 4",
    kind="experiment",
    says=(
        "Tuning: grid over depths 1, 2, 4, 6 (LSTM up to 3), widths 64 to 512, 4 or 8 heads and seven learning rates from 1e-2 to 1e-6; "
        "GPT-2 backbone with absolute positions; 8 V100 and 16 GTX 1080 Ti cards, at most 1200 GPU hours in all."
    ),
    place="appendix H; section 6",
    errata=(
        Erratum(
            printed="Learning rates 1e-2, 5e-3, ..., 1e-6 (section 6) against a list that ends 5e-5, 1e-6 (appendix H).",
            true="The lists differ: the appendix has neither 1e-5 nor 5e-6.",
            evidence="By reading both lists.",
        ),
        Erratum(
            printed="Up to 250k steps, yet compute is given for runs of 500k steps.",
            true="The text does not say which runs were longer.",
            evidence="By reading section 6 and appendix H.",
        ),
        Erratum(
            printed="Widths 64, 128, 256, 512.",
            true="Figure 3 also uses Mamba of width 32 and 1024.",
            evidence="By reading Figure 3.",
        ),
    ),
)

EXPERIMENT_5 = Statement(
    key="bhattamishra2024 Experiment 5",
    kind="experiment",
    says=(
        "Two-layer Mamba of widths 32 to 1024 on index lookup: accuracy is said to rise monotonically with width; LSTMs show no such trend "
        "and stay at chance above length 100. Width 1024 is still far below a one-layer Transformer of width 64."
    ),
    place="appendix H.1",
    errata=(
        Erratum(
            printed="Accuracy increases monotonically with width.",
            true="It falls in 5 cells: from 256 to 512 at lengths 20, 200, 400 and from 512 to 1024 at 50, 75.",
            evidence="The numbers of Figure 3.",
        ),
        Erratum(
            printed="Performance 'does exactly scale linearly' with width.",
            true="It does not: a 'not' is missing.",
            evidence="Figure 3 at length 100: widths 32 and 1024 give 18.8 and 82.1 %.",
        ),
    ),
)

FIGURE_4 = Statement(
    key="bhattamishra2024 Figure 4",
    kind="figure",
    says=(
        "Accuracy of two-layer LSTM, linear Transformer, RetNet, DSS, Mamba and Transformer on string equality: Eq-random at width 256 and "
        "lengths 20 to 400, and Eq-ncp at width 64 and lengths 100 to 800. The numbers stand with Experiments 6 and 7."
    ),
    place="appendix H.2",
)

EXPERIMENT_6 = Statement(
    key="bhattamishra2024 Experiment 6",
    kind="experiment",
    says=(
        "Eq-random, two layers of width 256, accuracy in % at lengths 20, 50, 100, 200, 400: LSTM 100, 99.8, 99.7, 51.0, 49.7; LinTF 100, "
        "99.9, 99.5, 51.2, 50.7; RetNet 100, 100, 98.7, 50.9, 49.8; DSS 100, 99.9, 100, 99.9, 99.9; Mamba 100, 99.3, 99.8, 99.6, 99.5; TF "
        "100, 100, 100, 99.8, 99.9. On Eq-one every model is near perfect up to 400."
    ),
    place="appendix H.2; Figure 4 left",
)

EXPERIMENT_7 = Statement(
    key="bhattamishra2024 Experiment 7",
    kind="experiment",
    says=(
        "Eq-ncp, two layers of width 64, % of strings right at lengths 100, 200, 400, 600, 800: LSTM 99.4, 99.6, 0, 0, 0; LinTF 99.9, "
        "99.4, 0, 0, 0; RetNet 99.8, 99.9, 0.2, 0, 0; DSS 100, 99.9, 92.5, 0.1, 0; Mamba 99.9, 99.3, 89.8, 0, 0; TF 100, 99.9, 99.8, 99.9, "
        "99.8. With larger widths DSS solves lengths up to 800."
    ),
    place="appendix H.2; Figure 4 right",
)

REMARK_18 = Statement(
    key="bhattamishra2024 Remark 18",
    kind="remark",
    says=(
        "Takeaways: small one-layer Transformers learn index lookup far faster than larger recurrent models, learn Dyck-(2,2) slower than "
        "LSTMs and two-layer Transformers, and on string equality the gap to state-space models is smaller except at small widths in the "
        "next-character setting."
    ),
    place="appendix H.2, discussion",
)

"""Bhattamishra, Hahn, Blunsom and Kanade (2024): separations between Transformers and recurrent architectures, as data.

One file per subject holds the statements; `STATEMENTS` lists them in the order of the text, and the points of a summary of the paper last.
Task, Remark, Experiment, Assumption, Question and Check numbers and the three parts of Section 2 are ours, all others the paper's.
"""

from __future__ import annotations

from separatrix.papers.bhattamishra2024.checks import (
    CHECK_1,
    CHECK_2,
    CHECK_3,
    CHECK_4,
    CHECK_5,
    CHECK_6,
    CHECK_7,
    CHECK_8,
    CHECK_9,
    CHECK_10,
    CHECK_11,
    CHECK_12,
    CHECK_13,
    CHECK_14,
    CHECK_15,
    CHECK_16,
    CHECK_17,
    CHECK_18,
    CHECK_19,
    CHECK_20,
)
from separatrix.papers.bhattamishra2024.clarifications import (
    APPENDIX_A_1,
    APPENDIX_A_2,
    APPENDIX_A_3,
    APPENDIX_A_4,
    APPENDIX_A_5,
    QUESTION_1,
    REMARK_8,
)
from separatrix.papers.bhattamishra2024.definitions import (
    APPENDIX_B_1,
    APPENDIX_B_2,
    ASSUMPTION_3,
    FACT_1,
    FACT_2,
    FACT_3,
    FIGURE_1,
    REMARK_9,
    SECTION_2_1,
    SECTION_2_2,
    SECTION_2_3,
)
from separatrix.papers.bhattamishra2024.dyck import (
    DEFINITION_1,
    FACT_4,
    LEMMA_1,
    REMARK_3,
    REMARK_4,
    REMARK_11,
    REMARK_12,
    TASK_2,
    THEOREM_5,
    THEOREM_10,
)
from separatrix.papers.bhattamishra2024.equality import (
    FOOTNOTE_3,
    LEMMA_4,
    QUESTION_3,
    REMARK_5,
    REMARK_6,
    REMARK_13,
    REMARK_14,
    TASK_3,
    TASK_4,
    THEOREM_6,
    THEOREM_11,
    THEOREM_12,
)
from separatrix.papers.bhattamishra2024.experiments import (
    EXPERIMENT_1,
    EXPERIMENT_2,
    EXPERIMENT_3,
    EXPERIMENT_4,
    EXPERIMENT_5,
    EXPERIMENT_6,
    EXPERIMENT_7,
    FIGURE_2,
    FIGURE_3,
    FIGURE_4,
    REMARK_7,
    REMARK_18,
)
from separatrix.papers.bhattamishra2024.index_lookup import (
    PROPOSITION_9,
    QUESTION_2,
    REMARK_1,
    REMARK_2,
    TASK_1,
    TASK_7,
    THEOREM_1,
    THEOREM_2,
    THEOREM_3,
)
from separatrix.papers.bhattamishra2024.near_orthogonal import COROLLARY_8_1, LEMMA_2, LEMMA_3, REMARK_10
from separatrix.papers.bhattamishra2024.nearest_neighbour import (
    ASSUMPTION_1,
    ASSUMPTION_2,
    EQUATION_9,
    EQUATION_10,
    REMARK_16,
    TASK_5,
    TASK_6,
    THEOREM_7,
    THEOREM_8,
)
from separatrix.papers.bhattamishra2024.one_layer import EQUATION_1, EQUATION_2, EQUATION_3, EQUATION_4, EQUATION_5, FOOTNOTE_4, THEOREM_4
from separatrix.papers.bhattamishra2024.sparse_thresholds import (
    COROLLARY_13_1,
    EQUATION_6,
    EQUATION_7,
    EQUATION_8,
    LEMMA_5,
    REMARK_15,
    TASK_8,
    THEOREM_13,
)
from separatrix.papers.bhattamishra2024.training_data import REMARK_17, TASK_9, TASK_10, TASK_11, TASK_12, TASK_13, TASK_14
from separatrix.papers.statement import Statement

# fmt: off
STATEMENTS: tuple[Statement, ...] = (
    # 2 definitions
    SECTION_2_1, SECTION_2_2, SECTION_2_3, FIGURE_1,
    # 3 index lookup
    TASK_1, REMARK_1, THEOREM_1, THEOREM_2, THEOREM_3, REMARK_2,
    # 4 lower bounds for recurrent models and one layer
    THEOREM_4, TASK_2, LEMMA_1, THEOREM_5, REMARK_3, REMARK_4, TASK_3, TASK_4, REMARK_5, FOOTNOTE_3,
    # 5 two layers
    THEOREM_6, REMARK_6, TASK_5, TASK_6, ASSUMPTION_1, ASSUMPTION_2, THEOREM_7, THEOREM_8,
    # 6 experiments, 7 discussion
    REMARK_7, EXPERIMENT_1, FIGURE_2, EXPERIMENT_2, EXPERIMENT_3, REMARK_8, QUESTION_1,
    # A clarifications
    APPENDIX_A_1, APPENDIX_A_2, APPENDIX_A_3, APPENDIX_A_4, APPENDIX_A_5,
    # B preliminaries
    APPENDIX_B_1, FACT_1, FACT_2, FACT_3, REMARK_9, APPENDIX_B_2, LEMMA_2, REMARK_10, LEMMA_3, COROLLARY_8_1,
    # C index lookup, D one layer
    TASK_7, PROPOSITION_9, QUESTION_2,
    ASSUMPTION_3, EQUATION_1, EQUATION_2, EQUATION_3, FOOTNOTE_4, EQUATION_4, EQUATION_5,
    # E bounded Dyck languages
    DEFINITION_1, FACT_4, REMARK_11, THEOREM_10, REMARK_12,
    # F Boolean functions
    REMARK_13, QUESTION_3, LEMMA_4, THEOREM_11, THEOREM_12, REMARK_14, TASK_8, THEOREM_13, REMARK_15,
    LEMMA_5, EQUATION_6, COROLLARY_13_1, EQUATION_7, EQUATION_8,
    # G nearest neighbours
    REMARK_16, EQUATION_9, EQUATION_10,
    # H data, hyper-parameters, further experiments
    FIGURE_3, EXPERIMENT_4, TASK_9, TASK_10, TASK_11, EXPERIMENT_5, FIGURE_4,
    TASK_12, TASK_13, EXPERIMENT_6, REMARK_17, TASK_14, EXPERIMENT_7, REMARK_18,
    # a summary of the paper
    CHECK_1, CHECK_2, CHECK_3, CHECK_4, CHECK_5, CHECK_6, CHECK_7, CHECK_8, CHECK_9, CHECK_10,
    CHECK_11, CHECK_12, CHECK_13, CHECK_14, CHECK_15, CHECK_16, CHECK_17, CHECK_18, CHECK_19, CHECK_20,
)

__all__ = [
    "APPENDIX_A_1", "APPENDIX_A_2", "APPENDIX_A_3", "APPENDIX_A_4", "APPENDIX_A_5", "APPENDIX_B_1", "APPENDIX_B_2", "ASSUMPTION_1",
    "ASSUMPTION_2", "ASSUMPTION_3", "CHECK_1", "CHECK_2", "CHECK_3", "CHECK_4", "CHECK_5", "CHECK_6", "CHECK_7", "CHECK_8", "CHECK_9",
    "CHECK_10", "CHECK_11", "CHECK_12", "CHECK_13", "CHECK_14", "CHECK_15", "CHECK_16", "CHECK_17", "CHECK_18", "CHECK_19", "CHECK_20",
    "COROLLARY_8_1", "COROLLARY_13_1", "DEFINITION_1", "EQUATION_1", "EQUATION_2", "EQUATION_3", "EQUATION_4", "EQUATION_5",
    "EQUATION_6", "EQUATION_7", "EQUATION_8", "EQUATION_9", "EQUATION_10", "EXPERIMENT_1", "EXPERIMENT_2", "EXPERIMENT_3",
    "EXPERIMENT_4", "EXPERIMENT_5", "EXPERIMENT_6", "EXPERIMENT_7", "FACT_1", "FACT_2", "FACT_3", "FACT_4", "FIGURE_1", "FIGURE_2",
    "FIGURE_3", "FIGURE_4", "FOOTNOTE_3", "FOOTNOTE_4", "LEMMA_1", "LEMMA_2", "LEMMA_3", "LEMMA_4", "LEMMA_5", "PROPOSITION_9",
    "QUESTION_1", "QUESTION_2", "QUESTION_3", "REMARK_1", "REMARK_2", "REMARK_3", "REMARK_4", "REMARK_5", "REMARK_6", "REMARK_7",
    "REMARK_8", "REMARK_9", "REMARK_10", "REMARK_11", "REMARK_12", "REMARK_13", "REMARK_14", "REMARK_15", "REMARK_16", "REMARK_17",
    "REMARK_18", "SECTION_2_1", "SECTION_2_2", "SECTION_2_3", "STATEMENTS", "TASK_1", "TASK_2", "TASK_3", "TASK_4", "TASK_5", "TASK_6",
    "TASK_7", "TASK_8", "TASK_9", "TASK_10", "TASK_11", "TASK_12", "TASK_13", "TASK_14", "THEOREM_1", "THEOREM_2", "THEOREM_3",
    "THEOREM_4", "THEOREM_5", "THEOREM_6", "THEOREM_7", "THEOREM_8", "THEOREM_10", "THEOREM_11", "THEOREM_12", "THEOREM_13",
]
# fmt: on

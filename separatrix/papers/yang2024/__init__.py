"""Yang et al., Do Efficient Transformers Really Save Computation? (2024): its statements as data.

Theorems, propositions, lemmas, definitions and the assumptions with a letter, and equations, figures and tables, carry
the paper's own numbers; Task, Notion, Claim, Assumption 1 to 3, Remark, Experiment and Question number what the paper
leaves unnumbered. What appendices B and C restate under a new number has a key of its own and names its original.
"""

from __future__ import annotations

from separatrix.papers.statement import Statement
from separatrix.papers.yang2024.architectures import (
    CLAIM_1,
    CLAIM_2,
    CLAIM_3,
    EQUATION_1,
    EQUATION_3,
    EQUATION_4,
    EQUATION_5,
    EQUATION_6,
    EQUATION_7,
    EQUATION_8,
    REMARK_1,
    TABLE_1,
)
from separatrix.papers.yang2024.attention import (
    ASSUMPTION_A_10,
    EQUATION_15,
    EQUATION_17,
    EQUATION_19,
    LEMMA_A_8,
    LEMMA_A_9,
    LEMMA_A_11,
    LEMMA_A_12,
    NOTION_1,
    NOTION_2,
)
from separatrix.papers.yang2024.experiments import (
    EXPERIMENT_1,
    EXPERIMENT_2,
    EXPERIMENT_3,
    EXPERIMENT_4,
    EXPERIMENT_5,
    EXPERIMENT_6,
    EXPERIMENT_7,
    EXPERIMENT_8,
    EXPERIMENT_9,
    FIGURE_1,
    FIGURE_2,
    FIGURE_3,
    QUESTION_3,
    REMARK_3,
    TABLE_2,
    TASK_2,
    TASK_3,
    TASK_4,
    TASK_5,
)
from separatrix.papers.yang2024.gadgets import (
    EQUATION_12,
    EQUATION_13,
    EQUATION_14,
    LEMMA_A_1,
    LEMMA_A_2,
    LEMMA_A_3,
    LEMMA_A_4,
    LEMMA_A_5,
    LEMMA_A_6,
    LEMMA_A_7,
)
from separatrix.papers.yang2024.locality import (
    CLAIM_5,
    CLAIM_6,
    CLAIM_7,
    DEFINITION_5_3,
    PROPOSITION_5_1,
    PROPOSITION_5_2,
    PROPOSITION_5_4,
    PROPOSITION_5_5,
    QUESTION_1,
    QUESTION_2,
    TASK_1,
)
from separatrix.papers.yang2024.locality_proofs import (
    TASK_6,
    THEOREM_C_1,
    THEOREM_C_2,
    THEOREM_C_3,
    THEOREM_C_4,
)
from separatrix.papers.yang2024.reasoning import (
    ASSUMPTION_1,
    ASSUMPTION_2,
    ASSUMPTION_3,
    CLAIM_4,
    DEFINITION_4_3,
    EQUATION_9,
    EQUATION_10,
    REMARK_2,
    THEOREM_4_1,
    THEOREM_4_2,
    THEOREM_4_4,
)
from separatrix.papers.yang2024.width_proofs import (
    ASSUMPTION_B_1,
    ASSUMPTION_B_2,
    REMARK_4,
    THEOREM_B_3,
    THEOREM_B_4,
    THEOREM_B_5,
    THEOREM_B_6,
)

# fmt: off
STATEMENTS: tuple[Statement, ...] = (
    # 1 introduction
    TABLE_1, REMARK_1,
    # 3 architectures
    EQUATION_1, EQUATION_3, EQUATION_4, EQUATION_5, CLAIM_1, EQUATION_6, CLAIM_2, EQUATION_7, EQUATION_8, CLAIM_3,
    # 4.1 dynamic programs
    EQUATION_9, ASSUMPTION_1, ASSUMPTION_2, EQUATION_10, ASSUMPTION_3, THEOREM_4_1,
    # 4.2 width
    THEOREM_4_2, REMARK_2, DEFINITION_4_3, THEOREM_4_4, CLAIM_4,
    # 5.1 arithmetic
    TASK_1, PROPOSITION_5_1, CLAIM_5, PROPOSITION_5_2, QUESTION_1,
    # 5.2 locality
    CLAIM_6, DEFINITION_5_3, PROPOSITION_5_4, CLAIM_7, PROPOSITION_5_5, QUESTION_2,
    # 6 experiments
    TASK_2, TASK_3, TASK_4, REMARK_3, EXPERIMENT_1, EXPERIMENT_2, EXPERIMENT_3, FIGURE_1, EXPERIMENT_4, EXPERIMENT_5, TABLE_2,
    EXPERIMENT_6, EXPERIMENT_7, TASK_5, EXPERIMENT_8, FIGURE_2,
    # 7 limitations
    QUESTION_3,
    # A.1 networks
    LEMMA_A_1, LEMMA_A_2, LEMMA_A_3, LEMMA_A_4, LEMMA_A_5, EQUATION_12, LEMMA_A_6, EQUATION_13, LEMMA_A_7, EQUATION_14,
    # A.2 linear attention
    LEMMA_A_8, EQUATION_15, EQUATION_17, EQUATION_19, NOTION_1, LEMMA_A_9,
    # A.3 sparse attention
    NOTION_2, ASSUMPTION_A_10, LEMMA_A_11, LEMMA_A_12,
    # B proofs for section 4
    ASSUMPTION_B_1, ASSUMPTION_B_2, REMARK_4, THEOREM_B_3, THEOREM_B_4, THEOREM_B_5, THEOREM_B_6,
    # C proofs for section 5
    TASK_6, THEOREM_C_1, THEOREM_C_2, THEOREM_C_3, THEOREM_C_4,
    # D further experiments
    EXPERIMENT_9, FIGURE_3,
)

__all__ = [
    "ASSUMPTION_1", "ASSUMPTION_2", "ASSUMPTION_3", "ASSUMPTION_A_10", "ASSUMPTION_B_1", "ASSUMPTION_B_2", "CLAIM_1", "CLAIM_2",
    "CLAIM_3", "CLAIM_4", "CLAIM_5", "CLAIM_6", "CLAIM_7", "DEFINITION_4_3", "DEFINITION_5_3", "EQUATION_1", "EQUATION_3", "EQUATION_4",
    "EQUATION_5", "EQUATION_6", "EQUATION_7", "EQUATION_8", "EQUATION_9", "EQUATION_10", "EQUATION_12", "EQUATION_13", "EQUATION_14",
    "EQUATION_15", "EQUATION_17", "EQUATION_19", "EXPERIMENT_1", "EXPERIMENT_2", "EXPERIMENT_3", "EXPERIMENT_4", "EXPERIMENT_5",
    "EXPERIMENT_6", "EXPERIMENT_7", "EXPERIMENT_8", "EXPERIMENT_9", "FIGURE_1", "FIGURE_2", "FIGURE_3", "LEMMA_A_1", "LEMMA_A_2",
    "LEMMA_A_3", "LEMMA_A_4", "LEMMA_A_5", "LEMMA_A_6", "LEMMA_A_7", "LEMMA_A_8", "LEMMA_A_9", "LEMMA_A_11", "LEMMA_A_12", "NOTION_1",
    "NOTION_2", "PROPOSITION_5_1", "PROPOSITION_5_2", "PROPOSITION_5_4", "PROPOSITION_5_5", "QUESTION_1", "QUESTION_2", "QUESTION_3",
    "REMARK_1", "REMARK_2", "REMARK_3", "REMARK_4", "STATEMENTS", "TABLE_1", "TABLE_2", "TASK_1", "TASK_2", "TASK_3", "TASK_4",
    "TASK_5", "TASK_6", "THEOREM_4_1", "THEOREM_4_2", "THEOREM_4_4", "THEOREM_B_3", "THEOREM_B_4", "THEOREM_B_5", "THEOREM_B_6",
    "THEOREM_C_1", "THEOREM_C_2", "THEOREM_C_3", "THEOREM_C_4",
]
# fmt: on

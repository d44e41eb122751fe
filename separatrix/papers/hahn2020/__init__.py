"""Hahn, Theoretical Limitations of Self-Attention in Neural Sequence Models (2020): its statements as data.

The paper numbers theorems, lemmas, corollaries and definitions in one sequence, 1 to 6. Stage, Footnote, Equation and
Figure carry the paper's own numbers; Notion, Task, Construction, Claim, Assumption, Remark and Question number what the
paper leaves unnumbered, in the order of the text.
"""

from __future__ import annotations

from separatrix.papers.hahn2020.depth_reduction import (
    EQUATION_7,
    EQUATION_8,
    EQUATION_9,
    EQUATION_10,
    EQUATION_11,
    EQUATION_12,
    FIGURE_3,
    NOTION_5,
    NOTION_6,
    STAGE_1,
    STAGE_2,
    STAGE_3,
)
from separatrix.papers.hahn2020.hard_attention import (
    CLAIM_1,
    CLAIM_2,
    CONSTRUCTION_1,
    CONSTRUCTION_2,
    COROLLARY_2,
    DEFINITION_3,
    FIGURE_1,
    FIGURE_2,
    LEMMA_4,
    NOTION_4,
    QUESTION_1,
    REMARK_3,
    REMARK_4,
    REMARK_5,
    TASK_3,
    THEOREM_1,
)
from separatrix.papers.hahn2020.outlook import (
    QUESTION_3,
    QUESTION_4,
    REMARK_8,
    REMARK_9,
)
from separatrix.papers.hahn2020.setting import (
    EQUATION_1,
    EQUATION_2,
    EQUATION_3,
    FOOTNOTE_1,
    FOOTNOTE_2,
    NOTION_1,
    NOTION_2,
    NOTION_3,
    REMARK_1,
    REMARK_2,
    TASK_1,
    TASK_2,
)
from separatrix.papers.hahn2020.soft_attention import (
    ASSUMPTION_1,
    CLAIM_3,
    CLAIM_4,
    CLAIM_5,
    FOOTNOTE_3,
    FOOTNOTE_4,
    LEMMA_5,
    QUESTION_2,
    REMARK_6,
    REMARK_7,
    TASK_4,
    TASK_5,
    THEOREM_6,
)
from separatrix.papers.statement import Statement

# fmt: off
STATEMENTS: tuple[Statement, ...] = (
    # 2 related work
    REMARK_1,
    # 3 self-attention
    EQUATION_1, EQUATION_2, NOTION_1, NOTION_2, FOOTNOTE_1, EQUATION_3, NOTION_3,
    # 4 languages
    TASK_1, FOOTNOTE_2, REMARK_2, TASK_2,
    # 5 hard attention
    REMARK_3, FIGURE_1, NOTION_4, REMARK_4, THEOREM_1, COROLLARY_2, TASK_3, CONSTRUCTION_1, CONSTRUCTION_2, REMARK_5, CLAIM_1,
    QUESTION_1, CLAIM_2, FIGURE_2, DEFINITION_3, LEMMA_4,
    # 5.1 depth reduction
    STAGE_1, EQUATION_7, NOTION_5, FIGURE_3, NOTION_6, STAGE_2, STAGE_3, EQUATION_8, EQUATION_9, EQUATION_10, EQUATION_11, EQUATION_12,
    # 6 soft attention
    FOOTNOTE_3, QUESTION_2, LEMMA_5, REMARK_6, ASSUMPTION_1, TASK_4, TASK_5, THEOREM_6, FOOTNOTE_4, CLAIM_3, REMARK_7, CLAIM_4, CLAIM_5,
    # 7 discussion
    REMARK_8, REMARK_9, QUESTION_3, QUESTION_4,
)

__all__ = [
    "ASSUMPTION_1", "CLAIM_1", "CLAIM_2", "CLAIM_3", "CLAIM_4", "CLAIM_5", "CONSTRUCTION_1", "CONSTRUCTION_2", "COROLLARY_2",
    "DEFINITION_3", "EQUATION_1", "EQUATION_2", "EQUATION_3", "EQUATION_7", "EQUATION_8", "EQUATION_9", "EQUATION_10", "EQUATION_11",
    "EQUATION_12", "FIGURE_1", "FIGURE_2", "FIGURE_3", "FOOTNOTE_1", "FOOTNOTE_2", "FOOTNOTE_3", "FOOTNOTE_4", "LEMMA_4", "LEMMA_5",
    "NOTION_1", "NOTION_2", "NOTION_3", "NOTION_4", "NOTION_5", "NOTION_6", "QUESTION_1", "QUESTION_2", "QUESTION_3", "QUESTION_4",
    "REMARK_1", "REMARK_2", "REMARK_3", "REMARK_4", "REMARK_5", "REMARK_6", "REMARK_7", "REMARK_8", "REMARK_9", "STAGE_1", "STAGE_2",
    "STAGE_3", "STATEMENTS", "TASK_1", "TASK_2", "TASK_3", "TASK_4", "TASK_5", "THEOREM_1", "THEOREM_6",
]
# fmt: on

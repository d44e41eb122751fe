"""Hahn, Theoretical Limitations of Self-Attention in Neural Sequence Models (2020): its statements as data.

The paper numbers theorems, lemmas, corollaries and definitions in one sequence, 1 to 6. Stage, Footnote, Equation and
Figure carry the paper's own numbers; Notion, Task, Construction, Claim, Assumption, Remark and Question number what the
paper leaves unnumbered, in the order of the text.
"""

from __future__ import annotations

from separatrix.papers.hahn2020.depth_reduction import *  # noqa: F403  (a star: every constant of the data files, once)
from separatrix.papers.hahn2020.depth_reduction import DEPTH_REDUCTION
from separatrix.papers.hahn2020.hard_attention import *  # noqa: F403
from separatrix.papers.hahn2020.hard_attention import HARD_ATTENTION
from separatrix.papers.hahn2020.outlook import *  # noqa: F403
from separatrix.papers.hahn2020.outlook import OUTLOOK
from separatrix.papers.hahn2020.setting import *  # noqa: F403
from separatrix.papers.hahn2020.setting import SETTING
from separatrix.papers.hahn2020.soft_attention import *  # noqa: F403
from separatrix.papers.hahn2020.soft_attention import SOFT_ATTENTION
from separatrix.papers.statement import Statement

STATEMENTS: tuple[Statement, ...] = (*SETTING, *HARD_ATTENTION, *DEPTH_REDUCTION, *SOFT_ATTENTION, *OUTLOOK)

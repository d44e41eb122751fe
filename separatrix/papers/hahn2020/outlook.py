"""Section 7: how recurrent networks differ, and what is left open."""

from __future__ import annotations

from separatrix.papers.statement import Statement

REMARK_8 = Statement(
    key="hahn2020 Remark 8",
    kind="remark",
    says="The results are asymptotic: for any bound N on the length some transformer is perfect up to N, but its heads and layers, or its "
    "parameter norms, have to grow with N.",
    place="section 7",
)

REMARK_9 = Statement(
    key="hahn2020 Remark 9",
    kind="remark",
    says="Recurrent networks such as LSTMs emulate finite automata exactly, so they predict PARITY of independent bits with perfect "
    "accuracy and cross-entropy at any length; with infinite precision they model stacks and hence 2DYCK.",
    place="section 7",
)

QUESTION_3 = Statement(
    key="hahn2020 Question 3",
    kind="question",
    says="What are tight bounds at finite lengths, and do they constrain systems in use? The paper asks for non-asymptotic extensions and "
    "empirical studies.",
    place="section 7",
    status="open",
)

QUESTION_4 = Statement(
    key="hahn2020 Question 4",
    kind="question",
    says="Does the inability to emulate stacks and general finite automata hinder syntactic generalisation in practice? Left open.",
    place="section 7",
    status="open",
)

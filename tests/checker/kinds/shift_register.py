"""A recurrent model with too little state, as tables."""

from __future__ import annotations

import numpy as np

from separatrix.bounds.question import Question
from separatrix.bounds.states.automaton import LayeredAutomaton


def shift_register(question: Question) -> LayeredAutomaton:
    """The last two of three bits, oldest first; asked for place p it answers with bit 4 - p of the number that they spell."""
    shift = np.array([[(2 * state + bit) % 4 for bit in (0, 1)] for state in range(4)])
    ask = np.array([[(state >> (3 - p)) & 1 if p > 1 else 0 for p in (1, 2, 3)] for state in range(4)])
    return LayeredAutomaton(question.alphabets, (shift[:1], shift, shift, ask), (0, 1))

"""Counting with a threshold: by two layers of heads, by one head behind a linear recurrence, and by a search.

[wen2024 Theorem 4.6; corrected factor] [wen2024 Theorem 5.6] [wen2024 Theorem 5.2]

Notation   m  occurrences of q     t  threshold     e  1 if t = q, else 0     r  = 1/(m + 2 + e)

At t the network holds q, the token before. The block COUNT counts q itself too, and t if it looks like q, so it gives r. The answer is
YES iff m > t, that is (t + 3 + e) r <= 1; otherwise it is at least 1 + r, and r >= 1/(n + 3). With 2^j >= n + 4 the logit 1 + 2^-(j+1) of
YES lies between the two values of that of NO, 2^-(j+1) from either.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from separatrix.architectures import Architecture, Mode
from separatrix.bits import bits_for
from separatrix.certificates.construction import Construction
from separatrix.constructions.assembler import Layer
from separatrix.constructions.forms import Form
from separatrix.constructions.gadgets import equal, product
from separatrix.constructions.parts.blocks import copy, count
from separatrix.constructions.parts.numbered import Numbered
from separatrix.constructions.parts.rules import Rules
from separatrix.constructions.parts.search_window import SearchWindow
from separatrix.constructions.parts.softmax_reads import roundoff
from separatrix.constructions.recurrences import delay
from separatrix.constructions.wen2024.thought import need_thought
from separatrix.errors import BadInput
from separatrix.tasks.counting import LAST, NO, ONCE_MORE, OTHERS, THEN, TIMES, YES, ZERO, Counting
from separatrix.tasks.searching import FAILED

if TYPE_CHECKING:
    from separatrix.certificates.built import Built


def transformer_program(task: Counting, arithmetic: str) -> Numbered:
    """Two layers, one head each."""
    need_thought(task, "none")
    program = Numbered(task.name, task.words, task.length, task.token_count, arithmetic)
    first = program.net.layer()
    return _compared(program, first, copy(program, first, 1, program.number, "query"))


def hybrid_program(task: Counting, arithmetic: str) -> Numbered:
    """A linear unit with two registers for a number and its square, and one head."""
    need_thought(task, "none")
    program = Numbered(task.name, task.words, task.length, task.token_count, arithmetic, "hybrid", places=False)
    first = program.net.linear_unit()
    return _compared(program, first, first.remember("query", delay(program.number, 1)))


def _compared(program: Numbered, first: Layer, q: Form) -> Numbered:
    """The rest of both: e, then r, then the comparison."""
    n, j = program.n, bits_for(program.n + 4)
    rounding = (n + 4) * 2.0**-program.format.fraction if program.format.exact else 8 * roundoff(program.format)  # of (t + 3 + e) r
    if rounding > 2.0 ** -(j + 2):
        raise BadInput(
            f"{program.name}: (t + 3 + e) r must be exact to 2^-{j + 2}, in {program.format.name} it may be off by {rounding:.3g}"
        )
    t = program.number[0]
    e = first.write("e", equal(t, q[0], program.one))
    second = program.net.layer()
    r = count(program, second, [(t, program.number[1])], [(q[0], q[1])], n, "r")
    scale = 2.0 ** (j + 1)  # so that the margin is 1, up to rounding
    program.fits(scale * (n + 4), "logits of NO")
    rules = Rules(program)
    rules.say_by(NO, product(scale * (t + e + 3 * program.one), r))
    rules.say(YES, [], weight=scale + 1)
    rules.finish(second)
    return program


def retrieval_program(task: Counting, arithmetic: str) -> Numbered:
    """One linear unit with a window of 14 words."""
    need_thought(task, "search")
    program = Numbered(task.name, task.words, task.length, task.token_count + task.chain_limit, arithmetic, "linear-rnn", places=False)
    window = SearchWindow(program, (OTHERS, 1, THEN, 1, TIMES, 2, ONCE_MORE, 1, THEN, 1, LAST), query=2, zero=ZERO)
    window.rules.say(YES, [window.result], unless=[program.flag(FAILED)])
    window.rules.say(NO, [window.result, program.flag(FAILED)])
    window.finish()
    return program


def counting_transformer(task: Counting, arithmetic: str = "float64") -> Built:
    """Two layers, one head each: the threshold holds q and compares 1/(m + 2) with its own number."""
    return transformer_program(task, arithmetic).compile(task, COUNTING_TRANSFORMER)


def counting_hybrid(task: Counting, arithmetic: str = "float64") -> Built:
    """A linear unit holds q beside the threshold, and one head gives 1/(m + 2)."""
    return hybrid_program(task, arithmetic).compile(task, COUNTING_HYBRID)


def counting_retrieval(task: Counting, arithmetic: str = "float64") -> Built:
    """A linear recurrent network of constant state whose search matches iff q occurs more than t times."""
    return retrieval_program(task, arithmetic).compile(task, COUNTING_RETRIEVAL)


COUNTING_TRANSFORMER = Construction(
    name="counting/transformer",
    cites="wen2024 Theorem 4.6",
    computes=Counting,
    architecture=Architecture.TWO_LAYERS,
    build=counting_transformer,
    formula=lambda task, arithmetic: transformer_program(task, arithmetic).sizes(),
    quick=({"length": 3}, {"length": 16, "arithmetic": "nearest:29"}),
    paper_says="constant size, O(log n) precision",
)
COUNTING_HYBRID = Construction(
    name="counting/hybrid",
    cites="wen2024 Theorem 5.6",
    computes=Counting,
    architecture=Architecture.HYBRID,
    build=counting_hybrid,
    formula=lambda task, arithmetic: hybrid_program(task, arithmetic).sizes(),
    quick=({"length": 3},),
    paper_says="O(log n) bits of memory, O(log n) parameters, no chain",
)
COUNTING_RETRIEVAL = Construction(
    name="counting/retrieval",
    cites="wen2024 Theorem 5.2",
    computes=Counting,
    architecture=Architecture.LINEAR_RNN,
    mode=Mode.RETRIEVAL,
    build=counting_retrieval,
    formula=lambda task, arithmetic: retrieval_program(task, arithmetic).sizes(),
    quick=({"length": 3},),
    defaults={"thought": "search"},
    chain="16",
    paper_says="O(log n) bits of memory, O(log n) parameters, O(1) chain",
)

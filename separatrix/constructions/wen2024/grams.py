"""Next-token recall and c-gram retrieval: by two layers of heads, by one head behind a linear recurrence, and by a search.

[wen2024 Theorem 4.6] [wen2024 Theorem 5.6] [wen2024 Theorem 5.2]

Every position k' holds the c - 1 numbers before it: the Transformer copies them with one head each, the hybrid with delays. The last token
and the c - 2 before it are the query, and the first position whose numbers match is read. Recall is c = 2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from separatrix.architectures import Architecture, Mode
from separatrix.certificates.construction import Construction
from separatrix.constructions.forms import Form
from separatrix.constructions.named.hard_reads import with_hard_attention
from separatrix.constructions.parts.blocks import copy, match
from separatrix.constructions.parts.numbered import Numbered
from separatrix.constructions.parts.rules import Rules
from separatrix.constructions.parts.search_window import SearchWindow
from separatrix.constructions.recurrences import history
from separatrix.constructions.wen2024.thought import need_thought
from separatrix.tasks.c_gram import CGram
from separatrix.tasks.grams import GAP, NEXT, WORD, Grams
from separatrix.tasks.recall_next import RecallNext

if TYPE_CHECKING:
    from separatrix.certificates.built import Built


def transformer_program(task: Grams, arithmetic: str) -> Numbered:
    """Two layers, c - 1 heads and one."""
    need_thought(task, "none")
    program = Numbered(task.name, task.words, task.length, task.token_count, arithmetic)
    first = program.net.layer()
    before = [copy(program, first, s, program.number, f"{s} back") for s in range(1, task.gram)]
    return _matched(program, before)


def hybrid_program(task: Grams, arithmetic: str) -> Numbered:
    """A linear unit with c registers for a number and its square, and one head."""
    need_thought(task, "none")
    program = Numbered(task.name, task.words, task.length, task.token_count, arithmetic, "hybrid")
    past = program.net.linear_unit().remember("before", history(program.number, task.gram - 1))
    return _matched(program, [past[2 * s : 2 * s + 2] for s in range(task.gram - 1)])


def _matched(program: Numbered, before: list[Form]) -> Numbered:
    """The last layer of both: a key is the numbers before a position, the query the last of the prompt."""
    keys = [(number[0], number[1]) for number in before]
    queries = [(number[0], number[1]) for number in (program.number, *before[:-1])]
    layer, rules = program.net.layer(), Rules(program)
    rules.say_number(match(program, layer, "gram", keys, queries, program.n, program.number[0], "answer"), [])
    rules.finish(layer)
    return program


def retrieval_program(task: Grams, arithmetic: str) -> Numbered:
    """One linear unit with a window of 2 c + 2 words."""
    need_thought(task, "search")
    program = Numbered(task.name, task.words, task.length, task.token_count + task.chain_limit, arithmetic, "linear-rnn", places=False)
    inner = [word for j in range(1, task.gram) for word in (j, GAP)][:-1]
    window = SearchWindow(program, (WORD, *inner, NEXT), query=task.gram - 1)
    window.rules.say_number(program.number[0], [window.result])
    window.finish()
    return program


def recall_next_transformer(task: RecallNext, arithmetic: str = "float64") -> Built:
    """Two layers, one head each: every token holds the one before it, and the first that follows q is read."""
    return transformer_program(task, arithmetic).compile(task, RECALL_NEXT_TRANSFORMER)


def recall_next_hybrid(task: RecallNext, arithmetic: str = "float64") -> Built:
    """A linear unit holds the token before, and one head reads the first token that follows q."""
    return hybrid_program(task, arithmetic).compile(task, RECALL_NEXT_HYBRID)


def recall_next_retrieval(task: RecallNext, arithmetic: str = "float64") -> Built:
    """A linear recurrent network of constant state that searches for q and the word behind it."""
    return retrieval_program(task, arithmetic).compile(task, RECALL_NEXT_RETRIEVAL)


def c_gram_transformer(task: CGram, arithmetic: str = "float64") -> Built:
    """Two layers, c - 1 heads and one: every token holds the c - 1 before it."""
    return transformer_program(task, arithmetic).compile(task, C_GRAM_TRANSFORMER)


def c_gram_hybrid(task: CGram, arithmetic: str = "float64") -> Built:
    """A linear unit holds the c - 1 tokens before, and one head reads the first that follows the gram."""
    return hybrid_program(task, arithmetic).compile(task, C_GRAM_HYBRID)


def c_gram_retrieval(task: CGram, arithmetic: str = "float64") -> Built:
    """A linear recurrent network of constant state that searches for the gram and the word behind it."""
    return retrieval_program(task, arithmetic).compile(task, C_GRAM_RETRIEVAL)


RECALL_NEXT_TRANSFORMER = Construction(
    name="recall-next/transformer",
    cites="wen2024 Theorem 4.6",
    computes=RecallNext,
    architecture=Architecture.TWO_LAYERS,
    build=recall_next_transformer,
    formula=lambda task, arithmetic: transformer_program(task, arithmetic).sizes(),
    quick=({"length": 4}, {"length": 16, "arithmetic": "nearest:43"}),
    paper_says="constant size, O(log n) precision",
)
RECALL_NEXT_HYBRID = Construction(
    name="recall-next/hybrid",
    cites="wen2024 Theorem 5.6",
    computes=RecallNext,
    architecture=Architecture.HYBRID,
    build=recall_next_hybrid,
    formula=lambda task, arithmetic: hybrid_program(task, arithmetic).sizes(),
    quick=({"length": 4},),
    paper_says="O(log n) bits of memory, O(log n) parameters, no chain",
)
RECALL_NEXT_RETRIEVAL = Construction(
    name="recall-next/retrieval",
    cites="wen2024 Theorem 5.2",
    computes=RecallNext,
    architecture=Architecture.LINEAR_RNN,
    mode=Mode.RETRIEVAL,
    build=recall_next_retrieval,
    formula=lambda task, arithmetic: retrieval_program(task, arithmetic).sizes(),
    quick=({"length": 4},),
    defaults={"thought": "search"},
    chain="8",
    paper_says="O(log n) bits of memory, O(log n) parameters, O(1) chain",
)
C_GRAM_TRANSFORMER = Construction(
    name="c-gram/transformer",
    cites="wen2024 Theorem 4.6",
    computes=CGram,
    architecture=Architecture.TWO_LAYERS,
    build=c_gram_transformer,
    formula=lambda task, arithmetic: transformer_program(task, arithmetic).sizes(),
    quick=({"length": 4},),
    paper_says="constant size, O(log n) precision",
)
C_GRAM_HYBRID = Construction(
    name="c-gram/hybrid",
    cites="wen2024 Theorem 5.6",
    computes=CGram,
    architecture=Architecture.HYBRID,
    build=c_gram_hybrid,
    formula=lambda task, arithmetic: hybrid_program(task, arithmetic).sizes(),
    quick=({"length": 4},),
    paper_says="O(log n) bits of memory, O(log n) parameters, no chain",
)
C_GRAM_RETRIEVAL = Construction(
    name="c-gram/retrieval",
    cites="wen2024 Theorem 5.2",
    computes=CGram,
    architecture=Architecture.LINEAR_RNN,
    mode=Mode.RETRIEVAL,
    build=c_gram_retrieval,
    formula=lambda task, arithmetic: retrieval_program(task, arithmetic).sizes(),
    quick=({"length": 4},),
    defaults={"thought": "search"},
    chain="2 c + 4",
    paper_says="O(log n) bits of memory, O(log n) parameters, O(1) chain",
)

RECALL_NEXT_HARD = with_hard_attention(RECALL_NEXT_TRANSFORMER, {"length": 4})

C_GRAM_HARD = with_hard_attention(C_GRAM_TRANSFORMER, {"length": 4})

"""Index by one head, by one head behind a linear recurrence, and by a linear recurrence that searches.

[wen2024 Theorem 4.6] [wen2024 Theorem 5.6] [wen2024 Theorem 5.2] [wen2024 Construction 9]

The Transformer reads position k + 1, where x_k stands. The hybrid has no positions in its embedding: its linear unit counts words, and
squares of these counts are the keys. The recurrent network writes ^(?:\\S+\\s){ k }(\\S+) and says what it finds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from separatrix.architectures import Architecture, Mode
from separatrix.certificates.construction import Construction
from separatrix.constructions.forms import Form, stack
from separatrix.constructions.gadgets import product
from separatrix.constructions.named.hard_reads import with_hard_attention
from separatrix.constructions.parts.blocks import read_at
from separatrix.constructions.parts.numbered import Numbered
from separatrix.constructions.parts.rules import Rules
from separatrix.constructions.parts.search_window import SearchWindow
from separatrix.constructions.recurrences import running_sum
from separatrix.constructions.wen2024.thought import need_thought
from separatrix.tasks.index import SKIP, TAKE, Index

if TYPE_CHECKING:
    from separatrix.certificates.built import Built


def transformer_program(task: Index, arithmetic: str) -> Numbered:
    """One layer, one head, width n-independent."""
    need_thought(task, "none")
    program = Numbered(task.name, task.words, task.length, task.token_count, arithmetic)
    k = program.number[0]
    return _answered(program, k + program.one)


def _answered(program: Numbered, place: Form) -> Numbered:
    """The last layer of both: one head reads the number at a place, and it is said."""
    layer, rules = program.net.layer(), Rules(program)
    rules.say_number(read_at(program, layer, "x_k", place, program.n + 1, program.number[0], "answer"), [])
    rules.finish(layer)
    return program


def hybrid_program(task: Index, arithmetic: str) -> Numbered:
    """A linear unit that counts words, and one head."""
    need_thought(task, "none")
    program = Numbered(task.name, task.words, task.length, task.token_count, arithmetic, "hybrid", places=False)
    unit = program.net.linear_unit()
    place = unit.remember("place", running_sum(program.one))  # k
    squared = unit.write("squared", product(place, place))
    program.place = stack(place, squared)
    return _answered(program, program.number[0] + program.one)


def retrieval_program(task: Index, arithmetic: str) -> Numbered:
    """One linear unit whose state does not grow with n."""
    need_thought(task, "search")
    program = Numbered(task.name, task.words, task.length, task.token_count + task.chain_limit, arithmetic, "linear-rnn", places=False)
    window = SearchWindow(program, (SKIP, 1, TAKE), query=1)
    window.rules.say_number(program.number[0], [window.result])
    window.finish()
    return program


def index_transformer(task: Index, arithmetic: str = "float64") -> Built:
    """One layer, one head: the query k reads position k + 1."""
    return transformer_program(task, arithmetic).compile(task, INDEX_TRANSFORMER)


def index_hybrid(task: Index, arithmetic: str = "float64") -> Built:
    """A linear unit counts words, one head reads the word with the queried count."""
    return hybrid_program(task, arithmetic).compile(task, INDEX_HYBRID)


def index_retrieval(task: Index, arithmetic: str = "float64") -> Built:
    """A linear recurrent network of constant state that writes a regular expression and says what it finds."""
    return retrieval_program(task, arithmetic).compile(task, INDEX_RETRIEVAL)


INDEX_TRANSFORMER = Construction(
    name="index/transformer",
    cites="wen2024 Theorem 4.6",
    computes=Index,
    architecture=Architecture.ONE_LAYER,
    build=index_transformer,
    formula=lambda task, arithmetic: transformer_program(task, arithmetic).sizes(),
    quick=({"length": 4}, {"length": 16, "arithmetic": "nearest:33"}),
    paper_says="constant size, O(log n) precision",
)
INDEX_HYBRID = Construction(
    name="index/hybrid",
    cites="wen2024 Theorem 5.6",
    computes=Index,
    architecture=Architecture.HYBRID,
    build=index_hybrid,
    formula=lambda task, arithmetic: hybrid_program(task, arithmetic).sizes(),
    quick=({"length": 4},),
    paper_says="O(log n) bits of memory, O(log n) parameters, no chain",
)
INDEX_RETRIEVAL = Construction(
    name="index/retrieval",
    cites="wen2024 Theorem 5.2",
    computes=Index,
    architecture=Architecture.LINEAR_RNN,
    mode=Mode.RETRIEVAL,
    build=index_retrieval,
    formula=lambda task, arithmetic: retrieval_program(task, arithmetic).sizes(),
    quick=({"length": 4},),
    defaults={"thought": "search"},
    chain="8",
    paper_says="O(log n) bits of memory, O(log n) parameters, O(1) chain",
)

INDEX_HARD = with_hard_attention(INDEX_TRANSFORMER, {"length": 4})

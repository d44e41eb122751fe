"""IsTree by a linear recurrent network of constant state that searches its own text.

[wen2024 Theorem 5.3; corrected queries and controller] [wen2024 Algorithm 2; with these queries]

The walk is depth-first, and nothing of it is held in mind. A visit of v is, in words,

    v  <SS> FATHER v AS_WORD <ES> f  <SS> .. v OTHER v LAST <ES> u  <SS> VISITED u AS_WORD <ES> g  v - u  u ..

f is v's father, u its next neighbour and g the father of u, or FAILED each. The second search begins FIRST v on arrival from the father,
AFTER x THEN v OR v NEXT x SKIP v on return from a child x, and is repeated behind the father, AFTER_FATHER f .., if u = f. FAILED for u
returns to f, or ends the walk at vertex 1: YES iff there are n - 1 edges, and as many fathers were recorded.

Everything is a rule over a window of 18 words: at a word, and at words so many places back, say a word or the number so many places back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from separatrix.architectures import Architecture, Mode
from separatrix.certificates.construction import Construction
from separatrix.constructions.forms import Form
from separatrix.constructions.gadgets import equal, when
from separatrix.constructions.parts.numbered import Numbered
from separatrix.constructions.parts.rules import Rules, combined
from separatrix.constructions.recurrences import history, running_sum
from separatrix.constructions.wen2024.thought import need_thought
from separatrix.tasks.is_tree import (
    AFTER,
    AFTER_FATHER,
    AS_WORD,
    EDGE,
    FATHER,
    FIRST,
    IS_FATHER,
    LAST,
    NEXT,
    NO,
    OR,
    OTHER,
    SEP,
    SKIP,
    THEN,
    VISITED,
    YES,
    IsTree,
)
from separatrix.tasks.searching import END, FAILED, START, STOP

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

DEEPEST = 17  # words back from which a number is taken
LOOKED_AT = {FIRST: 7, SKIP: 7, LAST: 3, FATHER: 5, FAILED: 8, VISITED: 5, IS_FATHER: 2, SEP: 1, END: 1, AFTER: 1, AFTER_FATHER: 1, THEN: 1,
             OR: 1, NEXT: 1, OTHER: 1}  # fmt: skip  # how far back each word is looked for


def retrieval_program(task: IsTree, arithmetic: str) -> Numbered:
    """One linear unit, a layer that compares, and the rules."""
    need_thought(task, "search")
    n = task.length
    program = Numbered(task.name, task.words, n, task.token_count + task.chain_limit, arithmetic, "linear-rnn", places=False)
    one, unit = program.one, program.net.linear_unit()
    back = {word: unit.remember(f"{word} back", history(program.flag(word), most)) for word, most in LOOKED_AT.items()}
    numbers = unit.remember("numbers", history(program.number[0], DEEPEST))
    records = unit.remember("fathers recorded", running_sum(program.flag(IS_FATHER)))

    def was(word: str, k: int) -> Form:
        return back[word][k - 1] if k else program.flag(word)

    def number(k: int) -> Form:
        return numbers[k - 1] if k else program.number[0]

    # f lies 8 words before u behind FIRST, 16 behind SKIP; at the search after u one more
    at_u = unit.write("f at u", combined("f", 1, [(0, when([was(FIRST, 6)], number(8))), (0, when([was(SKIP, 6)], number(16)))], 0, n))
    later = unit.write("f behind u", combined("f", 1, [(0, when([was(FIRST, 7)], number(9))), (0, when([was(SKIP, 7)], number(17)))], 0, n))
    is_first = unit.write("u is 1", equal(number(3), one, one))
    edges = unit.remember("edges", running_sum(program.flag(EDGE)))
    holds = [unit.write("all recorded", equal(records, edges, one))]
    holds += [unit.write("n - 1 edges", equal(edges, (n - 1) * one, one))] if task.vertices == "all" else []
    is_father = program.net.pointwise().write("u = f", equal(number(1), later, one))

    rules, vertex = Rules(program), one - program.word.total()
    now = program.flag
    rules.say_number(one, [now(SEP)])  # the walk begins at vertex 1
    for start in ([was(SEP, 1)], [was(IS_FATHER, 2)], [was(FAILED, 1), was(LAST, 3)]):  # a visit begins
        rules.say(START, [vertex, *start])
    rules.say(FATHER, [now(START)], unless=[was(FATHER, 5), was(LAST, 3)])
    rules.say_number(number(2), [now(FATHER)])
    rules.say(START, [was(FATHER, 4), was(END, 1)])  # f was found
    rules.say(FIRST, [now(START), was(FATHER, 5)], unless=[was(FAILED, 8)])  # the word before the visit was no return
    rules.say_number(number(5), [now(FIRST)])
    rules.say(AFTER, [now(START), was(FATHER, 5), was(FAILED, 8)])
    rules.say_number(number(12), [now(AFTER)])  # the vertex that was left last
    rules.say(AFTER_FATHER, [now(START), was(LAST, 3), is_father])
    rules.say_number(number(2), [now(AFTER_FATHER)])
    for word, distance, following in ((THEN, 7, OR), (OR, 1, NEXT), (NEXT, 5, SKIP), (SKIP, 3, OTHER), (OTHER, 1, LAST)):
        rules.say_number(number(distance), [now(word)])
        rules.say(following, [was(word, 1)])
    for word in (AFTER, AFTER_FATHER):
        rules.say(THEN, [was(word, 1)])
    rules.say(OTHER, [was(FIRST, 1)])
    rules.say(END, [now(LAST)])
    rules.say(START, [vertex, was(END, 1), was(LAST, 2)])  # u was found
    rules.say(VISITED, [now(START), was(LAST, 3)], unless=[is_father])
    rules.say_number(number(2), [now(VISITED)])
    for word in (FATHER, VISITED):
        rules.say(AS_WORD, [was(word, 1)])
    rules.say(END, [now(AS_WORD)])
    rules.say_number(at_u, [now(FAILED), was(LAST, 2)])  # no u: return to f, whose number outweighs the answer
    rules.say(NO, [now(FAILED), was(LAST, 2)], weight=0.5)
    rules.say(YES, [now(FAILED), was(LAST, 2), *holds], weight=0.75)
    rules.say_number(number(9), [now(FAILED), was(VISITED, 4)], unless=[is_first])  # u is new: record v - u
    rules.say(NO, [was(VISITED, 4)], weight=0.5)  # u was visited, or is vertex 1
    rules.say(IS_FATHER, [was(VISITED, 5), vertex])
    rules.say_number(number(5), [now(IS_FATHER)])
    rules.say_number(program.number[0], [was(IS_FATHER, 1)])
    rules.say(STOP, [now(YES) + now(NO)])
    rules.finish(program.net.pointwise())
    return program


def is_tree_retrieval(task: IsTree, arithmetic: str = "float64") -> Built:
    """A linear recurrent network of constant state that asks its text for fathers and edges: at most 63 words for each vertex."""
    return retrieval_program(task, arithmetic).compile(task, IS_TREE_RETRIEVAL)


IS_TREE_RETRIEVAL = Construction(
    name="is-tree/retrieval",
    cites="wen2024 Theorem 5.3",
    computes=IsTree,
    architecture=Architecture.LINEAR_RNN,
    mode=Mode.RETRIEVAL,
    build=is_tree_retrieval,
    formula=lambda task, arithmetic: retrieval_program(task, arithmetic).sizes(),
    quick=({"length": 4},),
    default_length=8,
    defaults={"thought": "search"},
    chain="at most 63 n - 46",
    paper_says="O(log n) bits of memory, O(log n) parameters, O(n) chain",
)

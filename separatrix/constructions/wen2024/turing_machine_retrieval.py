"""Any Turing machine by a linear recurrent network of constant state that searches its text for the tape.

[wen2024 Theorem 5.4; corrected query for the last write] [wen2024 Construction 10; without copying the input first]
[wen2024 Lemma B.31; for the written cells] [wen2024 Claim 1; its first remedy]

A step is, in words,   <SS> READ {h} OR_SKIP {i} ONE_SYMBOL <ES> r  w:c {h} q:state direction

r is what was last written to cell {h}, or input symbol i, or FAILED in a cell that is blank. The head is a running sum of directions; the
state before the step stands 9 words before r, and everything else is a rule over a window of 12 words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from separatrix.architectures import Architecture, Mode
from separatrix.certificates.construction import Construction
from separatrix.constructions.forms import Form, stack
from separatrix.constructions.gadgets import equal, threshold
from separatrix.constructions.parts.numbered import Numbered
from separatrix.constructions.parts.rules import Rules
from separatrix.constructions.recurrences import history, running_sum
from separatrix.constructions.wen2024.thought import need_thought
from separatrix.tasks.machine import DIRECTIONS
from separatrix.tasks.searching import END, FAILED, START, STOP
from separatrix.tasks.turing_machine import NO, NOWHERE, ONE_SYMBOL, OR_SKIP, PAD, READ, YES, TuringMachine

if TYPE_CHECKING:
    from separatrix.certificates.built import Built


def retrieval_program(task: TuringMachine, arithmetic: str) -> Numbered:
    """One linear unit and a layer of rules."""
    need_thought(task, "search")
    machine, N = task.table, task.length
    length = task.token_count + task.chain_limit
    program = Numbered(task.name, task.words, len(task.cells), length, arithmetic, "linear-rnn", places=False)
    one, now, unit = program.one, program.flag, program.net.linear_unit()

    symbol = {c: now(c) + (now(FAILED) + now(PAD) if c == machine.blank else 0 * one) for c in machine.symbols}  # as a search finds it
    written = stack(*(now(f"w:{c}") for c in machine.symbols)).total()
    states = stack(*(now(f"q:{q}") for q in machine.states))
    turns = stack(*(now(direction) for direction in DIRECTIONS)).total()
    symbols = unit.remember("symbols", history(stack(*symbol.values()), 3))
    went = unit.remember("states", history(states, 12))
    begun = unit.remember("one back", history(stack(now(END), now(READ), now(OR_SKIP), written), 1))
    place = unit.remember("place", running_sum(one))
    head = unit.remember("turned", running_sum(now("R") - now("L"))) + (1 + task.margin) * one
    found, in_read, in_skip, after_written = (begun[i] for i in range(4))

    def was(state: str, back: int) -> Form:
        """In this state so many words back; before any state was written, in the first one."""
        flags = went[(back - 1) * len(machine.states) : back * len(machine.states)]
        flag = flags[machine.states.index(state)]
        return flag + one - flags.total() if state == machine.start else flag

    def read(c: str, back: int) -> Form:
        return symbol[c] if not back else symbols[(back - 1) * len(machine.symbols) + machine.symbols.index(c)]

    cell = head - task.margin * one
    skip = unit.write("skip", threshold(-1 * cell, -N, 1, cell))  # the cell, if it is at most N; below 1 no number is said
    last = unit.write("last", equal(place, task.token_count * one, one))

    rules = Rules(program)
    halted = [went[machine.states.index(state)] for state in (machine.accept, machine.reject)]
    rules.say(START, [last])
    rules.say(START, [turns], unless=halted)
    rules.say(READ, [now(START)])
    rules.say_number(head, [now(READ)])
    rules.say(OR_SKIP, [in_read])
    rules.say_number(skip, [now(OR_SKIP)])
    rules.say(NOWHERE, [now(OR_SKIP)], weight=0.5)  # only loses to a number
    rules.say(ONE_SYMBOL, [in_skip])
    rules.say(END, [now(ONE_SYMBOL)])
    for state, c, move in machine.moves:
        rules.say(f"w:{move.written}", [found, read(c, 0), was(state, 9)])
        rules.say(f"q:{move.state}", [after_written, read(c, 2), was(state, 11)])
        rules.say(move.direction, [states.total(), read(c, 3), was(state, 12)])
    rules.say_number(head, [written])
    for word, flag in zip((YES, NO), halted, strict=True):
        rules.say(word, [turns, flag])
        rules.say(STOP, [now(word)])
    rules.finish(program.net.pointwise())
    return program


def turing_machine_retrieval(task: TuringMachine, arithmetic: str = "float64") -> Built:
    """A linear recurrent network of constant state that searches for what was last written under the head: 12 words for each step."""
    return retrieval_program(task, arithmetic).compile(task, TURING_MACHINE_RETRIEVAL)


TURING_MACHINE_RETRIEVAL = Construction(
    name="turing-machine/retrieval",
    cites="wen2024 Theorem 5.4",
    computes=TuringMachine,
    architecture=Architecture.LINEAR_RNN,
    mode=Mode.RETRIEVAL,
    build=turing_machine_retrieval,
    formula=lambda task, arithmetic: retrieval_program(task, arithmetic).sizes(),
    quick=({"length": 3, "machine": "increment"},),
    default_length=4,
    defaults={"thought": "search"},
    chain="12 T + 2",
    paper_says="O(A log n) bits of precision and memory, O(A B^2 log n) bits of parameters, chain of O(n^A)",
)

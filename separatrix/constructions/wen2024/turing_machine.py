"""Any Turing machine with a chain of thought: by a linear recurrent network whose state holds the tape, and by one with a single head.

[wen2024 Theorem 4.1] [wen2024 Construction 6; one number for each cell] [wen2024 Theorem 5.8; with the chain of the former]
[wen2024 Construction 13; with that chain] [wen2024 Claim 1; its second remedy]

Notation   cells  those that the machine may visit     head  1 + (R tokens) - (L tokens) so far     r, w, q  read, written, state

A step of the machine is four tokens: what is read, what is written, the next state, the direction. The network has no gate, no reset and
no latch, so a cell is a running sum: at a written symbol the difference w - r is added to the cell under the head, at input symbol i the
symbol is added to cell i. The head is a running sum of directions, and everything else lies in a window of four tokens.

Layer 1 counts tokens and directions and holds the window; its network picks the cell that changes. Layer 2 adds up the cells; its network
picks the one under the head. Layer 3 has a rule for each move: hidden units linear in cells and moves.

The hybrid holds no tape: every written symbol, and every symbol of the input, has its cell as a key, and one head reads the last that was
written to the cell under the head. A cell that was never written is blank, which is what position 1 holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from separatrix.architectures import Architecture, Mode
from separatrix.certificates.construction import Construction
from separatrix.constructions.forms import Form, stack
from separatrix.constructions.gadgets import equal, product, when
from separatrix.constructions.parts.blocks import match_close
from separatrix.constructions.parts.numbered import Numbered
from separatrix.constructions.parts.rules import Rules, combined
from separatrix.constructions.recurrences import history, running_sum
from separatrix.constructions.wen2024.thought import need_thought
from separatrix.tasks.machine import Machine
from separatrix.tasks.searching import STOP
from separatrix.tasks.turing_machine import NO, YES, TuringMachine

if TYPE_CHECKING:
    from separatrix.certificates.built import Built


def linear_rnn_program(task: TuringMachine, arithmetic: str) -> Numbered:
    """Two linear units and a layer of rules."""
    need_thought(task, "chain")
    machine, cells = task.table, task.cells
    program = Numbered(task.name, task.spelling, 0, task.token_count + task.chain_limit, arithmetic, "linear-rnn", places=False)
    value = {symbol: number for number, symbol in enumerate(machine.symbols)}  # the blank is 0, which a cell is before anything is added
    window = Window(program, machine)

    first = window.layer
    place = first.remember("place", running_sum(program.one))
    turned = first.remember("turned", running_sum(program.flag("R") - program.flag("L")))
    head = turned + program.one
    change = _weighted(window.written, value) - _weighted(window.read[1], value)  # at a written symbol; elsewhere 0
    given = _weighted({symbol: program.flag(symbol) for symbol in machine.input}, value)
    changes = [(row, equal(head, i * program.one, change)) for row, i in enumerate(cells)]
    changes += [(row, equal(place, (i + 1) * program.one, given)) for row, i in enumerate(cells) if 1 <= i <= task.length]
    most = len(machine.symbols) - 1
    added = first.write("added", combined("change of a cell", len(cells), changes, low=-most, high=most))
    last = first.write("last", equal(place, task.token_count * program.one, program.one))  # the prompt ends here

    second = program.net.linear_unit()
    tape = second.remember("tape", running_sum(added))
    picked = [(0, equal(head, i * program.one, tape[row])) for row, i in enumerate(cells)]
    under = second.write("under", combined("cell under the head", 1, picked, low=0, high=most))

    rules = window.rules()
    goes_on = window.any_read(3) - window.state[1][machine.accept] - window.state[1][machine.reject] + last
    for symbol in machine.symbols:
        rules.say_where(f"r:{symbol}", under, value[symbol], goes_on)
    rules.finish(program.net.pointwise())
    return program


def hybrid_program(task: TuringMachine, arithmetic: str) -> Numbered:
    """A linear unit, a layer of squares, and one head with the rules."""
    need_thought(task, "chain")
    machine, offset = task.table, task.margin  # cells are counted from 1 on, so that no key and no query is 0
    program = Numbered(task.name, task.spelling, 0, task.token_count + task.chain_limit, arithmetic, "hybrid")
    value = {symbol: number for number, symbol in enumerate(machine.symbols)}
    window, one = Window(program, machine), program.one

    first = window.layer
    turned = first.remember("turned", running_sum(program.flag("R") - program.flag("L")))
    head = turned + (1 + offset) * one
    inputs = {symbol: program.flag(symbol) for symbol in machine.input}
    given, written = stack(*inputs.values()).total(), stack(*window.written.values()).total()
    places = [(0, when([written], head)), (0, when([given], program.place[0] + (offset - 1) * one))]  # x_i stands at position i + 1
    cell = first.write("cell", combined("cell of a symbol", 1, places, low=0, high=len(task.cells)))
    last = first.write("last", equal(program.place[0], task.token_count * one, one))

    second = program.net.pointwise()
    squares = [second.write("cell^2", product(cell, cell)), second.write("head^2", product(head, head))]

    third = program.net.layer()
    symbol = _weighted(inputs, value) + _weighted(window.written, value)
    under = match_close(program, third, "last written", [(cell, squares[0])], [(head, squares[1])], len(task.cells) + 1, symbol, "under")
    rules = window.rules()
    goes_on = window.any_read(3) - window.state[1][machine.accept] - window.state[1][machine.reject] + last
    for read in machine.symbols:
        rules.say_where(f"r:{read}", under, value[read], goes_on)
    rules.finish(third)
    return program


class Window:
    """The last four tokens of a chain, and the rules that need no more: everything but which symbol is read."""

    def __init__(self, program: Numbered, machine: Machine) -> None:
        self.program, self.machine, self.layer = program, machine, program.net.linear_unit()
        symbols, states = machine.symbols, machine.states
        now = {symbol: program.flag(f"r:{symbol}") for symbol in symbols}
        reads = self.layer.remember("reads", history(stack(*now.values()), 3))
        went = self.layer.remember("states", history(stack(*(program.flag(f"q:{state}") for state in states)), 4))
        self.written = {symbol: program.flag(f"w:{symbol}") for symbol in symbols}
        self.read = [now, *({symbol: reads[k * len(symbols) + i] for i, symbol in enumerate(symbols)} for k in range(3))]  # k tokens back
        self.state = [{}, *({state: went[k * len(states) + i] for i, state in enumerate(states)} for k in range(4))]

    def any_read(self, back: int) -> Form:
        """1 if a symbol was read so many tokens back."""
        return stack(*self.read[back].values()).total()

    def was(self, state: str, back: int) -> Form:
        """1 if the machine was in a state so many tokens back: in the first step, before any state was written, in the first one."""
        flags = self.state[back]
        if state != self.machine.start:
            return flags[state]
        return flags[state] + self.program.one - stack(*flags.values()).total()

    def rules(self) -> Rules:
        """After a read symbol comes what is written, then the next state, then the direction; a state that halts decides."""
        rules = Rules(self.program)
        for state, symbol, move in self.machine.moves:
            for back, word in enumerate((f"w:{move.written}", f"q:{move.state}", move.direction)):
                rules.say(word, [self.read[back][symbol], self.was(state, back + 2)])
        for word, state in ((YES, self.machine.accept), (NO, self.machine.reject)):
            rules.say(word, [self.state[1][state]])
            rules.say(STOP, [self.program.flag(word)])
        return rules


def _weighted(flags: dict[str, Form], value: dict[str, int]) -> Form:
    """The sum of flags times the values of their symbols."""
    return stack(*(value[symbol] * flag for symbol, flag in flags.items())).total()


def turing_machine_linear_rnn(task: TuringMachine, arithmetic: str = "float64") -> Built:
    """Two linear units and rules: the tape is running sums, the head a sum of directions; four tokens for each step of the machine."""
    return linear_rnn_program(task, arithmetic).compile(task, TURING_MACHINE_LINEAR_RNN)


def turing_machine_hybrid(task: TuringMachine, arithmetic: str = "float64") -> Built:
    """A linear unit that knows where the head is, and one attention head that reads what was last written there."""
    return hybrid_program(task, arithmetic).compile(task, TURING_MACHINE_HYBRID)


TURING_MACHINE_LINEAR_RNN = Construction(
    name="turing-machine/linear-rnn",
    cites="wen2024 Theorem 4.1",
    computes=TuringMachine,
    architecture=Architecture.LINEAR_RNN,
    mode=Mode.CHAIN,
    build=turing_machine_linear_rnn,
    formula=lambda task, arithmetic: linear_rnn_program(task, arithmetic).sizes(),
    quick=({"length": 3}, {"length": 4, "machine": "increment", "padding": 4}),
    default_length=4,
    defaults={"thought": "chain"},
    chain="4 T + 2",
    paper_says="Theta(log n) bits of memory, polynomial chain",
)
TURING_MACHINE_HYBRID = Construction(
    name="turing-machine/hybrid",
    cites="wen2024 Theorem 5.8",
    computes=TuringMachine,
    architecture=Architecture.HYBRID,
    mode=Mode.CHAIN,
    build=turing_machine_hybrid,
    formula=lambda task, arithmetic: hybrid_program(task, arithmetic).sizes(),
    quick=({"length": 3},),
    default_length=4,
    defaults={"thought": "chain"},
    chain="4 T + 2",
    paper_says="O(A log n) bits of precision, O(A B^2 log n) bits of parameters, chain of O(n^A)",
)

"""Any Turing machine by a linear recurrent network whose whole tape is one number: five numbers of state, however many cells there are.

[wen2024 Theorem 4.1; a tape that turns] [wen2024 Construction 6; cells as the digits of one number]

Notation   A  symbols of the tape, the blank is 0     m  cells, a ring that begins under the head     tape  sum of c_j A^(m - j), c_1 first

A network of constant size sees the first digit of a number, by A - 1 thresholds, and no other. So the tape turns: every token of the chain
says the symbol c that it takes from the front and the symbol c' that it appends, and  tape <- A tape - c A^m + c'  is linear in tape and
token. The head moves right by one token, left by m - 1, and stays by m: what is said then copies, c' = c. There are three more sums without
a gate or a reset: how many cells are still to be copied, the number of the machine's state (a move adds the difference of two states), and
the place, which tells where the prompt ends. There the tape is put in, as the sum of c_i A^(m - i) over the input.

On log2 n cells of a constant alphabet each of the five numbers has O(log n) bits. A step of the machine is at most m tokens.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from separatrix.architectures import Architecture, Mode
from separatrix.certificates.construction import Construction
from separatrix.constructions.forms import Form, stack
from separatrix.constructions.gadgets import at_least, equal, when
from separatrix.constructions.parts.numbered import Numbered
from separatrix.constructions.parts.rules import Rules, combined
from separatrix.constructions.recurrences import integer_sum, running_sum
from separatrix.constructions.wen2024.thought import need_thought
from separatrix.tasks.searching import STOP
from separatrix.tasks.turing_machine import NO, YES, TuringMachine

if TYPE_CHECKING:
    from separatrix.certificates.built import Built


def turning_program(task: TuringMachine, arithmetic: str) -> Numbered:
    """Three linear units and a layer of rules."""
    need_thought(task, "turning")
    machine, m, A = task.table, len(task.cells), len(task.table.symbols)
    program = Numbered(task.name, task.spelling, 0, task.token_count + task.chain_limit, arithmetic, "linear-rnn", places=False)
    digit = {symbol: number for number, symbol in enumerate(machine.symbols)}
    states = {
        state: number for number, state in enumerate(sorted(machine.states, key=lambda state: state != machine.start))
    }  # the first is 0
    one, flag = program.one, program.flag
    moves = [(flag(f"{state}/{symbol}"), state, move) for state, symbol, move in machine.moves]
    copies = {symbol: flag(f"={symbol}") for symbol in machine.symbols}
    copying = stack(*copies.values()).total()
    said = stack(*(moved for moved, _, _ in moves)).total() + copying

    first = program.net.linear_unit()
    place = first.remember("place", running_sum(one))
    to_copy = _sum(task.copied(move) * moved for moved, _, move in moves) - copying
    left = first.remember("left", integer_sum(to_copy, (0, m)))
    state = first.remember(
        "state", integer_sum(_sum((states[move.state] - states[q]) * moved for moved, q, move in moves), (0, len(states) - 1))
    )
    given = _sum(digit[symbol] * flag(symbol) for symbol in machine.input)
    placed = [(0, equal(place, (i + 1) * one, A ** (m - i) * given)) for i in range(1, task.length + 1)]
    digits = first.write("digits", combined("digits of the input", 1, placed, low=0, high=A**m))
    last = first.write("last", equal(place, task.token_count * one, one))  # the prompt ends here
    due = first.write("due", equal(left, 0 * one, said)) + last  # a move; else, in the chain, a copy

    second = program.net.linear_unit()
    whole = second.remember("whole", integer_sum(digits, (0, A**m)))
    put_in = second.write("put in", when([last], whole))

    third = program.net.linear_unit()
    turned = _sum((digit[move.written] - digit[move.read] * A**m) * moved for moved, _, move in moves)
    turned = turned + _sum(digit[symbol] * (1 - A**m) * copied for symbol, copied in copies.items())
    tape = third.remember("tape", integer_sum(put_in + turned, (0, A ** (m + 1)), base=A))  # below A^m, until the answer takes no digit
    under = third.write("under", combined("first digit", 1, [(0, at_least(tape, d * A ** (m - 1))) for d in range(1, A)], low=0, high=A))

    rules = Rules(program)
    for symbol, value in digit.items():
        rules.say_where(f"={symbol}", under, value, said + last - due)
    for q, symbol, _ in machine.moves:
        rules.say_where(f"{q}/{symbol}", A * state + under, A * states[q] + digit[symbol], due)
    for word, halted in ((YES, machine.accept), (NO, machine.reject)):
        rules.say_where(word, state, states[halted], due)
        rules.say(STOP, [flag(word)])
    rules.finish(program.net.pointwise())
    return program


def _sum(forms: object) -> Form:
    """The sum of one or more forms."""
    return stack(*forms).total()  # type: ignore[misc]


def turing_machine_turning(task: TuringMachine, arithmetic: str = "float64") -> Built:
    """A tape that turns is one number, of which a network sees the first digit."""
    return turning_program(task, arithmetic).compile(task, TURING_MACHINE_TURNING)


TURING_MACHINE_TURNING = Construction(
    name="turing-machine/linear-rnn/turning",
    cites="wen2024 Theorem 4.1",
    computes=TuringMachine,
    architecture=Architecture.LINEAR_RNN,
    mode=Mode.CHAIN,
    build=turing_machine_turning,
    formula=lambda task, arithmetic: turning_program(task, arithmetic).sizes(),
    quick=({"length": 3}, {"length": 4, "machine": "increment", "padding": 4}),
    default_length=4,
    defaults={"thought": "turning"},
    chain="(N + 2 margin) T + 2",
    paper_says="Theta(log n) bits of memory, polynomial chain",
)

"""State-based recall: a table in blocks, swaps of registers that hold offsets, then a block; the symbol at the offset of the first one."""

from __future__ import annotations

from collections.abc import Sequence

from separatrix.checker.numbers import arrays
from separatrix.checker.specs.counts import countable, state_bits
from separatrix.checker.specs.parameters import Field, Integer
from separatrix.checker.specs.spec import Choices, Spec, Task, Tokens

COUNTED = 64  # tokens of inputs that are counted


def state_based_recall(length: int, registers: int, symbols: int, swaps: int) -> Spec:
    """N blocks of k symbols; swaps |S| + i, i = 0 .. k - 2, of registers i and i + 1; then the block p as |S| + k - 1 + p."""
    k, S, M, table = registers, symbols, swaps, length * registers
    first = S + k - 1

    def offset(moves: Sequence[int]) -> int:
        """What register 0 holds in the end, by where each offset has gone."""
        at = [*range(k)]  # the register of each offset
        for move in moves:
            left = move - S
            a, b = at.index(left), at.index(left + 1)
            at[a], at[b] = left + 1, left
        return at.index(0)

    def truth(tokens: Sequence[int]) -> int:
        return tokens[(tokens[-1] - first) * k + offset(tokens[table:-1])]

    def lone(choices: Choices) -> Tokens:
        """One symbol is not like the others, and is asked for; its block cycles."""
        block, symbol, moves = choices.number % length, choices.below(S), choices.many(M, k - 1) + S
        word = arrays.concatenate([arrays.full(table, (symbol + 1) % S), moves, [first + block]])
        word[block * k + offset(moves.tolist())] = symbol
        return word

    return Spec(
        title=f"state-based recall, N = {length} blocks of {k}, {S} symbols, {M} swaps",
        alphabets=(*((range(S),) * table), *((range(S, first),) * M), range(first, first + length)),
        vocabulary=first + length,
        targets=S,
        truth=truth,
        input_count=countable(S**table * (k - 1) ** M * length) if table + M <= COUNTED else None,
        # after the table: any of the registers that swaps can still bring to register 0 may be asked for, in any block
        state_bits=state_bits(S, length * min(k, M + 1)),
        answering=300 + 20 * k,
        families={"lone-symbol": lone},
    )


FIELDS: dict[str, Field] = {
    "length": Integer(1, 10**5), "registers": Integer(3, 64), "symbols": Integer(2, 1 << 20), "swaps": Integer(1, 10**6),
}  # fmt: skip
TASKS = {"state-based-recall": Task(FIELDS, state_based_recall)}

"""State-based recall: a table, then swaps of registers, then a block; register 1 says which symbol of that block to give.

    s0 s1 s1 s0 s1 s1  2x3 1x2  @2  ->  s1        two blocks of three: register 1 ends with offset 3, and block 2 has s1 there

The registers begin with the offsets 1 .. k of a block; `ixj` swaps what registers i and j = i + 1 hold. The swaps must be followed one by
one, the table must be remembered: it comes before anything says what will be asked for.

Ids: symbol s is s, the swap of registers i and i + 1 is |S| + i - 1, block p is |S| + k - 1 + p - 1. Draws: one for each token, in order.

The name and the idea, to follow pointers and then read memory where they point, are those of Merrill et al., arXiv 2604.03444, where five
pointers into a string of bits are swapped. Here the pointers say where in a block to look, so that what is followed does not grow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from separatrix.errors import BadInput
from separatrix.tasks.drawing.counter import below, words
from separatrix.tasks.task import Batch, Integers, Task, need_examples, read_at_end, sized


@dataclass(frozen=True)
class StateBasedRecall(Task):
    """N blocks of k symbols, swaps of k registers, and one block to look in."""

    registers: int = 5
    symbols: int = 2
    swaps: int = 20

    name = "state-based-recall"
    title = "State-based recall"
    about = "retrieval"
    source = "After Merrill et al., arXiv 2604.03444, with pointers into blocks"
    tokens = "N * registers + swaps + 1"
    length_means = "blocks"
    families = ("lone-symbol",)
    position_kinds = ("lone-symbol",)
    total = True
    drawn_at = sized(length=2, registers=3, swaps=4)
    counted_at = sized(length=2, registers=3, swaps=4)
    audited_at = sized(length=8)
    bounded_at = sized(length=1000, swaps=5000)
    enumerated_at = sized(length=1, registers=3, swaps=2)
    sampled_at = (sized(length=6, symbols=5, swaps=1), sized(length=3, registers=7, swaps=40), sized(length=2, registers=3))

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 3 <= self.registers <= 64:
            raise BadInput(f"state-based-recall: registers must lie in 3..64, found {self.registers}")
        if not 2 <= self.symbols <= 2**24:
            raise BadInput(f"state-based-recall: symbols must lie in 2..2^24, found {self.symbols}")
        if not 1 <= self.swaps <= 2**40:
            raise BadInput(f"state-based-recall: swaps must lie in 1..2^40, found {self.swaps}")

    @property
    def places(self) -> int:
        """Symbols of the table."""
        return self.length * self.registers

    @property
    def token_count(self) -> int:
        return self.places + self.swaps + 1

    @property
    def scored_at_end(self) -> bool:
        return True

    @property
    def first_block(self) -> int:
        """The id that asks for block 1."""
        return self.symbols + self.registers - 1

    @property
    def vocabulary(self) -> int:
        return self.first_block + self.length

    @property
    def targets(self) -> int:
        return self.symbols

    def alphabets(self) -> tuple[Sequence[int], ...]:
        table, swap = range(self.symbols), range(self.symbols, self.first_block)
        return (*((table,) * self.places), *((swap,) * self.swaps), range(self.first_block, self.vocabulary))

    def answer(self, tokens: Sequence[int]) -> int | None:
        if len(tokens) != self.token_count or not all(token in allowed for token, allowed in zip(tokens, self.alphabets(), strict=True)):
            return None
        holds = [*range(self.registers)]
        for swap in tokens[self.places : -1]:
            i = swap - self.symbols
            holds[i], holds[i + 1] = holds[i + 1], holds[i]
        return int(tokens[(tokens[-1] - self.first_block) * self.registers + holds[0]])

    def second(self, tokens: Sequence[int]) -> int:
        """Backwards: from which register came what register 1 holds in the end?"""
        register = 1
        for swap in reversed(tokens[self.places : -1]):
            left = swap - self.symbols + 1
            register += (register == left) - (register == left + 1)
        return tokens[(tokens[-1] - self.first_block) * self.registers + register - 1]

    def asked(self, batch: Batch) -> Integers:
        """The place of the table that the swaps and the block point to."""
        return self._places(batch.tokens) + 1

    def sample(self, seed: int, count: int, start: int = 0) -> Batch:
        need_examples(seed, count, start)
        return self._ask(self._drawn(seed, np.arange(start, start + count)))

    def adversarial(self, kind: str, seed: int, count: int) -> Batch:  # noqa: ARG002
        """`lone-symbol`: only the place that is asked for has its symbol. The block cycles: N cases ask for each once."""
        j = np.arange(count)
        tokens = self._drawn(seed, j)
        tokens[:, -1] = self.first_block + j % self.length
        lone = tokens[:, 0].copy()
        tokens[:, : self.places] = ((lone + 1) % self.symbols)[:, None]
        tokens[j, self._places(tokens)] = lone
        return self._ask(tokens)

    def _drawn(self, seed: int, j: Integers) -> Integers:
        drawn, tokens = words(self.key(seed), j, np.arange(self.token_count)), np.empty((len(j), self.token_count), dtype=np.int64)
        tokens[:, : self.places] = below(drawn[:, : self.places], self.symbols)
        tokens[:, self.places : -1] = self.symbols + below(drawn[:, self.places : -1], self.registers - 1)
        tokens[:, -1] = self.first_block + below(drawn[:, -1], self.length)
        return tokens

    def _places(self, tokens: Integers) -> Integers:
        """Which place of the table each row asks for, from 0."""
        rows, holds = np.arange(len(tokens)), np.tile(np.arange(self.registers), (len(tokens), 1))
        for swap in (tokens[:, self.places : -1] - self.symbols).T:
            holds[rows, swap], holds[rows, swap + 1] = holds[rows, swap + 1], holds[rows, swap].copy()
        asked: Integers = (tokens[:, -1] - self.first_block) * self.registers + holds[:, 0]
        return asked

    def _ask(self, tokens: Integers) -> Batch:
        answers = tokens[np.arange(len(tokens)), self._places(tokens)]
        return read_at_end(tokens, np.full(len(tokens), self.token_count), answers)

    def text(self, tokens: Sequence[int]) -> str:
        return " ".join(self._word(token) for token in tokens)

    def target_text(self, target: int) -> str:
        return f"s{target}"

    def _word(self, token: int) -> str:
        if token < self.symbols:
            return f"s{token}"
        i = token - self.symbols + 1
        return f"{i}x{i + 1}" if token < self.first_block else f"@{token - self.first_block + 1}"

    def _id(self, word: str) -> int:
        kind, number = word[:1], word[1:]
        if kind == "s" and number.isdecimal() and int(number) < self.symbols:
            return int(number)
        if kind == "@" and number.isdecimal() and 1 <= int(number) <= self.length:
            return self.first_block + int(number) - 1
        left, _, right = word.partition("x")
        if left.isdecimal() and right.isdecimal() and int(right) == int(left) + 1 and 1 <= int(left) < self.registers:
            return self.symbols + int(left) - 1
        raise BadInput(
            f"state-based-recall: expected a symbol s0 .. s{self.symbols - 1}, a swap 1x2 .. {self.registers - 1}x{self.registers} "
            f"or a block @1 .. @{self.length}, found {word!r}"
        )

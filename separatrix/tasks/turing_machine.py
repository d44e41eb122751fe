"""Turing machine: does a machine, given as a table, accept the input?

    <s> 0 1 1 0  ->  YES        N = 4, the machine `palindrome`

N symbols of input, then `padding` tokens #, as in the padded form of the theorem. The machine starts in cell 1 of 1 .. N and has `margin`
cells on either side; a promise leaves out inputs on which it leaves them or takes more than `steps` steps, (N + 2)^2 by default.

With `thought=chain` every step writes what is read, what is written, the next state and the direction: `r:0 w:_ q:seek0 R`; then come
YES or NO and </s>. Ids: `<s>`, #, YES, NO, the input symbols; then the words of a chain.

With `thought=search` a step first searches the text for what was last written to the cell under the head, or else for its input symbol:
<StartSearch> READ {h} OR_SKIP {i} ONE_SYMBOL <EndSearch> 0 w:_ {h} q:seek0 R. Cell i is written {h} with h = i + margin; in the pattern the
braces make it a name after a backslash, and a number of words to skip elsewhere. {0} stands for a cell outside of the input.

With `thought=turning` the tape is a ring of N + 2 margin cells whose first one is under the head. Every token turns it by one cell:
`seek0/1` does the move of seek0 at 1, and `=1` copies a 1; after a move to the left N + 2 margin - 2 cells are copied, after one that
stays all others. A network then needs one number for the tape, of which it sees the first digit.
Draws: i - 1 the symbol x_i. `mirrored`: the second half mirrors the first. `constant`: one symbol, draw 0.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Literal

import numpy as np

from separatrix.errors import BadInput
from separatrix.tasks.capabilities import Search
from separatrix.tasks.drawing.counter import integers
from separatrix.tasks.machine import DIRECTIONS, Machine, Move, machine_text, read_machine
from separatrix.tasks.searching import END, FAILED, SEARCH_WORDS, START, STOP, Writing
from separatrix.tasks.spelled import Spelled
from separatrix.tasks.task import Batch, Integers, Leak, need_examples, read_at_end, sized

PAD, YES, NO = "#", "YES", "NO"
Thought = Literal["none", "chain", "search", "turning"]
READ, OR_SKIP, ONE_SYMBOL, NOWHERE = r"^(?:.*\sw:(?=\S\s" + "\\", r"(?!\S))|(?:\S+\s)", r")(\S)(?!\S)", "{0}"


@dataclass(frozen=True)
class TuringMachine(Spelled):
    """Acceptance by a machine: a name, a file or the text of one, which is what the parameter then holds."""

    machine: str = "palindrome"
    padding: int = 0
    margin: int = 1
    steps: int = 0
    thought: Thought = "none"

    name = "turing-machine"
    title = "Turing machine"
    about = "graphs and machines"
    cites = "wen2024 Theorem 4.1"
    tokens = "N + padding + 1"
    length_means = "symbols of input"
    families = ("mirrored", "constant")
    known_leaks = (Leak("Inputs are uniform, so a machine that accepts few of them is mostly right to be answered NO."),)
    drawn_at = sized(length=5)
    counted_at = sized(length=6)
    audited_at = sized(length=12)
    bounded_at = sized(length=40)
    enumerated_at = sized(length=3)
    sampled_at = (sized(length=1), sized(length=4, machine="increment", padding=3, thought="chain"))

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "machine", machine_text(self.machine))
        if not self.steps:
            object.__setattr__(self, "steps", (self.length + 2) ** 2)
        for name, least in (("padding", 0), ("margin", 0), ("steps", 1)):
            if getattr(self, name) < least:
                raise BadInput(f"turing-machine: {name} must be at least {least}, found {getattr(self, name)}")
        if PAD in self.table.symbols:
            raise BadInput(f"turing-machine: {PAD!r} stands for padding, so the machine cannot use it")

    @cached_property
    def table(self) -> Machine:
        """The machine that runs, read from its file."""
        return read_machine(self.machine)

    @property
    def token_count(self) -> int:
        return self.length + self.padding + 1

    @property
    def scored_at_end(self) -> bool:
        return True

    @cached_property
    def spelling(self) -> tuple[str, ...]:
        return (*self.words, *(f"{{{h}}}" for h in range(1, len(self.cells) + 1) if self.thought == "search"))

    @cached_property
    def words(self) -> tuple[str, ...]:
        """All words but the names of cells."""
        m = self.table
        moves = (*(f"w:{c}" for c in m.symbols), *(f"q:{q}" for q in m.states), *DIRECTIONS)
        beside = tuple(c for c in m.symbols if c not in m.input)  # symbols that a search may find
        further: dict[str, tuple[str, ...]] = {
            "none": (),
            "chain": (*(f"r:{c}" for c in m.symbols), *moves, STOP),
            "search": (*SEARCH_WORDS, *beside, READ, OR_SKIP, ONE_SYMBOL, NOWHERE, *moves),
            "turning": (*(f"{q}/{c}" for q, c, _ in m.moves), *(f"={c}" for c in m.symbols), STOP),
        }
        return ("<s>", PAD, YES, NO, *m.input, *further[self.thought])

    @property
    def cells(self) -> range:
        """The cells that the machine may visit."""
        return range(1 - self.margin, self.length + self.margin + 1)

    def copied(self, move: Move) -> int:
        """How many cells of the ring are copied before the next move."""
        halts = move.state in (self.table.accept, self.table.reject)
        return 0 if halts else max(0, {"R": 0, "L": len(self.cells) - 2, "S": len(self.cells) - 1}[move.direction])

    def word(self, tokens: Sequence[int]) -> tuple[str, ...] | None:
        """The input of the machine; None if the tokens are not one."""
        words = [self.spelling[token] for token in tokens]
        word, rest = words[1 : self.length + 1], words[self.length + 1 :]
        if len(tokens) != self.token_count or words[0] != "<s>" or rest != [PAD] * self.padding or not {*word} <= {*self.table.input}:
            return None
        return tuple(word)

    def log(self, tokens: Sequence[int]) -> tuple[Move, ...] | None:
        """The steps of the machine on an input."""
        word = self.word(tokens)
        return None if word is None else self.table.log(word, self.cells[0], self.cells[-1], self.steps)

    def answer(self, tokens: Sequence[int]) -> int | None:
        log = self.log(tokens)
        return None if log is None else self.spelling.index(YES if self.table.accepts(log) else NO)

    def why_outside(self, tokens: Sequence[int]) -> str:
        """What the machine does on an input without an answer."""
        if self.word(tokens) is None:
            return f"expected <s>, {self.length} symbols of {' '.join(self.table.input)} and {self.padding} tokens {PAD}"
        if self.table.log(self.word(tokens) or (), -self.steps, self.length + self.steps, self.steps) is None:
            return f"the machine does not halt within steps={self.steps}: --set steps=K allows more"
        first, last = self.cells[0], self.cells[-1]
        return f"the machine leaves its cells {first}..{last}, N and margin={self.margin} on either side: --set margin=K gives it more"

    def second(self, tokens: Sequence[int]) -> int:
        """The tape as two stacks, left of the head and from it on."""
        m, state = self.table, self.table.start
        moves = {(q, c): move for q, c, move in m.moves}
        left: list[str] = []
        right = list((self.word(tokens) or ())[::-1])
        while state not in (m.accept, m.reject):
            move = moves[state, right.pop() if right else m.blank]
            state = move.state
            right.append(move.written)
            if move.direction == "R":
                left.append(right.pop())
            elif move.direction == "L":
                right.append(left.pop() if left else m.blank)
        return self.spelling.index(YES if state == m.accept else NO)

    def sample(self, seed: int, count: int, start: int = 0) -> Batch:
        need_examples(seed, count, start)
        return self._asked(integers(self.key(seed), np.arange(start, start + count), np.arange(self.length), len(self.table.input)))

    def adversarial(self, kind: str, seed: int, count: int) -> Batch:
        key, j = self.key(seed), np.arange(count)
        x = integers(key, j, np.arange(self.length), len(self.table.input))
        if kind == "constant":
            return self._asked(np.repeat(x[:, :1], self.length, axis=1))
        half = self.length // 2
        x[:, self.length - half :] = x[:, :half][:, ::-1]
        return self._asked(x)

    def alphabets(self) -> tuple[Sequence[int], ...]:
        symbols = range(4, 4 + len(self.table.input))
        return ((0,), *(symbols,) * self.length, *((1,),) * self.padding)

    def inputs(self) -> Iterator[tuple[int, ...]]:
        return (tokens for tokens in product(*self.alphabets()) if self.answer(tokens) is not None)

    @property
    def input_count(self) -> int:
        return sum(1 for _ in self.inputs()) if len(self.table.input) ** self.length <= 1 << 12 else 0

    # -- the chain ---------------------------------------------------------------------------------------------------------------

    @property
    def stop(self) -> int | None:
        return None if self.thought == "none" else self.spelling.index(STOP)

    @property
    def search(self) -> Search | None:
        return Search(self.words.index(START), self.words.index(END)) if self.thought == "search" else None

    @property
    def chain_limit(self) -> int:
        tokens = {"none": 0, "chain": 4, "search": 12, "turning": len(self.cells)}[self.thought]  # of each step
        return tokens * self.steps + 2 if tokens else 0

    def chain(self, tokens: Sequence[int]) -> tuple[int, ...] | None:
        log = None if self.thought == "none" else self.log(tokens)
        if log is None:
            return None
        if self.thought == "search":
            return self._searching(tokens, log)
        if self.thought == "turning":
            return self._turning(tokens, log)
        words = [word for m in log for word in (f"r:{m.read}", f"w:{m.written}", f"q:{m.state}", m.direction)]
        return self.read(" ".join([*words, YES if self.table.accepts(log) else NO, STOP]))

    def _searching(self, tokens: Sequence[int], log: Sequence[Move]) -> tuple[int, ...]:
        """The chain that looks for each symbol in the text."""
        chain, cell = Writing([self.spelling[t] for t in tokens]), 1
        for move in log:
            name, skip = f"{{{cell + self.margin}}}", f"{{{cell}}}" if 1 <= cell <= self.length else NOWHERE
            found = chain.search(READ, name, OR_SKIP, skip, ONE_SYMBOL)
            assert found == move.read or (found in (FAILED, PAD) and move.read == self.table.blank), "a search finds the symbol"
            chain.write(f"w:{move.written}", name, f"q:{move.state}", move.direction)
            cell += DIRECTIONS[move.direction]
        return self.read(" ".join([*chain.written, YES if self.table.accepts(log) else NO, STOP]))

    def _turning(self, tokens: Sequence[int], log: Sequence[Move]) -> tuple[int, ...]:
        """The chain of a tape that is a ring."""
        ring = deque((*(self.word(tokens) or ()), *[self.table.blank] * (2 * self.margin)))
        words, state = [], self.table.start
        for move in log:
            words.append(f"{state}/{ring.popleft()}")
            ring.append(move.written)
            state = move.state
            for _ in range(self.copied(move)):
                words.append(f"={ring[0]}")
                ring.rotate(-1)
        return self.read(" ".join([*words, YES if self.table.accepts(log) else NO, STOP]))

    def _asked(self, x: Integers) -> Batch:
        """A batch of inputs, given as symbols from 0 on; those outside the promise become the first symbol, over and over."""
        ends = np.tile([[1]], (len(x), self.padding))
        tokens = np.hstack([np.zeros((len(x), 1), dtype=np.int64), x + 4, ends.astype(np.int64)])
        answers = []
        for r, row in enumerate(tokens.tolist()):
            answer = self.answer(row)
            if answer is None:
                tokens[r, 1 : self.length + 1] = 4
                answer = self.answer(tokens[r].tolist())
            if answer is None:
                raise BadInput(
                    f"turing-machine: the machine does not halt on {self.text(row)!r:.80} within {self.steps} steps and its cells"
                )
            answers.append(answer)
        return read_at_end(tokens, np.full(len(x), tokens.shape[1]), np.array(answers, dtype=np.int64))

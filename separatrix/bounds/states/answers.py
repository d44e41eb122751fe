"""From a function of a string to the table of its answers.

Everything that is counted in this room starts here: an alphabet per position, every string over them in row-major order, and one
integer code per answer. A negative code stands for a string outside the promise.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separatrix.errors import BadInput

Answer = Callable[[tuple[Any, ...]], Hashable]  # one string -> its answer, or None outside the promise
Oracle = Callable[[NDArray[np.int64]], NDArray[Any]]  # symbol indices [rows, tokens] -> one integer per row, negative outside the promise
Alphabets = tuple[tuple[Hashable, ...], ...]

EVALUATIONS = 10**7  # most calls of a plain Python function
LEAVES = 10**9  # a vectorised oracle, or a table, has at most this many entries
BLOCK = 2**14  # rows handed to a vectorised oracle at once: the block stays in the processor's cache
WRITTEN_OUT = 10**15  # larger numbers are rounded to a power of ten
CALLED_TWICE = 128  # strings on which a function is called again, to check that it is deterministic


@dataclass(frozen=True, eq=False)
class AnswerTable:
    """Every answer of a task: `codes` in row-major order over `alphabets`, `values[code]` the answer itself."""

    alphabets: Alphabets
    codes: NDArray[np.integer[Any]]  # [prod(sizes)]; negative = outside the promise
    values: tuple[Hashable, ...]

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of symbols at each position."""
        return tuple(len(symbols) for symbols in self.alphabets)


def require_length(length: int) -> int:
    """`length` as an int; refuses anything but a positive integer."""
    if isinstance(length, bool) or not isinstance(length, int | np.integer) or length < 1:
        raise BadInput(f"length must be a positive whole number, found {length!r}")
    return int(length)


def alphabets_of(alphabet: str | Iterable[Any], length: int) -> Alphabets:
    """One alphabet per position, from one alphabet for all positions or from one per position.

    A string is the alphabet of its characters. A sequence of lists, tuples, ranges or sets is one alphabet per position, and so is
    a sequence of `length` strings some of which are longer than one character and some of which are equal (`["01"] * 3 + ["012"]`).
    Any other sequence is one alphabet. Symbols that are themselves tuples go in a list per position.
    """
    length = require_length(length)
    if isinstance(alphabet, str):
        return (_distinct(tuple(alphabet), "alphabet"),) * length
    if not isinstance(alphabet, Iterable):
        raise BadInput(f"alphabet must be a string, a sequence of symbols, or one of these per position, found {alphabet!r:.80}")
    entries = tuple(alphabet)
    if _one_per_position(entries, length):
        if len(entries) != length:
            raise BadInput(f"one alphabet per position: expected {length} alphabets, found {len(entries)}")
        return tuple(_distinct(tuple(symbols), f"alphabet of position {i}") for i, symbols in enumerate(entries))
    return (_distinct(entries, "alphabet"),) * length


def _one_per_position(entries: tuple[Any, ...], length: int) -> bool:
    collections = [isinstance(entry, Sequence | AbstractSet | np.ndarray) and not isinstance(entry, str) for entry in entries]
    strings = [isinstance(entry, str) for entry in entries]
    if any(collections):
        if not all(c or s for c, s in zip(collections, strings, strict=True)):
            raise BadInput("alphabet mixes symbols with alphabets: expected one alphabet, or one per position")
        return True
    if all(strings) and len(entries) == length and any(len(entry) > 1 for entry in entries):
        if len(set(entries)) == len(entries):
            raise BadInput(
                f"alphabet {list(entries)!r:.80} could mean {length} symbols or one alphabet for each of {length} positions: "
                "write each position's alphabet as a tuple of symbols"
            )
        return True
    return False


def _distinct(symbols: tuple[Any, ...], where: str) -> tuple[Hashable, ...]:
    if not symbols:
        raise BadInput(f"{where} must have at least one symbol, found none")
    try:
        if len(set(symbols)) == len(symbols):
            return symbols
    except TypeError as error:
        raise BadInput(f"symbols of the {where} must be hashable, found {symbols!r:.80}") from error
    repeated = next(s for i, s in enumerate(symbols) if s in symbols[:i])
    raise BadInput(f"symbols of the {where} must differ, found {repeated!r} twice")


def about(count: int) -> str:
    """A number as short text, never thousands of digits."""
    return f"{count:,}" if count < WRITTEN_OUT else f"about 10^{math.log10(count):.0f}"


def tabulate(answer: Answer, alphabets: Alphabets) -> AnswerTable:
    """Call a Python function on every string."""
    total = math.prod(len(symbols) for symbols in alphabets)
    if total > EVALUATIONS:
        raise BadInput(
            f"{about(total)} evaluations of the answer are above the limit of {EVALUATIONS:,}: "
            "use a closed form, a vectorised oracle or fewer tokens"
        )
    code_of: dict[Hashable, int] = {None: -1}

    def code(tokens: tuple[Any, ...]) -> int:
        try:
            value = answer(tokens)
        except Exception as error:
            raise BadInput(f"answer raised {type(error).__name__}{_first_line(error)} on {_shown(tokens)}") from error
        try:
            return code_of.setdefault(value, len(code_of) - 1)
        except TypeError as error:
            raise BadInput(f"answer must be hashable, found {type(value).__name__} on {_shown(tokens)}") from error

    codes = np.fromiter(map(code, product(*alphabets)), dtype=np.int32, count=total)
    for index in np.linspace(0, total - 1, min(total, CALLED_TWICE)).astype(np.int64).tolist():
        tokens = string_at(index, alphabets)
        if code(tokens) != codes[index]:
            raise BadInput(f"answer must be a function, found two different answers on {_shown(tokens)}")
    if len(code_of) == 1:
        raise BadInput(f"answer is None on all {total:,} strings: nothing is inside the promise")
    return AnswerTable(alphabets, codes, tuple(code_of)[1:])


def tabulate_oracle(oracle: Oracle, sizes: Sequence[int]) -> NDArray[np.integer[Any]]:
    """Call a vectorised oracle on every string, block by block."""
    total = math.prod(sizes)
    if total > LEAVES:
        raise BadInput(f"{about(total)} answers are above the limit of {LEAVES:,}: use a closed form or a shorter length")
    table: NDArray[np.integer[Any]] = np.empty(total, dtype=np.int8)
    start = 0
    for rows in _blocks(sizes):
        answers = _answers_of(oracle, rows)
        picked = slice(None, None, max(1, len(rows) // 8))
        if start == 0 and not np.array_equal(_answers_of(oracle, rows[picked]), answers[picked]):
            raise BadInput(
                "a vectorised oracle must answer row by row, found answers that change with the rest of the batch or from call to call"
            )
        needed = np.promote_types(np.min_scalar_type(int(answers.max())), np.min_scalar_type(int(answers.min())))
        if not np.can_cast(needed, table.dtype):
            table = table.astype(np.promote_types(needed, table.dtype))
        table[start : start + len(rows)] = answers
        start += len(rows)
    return table


def _answers_of(oracle: Oracle, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    try:
        answers = np.asarray(oracle(rows))
    except Exception as error:
        raise BadInput(f"the vectorised oracle raised {type(error).__name__}{_first_line(error)} on {rows.shape[0]} rows") from error
    if answers.shape != (len(rows),) or answers.dtype.kind not in "biu":
        raise BadInput(
            f"a vectorised oracle must return {len(rows)} whole numbers for {len(rows)} rows, "
            f"found {answers.dtype} of shape {answers.shape}"
        )
    return answers.astype(np.int64)


def _blocks(sizes: Sequence[int]) -> Iterator[NDArray[np.int64]]:
    """All strings as symbol indices, in order; the trailing digits of a block never change, so only the head is rewritten."""
    head = len(sizes)
    width = 1
    while head > 0 and width * sizes[head - 1] <= BLOCK:
        head -= 1
        width *= sizes[head]
    block = np.zeros((width, len(sizes)), dtype=np.int64)
    if head < len(sizes):
        block[:, head:] = np.indices(tuple(sizes[head:])).reshape(len(sizes) - head, width).T
    shown = block.view()
    shown.flags.writeable = False
    for prefix in product(*(range(size) for size in sizes[:head])):
        block[:, :head] = prefix
        yield shown


def string_at(index: int, alphabets: Alphabets) -> tuple[Any, ...]:
    """The string whose answer is at this index of a table."""
    digits: list[Any] = []
    for symbols in reversed(alphabets):
        index, digit = divmod(index, len(symbols))
        digits.append(symbols[digit])
    return tuple(reversed(digits))


def _shown(tokens: tuple[Any, ...]) -> str:
    text = repr(tokens)
    return text if len(text) <= 120 else text[:117] + "..."


def _first_line(error: BaseException) -> str:
    lines = str(error).splitlines()
    return f" ({lines[0][:120]})" if lines and lines[0] else ""

"""Queries to n numbers from [n]: `<s>` x_1 .. x_n and the query. Special words come first, `<s>` is the token 0, then the numbers 1 .. n.

With `thought: search` a program writes a search, gets its result, says the answer and stops; without, it answers at the last token.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from typing import Any

from separatrix.checker.numbers import arrays
from separatrix.checker.seal import Refused
from separatrix.checker.specs.counts import state_bits, strings
from separatrix.checker.specs.parameters import Field, Integer, Word
from separatrix.checker.specs.searches import END, FAILED, START, STOP, searched
from separatrix.checker.specs.spec import Choices, Spec, Task, Tokens

COUNTED = 1 << 16  # sequences whose grams are counted one by one


def index(length: int, thought: str) -> Spec:
    """A place k; the answer is the k-th number. `<s>` is skipped first, so k words stand before the one that is asked for."""
    n, fragments = length, (r"^(?:\S+\s){", r"}(\S+)")
    words = _Words(thought, ("<s>",), fragments, n)

    def lone(choices: Choices) -> Tokens:
        """One number among others that are all alike; its place cycles and is asked for."""
        place = choices.number % n
        x = arrays.full(n, choices.below(n))
        x[place] = (x[place] + 1 + choices.below(n - 1)) % n
        return words.input(x, [place])

    def truth(tokens: Sequence[int]) -> int:
        return tokens[tokens[-1] - words.first + 1]

    return Spec(
        title=f"index, n = {n}{words.how}",
        truth=truth,
        input_count=strings(n, n + 1),
        state_bits=0 if words.thinks else state_bits(n, n),  # before the query any two sequences must be distinguished
        families={"lone-symbol": lone},
        **words.asked(truth, 1, lambda query: [fragments[0], query[0], fragments[1]]),
    )


def grams(said: str, length: int, thought: str, c: int | None = None) -> Spec:
    """c - 1 numbers in a row; the answer is the number behind their first occurrence that has one. Next-token recall has c = 2."""
    n, fragments, size = length, (r"(?<!\S)", r"\s", r"\s(\S+)"), c or 2
    if size > n:
        raise Refused(f"c: expected 2..{min(8, n)}, found {size}")
    words = _Words(thought, ("<s>",), fragments, n)

    def truth(tokens: Sequence[int]) -> int | None:
        x, gram = list(tokens[1 : n + 1]), list(tokens[n + 1 :])
        return next((x[i] for i in range(size - 1, n) if x[i - size + 1 : i] == gram), None)

    def listed() -> Iterator[tuple[int, ...]]:
        """A sequence, and each of its grams that has a number behind it: of all queries few occur."""
        for x in product(range(words.first, words.first + n), repeat=n):
            for gram in sorted({x[i : i + size - 1] for i in range(n - size + 1)}):
                yield (0, *x, *gram)

    def sample(choices: Choices, symbols: int = n, cycling: bool = False) -> Tokens:
        x, places = choices.many(n, symbols), n - size + 1
        place = choices.number % places if cycling else choices.below(places)
        return words.input(x, x[place : place + size - 1])

    def pattern(query: list[str]) -> list[str]:
        begin, gap, last = fragments
        return [begin, query[0], *(word for number in query[1:] for word in (gap, number)), last]

    return Spec(
        title=f"{said}, n = {n}{words.how}{'' if c is None else f', c = {c}'}",
        truth=truth,
        input_count=sum(1 for _ in listed()) if n <= 8 and n**n <= COUNTED else None,
        listed=listed,
        families={"two-symbols": partial(sample, symbols=2), "every-place": partial(sample, cycling=True)},
        sample=sample,
        **words.asked(truth, size - 1, pattern),
    )


def counting(length: int, thought: str) -> Spec:
    """A query q and a threshold t in 0 .. n; whether q occurs more than t times. The special words after `<s>` are YES, NO and 0."""
    n, count = length, strings(length, length + 1)
    fragments = (r"^(?:(?:(?!", r"\s)\S+\s)*", r"\s){", r"}(?:(?!", r"\s(\S+)\s\S+")
    words = _Words(thought, ("<s>", "YES", "NO", "0"), fragments, n)

    def truth(tokens: Sequence[int]) -> int | None:
        t = 0 if tokens[-1] == 3 else tokens[-1] - words.first + 1
        if tokens[-1] != 3 and t < 1:
            return None
        return 1 if sum(token == tokens[-2] for token in tokens[1 : n + 1]) > t else 2

    def pattern(query: list[str]) -> list[str]:
        (q, t), (others, then, times, more, last) = query, fragments
        return [others, q, then, q, times, t, more, q, then, q, last]

    def sample(choices: Choices, often: Callable[[int], int] | None = None) -> Tokens:
        """q occurs as often as the threshold, or once more; `often` says how often, by q - 1."""
        q, more = choices.below(n), choices.below(2)
        m = choices.below(n + 1) if often is None else often(q)
        x = (q + 1 + choices.many(n, n - 1)) % n
        x[choices.taken(min(m, n), n)] = q
        t = max(0, min(m, n) - more)
        return arrays.append(words.input(x, [q]), words.first - 1 + t if t else 3)

    asked = words.asked(truth, 2, pattern, conclusion=lambda found: "NO" if found == FAILED else "YES")
    return Spec(
        title=f"counting, n = {n}{words.how}",
        truth=truth,
        input_count=None if count is None or n > 15 else count * (n + 1),
        drawing=1 << 13,
        families={"about-the-query": partial(sample, often=lambda q: q + 1), "constant": partial(sample, often=lambda _: n)},
        sample=sample,
        **{**asked, "alphabets": (*asked["alphabets"][:-1], range(3, words.first + n))},
    )


class _Words:
    """The vocabulary of a query, its input and its search."""

    def __init__(self, thought: str, specials: tuple[str, ...], fragments: tuple[str, ...], n: int) -> None:
        self.thinks, self.n = thought == "search", n
        self.how = ", by a search" if self.thinks else ""
        self.first = len(specials) + self.thinks * (4 + len(fragments))  # the token of the number 1
        numbers = tuple(str(v) for v in range(1, n + 1)) if self.thinks else ()
        self.spelled = (*specials, START, END, FAILED, STOP, *fragments, *numbers) if self.thinks else ()

    def input(self, x: Tokens, query: Any) -> Tokens:
        """Numbers, and a query of numbers, all less 1."""
        return arrays.concatenate([[0], self.first + arrays.integers(x), self.first + arrays.integers(query)])

    def asked(self, truth: Any, query: int, pattern: Any, conclusion: Callable[[str], str] = str) -> dict[str, Any]:
        """The fields of a spec that follow from its vocabulary: a query of so many tokens, and the words of a search for it."""
        numbers = (range(self.first, self.first + self.n),)

        def chain(tokens: Sequence[int]) -> tuple[int, ...]:
            prompt = [self.spelled[token] for token in tokens]
            search = searched(prompt, pattern(prompt[self.n + 1 :]))
            answer = self.spelled.index(conclusion(search[-1]))
            if answer != truth(tokens):
                raise AssertionError("a search leads to another answer than the definition")
            return (*map(self.spelled.index, search), answer, self.spelled.index(STOP))

        fields: dict[str, Any] = {"alphabets": (range(1), *numbers * (self.n + query)), "vocabulary": self.first + self.n}
        fields["targets"] = fields["vocabulary"]
        if self.thinks:
            fields |= {"decoder": "retrieval", "chain": chain, "written": len(pattern(["1"] * query)) + 5}
            fields["search"] = (self.spelled.index(START), self.spelled.index(END), self.spelled)
        return fields


QUERIED: dict[str, Field] = {"length": Integer(2, 10**5), "thought": Word(("none", "search"))}
TASKS = {
    "index": Task(QUERIED, index),
    "recall-next": Task(QUERIED, partial(grams, "next-token recall")),
    "c-gram": Task({**QUERIED, "c": Integer(2, 8)}, partial(grams, "c-gram retrieval")),
    "counting": Task(QUERIED, counting),
}

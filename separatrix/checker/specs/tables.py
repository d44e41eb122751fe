"""Any function of strings of one length, as a table: the sizes of its alphabets, and all answers in row-major order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import chain, product
from typing import Any

from separatrix.checker.fields import LARGEST, require_fields, whole, within
from separatrix.checker.seal import Refused
from separatrix.checker.sentence import quoted
from separatrix.checker.specs.parameters import Integer, Text
from separatrix.checker.specs.spec import Spec, Task

MOST_TOKENS = 64
LARGEST_ANSWER = 1 << 62


def table(sizes: list[Any], answers: list[Any]) -> Spec:
    """Token t is one of 0 .. sizes[t] - 1, the last one changing fastest; null is outside the promise. All inputs are run, or none."""
    within(len(sizes), 1, MOST_TOKENS, "number of sizes")
    for size in sizes:
        within(whole(size, "sizes"), 1, LARGEST, "sizes")
    if math.prod(sizes) > LARGEST or math.prod(sizes) != len(answers):
        raise Refused(f"answers: expected {math.prod(sizes)} of them, at most {LARGEST}, found {len(answers)}")
    inside = [within(whole(value, "answers"), -LARGEST_ANSWER, LARGEST_ANSWER, "answers") for value in answers if value is not None]
    if not inside:
        raise Refused("answers: nothing is inside the promise")

    def truth(tokens: Sequence[int]) -> int | None:
        place = 0
        for token, size in zip(tokens, sizes, strict=True):
            place = place * size + token
        answer: int | None = answers[place]
        return answer

    return Spec(
        title=f"a function of {len(sizes)} tokens, given as a table",
        alphabets=tuple(map(range, sizes)),
        vocabulary=max(sizes),
        targets=max(inside) + 1,
        truth=truth,
        input_count=len(inside),
        drawn=False,
    )


def listed(name: str, vocabulary: int, targets: int, tables: list[Any]) -> Spec:
    """A task of the author's own: for each length of its inputs a table over alphabets [first, count] of all answers.

    The name is the author's; what is claimed is in the tables.
    """
    within(len(tables), 1, MOST_TOKENS, "number of tables")
    each = [_table(one, vocabulary, targets) for one in tables]
    by_length = {len(alphabets): (alphabets, answers) for alphabets, answers in each}
    if len(by_length) < len(each) or sum(len(answers) for _, answers in each) > LARGEST:
        raise Refused(f"tables: expected tables of different lengths with at most {LARGEST} answers in all")

    def covers(tokens: Sequence[int]) -> bool:
        alphabets, _ = by_length.get(len(tokens), ((), ()))
        return bool(alphabets) and all(map(range.__contains__, alphabets, tokens))

    def truth(tokens: Sequence[int]) -> int | None:
        alphabets, answers = by_length[len(tokens)]
        place = 0
        for token, alphabet in zip(tokens, alphabets, strict=True):
            place = place * len(alphabet) + token - alphabet.start
        return answers[place]

    count = sum(answer is not None for _, answers in each for answer in answers)
    lengths = ", ".join(map(str, sorted(by_length)))
    return Spec(
        title=f"a task that its author calls {quoted(name, 60)}, given as a table of {count:,} inputs of {lengths} tokens",
        alphabets=by_length[max(by_length)][0],
        vocabulary=vocabulary,
        targets=targets,
        truth=truth,
        input_count=count,
        covers=covers,
        several_lengths=len(each) > 1,
        listed=lambda: chain.from_iterable(product(*by_length[n][0]) for n in sorted(by_length)),
        drawn=False,
    )


def _table(one: Any, vocabulary: int, targets: int) -> tuple[tuple[range, ...], list[int | None]]:
    require_fields(one, "tables", alphabets=list, answers=list)
    within(len(one["alphabets"]), 1, MOST_TOKENS, "number of alphabets")
    alphabets, answers = [], one["answers"]
    for pair in one["alphabets"]:
        if not isinstance(pair, list) or len(pair) != 2:
            raise Refused("alphabets: expected the first token and how many there are, for each place")
        first, count = (whole(value, "alphabets") for value in pair)
        within(first, 0, vocabulary - 1, "first token of an alphabet")
        alphabets.append(range(first, first + within(count, 1, vocabulary - first, "tokens of an alphabet")))
    if math.prod(map(len, alphabets)) != len(answers):
        raise Refused(f"answers: expected {math.prod(map(len, alphabets))} of them, found {len(answers)}")
    for value in answers:
        if value is not None:
            within(whole(value, "answers"), 0, targets - 1, "answers")
    return tuple(alphabets), answers


TASKS = {
    "listed": Task(
        {"name": Text(200), "vocabulary": Integer(1, 1 << 24), "targets": Integer(1, 1 << 24), "tables": Text(MOST_TOKENS, (list,))}, listed
    ),
    "table": Task({"sizes": Text(1 << 24, (list,)), "answers": Text(1 << 24, (list,))}, table),
}

"""Any function of strings of one length, as a table: the sizes of its alphabets, and all answers in row-major order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from separatrix.checker.fields import require_fields, within
from separatrix.checker.oracles.forms.strings import LARGEST, whole
from separatrix.checker.oracles.forms.task_oracle import Number, TaskOracle, Tokens
from separatrix.checker.seal import Refused

MOST_TOKENS = 64
LARGEST_ANSWER = 1 << 62


class Oracle(TaskOracle):
    """Token t is one of 0 .. sizes[t] - 1, the last one changing fastest; null is outside the promise. It has no families of cases."""

    name = "table"

    def __init__(self, parameters: Any) -> None:
        self.parameters = require_fields(parameters, "parameters", sizes=list, answers=list)
        sizes, self.answers = parameters["sizes"], parameters["answers"]
        within(len(sizes), 1, MOST_TOKENS, "number of sizes")
        for size in sizes:
            within(whole(size, "sizes"), 1, LARGEST, "sizes")
        if math.prod(sizes) > LARGEST or math.prod(sizes) != len(self.answers):
            raise Refused(f"answers: expected {math.prod(sizes)} of them, at most {LARGEST}, found {len(self.answers)}")
        inside = [
            within(whole(value, "answers"), -LARGEST_ANSWER, LARGEST_ANSWER, "answers") for value in self.answers if value is not None
        ]
        if not inside:
            raise Refused("answers: nothing is inside the promise")
        self.sizes = tuple(sizes)
        self.vocabulary, self.targets, self.tokens = max(sizes), max(inside) + 1, len(sizes)
        self.title = f"a function of {len(sizes)} tokens, given as a table"
        self.input_count = len(inside)

    @property
    def alphabets(self) -> tuple[range, ...]:
        return tuple(map(range, self.sizes))

    def truth(self, tokens: Sequence[int]) -> int | None:
        place = 0
        for token, size in zip(tokens, self.sizes, strict=True):
            place = place * size + token
        answer: int | None = self.answers[place]
        return answer

    def draw(self, case: Number) -> Tokens:
        raise Refused(f"a table has no cases {case.family!r}")

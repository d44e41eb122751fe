"""Every answer of a function of few strings."""

from __future__ import annotations

import math
from itertools import product
from typing import cast

from separatrix.checker.budget import Budget
from separatrix.checker.fields import LARGEST
from separatrix.checker.seal import Refused
from separatrix.checker.specs.spec import Spec

CALL, HELD = 1000, 200  # fixed work per answer, and bytes to store it


def answer_work(task: Spec) -> int:
    """The cost of one answer."""
    return CALL + task.answering * task.tokens


def all_answers(task: Spec, budget: Budget) -> list[int | None]:
    """The answers of all strings over the alphabets, the last token changing fastest; None outside the promise, which is not empty."""
    strings = math.prod(map(len, task.alphabets))
    if strings > LARGEST:
        raise Refused(f"claim: {shown(strings)} strings exceed the limit of {LARGEST}")
    budget.allow(strings * answer_work(task), strings * HELD)
    answers = cast("list[int | None]", [task.truth(tokens) for tokens in product(*task.alphabets)])  # a witness asks for one answer
    if all(answer is None for answer in answers):
        raise Refused("claim: nothing is inside the promise")
    return answers


def shown(count: int) -> str:
    """A number, or its order of magnitude."""
    return str(count) if count < 10**18 else f"about 10^{int((count.bit_length() - 1) * math.log10(2))}"

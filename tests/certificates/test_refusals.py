"""Bad input to this room is refused in one line that says what was expected and what was found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from separatrix.certificates.noise import perturbed
from separatrix.certificates.program import Program
from separatrix.certificates.simulation import simulate
from separatrix.constructions import build
from separatrix.errors import BadInput
from separatrix.models.decoders.greedy import Greedy
from separatrix.models.decoders.position import Position
from separatrix.tasks.languages.gallery import named_language
from tests.models.decoders.test_chains import STOP, counting_down

REFUSED: tuple[tuple[str, Callable[[], Any]], ...] = (
    (
        r"^noise leaves the grid of fixed:14,6: expected a floating-point arithmetic$",
        lambda: perturbed(build("equality", length=64, arithmetic="fixed:14,6"), 0.1),
    ),
    (r"^noise must be a finite number, 0 or more, found nan$", lambda: perturbed(build("equality", length=6), float("nan"))),
    (r"^the chain has not ended within its limit of 2 tokens$", lambda: Program(counting_down(), Greedy(STOP, 2)).generate([3])),
    (
        r"^this program writes no chain: its decoder is position, expected greedy, retrieval or rounding$",
        lambda: Program(counting_down(), Position()).generate([3]),
    ),
    (r"^greedy: a chain needs a stop token among the targets 0\.\.4, found 9$", lambda: Program(counting_down(), Greedy(9, 10))),
    ("one token at a time", lambda: simulate(torch.nn.Linear(2, 2), named_language("ones"), None)),
)


@pytest.mark.parametrize(("says", "call"), REFUSED)
def test_bad_input_is_refused_in_words(says: str, call: Callable[[], Any]) -> None:
    with pytest.raises(BadInput, match=says):
        call()

"""Where a state of a dynamic program reads: the value of another state, or an entry of the input.

[yang2024 Equation 9]

Places follow from the state alone, never from what is read there: h_1(i) .. h_K(i) and g_1(i) .. g_J(i) are functions of i.
So a place that is used as a number, as the 0/1 knapsack would in dp(i - 1, w - w_i), is refused when it happens.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

from separatrix.errors import BadInput


class Place:
    """A cell or an entry. It names where to read; what is read there is not known when the weights are built."""

    def _refuse(self, *_: Any) -> NoReturn:
        raise BadInput(
            f"{self} is used as a number: the dependences of a state must follow from the state alone, "
            "not from values of the input or of other states"
        )

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = _refuse
    __neg__ = __index__ = __int__ = __bool__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse


@dataclass(frozen=True)
class Cell(Place):
    """The value of another state."""

    state: tuple[int, ...]

    def __str__(self) -> str:
        return f"cell{self.state}"


@dataclass(frozen=True)
class Entry(Place):
    """An entry of the input, from 1 on."""

    number: int

    def __str__(self) -> str:
        return f"entry({self.number})"


def cell(*state: int) -> Cell:
    """The value of an earlier state; 0 where the program has no such state."""
    return Cell(tuple(_integer(coordinate, "cell") for coordinate in state))


def entry(number: int) -> Entry:
    """Entry `number` of the input, from 1 on; 0 where the input has no such entry."""
    return Entry(_integer(number, "entry"))


def _integer(coordinate: Any, what: str) -> int:
    if isinstance(coordinate, Place):
        coordinate._refuse()
    if isinstance(coordinate, bool) or not isinstance(coordinate, int):
        raise BadInput(f"{what}: expected integers, found {coordinate!r:.80}")
    return coordinate

"""What the author of a local proof chooses: any choice is sound, and a good one makes the boxes small enough.

foci    for every head and reader the token whose value is told apart by what it depends on, or -1
roles   for every token the role that it is bounded with; roles are numbered as they first occur
flat    for every role 1 where one box serves all its combinations, else 0
parts   for every token that is counted the predicate that it shows, or -1
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from separatrix.checker.fields import require_fields
from separatrix.checker.numbers import arrays
from separatrix.checker.numbers.boxes import Array, Box
from separatrix.checker.seal import Refused
from separatrix.checker.specs.forms.local import Part

if TYPE_CHECKING:
    from separatrix.checker.replay.counting import Counting, Token
    from separatrix.checker.replay.local_stream import Finish, LocalLayer, Reading, Role, Roles

NAMES = ("foci", "roles", "flat", "parts")


class Choices:
    """The choices of a document: four lists of integers, each read to its end. A prover that writes one overrides them."""

    def __init__(self, document: Any) -> None:
        require_fields(document, "proof", rule=str, **dict.fromkeys(NAMES, list))
        for name in NAMES:
            if any(type(x) is not int or not -1 <= x < 1 << 31 for x in document[name]):
                raise Refused(f"proof.{name}: expected integers from -1 on")
        self.lists = {name: arrays.integers(document[name]) for name in NAMES}
        self.at = dict.fromkeys(NAMES, 0)

    def take(self, name: str, count: int) -> Array:
        """The next integers of a list."""
        first, last = self.at[name], self.at[name] + count
        if last > len(self.lists[name]):
            raise Refused(f"proof.{name}: expected more than {len(self.lists[name])} integers")
        self.at[name] = last
        return self.lists[name][first:last]

    def foci(self, weights: Box, hulls: Box) -> Array:  # noqa: ARG002
        """What each reader focuses on, as the certificate says."""
        return self.take("foci", len(weights))

    def role(self, reading: Reading, roles: Roles) -> int:  # noqa: ARG002
        """The role of one token among the roles after a layer, as the certificate says."""
        return int(self.take("roles", 1)[0])

    def flat(self, layer: LocalLayer, role: Role, finish: Finish) -> bool:  # noqa: ARG002
        """Whether one box serves all combinations of a role."""
        said = int(self.take("flat", 1)[0])
        if said not in (0, 1):
            raise Refused(f"proof.flat: expected 0 or 1, found {said}")
        return said == 1

    def parts(self, counting: Counting, tokens: Sequence[Token], parts: Sequence[Part]) -> Array:  # noqa: ARG002
        """The predicate that each of some tokens shows."""
        return self.take("parts", len(tokens))

    def done(self) -> None:
        """Refuse choices that nobody asked for."""
        for name in NAMES:
            if self.at[name] < len(self.lists[name]):
                raise Refused(f"proof.{name}: expected {self.at[name]} integers, found {len(self.lists[name])}")

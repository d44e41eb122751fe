"""Match: keys and labels take turns, x_1 y_1 x_2 y_2 ..; a key that asks is answered by the label behind the key that is nearest to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from separatrix.checker.numbers import arrays
from separatrix.checker.specs.forms.form import Form

Integers = arrays.Integers


@dataclass(frozen=True, eq=False)
class Match(Form):
    """Keys are the tokens 0 .. keys - 1, labels the tokens behind them; keys stand at even positions, from 0 on, labels at odd ones.

    What is promised of every key q that asks at position t: one of the t/2 pairs before it, at cost c <= farthest, is at least `lead`
    cheaper than every other of them, and stands before the first key that asks. Its label is the answer. Tokens behind t may be anything
    they may be.
    """

    keys: int
    labels: int
    lengths: range  # numbers of tokens, all odd
    asking: int | None  # keys ask from this position on; None: the last token alone asks
    lead: int  # of costs
    farthest: int
    costs: Integers | None  # by the exclusive or of two keys; None: 0 between a key and itself, else 1

    def cost(self, query: int) -> Integers:
        """From one key to every key."""
        others = arrays.arange(self.keys)
        return arrays.integers(others != query if self.costs is None else self.costs[others ^ query])

    def asked(self, n: int) -> range:
        """Positions that ask in an input of n tokens."""
        return range(n - 1 if self.asking is None else self.asking, n, 2)

    def alphabets(self, n: int) -> tuple[range, ...]:
        """The tokens that may stand at each position of an input of n tokens."""
        both = (range(self.keys), range(self.keys, self.keys + self.labels))
        return (both * (n // 2 + 1))[:n]

    def answers(self, tokens: Sequence[int]) -> dict[int, int]:
        result = {}
        for t in self.asked(len(tokens)):
            nearest = int(self.cost(tokens[t])[arrays.array(tokens[:t:2])].argmin())
            result[t] = tokens[2 * nearest + 1] - self.keys
        return result

    def constant(self) -> bool:
        return self.labels < 2

"""Programs over words and numbers: the stream that the attention blocks and window controllers work on.

[wen2024 Equation 5; the embedding also holds squares] [wen2024 Assumption 1; the same] [wen2024 Definition 3.6]
[wen2024 Definition 3.1; the factor of the logits is part of the weights]

A token is a special word or a number v in [n]; `<s>` is the first word and stands at position 1, where every number is 0.
The embedding holds v, v^2 of a number, a one-hot word, the position k, k^2, and 1. The same embedding, without the position, reads out
(Definition 3.2). To say the number v the last layer leaves 2 v and -1 in place of a number and its square (parts/rules.py), so numbers i
get the logits 2 i v - i^2 and v leads by 1; to say a word it leaves 1 in its place, and all others are at most 0.

Heads are one-hot: the right key leads by a gap at which the number format gives no weight to any other. Where the numbers of a program
do not fit into its format, it is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from separatrix.arithmetic import parse_format
from separatrix.certificates.construction import Sizes
from separatrix.constructions.address_weights import AddressWeights
from separatrix.constructions.assembler import Assembler, Kind, Layer
from separatrix.constructions.forms import Form
from separatrix.constructions.known import of_form
from separatrix.constructions.number_limits import exact_integers, largest_number, representable
from separatrix.constructions.parts.softmax_reads import vanishing_gap
from separatrix.constructions.tensors import layouts_of, tensors_of
from separatrix.errors import BadInput
from separatrix.tasks import Task

if TYPE_CHECKING:
    from separatrix.certificates.built import Built
    from separatrix.certificates.construction import Construction


class Numbered:
    """A program for `words` special words and the numbers 1 .. n, if there are any, at positions 1 .. L."""

    def __init__(
        self, name: str, words: Sequence[str], n: int, length: int, arithmetic: str, target: Kind = "transformer", places: bool = True
    ) -> None:
        self.name, self.words, self.n, self.L, self.format = name, tuple(words), n, length, parse_format(arithmetic)
        self.net = Assembler(
            plain=len(words), numbers=n, targets=len(words) + n, length=length, arithmetic=arithmetic,
            residual=True, causal=True, activation="reglu", target=target, integers=True,
        )  # fmt: skip
        quadratic = AddressWeights("quadratic", 2)
        if n:
            self.number = self.net.number("number", quadratic)  # v and v^2
        self.word = self.net.token("word", np.eye(len(words)))
        self.one = self.net.token("one", np.ones((self.net.token_rows, 1)))
        self.first = self.word[0]
        if places:
            self.place = self.net.place("place", quadratic)  # k and k^2
        self.gap = float(vanishing_gap(length, max(n, length) ** 2, self.format))

    def flag(self, word: str) -> Form:
        """A form that is 1 at this word and 0 at any other."""
        return self.word[self.words.index(word)]

    def fits(self, magnitude: float, what: str) -> None:
        """Refuse numbers that the format cannot hold; a float must hold every integer up to them."""
        most = largest_number(self.format) if self.format.exact else exact_integers(self.format)
        if magnitude > most:
            raise BadInput(
                f"{self.name}: {what} reach {magnitude:.4g}, more than {self.format.name} holds{'' if self.format.exact else ' exactly'}"
            )

    def compile(self, task: Task, declared: Construction, facts: Mapping[str, float] | None = None) -> Built:
        """The module; its bits of state are stated, and those of a hybrid's recurrent layers, which are the memory that theorems count."""
        self.refuse_what_does_not_fit()
        own = {"gap": self.gap} if any(layer.heads for layer in self.net.layers) else {}
        bits = self.sizes().state_bits
        state = {} if bits is None else {"state bits": float(bits), "recurrent bits": float(self.recurrent_bits())}
        parameters: dict[str, Any] = {}
        return self.net.compile(task, declared.name, declared.cites, parameters, {**own, **state, **(facts or {})})

    def sizes(self) -> Sizes:
        """The sizes of the program, which are those of the model; refused where the model is."""
        self.refuse_what_does_not_fit()
        layers, p = self.net.layers, self.format.bits
        heads = [layer.head_sizes() for layer in layers if layer.attention]
        recurrent = self.net.kind() == "linear-rnn"
        cache = p * self.L * sum(h * (k + v) for h, k, v in heads)
        return Sizes(
            layers=len(layers),
            heads=max((h for h, _, _ in heads), default=0),
            width=layouts_of(self.net)[1],
            precision_bits=p,
            value_width=None if recurrent else max(v for _, _, v in heads),
            state_bits=None if self.net.kind() == "transformer" else self.recurrent_bits() + cache,
        )

    def recurrent_bits(self) -> int:
        """Bits of the registers of all linear units."""
        return self.format.bits * sum(layer.registers() for layer in self.net.layers if layer.attention == "")

    def refuse_what_does_not_fit(self) -> None:
        """Refuse slots, hidden units or weights beyond the format."""
        for layer in self.net.layers:
            self._fit_layer(layer)
        self.net.refuse_inexact_embedding(self.name)
        for name, tensor in tensors_of(self.net).items() if self.format.exact else ():
            if tensor.dtype.kind == "f" and not representable(tensor, self.format):
                raise BadInput(f"{self.name}: a weight of {name} is not representable in {self.format.name}")

    def _fit_layer(self, layer: Layer) -> None:
        for known in (layer.known_before, layer.known_between, layer.known_after):
            for slot, about in known.items():
                self.fits(float(about.size.max(initial=0)), f"numbers of slot {slot!r}")
        for _, gadget in layer.gadgets:
            for part in gadget.parts:
                for form in (part.form, *([] if part.gate is None else [part.gate])):
                    self.fits(float(of_form(form, layer.known_between).size.max(initial=0)), f"hidden units of {gadget.name!r}")

"""Models of hard attention as the search for restrictions sees them: vectors, scores, and the layer after what each head has read.

[hahn2020 Equation 1] [hahn2020 Equation 3] [hahn2020 Notion 2]

A model of ours, whatever its weights come from, or anyone's functions of vectors.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from separatrix.errors import BadInput
from separatrix.models.layer import Layer
from separatrix.models.mixers.attention import MultiHeadAttention
from separatrix.models.model import Model

Array = npt.NDArray[Any]
Vectors = npt.NDArray[np.float64]  # [rows, width]


class HardAttention(ABC):
    """A model that reads one token at each of n places and answers at the last."""

    layers: int

    @abstractmethod
    def embed(self, place: int, token: int) -> Vectors:
        """The vector of a token at a place, from 0 on: [1, width]."""

    @abstractmethod
    def scores(self, layer: int, vectors: Vectors) -> Array:
        """[heads, rows, rows]: the score of every vector as a key, for every vector as a query."""

    @abstractmethod
    def visible(self, layer: int, place: int, n: int) -> npt.NDArray[np.bool_]:
        """Which of n places a place may read."""

    @abstractmethod
    def after(self, layer: int, own: Vectors, read: Sequence[Vectors]) -> Vectors:
        """The vectors after a layer, from those before it and from the one that each head attends to."""

    @abstractmethod
    def answers(self, vectors: Vectors) -> Array:
        """What the model says at the last place."""


class OfModel(HardAttention):
    """A model of ours whose layers all attend by the first largest score."""

    def __init__(self, model: Model) -> None:
        self.model, self.parts = model, model.each_layer()
        self.layers = len(self.parts)
        if model.numbers.format.bits > 53 and model.numbers.format.kind != "native":
            raise BadInput(f"a search for restrictions computes in float64, found numbers of {model.numbers.format.bits} bits")
        for number, part in enumerate(self.parts, 1):
            mixer = part.mixer
            if not isinstance(mixer, MultiHeadAttention) or mixer.config.scores != "hard" or mixer.config.rotary:
                raise BadInput(f"layer {number}: expected hard attention without rotary positions")

    def embed(self, place: int, token: int) -> Vectors:
        with torch.no_grad():
            return self._leave(self.model.numbers.enter(self.model.embedding(torch.tensor([[token]]), start=place + 1)))

    def scores(self, layer: int, vectors: Vectors) -> Array:
        part, mixer = self._part(layer)
        with torch.no_grad():
            x = part.normed(self._enter(vectors))
            return self._leave(self.model.numbers.logits(mixer.queries(x, None), mixer.keys(x)))

    def visible(self, layer: int, place: int, n: int) -> npt.NDArray[np.bool_]:
        seen = self._part(layer)[1].config.mask.visible(torch.tensor([place]), n)
        return np.ones(n, dtype=bool) if seen is None else np.asarray(seen[0].numpy())

    def after(self, layer: int, own: Vectors, read: Sequence[Vectors]) -> Vectors:
        part, mixer = self._part(layer)
        with torch.no_grad():
            values = [mixer.values(part.normed(self._enter(rows)))[:, h] for h, rows in enumerate(read)]  # each [1, rows, value width]
            mixed = self.model.numbers.linear(self.model.numbers.join(values, 2), mixer.out, mixer.out_bias)
            return self._leave(part.after_mixing(self._enter(own), mixed))

    def answers(self, vectors: Vectors) -> Array:
        with torch.no_grad():
            return np.asarray(self.model.logits(self._enter(vectors))[0].argmax(dim=-1).numpy())

    def _part(self, layer: int) -> tuple[Layer, MultiHeadAttention]:
        part = self.parts[layer]
        assert isinstance(part.mixer, MultiHeadAttention)
        return part, part.mixer

    def _enter(self, vectors: Vectors) -> Any:
        return self.model.numbers.enter(torch.from_numpy(vectors).to(self.model.embedding.table.dtype)[None])

    def _leave(self, values: Any) -> Array:
        """The only row of a batch of one, as an array of doubles."""
        return np.asarray(self.model.numbers.leave(values).double().numpy()[0])


@dataclass(frozen=True)
class OfFunctions(HardAttention):
    """Anyone's functions, as in the definition: y_0(place, token), att(layer, head, y_i, y_j), act(layer, y_i, (b_1, ..)), say(y_n)."""

    layers: int
    heads: int
    y0: Callable[[int, int], Any]
    att: Callable[[int, int, Any, Any], float]
    act: Callable[[int, Any, Sequence[Any]], Any]
    say: Callable[[Any], int]

    def embed(self, place: int, token: int) -> Vectors:
        return np.asarray(self.y0(place, token), dtype=np.float64)[None]

    def scores(self, layer: int, vectors: Vectors) -> Array:
        once, again = (
            np.array([[[self.att(layer, h, a, b) for b in vectors] for a in vectors] for h in range(self.heads)]) for _ in range(2)
        )
        if not np.array_equal(once, again):
            h, i, j = np.argwhere(once != again)[0]
            raise BadInput(
                f"layer {layer + 1}, head {h + 1}: a score is {once[h, i, j]} in one run and {again[h, i, j]} in the next; "
                "ties would break differently, so expected a function of its arguments"
            )
        return once

    def visible(self, layer: int, place: int, n: int) -> npt.NDArray[np.bool_]:  # noqa: ARG002
        return np.ones(n, dtype=bool)

    def after(self, layer: int, own: Vectors, read: Sequence[Vectors]) -> Vectors:
        return np.array([self.act(layer, y, [rows[r] for rows in read]) for r, y in enumerate(own)], dtype=np.float64)

    def answers(self, vectors: Vectors) -> Array:
        return np.array([self.say(y) for y in vectors])

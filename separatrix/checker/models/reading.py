"""The program of a certificate: description, decoder and weights, read within the budget."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from separatrix.checker.budget import Budget
from separatrix.checker.fields import require_fields
from separatrix.checker.models.decoding import Decoder, read_decoder
from separatrix.checker.models.description import Description, read_description
from separatrix.checker.models.model import Model, bytes_of, check_shapes, weight_work, work_of
from separatrix.checker.numbers.formats import Numbers, numbers
from separatrix.checker.weights import parse_safetensors, read_header, weights_of


@dataclass(frozen=True, eq=False)
class Program:
    """A model and how its answer is read."""

    model: Model
    decoder: Decoder
    sha256: str


@dataclass(frozen=True, eq=False)
class Outline:
    """A program before its weights are read: enough to compute its cost."""

    description: Description
    decoder: Decoder
    ops: Numbers

    def work(self, tokens: int, readers: int) -> int:
        """The work of one case."""
        return work_of(self.description, self.ops, tokens, readers)

    def memory(self, tokens: int, readers: int) -> int:
        """The memory that one case takes."""
        return bytes_of(self.description, self.ops, tokens, readers)


def outline(document: Any) -> Outline:
    """The field `program`, without weights."""
    require_fields(document, "program", model=dict, decoder=dict)
    description = read_description(document["model"])
    return Outline(description, read_decoder(document["decoder"], description), numbers(description.arithmetic))


def load(plan: Outline, document: Any, beside: Path | None, budget: Budget) -> Program:
    """The program with its weights; names and shapes are compared before any number is read."""
    shapes = plan.description.shapes()
    budget.allow(*weight_work(plan.description, plan.ops))
    raw = weights_of(document, beside, budget)
    check_shapes(shapes, {name: entry.shape for name, entry in read_header(raw)[0].items()})
    return Program(Model(plan.description, parse_safetensors(raw), plan.ops), plan.decoder, document["sha256"])

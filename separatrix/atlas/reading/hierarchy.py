"""The hierarchy of classes of the second paper as data: classes, arrows, and the evidence that this atlas has for each arrow.

An arrow is a statement about families of models of every length. What stands behind it here are certificates of single models, and lower
bounds at one length; an arrow with neither says so.
"""

from __future__ import annotations

from dataclasses import dataclass

from separatrix.architectures import Architecture
from separatrix.atlas.page import cell_link
from separatrix.atlas.reading.cells import Cell, amount
from separatrix.atlas.typography import number

STATED = "stated, no certificate here"


@dataclass(frozen=True)
class Class:
    """A class of problems: what one kind of model solves with O(log n) bits, or in polynomial time."""

    name: str
    lines: tuple[str, str]  # as it stands in its box
    column: int
    row: int  # from the top
    architecture: Architecture | None = None


@dataclass(frozen=True)
class Arrow:
    """The second class contains the first; and what shows it, or shows that the second is larger."""

    tail: str
    head: str
    says: str
    cites: tuple[str, ...]
    built: tuple[str, ...] = ()  # constructions
    needs: tuple[tuple[str, Architecture], ...] = ()  # tasks on architectures that have a lower bound
    rest: str = ""  # what is not shown here


@dataclass(frozen=True)
class Link:
    """A certificate or a bound of this atlas."""

    text: str
    target: str
    status: str  # of the map: built or impossible


@dataclass(frozen=True)
class ShownArrow:
    """An arrow with what was found for it."""

    number: int
    arrow: Arrow
    links: tuple[Link, ...]

    @property
    def stated(self) -> bool:
        """Whether nothing of this atlas stands behind it."""
        return not self.links


CLASSES = (
    Class("Transformer, chain", ("Transformer", "with a chain of thought"), 0, 0, Architecture.THREE_LAYERS),
    Class("retrieval", ("linear RNN with", "retrieval and a chain"), 1, 0, Architecture.RECURRENT),
    Class("hybrid, chain", ("linear RNN, attention", "layer and a chain"), 2, 0, Architecture.HYBRID),
    Class("P", ("polynomial time,", "any Turing machine"), 1, 1),
    Class("Transformer", ("Transformer", "without a chain"), 0, 2),
    Class("recurrent, chain", ("recurrent", "with a chain of thought"), 1, 2, Architecture.RECURRENT),
    Class("hybrid", ("linear RNN, attention", "layer, without a chain"), 2, 2, Architecture.HYBRID),
    Class("recurrent", ("recurrent", "without a chain"), 1, 3, Architecture.RECURRENT),
)

ARROWS = (
    Arrow(
        "recurrent", "recurrent, chain",
        "A chain of thought adds something: with O(log n) bits of state and a chain, a linear RNN runs a Turing machine step by step.",
        ("wen2024 Theorem 4.1",), ("turing-machine/linear-rnn/turning",),
        rest=f"That no recurrent model of that size does it without a chain: {STATED}; it assumes that PSPACE is not contained in P/poly.",
    ),
    Arrow(
        "recurrent, chain", "P",
        "A chain is not enough for all of polynomial time: IsTree needs a state that grows with n, however long the chain.",
        ("wen2024 Theorem 4.7",), needs=(("is-tree", Architecture.RECURRENT),),
        rest="That a chain of polynomial length takes polynomial time is plain, and is not certified.",
    ),
    Arrow(
        "recurrent, chain", "Transformer, chain",
        "A Transformer with a chain evaluates a recurrent model given as a circuit, gate by gate; and it does more: IsTree.",
        ("wen2024 Theorem 4.8", "wen2024 Theorem 4.7"), ("circuit/transformer/recurrent", "is-tree/transformer"),
        (("is-tree", Architecture.RECURRENT),), rest=f"The simulation of a recurrent model's own chain: {STATED}.",
    ),
    Arrow(
        "P", "Transformer, chain",
        "For each length, a problem of polynomial time has a circuit of polynomial size; a Transformer with a chain evaluates it.",
        ("wen2024 Fact 1",), ("circuit/transformer",), rest=f"That one Turing machine gives all these circuits: {STATED}.",
    ),
    Arrow(
        "P", "retrieval", "A linear RNN that may search its context runs any Turing machine.", ("wen2024 Theorem 5.4",),
        ("turing-machine/retrieval",),
    ),
    Arrow(
        "P", "hybrid, chain", "A linear RNN with one attention layer at the end runs any Turing machine.", ("wen2024 Theorem 5.8",),
        ("turing-machine/hybrid",),
    ),
    Arrow(
        "Transformer", "Transformer, chain",
        "Without a chain a Transformer stays within the circuit class TC0; with one it leaves it if TC0 does not contain all of P.",
        ("wen2024 Fact 1",),
    ),
    Arrow(
        "recurrent", "hybrid",
        "One attention layer adds retrieval without any chain: lookup by place, recall, c-grams and counting, each of which needs a "
        "recurrent state that grows with n.",
        ("wen2024 Theorem 5.6", "wen2024 Theorem 4.6"), ("index/hybrid", "recall-next/hybrid", "c-gram/hybrid", "counting/hybrid"),
        tuple((task, Architecture.RECURRENT) for task in ("index", "recall-next", "c-gram", "counting")),
    ),
    Arrow(
        "hybrid", "hybrid, chain", "With a chain, the same model decides whether any graph is a tree.", ("wen2024 Theorem 5.7",),
        ("is-tree/hybrid",), rest="Whether it needs the chain for that is not shown here.",
    ),
)  # fmt: skip


def shown_arrows(pages: dict[str, str], cells: dict[str, dict[Architecture, Cell]]) -> tuple[ShownArrow, ...]:
    """Every arrow with the certificates and bounds that there are; `pages` has the page of each certified construction."""
    return tuple(ShownArrow(count, arrow, (*_certified(arrow, pages), *_bounded(arrow, cells))) for count, arrow in enumerate(ARROWS, 1))


def class_named(name: str) -> Class:
    """A class by its short name."""
    return next(one for one in CLASSES if one.name == name)


def _certified(arrow: Arrow, pages: dict[str, str]) -> list[Link]:
    return [Link(f"certificate: {name}", pages[name], "built") for name in arrow.built if name in pages]


def _bounded(arrow: Arrow, cells: dict[str, dict[Architecture, Cell]]) -> list[Link]:
    found = [cells[task][architecture] for task, architecture in arrow.needs]
    return [
        Link(
            f"bound: {cell.task} needs {amount(cell.bounds[0])} at N = {number(cell.length)}",
            cell_link(cell.task, cell.architecture),
            "impossible",
        )
        for cell in found
        if cell.bounds
    ]

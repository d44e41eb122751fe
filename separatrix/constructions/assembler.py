"""The assembler: turns a construction written as slots, heads and gadgets into the weights of an ordinary model.

A program names slots of the stream, says what the embedding writes into them, then opens layers. A head reads linear forms of
slots (query, key, value) and writes `into` a slot; a linear unit delays or adds up a form over time; a gadget of the feed-forward
part computes a small function. Nothing else can be expressed, so the result is nothing but weights (constructions/compiler.py).

Without a residual connection the stream after a part holds only what that part wrote: each stage has its own layout, slots are
packed side by side, and the width is that of the widest stage. With one, all slots live in a single layout, and what is written
into a slot is added to what it holds.

For every slot the assembler tracks the interval of its true value, and how far the computed value may be off.
A head whose least weight is `share` leaks at most 1 - share of the value's range; a gadget absorbs errors within its tolerance,
and a program whose errors exceed a tolerance is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from separatrix.arithmetic import parse_format
from separatrix.certificates.claim import Bound, Step
from separatrix.constructions.address_weights import AddressWeights
from separatrix.constructions.forms import Array, Form, slot_form
from separatrix.constructions.gadgets import Gadget
from separatrix.constructions.known import Known, exactly, logit_error, of_address, of_form, of_gadget, of_vectors, read_with, through
from separatrix.constructions.number_limits import FLOAT64_BITS, fractional_bits, refuse_large_embedding, significant_bits
from separatrix.constructions.recurrences import Recurrence
from separatrix.errors import BadInput
from separatrix.tasks import Task

if TYPE_CHECKING:
    from separatrix.certificates.built import Built, Trace
    from separatrix.models.decoders.decoder import Decoder
    from separatrix.models.masks import Mask

Kind = Literal["transformer", "linear-rnn", "hybrid"]
Attention = Literal["softmax", "hard", "uniform", "linear"]
Activation = Literal["relu", "reglu", "gelu"]
SLACK = 1 + 1e-12  # of a sum of errors computed in float64


@dataclass(frozen=True, eq=False)
class Head:
    """A head: logit <query, key>; what it reads of the value goes through the matrix `out` into a slot."""

    name: str
    query: Form
    key: Form
    value: Form
    out: Array  # [width of the slot, rows of the value]
    into: str


@dataclass
class Layer:
    """A layer under construction: a part that mixes tokens and a feed-forward part."""

    net: Assembler
    number: int
    attention: str | None  # "" for a linear unit, None where tokens are not mixed
    before: dict[str, int]  # slots of the stream that the layer reads, with their widths
    known_before: dict[str, Known]
    between: dict[str, int] = field(default_factory=dict)  # after mixing
    known_between: dict[str, Known] = field(default_factory=dict)
    after: dict[str, int] = field(default_factory=dict)  # after the feed-forward part
    known_after: dict[str, Known] = field(default_factory=dict)
    heads: list[Head] = field(default_factory=list)
    recurrences: list[tuple[str, Recurrence]] = field(default_factory=list)
    gadgets: list[tuple[str, Gadget]] = field(default_factory=list)
    mask: Mask | None = None  # what tokens see; None: all, or those before, as the program says
    activation: Activation = "relu"  # of the feed-forward part

    def attend(
        self,
        name: str,
        *,
        value: Form,
        into: str,
        query: Form | None = None,
        key: Form | None = None,
        out: Array | None = None,
        share: float = 1.0,
        rounding: float = 0.0,
    ) -> Form:
        """A head. `share` is its least weight on the intended place, whatever errors its query and key may have.

        A head of uniform attention has no query and no key. `out` mixes the coordinates of what was read.
        A head that averages over several intended places is off by `rounding` at most, because its weights are rounded.
        """
        query, key = self._asks(name, query, key)
        for role, form in (("query", query), ("key", key), ("value", value)):
            _readable(form, self.before, f"{role} of head {name!r}")
            if form.constant.any():
                raise BadInput(f"head {name!r}: attention has no bias, so its {role} cannot hold a constant")
        if query.rows != key.rows:
            raise BadInput(f"head {name!r}: query has {query.rows} rows and key {key.rows}")
        matrix = np.eye(value.rows) if out is None else out
        if matrix.shape[1] != value.rows:
            raise BadInput(f"head {name!r}: value has {value.rows} rows, but out takes {matrix.shape[1]}")
        where, leak = f"layer {self.number}, head {name}", 1 - share
        if share < 1:
            self.net.bounds.append(Bound(where, "weight off the intended place", leak, None))
        off = logit_error(of_form(query, self.known_before), of_form(key, self.known_before))
        if off > 0:
            self.net.bounds.append(Bound(where, "error of a logit", off, None))
        self.heads.append(Head(name, query, key, value, matrix, into))
        read = read_with(of_form(value, self.known_before), leak)
        if rounding > 0:
            self.net.bounds.append(Bound(where, "rounding of an average", rounding, None))
            read = Known(read.low, read.high, read.error + rounding)
        return self._mixed(into, through(matrix, read))

    def remember(self, into: str, recurrence: Recurrence) -> Form:
        """A part of the linear unit: a delay or a sum over time."""
        if self.attention != "":
            raise BadInput(
                f"layer {self.number} is {'attention' if self.attention else 'feed-forward'}: a {recurrence.name} needs a linear unit"
            )
        _readable(recurrence.source, self.before, recurrence.name)
        if recurrence.source.constant.any():
            raise BadInput(f"{recurrence.name}: a linear unit has no bias, so its input cannot contain a constant")
        self.recurrences.append((into, recurrence))
        return self._mixed(into, recurrence.known(of_form(recurrence.source, self.known_before), self.net.length))

    def write(self, into: str, gadget: Gadget) -> Form:
        """A gadget of the feed-forward part; refused if its inputs may be off by more than it tolerates."""
        for form in gadget.inputs:
            _readable(form, self.between, f"gadget {gadget.name!r}")
        if gadget.gated and self.activation != "reglu":
            raise BadInput(f"gadget {gadget.name!r} multiplies two forms: it needs activation='reglu'")
        if self.activation != (gadget.activation or self.net.activation):
            raise BadInput(f"gadget {gadget.name!r} has {gadget.activation or 'ReLU'} units, layer {self.number} {self.activation} ones")
        if gadget.tolerance > 0:
            off = max((of_form(form, self.known_between).off for form in gadget.inputs), default=0.0)
            self.net.bounds.append(Bound(f"layer {self.number}, {gadget.name} into {into}", "error of its inputs", off, gadget.tolerance))
            refuse_beyond_tolerance(f"layer {self.number}: {gadget.name} into {into!r}", off, gadget.tolerance)
        _place(self.after, into, gadget.outputs)
        self.gadgets.append((into, gadget))
        _learn(self.known_after, into, of_gadget(gadget, self.known_between))
        return slot_form(into, gadget.outputs)

    def head_sizes(self) -> tuple[int, int, int]:
        """Heads, and the widths of their keys and values; attention has at least one head."""
        keys, values = max((head.query.rows for head in self.heads), default=1), max((head.value.rows for head in self.heads), default=1)
        return max(1, len(self.heads)), keys, values

    def registers(self) -> int:
        """Numbers in the state of a linear unit, which has at least one."""
        return max(1, sum(recurrence.registers for _, recurrence in self.recurrences))

    def hidden(self) -> int:
        """Hidden units of the feed-forward part."""
        return max(1, sum(gadget.units for _, gadget in self.gadgets))

    def ends(self) -> tuple[dict[str, int], dict[str, Known]]:
        """The slots for the next layer and what is known of them: those of the last part that wrote."""
        silent = not self.gadgets and not self.net.residual
        return (self.between, self.known_between) if silent else (self.after, self.known_after)

    def _asks(self, name: str, query: Form | None, key: Form | None) -> tuple[Form, Form]:
        """Query and key of a head; for uniform attention, which has neither, zeros."""
        if not self.attention:
            what = "feed-forward only" if self.attention is None else "a linear unit"
            raise BadInput(f"layer {self.number} is {what}: it has no head {name!r}")
        nothing = Form({}, np.zeros(1))
        if self.attention == "uniform":
            if query is not None or key is not None:
                raise BadInput(f"layer {self.number} attends uniformly: head {name!r} takes no query and no key")
            return nothing, nothing
        if query is None or key is None:
            raise BadInput(f"head {name!r}: {self.attention} attention needs a query and a key; only uniform attention works without")
        return query, key

    def _mixed(self, into: str, known: Known) -> Form:
        rows = len(known.low)
        _place(self.between, into, rows)
        _learn(self.known_between, into, known)
        if self.net.residual:  # it stays; the feed-forward part adds to it
            _place(self.after, into, rows)
            _learn(self.known_after, into, known)
        return slot_form(into, rows)


class Assembler:
    """A program for one model. Methods write parts; `compile` builds the module."""

    def __init__(
        self,
        plain: int,
        targets: int,
        length: int,
        numbers: int = 0,
        arithmetic: str = "float64",
        residual: bool = False,
        causal: bool = False,
        activation: Literal["relu", "reglu"] = "relu",
        target: Kind = "transformer",
        integers: bool = False,
        vectors: Sequence[tuple[float, float]] = (),
    ) -> None:
        """A program that reads integer vectors instead of tokens says between which ends each of their `plain` coordinates lies."""
        self.plain, self.numbers, self.targets, self.length = plain, numbers, targets, length
        self.arithmetic, self.residual, self.causal, self.activation, self.target = arithmetic, residual, causal, activation, target
        self.integers = integers  # whether the embedding consists of integers: what float64 must hold is then its size alone
        self.vectors = tuple(vectors)
        if self.vectors and (len(self.vectors) != plain or numbers):
            raise BadInput(
                f"a program that reads vectors of {len(self.vectors)} integers has as many plain rows and no numbers, found {plain}"
            )
        self.slots: dict[str, int] = {}
        self.rows: list[tuple[str, Array]] = []
        self.places: list[tuple[str, AddressWeights, Array]] = []
        self.number_place: tuple[str, AddressWeights, Array] | None = None
        self.gate: Array | None = None  # for each token row, the factor of the addresses of places; None: 1
        self.layers: list[Layer] = []
        self.output: tuple[Array, Form, Array] | None = None
        self.tied = False  # whether the word embedding reads out, from the slots that it writes
        self.bounds: list[Bound] = []

    # -- the embedding ---------------------------------------------------------------------------------------------------------

    @property
    def token_rows(self) -> int:
        """Rows of token tables: one for each plain token, and one that all numbered tokens share."""
        return self.plain + (self.numbers > 0)

    def token(self, slot: str, table: Array) -> Form:
        """Row s of the table is what token s writes into the slot; a last row beyond `plain` is for numbered tokens."""
        if len(table) > self.token_rows:
            raise BadInput(f"slot {slot!r}: expected a table of {self.token_rows} token rows, found {len(table)}")
        padded = np.zeros((self.token_rows, table.shape[1]))
        padded[: len(table)] = table
        _place(self.slots, slot, table.shape[1])
        self.rows.append((slot, padded))
        return slot_form(slot, table.shape[1])

    def place(self, slot: str, address: AddressWeights, weight: Array | None = None, gate: Array | None = None) -> Form:
        """The address of the position (or of what the address points to), optionally through a matrix.

        `gate` has a factor for each token row, by which such a token multiplies the address; all places of a model share it.
        """
        if weight is not None and not address.projected:
            raise BadInput(f"slot {slot!r}: an unprojected address takes no matrix")
        if gate is not None and len(gate) != self.token_rows:
            raise BadInput(f"slot {slot!r}: expected a gate of {self.token_rows} token rows, found {len(gate)}")
        if self.places and not np.array_equal(self._gates(gate), self._gates(self.gate)):
            raise BadInput(f"slot {slot!r}: all places of a model share one gate, found a different one than for {self.places[0][0]!r}")
        self.gate = gate
        matrix = np.eye(address.dims) if weight is None else weight
        _place(self.slots, slot, matrix.shape[1])
        self.places.append((slot, address, matrix))
        return slot_form(slot, matrix.shape[1])

    def number(self, slot: str, address: AddressWeights, weight: Array | None = None) -> Form:
        """The address of a numbered token's number."""
        matrix = np.eye(address.dims) if weight is None else weight
        _place(self.slots, slot, matrix.shape[1])
        self.number_place = (slot, address, matrix)
        return slot_form(slot, matrix.shape[1])

    # -- layers ------------------------------------------------------------------------------------------------------------------

    def layer(self, attention: Attention = "softmax", mask: Mask | None = None) -> Layer:
        """Open the next layer, in which tokens attend to each other; `mask` says what they see, if not all or those before."""
        if self.target == "linear-rnn":
            raise BadInput("a linear recurrent network has no attention: expected a linear unit, or the target 'hybrid'")
        layer = self._open(attention)
        layer.mask = mask
        return layer

    def linear_unit(self) -> Layer:
        """Open the next layer, in which a linear recurrence carries numbers from token to token."""
        if self.target == "transformer":
            raise BadInput("a Transformer has no linear unit: expected attention, or the target 'hybrid' or 'linear-rnn'")
        return self._open("")

    def pointwise(self, activation: Activation | None = None) -> Layer:
        """Open the next layer, in which every token is worked on alone: a feed-forward part without a mixer. Needs a residual.

        Its units may be others than those of the program.
        """
        if not self.residual:
            raise BadInput("a layer that does not mix tokens needs a residual connection, which keeps what it does not write")
        layer = self._open(None)
        layer.activation = activation or self.activation
        return layer

    def read_out(self, weights: Array, form: Form, bias: Array, margin: float | None = None) -> None:
        """Logits: weights @ form + bias. Refused if two logits may be off by more than the margin between them."""
        slots, known = self.layers[-1].ends() if self.layers else (self.slots, self.embedded())
        _readable(form, slots, "read-out")
        off = of_form(form.through(weights), known).off
        if off > 0:
            self.bounds.append(Bound("read-out", "error of a logit", off, None if margin is None else margin / 2))
        if margin is not None and 2 * off >= margin:
            raise BadInput(f"read-out: logits lie {margin} apart and may each be off by {off:.4g}")
        self.output = (weights, form, bias)

    def read_out_by_words(self) -> None:
        """Logits: the product of the stream with the embedding of each token. The last layer leaves there what is to be said."""
        if self.targets != self.plain + self.numbers:
            raise BadInput(f"a tied read-out has a target for each of {self.plain + self.numbers} tokens, found {self.targets}")
        self.tied = True

    def kind(self) -> Kind:
        """The kind of program: attention only, linear units only, or both."""
        attention = {bool(layer.attention) for layer in self.layers if layer.attention is not None}
        return "hybrid" if len(attention) == 2 else "linear-rnn" if attention == {False} else "transformer"

    def compile(
        self,
        task: Task,
        construction: str,
        cites: str,
        parameters: dict[str, Any],
        facts: dict[str, float],
        steps: Callable[[Trace], tuple[Step, ...]] | None = None,
        decoder: Decoder | None = None,
    ) -> Built:
        """The module, its layout and its claim; without a decoder the answer is read where the task is scored."""
        from separatrix.constructions.compiler import compiled

        if not self.layers or (self.output is None and not self.tied):
            raise BadInput(f"{construction}: a program needs at least one layer and a read-out")
        if self.kind() != self.target:
            raise BadInput(f"{construction}: the program is a {self.kind()}, its target a {self.target}")
        return compiled(self, task, construction, cites, parameters, facts, steps, decoder)

    def embedded(self) -> dict[str, Known]:
        """What is known of each slot of the embedding: everything written into it is added up."""
        known: dict[str, Known] = {}
        for slot, table in self.rows:
            _learn(known, slot, of_vectors(table, self.vectors) if self.vectors else exactly(table.min(axis=0), table.max(axis=0)))
        for slot, address, matrix in self.places:
            _learn(known, slot, of_address(address, *address.addressed(self.length), matrix, self._gates(self.gate)))
        if self.number_place is not None:
            slot, address, matrix = self.number_place
            _learn(known, slot, of_address(address, 1, self.numbers, matrix, np.array([0.0, 1.0])))  # plain tokens have no number
        return known

    def refuse_inexact_embedding(self, construction: str) -> None:
        """In an exact format the embedding is added up in float64 before it enters the format: refuse sums that float64 may round."""
        format, gates = parse_format(self.arithmetic), self._gates(self.gate)
        if self._lone_place() is not None:
            return
        largest = max((float(np.abs(table).max()) for _, table in self.rows), default=0.0)
        largest *= sum(max(abs(low), abs(high)) for low, high in self.vectors) if self.vectors else 1.0
        for _, address, matrix in self.places:
            largest += address.dims * address.magnitude(self.length) * float(np.abs(matrix).max()) * float(np.abs(gates).max())
        if self.number_place is not None:
            _, address, matrix = self.number_place
            largest += address.dims * address.magnitude(self.length) * float(np.abs(matrix).max())
        refuse_large_embedding(largest, 0 if self.integers else format.fraction + fractional_bits(gates), format, construction)

    def _lone_place(self) -> AddressWeights | None:
        """An address that is the only part of the embedding: a gate times a stored number is then not a sum, and exact in float64."""
        if self.rows or self.number_place or len(self.places) != 1 or self.places[0][1].projected:
            return None
        address = self.places[0][1]
        bits = address.significant_bits(self.length) + significant_bits(self._gates(self.gate))
        return address if bits <= FLOAT64_BITS else None

    def _gates(self, gate: Array | None) -> Array:
        return np.ones(self.token_rows) if gate is None else gate

    def _open(self, attention: str | None) -> Layer:
        before, known = self.layers[-1].ends() if self.layers else (self.slots, self.embedded())
        layer = Layer(self, len(self.layers) + 1, attention, dict(before), dict(known), activation=self.activation)
        if self.residual:  # everything stays
            layer.between, layer.after = dict(before), dict(before)
            layer.known_between, layer.known_after = dict(known), dict(known)
        self.layers.append(layer)
        return layer


def refuse_beyond_tolerance(gadget: str, off: float, tolerance: float) -> None:
    """Refuse a gadget whose inputs may be off by more than it tolerates."""
    if off > tolerance * SLACK:
        raise BadInput(f"{gadget} tolerates an error of {tolerance}, its inputs may be off by {off:.4g}")


def _place(slots: dict[str, int], name: str, width: int) -> None:
    if slots.setdefault(name, width) != width:
        raise BadInput(f"slot {name!r} has width {slots[name]}, found {width} numbers written into it")


def _readable(form: Form, slots: dict[str, int], where: str) -> None:
    for slot in form.terms:
        if slot not in slots:
            raise BadInput(f"{where}: there is no slot {slot!r}; expected one of {', '.join(slots) or '(none)'}")


def _learn(known: dict[str, Known], name: str, new: Known) -> None:
    """Add what is written to the content of a slot."""
    known[name] = known[name] + new if name in known else new

"""The assembler: a construction written as slots, heads and gadgets comes out as the weights of an ordinary model.

A program names slots of the stream, says what the embedding writes into them, then opens layers. A head reads linear forms of
slots (query, key, value) and writes `into` a slot; a gadget of the feed-forward part does the same. Nothing else can be said,
so nothing but weights can come out.

Without a residual connection the stream after a part holds only what that part wrote: each stage has its own layout, slots are
packed side by side, and the width is that of the widest stage. With one, all slots live in a single layout.

Every slot carries what is known of it: the interval its true value lies in, and how far the computed value may be off.
A head whose least weight is `share` leaks at most 1 - share of the value's range; a gadget swallows errors within its tolerance,
and a program whose errors outgrow a tolerance is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from separatrix.arithmetic import arithmetic as operators
from separatrix.arithmetic import parse_format
from separatrix.certificates.claim import Bound, Built, Claim, Layout, Slot, Step, Trace
from separatrix.constructions.forms import Form, slot_form
from separatrix.constructions.gadgets import Gadget
from separatrix.errors import BadInput
from separatrix.models.embedding import EmbeddingConfig, PlaceConfig
from separatrix.models.transformer import LayerConfig, Transformer, TransformerConfig
from separatrix.tasks import Task


@dataclass(frozen=True)
class Known:
    """A slot's true value lies in [low, high]; what is computed is off by at most `error`."""

    low: float
    high: float
    error: float = 0.0


@dataclass(frozen=True)
class Named:
    """An address as weights: how its module is configured, and what the module stores."""

    config: PlaceConfig
    stored: Tensor | None = None  # a generator (sign), or rows (table)
    pointers: Tensor | None = None  # the place that each position names, where that is not the position itself


@dataclass(frozen=True)
class _Head:
    name: str
    query: Form
    key: Form
    value: Form
    into: str


@dataclass
class Layer:
    """One attention and one feed-forward part, being written."""

    net: Assembler
    number: int
    attention: str
    before: dict[str, int]  # slots of the stream that attention reads, with their widths
    between: dict[str, int] = field(default_factory=dict)  # after attention
    after: dict[str, int] = field(default_factory=dict)  # after the feed-forward part
    heads: list[_Head] = field(default_factory=list)
    gadgets: list[tuple[str, Gadget]] = field(default_factory=list)
    known_before: dict[str, Known] = field(default_factory=dict)
    known_between: dict[str, Known] = field(default_factory=dict)
    known_after: dict[str, Known] = field(default_factory=dict)

    def attend(self, name: str, query: Form, key: Form, value: Form, into: str, share: float = 1.0) -> Form:
        """A head: logit <query, key>, value copied from where it looks. `share` is its least weight on the intended place."""
        for role, form in (("query", query), ("key", key), ("value", value)):
            self._readable(form, self.before, f"{role} of head {name!r}")
            if form.constant.any():
                raise BadInput(f"head {name!r}: attention has no bias, so its {role} cannot hold a constant")
        if query.rows != key.rows:
            raise BadInput(f"head {name!r}: query has {query.rows} rows and key {key.rows}")
        self._place(self.between, into, value.rows)
        self.heads.append(_Head(name, query, key, value, into))
        read = _known(value, self.known_before)
        leak = 1 - share
        error = read.error + leak * (read.high - read.low + 2 * read.error)
        self._learn(self.known_between, into, Known(read.low, read.high, error))
        if share < 1:
            self.net.bounds.append(Bound(f"layer {self.number}, head {name}", "weight off the intended place", leak, None))
        return slot_form(into, value.rows)

    def write(self, into: str, gadget: Gadget) -> Form:
        """A gadget of the feed-forward part; refused where its inputs may be off by more than it tolerates."""
        for form in gadget.inputs:
            self._readable(form, self.between, f"gadget {gadget.name!r}")
        off = max((_known(form, self.known_between).error for form in gadget.inputs), default=0.0)
        exact = gadget.tolerance > 0 or off == 0
        if gadget.tolerance > 0:
            self.net.bounds.append(Bound(f"layer {self.number}, {gadget.name} into {into}", "error of its inputs", off, gadget.tolerance))
            if off > gadget.tolerance * (1 + 1e-12):
                what = f"layer {self.number}: {gadget.name} into {into!r}"
                raise BadInput(f"{what} tolerates an error of {gadget.tolerance}, its inputs may be off by {off:.4g}")
        self._place(self.after, into, gadget.outputs)
        self.gadgets.append((into, gadget))
        self._learn(self.known_after, into, Known(gadget.low, gadget.high, 0.0 if exact else off))
        return slot_form(into, gadget.outputs)

    def _place(self, slots: dict[str, int], name: str, width: int) -> None:
        if slots.setdefault(name, width) != width:
            raise BadInput(f"slot {name!r} is {slots[name]} wide, {width} numbers were written into it")
        if self.net.residual:
            for stage in (self.between, self.after):
                stage.setdefault(name, width)

    def _learn(self, known: dict[str, Known], name: str, new: Known) -> None:
        if self.net.residual and name in self.known_before:
            old = self.known_before[name]
            new = Known(old.low + new.low, old.high + new.high, old.error + new.error)
        known[name] = new
        if self.net.residual and known is self.known_between:
            self.known_after.setdefault(name, new)

    def _readable(self, form: Form, slots: dict[str, int], where: str) -> None:
        for slot in form.terms:
            if slot not in slots:
                raise BadInput(f"{where}: slot {slot!r} is not there; expected one of {', '.join(slots) or '(none)'}")


class Assembler:
    """A program for one model. Methods write; `compile` makes the module."""

    def __init__(
        self,
        plain: int,
        targets: int,
        length: int,
        numbers: int = 0,
        arithmetic: str = "float64",
        residual: bool = False,
        causal: bool = False,
        activation: str = "relu",
    ) -> None:
        self.plain, self.numbers, self.targets, self.length = plain, numbers, targets, length
        self.arithmetic, self.residual, self.causal, self.activation = arithmetic, residual, causal, activation
        self.slots: dict[str, int] = {}
        self.known: dict[str, Known] = {}
        self.rows: list[tuple[str, Tensor]] = []
        self.places: list[tuple[str, Named, Tensor]] = []
        self.number_place: tuple[str, Named, Tensor] | None = None
        self.silent: list[int] = []  # rows of E at which places are switched off
        self.layers: list[Layer] = []
        self.output: tuple[Tensor, Form, Tensor] | None = None
        self.bounds: list[Bound] = []

    # -- the embedding ---------------------------------------------------------------------------------------------------------

    def token(self, slot: str, table: Tensor) -> Form:
        """Row s of the table is what token s carries in the slot; a last row beyond `plain` is that of numbered tokens."""
        rows = self.plain + (self.numbers > 0)
        padded = torch.zeros(rows, table.shape[1], dtype=torch.float64)
        padded[: len(table)] = table
        form = self._slot(slot, table.shape[1], float(table.min()), float(table.max()))
        self.rows.append((slot, padded))
        return form

    def place(self, slot: str, address: Named, weight: Tensor | None = None) -> Form:
        """The address of the position (or of what the address points to), through a matrix where one is given."""
        matrix = torch.eye(address.config.dims, dtype=torch.float64) if weight is None else weight
        form = self._slot(slot, matrix.shape[1], *_extent(address, weight))
        self.places.append((slot, address, matrix))
        return form

    def number(self, slot: str, address: Named, weight: Tensor | None = None) -> Form:
        """The address of a numbered token's number."""
        matrix = torch.eye(address.config.dims, dtype=torch.float64) if weight is None else weight
        form = self._slot(slot, matrix.shape[1], -float("inf"), float("inf"))
        self.number_place = (slot, address, matrix)
        return form

    def silence(self, rows: Sequence[int]) -> None:
        """Tokens of these rows carry no address of their position."""
        self.silent.extend(rows)

    # -- layers ------------------------------------------------------------------------------------------------------------------

    def layer(self, attention: str = "softmax") -> Layer:
        """Open the next layer."""
        last = self.layers[-1] if self.layers else None
        before, known = (dict(last.after), dict(last.known_after)) if last else (dict(self.slots), dict(self.known))
        made = Layer(self, len(self.layers) + 1, attention, before, known_before=known)
        if self.residual:  # everything stays
            made.between, made.after = dict(before), dict(before)
            made.known_between, made.known_after = dict(known), dict(known)
        self.layers.append(made)
        return made

    def read_out(self, weights: Tensor, form: Form, bias: Tensor) -> None:
        """Logits: weights @ form + bias."""
        self.output = (weights, form, bias)

    # -- compilation -------------------------------------------------------------------------------------------------------------

    def compile(
        self,
        task: Task,
        construction: str,
        cites: str,
        parameters: dict[str, Any],
        facts: dict[str, float],
        steps: Callable[[Trace], tuple[Step, ...]] | None = None,
    ) -> Built:
        """The module, its layout and its claim."""
        if not self.layers or self.output is None:
            raise BadInput(f"{construction}: a program needs at least one layer and a read-out")
        stages = self._stages()
        width = max(sum(stage.values()) for stage in stages)
        layouts = [_layout(stage) for stage in stages]
        model = self._module(width)
        with torch.no_grad():
            self._write_embedding(model, layouts[0], width)
            for index, layer in enumerate(self.layers):
                self._write_layer(model, index, layer, layouts[2 * index], layouts[2 * index + 1], layouts[2 * index + 2], width)
            weights, form, bias = self.output
            matrix, constant = form.resolved(layouts[-1], width)
            model.unembedding[:] = weights @ matrix
            model.unembedding_bias[:] = bias + weights @ constant
        refuse_off_grid(model, construction)
        claim = Claim(construction, cites, task.name, task.parameters, parameters, self.arithmetic, facts, tuple(self.bounds))
        named = tuple(
            Layout(tuple(Slot(name, part.start, part.stop - part.start) for name, part in layout.items())) for layout in layouts[::2]
        )
        return Built(model, claim, task, named, steps)

    def _stages(self) -> list[dict[str, int]]:
        stages = [self.slots]
        for layer in self.layers:
            stages += [layer.between, layer.after]
        return [stages[-1]] * len(stages) if self.residual else stages

    def _module(self, width: int) -> Transformer:
        number = self.number_place[1].config if self.number_place else None
        layers = []
        for layer in self.layers:
            keys, values = max(h.query.rows for h in layer.heads) if layer.heads else 1, max((h.value.rows for h in layer.heads), default=1)
            units = sum(gadget.units for _, gadget in layer.gadgets)
            hidden = max(1, units) if layer.gadgets else 0
            layers.append(LayerConfig(max(1, len(layer.heads)), keys, values, hidden, layer.attention))  # type: ignore[arg-type]
        config = TransformerConfig(
            embedding=EmbeddingConfig(
                self.plain, self.numbers, number, tuple(named.config for _, named, _ in self.places), bool(self.silent)
            ),
            targets=self.targets,
            width=width,
            layers=tuple(layers),
            causal=self.causal,
            residual=self.residual,
            activation=self.activation,  # type: ignore[arg-type]
            arithmetic=self.arithmetic,
            length=self.length,
        )
        return Transformer(config).to(stored_dtype(self.arithmetic))

    def _write_embedding(self, model: Transformer, layout: dict[str, slice], width: int) -> None:
        embedding = model.embedding
        for slot, table in self.rows:
            embedding.table[:, layout[slot]] += table
        if embedding.gate is not None:
            embedding.gate[self.silent] = 0.0
        numbered = [(embedding.number, self.number_place)] if self.number_place else []
        for place, entry in [*zip(embedding.every_place(), self.places, strict=True), *numbered]:
            assert place is not None
            assert entry is not None
            slot, named, matrix = entry
            assert place.weight is not None
            place.weight[:, layout[slot]] = matrix.to(place.weight.dtype)
            if named.stored is not None:
                place.store(named.stored)
            if named.pointers is not None:
                assert place.pointers is not None
                place.pointers.copy_(named.pointers)
        del width

    def _write_layer(
        self,
        model: Transformer,
        index: int,
        layer: Layer,
        before: dict[str, slice],
        between: dict[str, slice],
        after: dict[str, slice],
        width: int,
    ) -> None:
        part = model.stack()[index]
        heads = part.attention
        keys, values = heads.layer.key_width, heads.layer.value_width
        for h, head in enumerate(layer.heads):
            heads.query[h * keys : h * keys + head.query.rows] = head.query.resolved(before, width)[0]
            heads.key[h * keys : h * keys + head.key.rows] = head.key.resolved(before, width)[0]
            heads.value[h * values : h * values + head.value.rows] = head.value.resolved(before, width)[0]
            into = between[head.into]
            heads.out[into, h * values : h * values + head.value.rows] = torch.eye(head.value.rows, dtype=heads.out.dtype)
        feedforward = part.feedforward
        if feedforward is None:
            return
        assert feedforward.outer_bias is not None
        assert feedforward.inner_bias is not None
        unit = 0
        for into_slot, gadget in layer.gadgets:
            feedforward.outer_bias[after[into_slot]] += gadget.constant.to(feedforward.outer.dtype)
            for piece in gadget.parts:
                rows = slice(unit, unit + piece.form.rows)
                unit += piece.form.rows
                feedforward.inner[rows], feedforward.inner_bias[rows] = piece.form.resolved(between, width)
                feedforward.outer[after[into_slot], rows] = piece.matrix.to(feedforward.outer.dtype)
                if feedforward.gate is not None and feedforward.gate_bias is not None:
                    if piece.gate is None:
                        feedforward.gate_bias[rows] = 1.0
                    else:
                        feedforward.gate[rows], feedforward.gate_bias[rows] = piece.gate.resolved(between, width)
                elif piece.gate is not None:
                    raise BadInput(f"gadget {gadget.name!r} multiplies two forms: it needs activation='reglu'")

    def _slot(self, name: str, width: int, low: float, high: float) -> Form:
        if self.slots.setdefault(name, width) != width:
            raise BadInput(f"slot {name!r} is {self.slots[name]} wide, {width} numbers were written into it")
        old = self.known.get(name)
        self.known[name] = Known(min(low, old.low), max(high, old.high)) if old else Known(min(low, 0.0), max(high, 0.0))
        return slot_form(name, width)


def stored_dtype(arithmetic: str) -> torch.dtype:
    """The type that weights are stored in: their own for native floats, float64 for emulated formats."""
    return {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}.get(arithmetic, torch.float64)


def refuse_off_grid(model: Transformer, construction: str) -> None:
    """In an exact format every weight must be one of its numbers."""
    format = parse_format(model.config.arithmetic)
    if not format.exact:
        return
    numbers = operators(format.name)
    for name, parameter in model.named_parameters():
        exact = parameter.detach()
        wrong = (numbers.leave(numbers.enter(exact)) != exact).nonzero()
        if len(wrong):
            value = float(exact[tuple(wrong[0])])
            raise BadInput(f"{construction}: weight {value!r} of {name} is no number of {format.name}")
    largest = float(model.embedding.table.detach().abs().max())
    for place in (*model.embedding.every_place(), *([model.embedding.number] if model.embedding.number else [])):
        assert place.weight is not None
        reach = float(model.config.length**2) if place.address.kind == "quadratic" else 1.0
        largest += place.address.dims * reach * float(place.weight.detach().abs().max())
    if largest * 2.0**format.fraction >= 2.0**53:  # the embedding is summed in float64 before it enters the format
        raise BadInput(f"{construction}: embeddings up to {largest:.4g} with {format.fraction} fractional bits are not exact in float64")


def _layout(slots: dict[str, int]) -> dict[str, slice]:
    found, start = {}, 0
    for name, width in slots.items():
        found[name] = slice(start, start + width)
        start += width
    return found


def _extent(address: Named, weight: Tensor | None) -> tuple[float, float]:
    """Between which bounds the coordinates of an address lie; those of a square grow with the position, and a matrix may do anything."""
    if weight is not None or address.config.address not in ("sign", "one-hot", "table"):
        return -float("inf"), float("inf")
    if address.config.address == "table" and address.stored is not None:
        return float(address.stored.min()), float(address.stored.max())
    return -1.0, 1.0


def _known(form: Form, slots: dict[str, Known]) -> Known:
    """What is known of every row of a linear form, from what is known of its slots."""
    low, high, error = form.constant.clone(), form.constant.clone(), torch.zeros_like(form.constant)
    for slot, matrix in form.terms.items():
        about = slots[slot]
        positive, negative = matrix.clamp(min=0).sum(dim=1), matrix.clamp(max=0).sum(dim=1)
        low = low + _times(positive, about.low) + _times(negative, about.high)
        high = high + _times(positive, about.high) + _times(negative, about.low)
        error = error + _times(matrix.abs().sum(dim=1), about.error)
    return Known(float(low.min()), float(high.max()), float(error.max()))


def _times(coefficients: Tensor, value: float) -> Tensor:
    """0 times infinity is 0 here: a slot that is not read does not matter."""
    return torch.where(coefficients == 0, torch.zeros_like(coefficients), coefficients * value)

"""Registers: a register file, executed on unknown symbols.

Lemma. Let the embedding give every token as the one-hot row, and number, that the register file reads. Then a register is a Boolean
function of the tokens so far, and a write makes it another one. As long as each is a constant, a predicate of few places, or an
OR of such predicates or its negation, execution is exact: a write whose result has no such form is not covered, and one that may write
anything but 0 or 1 to a register is refused. The program is right on every input if, where an answer is due,

    the registers that the read-out weighs are predicates of few places, and the right logit leads on every combination of their tokens, or
    each of them is constant or says whether some (or all) predicates of the task hold, and the right logit leads in either case.

A token whose number chooses the register that is read is executed once for each number; it may only be the last.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from separatrix.checker.budget import Budget
from separatrix.checker.fields import require_fields
from separatrix.checker.models.embedding import embed
from separatrix.checker.models.layer import under
from separatrix.checker.models.mixers.register_file import RegisterFile
from separatrix.checker.models.model import Model
from separatrix.checker.numbers import arrays
from separatrix.checker.numbers.boxes import Array, columns_of, known
from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.numbers.leads import leads_of, margin_of
from separatrix.checker.replay.predicates import (
    ALWAYS,
    NEVER,
    OPPOSITE,
    SAME,
    Places,
    Predicate,
    TooMany,
    chosen,
    local,
    same_some,
    shape_of,
)
from separatrix.checker.replay.proof import Proof, Unfit, Unproven, tokens_in
from separatrix.checker.seal import Refused
from separatrix.checker.specs.forms.form import Form
from separatrix.checker.specs.forms.local import Alphabets, Count, Part, Parts, settled
from separatrix.checker.specs.forms.lookup import Lookup

Margin = Fraction | float
WRITE, PART, ENTRY = 200_000, 200, 500  # work of one write, of each predicate of its registers, and of an entry of a table
UNARY = {(0, 1): SAME, (1, 0): OPPOSITE, (0, 0): NEVER, (1, 1): ALWAYS}  # by the values for 0 and for 1


def prove(model: Model, form: Form, document: Any, budget: Budget) -> Proof:
    """A proof for every input of every length of the claim; Unproven names the first hypothesis that fails."""
    require_fields(document, "proof", rule=str)
    d = model.description
    if not isinstance(form, Count | Lookup):
        raise Unfit("expected a lookup, or a task that counts local predicates")
    if not any(isinstance(layer.mixer, RegisterFile) for layer in d.layers):
        raise Unfit("expected a register file")
    mixer = d.layers[0].mixer
    if len(d.layers) > 1 or not isinstance(mixer, RegisterFile) or d.layers[0].feedforward is not None or d.layers[0].residual:
        raise Unproven("layer 1", "expected one layer, which is a register file alone")
    if d.readout.norm != "none" or d.layers[0].norm != "none" or d.readout.targets < 2:
        raise Unproven("read-out", "expected no norm, and more than one target")
    budget.allow(sum(form.lengths) * mixer.writes * WRITE, 1 << 24)
    try:
        machine = machine_of(model, mixer, budget)
        margin = min(least_lead(machine, form, n) for n in form.lengths)
    except (Refused, TooMany) as error:
        raise Unproven("layer 1", str(error)) from error
    if not margin > 0:
        raise Unproven("read-out", f"the right answer may trail by {float(-margin):.3g}")
    return Proof(
        "registers",
        margin,
        (
            "every token reaches the register file as its one-hot row and number",
            "every write leaves 0 or 1 in its register, which stays a constant, a local predicate, or an OR or AND of local predicates",
            f"executed on unknown symbols, on {tokens_in(form.lengths)}",
        ),
    )


@dataclass(frozen=True, eq=False)
class Machine:
    """A register file with its weights as integers, and the row and number of every token."""

    mixer: RegisterFile
    write: Array
    read: Array
    number_read: Array
    gates: Array
    ops: Numbers
    weighed: list[int]  # the registers that the read-out gives a weight
    readout: Array  # its columns for them, or a column of zeros
    bias: Array | None
    row: Array  # of each token
    number: Array  # of each token, -1 where it has none
    budget: Budget
    spent: list[int] = field(default_factory=lambda: [0])  # on writes, at all lengths

    def spend(self, *registers: Predicate) -> None:
        """The work of one write, by what it read and wrote."""
        self.spent[0] += WRITE + sum(len(h.parts) * PART + (h.parts[0].holds.size * ENTRY if len(h.parts) == 1 else 0) for h in registers)
        self.budget.allow(self.spent[0], 0)

    def source(self, t: int, k: int, token: int) -> int:
        """The register that write k of token t reads."""
        number = int(self.number[token])
        return int(self.read[t, k] if number < 0 else self.number_read[number, k])


@dataclass(frozen=True, eq=False)
class Write:
    """One write: where it happens, and F[s, h_w, h_r] for each token s that may stand there."""

    t: int
    k: int
    outcome: Array
    places: Places  # (t,), or none where only one token may stand there

    @property
    def where(self) -> str:
        """Its name in a message."""
        return f"layer 1, token {self.t + 1}, write {self.k + 1}"


def machine_of(model: Model, mixer: RegisterFile, budget: Budget) -> Machine:
    """The embedding of every token must be one-hot, and the same at every position."""
    e, w = model.description.embedding, under(model.layers[0], "mixer")
    if e.places or e.reads != "tokens":
        raise Unproven("embedding", "expected tokens without positions, because a register file has its own clock")
    x = embed(e, model.weights, model.ops, arrays.arange(e.vocabulary), 1)
    row = mixer.one_hot(model.ops, x, slice(0, mixer.rows))
    number = mixer.one_hot(model.ops, x, slice(mixer.rows, mixer.rows + mixer.numbered))
    if (row < 0).any():
        raise Unproven("embedding", f"token {int(arrays.flatnonzero(row < 0)[0])} does not arrive as the one-hot row of its kind")
    number_read = w["number_read"] if mixer.numbered else arrays.zeros((0, mixer.writes))
    readout = model.weights["readout.weight"]
    weighed = arrays.flatnonzero((readout[:, : mixer.registers] != 0).any(axis=0)).tolist()
    columns = columns_of(readout, weighed) if weighed else columns_of(readout * 0, [0])
    gates, bias = mixer.whole_gates(model.ops, w["gates"]), model.weights.get("readout.bias")
    return Machine(mixer, w["write"], w["read"], number_read, gates, model.ops, weighed, columns, bias, row, number, budget)


def least_lead(machine: Machine, form: Count | Lookup, n: int) -> Margin:
    """The least lead at all scored positions of inputs of n tokens."""
    if n > machine.mixer.length:
        raise Unproven("layer 1", f"inputs have {n} tokens, the register file has weights for {machine.mixer.length}")
    if isinstance(form, Count):
        asked = form.at(n)
        execution = Execution(machine, asked.alphabets)
        for t in range(n):
            execution.step(t)
        return _says(machine, execution, form, asked)
    alphabets, readers = form.alphabets(n), form.readers(n)
    asking: dict[int, list[tuple[range, int]]] = {}
    for t, first, last, place in zip(
        *(part.tolist() for part in (readers.position, readers.first, readers.last, readers.place)), strict=True
    ):
        asking.setdefault(t, []).append((range(first, last + 1), place))
    execution, leads = Execution(machine, alphabets), []
    for t in range(n):
        branches = [(tokens, place) for tokens, place in asking.get(t, ()) if tokens != alphabets[t]]
        if branches and t < n - 1:
            raise Unproven(f"token {t + 1}", "a token that names a place must be the last")
        for tokens, place in branches:
            leads.append(_looked_up(machine, execution, execution.changes(t, tokens), place, t))
        if not branches:
            execution.step(t)
            leads += [_looked_up(machine, execution, {}, place, t) for _, place in asking.get(t, ())]
    return min(leads)


@dataclass(frozen=True, eq=False)
class Execution:
    """The state of a register file on inputs of one length. Registers that are not in the state are 0."""

    machine: Machine
    alphabets: Alphabets
    state: dict[int, Predicate] = field(default_factory=dict)

    def step(self, t: int) -> None:
        """Take token t, whichever it is; scratch does not cross."""
        self.state.update({r: value for r, value in self.changes(t, self.alphabets[t]).items() if r < self.machine.mixer.registers})

    def changes(self, t: int, tokens: range) -> dict[int, Predicate]:
        """The registers that token t, one of these, has written, scratch among them."""
        machine, written, zero = self.machine, dict[int, Predicate](), Predicate(False)
        if len(tokens) > 1 and tokens != self.alphabets[t]:
            raise Unproven(f"token {t + 1}", "expected one token that names a place, or any token")
        for k in range(machine.mixer.writes):
            w, sources = int(machine.write[t, k]), {machine.source(t, k, token) for token in tokens}
            gates = machine.gates[t, k, machine.row[tokens.start : tokens.stop]]
            if len(sources) > 1:
                if bool((gates[:, 2:] != 0).any()):
                    raise Unproven(f"layer 1, token {t + 1}, write {k + 1}", "which register is read depends on a token before the last")
                sources = {w}
            r = sources.pop()
            hw, hr = (written.get(at) or self.state.get(at, zero) for at in (w, r))
            written[w] = self._written(t, k, tokens, gates, hw, hr, same=w == r)
            machine.spend(hw, hr, written[w])
        return written

    def _written(self, t: int, k: int, tokens: range, gates: Array, hw: Predicate, hr: Predicate, same: bool) -> Predicate:
        a, b, c, d = (gates[:, i][:, None, None] for i in range(4))
        w, r = arrays.array([0, 1])[None, :, None], arrays.array([0, 1])[None, None, :]
        F = a + b * w + c * r + d * w * r
        may = arrays.ones((1, 2, 2), dtype=bool)
        if hw.constant:
            may = may & (w == hw.negated)
        if hr.constant:
            may = may & (r == hr.negated)
        if same:
            may = may & (w == r)
        write = Write(t, k, F, (t,) if len(tokens) > 1 else ())
        if bool((may & (F != 0) & (F != 1)).any()):
            wrong = int(F[arrays.broadcast_to(may, F.shape) & (F != 0) & (F != 1)][0])
            raise Unproven(write.where, f"a one-bit register may get {wrong}")
        if same:
            return self._of_one(write, arrays.stack([F[:, 0, 0], F[:, 1, 1]], axis=1), hw)
        if hw.constant:
            return self._of_one(write, F[:, int(hw.negated), :], hr)
        if hr.constant:
            return self._of_one(write, F[:, :, int(hr.negated)], hw)
        if bool((F[:, 0] == F[:, 1]).all()):
            return self._of_one(write, F[:, 0], hr)
        if bool((F[:, :, 0] == F[:, :, 1]).all()):
            return self._of_one(write, F[:, :, 0], hw)
        return self._of_two(write, hw, hr)

    def _of_one(self, write: Write, outcome: Array, h: Predicate) -> Predicate:
        """outcome[s, h], for the token s and one register."""
        if h.local:
            places = tuple(sorted({*h.places, *write.places}))
            return local(places, outcome[self._token(write, places), h.table(places, self.alphabets).astype(arrays.int64)] == 1)
        what = arrays.array([UNARY[int(one[0]), int(one[1])] for one in outcome])
        predicate = chosen(h, write.places, what[self._token(write, write.places)])
        if predicate is None:
            raise Unproven(write.where, "a token changes a register that depends on many places in a way that is not covered")
        return predicate

    def _of_two(self, write: Write, hw: Predicate, hr: Predicate) -> Predicate:
        """F[s, h_w, h_r]: one of the registers collects predicates, the other is local; or both are local and form a new predicate."""
        for gathers, other, axis in ((hw, hr, 1), (hr, hw, 2)):
            if other.local:
                places = tuple(sorted({*other.places, *write.places}))
                s, value = self._token(write, places), other.table(places, self.alphabets).astype(arrays.int64)
                zero, one = (arrays.take(write.outcome, bit, axis=axis)[s, value] for bit in (0, 1))
                what = arrays.where(zero == one, arrays.where(one == 1, ALWAYS, NEVER), arrays.where(one == 1, SAME, OPPOSITE))
                predicate = chosen(gathers, places, what)
                if predicate is not None:
                    return predicate
        if not (hw.local and hr.local):
            raise Unproven(write.where, "two registers that depend on many places are joined in a way that is neither an OR nor an AND")
        places = tuple(sorted({*hw.places, *hr.places, *write.places}))
        w, r = (h.table(places, self.alphabets).astype(arrays.int64) for h in (hw, hr))
        return local(places, write.outcome[self._token(write, places), w, r] == 1)

    def _token(self, write: Write, places: Places) -> Array:
        """The number of the token of a write, over all combinations of these places."""
        shape = shape_of(places, self.alphabets)
        if not write.places:
            return arrays.zeros(shape)
        axis = places.index(write.t)
        return arrays.broadcast_to(arrays.arange(shape[axis]).reshape([-1 if i == axis else 1 for i in range(len(shape))]), shape)


# -- what is read out --------------------------------------------------------------------------------------------------------------


def _looked_up(machine: Machine, execution: Execution, written: dict[int, Predicate], place: int, t: int) -> Margin:
    """The lead of the token at a place, over all combinations of the tokens that the weighed registers depend on."""
    alphabets, zero = execution.alphabets, Predicate(False)
    held = {r: written.get(r) or execution.state.get(r, zero) for r in machine.weighed}
    for r, h in held.items():
        if not h.local:
            raise Unproven(f"token {t + 1}", f"register {r + 1} depends on many places, but the token at one place is queried")
    places = tuple(sorted({p for h in held.values() for p in h.places} | ({place} if len(alphabets[place]) > 1 else set())))
    bits = {r: h.table(places, alphabets).reshape(-1) for r, h in held.items()}
    shape = shape_of(places, alphabets)
    number = arrays.arange(math.prod(shape))
    digit = arrays.unravel_index(number, shape)[places.index(place)] if place in places else arrays.zeros(len(number))
    return _lead(machine, bits, alphabets[place].start + digit)


def _says(machine: Machine, execution: Execution, form: Count, asked: Parts) -> Margin:
    """The lead of the answer if every weighted register is constant or shows which answer is right."""
    always, parts = settled(asked.parts)
    bound = form.above(asked) - always
    if bound == 0:
        wanted, negated = parts, False  # more than none: some
    elif bound == len(parts) - 1:
        wanted, negated = [Part(part.places, ~part.holds) for part in parts], True  # all: not some of the contraries
    else:
        raise Unproven("task", f"expected some or all predicates, found more than {bound} of {len(parts)}")
    right = arrays.array([False, True])  # whether more parts hold than the bound
    bits: dict[int, Array] = {}
    for r in machine.weighed:
        h = execution.state.get(r, Predicate(False))
        if h.constant:
            bits[r] = arrays.full(2, h.negated)
            continue
        turned = h.turned(negated)
        if turned is not None and same_some(turned.parts, wanted, asked.alphabets):
            bits[r] = right
            continue
        turned = h.opposite().turned(negated)
        if turned is None or not same_some(turned.parts, wanted, asked.alphabets):
            raise Unproven("read-out", f"register {r + 1} is read out but does not show whether the predicates of the task hold")
        bits[r] = ~right
    return _lead(machine, bits, arrays.array([form.few, form.many]))


def _lead(machine: Machine, bits: dict[int, Array], targets: Array) -> Margin:
    """Over the weighed registers alone: the others are multiplied by 0, which rounds nothing."""
    ops = machine.ops
    x = arrays.stack([bits[r] for r in machine.weighed], axis=1) if bits else arrays.zeros((len(targets), 1))
    logits = ops.linear(ops.integers(x.astype(arrays.int64)), machine.readout, machine.bias)
    return margin_of(ops, leads_of(ops, known(logits), targets))

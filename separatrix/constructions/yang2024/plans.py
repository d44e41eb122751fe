"""What comes next: the kind and the state of the next token, and the positions that the next state reads.

[yang2024 Assumption 1] [yang2024 Assumption B.1] [yang2024 Assumption B.2; blocks 1 and 2 of the proof of Theorem B.3]

    networks   computed from the vector that was written last, by feed-forward parts of constant size: F, the flag of the last state, and
               the positions of h_1 .. h_K and g_1 .. g_J by formulas of the next state. No number of weights depends on L.
    table      the order of the states does not depend on the input, so a learned embedding of positions may hold all of this, in L rows.
               That is not the construction of the proof: what was written is then read as a value alone, and states may be anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np

from separatrix.arithmetic.format import parse_format
from separatrix.constructions.address_weights import AddressWeights
from separatrix.constructions.assembler import Assembler
from separatrix.constructions.forms import Form, slot_form
from separatrix.constructions.gadgets import constant
from separatrix.constructions.known import of_form
from separatrix.constructions.parts.integer_gadgets import zero
from separatrix.constructions.yang2024.expressions import Expressions
from separatrix.errors import BadInput
from separatrix.tasks.programs.expression import Expression, Multiple, Value, either, every, where
from separatrix.tasks.programs.maps import Maps, chosen, maps_of
from separatrix.tasks.programs.unrolled import ANSWER, SEPARATOR, STATE, Unrolled

MapsKept = Literal["networks", "table"]
KIND, PLACE, FOLLOWS = "the kind of a token", "its place", "whether a state follows"  # names that no parameter of a method can have
WITHIN = 1 / 4  # how far a position may be off: two neighbours are then told apart by half of what whole numbers give


@dataclass(frozen=True, eq=False)
class Plan:
    """Forms that say what comes next, at every token."""

    one: Form
    kind: Form
    flags: tuple[Form, Form]  # whether a state comes next, whether the answer does
    coordinates: dict[str, Form]  # of the next state, 0 where none comes
    targets: dict[str, Form]  # for each read, its position; never one that lies ahead
    defined: dict[str, Form]  # for each read, whether there is a place to read, if that was asked for
    off: float  # how far a target may be off
    constant_size: bool  # whether the number of units is the same at every n


def planned(net: Assembler, u: Unrolled, place: Form, maps: MapsKept, name: str, defined: bool = False) -> Plan:
    """What comes next, by networks or by a table."""
    return _by_table(net, u, defined) if maps == "table" else _by_networks(net, u, place, _maps(u, name), name, defined)


def _by_table(net: Assembler, u: Unrolled, defined: bool) -> Plan:
    N, R, c = len(u.states), len(u.reads), len(u.coordinates)
    rows = np.zeros((u.length, R + 4 + c))
    rows[:, :R] = np.minimum(np.arange(1, u.length + 1), u.separator)[:, None]  # where no state follows, the separator, once it is there
    rows[:, R] = 1.0
    following = slice(u.separator - 1, u.separator - 1 + N)  # the separator, and every state but the last
    rows[following, :R] = u.positions
    rows[following, R + 1 : R + 3] = [STATE, 1.0]
    rows[u.separator - 1 + N, [R + 1, R + 3]] = [ANSWER, 1.0]
    rows[following, R + 4 :] = u.states
    form = net.place("plan", AddressWeights("table", rows.shape[1], rows))
    there = {}
    if defined:
        flags = net.place("defined", AddressWeights("table", R, 1.0 * (rows[:, :R] != u.separator)))
        there = {name: flags[r] for r, name in enumerate(u.reads)}
    return Plan(
        one=form[R],
        kind=form[R + 1],
        flags=(form[R + 2], form[R + 3]),
        coordinates={name: form[R + 4 + k] for k, name in enumerate(u.coordinates)},
        targets={name: form[r] for r, name in enumerate(u.reads)},
        defined=there,
        off=0.0,
        constant_size=False,
    )


def _by_networks(net: Assembler, u: Unrolled, place: Form, maps: Maps, name: str, defined: bool) -> Plan:
    """Block 1: the next state. Block 2: the last state's flag and the positions."""
    format = parse_format(net.arithmetic)
    state = slot_form("state", len(u.coordinates))
    hull = {key: (int(min(0, *column)), int(max(0, *column))) for key, column in zip(u.coordinates, u.states.T, strict=True)}

    kind = Value(KIND)
    starts, goes_on = kind == SEPARATOR, kind == STATE
    more, done = every(goes_on, ~maps.last), every(goes_on, maps.last)
    follows = either(starts, more)
    coming = [Multiple(start, (starts,)) + chosen(cases, more) for start, cases in zip(maps.first, maps.following, strict=True)]
    values = {KIND: slot_form("kind", 1), **{key: state[c] for c, key in enumerate(u.coordinates)}}
    first = Expressions(values, {KIND: (0, ANSWER), **hull}, format, small_table=0)
    roots: tuple[Expression, ...] = (*coming, follows, done, starts, goes_on)
    opening = net.pointwise()
    one = opening.write("one", constant(1.0))
    free, (*next_state, flag, ends, begins, running) = first.write(net, opening, roots)
    coordinates = dict(zip(u.coordinates, next_state, strict=True))

    reads, entry = Value(FOLLOWS) == 1, Value(KIND) == 0
    nowhere = where(entry, Value(PLACE), 0) + u.separator * ~either(
        reads, entry
    )  # no state comes: a place not ahead, and the separator's if it is there
    values = {FOLLOWS: flag, KIND: slot_form("kind", 1), PLACE: place[0], **coordinates}
    second = Expressions(values, {FOLLOWS: (0, 1), KIND: (0, ANSWER), PLACE: (1, u.length), **hull}, format, small_table=0)
    targets = [chosen(cases, reads) + nowhere for cases in maps.positions.values()]
    free, positions = second.write(net, free, tuple(targets))
    off = max(of_form(form, net.layers[-1].ends()[1]).off for form in positions)
    if off > WITHIN:
        raise BadInput(
            f"{name}: positions may be off by {off:.3g} in {net.arithmetic}, expected at most {WITHIN}; maps=table has no such error"
        )

    there = {}
    if defined:
        layer = free or net.pointwise()
        there = {read: 1 - layer.write(f"{read} is nowhere", zero(t - u.separator)) for read, t in zip(u.reads, positions, strict=True)}
    return Plan(
        one=one,
        kind=STATE * begins + STATE * running + (ANSWER - STATE) * ends,
        flags=(flag, ends),
        coordinates=coordinates,
        targets={read: Form(t.terms, 0 * t.constant) + float(t.constant[0]) * one for read, t in zip(u.reads, positions, strict=True)},
        defined=there,
        off=off,
        constant_size=not (first.grows or second.grows),
    )


@lru_cache(maxsize=64)
def _maps(u: Unrolled, name: str) -> Maps:
    return maps_of(u, name)

"""Brackets by attention: two causal layers generate Dyck, three recognise it; any number of types, bounded or not, constant width.

[bhattamishra2024 Remark 3; two layers]

Layer 1 computes the depth of every bracket (parts/bracket_depth.py), and flags what lies below the ground or too deep.
Layer 2 finds, at a closing bracket, its partner: the latest bracket that opened to one more than the depth now. Their types must agree.
Layer 3 looks for flags, everywhere before the end, and for brackets that are still open.

To generate, two are enough: at every bracket, layer 2 finds the latest one that opened to the depth now, which may be closed next.

The width is 3 b + 13 with b bits for a type, 3 b + 10 to generate, whatever N and k are. Hidden units grow in number with k, scales with N.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from separatrix.architectures import Architecture
from separatrix.arithmetic.format import parse_format
from separatrix.bits import bits_for
from separatrix.certificates.construction import Construction, Sizes
from separatrix.constructions.forms import column, row, stack
from separatrix.constructions.gadgets import sign, xor_where
from separatrix.constructions.parts.bracket_depth import bracket_scale, read_depths, refuse_blurred
from separatrix.constructions.parts.symbol_codes import sign_code
from separatrix.constructions.parts.thresholds import more_than, threshold_of_count
from separatrix.errors import BadInput
from separatrix.tasks.dyck import Dyck
from separatrix.tasks.dyck_languages import Dyck2
from separatrix.tasks.dyck_next import DyckNext

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

DEEPEST = 2000  # hidden units of the square


def dyck(task: Dyck, arithmetic: str = "float64") -> Built:
    """Bounded Dyck by three layers, one head each."""
    return _recognised(task, DYCK_THREE_LAYERS, task.depth, arithmetic)


def dyck_2(task: Dyck2, arithmetic: str = "float64") -> Built:
    """2DYCK, of any depth, read at the end symbol: what is deeper than half of the word cannot be closed."""
    return _recognised(task, DYCK_2_SOFT, task.length // 2, arithmetic)


def _recognised(task: Dyck | Dyck2, declared: Construction, k: int, arithmetic: str) -> Built:
    n, tokens, format = task.types, task.token_count, parse_format(arithmetic)
    deepest = _deepest(task, k)
    refuse_blurred(tokens, deepest, format, task.name)
    brackets = read_depths(n, 2, tokens, deepest, arithmetic, ends=task.vocabulary - 2 * n)
    first = brackets.layer
    depth, square = brackets.depth(), brackets.square()
    below, too_deep = [(1.0, -1, 0), (-1.0, -1, 1)], [(1.0, 1, k), (-1.0, 1, k + 1)]  # d <= -1, d >= k + 1
    astray = first.write("astray", brackets.function("outside", [*below, *too_deep], 1.0))
    pending = first.write("pending", brackets.function("still open", [(1.0, 1, 0), (-1.0, 1, 1)], 1.0))  # d >= 1

    second = brackets.net.layer()
    partner = brackets.latest(second, depth + brackets.one, depth, square, "partner")
    differs = second.write("differs", xor_where(partner, brackets.kind, brackets.closes))

    third = brackets.net.layer(attention="uniform")
    mean = third.attend("flags", value=astray + differs.total(), into="flags")
    wrong = third.write("wrong", more_than(0, mean, tokens, _flags(task), format, f"{task.name}, N = {task.length}"))
    brackets.net.read_out(column(1.0, -1.0) @ row(1.0, 1.0)[None], stack(wrong, pending), row(0.0, 1.0))
    return brackets.net.compile(task, declared.name, declared.cites, {}, {"G": bracket_scale(tokens)})


def dyck_next(task: DyckNext, arithmetic: str = "float64") -> Built:
    """Two layers, one head each: the top of the stack at every position."""
    n, b, deepest = task.types, bits_for(task.types), _deepest(task, task.depth)
    refuse_blurred(task.length, deepest, parse_format(arithmetic), task.name)
    brackets = read_depths(n, n + 1, task.length, deepest, arithmetic)
    depth, square = brackets.depth(), brackets.square()
    pending = brackets.layer.write("pending", brackets.function("still open", [(1.0, 1, 0), (-1.0, 1, 1)], 1.0))  # d >= 1

    second = brackets.net.layer()
    z = brackets.latest(second, depth, depth, square, "top")
    top = second.write("kind on top", sign(z))
    # type a has b - 2 hamming, at most b; `none` has b + 1 where nothing is open, and b - 2 elsewhere
    weights = np.zeros((n + 1, b + 1))
    weights[:n, :b], weights[n, b] = sign_code(n), -3.0
    brackets.net.read_out(weights, stack(top, pending), np.array([0.0] * n + [b + 1.0]))
    return brackets.net.compile(task, DYCK_NEXT_TWO_LAYERS.name, DYCK_NEXT_TWO_LAYERS.cites, {}, {"G": bracket_scale(task.length)})


def _deepest(task: Dyck | Dyck2 | DyckNext, k: int) -> int:
    """D: no word of N brackets that is right is deeper than N/2."""
    deepest = min(k, task.length // 2) + 1
    if deepest > DEEPEST:
        raise BadInput(f"{task.name}: depth {k} needs more than {DEEPEST} hidden units")
    return deepest


def _flags(task: Dyck | Dyck2) -> int:
    """The most that flags add up to."""
    return task.token_count * (1 + bits_for(task.types))


def _sizes(task: Dyck | Dyck2, k: int, arithmetic: str) -> Sizes:
    format, b = parse_format(arithmetic), bits_for(task.types)
    refuse_blurred(task.token_count, _deepest(task, k), format, task.name)
    threshold_of_count(0, task.token_count, _flags(task), format, task.name)
    return Sizes(layers=3, heads=1, width=3 * b + 13, value_width=max(2, b), precision_bits=format.bits)


def _next_sizes(task: DyckNext, arithmetic: str) -> Sizes:
    format, b = parse_format(arithmetic), bits_for(task.types)
    refuse_blurred(task.length, _deepest(task, task.depth), format, task.name)
    return Sizes(layers=2, heads=1, width=3 * b + 10, value_width=max(2, b), precision_bits=format.bits)


DYCK_NEXT_TWO_LAYERS = Construction(
    name="dyck-next/two-layer",
    computes=DyckNext,
    architecture=Architecture.TWO_LAYERS,
    build=dyck_next,
    formula=_next_sizes,
    quick=({"length": 8}, {"length": 20, "types": 3, "depth": 10}),
)
DYCK_THREE_LAYERS = Construction(
    name="dyck/three-layer",
    computes=Dyck,
    architecture=Architecture.THREE_LAYERS,
    build=dyck,
    formula=lambda task, arithmetic: _sizes(task, task.depth, arithmetic),
    quick=({"length": 6}, {"length": 12, "depth": 6}),
)
DYCK_2_SOFT = Construction(
    name="dyck-2/soft-attention",
    computes=Dyck2,
    architecture=Architecture.THREE_LAYERS,
    build=dyck_2,
    formula=lambda task, arithmetic: _sizes(task, task.length // 2, arithmetic),
    quick=({"length": 6}, {"length": 14}),
)

"""Feed-forward gadgets: small functions as sums of ReLU units, each with the inputs on which it is exact.

A gadget is a list of parts; it computes  sum over parts of  matrix @ (relu(form) * gate)  plus a constant.
`tolerance` is how far each input may lie from the value it stands for without any effect on the output.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from separatrix.constructions.forms import Array, Form, row, stack
from separatrix.errors import BadInput


@dataclass(frozen=True, eq=False)
class Part:
    """matrix @ (relu(form) * gate); without a gate the factor is 1."""

    matrix: Array  # [outputs, units]
    form: Form  # one row per unit
    gate: Form | None = None

    def __post_init__(self) -> None:
        assert self.matrix.shape[1] == self.form.rows, "one row of the form for each unit"
        assert self.gate is None or self.gate.rows == self.form.rows, "one row of the gate for each unit"


@dataclass(frozen=True, eq=False)
class Gadget:
    """A function of slots, ready to be written into one."""

    name: str
    parts: tuple[Part, ...]
    constant: Array  # [outputs]
    inputs: tuple[Form, ...] = ()
    tolerance: float = 0.0
    high: float | None = 1.0  # outputs lie in [low, high] and are exact when inputs are within the tolerance; None: what the parts allow
    low: float | None = 0.0
    slope: float | None = None  # how much an error of the inputs may grow; None: what the parts allow
    chooses: Form | None = None  # every output is 0 or this value, which bounds it better than its parts do
    activation: Literal["", "gelu"] = ""  # of its units; that of the program if it does not say
    approximation: float = 0.0  # how far its outputs may be off where its inputs are exact

    @property
    def outputs(self) -> int:
        """The number of outputs."""
        return len(self.constant)

    @property
    def units(self) -> int:
        """The number of hidden units."""
        return sum(part.form.rows for part in self.parts)

    @property
    def gated(self) -> bool:
        """Whether it multiplies two forms."""
        return any(part.gate is not None for part in self.parts)


def step(z: Form) -> Gadget:
    """0 for z <= 1/4, 1 for z >= 3/4: relu(2z - 1/2) - relu(2z - 3/2)."""
    return _rowwise("step", [(1.0, 2 * z - 0.5), (-1.0, 2 * z - 1.5)], (z,), tolerance=0.25)


def sign(z: Form) -> Gadget:
    """-1 for z <= -1/2, 1 for z >= 1/2: relu(2z + 1) - relu(2z - 1) - 1."""
    return _rowwise("sign", [(1.0, 2 * z + 1), (-1.0, 2 * z - 1)], (z,), tolerance=0.5, constant=-1.0, low=-1.0)


def clip(z: Form, low: float, high: float) -> Gadget:
    """z clipped to [low, high]: low + relu(z - low) - relu(z - high)."""
    return _rowwise("clip", [(1.0, z - low), (-1.0, z - high)], (z,), tolerance=0.0, constant=low, low=low, high=high, slope=1.0)


def xor(a: Form, b: Form) -> Gadget:
    """For a, b of magnitude in [1/2, 1]: 1 where their signs differ, else 0."""
    parts = [(1.0, 2 * (a - b) - 1), (-1.0, 2 * (a - b) - 2), (1.0, 2 * (b - a) - 1), (-1.0, 2 * (b - a) - 2)]
    return _rowwise("xor", parts, (a, b), tolerance=0.5)  # equal signs differ by at most 1/2, unequal ones by at least 1


def xor_where(a: Form, b: Form, flag: Form) -> Gadget:
    """XOR where the flag is 1, and 0 where it is 0, whatever a and b in [-1, 1] may be: the flag lifts a - b by 2 or not."""
    lifted = 4 * stack(*[flag] * a.rows) - 4  # 0 or -4, and 2 (a - b) is at most 4
    parts = [
        (1.0, 2 * (a - b) - 1 + lifted),
        (-1.0, 2 * (a - b) - 2 + lifted),
        (1.0, 2 * (b - a) - 1 + lifted),
        (-1.0, 2 * (b - a) - 2 + lifted),
    ]
    return _rowwise("xor where", parts, (a, b, flag), tolerance=0.25)  # 4 - 1 - 4 + 4/4 <= 0, and 2 (2 - 2/4) - 2 - 4/4 >= 0


def conjunction(flags: Sequence[Form]) -> Gadget:
    """1 where every flag is 1: relu(sum - (m - 1)), for flags that are exactly 0 or 1."""
    total = flags[0]
    for flag in flags[1:]:
        total = total + flag
    return _rowwise("and", [(1.0, total - (len(flags) - 1))], tuple(flags), tolerance=0.0)


def truth_table(bits: Form, table: Form) -> Gadget:
    """table[v] where v is the number that the bits 0, 1 spell, least significant first: the sum over v of step(m_v + t_v - k).

    m_v counts the bits that agree with v. So m_v + t_v is k + 1 at the right v if its entry is 1, and at most k elsewhere.
    It adds up k + 1 inputs, and a step tolerates 1/4.
    """
    k = bits.rows
    if table.rows != 2**k:
        raise BadInput(f"a truth table over {k} bits has {2**k} entries, found {table.rows}")
    spelled = ((np.arange(2**k)[:, None] >> np.arange(k)) & 1).astype(np.float64)
    agreeing = bits.through(2 * spelled - 1) + Form({}, k - spelled.sum(axis=1))  # b where v has a one, 1 - b where it has a zero
    z, every = agreeing + table - k, np.ones((1, 2**k))
    parts = (Part(every, 2 * z - 0.5), Part(-every, 2 * z - 1.5))
    return Gadget("truth table", parts, np.zeros(1), (bits, table), tolerance=table_tolerance(k))


def table_tolerance(k: int) -> float:
    """How far the bits and the entries that a truth table reads may be off."""
    return 1 / (4 * (k + 1))


def indicator(x: Form, value: int) -> Gadget:
    """1 where the integer x equals `value`: relu(x - v + 1) - 2 relu(x - v) + relu(x - v - 1)."""
    return _rowwise("indicator", [(1.0, x - (value - 1)), (-2.0, x - value), (1.0, x - (value + 1))], (x,), tolerance=0.0)


def at_least(x: Form, value: float, gap: float = 1.0) -> Gadget:
    """1 where x >= value, 0 where x <= value - gap; `gap` a power of two keeps the weights exact."""
    if math.log2(gap) % 1:
        raise BadInput(f"at_least: the gap must be a power of two, found {gap}")
    return _rowwise("at least", [(1 / gap, x - (value - gap)), (-1 / gap, x - value)], (x,), tolerance=0.0)


def sum_of_steps(start: float, steps: Sequence[tuple[float, Form, float, float]], x: Form) -> Gadget:
    """`start`, and for each (height, form of x, value, gap) the height where the form is at least the value, as in `at_least`."""
    parts = [part for height, form, value, gap in steps for part in ((height / gap, form - (value - gap)), (-height / gap, form - value))]
    return _rowwise("sum of steps", parts or [(0.0, x)], (x,), tolerance=0.0, constant=start)


def lookup_table(x: Form, table: Mapping[int, float]) -> Gadget:
    """table[x] for integers x in a range without holes: piecewise linear, one unit per change of slope.

    [wen2024 Lemma B.4; keys of several digits are one integer, and a table of B^k keys has at most B^k units]
    [wen2024 Lemma B.23; x is then the position]
    """
    keys = sorted(table)
    if keys != list(range(keys[0], keys[-1] + 1)):
        raise BadInput("a lookup table needs consecutive integers")
    parts, slope = [], 0.0
    for here, after in itertools.pairwise(keys):
        change = table[after] - table[here] - slope
        slope += change
        if change:
            parts.append((change, x - here))
    values = list(table.values())
    return _rowwise("lookup table", parts or [(0.0, x)], (x,), tolerance=0.0, constant=table[keys[0]], low=min(values), high=max(values))


def identity(x: Form) -> Gadget:
    """x itself, through a part that has no residual: relu(x) - relu(-x)."""
    return _rowwise("identity", [(1.0, x), (-1.0, -x)], (x,), tolerance=0.0, low=None, high=None, slope=1.0)


def absolute(x: Form) -> Gadget:
    """|x|: relu(x) + relu(-x)."""
    return _rowwise("absolute", [(1.0, x), (1.0, -x)], (x,), tolerance=0.0, low=None, high=None, slope=1.0)


def constant(*values: float) -> Gadget:
    """Numbers that do not depend on the stream."""
    return Gadget("constant", (), row(*values), low=min(values), high=max(values))


def product(x: Form, y: Form) -> Gadget:
    """x y by two gated units: relu(x) y - relu(-x) y. Needs ReGLU.

    [wen2024 Lemma B.1; the units are subtracted, and the second factor has no ReLU]
    """
    eye = np.eye(x.rows)
    return Gadget("product", (Part(eye, x, y), Part(-eye, -x, y)), np.zeros(x.rows), (x, y), low=None, high=None)


def gated(flag: Form, value: Form) -> Gadget:
    """value where the flag is 1, 0 where it is 0: relu(flag) value. Needs ReGLU."""
    every, eye = flag if flag.rows == value.rows else stack(*[flag] * value.rows), np.eye(value.rows)
    return Gadget("gate", (Part(eye, every, value),), np.zeros(value.rows), (flag, value), low=None, high=None, chooses=value)


def when(flags: Sequence[Form], value: Form, unless: Sequence[Form] = ()) -> Gadget:
    """The value where every flag is 1 and none of `unless` is, else 0: relu(sum of flags - sum of unless - (m - 1)) value. Needs ReGLU.

    [wen2024 Lemma B.2; without flags it is the linear map, whose gate is held at 1]

    One unit for each row of the value; flags are exactly 0 or 1, and at least one of them is 1 wherever one of `unless` is not.
    """
    total: Form = Form({}, np.array([1.0 - len(flags)]))
    for flag in flags:
        total = total + flag
    for flag in unless:
        total = total - flag
    return replace(gated(total, value), name="when", inputs=(*flags, *unless, value), chooses=value)


def equal(x: Form, y: Form, value: Form) -> Gadget:
    """The value where the integers x and y are equal, else 0: (relu(d + 1) - 2 relu(d) + relu(d - 1)) value with d = x - y. Needs ReGLU.

    [wen2024 Lemma B.3; with dyadic weights and width 3]
    """
    eye, d = np.eye(value.rows), stack(*[x - y] * value.rows)
    parts = (Part(eye, d + 1, value), Part(-2 * eye, d, value), Part(eye, d - 1, value))
    return Gadget("equal", parts, np.zeros(value.rows), (x, y, value), low=None, high=None, chooses=value)


def threshold(x: Form, least: float, gap: float, value: Form) -> Gadget:
    """The value where x >= least, 0 where x <= least - gap; `gap` a power of two. Needs ReGLU.

    [wen2024 Lemma B.5]
    """
    if math.log2(gap) % 1:
        raise BadInput(f"threshold: the gap must be a power of two, found {gap}")
    eye, every = np.eye(value.rows) / gap, stack(*[x] * value.rows)
    return Gadget("threshold", (Part(eye, every - (least - gap), value), Part(-eye, every - least, value)), np.zeros(value.rows),
                  (x, value), low=None, high=None, chooses=value)  # fmt: skip


def interval(x: Form, least: float, most: float, gap: float, value: Form) -> Gadget:
    """The value where least <= x <= most, 0 where x <= least - gap or x >= most + gap: a difference of two thresholds. Needs ReGLU.

    [wen2024 Lemma B.6; for x >= v + eps above the interval]
    """
    lower, upper = threshold(x, least, gap, value), threshold(x, most + gap, gap, value)
    parts = (*lower.parts, *(Part(-part.matrix, part.form, part.gate) for part in upper.parts))
    return Gadget("interval", parts, np.zeros(value.rows), (x, value), low=None, high=None, chooses=value)


def _rowwise(
    name: str,
    parts: Sequence[tuple[float, Form]],
    inputs: tuple[Form, ...],
    tolerance: float,
    constant: float = 0.0,
    low: float | None = 0.0,
    high: float | None = 1.0,
    slope: float | None = None,
) -> Gadget:
    """A gadget that treats every row the same: sum of coefficient relu(form)."""
    rows = parts[0][1].rows
    eye = np.eye(rows)
    units = tuple(Part(coefficient * eye, form) for coefficient, form in parts)
    return Gadget(name, units, np.full(rows, constant, dtype=np.float64), inputs, tolerance, high, low, slope)

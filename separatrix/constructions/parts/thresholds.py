"""More than b of n: a threshold on the average that uniform attention computes, in a number format.

    n   tokens that are averaged over       c   how many of them hold a 1, at most `most`
    b   the bound                           M   a power of two, so that M z is exact for a stored z

In exact formats a uniform weight is stored as W 2^-f, the average is exactly c W 2^-f, and W must not be 0: f >= log2 n.
Elsewhere the average is c/n up to rounding, and the threshold stands half-way between b/n and (b + 1)/n.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from separatrix.arithmetic import Format
from separatrix.bits import ceil_log2
from separatrix.constructions.forms import Form
from separatrix.constructions.gadgets import Gadget, at_least
from separatrix.constructions.number_limits import largest_number, uniform_weight
from separatrix.constructions.parts.softmax_reads import accumulated, roundoff
from separatrix.errors import BadInput


def more_than(b: int, mean: Form, n: int, most: int, format: Format, where: str) -> Gadget:
    """1 where more than b of n tokens hold a 1, given their mean; refused if the format cannot distinguish b from b + 1."""
    threshold = threshold_of_count(b, n, most, format, where)
    return replace(at_least(threshold.M * mean, threshold.value, threshold.gap), name="more than", inputs=(mean,))


@dataclass(frozen=True)
class Threshold:
    """M z >= value where more than b tokens hold a 1, and M z <= value - gap elsewhere, for their mean z."""

    M: float
    value: float
    gap: float


def threshold_of_count(b: int, n: int, most: int, format: Format, where: str) -> Threshold:
    """The threshold between b and b + 1 ones among n tokens, of which at most `most` hold a 1."""
    b = max(-1, min(b, most))  # bounds below 0 are all the same, and so are bounds above `most`
    return _stored(b, n, most, format, where) if format.exact else _rounded(b, n, most, format, where)


def _stored(b: int, n: int, most: int, format: Format, where: str) -> Threshold:
    W, one = uniform_weight(n, format), 1 << format.fraction
    if W == 0:
        raise BadInput(
            f"{where}: a uniform weight 1/{n} vanishes in {format.name}; log2 {n} = {math.log2(n):.3g} fractional bits are needed"
        )
    M = 1 << ceil_log2((one - 1) // W + 1)  # the least power of two with M W 2^-f >= 1
    step = M * W / one  # M z = c step, so c > b exactly where M z >= b step + 1
    if max(most * step + 1, M) > largest_number(format):
        raise BadInput(
            f"{where}: counting to {most} of {n} needs numbers up to {max(most * step + 1, M):.4g}, more than {format.name} holds"
        )
    return Threshold(float(M), b * step + 1, gap=1.0)


def _rounded(b: int, n: int, most: int, format: Format, where: str) -> Threshold:
    M = 2.0 ** ceil_log2(n)  # M/n lies in [1, 2): so does the distance of two counts
    value = (b + 0.5) * M / n + 0.25  # M b/n lies at least 1/4 below value - 1/2, and M (b + 1)/n as much above value
    off = 2 * (b + 1) * (accumulated(format, n) + 2 * roundoff(format))
    blurred = 2 * 2 * roundoff(format) * most * M / n  # a difference of two numbers as large as M c/n, doubled
    if max(off, blurred) > 0.25:
        raise BadInput(f"{where}: rounding in {format.name} cannot distinguish {b} of {n} from {b + 1}, or counts to {most} too coarsely")
    return Threshold(M, value, gap=0.5)

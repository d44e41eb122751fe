"""The fourth paper's gadgets as it states them, with GeLU units: approximate, and with weights that grow with the precision asked for.

[yang2024 Lemma A.1] [yang2024 Lemma A.2] [yang2024 Lemma A.3] [yang2024 Lemma A.4]

Notation   s   GeLU, x Phi(x)        M  bound on the magnitude of the inputs       u  unit of rounding of the format
           R   s(lam x) / lam, the ReLU up to 0.17 / lam

The constructions use ReLU units and gates (integer_gadgets.py), which are exact, and of these the product alone, where the factors grow
with n: a table of squares would too. A product in float64 is good to about 3e-11 M^2 at best, in float32 to 2e-5 M^2.
Exact formats have no GeLU, so none of this can be built in them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from separatrix.constructions.forms import Array, Form, stack
from separatrix.constructions.gadgets import Gadget, Part
from separatrix.errors import BadInput


@dataclass(frozen=True, eq=False)
class Units:
    """outer @ s(inner @ x): a feed-forward part without biases."""

    inner: Array  # [units, inputs]
    outer: Array  # [outputs, units]


def product(M: float, u: float) -> Units:
    """a b for |a|, |b| <= M: s is x/2 + x^2 / sqrt(2 pi) near 0, and its odd part cancels.

    With lam = M u^(-1/3) the truncation, a b (a^2 + b^2) / (3 lam^2), is as large as the rounding, about lam M u.
    """
    if not M > 0 or not 0 < u < 1:
        raise BadInput(f"product: expected a bound above 0 and a unit of rounding in (0, 1), found M={M}, u={u}")
    lam = M * u ** (-1 / 3)
    inner = np.array([[1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]]) / lam
    return Units(inner, math.sqrt(2 * math.pi) * lam**2 / 8 * np.array([[1.0, 1.0, -1.0, -1.0]]))


def approximate_product(x: Form, y: Form, M: float, u: float, low: float, high: float) -> Gadget:
    """x y in [low, high] for |x|, |y| <= M as a gadget of four GeLU units, whichever of its two forms GeLU has."""
    units = product(M, u)
    both = stack(x, y)
    form = both.through(units.inner)
    return Gadget(
        "product", (Part(units.outer, form),), np.zeros(1), (x, y), low=low, high=high,
        slope=2 * M, activation="gelu", approximation=product_error(M, u),
    )  # fmt: skip


def product_error(M: float, u: float) -> float:
    """A bound on the error of a product: 2/3 M^2 u^(2/3) of truncation, and of rounding 8 u of each of four units, lam M u / 3 each."""
    return 12.0 * M * M * float(u ** (2 / 3))


def linear(W: Array) -> Units:
    """W x exactly, with no large weight: s(z) - s(-z) = z (Phi(z) + Phi(-z)) = z."""
    eye = np.eye(len(W))
    return Units(np.concatenate([W, -W]), np.concatenate([eye, -eye], axis=1))


def select(d: int, M: float, alpha: float, lam: float) -> Units:
    """x where t >= alpha, y where t <= -alpha, for (x, y, t) with x and y in R^d up to M: R(x + C t) - R(C t) + R(y - C t) - R(-C t).

    C = 2 M / alpha. The terms cancel only up to C |t| u, so t must be bounded, which the lemma does not ask for.
    """
    C, eye, zero, one = 2 * M / alpha, np.eye(d), np.zeros((d, d)), np.ones((d, 1))
    inner = np.block([
        [eye, zero, C * one],
        [zero, eye, -C * one],
        [np.zeros((1, 2 * d)), np.full((1, 1), C)],
        [np.zeros((1, 2 * d)), np.full((1, 1), -C)],
    ])  # fmt: skip
    return Units(lam * inner, np.concatenate([eye, eye, -one, -one], axis=1) / lam)

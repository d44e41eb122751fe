"""Shares of the states of a random source after so many symbols, in float64: each step multiplies by a few rounded numbers."""

from __future__ import annotations

import math

import numpy as np


def walked(arrows: list[tuple[int, int, float]], states: int, n: int) -> list[float] | None:
    """The share of each state after n symbols, from state 0 on, along arrows (from, to, probability); None if nothing is left."""
    leaving, arriving, shares = (np.array(part) for part in zip(*arrows, strict=True)) if arrows else (np.zeros(0, dtype=int),) * 3
    mass = np.eye(1, states)[0]
    for _ in range(n):
        mass = np.bincount(arriving, weights=mass[leaving] * shares, minlength=states)
        if not mass.sum() > 0:
            return None
        mass = mass / mass.sum()
    return [float(share) for share in mass]


def heights(up: float, N: int, most: int) -> tuple[float, float]:
    """Walks of N steps, up with this chance, that stay within 0 .. most: the logarithm of their weight, and the share of those whose last
    step leads down, to more than 0."""
    scale, weights, closed = 0.0, np.zeros(most + 2), np.zeros(most + 2)
    weights[0] = 1.0
    for _ in range(N):
        opened, closed = np.zeros_like(weights), np.zeros_like(weights)
        opened[1 : most + 1], closed[:-1] = up * weights[:most], (1 - up) * weights[1:]
        weights = opened + closed
        total = float(weights.sum())
        weights, closed, scale = weights / total, closed / total, scale + math.log(total)
    return scale, float(closed[1:].sum() / weights.sum())

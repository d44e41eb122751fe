"""Attention blocks: one head each that copies, counts or finds by content.

A head at position k sees positions k' <= k. Position 1 holds `<s>`, whose keys are 0: it is the default, read where nothing matches, and
its values are 0. Queries are not 0.

Notation   g  the gap at which a softmax is one-hot in the number format     L  the longest input     x(k')  key     q(k)  query

Every logit below is up to what all keys share, which a softmax does not see; so `-g (k - s - k')^2` is 2 g (k - s) k' - g k'^2.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import add

from separatrix.constructions.assembler import Layer
from separatrix.constructions.forms import Form, stack
from separatrix.constructions.parts.numbered import Numbered
from separatrix.constructions.parts.reciprocals import leading_weight
from separatrix.constructions.parts.softmax_reads import roundoff
from separatrix.errors import BadInput

Pair = tuple[Form, Form]  # an integer and its square


def copy(program: Numbered, layer: Layer, s: int, value: Form, into: str) -> Form:
    """The value at position max(k - s, 1): logit -g (k - s - k')^2.

    [wen2024 Definition B.7; wen2024 Lemma B.13; the source is position 1 or later]
    """
    k, _ = _place(program)
    return read_at(program, layer, f"copy {s} back", k - s * program.one, program.L, value, into)


def read_at(program: Numbered, layer: Layer, name: str, target: Form, most: int, value: Form, into: str) -> Form:
    """The value at the position nearest to an integer of magnitude up to `most`: logit -g (t - k')^2."""
    g, L = program.gap, program.L
    program.fits(2 * g * max(most, 1) * L + g * L**2, f"logits of {name!r}")
    return layer.attend(name, query=stack(2 * g * target, -g * program.one), key=program.place, value=value, into=into)


def count(program: Numbered, layer: Layer, keys: Sequence[Pair], queries: Sequence[Pair], most: int, into: str) -> Form:
    """1/(m + 1) for the m positions from 2 to k, with k itself, whose key equals the query: logit -g |x - q|^2, and 0 at position 1.

    [wen2024 Definition B.8; wen2024 Lemma B.14; corrected key vector]
    """
    g = program.gap
    program.fits(2 * g * len(keys) * most**2, "logits of 'count'")
    query = stack(-g * _sum(square for _, square in queries), *(2 * g * q for q, _ in queries), -g * program.one)
    key = stack(program.one - program.first, *(x for x, _ in keys), _sum(square for _, square in keys))
    return layer.attend("count", query=query, key=key, value=program.first, into=into)


def match(
    program: Numbered, layer: Layer, name: str, keys: Sequence[Pair], queries: Sequence[Pair], most: int, value: Form, into: str
) -> Form:
    """The value at the first position from 2 on whose key equals the query, and at position 1 if there is none.

    [wen2024 Definition B.9; wen2024 Lemma B.15; with weights of least magnitude]

    The logit is -G |x - q|^2 - g k'^2, and -D - g at position 1. A match has at least -g L^2, so D = g L^2 is g below the last one;
    a mismatch has at most -G - 4 g, so G = D is g below the default. Keys and queries are integers 0 .. `most`.
    """
    g, L = program.gap, program.L
    G = D = g * L**2
    program.fits(G * len(keys) * most**2 + g * L**2 + D, f"logits of {name!r}")
    _, squared = _place(program)
    query = stack(-G * _sum(square for _, square in queries), *(2 * G * q for q, _ in queries), -1 * program.one)
    rest = G * _sum(square for _, square in keys) + g * squared + D * program.first
    key = stack(program.one - program.first, *(x for x, _ in keys), rest)
    return layer.attend(name, query=query, key=key, value=value, into=into)


def match_close(
    program: Numbered, layer: Layer, name: str, keys: Sequence[Pair], queries: Sequence[Pair], most: int, value: Form, into: str
) -> Form:
    """The value at the last position up to k whose key equals the query, and at position 1 if there is none.

    [wen2024 Definition B.10; wen2024 Lemma B.16; with weights of least magnitude]

    The logit is -G |x - q|^2 + 2 g k k' - g k'^2: a match at k' >= 2 leads position 1 by g, and with G = g L^2 a mismatch, which has at
    most -G + g k^2, lies g below it.
    """
    g, L = program.gap, program.L
    G = g * L**2
    program.fits(G * len(keys) * most**2 + 2 * g * L**2, f"logits of {name!r}")
    k, squared = _place(program)
    query = stack(-G * _sum(square for _, square in queries), *(2 * G * q for q, _ in queries), 2 * g * k, -1 * program.one)
    key = stack(program.one - program.first, *(x for x, _ in keys), k, G * _sum(square for _, square in keys) + g * squared)
    return layer.attend(name, query=query, key=key, value=value, into=into)


def match_nearest(
    program: Numbered,
    layer: Layer,
    name: str,
    keys: Sequence[Pair],
    queries: Sequence[Pair],
    most: int,
    target: tuple[Form, int],
    value: Form,
    into: str,
) -> Form:
    """The value at the position from 2 on, nearest to an integer T in 0 .. R, whose key equals the query; at position 1 if there is none.

    [wen2024 Definition B.11; wen2024 Lemma B.17; of two that are equally near the later one]

    The logit is -G |x - q|^2 - 2 g (T + 1/4 - k')^2, less what all keys share, and -D at position 1. Of two matches the nearer one leads by
    g, as 2 ((d + 3/4)^2 - (d + 1/4)^2) >= 1, and of two at the same distance the later one. A match has from -2 g L^2 + g to
    2 g (R + 1)^2, so D = 2 g L^2, and G takes a mismatch g below that.
    """
    g, L, (T, R) = program.gap, program.L, target
    D = 2 * g * L**2
    G = D + g + 2 * g * (R + 1) ** 2
    program.fits(G * (len(keys) * most**2 + 1) + D, f"logits of {name!r}")
    k, squared = (form - program.first for form in _place(program))  # 0 at position 1
    query = stack(
        -G * _sum(square for _, square in queries), *(2 * G * q for q, _ in queries), 4 * g * T + g * program.one, -1 * program.one
    )
    rest = G * _sum(square for _, square in keys) + 2 * g * squared + D * program.first
    key = stack(program.one - program.first, *(x for x, _ in keys), k, rest)
    return layer.attend(name, query=query, key=key, value=value, into=into)


def occurs(
    program: Numbered, layer: Layer, name: str, keys: Sequence[Pair], queries: Sequence[Pair], most: int, flag: Form, into: str
) -> Form:
    """Whether some position from 2 on has keys that equal the queries, where the flag, 1 at all such keys, is read.

    The logit is -2 g |x - q|^2, and -g at position 1: below every match, above every mismatch. Several matches share the weight.
    """
    g = program.gap
    program.fits(2 * g * len(keys) * most**2 + g, f"logits of {name!r}")
    asked = stack(-2 * g * _sum(square for _, square in queries), *(4 * g * q for q, _ in queries), -g * program.one)
    held = stack(program.one - program.first, *(x for x, _ in keys), 2 * _sum(square for _, square in keys) + program.first)
    return layer.attend(name, query=asked, key=held, value=flag, into=into)


def match_next(
    program: Numbered, layer: Layer, name: str, key: Pair, query: Pair, counts: Pair, following: Form, n: int, value: Form, into: str
) -> Form:
    """The value at the position whose key equals the query and whose count is nearest to the next one; at position 1 if no key does.

    [wen2024 Definition B.12; wen2024 Lemma B.18; position 1 only if nothing matches]

    Counts are a = 1/2 .. 1/n, those of one key consecutive, and `following` is close to the next (parts/reciprocals.py). The logit is
    -G |x - q|^2 + 2 H next a - H a^2, and -D at position 1. A match has -H/4 .. H/4, so D = H/2 + g is below every match and
    G = H + 2 g takes every mismatch below the default. H is such that the nearest count leads the second by g.
    """
    g = program.gap
    H = float(leading_weight(n, g))
    D, G = H / 2 + g, H + 2 * g
    program.fits(G * max(program.n, 1) ** 2 + H, f"logits of {name!r}")
    step = 2.0**-program.format.fraction if program.format.exact else 8 * roundoff(program.format)
    if 8 * H * step > 1:
        raise BadInput(f"{program.name}: counts up to {n} differ by less than {program.format.name} resolves")
    asked = stack(-G * query[1], 2 * G * query[0], 2 * H * following, -1 * program.one)
    held = stack(program.one - program.first, key[0], counts[0], G * key[1] + H * counts[1] + D * program.first)
    return layer.attend(name, query=asked, key=held, value=value, into=into)


def seen(program: Numbered, layer: Layer, name: str, flag: Form, into: str) -> Form:
    """1 from the first position on at which the flag is 1: logits 2 g there, g at position 1, else 0."""
    g = program.gap
    return layer.attend(name, query=g * program.one, key=2 * flag + program.first, value=flag, into=into)


def _place(program: Numbered) -> Pair:
    return program.place[0], program.place[1]


def _sum(forms: Iterable[Form]) -> Form:
    return reduce(add, forms)

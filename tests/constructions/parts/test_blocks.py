"""Attention blocks against their definitions, in exact numbers and in float64, on random, constant and adversarial sequences."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np
import pytest
import torch

from separatrix.constructions.assembler import Layer
from separatrix.constructions.compiler import _config, model_of
from separatrix.constructions.forms import Form
from separatrix.constructions.gadgets import Gadget, equal, interval, lookup_table, product, threshold, when
from separatrix.constructions.parts.blocks import copy, count, match, match_close, match_nearest, match_next, occurs, read_at, seen
from separatrix.constructions.parts.numbered import Numbered
from separatrix.constructions.parts.reciprocals import following_of
from separatrix.constructions.tensors import layouts_of, tensors_of
from separatrix.errors import BadInput

L, N = 24, 6
FORMATS = ("float64", "nearest:61,strict", "fixed:60,20")


def sequences() -> Iterator[list[int]]:
    """`<s>` is 0; numbers 1 .. N; 0 after the first position is another special word."""
    rng = np.random.default_rng(5)
    for _ in range(8):
        yield [0, *rng.integers(0, N + 1, L - 1).tolist()]
    yield [0, *[3] * (L - 1)]
    yield [0, *[1, 2] * ((L - 1) // 2), 1]
    yield [0, *[0] * (L - 2), 5]


def run(arithmetic: str, block: Callable[[Numbered, Layer], Form], tokens: list[int]) -> np.ndarray:
    """What the block writes at every position, [L, rows]; the token `;` is the special word 1."""
    program = Numbered("block", ("<s>", ";"), N, L, arithmetic)
    first = program.net.layer()
    written = block(program, first)
    program.net.read_out(np.zeros((2 + N, written.rows)), written, np.zeros(2 + N))
    layouts, width = layouts_of(program.net)
    program.refuse_what_does_not_fit()
    model = model_of(_config(program.net, width), tensors_of(program.net), "block")
    ids = [0, *(1 if v == 0 else v + 1 for v in tokens[1:])]
    with torch.no_grad():
        stream = model.numbers.leave(model.hidden(torch.tensor([ids]), None))[0].numpy()
    return np.asarray(stream[:, layouts[-1]["out"]])


@pytest.mark.parametrize("arithmetic", FORMATS)
@pytest.mark.parametrize("s", [0, 1, 3])
def test_copy_reads_s_positions_back_and_never_before_the_first(arithmetic: str, s: int) -> None:
    for x in sequences():
        read = run(arithmetic, lambda p, layer: copy(p, layer, s, p.number, "out"), x)
        expected = np.array([[x[max(k - s, 0)], x[max(k - s, 0)] ** 2] for k in range(L)])
        assert (np.abs(read - expected) <= (1e-15 if arithmetic == "float64" else 0)).all()  # where it reads 0, a float keeps e^-gap


@pytest.mark.parametrize("arithmetic", FORMATS)
def test_count_is_the_reciprocal_of_one_more_than_the_matches_so_far(arithmetic: str) -> None:
    for x in sequences():
        read = run(arithmetic, lambda p, layer: count(p, layer, [(p.number[0], p.number[1])], [(p.number[0], p.number[1])], N, "out"), x)
        for k in range(1, L):
            if x[k]:
                exact = Fraction(1, 1 + x[1 : k + 1].count(x[k]))
                assert abs(Fraction(read[k, 0]) - exact) <= Fraction(1, 1 << 20 if arithmetic.startswith("fixed") else 1 << 30), (x, k)


def first_match(x: list[int], q: int, k: int) -> int:
    return next((h for h in range(1, k + 1) if x[h] == q), 0)


def last_match(x: list[int], q: int, k: int) -> int:
    return next((h for h in range(k, 0, -1) if x[h] == q), 0)


@pytest.mark.parametrize("arithmetic", FORMATS)
@pytest.mark.parametrize(("block", "found"), [(match, first_match), (match_close, last_match)])
def test_a_match_is_the_first_or_the_last_and_the_first_position_if_there_is_none(
    arithmetic: str, block: Callable[..., Form], found: Callable[[list[int], int, int], int]
) -> None:
    q = 4  # the query is 4 everywhere, the value read is the position, which at `<s>` is 1
    for x in sequences():

        def asked(p: Numbered, layer: Layer) -> Form:
            key, query = (p.number[0], p.number[1]), (q * p.one, q * q * p.one)
            return block(p, layer, "match", [key], [query], N, p.place[0], "out")

        read = run(arithmetic, asked, x)
        assert [int(v) for v in read[:, 0]] == [1 + found(x, q, k) for k in range(L)], x


def nearest_match(x: list[int], q: int, k: int, target: int) -> int:
    """From 0 on; the later of two that are equally near."""
    places = [h for h in range(1, k + 1) if x[h] == q]
    return min(places, key=lambda h: (abs(h + 1 - target), -h), default=0)


def nearest(p: Numbered, layer: Layer, q: int, T: Form, R: int) -> Form:
    return match_nearest(p, layer, "near", [(p.number[0], p.number[1])], [(q * p.one, q * q * p.one)], N, (T, R), p.place[0], "out")


@pytest.mark.parametrize("arithmetic", FORMATS)
@pytest.mark.parametrize("target", [0, 1, 7, 12, L, 2 * L])
def test_the_nearest_match_is_found_and_of_two_the_later(arithmetic: str, target: int) -> None:
    ties = [0, *[2] * 3, 4, *[2] * 5, 4, *[2] * (L - 11)]  # positions 5 and 11 of 4: 8 lies between them
    for x in [*sequences(), ties]:
        read = run(arithmetic, lambda p, layer: nearest(p, layer, 4, target * p.one, 2 * L), x)
        assert [int(v) for v in read[:, 0]] == [1 + nearest_match(x, 4, k, target) for k in range(L)], x
    read = run(arithmetic, lambda p, layer: nearest(p, layer, 4, 8 * p.one, 2 * L), ties)
    assert read[-1, 0] == 11


@pytest.mark.parametrize("arithmetic", FORMATS)
def test_the_target_of_a_nearest_match_may_depend_on_the_place(arithmetic: str) -> None:
    for x in sequences():
        read = run(arithmetic, lambda p, layer: nearest(p, layer, 4, p.place[0] - p.one, L), x)
        assert [int(v) for v in read[:, 0]] == [1 + nearest_match(x, 4, k, k) for k in range(L)], x


def test_the_printed_nearest_match_averages_two_that_are_equally_near() -> None:
    """-n (T - k')^2 without a quarter: of positions 5 and 11 with target 8 it reads 8, where neither stands."""

    def printed(p: Numbered, layer: Layer) -> Form:
        from separatrix.constructions.forms import stack

        x, square, g, (k, k2) = p.number[0], p.number[1], p.gap, (p.place[0], p.place[1])
        query = stack(-1e6 * 16 * p.one, 2e6 * 4 * p.one, 16 * g * p.one, -1 * p.one)
        key = stack(p.one - p.first, x, k - p.first, 1e6 * square + g * (k2 - p.first) + 1e5 * p.first)
        return layer.attend("near", query=query, key=key, value=k, into="out")

    assert run("float64", printed, [0, *[2] * 3, 4, *[2] * 5, 4, *[2] * (L - 11)])[-1, 0] == 8


@pytest.mark.parametrize("arithmetic", FORMATS)
def test_whether_a_number_occurred_and_whether_a_word_did(arithmetic: str) -> None:
    """Several matches share the weight, each share rounded: in exact numbers the sum may be short of 1 by a few units in the last place."""
    for x in sequences():

        def asked(p: Numbered, layer: Layer) -> Form:
            return occurs(p, layer, "4", [(p.number[0], p.number[1])], [(4 * p.one, 16 * p.one)], N, p.one - p.first, "out")

        flagged = run(arithmetic, asked, x)
        assert [round(float(v), 4) for v in flagged[:, 0]] == [float(4 in x[1 : k + 1]) for k in range(L)]
        word = run(arithmetic, lambda p, layer: seen(p, layer, ";", p.flag(";"), "out"), x)
        assert [round(float(v), 4) for v in word[:, 0]] == [float(0 in x[1 : k + 1]) for k in range(L)]


@pytest.mark.parametrize("arithmetic", FORMATS)
@pytest.mark.parametrize("t", [-3, 1, 5, L])
def test_a_position_is_read_or_the_nearest_to_it(arithmetic: str, t: int) -> None:
    x = next(sequences())
    read = run(arithmetic, lambda p, layer: read_at(p, layer, "at", t * p.one, L, p.place[0], "out"), x)
    assert [int(v) for v in read[:, 0]] == [min(max(t, 1), k + 1) for k in range(L)]


@pytest.mark.parametrize("arithmetic", ["float64", "nearest:81,strict"])
@pytest.mark.parametrize("m", range(1, N))
def test_the_next_count_is_found_where_counts_are_consecutive(arithmetic: str, m: int) -> None:
    """Counts 1/2 .. 1/(h + 1) of the number 4 at its h positions; asked for the one after 1/m, it is that or else the last."""
    x = [0, 4, 2, 4, 4, 3, 4, 1, 4, *[2] * (L - 9)]
    counts = [Fraction(0), *(Fraction(1, 1 + x[1 : h + 1].count(4)) if x[h] == 4 else Fraction(0) for h in range(1, L))]

    def asked(p: Numbered, layer: Layer) -> Form:
        held = layer.write("c", lookup_table(p.place[0], {k + 1: float(round(v * 2**20)) / 2**20 for k, v in enumerate(counts)}))
        squares = layer.write("c2", lookup_table(p.place[0], {k + 1: float(round(v * v * 2**20)) / 2**20 for k, v in enumerate(counts)}))
        to = float(round(following_of(Fraction(1, m)) * 2**20)) / 2**20
        second = p.net.layer()
        key, query = (p.number[0], p.number[1]), (4 * p.one, 16 * p.one)
        return match_next(p, second, "next", key, query, (held, squares), to * p.one, N, p.place[0], "out")

    read = run(arithmetic, asked, x)
    places = [h + 1 for h in range(1, L) if x[h] == 4]
    assert [round(float(v), 6) for v in read[8:, 0]] == [places[min(m, 5) - 1]] * (L - 8)


GADGETS: dict[str, tuple[Callable[[Numbered], Gadget], Callable[[int, int], float]]] = {
    "product": (lambda p: product(p.number[0] - 3 * p.one, p.place[0] - 9 * p.one), lambda v, k: (v - 3) * (k - 9)),
    "linear map": (lambda p: when([], 2 * p.number[0] - 5 * p.place[0] + 0.5 * p.one), lambda v, k: 2 * v - 5 * k + 0.5),
    "equal": (lambda p: equal(p.number[0], 4 * p.one, p.place[0] - 9 * p.one), lambda v, k: (k - 9) * (v == 4)),
    "table": (
        lambda p: lookup_table(p.number[0], {0: 3, 1: -1, 2: 0.25, 3: 7, 4: 0, 5: 1, 6: 1}),
        lambda v, _: [3, -1, 0.25, 7, 0, 1, 1][v],
    ),
    "threshold": (lambda p: threshold(p.place[0], 7, 0.5, p.number[0] - 3 * p.one), lambda v, k: (v - 3) * (k >= 7)),
    "interval": (lambda p: interval(p.place[0], 7, 12, 1, p.number[0] - 3 * p.one), lambda v, k: (v - 3) * (7 <= k <= 12)),
}


@pytest.mark.parametrize("arithmetic", FORMATS)
@pytest.mark.parametrize("name", GADGETS)
def test_a_gadget_is_its_definition_at_every_token(arithmetic: str, name: str) -> None:
    make, defined = GADGETS[name]
    for x in sequences():
        read = run(arithmetic, lambda p, layer: layer.write("out", make(p)), x)
        assert read[:, 0].tolist() == [defined(v, k) for k, v in enumerate(x, 1)], x


def test_the_printed_count_keys_are_wrong() -> None:
    """K = [1 + 1[k' = 1], x, x^2] sends position 1 to -2 g q^2 instead of 0, so it is never counted."""

    def printed(p: Numbered, layer: Layer) -> Form:
        from separatrix.constructions.forms import stack

        x, square, g = p.number[0], p.number[1], p.gap
        return layer.attend("count", query=stack(-g * square, 2 * g * x, -g * p.one), key=stack(p.one + p.first, x, square),
                            value=p.first, into="out")  # fmt: skip

    for x in ([0, *[3] * (L - 1)], [0, *[1, 2] * ((L - 1) // 2), 1]):
        read = run("float64", printed, x)
        assert read[1, 0] < 1e-9  # 1/2 by its definition


def test_a_smaller_gap_is_no_longer_one_hot_in_exact_numbers() -> None:
    """One unit below the gap that the format asks for, some weight reaches a neighbour and the copy is not an integer."""

    def blunt(p: Numbered, layer: Layer) -> Form:
        p.gap = p.gap / 2
        return copy(p, layer, 1, p.number, "out")

    x = next(sequences())
    assert (run("nearest:61", lambda p, layer: copy(p, layer, 1, p.number, "out"), x) % 1 == 0).all()
    assert (run("nearest:61", blunt, x) % 1 != 0).any()


def test_numbers_that_the_format_cannot_hold_are_refused() -> None:
    x = next(sequences())
    with pytest.raises(BadInput, match=r"^block: logits of 'match' reach .*, more than nearest:31 holds$"):
        run("nearest:31", lambda p, layer: match(p, layer, "match", [(p.number[0], p.number[1])], [(p.one, p.one)], N, p.one, "out"), x)

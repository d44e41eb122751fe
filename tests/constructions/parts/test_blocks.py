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
from separatrix.constructions.parts.blocks import copy, count, match, match_close
from separatrix.constructions.parts.numbered import Numbered
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

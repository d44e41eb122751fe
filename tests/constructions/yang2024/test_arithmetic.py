"""Arithmetic by a Transformer of constant width: exact chains, and how far a token has to see."""

from __future__ import annotations

from dataclasses import replace

import pytest

from separatrix.certificates.built import Built
from separatrix.certificates.cases import trial
from separatrix.certificates.program import Program
from separatrix.constructions import build, construction
from separatrix.constructions.yang2024.arithmetic import least_block
from separatrix.models.masks import BlockSparse, Causal, Mask, Window
from separatrix.models.mixers.attention import AttentionConfig
from separatrix.models.saved import filled
from separatrix.tasks.arithmetic import Arithmetic


def seen_through(built: Built, mask: Mask) -> Built:
    """The same weights with another mask."""
    layers = []
    for layer in built.model.config.layers:
        assert isinstance(layer.mixer, AttentionConfig)
        layers.append(replace(layer, mixer=replace(layer.mixer, mask=mask)))
    config = replace(built.model.config, layers=tuple(layers))
    return replace(built, program=Program(filled(config, built.model.state_dict()), built.program.decoder))


@pytest.mark.parametrize(("operators", "prime"), [(1, 2), (3, 5), (4, 7), (6, 11)])
def test_every_token_of_a_chain_is_right_by_a_margin_of_one(operators: int, prime: int) -> None:
    built = build("arithmetic/sparse", length=operators, prime=prime)
    for family in built.task.case_kinds:
        result = trial(built, [{"kind": family, "seed": 2, "count": 12}])
        assert result.holds, result.counterexample
        assert result.margin >= 0.9


@pytest.mark.slow
def test_sixteen_operators() -> None:
    built = build("arithmetic/sparse", length=16)
    for family in built.task.case_kinds:
        result = trial(built, [{"kind": family, "seed": 0, "count": 4}])
        assert result.holds
        assert result.margin >= 0.9


def test_written_token_by_token_it_is_the_same_chain() -> None:
    built = build("arithmetic/sparse", length=4)
    for r in range(2):
        tokens = built.task.sample(5, 2).row(r)
        assert built.generate(tokens) == built.task.chain(tokens)


def test_the_width_depends_on_the_prime_and_not_on_the_length() -> None:
    sizes = [construction("arithmetic/sparse").sizes({"length": length}) for length in (1, 6, 16)]
    assert [dict(size or {}) for size in sizes] == [dict(sizes[0] or {})] * 3
    assert build("arithmetic/sparse", length=2).sizes()["width"] == 171
    assert build("arithmetic/sparse", length=2).sizes()["hidden"] == 476  # 4 p^2 - p results and three flags
    assert build("arithmetic/sparse", length=2, prime=5).sizes()["width"] == 117


def test_a_window_of_two_lines_less_seven_is_needed_and_enough_for_a_handle_in_brackets() -> None:
    """n = 15 tokens: the first = must still be seen, 2 n - 8 before the token behind the result, when a token is copied."""
    built = build("arithmetic/sparse", length=6)
    task = built.task
    assert isinstance(task, Arithmetic)
    tokens = task.read("= ( 1 + 2 ) * 3 + 1 + 1 + 1 + 1 =")
    n = len(tokens) - 2
    assert n == 15
    wanted = task.chain(tokens)
    assert seen_through(built, Window(2 * n - 7)).generate(tokens) == wanted
    assert seen_through(built, Window(2 * n + 1)).generate(tokens) == wanted
    assert seen_through(built, Causal()).generate(tokens) == wanted
    assert written(seen_through(built, Window(2 * n - 8)), tokens) != wanted


def written(built: Built, tokens: tuple[int, ...]) -> tuple[object, ...]:
    """What is written, whether it ends or not."""
    return built.program.decoder.chains(built.model, [tokens])[0].tokens  # type: ignore[attr-defined, no-any-return]


def test_blocks_of_half_a_line_are_too_small() -> None:
    built = build("arithmetic/sparse", length=5)
    assert isinstance(built.task, Arithmetic)
    assert least_block(built.task) == 39
    small = seen_through(built, BlockSparse(8, 1, 1))
    assert not trial(small, [{"kind": "brackets", "seed": 1, "count": 5}]).holds


def test_the_largest_chains_are_those_of_the_form() -> None:
    """2 m^2 + 2 m + 1 tokens of lines and = for m operators: 85, 221, 365, 545."""
    for m, longest in ((6, 85), (10, 221), (13, 365), (16, 545)):
        task = Arithmetic(m)
        prompt = task.cases("brackets", 0, 1).row(0)
        assert len(prompt) - 1 + len(task.chain(prompt)) - 1 == longest == 2 * m * m + 2 * m + 1


def test_signs_that_do_not_make_an_expression_have_no_answer() -> None:
    task = Arithmetic(2, prime=7)
    for text in ("= 1 + 2 =", "= 1 + 2 + =", "= ( 1 + 2 + 3 =", "= ( 1 ) + 2 + 3 =", "= ( ( 1 + 2 ) ) + 3 =", "= 1 / 0 + 2 =", "1 + 2 + 3"):
        assert task.answer(task.read(text)) is None, text
    assert task.answer(task.read("= 1 + 2 * 3 =")) == 0
    assert task.answer(task.read("= ( 6 - 4 ) / 4 =")) == 4  # 2 / 4 = 1 / 2 = 4 modulo 7

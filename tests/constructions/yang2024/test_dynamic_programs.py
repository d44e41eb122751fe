"""Dynamic programs as weights: exact chains, widths as in closed form, and what breaks them."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
import torch

from separatrix.bounds.programs.widths import visible_entries
from separatrix.certificates.built import Built
from separatrix.certificates.program import Program
from separatrix.certificates.verify import verify
from separatrix.checker import check_document, sealed
from separatrix.constructions import build, construction
from separatrix.errors import BadInput
from separatrix.models.masks import Window
from separatrix.models.mixers.attention import AttentionConfig
from separatrix.models.saved import filled
from separatrix.tasks.programs.dynamic_program import DynamicProgram

ATTENTION = ("standard", "linear", "sparse")
PROGRAMS: list[tuple[str, dict[str, Any]]] = [
    ("reverse-sum", {"length": 40}),
    ("lis", {"length": 8}),
    ("edit-distance", {"length": 4, "second": 6}),
    ("edit-distance", {"length": 4, "second": 3, "border": "feng"}),
]
READS = {"reverse-sum": 2, "lis": 4, "edit-distance": 5}


def wrong(built: Built, rows: int, seed: int = 0) -> int:
    """How many of so many inputs of a program do not get its chain, written token by token."""
    task = built.task
    assert isinstance(task, DynamicProgram)
    prompts, chains = task.as_vectors(task.sample(seed, rows).tokens)
    written = built.program.decoder.chains(built.model, prompts.tolist())  # type: ignore[attr-defined]
    return sum(chain.tokens != tuple(map(tuple, wanted)) for chain, wanted in zip(written, chains.tolist(), strict=True))


@pytest.mark.parametrize("attention", ATTENTION)
@pytest.mark.parametrize(("name", "chosen"), PROGRAMS)
def test_every_token_of_generated_chains_is_that_of_the_program(name: str, chosen: dict[str, Any], attention: str) -> None:
    assert wrong(build(f"{name}/{attention}", **chosen), rows=6) == 0


@pytest.mark.slow
@pytest.mark.parametrize("attention", ATTENTION)
@pytest.mark.parametrize(
    ("name", "chosen"), [("reverse-sum", {"length": 400}), ("lis", {"length": 32}), ("edit-distance", {"length": 20, "second": 22})]
)
def test_long_chains_are_exact(name: str, chosen: dict[str, Any], attention: str) -> None:
    assert wrong(build(f"{name}/{attention}", **chosen), rows=3) == 0


def test_a_chain_through_the_state_is_the_chain_in_one_pass() -> None:
    built = build("lis/sparse", length=5)
    tokens = built.task.sample(0, 1).row(0)
    assert built.generate(tokens) == built.task.chain_of_vectors(tokens)  # type: ignore[attr-defined]


@pytest.mark.parametrize(("name", "length"), [("reverse-sum", 7), ("reverse-sum", 60), ("lis", 4), ("lis", 11), ("edit-distance", 6)])
def test_widths_are_the_closed_forms(name: str, length: int) -> None:
    """Linear and sparse attention add to the standard program's slots what reading by blocks needs."""
    sizes = {attention: construction(f"{name}/{attention}").sizes({"length": length}) for attention in ATTENTION}
    widths = {attention: size.width for attention, size in sizes.items() if size is not None}
    L, R = construction(f"{name}/standard").task_at(length=length).unrolled.length, READS[name]  # type: ignore[attr-defined]
    W = math.ceil(math.sqrt(L))
    NB = math.ceil(L / W)
    assert widths["linear"] == widths["standard"] + 2 + 2 * W + NB + R * (NB + 2 * W + 4)
    assert widths["sparse"] == widths["standard"] + 3 + 3 * W + R * (2 * W + 4)
    assert {size.heads for size in sizes.values() if size is not None} == {R}


def test_the_lengths_are_those_of_the_form() -> None:
    for n in (3, 9):
        lis = construction("lis/standard").task_at(length=n)
        assert lis.unrolled.length == n + 2 + (n + 1) * (n + 2) // 2  # type: ignore[attr-defined]
    assert construction("reverse-sum/standard").task_at(length=9).unrolled.length == 20  # type: ignore[attr-defined]


@pytest.mark.parametrize("settings", [{"block": 5}, {"block": 30}, {"local": 2}, {"far": 3}])
def test_other_blocks_work_too(settings: dict[str, int]) -> None:
    assert wrong(build("lis/sparse", length=7, **settings), rows=4) == 0
    if "block" in settings:
        assert wrong(build("lis/linear", length=7, **settings), rows=4) == 0


def test_a_blunt_linear_head_is_refused_or_fails_and_a_sharper_one_is_exact() -> None:
    """The features of other blocks are e^-mu: their share, times the size of a block, must stay below one half."""
    with pytest.raises(BadInput, match="may be off by"):
        build("lis/linear", length=8, mu=6)
    assert wrong(build("lis/linear", length=8, mu=20), rows=4) == 0


@pytest.mark.parametrize("attention", ["standard", "sparse"])
def test_in_fixed_point_the_chain_is_exact(attention: str) -> None:
    built = build(f"lis/{attention}", length=4, symbols=4, arithmetic="fixed:60,24")
    assert wrong(built, rows=2) == 0


@pytest.mark.parametrize("attention", ATTENTION)
@pytest.mark.parametrize(("name", "chosen"), [("reverse-sum", {"length": 60}), ("lis", {"length": 8}), ("edit-distance", {"length": 5})])
def test_float32_is_exact_too(name: str, chosen: dict[str, Any], attention: str) -> None:
    assert wrong(build(f"{name}/{attention}", arithmetic="float32", **chosen), rows=4) == 0


def test_the_first_length_that_a_float_does_not_hold_is_refused() -> None:
    """Positions are told apart by i^2, which must be an integer of the format: 4096 in float32, 16 in bfloat16."""
    assert build("reverse-sum/standard", length=7, symbols=2, arithmetic="bfloat16").model.config.length == 16
    with pytest.raises(BadInput, match="positions up to 18 need integers up to 324, which bfloat16 does not hold exactly"):
        build("reverse-sum/standard", length=8, symbols=2, arithmetic="bfloat16")
    assert construction("reverse-sum/standard").sizes({"length": 2047, "symbols": 2}, None, "float32") is not None
    assert construction("reverse-sum/standard").sizes({"length": 2048, "symbols": 2}, None, "float32") is None


@pytest.mark.parametrize("attention", ATTENTION)
def test_one_changed_weight_is_seen(attention: str) -> None:
    built = build(f"reverse-sum/{attention}", length=4, symbols=3)
    with torch.no_grad():
        built.model.layers[-1].feedforward.outer[:] *= 0.5
    assert wrong(built, rows=5) == 5


def test_a_certificate_of_other_states_is_refused() -> None:
    certificate = verify(build("reverse-sum/linear", length=3, symbols=3))
    assert check_document(certificate.document).strength == "exhaustive"
    lie = {**certificate.document, "claim": {"task": "reverse-sum", "parameters": {"length": 4, "symbols": 3}}}
    lie.pop("digest")
    assert not check_document(sealed(lie)).holds


# -- a sliding window --------------------------------------------------------------------------------------------------------------


def seen_through(built: Built, size: int) -> Built:
    """The same weights with a window of another size."""
    config = built.model.config
    layers = [
        replace(layer, mixer=replace(layer.mixer, mask=Window(size))) if isinstance(layer.mixer, AttentionConfig) else layer
        for layer in config.layers
    ]
    narrowed = replace(config, layers=tuple(layers))
    return replace(built, program=Program(filled(narrowed, built.model.state_dict()), built.program.decoder))


@pytest.mark.parametrize(("cells", "rows"), [(6, 5), (8, 4), (10, 20)])
def test_an_automaton_needs_a_window_of_two_more_than_its_cells_and_no_more(cells: int, rows: int) -> None:
    """A state of the first row reads an entry beyond the separator; one token less and that entry is out of sight."""
    built = build("cellular-automaton/window", length=cells, rows=rows)
    assert built.task.unrolled.least_window == cells + 2  # type: ignore[attr-defined]
    assert wrong(built, rows=24) == 0
    assert wrong(seen_through(built, cells + 3), rows=24) == 0
    assert wrong(seen_through(built, cells + 1), rows=24) > 0
    with pytest.raises(BadInput, match=f"a window needs {cells + 2} tokens, found {cells + 1}"):
        build("cellular-automaton/window", length=cells, rows=rows, window=cells + 1)


@pytest.mark.parametrize("rule", [30, 90, 184])
def test_other_rules_work_too(rule: int) -> None:
    assert wrong(build("cellular-automaton/window", length=7, rows=3, rule=rule), rows=8) == 0


@pytest.mark.parametrize(("n", "m"), [(3, 4), (6, 8), (5, 2)])
def test_an_edit_distance_that_repeats_its_words_needs_a_window_that_does_not_grow_with_the_chain(n: int, m: int) -> None:
    built = build("edit-distance-local/window", length=n, second=m)
    u = built.task.unrolled  # type: ignore[attr-defined]
    assert u.length == n * (n + 1) // 2 + n * (2 * m + 1) + n + m + 2
    assert u.least_window == n + 2 * m + 1
    assert wrong(built, rows=12) == 0
    assert wrong(seen_through(built, n + 2 * m), rows=12) > 0
    plain = construction("edit-distance/standard").task_at(length=n, second=m).unrolled  # type: ignore[attr-defined]
    assert plain.least_window > plain.length - n - m  # the last row reads the first word, at the other end of the chain


# -- what a sparse model cannot see -----------------------------------------------------------------------------------------------


def test_overwriting_what_no_later_token_sees_changes_nothing_and_what_some_token_sees_does() -> None:
    """Behind the prompt a layer keeps the visible entries alone; garbage in one of these breaks the chain."""
    built = build("reverse-sum/sparse", length=60, block=16)
    prompts, chains = built.task.as_vectors(built.task.sample(0, 1).tokens)  # type: ignore[misc]
    model, wanted = built.model, [tuple(vector) for vector in chains[0].tolist()]
    with torch.no_grad():
        state = model.initial_state(1)
        for vector in torch.from_numpy(prompts)[0]:
            state, logits = model.step(state, vector[None])
        caches = [layer for layer in state.layers if layer]
        assert {cache.shape[2] for layer in caches for cache in layer} == {visible_entries(61, 16)}  # 17 of 61 tokens, 44 are gone
        assert visible_entries(61, 16) == 17
        assert continued(model, state, logits, len(wanted)) == wanted
        for _, values in caches:
            values[:, :, 1] = 1e3  # the last token of the second block
        assert continued(model, state, logits, len(wanted)) != wanted


def continued(model: Any, state: Any, logits: torch.Tensor, count: int) -> list[tuple[int, ...]]:
    """So many rounded vectors from a state on."""
    written = []
    for _ in range(count):
        vector = logits.round().to(torch.int64)
        written.append(tuple(vector[0].tolist()))
        if any(written[-1]):
            state, logits = model.step(state, vector)
    return written


def test_a_program_that_inherits_its_parameters_knows_their_types() -> None:
    """The types are names of the file in which they are declared, not of the file that inherits them."""
    task = construction("edit-distance-local/window").task_at(length=2, border="true")
    assert task.parameters["border"] == "true"
    with pytest.raises(BadInput, match=r"border of .*: expected one of true, feng, found 'round'"):
        construction("edit-distance-local/window").task_at(length=2, border="round")

"""The rule of local predicates and their count: what it proves, what it refuses to, and that no bound of it is above the truth."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pytest

from separatrix.certificates.proofs import local_count as prover
from separatrix.checker.budget import Budget, OverBudget
from separatrix.checker.models.model import Model
from separatrix.checker.numbers.boxes import Array, Box
from separatrix.checker.replay import local_count, local_stream, prove
from separatrix.checker.replay.local_stream import Finish, LocalLayer, Reading, Role, Roles
from separatrix.checker.replay.proof import Unfit, Unproven
from separatrix.checker.seal import Refused
from separatrix.checker.specs import spec_of
from separatrix.checker.specs.forms.local import Count, Part, Parts
from separatrix.checker.specs.forms.lookup import Lookup, Readers
from tests.checker.replay.proved import proved
from tests.checker.replay.small_models import (
    FORMATS,
    attention,
    changed,
    damaged,
    described,
    made,
    not_above,
    random_layer,
    random_model,
    true_lead,
)

BUDGET = Budget(60)


# -- what it proves ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("equality", {"length": 12}),
        ("equality", {"length": 12, "address": "code"}),
        ("equality", {"length": 256}),
        ("equality", {"length": 64, "address": "quadratic"}),
        ("equality", {"length": 64, "arithmetic": "fixed:14,6"}),
        ("equality", {"length": 16, "symbols": 5, "residual": True, "arithmetic": "float32"}),
        ("equality", {"length": 16, "arithmetic": "nearest:31"}),
        ("equality/partition", {"length": 32, "instance": 2}),
        ("intersects", {"length": 40, "address": "quadratic"}),
        ("intersects", {"length": 12, "residual": True}),
        ("k-dnf", {"length": 32, "address": "quadratic"}),
        ("k-cnf", {"length": 32, "residual": True}),
        ("sparse-threshold", {"length": 24}),
        ("sparse-threshold", {"length": 15, "arithmetic": "fixed:12,4"}),
        ("eq-random", {"length": 12}),
        ("eq-one", {"length": 8, "symbols": 8}),
        ("eq-ncp", {"length": 12, "symbols": 8}),
        ("copy", {"length": 16}),
        ("copy", {"length": 16, "address": "quadratic"}),
    ],
)
def test_builds_are_proven_by_a_margin_close_to_the_designed_one(name: str, settings: dict[str, Any]) -> None:
    designed = 2 if name in ("copy", "eq-ncp") else 1
    proof = proved("local count", *made(name, **settings), BUDGET)
    assert proof.rule == "local count"
    assert 0.9 * designed < proof.margin <= designed
    assert all(sentence.isprintable() for sentence in proof.hypotheses)


@pytest.mark.slow
@pytest.mark.parametrize("address", ["binary", "quadratic", "code"])
def test_equality_is_proven_at_1024_symbols(address: str) -> None:
    assert proved("local count", *made("equality", length=1024, address=address), BUDGET).margin > 0.9


def test_every_length_that_the_claim_names_is_looked_at() -> None:
    form = spec_of("eq-random", {"length": 40, "symbols": 2, "distribution": "training"}).form()
    assert isinstance(form, Count)
    assert [*form.lengths] == [*range(5, 42, 2)]


# -- controls: one step weaker is not provable -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "settings", "tensor", "at", "by"),
    [
        ("equality", {"length": 12}, "layers.0.feedforward.inner_bias", (0,), 0.75),  # the comparison says 3/4 where symbols agree
        ("equality", {"length": 12}, "layers.1.feedforward.inner_bias", (0,), 0.75),  # the threshold falls below 0
        ("equality", {"length": 12}, "embedding.table", (0, 0), 1.5),  # symbol 0 looks like symbol 1
        ("equality", {"length": 64, "arithmetic": "fixed:14,6"}, "layers.1.feedforward.inner_bias", (0,), 1.0),
        ("k-cnf", {"length": 32, "residual": True}, "layers.1.feedforward.inner_bias", (0,), 2.0),  # one clause less is enough
        ("k-dnf", {"length": 32, "address": "quadratic"}, "layers.1.feedforward.inner_bias", (0,), -2.0),  # one term is not
        ("intersects", {"length": 12}, "embedding.table", (1, 0), -0.75),
        ("sparse-threshold", {"length": 24}, "readout.bias", (0,), 1.0),
        ("copy", {"length": 16}, "readout.bias", (3,), 3.0),
        ("eq-random", {"length": 12}, "layers.0.feedforward.outer", (0, 0), 1.0),
    ],
)
def test_one_changed_weight_is_not_proven(name: str, settings: dict[str, Any], tensor: str, at: tuple[int, ...], by: float) -> None:
    model, task = made(name, **settings)
    with pytest.raises(Unproven):
        proved("local count", changed(model, tensor, at, by), task, BUDGET)


@pytest.mark.parametrize("address", ["binary", "quadratic"])
def test_a_head_that_is_not_sharp_enough_is_not_proven(address: str) -> None:
    model, task = made("equality", length=64, address=address)
    query = model.weights["layers.0.mixer.query"]
    for share, holds in ((1.0, True), (0.5, False)):
        weaker = model
        for at in zip(*np.nonzero(query), strict=True):
            weaker = changed(weaker, "layers.0.mixer.query", at, float(query[at]) * (share - 1))
        if holds:
            proved("local count", weaker, task, BUDGET)
        else:
            with pytest.raises(Unproven):
                proved("local count", weaker, task, BUDGET)


def test_a_truth_table_with_one_wrong_entry_is_not_proven() -> None:
    model, task = made("k-dnf", length=32, address="quadratic")
    table = next(name for name in model.weights if name.endswith("address.table"))
    terms = np.flatnonzero(model.weights[table].any(axis=1))
    first = model.weights[table][terms[0]]
    weaker = changed(model, table, (int(terms[0]), int(first.argmin())), 1.0)
    with pytest.raises(Unproven, match="predicate of places"):
        proved("local count", weaker, task, BUDGET)


def test_a_pointer_to_another_place_is_not_proven() -> None:
    model, task = made("equality/partition", length=32, instance=2)
    pointers = next(name for name in model.weights if name.endswith("pointers"))
    other = dict(model.weights)
    moved = np.flatnonzero(other[pointers] != np.arange(1, 33))[0]
    by = 1 if other[pointers][moved] < 32 else -1
    weaker = changed(model, pointers, (int(moved),), by)
    with pytest.raises(Unproven, match="predicate of places"):
        proved("local count", weaker, task, BUDGET)


# -- what it says ------------------------------------------------------------------------------------------------------------------


def test_a_head_that_looks_for_content_has_no_focus_and_is_not_proven() -> None:
    model, task = made("equality", length=12)
    query = model.weights["layers.0.mixer.key"]
    weaker = changed(model, "layers.0.mixer.key", (0, int(np.flatnonzero(query[0] == 0)[0])), 8.0)
    with pytest.raises(Unproven):
        proved("local count", weaker, task, BUDGET)


def test_models_and_tasks_of_another_shape_do_not_fit() -> None:
    with pytest.raises(Unfit):
        proved("local count", *made("equality/recurrent", length=10), BUDGET)
    with pytest.raises(Unfit):
        proved("local count", *made("index-lookup", length=16), BUDGET)
    with pytest.raises(Unfit):
        proved("local count", made("equality", length=12)[0], spec_of("parity", {"length": 11}), BUDGET)


def test_a_last_layer_that_does_not_weigh_alike_is_named() -> None:
    copying, _ = made("copy", length=6, symbols=2)
    equality = spec_of("equality", {"length": 12, "symbols": 2})
    with pytest.raises(Unproven, match="layer 1: expected attention that weighs all tokens equally"):
        proved("local count", copying, equality, BUDGET)


def test_what_costs_more_than_the_budget_is_not_begun() -> None:
    model, task = made("equality", length=256)
    with pytest.raises(OverBudget):
        proved("local count", model, task, Budget(0.01))


def test_every_layer_and_token_counts_in_the_work() -> None:
    """The work that is asked for before anything runs: 400,000 for each token in each layer, beside what grows with the sizes."""
    asked = list[int]()

    class Asked(Budget):
        def allow(self, work: int, memory: int) -> None:  # noqa: ARG002
            asked.append(work)
            raise OverBudget("seen")

    model, task = made("eq-random", length=40)
    with pytest.raises(OverBudget):
        proved("local count", model, task, Asked())
    layers, tokens = len(model.description.layers), sum(task.form().lengths)
    assert layers == 3
    assert 0 < asked[0] - tokens * 400_000 * layers < asked[0] // 2


# -- soundness: no bound above the truth -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Asked(Lookup):
    """Any places that positions ask for."""

    tokens: tuple[range, ...] = ()
    place: tuple[tuple[int, int], ...] = ()

    def alphabets(self, n: int) -> tuple[range, ...]:
        assert n == len(self.tokens)
        return self.tokens

    def readers(self, n: int) -> Readers:
        assert n == len(self.tokens)
        position, place = np.array([t for t, _ in self.place]), np.array([p for _, p in self.place])
        first, last = (np.array([self.tokens[t][end] for t in position]) for end in (0, -1))
        return Readers(position, first, last, place)

    def answers(self, tokens: Sequence[int]) -> dict[int, int]:
        return {t: tokens[p] for t, p in self.place}


def random_alphabets(rng: np.random.Generator, n: int, vocabulary: int) -> tuple[range, ...]:
    """Now and then one token only."""
    return tuple(range(vocabulary) if rng.random() < 0.8 else range(s, s + 1) for s in rng.integers(0, vocabulary, size=n).tolist())


def random_case(rng: np.random.Generator) -> tuple[Model, Count | Lookup, tuple[range, ...]]:
    """A small model and what it is asked; mostly it is wrong, and the bound is below 0."""
    n, vocabulary = int(rng.integers(2, 5)), int(rng.integers(2, 4))
    alphabets = random_alphabets(rng, n, vocabulary)
    arithmetic = str(rng.choice(FORMATS))
    if rng.random() < 0.5:
        layers = [random_layer(rng, n) for _ in range(rng.integers(1, 3))]
        place = tuple((int(t), int(rng.integers(n))) for t in {*rng.integers(0, n, size=2).tolist()})
        form: Count | Lookup = Asked(vocabulary, range(n, n + 1), alphabets, place)
        return random_model(rng, described(vocabulary, n, 4, layers, vocabulary, arithmetic)), form, alphabets
    layers = [*(random_layer(rng, n) for _ in range(rng.integers(0, 2))), random_layer(rng, n, uniform=True)]
    model = random_model(rng, described(vocabulary, n, 4, layers, 2, arithmetic))
    return model, random_count(rng, alphabets, single=len(layers) == 1), alphabets


def random_count(rng: np.random.Generator, alphabets: tuple[range, ...], single: bool) -> Count:
    """Predicates of single places where every token depends on itself, and of one or two elsewhere, or none."""
    n, parts = len(alphabets), []
    for _ in range(rng.integers(0, n + 1)):
        places = tuple(sorted({*rng.integers(0, n, size=1 if single else 2).tolist()}))
        parts.append(Part(places, rng.integers(0, 2, size=[len(alphabets[p]) for p in places]).astype(bool)))
    result, above = Parts(alphabets, tuple(parts)), int(rng.integers(-1, n))
    return Count(range(n, n + 1), lambda _: result, lambda _: above, few=int(rng.integers(2)), many=1)


def compare(rng: np.random.Generator) -> str:
    model, form, alphabets = random_case(rng)
    try:
        bound = local_count.least_lead(model, form, prover.Choosing(model.ops.scale or 1), BUDGET)
    except Unproven:
        return "not covered"
    assert not_above(bound, true_lead(model, form, product(*alphabets)), model)
    return "proven" if bound > 0 else "bounded"


def run(seed: int, count: int) -> dict[str, int]:
    rng = np.random.default_rng(seed)
    results = [compare(rng) for _ in range(count)]
    return {kind: results.count(kind) for kind in {*results}}


def test_no_bound_on_a_random_model_is_above_the_truth() -> None:
    result = run(0, 300)
    assert result["bounded"] > 100


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 11))
def test_no_bound_on_a_thousand_random_models_is_above_the_truth(seed: int) -> None:
    result = run(seed, 1000)
    assert result["bounded"] > 300
    assert result["proven"] > 0


SMALL = (
    ("equality", {"length": 6}),
    ("equality", {"length": 4, "symbols": 3, "residual": True, "arithmetic": "float32"}),
    ("equality", {"length": 4, "arithmetic": "fixed:14,6"}),
    ("intersects", {"length": 6, "address": "quadratic"}),
    ("sparse-threshold", {"length": 5}),
    ("k-dnf", {"length": 5, "residual": True}),
    ("eq-random", {"length": 4}),
    ("eq-ncp", {"length": 4, "symbols": 2}),
    ("copy", {"length": 3, "symbols": 3}),
)


def compare_damaged(rng: np.random.Generator) -> str:
    name, settings = SMALL[rng.integers(len(SMALL))]
    sound, task = made(name, **settings)
    model, form = damaged(rng, sound), task.form()
    assert isinstance(form, Count | Lookup)
    try:
        bound = local_count.least_lead(model, form, prover.Choosing(model.ops.scale or 1), BUDGET)
    except Unproven:
        return "not covered"
    alphabets = [form.at(n).alphabets if isinstance(form, Count) else form.alphabets(n) for n in form.lengths]
    assert not_above(bound, min(true_lead(model, form, product(*each)) for each in alphabets), model)
    return "proven" if bound > 0 else "bounded"


def test_no_bound_on_a_damaged_build_is_above_the_truth() -> None:
    rng = np.random.default_rng(0)
    results = [compare_damaged(rng) for _ in range(60)]
    assert min(results.count("proven"), results.count("bounded")) > 5


@pytest.mark.slow
def test_no_bound_on_a_thousand_damaged_builds_is_above_the_truth() -> None:
    rng = np.random.default_rng(1)
    results = [compare_damaged(rng) for _ in range(1000)]
    assert min(results.count("proven"), results.count("bounded")) > 100


@pytest.mark.parametrize("many", [1, 4])
def test_no_bound_is_above_the_truth_where_tokens_that_are_roughly_alike_are_bounded_together(
    many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As is done for large alphabets, here for every model."""
    monkeypatch.setattr(prover, "MANY", many)
    monkeypatch.setattr(local_stream, "AT_ONCE", 3)
    rng = np.random.default_rng(2)
    found = [compare_damaged(rng) for _ in range(40)] + [compare(rng) for _ in range(120)]
    assert min(found.count("proven"), found.count("bounded")) > 5


def test_a_box_around_two_tokens_of_one_role_holds_both() -> None:
    roles, tables = Roles(prover.Choosing(1.0)), [np.full((256, 1), 0.3), np.full((256, 1), 0.4), np.full((256, 1), 0.6)]
    numbers = [roles.put(Reading((t,), (256,), ((0,),), [Box(table, table)])) for t, table in enumerate(tables)]
    assert numbers == [0, 0, 1]  # 0.3 and 0.4 are roughly alike
    held = roles.roles[0].tables[0]
    assert (held.low.min(), held.high.max()) == (0.3, 0.4)
    few = [Reading((0,), (2,), ((0,),), [Box(table[:2], table[:2])]) for table in tables]
    roles = Roles(prover.Choosing(1.0))
    assert len({roles.put(each) for each in few}) == 3  # few combinations are bounded one by one


def test_a_uniform_layer_counts_every_token_that_its_reader_sees_and_no_other() -> None:
    """Four tokens, a window of three: the first one does not count."""
    rng = np.random.default_rng(3)
    document = described(2, 4, 4, [attention(scores="uniform", mask={"kind": "window", "size": 3})], 2, "float64")
    model, alphabets = random_model(rng, document), (range(2),) * 4
    parts = Parts(alphabets, tuple(Part((i,), np.array([False, True])) for i in range(4)))
    form = Count(range(4, 5), lambda _: parts, lambda _: 1, few=0, many=1)
    with pytest.raises(Unproven, match="no counted token shows whether the predicate of places 1 holds"):
        local_count.least_lead(model, form, prover.Choosing(model.ops.scale or 1), BUDGET)


class Arbitrary(prover.Choosing):
    """Choices at random: none of them may make a bound larger than the truth."""

    def __init__(self, one: float, rng: np.random.Generator) -> None:
        super().__init__(one)
        self.rng = rng

    def foci(self, weights: Box, spread: Array) -> Array:
        del spread
        return self.rng.integers(-1, weights.shape[1], len(weights.low))

    def role(self, reading: Reading, roles: Roles) -> int:
        alike = [i for i, role in enumerate(roles.roles) if (role.sizes, role.axes) == (reading.sizes, reading.axes)]
        return int(self.rng.choice([*alike, len(roles.roles)]))

    def flat(self, layer: LocalLayer, role: Role, finish: Finish) -> bool:
        del layer, role, finish
        return bool(self.rng.integers(2))


def test_no_choice_makes_a_bound_larger_than_the_truth() -> None:
    rng, bounded = np.random.default_rng(5), 0
    for _ in range(200):
        model, form, alphabets = random_case(rng)
        with suppress(Unproven):
            bound = local_count.least_lead(model, form, Arbitrary(model.ops.scale or 1, rng), BUDGET)
            assert not_above(bound, true_lead(model, form, product(*alphabets)), model)
            bounded += 1
    assert bounded > 40


def test_choices_too_many_too_few_or_out_of_range_are_refused() -> None:
    model, task = made("equality", length=6)
    proof = next(prover.candidates(model, task))
    assert prove(model, task.form(), proof, BUDGET).margin > 0
    for name in ("foci", "roles", "flat", "parts"):
        for changed_list in (
            proof[name][:-1],
            [*proof[name], 0],
            [1 << 20, *proof[name][1:]],
            [0.0, *proof[name][1:]],
            [-2, *proof[name][1:]],
        ):
            with pytest.raises((Unproven, Refused)):
                prove(model, task.form(), {**proof, name: changed_list}, BUDGET)


def test_every_length_of_a_claim_has_roles_of_its_own() -> None:
    """Two layers and many lengths: roles of one length are not taken for those of another."""
    model, task = made("eq-ncp", length=12)
    assert prove(model, task.form(), next(prover.candidates(model, task)), BUDGET).margin > 0

"""Models of hard attention on PARITY, 1DYCK and 2DYCK: a restriction after which they are constant, certified."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import torch

from separatrix.checker import check_document, sealed
from separatrix.errors import BadInput
from separatrix.models import make_model
from separatrix.models.masks import Causal, Window
from separatrix.models.model import Model
from separatrix.refuters.hard_attention import OfFunctions, OfModel
from separatrix.refuters.restrictions import Refutation, certificates, refute, refuted
from separatrix.tasks import Task, make_task
from tests.refuters.hard_models import hard_model

PARITY = make_task("parity", length=100)
ONE_DYCK = make_task("dyck", length=100, types=1, depth=50)  # a word of 100 brackets is never deeper


def completed(found: Refutation, task: Task, count: int, seed: int = 0) -> torch.Tensor:
    """Random inputs that agree with a restriction."""
    rng, alphabets = np.random.default_rng(seed), task.alphabets()
    rows = [
        [int(rng.choice(alphabet)) if token is None else token for alphabet, token in zip(alphabets, found.restriction, strict=True)]
        for _ in range(count)
    ]
    return torch.tensor(rows)


def accepted(model: Model, task: Task, found: Refutation) -> tuple[dict[str, Any], dict[str, Any]]:
    """Both certificates, after the checker took them."""
    documents = certificates(model, task, found)
    for document in documents:
        verdict = check_document(document)
        assert (verdict.holds, verdict.strength) == (True, "proven"), verdict.reason
    return documents


@pytest.mark.parametrize("task", [PARITY, ONE_DYCK], ids=["parity", "1dyck"])
@pytest.mark.parametrize(("layers", "heads", "most"), [(1, 1, 1), (1, 2, 2), (2, 1, 22), (2, 2, 35), (3, 1, 39)])
def test_random_models_are_constant_after_a_few_tokens_are_fixed(task: Task, layers: int, heads: int, most: int) -> None:
    """One layer needs a token for each head, and 1DYCK its last bracket; the numbers are what a prototype needed at most."""
    model = hard_model(layers + 10 * heads, task.token_count, layers, heads, task.vocabulary)
    found = refuted(model, task)
    assert found is not None
    free = sum(len(alphabet) > 1 for alphabet in task.alphabets())
    assert free - found.free <= most + (task is ONE_DYCK)
    assert set(model(completed(found, task, 40), at=-1).argmax(dim=-1).tolist()) == {found.said}
    accepted(model, task, found)


def certified_of(name: str, lengths: Sequence[int], seeds: int) -> tuple[int, int]:
    """How many random models of one and two layers with one and two heads are refuted with a certificate, and how many there are."""
    certified, every = 0, [(n, shape, seed) for n in lengths for shape in itertools.product((1, 2), (1, 2)) for seed in range(seeds)]
    for n, (layers, heads), seed in every:
        task = make_task(name, length=n)
        model = hard_model(1000 * n + 100 * layers + 10 * heads + seed, task.token_count, layers, heads, task.vocabulary)
        found = refuted(model, task)
        if found is not None:
            accepted(model, task, found)
            certified += 1
    return certified, len(every)


@pytest.mark.parametrize("name", ["dyck-1", "dyck-2"])
def test_brackets_of_any_depth_refute_random_models_with_a_certificate(name: str) -> None:
    assert certified_of(name, (20, 40), 1) == (8, 8)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dyck-1", "dyck-2"])
def test_nearly_all_of_96_random_models_are_refuted_on_brackets(name: str) -> None:
    certified, models = certified_of(name, (20, 40, 60), 8)
    assert models == 96
    assert certified >= 90


@pytest.mark.parametrize("mask", [Causal(), Window(30)])
def test_a_mask_and_fixed_point_make_no_difference(mask: Any) -> None:
    model = hard_model(3, 101, 2, 1, 3, mask, arithmetic="fixed:20,4")
    found = refuted(model, PARITY)
    assert found is not None
    accepted(model, PARITY, found)


@torch.no_grad()
def undecided(seed: int, n: int, layers: int) -> Model:
    """A model whose read-out is shifted until it says either answer on about half of all words."""
    words = torch.tensor([[*word, 2] for word in itertools.product((0, 1), repeat=n)])
    model = hard_model(seed, n + 1, layers, 1, 3)
    logits = model(words, at=-1)
    model.readout.bias[0] += (logits[:, 1] - logits[:, 0]).quantile(0.47) + 1e-3  # between two of them
    return model


def test_without_a_token_that_matters_the_certificate_is_refused() -> None:
    """And where it is taken, the model does say the same on all completions."""
    task, met = make_task("parity", length=9), {True: 0, False: 0}
    for layers in (1, 2):
        for seed in range(6):
            model = undecided(seed, 9, layers)
            found = refuted(model, task)
            assert found is not None
            document, _ = accepted(model, task, found)
            for place in [p for p, token in enumerate(found.restriction[:-1]) if token is not None]:
                looser = [None if p == place else token for p, token in enumerate(found.restriction)]
                verdict = check_document(sealed({**document, "restriction": looser, "free": found.free + 1}))
                words = torch.tensor([*itertools.product(*([0, 1] if token is None else [token] for token in looser), [2])])[:, :10]
                constant = len(set(model(words, at=-1).argmax(dim=-1).tolist())) == 1
                assert verdict.holds == constant, verdict.reason
                met[constant] += 1
    assert met[False] >= 5
    assert met[True] >= 5


def nearest_one(n: int) -> OfFunctions:
    """Every place attends to the nearest 1 before it, and the last one to the place whose nearest 1 is farthest away."""

    def y0(place: int, token: int) -> Sequence[float]:
        return (place, token, 0)

    def att(layer: int, head: int, y: Any, other: Any) -> float:
        del head
        if layer == 0:
            return -abs(y[0] - other[0]) if other[1] == 1 and other[0] <= y[0] else -2 * n - other[0] / n
        return other[2]

    def act(layer: int, y: Any, read: Sequence[Any]) -> Sequence[float]:
        return (y[0], y[1], y[0] - read[0][0]) if layer == 0 else (y[0], y[1], read[0][2])

    return OfFunctions(2, 1, y0, att, act, lambda y: int(y[2]) % 2)


def test_heads_that_look_for_the_nearest_1_need_a_share_of_all_places() -> None:
    """The fewer places a vector may depend on, the more are fixed: about n / (c + 1)."""
    task = make_task("parity", length=40)
    fixed = {}
    for depends in (2, 4):
        found = refute(nearest_one(41), task, depends)
        assert found is not None
        fixed[depends] = 40 - found.free
    assert 40 / 8 < fixed[4] < fixed[2] < 40 / 1.5


def test_of_scores_that_tie_the_first_is_attended_to() -> None:
    """A head that looks for any 1, and knows no places: one 1 at the start settles it."""
    seeks = OfFunctions(
        1, 1, lambda i, s: (i, s), lambda *key: float(key[-1][1] == 1), lambda _, y, b: (y[0], b[0][1]), lambda y: int(y[1])
    )
    found = refute(seeks, make_task("parity", length=20))
    assert found is not None
    assert (found.restriction[0], found.free, found.said) == (1, 19, 1)


def test_functions_and_their_model_are_refuted_alike() -> None:
    model = hard_model(5, 21, 1, 1, 3)
    task, ours = make_task("parity", length=20), OfModel(model)

    def after(layer: int, y: Any, read: Sequence[Any]) -> Any:
        return ours.after(layer, np.asarray(y)[None], [np.asarray(b)[None] for b in read])[0]

    theirs = OfFunctions(
        1, 1, lambda place, token: ours.embed(place, token)[0],
        lambda layer, head, y, other: float(ours.scores(layer, np.stack([y, other]))[head, 0, 1]), after,
        lambda y: int(ours.answers(np.asarray(y)[None])[0]),
    )  # fmt: skip
    assert refute(theirs, task) == refute(ours, task)


def test_scores_that_differ_between_two_runs_are_reported() -> None:
    rng = np.random.default_rng(0)
    fickle = OfFunctions(1, 1, lambda p, s: (p, s), lambda *_: float(rng.integers(2)), lambda _, y, __: y, lambda y: int(y[1]))
    with pytest.raises(BadInput, match=r"layer 1, head 1: a score is \d\.0 in one run and \d\.0 in the next; ties would break differently"):
        refute(fickle, make_task("parity", length=6))


def test_what_cannot_be_refuted_this_way_is_none_or_one_line() -> None:
    assert refuted(hard_model(0, 2, 2, 2, 3), make_task("parity", length=1)) is None  # too short: the tables need every token
    assert refuted(hard_model(0, 8, 1, 1, 2), make_task("dyck", length=2, types=1, depth=1)) is None
    with pytest.raises(BadInput, match="layer 1: expected hard attention without rotary positions"):
        refuted(make_model("transformer", vocabulary=3, targets=2, width=8), make_task("parity", length=6))  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="at least 1 place, found 0"):
        refuted(hard_model(0, 7, 1, 1, 3), make_task("parity", length=6), depends=0)


def test_after_each_layer_a_vector_depends_on_its_support_alone() -> None:
    """Completions that agree on the support of a place give it one vector, whatever the other free tokens are."""
    task, model = make_task("parity", length=12), hard_model(2, 13, 3, 1, 3)
    found = refuted(model, task)
    assert found is not None
    assert [len(done.supports) for done in found.layers] == [13, 13, 1]
    assert found.layers[-1].restriction == found.restriction
    rng, met = np.random.default_rng(0), 0
    for layer, done in enumerate(found.layers[:-1]):
        free = [p for p, token in enumerate(done.restriction) if token is None]
        assert all(set(support) <= set(free) for support in done.supports)
        vectors: list[torch.Tensor] = []
        handle = model.layers[layer].register_forward_hook(lambda _, __, out, kept=vectors: kept.append(out))
        for place, support in enumerate(done.supports):
            one = [int(rng.integers(2)) if token is None else token for token in done.restriction]
            other = [int(rng.integers(2)) if p in free and p not in support else one[p] for p in range(13)]
            model(torch.tensor([one, other]))
            a, b = vectors.pop()[:, place]
            assert torch.allclose(a, b, rtol=0, atol=1e-12), (layer, place)  # two rows of one product may be summed in two orders
            met += one != other
        handle.remove()
    assert met > 13
    fixed = [sum(token is not None for token in done.restriction) for done in found.layers]
    assert fixed == sorted(fixed)

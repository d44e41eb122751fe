"""Collisions of real models: what a model must confuse is found among all inputs, and the checker agrees."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from separatrix.checker import check_document
from separatrix.constructions import build
from separatrix.errors import BadInput
from separatrix.models import make_model
from separatrix.models.model import Model
from separatrix.models.saved import restore
from separatrix.refuters.collisions import colliding_prefixes, colliding_transcripts
from separatrix.tasks import make_task
from separatrix.tasks.index_lookup import IndexLookup
from tests.bounds.small_models import random_model


class Ours(IndexLookup):
    """A task of one's own: the checker knows it by its table only."""


def forgetful() -> Model:
    """An Elman network without recurrent weights: its state is a function of the last token."""
    model = make_model("elman", vocabulary=5, targets=2, width=4)
    assert isinstance(model, Model)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "weight_hh" in name:
                parameter.zero_()
    return model.eval()


def test_a_model_that_forgets_is_refuted_by_two_prefixes() -> None:
    search = colliding_prefixes(forgetful(), make_task("index-lookup", length=3, symbols=2))
    assert search.certificate is not None
    verdict = check_document(search.certificate)
    assert (verdict.holds, verdict.strength) == (True, "proven"), verdict.reason
    x, y = search.certificate["prefixes"]
    assert x != y
    assert x[-1] == y[-1]
    assert len({*search.certificate["expected"]}) == 2


def test_a_task_by_table_is_read_in_the_ids_of_the_model_and_certified_by_places() -> None:
    """The model says 1 after an index, 0 after a symbol; a certificate by table calls the first index 0, which is also a symbol's id."""
    model, task = forgetful(), Ours(3, symbols=2)
    with torch.no_grad():
        model.embedding.table.copy_(torch.tensor([-1.0, -1.0, 1.0, 1.0, 1.0])[:, None].expand(5, 4))
        (kernel,) = (layer.mixer.kernel for layer in model.each_layer() if layer.mixer is not None)
        kernel.weight_ih_l0.copy_(torch.eye(4))
        model.readout.weight.copy_(torch.tensor([[-1.0] * 4, [1.0] * 4]))
    search = colliding_prefixes(model, task)
    assert search.certificate is not None
    assert search.certificate["claim"]["task"] == "table"
    assert search.certificate["automaton"]["outputs"] == [1]
    assert check_document(search.certificate).holds


@pytest.mark.parametrize(("task", "states"), [("equality", 8), ("intersects", 8)])
def test_a_register_file_has_all_the_states_that_its_own_task_needs(task: str, states: int) -> None:
    search = colliding_prefixes(build(f"{task}/recurrent", length=6).model, make_task(task, length=6))
    assert search.certificate is None
    assert search.document() == {"found": False, "tried": {"inputs": 64, "states": states, "wrong answers": 0}}


def test_a_cache_of_keys_and_values_tells_all_prefixes_apart() -> None:
    model = make_model("transformer", vocabulary=2, targets=2, width=4, heads=1, length=4)
    assert isinstance(model, Model)
    search = colliding_prefixes(model.eval(), make_task("equality", length=4))
    wrong = search.tried.pop("wrong answers")
    assert 0 < wrong < 16  # it was never trained: always the same answer, right on 4 of 16 inputs or on 12
    assert search.document() == {"found": False, "tried": {"inputs": 16, "states": 8}}  # 2^3 prefixes before the last token


def test_a_narrow_layer_sends_the_same_bits_on_inputs_that_need_two_answers() -> None:
    small = random_model(np.random.default_rng(1), 4, 1, 1.0, targets_two=True, layer={"attention": "softmax"}, embedding={"plain": 2})
    search = colliding_transcripts(restore(dict(small.model), small.weights), make_task("equality", length=6), range(3))
    assert search.certificate is not None
    assert check_document(search.certificate).holds
    assert search.tried == {"fooling inputs": 8}  # the equal halves


def test_a_layer_that_computes_its_task_has_no_collision() -> None:
    search = colliding_transcripts(build("equality/one-layer", length=6).model, make_task("equality", length=6), range(3))
    assert search.document() == {"found": False, "tried": {"fooling inputs": 8}}


def test_what_cannot_be_searched_is_refused() -> None:
    model = forgetful()
    refused = [
        (lambda: colliding_prefixes(model, make_task("copy", length=2, symbols=2)), "this task scores other tokens than the last$"),
        (
            lambda: colliding_prefixes(model, make_task("equality", length=20)),
            r"a search for collisions takes at most 16,384 inputs, found about 10\^6; choose a smaller length",
        ),
        (lambda: colliding_prefixes(model, make_task("index-lookup", length=4, symbols=2)), r"tokens up to 5, and the model reads 0\.\.4$"),
        (lambda: colliding_transcripts(model, make_task("equality", length=4), range(2)), "arithmetic fixed:p,f"),
        (lambda: colliding_transcripts(model, make_task("equality", length=4), [7]), r"alice must hold positions in 0\.\.3, found 7"),
        (
            lambda: colliding_prefixes(build("equality/one-layer", length=4).model, make_task("equality", length=6)),
            "has 6 tokens, and the model reads at most 4$",
        ),
    ]
    for call, line in refused:
        with pytest.raises(BadInput, match=line):
            call()

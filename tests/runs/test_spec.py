import json
from pathlib import Path

import pytest

from separatrix.errors import BadInput
from separatrix.models.model import Model
from separatrix.runs.spec import RunSpec, differences, read_spec
from separatrix.training.budget import Budget


def spec(**changed: object) -> RunSpec:
    fields = {
        "task": "index-lookup", "task_parameters": {"length": "6", "symbols": "4"},
        "model": "tf-1-8", "model_parameters": {}, "budget": Budget(),
    }  # fmt: skip
    return RunSpec(**{**fields, **changed})  # type: ignore[arg-type]


def test_a_description_survives_json() -> None:
    description = spec(seed=3, test_lengths=(4, 6), model="stack", model_parameters={"mixers": ("gru", "attention")}, budget=Budget(rate=1))
    again = read_spec(json.loads(json.dumps(description.document())))
    assert again.digest == description.digest
    assert again.document() == description.document()
    assert again.budget == description.budget


def test_every_field_is_in_the_digest() -> None:
    changes = [
        {},
        {"seed": 1},
        {"budget": Budget(rate=2e-3)},
        {"model": "tf-1-16"},
        {"task_parameters": {"length": "7"}},
        {"test_lengths": (5,)},
    ]
    assert len({spec(**change).digest for change in changes}) == len(changes)


def test_training_and_judging_have_their_own_distributions() -> None:
    description = spec()
    assert description.training_task().parameters == {"length": 6, "symbols": 4, "distribution": "training"}
    assert description.judged_task().parameters == {"length": 6, "symbols": 4, "distribution": "evaluation"}
    named = spec(task_parameters={"length": "6", "distribution": "evaluation"})
    assert named.training_task().parameters["distribution"] == "evaluation"


def test_the_model_fits_the_longest_test() -> None:
    model = spec(test_lengths=(4, 9)).fresh_model()
    assert isinstance(model, Model)
    assert (model.config.length, model.config.embedding.vocabulary) == (10, 4 + 9)


def test_the_seed_is_that_of_the_weights() -> None:
    one, other = (spec(seed=seed).fresh_model().state_dict()["readout.weight"] for seed in (0, 1))
    assert bool((one != other).any())


def test_differences_are_told_by_field() -> None:
    assert differences(spec().document(), spec(seed=2, budget=Budget(batch=8)).document()) == [
        "budget.batch = 64 there, 8 here",
        "seed = 0 there, 2 here",
    ]


def test_what_is_no_description_is_refused() -> None:
    with pytest.raises(BadInput, match="expected schema separatrix/run version 1, found None version None"):
        read_spec({})
    with pytest.raises(BadInput, match="the description of the run is incomplete: 'task'"):
        read_spec({"schema": "separatrix/run", "version": 1})
    with pytest.raises(BadInput, match="the seed must not be negative, found -1"):
        spec(seed=-1)


def test_code_of_others_is_listed(tmp_path: Path) -> None:
    assert spec().user_code() == []
    place = f"{tmp_path}/a.py:Mixer"
    assert spec(model=place).user_code() == [place]
    assert spec(model="stack", model_parameters={"mixers": f"gru,{place}"}).user_code() == [place]


def test_code_that_a_parameter_names_counts_as_code_of_others() -> None:
    assert spec().user_code() == []
    description = spec(task="function", task_parameters={"length": 3, "function": "mine.py:f", "alphabet": "01"}, model="lstm-1-8")
    assert description.user_code() == ["mine.py:f"]
    mixed = spec(model="stack", model_parameters={"mixers": "gru,json.decoder:JSONDecoder", "shape": ["plain", "your.py:Shape"]})
    assert mixed.user_code() == ["json.decoder:JSONDecoder", "your.py:Shape"]

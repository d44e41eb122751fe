from pathlib import Path

import pytest
import torch

from separatrix.constructions import build
from separatrix.errors import BadInput
from separatrix.runs.load import Origin, load_model, origin
from separatrix.runs.run import run
from separatrix.tasks.index_lookup import IndexLookup
from tests.runs.test_run import spec


def test_a_built_folder_gives_back_the_built_model(tmp_path: Path) -> None:
    built = build("index-lookup", length=6, symbols=4)
    built.save(tmp_path / "built")
    tokens = torch.tensor([[0, 1, 2, 3, 0, 1, 6]])
    assert torch.equal(load_model(str(tmp_path / "built"), None)(tokens, at=-1), built.model(tokens, at=-1))


def test_the_folder_of_a_run_gives_back_what_was_learned(tmp_path: Path) -> None:
    model, _ = run(spec(), tmp_path)
    tokens = torch.tensor([[0, 1, 2, 3, 0, 6]])
    model.eval()
    assert torch.equal(load_model(str(tmp_path), None).eval()(tokens), model(tokens))


def test_a_maker_of_ones_own_gives_a_model_for_the_task(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from torch import nn\n\ndef model(vocabulary: int, targets: int) -> nn.Module:\n    return nn.Embedding(vocabulary, targets)\n"
    )
    model = load_model(f"{tmp_path / 'mine.py'}:model", IndexLookup(length=5, symbols=4))
    assert model(torch.zeros(2, 3, dtype=torch.int64)).shape == (2, 3, 4)


def test_what_is_no_model_is_refused(tmp_path: Path) -> None:
    expected = r"a built folder \(claim.json\), a Hugging Face folder \(config.json\)"
    with pytest.raises(BadInput, match=rf"is not a model: expected the folder of a run \(run.json\), {expected}"):
        load_model(str(tmp_path), None)
    (tmp_path / "claim.json").write_text("{}")
    with pytest.raises(BadInput, match="is not a built folder:"):
        load_model(str(tmp_path), None)


def test_a_stored_model_says_what_it_was_made_for(tmp_path: Path) -> None:
    run(spec(), tmp_path / "run")
    build("intersects", length=6).save(tmp_path / "built")
    task = spec().judged_task()
    assert origin(str(tmp_path / "run")) == Origin(task.name, task.vocabulary, task.targets)
    assert origin(str(tmp_path / "built")) == Origin("intersects")
    assert origin("mine.py:Model") is None


def test_a_task_with_tokens_that_the_model_does_not_know_is_refused() -> None:
    known = Origin("equality", 10, 2)
    known.need(IndexLookup(length=6, symbols=4))  # just as many
    with pytest.raises(BadInput, match=r"^the model knows the 10 tokens of equality; index-lookup at N = 7 has 11$"):
        known.need(IndexLookup(length=7, symbols=4))
    Origin("equality").need(IndexLookup(length=7, symbols=4))  # a built model refuses ids by itself


def test_the_ids_of_another_task_are_not_scored_without_a_word() -> None:
    task = IndexLookup(length=6, symbols=4)
    assert Origin("index-lookup", 10, 4).warning(task) is None
    said = "the model is for equality (2 tokens, 2 targets): ids of index-lookup (10 tokens, 4 targets) are read as its own"
    assert Origin("equality", 2, 2).warning(task) == said

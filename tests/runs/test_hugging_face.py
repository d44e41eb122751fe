"""Hugging Face folders as models: causal ones with safetensors are read like any other; the rest is named and refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from separatrix.errors import BadInput
from separatrix.refuters.attack import attack
from separatrix.refuters.capacity import capacity
from separatrix.refuters.failures import replay
from separatrix.runs.load import load_model
from separatrix.tasks import make_task

pytestmark = pytest.mark.filterwarnings("ignore")  # warnings of transformers' own code

TASK = make_task("index-lookup", length=6, symbols=8)
TINY = {
    "vocab_size": 16,
    "hidden_size": 16,
    "intermediate_size": 16,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "eos_token_id": None,
}


def saved(folder: Path, kind: str, **chosen: Any) -> str:
    """A tiny model with fresh weights."""
    import transformers

    torch.manual_seed(0)
    config = transformers.CONFIG_MAPPING[kind](**chosen)
    transformers.AutoModelForCausalLM.from_config(config).save_pretrained(folder)
    return str(folder)


def test_a_causal_model_is_attacked_by_ids_and_its_record_replays(tmp_path: Path) -> None:
    model = load_model(saved(tmp_path, "llama", **TINY), TASK)
    logits = model(torch.as_tensor(TASK.sample(0, 3).tokens))
    assert logits.shape == (3, 7, 8)  # those of the eight symbols
    result = attack(model, str(tmp_path), TASK)
    assert result.found is not None
    assert result.document()["model"] == tmp_path.name
    assert replay(result.document(), load_model(str(tmp_path), TASK)) == ""
    found = capacity(model, TASK, inputs=64)
    assert found.accuracy < 0.5
    assert found.state_bits == 2 * 16 * 6 * 32  # keys and values of two heads of width 8, six tokens, float32
    assert load_model(str(tmp_path), TASK, dtype="bfloat16")(torch.zeros(1, 3, dtype=torch.int64)).dtype == torch.bfloat16


def test_models_that_read_ahead_are_found_out(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="is not causal: its outputs at the first 4 tokens change with later ones"):
        load_model(saved(tmp_path / "ahead", "bert", **TINY), TASK)
    folder = tmp_path / "t5"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps({"model_type": "t5"}), encoding="utf-8")
    (folder / "model.safetensors").write_bytes(b"")
    with pytest.raises(BadInput, match="t5 is not a causal language model"):
        load_model(str(folder), TASK)


def test_what_cannot_be_read_is_refused_in_one_line(tmp_path: Path) -> None:
    place = saved(tmp_path / "good", "gpt2", vocab_size=16, n_embd=16, n_layer=1, n_head=2, n_positions=8)
    for task, line in (
        (make_task("index-lookup", length=6, symbols=64), "knows 16 tokens; index-lookup at N = 6 has 70"),
        (make_task("copy", length=8, symbols=8), "fails on tokens"),  # 16 tokens, and eight learned positions
    ):
        with pytest.raises(BadInput, match=line):
            load_model(place, task)
    with pytest.raises(BadInput, match="--dtype must be one of float64 float32 bfloat16 float16, found 'int8'"):
        load_model(place, TASK, dtype="int8")
    weights = tmp_path / "good" / "model.safetensors"
    torch.save({"a": torch.zeros(1)}, tmp_path / "good" / "pytorch_model.bin")
    weights.write_bytes(weights.read_bytes()[:100])
    with pytest.raises(BadInput, match="cannot be loaded"):
        load_model(place, TASK)
    weights.unlink()
    with pytest.raises(BadInput, match=r"expected model.safetensors; found pytorch_model.bin, a pickle, which may run code"):
        load_model(place, TASK)
    (tmp_path / "good" / "pytorch_model.bin").unlink()
    with pytest.raises(BadInput, match="found no weights"):
        load_model(place, TASK)


def test_loading_prints_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A refusal is one line: no progress bar of the library stands before it, and its own setting is left as it was."""
    import transformers

    place = saved(tmp_path, "llama", **TINY)
    capfd.readouterr()
    bars = transformers.logging.is_progress_bar_enabled()
    with pytest.raises(BadInput, match="knows 16 tokens; index-lookup at N = 10 has 18"):
        load_model(place, make_task("index-lookup", length=10, symbols=8))
    assert capfd.readouterr() == ("", "")
    assert transformers.logging.is_progress_bar_enabled() == bars

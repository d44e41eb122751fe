"""Every construction comes out as nothing but weights: known modules, tensors, and a file that needs no construction to run."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from separatrix.certificates.built import Built
from separatrix.constructions import CONSTRUCTIONS, build, quick_builds
from separatrix.models.mixers import MIXERS
from separatrix.models.mixers.mixer import Mixer

PARTS = {  # everything that a built model may be made of, besides the mixers of the table
    "separatrix.models.model": {"Model"},
    "separatrix.models.layer": {"Layer"},
    "separatrix.models.feedforward": {"FeedForward"},
    "separatrix.models.readout": {"Readout", "TiedReadout"},
    "separatrix.models.mixers.short_convolution": {"ShortConvolution"},
    "separatrix.models.embedding": {"Embedding", "Place"},
    "separatrix.models.positions": {"SignAddress", "QuadraticAddress", "OneHotAddress", "TableAddress"},
    "separatrix.models.mixers.mamba2": {"GroupedNorm"},
    "torch.nn.modules.container": {"ModuleList"},
    "torch.nn.modules.normalization": {"LayerNorm", "RMSNorm"},
    "torch.nn.modules.rnn": {"LSTM", "GRU", "RNN"},
}
QUICK = quick_builds()
MIXER_FILES = {place.split(":")[0] for name, place in MIXERS.items() if name != "user"}  # someone else's code is never built


def only_weights(model: nn.Module) -> bool:
    """Whether a model consists of known modules, so that no callback can hide in it."""
    return all(type(module).__module__.startswith(("separatrix.models.", "torch.nn.modules.")) for module in model.modules())


@cache
def built(index: int) -> Built:
    return build(QUICK[index][0], **QUICK[index][1])


def test_every_construction_is_met() -> None:
    assert {name for name, _ in QUICK} == set(CONSTRUCTIONS)


@pytest.mark.parametrize("index", range(len(QUICK)))
def test_a_built_model_is_made_of_known_modules_and_tensors(index: int) -> None:
    model = built(index).model
    assert only_weights(model)
    for module in model.modules():
        kind = type(module)
        known = isinstance(module, Mixer) and kind.__module__ in MIXER_FILES
        assert known or kind.__name__ in PARTS.get(kind.__module__, ()), kind
        for name, value in vars(module).items():
            if name.startswith("_"):
                continue  # torch's own: parameters, buffers, modules and hooks
            assert not callable(value) or isinstance(value, nn.Module), (type(module).__name__, name)
        hooks = (module._forward_hooks, module._forward_pre_hooks, module._backward_hooks)
        assert not any(hooks)
    assert all(isinstance(tensor, torch.Tensor) for tensor in model.state_dict().values())


def test_a_callback_would_be_seen() -> None:
    model = build("equality", length=4).model
    model.layers.append(nn.ReLU())
    assert only_weights(model)  # a module of torch
    model.layers.append(Oracle())
    assert not only_weights(model)


class Oracle(nn.Module):
    """What must not hide in a model."""


PROGRAM = """
import json, sys
from pathlib import Path
import numpy as np
import torch
from separatrix.models.saved import restore

for folder in sorted(Path(sys.argv[1]).iterdir()):
    claim = json.loads((folder / "claim.json").read_text())
    model = restore(claim["program"]["model"], (folder / "model.safetensors").read_bytes())
    tokens = torch.from_numpy(np.load(folder / "tokens.npy"))
    with torch.no_grad():
        np.save(folder / "again.npy", model(tokens, at=-1).double().numpy())
rooms = {name.split(".")[1] for name in sys.modules if name.startswith("separatrix.")}
print(json.dumps(sorted(rooms)))
"""


def test_built_models_load_back_in_a_fresh_process_without_constructions(tmp_path: Path) -> None:
    smallest = {QUICK[index][0]: index for index in sorted(range(len(QUICK)), key=lambda i: -QUICK[i][1]["length"])}
    assert set(smallest) == set(CONSTRUCTIONS)
    outputs = {}
    for name, index in smallest.items():
        construction, folder = built(index), tmp_path / name.replace("/", "-")
        construction.save(folder)
        batch = construction.task.sample(0, 8)
        rows = batch.tokens[batch.lengths == batch.lengths[0], : batch.lengths[0]]
        if construction.model.config.embedding.reads == "vectors":
            rows = construction.task.as_vectors(rows)[0]
        np.save(folder / "tokens.npy", rows)
        with torch.no_grad():
            outputs[folder] = construction.model(torch.from_numpy(rows), at=-1).double().numpy()
    done = subprocess.run([sys.executable, "-c", PROGRAM, str(tmp_path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == ["arithmetic", "bits", "errors", "kernels", "models", "naming", "parameters"]
    for folder, expected in outputs.items():
        assert np.array_equal(np.load(folder / "again.npy"), expected), folder.name

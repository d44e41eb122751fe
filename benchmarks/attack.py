"""Evaluations to the first failure of ten trained models: `separatrix attack` against drawing random inputs.

    python benchmarks/attack.py                     train what is missing under --out, then attack
    python benchmarks/attack.py --only tf-1-64      only models whose name contains this

Every model is trained here, for at most three minutes of one core, and stops as soon as 2,000 of 2,000 validation inputs are right. An
evaluation is one input; a gradient counts as three; whole batches are counted, also behind the failure in them. A row has the medians
over --seeds. Random sampling gives up after --most inputs: its number is then a lower bound, and so is the ratio. Two models are of
transformers, which need [hf].
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import torch
from torch import nn

from separatrix.refuters.attack import attack
from separatrix.refuters.leads import leads
from separatrix.runs.load import load_model
from separatrix.runs.process_settings import configure_process
from separatrix.runs.run import run
from separatrix.runs.spec import RunSpec
from separatrix.tasks import Task, make_task
from separatrix.training.budget import Budget
from separatrix.training.evaluation import evaluate
from separatrix.training.loop import train

GOAL = 10.0
AT_ONCE = 1000  # random inputs in a batch


@dataclass(frozen=True)
class Trained:
    """A model, its task, and how it is trained."""

    name: str
    task: str
    length: int
    steps: int
    rate: float
    batch: int = 128
    clip: float = 0.0
    look: int = 250  # steps between validations
    schedule: Literal["constant", "cosine"] = "constant"

    @property
    def budget(self) -> Budget:
        return Budget(
            steps=self.steps, batch=self.batch, rate=self.rate, clip=self.clip, schedule=self.schedule,
            validate_every=self.look, validation=2000, enough=1.0,
        )  # fmt: skip

    @property
    def folder(self) -> str:
        return f"{self.name}-{self.task}-{self.length}"


MODELS = (
    Trained("tf-1-64", "index-lookup", 20, 1000, 1e-3, 256, look=500),
    Trained("tf-1-64", "index-lookup", 50, 1400, 1e-3, 256, look=700),
    Trained("tf-1-64", "index-lookup", 100, 4000, 1e-3, 256, look=500),
    Trained("lstm-1-64", "dyck", 20, 3000, 3e-3, 128, 1.0),
    Trained("lstm-1-64", "dyck", 50, 2000, 3e-3, 64, 1.0),
    Trained("gru-1-64", "dyck", 50, 2000, 3e-3, 64, 1.0),
    Trained("elman-1-64", "dyck", 20, 4000, 1e-3, 128, 1.0),
    Trained("mamba-1-64", "dyck", 20, 3000, 3e-3, 64, 1.0, schedule="cosine"),
    Trained("llama", "dyck", 20, 3000, 1e-3, 128, 1.0, schedule="cosine"),
    Trained("hf-mamba", "dyck", 12, 2400, 5e-3, 64, 1.0, look=200, schedule="cosine"),
)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--json", action="store_true")
    arguments.add_argument("--out", type=Path, default=Path("build/attack"))
    arguments.add_argument("--seeds", type=int, default=5)
    arguments.add_argument("--most", type=int, default=100_000, help="Inputs after which random sampling gives up.")
    arguments.add_argument("--only", default="")
    chosen = arguments.parse_args()
    configure_process()
    rows = [row(cell, chosen.out, chosen.seeds, chosen.most) for cell in MODELS if chosen.only in cell.folder]
    if chosen.json:
        print(json.dumps(rows))
    for line in [] if chosen.json else rows:
        ratio = "neither found one" if line["ratio"] is None else f"x {line['ratio']:.1f}"
        print(
            f"{line['what']:30s} {line['ours']:>8,} against {line['peer']:>8,}   {ratio}   ({100 * line['accuracy']:.2f} % right at random)"
        )
    ratios = [line["ratio"] or 1.0 for line in rows]
    print(f"median ratio {statistics.median(ratios):.1f} over {len(ratios)} models, goal {GOAL:g}", file=sys.stderr)


def row(cell: Trained, out: Path, seeds: int, most: int) -> dict[str, Any]:
    """Both searches on one model."""
    task, folder = make_task(cell.task, length=cell.length), out / cell.folder
    started = time.process_time()
    if not folder.exists():
        print(f"training {cell.folder}", file=sys.stderr)
        TRAINERS.get(cell.name, train_ours)(cell, task, folder)
        print(f"  {time.process_time() - started:.0f} s of processor time", file=sys.stderr)
    model = load_model(str(folder), task).eval()
    accuracy = evaluate(model, task, 2000, 12345).accuracy
    ours, peers = [], []
    for seed in range(seeds):
        ours.append(by_attack(model, task, most, 100 + seed))  # the search was tuned on some of these models, with other seeds
        peers.append(by_chance(model, task, most, 1000 + seed))
    attacked, drawn = (int(statistics.median(counts)) for counts in (ours, peers))
    print(f"{cell.folder}: attack {ours}, random {peers}", file=sys.stderr)
    ratio = None if min(attacked, drawn) >= most else drawn / attacked
    return {
        "what": cell.folder, "ours": attacked, "peer": drawn, "unit": "evaluations to the first failure", "ratio": ratio,
        "goal": GOAL, "accuracy": accuracy, "all_ours": ours, "all_peer": peers, "gave_up_at": most,
    }  # fmt: skip


def by_attack(model: nn.Module, task: Task, most: int, seed: int) -> int:
    """Evaluations of an attack up to the first failure, without those that make it simple."""
    found = attack(model, "trained", task, most, seed)
    return int(found.tried["evaluations"])


def by_chance(model: nn.Module, task: Task, most: int, seed: int) -> int:
    """Random inputs up to the first failure."""
    for first in range(0, most, AT_ONCE):
        wrong = leads(model, task.sample(seed, AT_ONCE, first)).wrong
        if wrong.any():
            return first + int(wrong.argmax()) + 1
    return most


def train_ours(cell: Trained, task: Task, folder: Path) -> None:  # noqa: ARG001
    """A run of ours."""
    run(RunSpec(cell.task, {"length": cell.length}, cell.name, {}, cell.budget), folder)


def train_hugging_face(cell: Trained, task: Task, folder: Path) -> None:
    """A tiny model of transformers, trained by our loop and saved as transformers saves models."""
    import transformers

    sizes = {"vocab_size": max(task.vocabulary, task.targets)}
    if cell.name == "llama":
        config: Any = transformers.LlamaConfig(
            hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4, initializer_range=0.1, **sizes
        )
    else:
        config = transformers.MambaConfig(hidden_size=32, num_hidden_layers=1, state_size=8, **sizes)
    torch.manual_seed(0)
    model = transformers.AutoModelForCausalLM.from_config(config, attn_implementation="eager")
    wrapped = Logits(model, task.targets)
    for _ in train(wrapped, task, cell.budget, 0, validation=task):
        pass
    model.eval().save_pretrained(folder)


class Logits(nn.Module):
    """The logits of the first ids, as our loop reads them."""

    def __init__(self, model: nn.Module, targets: int) -> None:
        super().__init__()
        self.model, self.targets = model, targets

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        logits: torch.Tensor = self.model(input_ids=tokens, use_cache=False).logits
        return logits[..., : self.targets]


TRAINERS: dict[str, Callable[[Trained, Task, Path], None]] = {"llama": train_hugging_face, "hf-mamba": train_hugging_face}

if __name__ == "__main__":
    main()

"""One training step of a Transformer that reads out at one position, against Hugging Face's GPT-2; and learning on a clock.

Both take the same tokens, the same batch of 64, fused Adam, one thread and the tuned allocator, and both are asked for the logits of
the last position only. They are timed in turn in one process; rows show medians. The peer needs `transformers` (extra `hf`).
Architectures: see parts/architectures.py.
Learning: processor seconds of one core until the test accuracy of a small model is known; the goal is 99 % in about two minutes.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
import warnings
from collections.abc import Callable
from typing import Any

import torch
from parts import architectures
from torch import nn
from torch.nn import functional

from separatrix.models.transformer import transformer
from separatrix.runs.process_settings import configure_process
from separatrix.runs.run import run
from separatrix.runs.spec import RunSpec
from separatrix.training.budget import Budget

BATCH, SYMBOLS, HEADS, REPEATS = 64, 64, 4, 15
SIZES = ((100, 64, 1, "6x"), (400, 64, 1, "10x"), (100, 256, 2, "2x"))  # N, width, layers, goal

LOOKUP = Budget(steps=3000, batch=256, rate=1e-3, validate_every=250, validation=1000, enough=0.998)
DYCK = Budget(steps=2000, rate=3e-3, clip=1.0, validate_every=250, validation=1000, enough=0.998)
LEARNED = (("index-lookup", 20, "tf-1-64", LOOKUP), ("index-lookup", 50, "tf-1-64", LOOKUP),
           ("dyck", 50, "lstm-1-64", DYCK), ("dyck", 100, "lstm-1-64", DYCK))  # fmt: skip


def step_of(
    model: nn.Module, logits: Callable[[torch.Tensor], torch.Tensor], tokens: torch.Tensor, targets: torch.Tensor
) -> Callable[[], None]:
    """One update of a model, ready to be timed."""
    optimiser = torch.optim.Adam(model.parameters(), lr=1e-3, fused=True)

    def step() -> None:
        optimiser.zero_grad(set_to_none=True)
        functional.cross_entropy(logits(tokens), targets).backward()  # type: ignore[no-untyped-call]
        optimiser.step()

    return step


def hugging_face(N: int, width: int, layers: int) -> Any:
    """GPT-2 with random weights and no dropout."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from transformers import GPT2Config, GPT2LMHeadModel
    config = GPT2Config(
        vocab_size=SYMBOLS + N, n_positions=N + 1, n_embd=width, n_layer=layers, n_head=HEADS,
        resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0, bos_token_id=0, eos_token_id=0,
    )  # fmt: skip
    peer = GPT2LMHeadModel(config)
    return peer.train()


def step_row(N: int, width: int, layers: int, goal: str) -> dict[str, Any]:
    generator = torch.Generator().manual_seed(0)
    tokens = torch.randint(0, SYMBOLS + N, (BATCH, N + 1), generator=generator)
    targets = torch.randint(0, SYMBOLS, (BATCH,), generator=generator)
    model, peer = transformer(SYMBOLS + N, SYMBOLS, width=width, layers=layers, heads=HEADS, length=N + 1), hugging_face(N, width, layers)
    ours = step_of(model, lambda t: model(t, at=-1), tokens, targets)
    theirs = step_of(peer, lambda t: peer.lm_head(peer.transformer(input_ids=t, use_cache=False).last_hidden_state[:, -1]), tokens, targets)
    spent: dict[Callable[[], None], list[float]] = {ours: [], theirs: []}
    for step in (ours, theirs):
        step()
    for _ in range(REPEATS):
        for step, times in spent.items():
            start = time.perf_counter()
            step()
            times.append(time.perf_counter() - start)
    a, b = (1e3 * statistics.median(spent[step]) for step in (ours, theirs))
    what = f"training step, one read-out, N = {N}, {layers} layer{'s' if layers > 1 else ''} of width {width}; peer: Hugging Face GPT-2"
    return {"what": what, "ours": a, "peer": b, "unit": "ms", "ratio": b / a, "goal": goal}


def learning_row(task: str, N: int, model: str, budget: Budget) -> dict[str, Any]:
    """Processor seconds of a whole run; `peer` is the clock of two minutes."""
    start = time.process_time()
    _, rows = run(RunSpec(task, {"length": N}, model, {}, budget), None)
    seconds = time.process_time() - start
    last = f"{100 * rows[-1]['accuracy']:.2f} % after {rows[-1]['step']} steps of {budget.batch}"
    what = f"{model} on {task}, N = {N}: {last}; peer: two minutes"
    return {"what": what, "ours": seconds, "peer": 120.0, "unit": "s", "ratio": 120.0 / seconds, "goal": "99 % in about 120 s"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--only", choices=["steps", "architectures", "learning"])
    parser.add_argument("--repeats", type=int, default=9, help="Of each training step of the architectures.")
    arguments = parser.parse_args()
    configure_process(threads=1)
    wanted = [arguments.only] if arguments.only else ["steps", "architectures", "learning"]
    found = [step_row(*size) for size in SIZES] if "steps" in wanted else []
    found += architectures.rows(arguments.repeats) if "architectures" in wanted else []
    found += [learning_row(*case) for case in LEARNED] if "learning" in wanted else []
    if arguments.json:
        print(json.dumps(found))
        return
    for r in found:
        ours, peer = (f"{r[side]:8.2f} {r['unit']}" for side in ("ours", "peer"))
        print(f"{r['what']:95}  ours {ours}  peer {peer}  ratio {r['ratio']:5.1f}  goal {r['goal']}")


if __name__ == "__main__":
    main()

"""One training step of each architecture beside a peer: next tokens everywhere, batch 64, fused Adam, the tuned allocator.

Mamba against mambapy and Hugging Face's CPU path; linear attention, retention and block-sparse attention against a dense Transformer on
torch's fused attention; DeltaNet's rule, compiled and chunk by chunk, against its own recurrence. Each pair is timed in turn in one
process; rows show medians, of processor time on one thread and of the clock on more: a busy machine disturbs the first less.
Peers are installed by the extra `bench`; without one, its rows are left out and a line says so.
"""

from __future__ import annotations

import statistics
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from separatrix.models import model_for
from separatrix.models.fast import delta_rule

BATCH, VOCABULARY, HEADS = 64, 64, 4


class Dense(nn.Module):
    """A Transformer as one would write it today: pre-norm blocks around scaled_dot_product_attention(is_causal=True)."""

    def __init__(self, width: int, n: int) -> None:
        super().__init__()
        self.tokens, self.places = nn.Embedding(VOCABULARY, width), nn.Embedding(n, width)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(3))
        self.into, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.inner, self.outer, self.head = nn.Linear(width, 4 * width), nn.Linear(4 * width, width), nn.Linear(width, VOCABULARY)

    def forward(self, tokens: Tensor) -> Tensor:
        x = self.tokens(tokens) + self.places.weight[: tokens.shape[1]]
        q, k, v = (part.unflatten(2, (HEADS, -1)).transpose(1, 2) for part in self.into(self.norms[0](x)).chunk(3, dim=-1))
        x = x + self.out(functional.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2))
        x = x + self.outer(functional.gelu(self.inner(self.norms[1](x)), approximate="tanh"))
        logits: Tensor = self.head(self.norms[2](x))
        return logits


def mambapy(width: int) -> nn.Module | None:
    try:
        from mambapy.mamba import Mamba, MambaConfig
    except ImportError:
        print("the peer mambapy is not installed: pip install 'separatrix[bench]'", file=sys.stderr)
        return None
    return nn.Sequential(nn.Embedding(VOCABULARY, width), Mamba(MambaConfig(width, 1)), nn.LayerNorm(width), nn.Linear(width, VOCABULARY))


def hugging_face(width: int) -> nn.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from transformers import MambaConfig, MambaForCausalLM
        from transformers.utils import logging

        logging.set_verbosity_error()
    config = MambaConfig(vocab_size=VOCABULARY, hidden_size=width, num_hidden_layers=1, use_mambapy=False, bos_token_id=0, eos_token_id=0)
    model: nn.Module = MambaForCausalLM(config)
    return model


def ours(name: str, n: int, **chosen: Any) -> nn.Module:
    return model_for(name, {"vocabulary": VOCABULARY, "targets": VOCABULARY, "length": n, "seed": 0}, chosen)


def step_of(model: nn.Module, n: int) -> Callable[[], None]:
    tokens = torch.randint(0, VOCABULARY, (BATCH, n), generator=torch.Generator().manual_seed(0))
    optimiser = torch.optim.Adam(model.parameters(), lr=1e-3, fused=True)

    def step() -> None:
        optimiser.zero_grad(set_to_none=True)
        out = model(tokens)
        logits = out if isinstance(out, Tensor) else out.logits
        functional.cross_entropy(logits.flatten(0, 1), tokens.flatten()).backward()  # type: ignore[no-untyped-call]
        optimiser.step()

    return step


def row(what: str, a: Callable[[], None], b: Callable[[], None], goal: str, repeats: int) -> dict[str, Any]:
    """Medians of the two, in turn."""
    clock = time.process_time if torch.get_num_threads() == 1 else time.perf_counter
    spent: dict[Callable[[], None], list[float]] = {a: [], b: []}
    for step in spent:
        step()
    for _ in range(repeats):
        for step, times in spent.items():
            start = clock()
            step()
            times.append(clock() - start)
    mine, theirs = (1e3 * statistics.median(spent[step]) for step in (a, b))
    return {"what": what, "ours": mine, "peer": theirs, "unit": "ms", "ratio": theirs / mine, "goal": goal}


def rows(repeats: int) -> Iterator[dict[str, Any]]:
    n, width = 100, 64
    mamba, peer = step_of(ours("mamba-1-64", n), n), mambapy(width)
    if peer is not None:
        yield row("training step of mamba-1-64, L = 100; peer: mambapy", mamba, step_of(peer, n), "5x, moonshot 10x", repeats)
    slow = max(1, repeats // 4)  # the peer takes seconds
    yield row("training step of mamba-1-64, L = 100; peer: Hugging Face", mamba, step_of(hugging_face(width), n), "25x, moonshot 50x", slow)
    n = 400
    for name, chosen in (("lintf-1-64", {}), ("retnet-1-64", {}), ("block-sparse-1-64", {"block": 16})):
        yield row(
            f"training step of {name}, L = 400; peer: dense Transformer", step_of(ours(name, n, **chosen), n),
            step_of(Dense(width, n), n), "1.2x, moonshot 2x", repeats,
        )  # fmt: skip
    for what, rule in (("as mixers run it (compiled)", delta_rule.delta_rule), ("chunk by chunk, torch alone", delta_rule.chunked)):
        yield row(f"DeltaNet's rule {what}, forward and backward, L = 400; peer: its recurrence",
                  there_and_back(rule, n), there_and_back(delta_rule.naive, n), "10x", slow)  # fmt: skip


def there_and_back(rule: Callable[..., Tensor], n: int) -> Callable[[], None]:
    generator = torch.Generator().manual_seed(0)
    q, k, v = (torch.randn(BATCH, HEADS, n, 16, generator=generator) for _ in range(3))
    tensors = [q, functional.normalize(k, dim=-1), v, torch.rand(BATCH, HEADS, n, generator=generator)]
    for x in tensors:
        x.requires_grad_()

    def step() -> None:
        torch.autograd.grad(rule(*tensors, None).sum(), tensors)

    return step

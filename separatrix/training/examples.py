"""What a model is trained and scored on: the examples of a task, and where the task thinks, each with its chain of thought.

Every token of a chain is scored, but for what a search retrieves: the decoder writes that, not the model. By the lemma on chains a causal
model that is right on all of them writes exactly these chains by itself; a right answer after another chain is counted apart.
"""

from __future__ import annotations

from dataclasses import replace

from separatrix.certificates.evaluator import with_chains
from separatrix.errors import BadInput
from separatrix.models.decoders.decoder import ChainDecoder
from separatrix.models.decoders.greedy import Greedy
from separatrix.models.decoders.retrieval import Retrieval, ShortRetrieval
from separatrix.models.model import Model
from separatrix.tasks import Batch, Task
from separatrix.tasks.capabilities import chain_limit, chain_of, search_of, stop_of

AT_ONCE = 1000  # chains that are written side by side: what attention has read of each is kept


def thinks(task: Task) -> bool:
    """Whether answers come at the end of a chain of tokens."""
    return stop_of(task) is not None and chain_limit(task) > 0


def examples(task: Task, seed: int, count: int, start: int = 0) -> Batch:
    """Examples start .. start + count - 1 of a seed, with their chains."""
    batch = task.sample(seed, count, start=start)
    if not thinks(task):
        return batch
    prompts = [batch.row(r) for r in range(len(batch.tokens))]
    chains = [chain for prompt in prompts if (chain := chain_of(task, prompt)) is not None]
    stop, search = stop_of(task), search_of(task)
    if stop is None or len(chains) < len(prompts):
        raise BadInput(f"{task.name}: an example has no chain of tokens")
    whole = with_chains(prompts, chains, stop)
    return whole if search is None else replace(whole, mask=whole.mask & (whole.tokens != search.end))


def answered(model: Model, task: Task, seed: int, count: int) -> float:
    """Share of examples whose chain, written by the model alone, ends with the right answer: the token before the stop token."""
    batch, decoder = task.sample(seed, count), decoder_of(task)
    prompts = [batch.row(r) for r in range(len(batch.tokens))]
    right = 0
    for first in range(0, len(prompts), AT_ONCE):
        some = prompts[first : first + AT_ONCE]
        for prompt, written in zip(some, decoder.chains(model, some), strict=True):
            due = chain_of(task, prompt)
            right += written.ended and due is not None and written.tokens[-2:] == due[-2:]
    return right / len(prompts)


def decoder_of(task: Task) -> ChainDecoder:
    """How a chain of this task is written."""
    stop, search = stop_of(task), search_of(task)
    if stop is None:
        raise BadInput(f"{task.name} has no chain")
    if search is None:
        return Greedy(stop, chain_limit(task))
    around = (search.start, search.end, stop, chain_limit(task), task.spelling)
    return ShortRetrieval(*around, tuple(search.templates.items())) if search.templates else Retrieval(*around)

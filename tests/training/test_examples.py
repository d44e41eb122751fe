"""Training on chains of thought: what is scored, what is not, and that a model learns to write a chain that nobody wrote for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

import numpy as np
import pytest
import torch

from separatrix.constructions import build
from separatrix.models.decoders.decoder import Chain
from separatrix.parameters import parameters
from separatrix.runs.run import run
from separatrix.runs.spec import RunSpec
from separatrix.tasks import TASKS, make_task, task_class
from separatrix.tasks.capabilities import asked_positions, tokens_read
from separatrix.training.budget import Budget
from separatrix.training.evaluation import evaluate
from separatrix.training.examples import answered, decoder_of, examples, thinks


def test_every_token_of_a_chain_is_scored_and_nothing_of_the_prompt() -> None:
    task = make_task("is-tree", length=5, thought="tour")
    batch = examples(task, 3, 20)
    for r in range(20):
        row, prompt = batch.row(r), task.sample(3, 20).row(r)
        chain = task.chain(prompt)
        assert chain is not None
        assert (*row, task.stop) == (*prompt, *chain)
        assert batch.targets[r][batch.mask[r]].tolist() == list(chain)
        assert np.flatnonzero(batch.mask[r])[0] == len(prompt) - 1


@pytest.mark.parametrize("thought", ["search", "short"])
def test_what_a_search_retrieves_is_given_and_not_scored(thought: str) -> None:
    task = make_task("is-tree", length=5, thought=thought)
    batch = examples(task, 0, 6)
    assert task.search is not None
    given = np.zeros_like(batch.mask)
    given[:, :-1] = batch.tokens[:, :-1] == task.search.end
    assert given.any()
    assert not (batch.mask & given).any()
    chains = [task.chain(task.sample(0, 6).row(r)) for r in range(6)]
    assert batch.mask.sum(axis=1).tolist() == [len(c) - c.count(task.search.end) for c in chains if c is not None]


@pytest.mark.parametrize("thought", ["search", "short"])
@pytest.mark.parametrize("graphs", ["any", "two-star", "message"])
def test_the_decoder_finds_what_the_chain_of_the_task_has_found(thought: str, graphs: str) -> None:
    """By another engine of regular expressions, in the text that the model itself has written."""
    task = make_task("is-tree", length=7, thought=thought, graphs=graphs)
    decoder, batch, searches = decoder_of(task), task.sample(1, 12), 0
    assert task.search is not None
    for r in range(12):
        prompt = batch.row(r)
        chain = task.chain(prompt) or ()
        for written in range(1, len(chain)):
            ended = chain[written - 1] == task.search.end
            assert decoder.given(prompt, chain[:written]) == (chain[written] if ended else None)
            searches += ended
    assert searches > 100


THOUGHTS = [
    (name, thought)
    for name in TASKS
    if "thought" in parameters(task_class(name))
    for thought in get_args(parameters(task_class(name))["thought"].type)
]


@pytest.mark.parametrize(("name", "thought"), THOUGHTS)
def test_every_scored_token_of_a_chain_asks_about_one_position(name: str, thought: str) -> None:
    """So that accuracy can be listed by the position asked about."""
    task = make_task(name, length=5, thought=thought)
    batch = examples(task, 0, 4)
    assert len(asked_positions(task, batch)) == batch.mask.sum()
    assert thinks(task) is (thought != "none")


@pytest.mark.parametrize(("name", "chosen"), [("index-lookup", {}), ("is-tree", {"thought": "none"}), ("eq-ncp", {})])
def test_a_task_without_a_chain_is_drawn_as_it_is(name: str, chosen: dict[str, str]) -> None:
    task = make_task(name, length=20, **chosen)
    assert not thinks(task)
    for mine, its in zip(vars(examples(task, 1, 8, start=3)).values(), vars(task.sample(1, 8, start=3)).values(), strict=True):
        assert (mine == its).all()
    assert tokens_read(task) == task.token_count


def test_a_built_program_scores_all_of_its_chains_and_answers() -> None:
    """The same evaluation on exact weights: the chain is right, token by token, and so is the answer that the model writes alone."""
    built = build("is-tree/transformer", length=5)
    scores = evaluate(built.model, built.task, 40, 0)
    assert (scores.accuracy, scores.positions, scores.greedy) == (1.0, 1.0, 1.0)
    broken = build("is-tree/transformer", length=5).model
    with torch.no_grad():
        broken.embedding.table.zero_()  # which also reads out
    assert answered(broken, built.task, 0, 40) == 0.0


class Blurts:
    """Says YES after the prompt, whatever it is, and stops."""

    causal = True

    def __init__(self, prompt: int, words: tuple[int, int], targets: int) -> None:
        self.prompt, self.words, self.targets = prompt, words, targets

    def initial_state(self, rows: int) -> Read:
        return Read(0, rows)

    def step(self, state: Read, tokens: torch.Tensor) -> tuple[Read, torch.Tensor]:
        logits = torch.zeros(len(tokens), self.targets)
        logits[:, self.words[min(1, max(0, state.tokens + 1 - self.prompt))]] = 1.0
        return Read(state.tokens + 1, len(tokens)), logits


@dataclass
class Read:
    tokens: int
    rows: int

    def of_rows(self, rows: list[int]) -> Read:
        return Read(self.tokens, len(rows))


def test_a_right_answer_after_another_chain_counts_as_an_answer() -> None:
    task = make_task("is-tree", length=5, thought="tour")
    yes = task.read("YES")[0]
    assert task.stop is not None
    model = Blurts(task.token_count, (yes, task.stop), task.targets)
    trees = sum(task.answer(task.sample(0, 60).row(r)) == yes for r in range(60))
    assert 0 < trees < 60
    assert answered(model, task, 0, 60) == trees / 60  # type: ignore[arg-type]


def test_chains_are_written_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    built = build("is-tree/transformer", length=5)
    asked: list[int] = []

    def chains(_: object, __: object, prompts: list[tuple[int, ...]]) -> list[Chain]:
        asked.append(len(prompts))
        return [Chain((), False)] * len(prompts)

    monkeypatch.setattr("separatrix.training.examples.AT_ONCE", 7)
    monkeypatch.setattr(type(decoder_of(built.task)), "chains", chains)
    assert answered(built.model, built.task, 0, 20) == 0.0
    assert asked == [7, 7, 6]


def test_a_small_model_learns_a_chain_and_is_sized_for_it() -> None:
    task = {"length": 3, "thought": "chain"}
    budget = Budget(steps=260, batch=32, rate=1e-2, validate_every=130, validation=100, test=100, clip=1.0)
    spec = RunSpec("circuit", task, "tf-1-16", {}, budget)
    assert spec.sizes()["length"] == tokens_read(spec.judged_task()) > spec.judged_task().token_count
    _, rows = run(spec, None)
    scores = [row for row in rows if row["kind"] in ("validation", "test")]
    assert scores[-1]["accuracy"] > 0.9, scores
    assert scores[-1]["greedy"] >= scores[-1]["accuracy"]  # a right chain has a right answer

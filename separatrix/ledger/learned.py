"""What was learned: the stored rows of studies as facts, each with the id of its row.

A row has the length of training and a test at one length or at several; each test is a fact of its own. A run that writes a chain of
thought, or searches its text, is credited to that mode only. What the accuracy counts is said in words; of a task that predicts the next
symbol the cross-entropy is measured, because a right guess there is a matter of luck.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from separatrix.architectures import Architecture, Mode
from separatrix.ledger.fact import ACCURACY, Evidence, Fact, Lengths, What
from separatrix.models.model_names import configuration
from separatrix.studies.stored import shipped_files
from separatrix.studies.study import answered_share
from separatrix.tasks import Task, make_task
from separatrix.tasks.capabilities import Searches, stop_of

NATS = "cross-entropy in nats"
CHAINS = "right answers at the end of chains that the model writes alone"
ANSWERS = "right answers, one for each input"
WHOLE = "inputs on which every answer is right"
WRITTEN = "inputs of which the model writes every symbol right, alone"
OF = {
    ANSWERS: "",
    WHOLE: " of whole inputs",
    WRITTEN: " of whole inputs",
    CHAINS: " of answers after chains of its own",
}  # behind an accuracy, where room is short


@cache
def learned_facts(task: str | None = None) -> tuple[Fact, ...]:
    """Every stored result of training from fresh weights, or those about one task; models without an architecture of their own are left
    out. A file of rows has the name of its study, so that no study has to be loaded."""
    return tuple(
        fact
        for name, result in shipped_files()
        if "test" in result and task in (None, result["run"]["task"])
        for fact in facts_of(name, result)
    )


def learned_at(task: Task) -> list[Fact]:
    """Accuracies at the length and the parameters of a task, of each architecture and mode the best row."""
    best: dict[tuple[Architecture, Mode], Fact] = {}
    for fact in learned_facts(task.name):
        if fact.quantity == ACCURACY and make_task(fact.task, **fact.parameters).parameters == task.parameters:
            known = best.get((fact.architecture, fact.mode))
            if known is None or (fact.value or 0) > (known.value or 0):
                best[fact.architecture, fact.mode] = fact
    return [*best.values()]


def facts_of(study: str, result: dict[str, Any]) -> Iterator[Fact]:
    """The facts that the tests of one trained run give."""
    run = result["run"]
    architecture = architecture_of(run["model"])
    if architecture is None:
        return
    trained_on = make_task(run["task"], **run["task_parameters"])
    mode = mode_of(trained_on)
    for length, quantity, value in tests_of(trained_on, result):
        yield Fact(
            run["task"], {**run["task_parameters"], "length": length}, architecture, mode, "float32", Lengths("one", length), What.LEARNED,
            quantity, value, "measured", Evidence("row", result["digest"]),
            more={
                "model": run["model"],
                "trained_at": run["task_parameters"]["length"],
                "tested_at": length,
                "metric": metric_of(trained_on, result),
                "examples": result["test"]["examples"],
                "seed": run["seed"],
                "steps": result["test"]["step"],
                "state_bits": result["state_bits"],
                "chance": chance_of(trained_on),
                "study": study,
            },
        )  # fmt: skip


def tests_of(trained_on: Task, result: dict[str, Any]) -> Iterator[tuple[int, str, float]]:
    """Length, quantity and value of each test; a run without further lengths was tested at the length of its training."""
    if trained_on.random_target:
        yield from ((length, NATS, nats) for length, nats in result.get("nats", ()))
    elif result.get("tests"):
        yield from ((length, ACCURACY, share) for length, share in result["tests"])
    else:
        yield trained_on.length, ACCURACY, answered_share(result)


def mode_of(task: Task) -> Mode:
    """Whether a model of this task writes a chain of thought, or searches its text; read off the task itself."""
    if isinstance(task, Searches) and task.search is not None:
        return Mode.RETRIEVAL
    return Mode.ALONE if stop_of(task) is None else Mode.CHAIN


def metric_of(task: Task, result: dict[str, Any]) -> str:
    """What the value counts, in words."""
    if task.random_target:
        return "nats per symbol, less is better"
    if result["test"].get("greedy") is not None:
        return WRITTEN if mode_of(task) is Mode.ALONE else CHAINS
    return answers_counted(task)


def answers_counted(task: Task) -> str:
    """What an accuracy of a task counts: one answer for each input, or all answers of an input together."""
    return ANSWERS if task.scored_at_end else WHOLE


def chance_of(task: Task) -> float | None:
    """The accuracy of a guess, of a task with one answer out of a few that are about equally likely."""
    return 1 / task.targets if task.scored_at_end and not task.random_target else None


def architecture_of(name: str) -> Architecture | None:
    """The architecture of a trained model by name; None if it has none of its own."""
    kind, sizes = configuration(name, {})
    if kind == "stack":
        mixers = sizes.get("mixers", ())
        return Architecture.HYBRID if mixers and mixers[-1] == "attention" != mixers[0] else None
    if kind not in {*Architecture}:
        return None
    return Architecture(kind).with_layers(int(sizes["layers"])) if "layers" in sizes else None

"""Programs: a model and how its answer is read; saved, read back, run and taken apart."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from separatrix.certificates.built import Built
from separatrix.certificates.claim import Claim
from separatrix.certificates.evaluator import logits_of, with_chains
from separatrix.certificates.program import Program, read_program
from separatrix.constructions import CONSTRUCTIONS, build
from separatrix.errors import BadInput
from separatrix.models.decoders.greedy import Greedy
from separatrix.models.decoders.position import Position, Positions
from separatrix.models.decoders.rounding import Rounding
from separatrix.runs.load import built_program
from separatrix.tasks.parity import Parity
from tests.models.decoders.test_chains import STOP, countdown_vectors, counting_down


def writing() -> Built:
    """A program that writes; the task is any, for nothing here asks it."""
    return Built(Program(counting_down(), Greedy(STOP, 10)), Claim("counting-down", "", "parity", {"length": 4}, {}, "float64"), Parity(4))


def test_a_built_program_writes_its_chain() -> None:
    built = writing()
    assert built.generate([0, 3]) == (2, 1, 0, 4)
    assert built.program.answer([2]) == (1, 0, 4)
    rounding = Program(countdown_vectors(), Rounding(10))
    assert rounding.generate([(4, 5)]) == ((3, 2), (2, 1), (1, 0), (0, 0))


def test_a_program_answers_at_the_last_token_or_at_every_one() -> None:
    assert Program(counting_down(), Position()).answer([3, 1]) == 0
    assert Program(counting_down(), Positions()).answer([3, 1]) == (2, 0)


def test_a_saved_program_is_read_back(tmp_path: Path) -> None:
    built = writing()
    built.save(tmp_path / "built")
    document = json.loads((tmp_path / "built" / "claim.json").read_text())
    assert (document["schema"], document["version"]) == ("separatrix/claim", 2)
    assert document["program"]["decoder"] == {"kind": "greedy", "stop": STOP, "limit": 10}
    again = built_program(tmp_path / "built")
    assert again.decoder == built.program.decoder
    assert again.generate([3]) == (2, 1, 0, 4)


def test_what_is_no_program_is_refused(tmp_path: Path) -> None:
    program = writing().program
    for document in ({}, {"model": {}}, {**program.document(), "more": 1}, []):
        with pytest.raises(BadInput, match=r"^program: expected a model and a decoder, found "):
            read_program(document, program.weights())  # type: ignore[arg-type]
    (tmp_path / "claim.json").write_text(json.dumps({"schema": "separatrix/claim", "version": 1, "program": {}}))
    (tmp_path / "model.safetensors").write_bytes(b"")
    with pytest.raises(BadInput, match="expected separatrix/claim version 2, found separatrix/claim version 1"):
        built_program(tmp_path)


def test_a_trace_of_a_program_that_writes_covers_its_chain() -> None:
    """At each step the model has read exactly that prefix, so one run over prompt and chain shows every step."""
    trace = writing().trace([0, 3])
    assert trace.tokens == (0, 3, 2, 1, 0)
    assert trace.streams[-1].shape == (5, 1)
    assert trace.inside[0]["registers"].shape == (5, 1)
    assert int(trace.logits.argmax()) == STOP


def test_a_trace_of_a_program_that_is_read_shows_the_last_token() -> None:
    built = build("index-lookup", length=4, symbols=2)
    trace = built.trace([1, 0, 1, 1, 2 + 1])
    assert [tuple(stream.shape) for stream in trace.streams] == [(5, built.model.config.width), (1, built.model.config.width)]
    assert trace.attention[0].shape == (1, 1, 5)
    assert torch.equal(trace.logits, built.model(torch.tensor([[1, 0, 1, 1, 3]]), at=-1)[0])


def test_every_construction_says_how_it_is_read() -> None:
    """Recall, copying, state tracking and repeating halves are scored at many positions; what thinks or searches writes a chain."""
    sizes = {"dyck/one-layer": 4, "associative-recall/recurrent": 2, "nearest-neighbor/label-address": 4}
    kinds = {name: build(name, length=sizes.get(name, 4)).program.decoder.kind for name in CONSTRUCTIONS}
    everywhere = {"eq-ncp", "dyck-next/two-layer"} | {
        name for name in CONSTRUCTIONS if name.split("/")[0] in ("mqar", "copy", "state-tracking")
    }
    assert {name for name, kind in kinds.items() if kind == "positions"} == everywhere
    assert {name for name, kind in kinds.items() if kind == "retrieval"} == {name for name in CONSTRUCTIONS if name.endswith("/retrieval")}
    thinking = {
        "is-tree/transformer",
        "is-tree/hybrid",
        "turing-machine/linear-rnn",
        "turing-machine/linear-rnn/turning",
        "turing-machine/hybrid",
        "arithmetic/sparse",
    }
    thinking |= {"circuit/transformer", "circuit/transformer/recurrent"}
    assert {name for name, kind in kinds.items() if kind == "greedy"} == thinking
    programs = {f"{name}/{attention}" for name in ("reverse-sum", "lis", "edit-distance") for attention in ("standard", "linear", "sparse")}
    assert {name for name, kind in kinds.items() if kind == "rounding"} == {
        *programs,
        "cellular-automaton/window",
        "edit-distance-local/window",
    }
    assert {*kinds.values()} == {"position", "positions", "retrieval", "greedy", "rounding"}


def test_prompts_and_their_chains_are_one_batch() -> None:
    """Every token of the chain is asked for, at the token before it."""
    batch = with_chains([[0, 3], [1]], [(2, 1, 0, 4), (0, 4)], STOP)
    assert batch.tokens.tolist() == [[0, 3, 2, 1, 0], [1, 0, 0, 0, 0]]
    assert batch.targets[batch.mask].tolist() == [2, 1, 0, 4, 0, 4]
    assert batch.lengths.tolist() == [5, 2]
    assert np.array_equal(logits_of(counting_down(), batch).argmax(axis=1), batch.targets[batch.mask])


@pytest.mark.parametrize("chain", [(), (2, 1, 0), (2, 4, 0, 4)])
def test_a_chain_without_its_stop_token_is_refused(chain: tuple[int, ...]) -> None:
    with pytest.raises(BadInput, match=r"^a chain must follow a prompt and end with its only stop token 4, found"):
        with_chains([[3]], [chain], STOP)


def test_a_construction_without_a_proof_is_still_explained() -> None:
    """Index lookup of place 2 in 1 0 1 1: the head looks there, with at least 3/4 of its weight."""
    built = replace(build("index-lookup", length=4, symbols=2), steps=None)
    layer, answer = built.explain([1, 0, 1, 1, 2 + 1])
    (place,) = layer.values["head 1 looks at"]
    assert place.startswith("place 2 with weight 0.")
    assert float(place.rsplit(" ", 1)[1]) >= 0.75
    assert answer.values == {"says": 0}


def test_a_chain_is_explained_token_by_token() -> None:
    first, second, *rest = build("recall-next/retrieval", length=3).explain([0, 9, 10, 9, 9])  # <s> 2 3 2 2
    assert (first.title, first.says) == ("token 6: <StartSearch>", "The program writes it.")
    assert (second.title, second.values["layer 1, word"].count(1.0)) == (r"token 7: (?<!\S)", 1)  # one rule fires
    assert [step.title.split(": ")[1] for step in rest] == ["2", r"\s(\S+)", "<EndSearch>", "3", "3", "</s>"]
    assert [step.says for step in rest[3:5]] == ["The search finds it.", "The program writes it."]

"""Every kind of witness: true ones are accepted, and every edit, false claim and piece of garbage is refused."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save

from separatrix.bounds.communication.matrix import communication_matrix
from separatrix.bounds.protocols.collision import fooling_inputs, state_collision, tables_of, transcript_collision
from separatrix.bounds.states.automaton import layered_automaton
from separatrix.bounds.witnesses import (
    certify_counterexample,
    certify_fooling_set,
    certify_profile,
    certify_state_collision,
    certify_state_machine,
    certify_transcript_collision,
    question_of_function,
    question_of_task,
)
from separatrix.checker import JUDGES, check_document, check_text, sealed
from separatrix.checker.weights import parse_safetensors
from separatrix.tasks import make_task
from tests.bounds.small_models import configuration, random_model, random_weights

Document = dict[str, Any]
Path = tuple[Any, ...]


def fooling_set() -> Document:
    """Equality of two halves of three bits: all eight equal pairs, nine rectangles, four bits."""
    return certify_fooling_set(question_of_task(make_task("equality", length=6)), range(3), [(x, x) for x in product((0, 1), repeat=3)], 1)


def own_fooling_set() -> Document:
    """A user's function, with a largest fooling set that the solver found."""

    def answer(x: tuple[int, ...]) -> bool:
        return x[0] * 2 + x[2] >= x[1] * 2 + x[3]

    found = communication_matrix(answer, [0, 1], 4, [0, 2]).fooling_set(True)
    return certify_fooling_set(question_of_function(answer, [0, 1], 4), [0, 2], found.pairs, 1)


def profile() -> Document:
    return certify_profile(question_of_task(make_task("equality", length=6)))


def promise_profile() -> Document:
    return certify_profile(question_of_task(make_task("associative-recall", length=2, symbols=2)))


def counterexample(arithmetic: str = "fixed:8,3") -> Document:
    question = question_of_task(make_task("equality", length=4))
    config = configuration(arithmetic, width=2, layer={"value_width": 2, "hidden": 2})
    weights = random_weights(np.random.default_rng(0), config, 3, 1.0)
    for tokens in product((0, 1), repeat=4):
        try:
            return certify_counterexample(question, config, weights, tokens)
        except ValueError:
            continue
    raise AssertionError("the model is right on every input")


def float_counterexample() -> Document:
    return counterexample("float64")


def transcripts() -> Document:
    question = question_of_task(make_task("equality", length=6))
    model = random_model(np.random.default_rng(1), 4, 1, 1.0, targets_two=True, layer={"attention": "softmax"}, embedding={"plain": 2})
    found = transcript_collision(model, question, range(3), fooling_inputs([(x, x) for x in product((0, 1), repeat=3)], range(3)))
    assert found is not None
    return certify_transcript_collision(question, model, range(3), found.x, found.y)


def states() -> Document:
    """A shift register of two bits, on index lookup at three."""
    question = question_of_task(make_task("index-lookup", length=3, symbols=2))
    automaton = tables_of(lambda t, s, x: (2 * s + x) % 4 if t < 3 else (s >> (4 - x)) & 1, lambda s: s, 0, question.alphabets)
    found = state_collision(automaton, question)
    assert found is not None
    return certify_state_collision(question, automaton, found.prefixes, found.suffix)


def machine() -> Document:
    """The smallest machine with a clock for equality of two halves of two bits."""
    question = question_of_task(make_task("equality", length=4))
    return certify_state_machine(question, layered_automaton(question.answer, question.alphabets, 4))


def promise_machine() -> Document:
    question = question_of_task(make_task("associative-recall", length=2, symbols=2))
    return certify_state_machine(question, layered_automaton(question.answer, question.alphabets, 5))


WITNESSES = {
    make.__name__: make
    for make in (
        fooling_set,
        own_fooling_set,
        profile,
        promise_profile,
        counterexample,
        float_counterexample,
        transcripts,
        states,
        machine,
        promise_machine,
    )
}
FREE: dict[str, set[str]] = {  # fields whose change may state another true claim: nothing is derived from the old value
    "fooling_set": {"task_parameters"},  # over three symbols the same pairs fool
    "own_fooling_set": {"task_parameters", "alice"},  # answers that no pair or crossing needs; the pairs fool over another partition too
    "promise_profile": {"task_parameters"},  # with more keys to choose from, as many states are needed
    "counterexample": {"model"},  # a mask does not matter at the last token
    "float_counterexample": {"model"},
    "transcripts": {"model"},
    "promise_machine": {"automaton"},  # what no string of the promise passes
    "states": {"automaton"},  # states that neither input passes
}


@cache
def fresh(name: str) -> Document:
    return WITNESSES[name]()


def test_there_is_a_witness_of_every_kind() -> None:
    assert {fresh(name)["kind"] for name in WITNESSES} | {"construction", "tested-cases"} == set(JUDGES)


@pytest.mark.parametrize("name", WITNESSES)
def test_a_true_witness_is_accepted(name: str) -> None:
    verdict = check_text(json.dumps(fresh(name)))
    assert verdict.holds, verdict.reason


def test_what_the_witnesses_say() -> None:
    """Golden: equality of three bits has 8 equal pairs; its profile at N = 6 is 1, 2, 4, 8, 5, 3, 2, by hand."""
    assert (fresh("fooling_set")["size"], fresh("fooling_set")["rectangles"], fresh("fooling_set")["bits"]) == (8, 9, 4)
    assert (fresh("profile")["classes"], fresh("profile")["bits"], fresh("profile")["total"]) == ([1, 2, 4, 8, 5, 3, 2], 3, True)
    assert not fresh("promise_profile")["total"]
    assert fresh("states")["state_bits"] == 2
    assert (fresh("machine")["state_bits"], fresh("machine")["strings"]) == (2, 16)  # classes 1, 2, 4, 3, 2
    assert len(set(fresh("transcripts")["expected"])) == 2


def leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    if isinstance(value, dict):
        for key in value:
            yield from leaves(value[key], (*path, key))
    elif isinstance(value, list):
        for index in range(len(value)):
            yield from leaves(value[index], (*path, index))
    else:
        yield path


def edited(document: Document, path: Path, value: Any) -> Document:
    result = copy.deepcopy(document)
    holder: Any = result
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    return result


def at(document: Document, path: Path) -> Any:
    for key in path:
        document = document[key]
    return document


def others(value: Any) -> list[Any]:
    """Other values of the type, and the same value in another type."""
    if isinstance(value, bool):
        return [not value, int(value)]
    if isinstance(value, int):
        return [value + 1, value - 1, -value - 1, float(value), bool(value) if value in (0, 1) else str(value), None]
    if isinstance(value, float):
        return [value + 1, value / 2 + 0.25, int(value) if value == int(value) else str(value)]
    return [f"x{value}", value[:-1], None] if isinstance(value, str) and value else [0]


@pytest.mark.parametrize("name", WITNESSES)
def test_edits_that_are_not_resealed_are_refused(name: str) -> None:
    document, refused = fresh(name), 0
    for path in leaves(document):
        for value in others(at(document, path)):
            verdict = check_document(edited(document, path, value))
            assert not verdict.holds, (path, value)
            refused += 1
    assert refused >= 20


@pytest.mark.parametrize("name", WITNESSES)
def test_resealed_false_claims_are_refused(name: str) -> None:
    document, refused = fresh(name), 0
    for path in leaves(document):
        if path[0] == "digest" or path[0] in FREE.get(name, ()):
            continue
        for value in others(at(document, path)):
            verdict = check_document(sealed(edited(document, path, value)))
            assert not verdict.holds, (path, value)
            refused += 1
    assert refused >= 20


@pytest.mark.parametrize("name", WITNESSES)
def test_missing_unknown_and_emptied_fields_are_refused(name: str) -> None:
    document = fresh(name)
    for key in document:
        if key not in ("digest", "schema", "version", "kind"):
            verdict = check_document(sealed({k: v for k, v in document.items() if k != key}))
            assert f"missing field {key!r}" in verdict.reason
        if isinstance(document[key], list | dict):
            assert not check_document(sealed({**document, key: type(document[key])()})).holds, key
    assert "unknown field 'note'" in check_document(sealed({**document, "note": "true"})).reason


def test_two_equal_prefixes_are_no_collision() -> None:
    document = fresh("states")
    same = {"prefixes": document["prefixes"][:1] * 2, "expected": document["expected"][:1] * 2}
    assert check_document(sealed({**document, **same})).reason == "expected: one answer is right for both inputs"


def test_an_input_beside_itself_is_no_collision() -> None:
    document = fresh("transcripts")
    x = document["x"]
    same = {"y": x, "crossed": [x, x], "expected": document["expected"][:1] * 4}
    assert check_document(sealed({**document, **same})).reason == "expected: one answer is right for all four inputs"


def test_an_input_on_which_the_model_is_right_is_no_counterexample() -> None:
    for name in ("counterexample", "float_counterexample"):
        document = fresh(name)
        reasons = {
            check_document(sealed({**document, "tokens": list(tokens), "said": answer, "expected": answer, "margin": 0.0})).reason
            for tokens in product((0, 1), repeat=4)
            for answer in (0, 1)
        }
        assert "said: the model is right on this input" in reasons


def test_a_tie_of_floats_is_no_counterexample() -> None:
    """All logits are 0, so the first target is said, but another program might say another."""
    config = configuration("float64", width=2)
    weights = random_weights(np.random.default_rng(0), config, 0, 0.0)
    raw = {name: np.zeros_like(tensor) for name, tensor in parse_safetensors(weights).items()}
    document = certify_counterexample(question_of_task(make_task("equality", length=4)), config, save(raw), (0, 1, 0, 1))
    assert document["margin"] < 0
    assert check_document(document).reason == "margin: too small for two floating-point programs to agree on the answer"


JUNK: list[Any] = [None, -1, 0, 7, 10**30, 1.5, "", "x", [], {}, [[]], {"a": 1}, True, -(10**18), [None], [0, 1]]


@pytest.mark.parametrize("name", WITNESSES)
def test_garbage_under_a_fresh_seal_neither_crashes_nor_passes(name: str) -> None:
    """Values at any depth, leaves and whole lists alike, replaced by junk. Where a free field is hit, the claim may stay true."""
    document, rng = fresh(name), random.Random(name)
    for _ in range(600):
        path: Path = ()
        value: Any = document
        while isinstance(value, dict | list) and value and (not path or rng.random() < 0.85):
            path = (*path, rng.choice(list(value)) if isinstance(value, dict) else rng.randrange(len(value)))
            value = at(document, path)
        junk = rng.choice(JUNK)
        if path[0] == "digest" or json.dumps(junk) == json.dumps(value):
            continue
        verdict = check_document(sealed(edited(document, path, junk)))
        assert not verdict.holds or path[0] in FREE.get(name, ()), (path, junk)


@pytest.mark.parametrize("name", WITNESSES)
def test_fuzzed_text_neither_crashes_nor_passes(name: str) -> None:
    text, rng = json.dumps(fresh(name)), random.Random(name)
    for _ in range(700):
        letters = list(text)
        for _ in range(rng.randint(1, 4)):
            letters[rng.randrange(len(letters))] = chr(rng.randrange(32, 127))
        mutated = "".join(letters)
        if json_or_none(mutated) != fresh(name):
            assert not check_text(mutated).holds


def json_or_none(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None

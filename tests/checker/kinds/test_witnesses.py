"""Every kind of witness: true ones are accepted, and every edit, false claim and piece of garbage is refused."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from separatrix.checker import KINDS, check_document, check_text, sealed
from tests.checker.kinds.forgery import Path, at, edited, fuzzed, leaves, objects
from tests.checker.kinds.witnesses import WITNESSES, fresh

ABOUT_MODELS = {"program", "cases", "counterexample", "transcript-collision", "restriction", "pair", "cross-entropy", "poison"}
FREE: dict[str, set[str]] = {  # fields whose change may state another true claim: nothing is derived from the old value
    "languages": {"construction", "program", "proof"},  # a name; weights that do it as well; wider boxes that stay right
    "fooling_set": {"claim", "cites"},  # over three symbols the same pairs fool; a statement is cited or not
    "largest_fooling_set": {"claim", "cites", "alice", "cover"},  # answers that nothing needs; weights may be larger than they must
    "promise_fooling_set": {"claim", "cites", "pairs"},  # with a third key to name, other pairs fool as well
    "profile": {"cites"},
    "promise_profile": {"claim", "cites"},  # with more keys to choose from, as many states are needed
    "promise_machine": {"automaton"},  # what no string of the promise passes
    "collision": {"automaton", "cites"},  # states that neither input passes
    "chain_count": {"cites"},
    "receptive_field": {"stack"},  # a stack that sees less is blind as well
    "chains_alike": {"alike"},  # another pair with one chain
    "chains_listed": {"cites", "listed"},  # other expressions with different chains
    "depth_reduction": {"steps"},  # other constants with which the same length follows
    "deeper_reduction": {"steps"},
    "period": {"claim"},  # another language that counts the same word
    "period_of_a_stack": {"claim"},
}


def test_there_is_a_witness_of_every_kind_about_a_function() -> None:
    assert {fresh(name)["kind"] for name in WITNESSES} | ABOUT_MODELS == set(KINDS)


@pytest.mark.parametrize("name", WITNESSES)
def test_a_true_witness_is_accepted_and_proven(name: str) -> None:
    verdict = check_text(json.dumps(fresh(name)))
    assert verdict.holds, verdict.reason
    assert verdict.strength == "proven"
    assert verdict.evidence


@pytest.mark.parametrize(
    ("name", "sentence"),
    [  # golden: by hand
        (
            "fooling_set",
            "equality, N = 6, 2 symbols: where one party holds tokens 1 to 3 of 6, the other the rest, every deterministic protocol "
            "exchanges at least 4 bits",
        ),
        (
            "largest_fooling_set",
            "a function of 4 tokens, given as a table: where one party holds tokens 1, 3 of 4, the other the rest, every deterministic "
            "protocol exchanges at least 3 bits; no fooling set for the answer 1 has more than 4 pairs",
        ),
        (
            "promise_fooling_set",
            "associative recall, N = 2, 3 keys, 2 labels: where one party holds tokens 1 to 4 of 5, the other the rest, every "
            "deterministic protocol exchanges at least 2 bits",
        ),
        (
            "profile",
            "equality, N = 6, 2 symbols: every recurrent model needs 8 states after 3 of 6 tokens, 3 bits of state, and so many are enough",
        ),
        (
            "promise_profile",
            "associative recall, N = 2, 2 keys, 2 labels: every recurrent model needs 4 states after 3 of 5 tokens, 2 bits of state",
        ),
        ("machine", "equality, N = 4, 2 symbols: a recurrent model with 2 bits of state is right on all 16 inputs"),
        (
            "promise_machine",
            "associative recall, N = 2, 2 keys, 2 labels: a recurrent model with 2 bits of state is right on all 16 inputs",
        ),
        ("collision", "index lookup, N = 3, 2 symbols: a recurrent model with 2 bits of state is wrong on one of two inputs"),
        (
            "chains_alike",
            "longest increasing subsequence, N = 3, numbers below 2: 5 different chains follow all 8 inputs, so a model keeps at least "
            "3 bits of its input where the chain begins",
        ),
        (
            "chains_listed",
            "arithmetic modulo 2, 2 operators, the leftmost operation first: 14 different chains follow these 14 inputs, so a model keeps "
            "at least 4 bits of its input where the chain begins",
        ),
        (
            "period",
            "the language of the regular expression 'b(aa)*b' over 'ab': no stack of monotone coordinates, of any width and depth and in "
            "any finite number format, recognises it at all lengths: it counts 'a' modulo 2",
        ),
        (
            "period_of_a_stack",  # 3 * 3 steps and windows of 4 and 2 tokens: 9 + 3 + 1 blocks, and words b a^13 b and b a^14 b
            "an automaton's language: no stack of monotone coordinates, of any width and depth and in any finite number format, recognises "
            "it at all lengths: it counts 'a' modulo 2; three layers of 4 numbers a coordinate fail on a word of at most 16 symbols",
        ),
    ],
)
def test_the_checker_writes_the_sentence(name: str, sentence: str) -> None:
    assert check_document(fresh(name)).claim == sentence


def others(value: Any) -> list[Any]:
    """Other values of the type, and the same value in another type."""
    if isinstance(value, bool):
        return [not value, int(value)]
    if isinstance(value, int):
        return [value + 1, value - 1, -value - 1, float(value), bool(value) if value in (0, 1) else str(value), None]
    return [f"x{value}", value[:-1], None] if isinstance(value, str) and value else [0]


@pytest.mark.parametrize("name", WITNESSES)
def test_edits_that_are_not_resealed_are_refused(name: str) -> None:
    document, refused = fresh(name), 0
    for path in leaves(document):
        for value in others(at(document, path)):
            assert not check_document(edited(document, path, value)).holds, (path, value)
            refused += 1
    assert refused >= 20


@pytest.mark.parametrize("name", WITNESSES)
def test_resealed_false_claims_are_refused(name: str) -> None:
    document, refused = fresh(name), 0
    for path in leaves(document):
        if path[0] == "digest" or path[0] in FREE.get(name, ()):
            continue
        for value in others(at(document, path)):
            assert not check_document(sealed(edited(document, path, value))).holds, (path, value)
            refused += 1
    assert refused >= 20


@pytest.mark.parametrize("name", WITNESSES)
def test_an_unknown_key_is_refused_in_every_object(name: str) -> None:
    document, met = fresh(name), 0
    for path in objects(document):
        holder = at(document, path)
        changed = edited(document, path, {**holder, "note": "proof checked in Lean"}) if path else {**document, "note": "true"}
        assert "unknown field 'note'" in check_document(sealed(changed)).reason, path
        met += 1
    assert met >= 3  # the document, its claim and the parameters of its task, and what the kind adds


@pytest.mark.parametrize("name", WITNESSES)
def test_missing_and_emptied_fields_are_refused(name: str) -> None:
    document = fresh(name)
    for path in objects(document):
        holder = at(document, path)
        for key in holder:
            if key in ("digest", "schema", "version", "kind"):
                continue
            less = {k: v for k, v in holder.items() if k != key}
            verdict = check_document(sealed(edited(document, path, less) if path else less))
            assert f"missing field {key!r}" in verdict.reason, (path, key)
            if isinstance(holder[key], list | dict) and holder[key]:
                assert not check_document(sealed(edited(document, (*path, key), type(holder[key])()))).holds, (path, key)


@pytest.mark.parametrize("name", WITNESSES)
def test_version_1_is_refused_in_one_line(name: str) -> None:
    verdict = check_document(sealed({**fresh(name), "version": 1}))
    assert not verdict.readable
    assert "\n" not in verdict.reason
    assert "version 1" in verdict.reason


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
        assert "malformed content" not in verdict.reason, (path, junk, verdict.reason)


@pytest.mark.parametrize("name", WITNESSES)
def test_fuzzed_text_neither_crashes_nor_passes(name: str) -> None:
    for text in fuzzed(json.dumps(fresh(name)), name, 300):
        assert not check_text(text).holds

"""How answers are read: at positions, by greedy generation through one pass, by rounding; and by what margin."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from separatrix.checker.models.decoding import Decoder, asked, lead, read_decoder, said
from separatrix.checker.models.description import read_description
from separatrix.checker.numbers.boxes import Box
from separatrix.checker.numbers.formats import numbers
from separatrix.checker.seal import Refused
from tests.checker.models.small import ATTENTION, document, layer

VECTORS = {"reads": "vectors", "numbers": 0, "number_address": None, "gated": False}
CAUSAL = read_description(document())
SEES_ALL = read_description(document(layers=[layer({**ATTENTION, "mask": {"kind": "all"}})]))
WRITES_VECTORS = read_description(document(embedding=VECTORS, readout={"targets": 3}))


WORDS = [f"w{t}" for t in range(CAUSAL.embedding.vocabulary)]
SEARCH = {"kind": "retrieval", "start": 0, "end": 1, "stop": 1, "limit": 9, "words": WORDS}


def test_the_margin_is_the_least_lead_over_every_other_target() -> None:
    fixed = numbers("fixed:12,4")
    logits = Box(np.array([[5, 2, 4], [0, 9, 9]]))
    assert lead(fixed, logits, np.array([0, 1])) == Fraction(0)
    assert lead(fixed, logits[:1], np.array([0])) == Fraction(1, 16)
    assert lead(fixed, logits[:1], np.array([1])) == Fraction(-3, 16)
    floats = numbers("float64")
    off = Box(np.array([[4.75, 1.5, 3.875]]), np.array([[5.25, 2.5, 4.125]]))
    assert lead(floats, off, np.array([0])) == 4.75 - 4.125  # for every program
    assert lead(floats, Box(np.array([[5.0]])), np.array([0])) == 0  # one target: nothing is decided


def test_said_is_what_has_the_largest_logit() -> None:
    ops = numbers("fixed:12,4")
    result = said(Decoder("positions"), ops, Box(np.array([[5, 2, 4], [0, 9, 8]])), np.array([0, 1]))
    assert (result.chosen.tolist(), result.right, result.margin) == ([0, 1], True, Fraction(1, 16))
    wrong = said(Decoder("position"), ops, Box(np.array([[5, 2, 4]])), np.array([2]))
    assert (wrong.chosen.tolist(), wrong.right, wrong.margin) == ([0], False, Fraction(-1, 16))
    for outside in (3, -1):
        with pytest.raises(Refused, match=r"^an answer lies outside the model's 3 targets$"):
            said(Decoder("position"), ops, Box(np.array([[5, 2, 4]])), np.array([outside]))


def test_rounding_reads_the_nearest_integers() -> None:
    decoder, fixed, floats = Decoder("rounding", limit=4), numbers("fixed:12,4"), numbers("float64")
    exact = said(decoder, fixed, Box(np.array([[33, -15], [0, 5]])), np.array([[2, -1], [0, 0]]))
    assert (exact.chosen.tolist(), exact.right, exact.margin) == ([[2, -1], [0, 0]], True, Fraction(8 - 5, 16))
    off = said(decoder, floats, Box(np.array([[2.125, -1.0]]), np.array([[2.375, -1.0]])), np.array([[2, -1]]))
    assert (off.right, off.margin) == (True, 0.5 - (0.25 + 2 * 0.0625))
    assert not said(decoder, floats, Box(np.array([[2.75, -1.0]])), np.array([[2, -1]])).right


def test_a_chain_is_asked_in_one_pass_at_every_token() -> None:
    tokens = np.array([4, 0, 1])
    one = asked(Decoder("greedy", stop=2, limit=5), tokens, {}, (1, 0, 2))
    assert one.tokens.tolist() == [4, 0, 1, 1, 0]  # the stop token is said and not read
    assert (one.positions, one.targets.tolist()) == ([2, 3, 4], [1, 0, 2])
    vectors = asked(Decoder("rounding", limit=5), np.array([[1, 0, 2]]), {}, ((3, 1, 1), (0, 0, 0)))
    assert vectors.tokens.tolist() == [[1, 0, 2], [3, 1, 1]]
    assert (vectors.positions, vectors.targets.tolist()) == ([0, 1], [[3, 1, 1], [0, 0, 0]])


@pytest.mark.parametrize(
    ("decoder", "chain", "reason"),
    [
        (Decoder("greedy", stop=2, limit=5), (1, 0), "does not end, once, with what the program stops at"),
        (Decoder("greedy", stop=2, limit=5), (2, 1, 2), "does not end, once, with what the program stops at"),
        (Decoder("greedy", stop=2, limit=2), (1, 0, 2), "has 3 tokens, the limit is 2"),
        (Decoder("greedy", stop=2, limit=2), (), "has 0 tokens, the limit is 2"),
        (Decoder("rounding", limit=5), ((0, 1), (0, 0), (0, 0)), "does not end, once, with what the program stops at"),
        (Decoder("rounding", limit=5), ((0, 1), (1, 0)), "does not end, once, with what the program stops at"),
    ],
)
def test_a_chain_ends_once_and_within_the_limit(decoder: Decoder, chain: tuple[Any, ...], reason: str) -> None:
    tokens = np.array([[1, 1]]) if decoder.kind == "rounding" else np.array([1])
    with pytest.raises(Refused, match=reason):
        asked(decoder, tokens, {}, chain)


def test_a_decoder_of_the_last_position_asks_nowhere_else() -> None:
    assert asked(Decoder("positions"), np.arange(4), {1: 0, 3: 1}, ()).positions == [1, 3]
    with pytest.raises(Refused, match=r"^decoder: the task is scored at other positions than the last$"):
        asked(Decoder("position"), np.arange(4), {1: 0, 3: 1}, ())


@pytest.mark.parametrize(
    ("document", "description", "reason"),
    [
        ({"kind": "beam"}, CAUSAL, "expected the kind position, positions, greedy, retrieval, rounding, found 'beam'"),
        (None, CAUSAL, "expected the kind"),
        ({"kind": "position", "limit": 3}, CAUSAL, "unknown field 'limit'"),
        ({"kind": "greedy", "limit": 3}, CAUSAL, "missing field 'stop'"),
        ({"kind": "greedy", "stop": 1, "limit": 0}, CAUSAL, "decoder.limit: expected 1"),
        ({"kind": "greedy", "stop": 2, "limit": 3}, CAUSAL, r"decoder.stop: expected 0\.\.1, found 2"),
        ({"kind": "greedy", "stop": 1, "limit": 3}, SEES_ALL, "needs a model in which no token sees a later one"),
        ({**SEARCH, "words": ["a"]}, CAUSAL, "decoder.words: expected a text of at most 200 characters for each of"),
        ({**SEARCH, "words": [1, 2, 3]}, CAUSAL, "decoder.words: expected a text"),
        ({**SEARCH, "stop": 2}, CAUSAL, r"decoder.stop: expected 0\.\.1, found 2"),
        ({"kind": "rounding", "limit": 3}, CAUSAL, "from a model that reads vectors, and from no other"),
        ({"kind": "position"}, WRITES_VECTORS, "from a model that reads vectors, and from no other"),
        ({"kind": "rounding", "limit": 3}, read_description(document(embedding=VECTORS)), "vectors of 3 integers and writes 2"),
    ],
)
def test_a_decoder_that_does_not_fit_its_model_is_refused(document: Any, description: Any, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        read_decoder(document, description)


def test_the_result_of_a_search_is_read_and_not_asked_for() -> None:
    one = asked(Decoder("retrieval", stop=3, limit=9, start=0, end=1), np.array([7]), {}, (0, 5, 1, 6, 6, 3))
    assert one.tokens.tolist() == [7, 0, 5, 1, 6, 6]
    assert (one.positions, one.targets.tolist()) == ([0, 1, 2, 4, 5], [0, 5, 1, 6, 3])  # not at the token 1, which ends the search


def test_decoders_that_fit() -> None:
    assert read_decoder(SEARCH, CAUSAL) == Decoder("retrieval", 1, 9, 0, 1, tuple(WORDS))
    assert read_decoder({"kind": "greedy", "stop": 1, "limit": 3}, CAUSAL) == Decoder("greedy", 1, 3)
    assert read_decoder({"kind": "rounding", "limit": 3}, WRITES_VECTORS) == Decoder("rounding", 0, 3)
    assert read_decoder({"kind": "positions"}, SEES_ALL) == Decoder("positions")

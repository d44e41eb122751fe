"""Forgeries of every kind that was once accepted, with their neighbours; beside each stands an honest document that is accepted."""

from __future__ import annotations

import base64
import math
from itertools import product

import numpy as np
import pytest
import torch

from separatrix.certificates.program import read_program
from separatrix.certificates.verify import verify
from separatrix.checker import Refused, check_document, sealed
from separatrix.checker.sources import source
from separatrix.constructions import build
from separatrix.tasks import make_task
from tests.checker.forgeries.documents import Document, program_document
from tests.checker.forgeries.orders import biases_added_first, keys_multiplied_first, scores_of_one, values_added_first
from tests.checker.forgeries.predictors import large_logits, softmax_reader
from tests.checker.forgeries.ranges import (
    cell_in,
    drifting_clock,
    head_beyond_the_range,
    hidden_logits,
    huge_before_norm,
    huge_keys,
    huge_retention,
    huge_state,
    parts,
    scores_beyond_the_range,
    shut_gate,
    tiny_queries,
    undefined_norm,
    undefined_scores,
)
from tests.checker.forgeries.recurrences import huge_memory, wide_choice
from tests.checker.forgeries.symbols_as_numbers import symbols_as_numbers


def refused(document: Document, *reasons: str) -> None:
    """For one of these reasons, and not by chance."""
    verdict = check_document(document)
    assert not verdict.holds, verdict.claim
    assert any(words in verdict.reason for words in reasons), verdict.reason


@pytest.mark.parametrize(("N", "symbols", "width"), [(512, 64, 512), (300, 130, 450), (64, 8, 40)])
@pytest.mark.parametrize("numbered", [1, 2])
def test_symbols_that_are_numbers_of_the_model_have_their_address(N: int, symbols: int, width: int, numbered: int) -> None:
    """Above 2^24 numbers, where tokens are not listed at every place, and below."""
    document = symbols_as_numbers(N, symbols, width, "float32", numbered)
    refused(document, "is a number of the model", "leads by no more than -")


def test_the_same_model_with_symbols_of_their_own_is_proven() -> None:
    assert check_document(symbols_as_numbers(512, 64, 512, "float32", 0)).strength == "proven"


@pytest.mark.parametrize("where", ["readout", "feedforward", "mixing"])
@pytest.mark.parametrize("norm", ["rms", "layer"])
@pytest.mark.parametrize(
    ("arithmetic", "exponent"), [("float32", 64), ("float32", 84), ("float32", 127), ("float64", 512), ("float64", 1000)]
)
def test_squares_in_a_norm_may_overflow(arithmetic: str, exponent: int, norm: str, where: str) -> None:
    document = huge_before_norm(arithmetic, exponent, norm, where)
    if document["strength"] == "proven":  # with the pairs of the same machine, where its squares have room
        document = sealed({**document, "proof": huge_before_norm(arithmetic, 20, norm, where)["proof"]})
    refused(document, "a number may overflow", "not finite, or whose error is not bounded")


@pytest.mark.parametrize("where", ["readout", "feedforward", "mixing"])
@pytest.mark.parametrize(("arithmetic", "exponent"), [("float32", 60), ("float64", 500)])
def test_the_same_model_with_room_for_squares_holds(arithmetic: str, exponent: int, where: str) -> None:
    verdict = check_document(huge_before_norm(arithmetic, exponent, "rms", where))
    assert verdict.holds, verdict.reason


@pytest.mark.parametrize("key_width", [4, 16, 64])  # their roots are powers of two
@pytest.mark.parametrize("arithmetic", ["float32", "float64"])
@pytest.mark.parametrize("above", [0, 1, 10])
def test_a_product_with_a_power_of_two_is_rounded_below_the_normal_range(arithmetic: str, above: int, key_width: int) -> None:
    exponent = (-149 if arithmetic == "float32" else -1074) + above
    for strength in ("proven", "exhaustive"):
        refused(
            tiny_queries(arithmetic, exponent, key_width, strength=strength), "another place may have a larger logit", "the margin is not"
        )


@pytest.mark.parametrize(("arithmetic", "exponent"), [("float32", -118), ("float64", -1000)])
def test_the_same_queries_in_the_normal_range_are_proven(arithmetic: str, exponent: int) -> None:
    assert check_document(tiny_queries(arithmetic, exponent, 16)).strength == "proven"


@pytest.mark.parametrize(("arithmetic", "exponent"), [("float32", 64), ("float32", 100), ("float64", 512), ("float64", 1000)])
def test_a_head_that_reads_nothing_may_overflow(arithmetic: str, exponent: int) -> None:
    """With the proof of the same model where its logits have room."""
    document = head_beyond_the_range(arithmetic, exponent)
    refused(sealed({**document, "proof": head_beyond_the_range(arithmetic, 30)["proof"]}), "a number may overflow")


@pytest.mark.parametrize("arithmetic", ["float32", "float64"])
def test_the_same_head_with_room_for_its_logits_holds(arithmetic: str) -> None:
    assert check_document(head_beyond_the_range(arithmetic, 30)).strength == "proven"


@pytest.mark.parametrize("strength", ["proven", "exhaustive"])
@pytest.mark.parametrize("scores", ["softmax", "hard"])
@pytest.mark.parametrize(("arithmetic", "exponent"), [("float32", 64), ("float32", 100), ("float64", 512), ("float64", 1000)])
def test_a_logit_that_a_mask_hides_may_overflow(arithmetic: str, exponent: int, scores: str, strength: str) -> None:
    """torch's own softmax attention adds -inf to it, and has nan."""
    document = hidden_logits(arithmetic, exponent, scores, strength)
    if strength == "proven":
        document = sealed({**document, "proof": hidden_logits(arithmetic, 30, scores)["proof"]})
    refused(document, "a number may overflow", "not finite, or whose error is not bounded")


@pytest.mark.parametrize("strength", ["proven", "exhaustive"])
@pytest.mark.parametrize("scores", ["softmax", "hard"])
@pytest.mark.parametrize(("arithmetic", "exponent"), [("float32", 60), ("float64", 500)])
def test_a_logit_that_a_mask_hides_may_be_large(arithmetic: str, exponent: int, scores: str, strength: str) -> None:
    assert check_document(hidden_logits(arithmetic, exponent, scores, strength)).strength == strength


@pytest.mark.parametrize("N", [64, 40_000])  # below and above the length from which keys and values are never in memory
@pytest.mark.parametrize(("arithmetic", "exponent", "holds"), [("float32", 128, False), ("float32", 110, True), ("float64", 1000, True)])
def test_keys_overflow_however_long_the_input_is(arithmetic: str, exponent: int, holds: bool, N: int) -> None:
    model, tokens = huge_keys(arithmetic, exponent, N), np.append(np.arange(N) % 2, 2 + N // 3)
    if holds:
        assert model.logits(tokens, [N]).middle.argmax() == N // 3 % 2
    else:
        with pytest.raises(Refused, match="not finite, or whose error is not bounded"):
            model.logits(tokens, [N])


@pytest.mark.parametrize(("exponent", "arithmetic"), [(59, "fixed:62,0"), (59, "fixed:80,16"), (70, "fixed:90,16"), (200, "fixed:220,4")])
@pytest.mark.parametrize("off", [36.0, 2.0, -36.0])
def test_logits_that_float64_does_not_resolve_are_compared_exactly(exponent: int, arithmetic: str, off: float) -> None:
    refused(large_logits(exponent, off, arithmetic, 0.1), "excess: the certificate says at most 0.1 nats, recomputation gives")


@pytest.mark.parametrize(("exponent", "arithmetic"), [(59, "fixed:80,16"), (200, "fixed:220,16"), (0, "fixed:40,16")])
def test_large_logits_of_a_right_predictor_are_no_obstacle(exponent: int, arithmetic: str) -> None:
    verdict = check_document(large_logits(exponent, 0.0, arithmetic))
    assert verdict.holds, verdict.reason


@pytest.mark.parametrize(
    ("embedded", "value", "out"),
    [(900, -600, -600), (500, -600, -600), (-600, 0, 0), (-600, 300, 0), (-1000, 500, 0), (0, -1000, 0), (0, 0, 0), (-3, 1, 5)],
)
def test_norms_of_weights_neither_underflow_nor_vanish(embedded: int, value: int, out: int) -> None:
    """Of a predictor that is almost optimal no such floor follows, however its numbers are scaled."""
    refused(softmax_reader(embedded, value, out), "excess: the certificate says at least 0.19 nats, recomputation gives -", "too large")


@pytest.mark.parametrize(
    ("arithmetic", "place"), [("float:11,1", 6), ("float:11,3", 7), ("float:8,2", 5), ("float64", 53), ("float64", 54), ("float64", 60)]
)
def test_a_floor_about_real_numbers_takes_the_real_embedding(arithmetic: str, place: int) -> None:
    """In the format the two symbols are rounded to one; in real numbers they are not. 2^53 + 1 is 2^53 in float64, and so is its size."""
    refused(softmax_reader(0, 0, 0, place, arithmetic), "excess: the certificate says at least 0.19 nats, recomputation gives -")


@pytest.mark.parametrize(("excess", "said"), [(1.00499, "at most 1.01 nats"), (0.3333333, "at most 0.334 nats"), (1.0, "at most 1 nats")])
def test_a_sentence_rounds_up_what_it_says_is_the_most(excess: float, said: str) -> None:
    document = large_logits(0, 0.0, "fixed:40,16", excess, p=0.1 + 0.2)
    assert check_document(document).claim.startswith(f"PARITY, next symbol, p = 0.30000000000000004: {said} above the optimum")


@pytest.mark.parametrize("expression", ["palindromes", "allprimesinbinary", "parity(a)*"])
def test_an_expression_is_quoted(expression: str) -> None:
    """A language of one word is what its expression says, and not what that word means."""
    N = len(expression.removesuffix("(a)*"))
    claim = check_document(verify(build("regular/recurrent", length=N, language=expression)).document).claim
    assert f"the language of the regular expression {expression!r}: right on every input of every length" in claim


def test_the_largest_source_is_followed_move_by_move() -> None:
    """2^23 moves in all; a table of 4,096 by 4,096 states would take half a minute."""
    n = 4096
    moves, shares = [[(7 * q + 1) % n] for q in range(n)], [[1, 1 + q % 3] for q in range(n)]
    law = source({"task": "source", "parameters": {"length": 2048, "moves": moves, "shares": shares}})
    q = 0
    for _ in range(2048):
        q = moves[q][0]
    stops = shares[q][1] / sum(shares[q])
    assert law.optimum() == pytest.approx(-stops * math.log(stops) - (1 - stops) * math.log(1 - stops))


@pytest.mark.parametrize(
    ("arithmetic", "key", "value", "query"),
    [("float64", 512, 520, -25.0), ("float64", 1000, 26, -20.0), ("float32", 64, 66, -8.0), ("float32", 100, 28, -6.0)],
)
def test_the_state_of_linear_attention_overflows_by_itself(arithmetic: str, key: int, value: int, query: float) -> None:
    refused(huge_state(arithmetic, key, value, query), "not finite, or whose error is not bounded")


@pytest.mark.parametrize(("arithmetic", "key", "value", "query"), [("float64", 500, 500, -25.0), ("float32", 60, 60, -8.0)])
def test_linear_attention_with_room_for_its_state_is_run_on_all_inputs(arithmetic: str, key: int, value: int, query: float) -> None:
    verdict = check_document(huge_state(arithmetic, key, value, query))
    assert verdict.strength == "exhaustive", verdict.reason


@pytest.mark.parametrize(("scaled", "rotary", "what"), [(True, False, "scaled logits"), (False, True, "rotary positions")])
def test_what_a_format_does_not_define_is_refused_though_no_rule_looks_at_it(scaled: bool, rotary: bool, what: str) -> None:
    with pytest.raises(Refused, match=f"fixed:4,2 has no {what}"):
        undefined_scores(scaled, rotary)


@pytest.mark.parametrize("kind", ["rms", "layer"])
@pytest.mark.parametrize("place", ["layer", "readout"])
def test_a_norm_in_fixed_point_is_refused_whatever_the_rule(kind: str, place: str) -> None:
    with pytest.raises(Refused, match="fixed:4,2 has no norm"):
        undefined_norm(kind, place)


@pytest.mark.parametrize(("kind", "gates", "title"), [("gru", 3, "GRU"), ("lstm", 4, "LSTM"), ("elman", 1, "Elman")])
@pytest.mark.parametrize("arithmetic", ["fixed:8,4", "nearest:21", "float:5,4"])
def test_a_cell_in_a_format_without_its_functions_is_refused_in_words(kind: str, gates: int, title: str, arithmetic: str) -> None:
    refused(cell_in(arithmetic, kind, gates), f"{arithmetic} has no {title}")


def test_the_same_scores_without_either_are_proven() -> None:
    assert check_document(undefined_scores(False, False)).strength == "proven"


@pytest.mark.parametrize(("e", "m"), [(8, 7), (5, 4), (5, 10), (8, 23)])
@pytest.mark.parametrize(("drift", "holds"), [(0.75, False), (0.875, False), (0.25, True), (0.375, True)])
def test_a_box_of_small_floats_is_rounded_at_its_ends(e: int, m: int, drift: float, holds: bool) -> None:
    """A move of more than half a unit in the last place counts, though half of that move would be rounded away."""
    document = drifting_clock(e, m, drift)
    if holds:
        assert check_document(document).strength == "proven"
    else:
        refused(document, "leads out of the box")


@pytest.mark.parametrize("arithmetic", ["float32", "float64"])
@pytest.mark.parametrize(("least", "holds"), [(-0.45, False), (-0.26, False), (-0.15, False), (-0.01, False), (0.01, True), (0.3, True)])
def test_the_largest_score_is_that_of_every_program_in_a_box(arithmetic: str, least: float, holds: bool) -> None:
    document = wide_choice(arithmetic, least)
    if holds:
        assert check_document(document).strength == "proven"
    else:
        refused(document, "two rows of a column are equally large")


def test_a_choice_that_is_the_same_for_all_tokens_is_proven_at_other_lengths() -> None:
    assert check_document(wide_choice("float64", 0.1, N=4)).strength == "proven"
    refused(wide_choice("float64", -0.1, N=4), "two rows of a column are equally large")


@pytest.mark.parametrize("kind", ["deltanet", "gated-deltanet", "deltaproduct"])
@pytest.mark.parametrize("strength", ["proven", "exhaustive"])
@pytest.mark.parametrize(
    ("arithmetic", "value", "holds"),
    [("float32", 1.6e38, False), ("float32", 1.3e38, False), ("float32", 2e37, True), ("float64", 1.6e38, True)],
)
def test_what_the_delta_rule_finds_at_a_key_overflows_by_itself(
    arithmetic: str, value: float, holds: bool, strength: str, kind: str
) -> None:
    document = huge_memory(arithmetic, kind, value, strength)
    if holds:
        verdict = check_document(document)
        assert verdict.strength == strength, verdict.reason
    else:
        refused(document, "not finite, or whose error is not bounded", "a number may overflow")


@pytest.mark.parametrize(("exponent", "chunks"), [(70, False), (40, True)])
def test_a_recurrence_is_bounded_token_by_token_and_says_so(exponent: int, chunks: bool) -> None:
    """In chunks torch takes C B first, which overflows where B u and C (B u) do not."""
    document = scores_beyond_the_range("float32", exponent, -100)
    verdict = check_document(document)
    assert verdict.strength == "exhaustive", verdict.reason
    said = [entry["text"] for entry in verdict.evidence if entry["kind"] == "hypothesis"]
    assert said[1:] == ["recurrences run token by token, as they are defined; a chunked or parallel form is another program"]
    model, tokens = read_program(document["program"], base64.b64decode(document["weights"]["base64"])).model, torch.tensor([[1, 0, 1, 2]])
    with torch.no_grad():
        state = model.initial_state(1)
        for t in range(4):
            state, logits = model.step(state, tokens[:, t])
        assert logits.argmax() == make_task("parity", length=3).answer((1, 0, 1, 2))
        assert bool(model(tokens).isfinite().all()) is chunks


def test_attention_needs_no_such_hypothesis() -> None:
    for name in ("index-lookup", "index-lookup/linear-attention"):
        evidence = check_document(verify(build(name, length=2, symbols=2)).document).evidence
        assert len([entry for entry in evidence if entry["kind"] == "hypothesis"]) == 1


@pytest.mark.parametrize("key_width", [16, 64])  # divided by 4 and 8, K x / sqrt(key_width) has room
@pytest.mark.parametrize(
    ("arithmetic", "exponent", "holds"),
    [("float32", 128, False), ("float32", 125, True), ("float64", 1024, False), ("float64", 1021, True)],
)
def test_keys_of_retention_overflow_before_they_are_divided(arithmetic: str, exponent: int, holds: bool, key_width: int) -> None:
    document = huge_retention(arithmetic, exponent, key_width)
    if holds:
        verdict = check_document(document)
        assert verdict.strength == "exhaustive", verdict.reason
    else:
        refused(document, "not finite, or whose error is not bounded")


@pytest.mark.parametrize("by", ["index-lookup", "index-lookup/linear-attention"])
@pytest.mark.parametrize("gate", [0.0, 2.0**-20])
@pytest.mark.parametrize(
    ("arithmetic", "exponent", "holds"),
    [("float32", 128, False), ("float32", 120, True), ("float64", 1024, False), ("float64", 1000, True)],
)
def test_an_address_overflows_behind_a_gate_that_is_shut(arithmetic: str, exponent: int, holds: bool, gate: float, by: str) -> None:
    document = shut_gate(arithmetic, exponent, gate, "exhaustive", by)
    if holds:
        verdict = check_document(document)
        assert verdict.strength == "exhaustive", verdict.reason
    else:
        refused(document, "not finite, or whose error is not bounded")


def as_torch_computes_it(document: Document, holds: bool) -> None:
    """All words, read at their end: torch is wrong about some, and the checker refuses the document, or neither."""
    verdict = check_document(document)
    if holds:
        assert verdict.strength == "exhaustive", verdict.reason
    else:
        refused(document, "not finite, or whose error is not bounded", "the margin is not above the error", "or one may overflow")
    model, N = (
        read_program(document["program"], base64.b64decode(document["weights"]["base64"])).model,
        document["claim"]["parameters"]["length"],
    )
    words = list(product((0, 1), repeat=N))
    with torch.no_grad():
        logits = model(torch.tensor([[*word, 2] for word in words]), at=-1)
    right = [int(all(word)) for word in words]
    leads = [float(row[yes] - row[1 - yes]) for yes, row in zip(right, logits, strict=True)]
    assert all(lead > 0 for lead in leads) is holds


@pytest.mark.parametrize(
    ("arithmetic", "small", "holds"), [("float32", -30, False), ("float32", -25, False), ("float32", -20, True), ("float64", -30, True)]
)
def test_an_lstm_may_add_up_its_biases_first(arithmetic: str, small: int, holds: bool) -> None:
    as_torch_computes_it(biases_added_first(arithmetic, small), holds)


@pytest.mark.parametrize(
    ("arithmetic", "exponent", "holds"),
    [("float32", 126, False), ("float32", 122, True), ("float64", 1022, False), ("float64", 1018, True)],
)
def test_a_softmax_may_divide_by_its_weights_at_the_end(arithmetic: str, exponent: int, holds: bool) -> None:
    as_torch_computes_it(values_added_first(arithmetic, exponent, 4), holds)


@pytest.mark.parametrize(
    ("arithmetic", "exponent", "scaled", "holds"),
    [("float32", 127, True, False), ("float32", 126, True, False), ("float32", 120, True, True), ("float32", 126, False, True),
     ("float64", 126, True, True)],
)  # fmt: skip
def test_a_scaled_softmax_may_multiply_queries_by_the_key_matrix_first(arithmetic: str, exponent: int, scaled: bool, holds: bool) -> None:
    as_torch_computes_it(keys_multiplied_first(arithmetic, exponent, scaled), holds)


@pytest.mark.parametrize(
    ("arithmetic", "exponent", "holds"), [("float32", 70, False), ("float32", 64, False), ("float32", 40, True), ("float64", 70, True)]
)
def test_the_only_score_of_a_column_may_overflow(arithmetic: str, exponent: int, holds: bool) -> None:
    as_torch_computes_it(scores_of_one(arithmetic, exponent), holds)


@pytest.mark.parametrize("turned", [1, -1])
def test_logits_further_apart_than_float64_reaches_are_compared(turned: int) -> None:
    """In fixed:1024,0 the read-out says yes, or no, to every word, by almost 2^1024."""
    model, tensors = parts("parity/recurrent", "float64", length=6)
    claim, model = {"task": "parity", "parameters": {"length": 6}}, {**model, "arithmetic": "fixed:1024,0"}
    proof = program_document(claim, model, tensors, "proven")["proof"]
    ends = [-(2.0**1023), 2.0**1023 - 2.0**970][::turned]
    tensors |= {"readout.weight": tensors["readout.weight"] * 0, "readout.bias": np.array(ends)}
    refused(sealed({**program_document(claim, model, tensors, "proven"), "proof": proof}), "the right answer may trail by 1.8e+308")

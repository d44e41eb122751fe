"""Lies about cross-entropy: predictors closer to the optimum than they are, or further from it than they must be."""

from __future__ import annotations

from functools import partial

import numpy as np

from tests.checker.kinds.forgery import edited
from tests.checker.kinds.programs import honest as named
from tests.checker.kinds.programs import tensors_of, with_weights
from tests.laws.liars.lie import Document, Lie, at, changed, made

PREDICTOR, FLOOR = partial(named, "predictor"), partial(named, "floor")


def other_logits(document: Document) -> Document:
    """A logit of one state is off by a quarter."""
    tensors = tensors_of(document)
    tensors["layers.0.feedforward.outer_bias"][2] += 0.25
    return with_weights(document, tensors)


def louder(document: Document) -> Document:
    """A head with large values, so that one symbol may move much."""
    tensors = tensors_of(document)
    tensors["layers.0.mixer.value"] = tensors["layers.0.mixer.value"] * 1e9
    return with_weights(document, tensors)


def masked(document: Document) -> Document:
    """Tokens that read earlier ones alone: the first of them reads few."""
    return edited(document, ("program", "model", "layers", 0, "mixer", "mask"), {"kind": "causal"})


def of_one_symbol(document: Document) -> Document:
    return edited(document, ("claim", "parameters", "length"), 1)


def any_source(**parameters: object) -> Document:
    return {"task": "source", "parameters": {"length": 9, "moves": [[0, 0]], "shares": [[1, 1, 1]], **parameters}}


def with_nothing(document: Document) -> Document:
    nothing = {name: np.zeros_like(tensor) for name, tensor in tensors_of(document).items()}
    return with_weights(document, nothing)


LIES: tuple[Lie, ...] = (
    made(PREDICTOR, "another law is as good", "excess: the certificate says at most 1e-09 nats", other_logits),
    made(PREDICTOR, "a uniform guess is optimal", "excess: not shown: pair 0", with_nothing),
    changed(PREDICTOR, "it is exact", "excess: the certificate says at most 0.0 nats", excess=0.0),
    changed(PREDICTOR, "it stays above the optimum", "bound: a lower bound is about tokens in floats", bound="at-least", proof=None),
    changed(PREDICTOR, "both bounds hold", "bound: expected 'at-most' or 'at-least'", bound="exactly"),
    changed(PREDICTOR, "it was tested", "strength: the certificate says 'tested'", strength="tested"),
    changed(PREDICTOR, "any source will do", "excess: the certificate says at most 1e-09 nats", claim=any_source()),
    changed(PREDICTOR, "a source needs no shares", "shares[0]: expected 3 integers", claim=any_source(shares=[[0, 0, 0]])),
    changed(PREDICTOR, "a source may go anywhere", "moves[0]: expected 2 states of 0..0", claim=any_source(moves=[[0, 7]])),
    changed(PREDICTOR, "what has no move follows", "shares[0]: expected a share above 0", claim=any_source(moves=[[0, None]])),
    changed(PREDICTOR, "strings never end too soon", "length: no string of the source has 9 symbols",
            claim=any_source(moves=[[1, 1], [None, None]], shares=[[1, 1, 0], [0, 0, 1]])),
    at(PREDICTOR, "it never ends", "p: expected a number between 0 and 1", "claim", "parameters", "p", value=0.0),
    at(PREDICTOR, "it is about longer prefixes", "model.length: it reads 9 symbols", "claim", "parameters", "length", value=99),
    at(PREDICTOR, "it is about brackets", "unknown field 'depth'", "claim", "parameters", "depth", value=3),
    at(PREDICTOR, "a word is a source", "no source 'parity'", "claim", "task", value="parity"),
    at(PREDICTOR, "its state is smaller", "sizes.state_bits: the certificate says 1", "sizes", "state_bits", value=1),
    changed(FLOOR, "it is further away", "excess: the certificate says at least 0.5 nats", excess=0.5),
    changed(FLOOR, "it may be at the optimum", "excess: the certificate says at least 0.0 nats", excess=0.0),
    changed(FLOOR, "attention has few states", "excess: not shown: expected a recurrence", bound="at-most"),
    made(FLOOR, "other weights move as little", "recomputation gives -", louder),
    made(FLOOR, "a mask makes no difference", "layer 1: expected softmax attention without mask", masked),
    made(FLOOR, "a single symbol is a prefix of two", "length: expected a symbol before the last", of_one_symbol),
)  # fmt: skip

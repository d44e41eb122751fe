"""Lies about transcript collisions: messages that are not sent, inputs that one answer serves, models that are no protocol."""

from __future__ import annotations

from functools import partial

from tests.checker.kinds.forgery import edited
from tests.checker.kinds.programs import honest as named
from tests.checker.kinds.programs import tensors_of, with_weights
from tests.laws.liars.lie import Document, at, changed, made

COLLISION = partial(named, "collision")
MODEL = ("program", "model")


def with_itself(document: Document) -> Document:
    """x beside x."""
    x = document["x"]
    return {**document, "y": x, "crossed": [x, x], "expected": document["expected"][:1] * 4}


def other_weights(document: Document) -> Document:
    """A model that sends something else: its values are turned round."""
    tensors = tensors_of(document)
    tensors["layers.0.mixer.value"] = -tensors["layers.0.mixer.value"]
    return with_weights(document, tensors)


def a_bit_flipped(document: Document) -> Document:
    """One bit of the second message."""
    message = document["transcript"][1]
    return edited(document, ("transcript", 1), ("1" if message[0] == "0" else "0") + message[1:])


def a_message_less(document: Document) -> Document:
    """One message is not counted."""
    less = document["transcript"][:-1]
    return {**document, "transcript": less, "bits": sum(map(len, less))}


def two_layers(document: Document) -> Document:
    """The same layer twice."""
    return edited(document, (*MODEL, "layers"), document["program"]["model"]["layers"] * 2)


def other_split(document: Document) -> Document:
    """Alice holds one place less."""
    return {**document, "alice": document["alice"][:-1]}


LIES = (
    made(COLLISION, "an input collides with itself", "expected: one answer is right for all four inputs", with_itself),
    made(COLLISION, "other weights send the same", "transcript[", other_weights),
    made(COLLISION, "another bit is sent", "transcript[1]: the certificate says", a_bit_flipped),
    made(COLLISION, "a message costs nothing", "transcript: expected", a_message_less),
    made(COLLISION, "two layers are a protocol", "model: expected one layer of attention in fixed point", two_layers),
    made(COLLISION, "any partition will do", "transcript[3]: the certificate says", other_split),
    changed(COLLISION, "fewer bits are sent", "bits: the certificate says 1", bits=1),
    changed(COLLISION, "it says something else", "said: the certificate says", said=1 - named("collision")["said"]),
    changed(COLLISION, "all have one answer", "expected[", expected=[1, 1, 1, 1]),
    changed(COLLISION, "one party holds all", "alice: expected some, not all", alice=[0, 1, 2, 3, 4, 5]),
    changed(COLLISION, "places in any order", "alice: expected places in rising order, each once", alice=[2, 1, 0]),
    changed(COLLISION, "it is about recurrent models", "Theorem 2 is shown by a state-profile", cites="bhattamishra2024 Theorem 2"),
    changed(COLLISION, "it is an upper bound", "is an upper bound, which no witness shows", cites="bhattamishra2024 Theorem 6"),
    changed(COLLISION, "it was tested", "strength: the certificate says 'tested'", strength="tested"),
    at(COLLISION, "floats are a protocol", "expected one layer of attention in fixed point", *MODEL, "arithmetic", value="float64"),
    at(COLLISION, "the inputs are longer", "x: expected 8 tokens", "claim", "parameters", "length", value=8),
    at(
        COLLISION,
        "a window is seen by both",
        "model: expected attention to all tokens, or to those before",
        *(*MODEL, "layers", 0, "mixer", "mask"),
        value={"kind": "window", "size": 2},
    ),
)

"""Overwrite the cached state of prompt tokens that the mask hides ("poison"): the chain of thought must not change.

[yang2024 Theorem B.6]

Behind the prompt a model of windows or blocks sees a part of the prompt only. So everything that it can still use of the input is in the
tokens that some later one sees: below the first mixer their ids, above it as many numbers as the stream or its keys and values have.
The certificate lists the tokens that are hidden, an input on which they are overwritten in every layer, and a token that matters.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from separatrix.bits import bits_for
from separatrix.certificates.built import Built
from separatrix.certificates.verify import sealed_weights
from separatrix.checker import VERSION, sealed
from separatrix.errors import BadInput
from separatrix.models.mixers.attention import AttentionConfig
from separatrix.tasks import is_of_the_package
from separatrix.tasks.capabilities import chain_of, vectors_of

EMBEDDED = 1 << 20  # bytes of weights that a document holds


@dataclass(frozen=True)
class Poison:
    """Places of an input, from 1: those that no head sees from its last token on, and one that matters; and what is left of the others."""

    places: int  # before the last token, which is the same for all inputs
    hidden: tuple[int, ...]
    seen: int
    bits: int


def poison(built: Built, tokens: Sequence[int]) -> Poison:
    """The hidden places, and a place whose poison changes what is written."""
    if not built.program.writes:
        raise BadInput(f"{built.claim.construction}: expected a program that writes a chain, which is read behind its prompt")
    if built.model.numbers.format.kind != "native":
        raise BadInput(f"{built.claim.arithmetic}: poison is tried in float64, float32, bfloat16 or float16")
    whole, targets = _whole(built, tokens)
    n = len(tokens) - 1
    hidden = _hidden(built, n)
    if not hidden:
        raise BadInput(
            f"every one of the first {n} tokens of the input is seen by its last or later: expected a longer one, or smaller blocks"
        )
    if not _right(built, whole, targets, n, hidden):
        raise BadInput("the chain is wrong even with nothing overwritten that a later token sees")
    for place in reversed(range(n)):
        if place not in hidden and not _right(built, whole, targets, n, [*hidden, place]):
            return Poison(n, tuple(j + 1 for j in hidden), place + 1, _bits_left(built, n - len(hidden)))
    raise BadInput("no token of this prompt matters: expected an input whose chain depends on it")


def certified(built: Built, tokens: Sequence[int], found: Poison) -> dict[str, Any]:
    """The sealed document."""
    if not is_of_the_package(built.task):
        raise BadInput(f"{built.task.name}: the checker has no oracle for it, so nothing can be certified")
    raw = sealed_weights(built)
    if len(raw) > EMBEDDED:
        raise BadInput(f"the weights have {len(raw):,} bytes; a certificate of poison holds at most {EMBEDDED:,}")
    return sealed(
        {
            "schema": "separatrix/certificate",
            "version": VERSION,
            "kind": "poison",
            "claim": {"task": built.task.name, "parameters": json.loads(json.dumps(built.task.parameters))},
            "program": json.loads(json.dumps(built.program.document())),
            "weights": {"base64": base64.b64encode(raw).decode(), "sha256": hashlib.sha256(raw).hexdigest()},
            "tokens": list(tokens),
            "hidden": list(found.hidden),
            "seen": found.seen,
            "bits": found.bits,
            "strength": "proven",
        }
    )


def _whole(built: Built, tokens: Sequence[int]) -> tuple[Tensor, Tensor]:
    """Input and chain as the model reads them, and what it has to write from the last token of the input on."""
    vectors = vectors_of(built.task, np.array([tokens]))
    if vectors is not None:
        read, written = vectors
        return torch.from_numpy(np.concatenate([read, written[:, :-1]], axis=1)), torch.from_numpy(written[0])
    chain = chain_of(built.task, tokens)
    assert chain is not None, "a program that writes tokens has a task with a chain"
    return torch.tensor([[*tokens, *chain[:-1]]]), torch.tensor(chain)


def _hidden(built: Built, n: int) -> list[int]:
    """Places below n, from 0, that no token from n on sees in any layer."""
    seen = torch.zeros(n, dtype=torch.bool)
    for layer in built.model.config.layers:
        if layer.mixer is None:
            continue
        if not isinstance(layer.mixer, AttentionConfig):
            raise BadInput(f"a layer of {layer.mixer.kind} may carry anything: expected attention to windows or blocks")
        visible = layer.mixer.mask.visible(torch.arange(n, n + 1), n)  # a later token sees no more
        seen |= torch.ones(n, dtype=torch.bool) if visible is None else visible.any(dim=0)
    return torch.nonzero(~seen)[:, 0].tolist()


def _right(built: Built, whole: Tensor, targets: Tensor, n: int, places: list[int]) -> bool:
    """Whether every token of the chain is right with the vectors at these places turned around for all tokens from n on."""
    model = built.model
    with torch.no_grad():
        x = model.embedding(whole)
        for layer in model.each_layer():
            turned = x.clone()
            turned[:, places] = turned[:, places].flip(-1)
            x = torch.cat([layer(x)[:, :n], layer(turned)[:, n:]], dim=1)
        y = model.readout(x)[0, n:]
    said = y.round() if built.program.decoder.kind == "rounding" else y.argmax(dim=-1)
    return bool((said == targets).all())


def _bits_left(built: Built, visible: int) -> int:
    config, token_bits = built.model.config, bits_for(built.task.vocabulary)
    mixers = [layer.mixer for layer in config.layers if isinstance(layer.mixer, AttentionConfig)]
    above = sum(min(config.width, mixer.heads * (mixer.key_width + mixer.value_width)) for mixer in mixers[1:])
    return visible * (token_bits + built.model.numbers.format.bits * above)

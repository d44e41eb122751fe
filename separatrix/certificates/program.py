"""`Program`: a model and a decoder for its answer. Programs are what is built, saved, verified, explained and attacked."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from separatrix.errors import BadInput
from separatrix.models.decoders.decoder import ChainDecoder, Decoder, Token
from separatrix.models.decoders.position import Positions
from separatrix.models.description import read_decoder, written
from separatrix.models.model import Model
from separatrix.models.saved import describe, restore, weights_bytes


@dataclass(frozen=True)
class Program:
    """The function that a model and a decoder compute."""

    model: Model
    decoder: Decoder

    def __post_init__(self) -> None:
        self.decoder.refuse(self.model.config)

    @property
    def writes(self) -> bool:
        """Whether it answers by writing a chain."""
        return isinstance(self.decoder, ChainDecoder)

    def generate(self, tokens: Sequence[Any]) -> tuple[Token, ...]:
        """The chain after a prompt, including its stop token; integer tuples if the program rounds."""
        if not isinstance(self.decoder, ChainDecoder):
            raise BadInput(f"this program writes no chain: its decoder is {self.decoder.kind}, expected greedy, retrieval or rounding")
        chain = self.decoder.chains(self.model, [tokens])[0]
        if not chain.ended:
            raise BadInput(chain.why or f"the chain has not ended within its limit of {self.decoder.limit} tokens")
        return chain.tokens

    def answer(self, tokens: Sequence[Any]) -> Token | tuple[Token, ...]:
        """Its answer to one input: at the last token, at every token, or the chain that it writes."""
        if self.writes:
            return self.generate(tokens)
        row = torch.tensor([list(tokens)])
        with torch.no_grad():
            if isinstance(self.decoder, Positions):
                return tuple(self.model(row)[0].argmax(dim=-1).tolist())
            return int(self.model(row, at=-1)[0].argmax())

    def document(self) -> dict[str, Any]:
        """Everything but the numbers, in the form of a certificate."""
        return {"model": describe(self.model), "decoder": written(self.decoder)}

    def weights(self) -> bytes:
        """The numbers, as a safetensors file."""
        return weights_bytes(self.model)


def read_program(document: Mapping[str, Any], weights: bytes, code: Collection[str] = ()) -> Program:
    """The inverse of `document` and `weights`; a user's own code is loaded only if `code` lists it."""
    if not isinstance(document, Mapping) or set(document) != {"model", "decoder"}:
        raise BadInput(f"program: expected a model and a decoder, found {str(document)[:80]}")
    return Program(restore(document["model"], weights, code), read_decoder(document["decoder"]))

"""How an answer is read from a model, and by what margin.

A program with a chain is judged by one pass over prompt and oracle chain. Where every mask is causal and the pass predicts each next
token of that chain, generation writes exactly that chain, by induction on its tokens: at each step the model has read that prefix.
Where a program searches, the token after `end` is given to it: the oracle's chain contains what the search finds, and the model is asked
for all other tokens.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from separatrix.checker.fields import require_fields, within
from separatrix.checker.models.description import MOST, Description
from separatrix.checker.numbers import arrays
from separatrix.checker.numbers.boxes import Array, Box
from separatrix.checker.numbers.formats import Numbers
from separatrix.checker.numbers.leads import Margin, first_largest, lead, nearest
from separatrix.checker.seal import Refused

FIELDS: dict[str, tuple[str, ...]] = {
    "position": (), "positions": (), "greedy": ("stop", "limit"), "retrieval": ("start", "end", "stop", "limit"), "rounding": ("limit",)
}  # fmt: skip
LETTERS = 200  # of one word


@dataclass(frozen=True)
class Decoder:
    """How an answer is read; fields that a kind does not use are 0."""

    kind: str
    stop: int = 0
    limit: int = 0
    start: int = 0
    end: int = 0
    words: tuple[str, ...] = ()  # the text of each token, where text is searched

    @property
    def writes(self) -> bool:
        """Whether the model's output becomes its input."""
        return self.kind in ("greedy", "retrieval", "rounding")

    @property
    def stops(self) -> bool:
        """Whether a token ends its chain."""
        return self.kind in ("greedy", "retrieval")


@dataclass(frozen=True)
class Asked:
    """One pass: what the model reads, and the expected answers at which positions, from 0 on."""

    tokens: Array
    positions: list[int]
    targets: Array  # [positions], or [positions, coordinates] where integers are read


@dataclass(frozen=True)
class Said:
    """The model's answers, and their lead over all others, valid for every correct program of the format."""

    chosen: Array
    right: bool
    margin: Margin  # above 0 if it is right beyond doubt


def read_decoder(document: Any, d: Description) -> Decoder:
    """DECODER, for a model that it can read."""
    kind = document.get("kind") if isinstance(document, dict) else None
    if not isinstance(kind, str) or kind not in FIELDS:
        raise Refused(f"decoder: expected the kind {', '.join(FIELDS)}, found {kind!r:.80}")
    searches = kind == "retrieval"
    require_fields(document, "decoder", kind=str, **dict.fromkeys(FIELDS[kind], int), **({"words": list} if searches else {}))
    decoder = Decoder(words=_words(document["words"], d) if searches else (), **{k: v for k, v in document.items() if k != "words"})
    if decoder.writes:
        within(decoder.limit, 1, MOST, "decoder.limit")
        if not d.causal:
            raise Refused("decoder: a program that writes a chain needs a model in which no token sees a later one")
    if decoder.stops:
        within(decoder.stop, 0, min(d.readout.targets, d.embedding.vocabulary) - 1, "decoder.stop")
    if (kind == "rounding") != (d.embedding.reads == "vectors"):
        raise Refused("decoder: integers are read by rounding from a model that reads vectors, and from no other")
    if kind == "rounding" and d.readout.targets != d.embedding.plain:
        raise Refused(f"decoder: the model reads vectors of {d.embedding.plain} integers and writes {d.readout.targets}")
    return decoder


def _words(words: list[Any], d: Description) -> tuple[str, ...]:
    """The text of each token; which one it must be, the task says."""
    if len(words) != d.embedding.vocabulary or any(type(word) is not str or not 1 <= len(word) <= LETTERS for word in words):
        raise Refused(f"decoder.words: expected a text of at most {LETTERS} characters for each of {d.embedding.vocabulary} tokens")
    return tuple(words)


def asked(decoder: Decoder, tokens: Array, wanted: Mapping[int, int], chain: Sequence[Any]) -> Asked:
    """The pass that tests one case: its answers, or every token of the oracle's chain."""
    if not decoder.writes:
        if decoder.kind == "position" and list(wanted) != [len(tokens) - 1]:
            raise Refused("decoder: the task is scored at other positions than the last")
        return Asked(tokens, list(wanted), arrays.integers(list(wanted.values())))
    if not 1 <= len(chain) <= decoder.limit:
        raise Refused(f"decoder: the chain of a case has {len(chain)} tokens, the limit is {decoder.limit}")
    written = arrays.integers(chain)
    ends = arrays.asarray(written == decoder.stop if decoder.stops else ~written.any(axis=1))
    if not ends[-1] or ends[:-1].any():
        raise Refused("decoder: the chain of a case does not end, once, with what the program stops at")
    whole = arrays.concatenate([tokens, written[:-1]])
    own = [i for i in range(len(written)) if not (decoder.kind == "retrieval" and i and written[i - 1] == decoder.end)]
    return Asked(whole, [len(tokens) - 1 + i for i in own], written[own])


def said(decoder: Decoder, ops: Numbers, logits: Box, targets: Array) -> Said:
    """The answers read from the logits, or from the nearest integers, compared with the expected ones."""
    if decoder.kind == "rounding":
        chosen, margin = nearest(ops, logits, targets)
        return Said(chosen, bool((chosen == targets).all()), margin)
    chosen = first_largest(logits)
    if not 0 <= int(targets.min()) <= int(targets.max()) < logits.shape[1]:
        raise Refused(f"an answer lies outside the model's {logits.shape[1]} targets")
    wrong = bool((chosen != targets).any()) and (ops.exact or lead(ops, logits, chosen) > 0)  # in floats, for every program
    return Said(chosen, not wrong, lead(ops, logits, targets))

"""Lookup, recall and copying in words, for a pretrained model of text: what it retrieves from a prompt, without any training.

    lookup    1. river 2. stone 3. apple Number 2 is     ->  stone
    recall    river is apple, stone is cloud, river is   ->  apple
    copying   river stone apple, river stone             ->  apple

Words are those of a list whose first token, behind a space, is no other word's. The model chooses among the words of the prompt by its
logits for these tokens after the prompt, so that chance is one over their number, and no spelling is asked for.

Bits that are needed for no error: of two orders of the same words that differ, some question about the list has two answers. So n! lists
must be told apart, for copying (n - 1)!, since the first word is said again before anything is asked.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import torch

from separatrix.bits import ceil_log2
from separatrix.errors import BadInput

WORDS = [
    "apple", "river", "stone", "cloud", "table", "horse", "paper", "music", "glass", "bread", "chair", "light", "water", "house",
    "garden", "window", "mountain", "letter", "bridge", "silver", "winter", "summer", "market", "doctor", "farmer", "singer", "ocean",
    "forest", "island", "village", "castle", "button", "basket", "candle", "carpet", "cotton", "dragon", "engine", "feather", "finger",
    "flower", "hammer", "jacket", "kitchen", "ladder", "lemon", "mirror", "needle", "orange", "pencil", "pepper", "pillow", "pocket",
    "rabbit", "ribbon", "salt", "school", "shadow", "shirt", "sister", "spring", "sugar", "tiger", "tower", "train", "tree", "valley",
    "wheel",
]  # fmt: skip
LENGTHS = (4, 8, 16)
LEAST_WORDS = 8
Next = Callable[[Sequence[int]], Any]  # ids -> logits of the id that follows, by id


class Encodes(Protocol):
    """What is used of a tokenizer."""

    def encode(self, text: str) -> Any:
        """The ids of a text, with a mask of special tokens."""


@dataclass(frozen=True)
class Prompt:
    """A text, its right continuation, and the words to choose from."""

    text: str
    answer: str
    choices: tuple[str, ...]


def lookup(draw: random.Random, words: Sequence[str], n: int) -> Prompt:
    """A prompt that asks for the item with a given number."""
    chosen, place = draw.sample(words, n), draw.randrange(n)
    listed = " ".join(f"{i}. {word}" for i, word in enumerate(chosen, 1))
    return Prompt(f"{listed} Number {place + 1} is", chosen[place], tuple(chosen))


def recall(draw: random.Random, words: Sequence[str], n: int) -> Prompt:
    """The word that stood behind a word."""
    chosen, place = draw.sample(words, 2 * n), draw.randrange(n)
    keys, values = chosen[:n], chosen[n:]
    pairs = ", ".join(f"{key} is {value}" for key, value in zip(keys, values, strict=True))
    return Prompt(f"{pairs}, {keys[place]} is", values[place], tuple(values))


def copying(draw: random.Random, words: Sequence[str], n: int) -> Prompt:
    """The next word of a list that is said again."""
    chosen, place = draw.sample(words, n), draw.randrange(1, n)
    return Prompt(f"{' '.join(chosen)}, {' '.join(chosen[:place])}", chosen[place], tuple(chosen))


SKILLS = {"lookup": lookup, "recall": recall, "copying": copying}


def text_report(
    following: Next, tokenizer: Encodes, count: int, seed: int, state_bits: Callable[[int], int] = lambda _: 0
) -> dict[str, Any]:
    """Accuracy of each skill at several lengths, beside chance, the bits that an answer to every question needs, and a failing prompt."""
    first = first_tokens(tokenizer)
    if len(first) < LEAST_WORDS:
        raise BadInput(f"the tokenizer tells {len(first)} of {len(WORDS)} words apart by their first token; expected {LEAST_WORDS} or more")
    words, rows = sorted(first), []
    for skill, drawn in SKILLS.items():
        for n in LENGTHS:
            if len(words) < 2 * n:
                continue
            draw = random.Random(f"{seed} {skill} {n}")  # the same prompts for every model with these words
            right, failure, tokens = 0, None, 0
            for _ in range(count):
                prompt = drawn(draw, words, n)
                ids = prompt_ids(tokenizer, prompt.text)
                tokens = max(tokens, len(ids))
                logits = following(ids)
                scores = {word: float(logits[first[word]]) for word in prompt.choices}
                said = max(scores, key=scores.__getitem__)
                right += said == prompt.answer
                if said != prompt.answer and failure is None:
                    failure = {"prompt": prompt.text, "said": said, "expected": prompt.answer}
            rows.append(
                {
                    "skill": skill,
                    "length": n,
                    "accuracy": right / count,
                    "chance": 1 / n,
                    "prompts": count,
                    "tokens": tokens,
                    "state_bits": state_bits(tokens) or None,
                    "needed_bits": ceil_log2(math.factorial(n - (skill == "copying"))),
                    "failure": failure,
                }
            )
    return {"words": len(words), "rows": rows}


def first_tokens(tokenizer: Encodes) -> dict[str, int]:
    """The first id of each word behind a space, for the words that share it with no other."""
    before = "The word is"
    start = prompt_ids(tokenizer, before)
    found: dict[str, int] = {}
    for word in WORDS:
        ids = prompt_ids(tokenizer, f"{before} {word}")
        if len(ids) > len(start) and ids[: len(start)] == start:
            found[word] = ids[len(start)]
    shared = [*found.values()]
    unknown = prompt_ids(tokenizer, f"{before} \N{SNOWMAN}\N{SNOWMAN}")[len(start) :]
    return {word: token for word, token in found.items() if shared.count(token) == 1 and token not in unknown[:1]}


def prompt_ids(tokenizer: Encodes, text: str) -> list[int]:
    """The ids of a text with what the tokenizer puts before it, and without what it puts behind it."""
    encoding = tokenizer.encode(text)
    ids, special = list(encoding.ids), list(encoding.special_tokens_mask)
    while ids and special[len(ids) - 1]:
        ids.pop()
    return ids


def next_of(model: torch.nn.Module) -> Next:
    """The logits that a model of text gives the id after a row of ids."""

    def following(ids: Sequence[int]) -> Any:
        with torch.no_grad():
            return model(torch.tensor([list(ids)]))[0, -1].float().tolist()

    return following

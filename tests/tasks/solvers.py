"""A second solver of every task, by another way than the task's own `answer`, and the sizes at which the laws confront it.

Solvers read the text of an input where they can, so that what they know about ids is little.
They return None outside the promise, as `answer` does.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from separatrix.tasks import Task, make_task

Answer = int | tuple[int, ...] | None


@dataclass(frozen=True)
class Confronted:
    """One task: parameters at which it is sampled, a tiny size at which every string is met, and the other solver."""

    solve: Callable[[Task, tuple[int, ...]], Answer]
    large: Mapping[str, Any]
    tiny: Mapping[str, Any]
    also: tuple[Mapping[str, Any], ...] = field(default=())  # further settings of `large` that are sampled

    def samples(self, name: str) -> list[Task]:
        """The task at every setting that is sampled."""
        return [make_task(name, **{**self.large, **other}) for other in ({}, *self.also)]


def words(task: Task, tokens: tuple[int, ...]) -> list[str]:
    return task.text(tokens).split()


def index_lookup(task: Task, tokens: tuple[int, ...]) -> Answer:
    found = re.fullmatch(r"((?:s\d+ )+)@(\d+)", task.text(tokens))
    if found is None or int(found[2]) > found[1].count("s"):
        return None
    return int(re.findall(r"\d+", found[1])[int(found[2]) - 1])


def associative_recall(task: Task, tokens: tuple[int, ...]) -> Answer:
    text = task.text(tokens)
    if re.fullmatch(r"(x\d+ y\d+ )+x\d+", text) is None:
        return None
    pairs, query = text.rsplit(" ", 1)
    keys = pairs.split()[::2]
    _, found, after = f" {pairs} ".partition(f" {query} y")
    return int(after.split()[0]) if found and all(keys.count(key) == 1 for key in keys) else None


def mqar(task: Task, tokens: tuple[int, ...]) -> Answer:
    text = task.text(tokens)
    if re.fullmatch(r"(x\d+ y\d+ )+x\d+", text) is None or len(tokens) % 4 != 3:
        return None
    spoken = words(task, tokens)
    half = (len(spoken) + 1) // 2
    pairs = {*zip(spoken[:half:2], spoken[1:half:2], strict=True)}
    said = {*zip(spoken[half::2], spoken[half + 1 :: 2], strict=False)}
    last = {pair for pair in pairs if pair[0] == spoken[-1]}
    whole = said | last == pairs and len(last) == 1 and len({key for key, _ in pairs}) * 2 == half
    if not whole:
        return None
    labels = tuple(int(dict(pairs)[key][1:]) for key in spoken[half::2])
    return labels[0] if len(labels) == 1 else labels


@functools.lru_cache(maxsize=8)
def vectors(task: Task) -> Any:
    return task.vectors  # type: ignore[attr-defined]


def nearest_neighbor(task: Task, tokens: tuple[int, ...]) -> Answer:
    """By squared distances between unit vectors, |u - v|^2 = 2 - 2 <u, v>, instead of inner products."""
    if re.fullmatch(r"(x\d+ y\d+ )+x\d+", task.text(tokens)) is None:
        return None
    numbers = [int(word[1:]) for word in words(task, tokens)]
    points = vectors(task)[numbers[::2]]
    squared = ((points[:-1] - points[-1]) ** 2).sum(axis=1).tolist()
    nearest, *others = sorted(range(len(squared)), key=lambda i: squared[i])
    lead = 2 * Fraction(str(task.gamma)) * int((points[-1] ** 2).sum())  # type: ignore[attr-defined]
    return numbers[2 * nearest + 1] if all(squared[i] - squared[nearest] >= lead for i in others[:1]) else None


def bounded_dyck(task: Task, tokens: tuple[int, ...]) -> Answer:
    """By rewriting: pairs with nothing between them vanish until none is left; and by counting how deep the string is."""
    text = task.text(tokens)
    deepest = max((2 * sum(text[:t].count(letter) for letter in "([") - t for t in range(len(text) + 1)), default=0)
    return int(not rewritten(text) and deepest <= task.depth)  # type: ignore[attr-defined]


def rewritten(text: str) -> str:
    """What is left when pairs of brackets with nothing between them vanish."""
    while (shorter := text.replace("()", "").replace("[]", "")) != text:
        text = shorter
    return text


def balanced(task: Task, tokens: tuple[int, ...]) -> Answer:
    text = "".join(words(task, tokens))
    if not re.fullmatch(r"[\[\]()]*<eos>", text):
        return None
    return int(not rewritten(text.removesuffix("<eos>")))


def equality(task: Task, tokens: tuple[int, ...]) -> Answer:
    """By turning the string half-way round: it is unchanged exactly when its halves agree."""
    spoken = words(task, tokens)
    if len(spoken) % 2:
        return None
    turned = spoken[len(spoken) // 2 :] + spoken[: len(spoken) // 2]
    return int(turned == spoken)


def separated(task: Task, tokens: tuple[int, ...]) -> tuple[str, str] | None:
    found = re.fullmatch(r"([\d ]+) # ([\d ]+)", task.text(tokens))
    return None if found is None or found[1].count(" ") != found[2].count(" ") else (found[1], found[2])


def separated_equality(task: Task, tokens: tuple[int, ...]) -> Answer:
    halves = separated(task, tokens)
    return None if halves is None else int(halves[0] == halves[1])


def copying(task: Task, tokens: tuple[int, ...]) -> Answer:
    halves = separated(task, tokens)
    if halves is None or halves[0] != halves[1]:
        return None
    asked = tuple(map(int, halves[0].split()))
    return asked if len(asked) > 1 else asked[0]


def partition_equality(task: Task, tokens: tuple[int, ...]) -> Answer:
    """By walking over the string once and taking the oldest unpaired symbol of the other set, as two queues would."""
    if len(tokens) != task.length:
        return None
    waiting: dict[bool, list[int]] = {True: [], False: []}
    chosen = {a for a, _ in task.pairs}
    for place, symbol in enumerate(tokens, 1):
        here = place in chosen
        if waiting[not here]:
            if waiting[not here].pop(0) != symbol:
                return 0
        else:
            waiting[here].append(symbol)
    return 1


def intersects(_task: Task, tokens: tuple[int, ...]) -> Answer:
    half, odd = divmod(len(tokens), 2)
    first, second = ({i for i in range(half) if tokens[start + i]} for start in (0, half))
    return None if odd else int(not first.isdisjoint(second))


def bits_of(task: Task, tokens: tuple[int, ...]) -> str | None:
    text = "".join(words(task, tokens))
    return text[1:] if re.fullmatch(rf"\^[01]{{{task.length}}}", text) else None


def sparse_threshold(task: Task, tokens: tuple[int, ...]) -> Answer:
    """From the written features: each entry 1 of a table is a pattern of bits that must match."""
    bits = bits_of(task, tokens)
    if bits is None:
        return None
    hold = 0
    for feature in task.features.split(";"):  # type: ignore[attr-defined]
        places, table = feature.split(":")
        seen = "".join(bits[int(place) - 1] for place in places.split(","))
        patterns = {format(v, f"0{len(seen)}b") for v, value in enumerate(table.strip()) if value == "1"}
        hold += seen in patterns
    return int(hold > task.threshold)  # type: ignore[attr-defined]


def formula(task: Task, tokens: tuple[int, ...]) -> Answer:
    """As Python reads the formula."""
    bits = bits_of(task, tokens)
    if bits is None:
        return None
    written = re.sub(r"x(\d+)", lambda found: bits[int(found[1]) - 1], task.formula)  # type: ignore[attr-defined]
    return int(bool(eval(written.replace("!", " not ").replace("&", " and ").replace("|", " or "))))


def ended(task: Task, tokens: tuple[int, ...]) -> str | None:
    text = "".join(words(task, tokens))
    return text.removesuffix("<eos>") if text.endswith("<eos>") and text.count("<eos>") == 1 else None


def parity(task: Task, tokens: tuple[int, ...]) -> Answer:
    word = ended(task, tokens)
    return None if word is None else int(int("0" + word, 2).bit_count() % 2 == 0)


def ones(task: Task, tokens: tuple[int, ...]) -> Answer:
    word = ended(task, tokens)
    return None if word is None else int("0" not in word)


def an_bn(task: Task, tokens: tuple[int, ...]) -> Answer:
    word = ended(task, tokens)
    return None if word is None else int(word == "a" * (len(word) // 2) + "b" * (len(word) // 2))


def regular(task: Task, tokens: tuple[int, ...]) -> Answer:
    word = ended(task, tokens)
    return None if word is None else int(re.fullmatch(task.language, word) is not None)  # type: ignore[attr-defined]


def is_palindrome(word: tuple[str, ...]) -> bool:
    """The function that the task `function` is made of here."""
    return word == word[::-1]


def palindrome(_task: Task, tokens: tuple[int, ...]) -> Answer:
    return int(all(tokens[i] == tokens[-1 - i] for i in range(len(tokens) // 2)))


def parity_next(task: Task, tokens: tuple[int, ...]) -> Answer:
    return (0, 1) if "".join(words(task, tokens)).replace("0", "").count("1") % 2 else (0, 1, 2)


def dyck_2_next(task: Task, tokens: tuple[int, ...]) -> Answer:
    text = rewritten("".join(words(task, tokens)))
    if set(text) & set(")]"):
        return None
    return (0, 1, 4) if not text else (0, 1, 2 if text[-1] == "(" else 3)


FEATURES = "1,3:0110; 2,4,9:00010111; 4:01; 5,6:0001; 7,8:1001; 9:10; 1,9:1110"
TRAINING = {"distribution": "training"}

CONFRONTED: dict[str, Confronted] = {
    "index-lookup": Confronted(index_lookup, {"length": 24}, {"length": 3, "symbols": 2}, (TRAINING,)),
    "associative-recall": Confronted(associative_recall, {"length": 12, "labels": 3}, {"length": 2, "symbols": 3}, ({"symbols": 12},)),
    "mqar": Confronted(mqar, {"length": 16}, {"length": 4, "symbols": 2}, ({"length": 2},)),
    "nearest-neighbor": Confronted(
        nearest_neighbor,
        {"length": 12},
        {"length": 3, "dimension": 2, "gamma": 1},
        (TRAINING, {"dimension": 14, "gamma": 0.001}, {"dimension": 5, "gamma": 0.9}),
    ),
    "dyck": Confronted(bounded_dyck, {"length": 20}, {"length": 6}, ({"positives": "fair-walk"}, {"positives": "uniform", "depth": 3})),
    "equality": Confronted(equality, {"length": 8}, {"length": 6}, ({"symbols": 3},)),
    "eq-random": Confronted(separated_equality, {"length": 20}, {"length": 4}, (TRAINING,)),
    "eq-one": Confronted(separated_equality, {"length": 20}, {"length": 4, "symbols": 3}, (TRAINING,)),
    "eq-ncp": Confronted(copying, {"length": 20}, {"length": 4, "symbols": 3}, (TRAINING,)),
    "partition-equality": Confronted(
        partition_equality, {"length": 20}, {"length": 6, "instance": 3}, ({"symbols": 3, "instance": 1}, {"first": (*range(1, 11),)})
    ),
    "intersects": Confronted(intersects, {"length": 20}, {"length": 8}),
    "sparse-threshold": Confronted(
        sparse_threshold,
        {"length": 10, "features": FEATURES, "threshold": 3},
        {"length": 4, "features": "1,3:0110; 2,4:0001", "threshold": 0},
    ),
    "k-dnf": Confronted(
        formula,
        {"length": 10, "formula": "x1 & !x4 & x7 | (x2 & x3) | !x8 & !x9 & x10 | x5 & !x5"},
        {"length": 4, "formula": "x1 & !x3 | x2 & x4"},
    ),
    "k-cnf": Confronted(
        formula,
        {"length": 10, "formula": "(x1 | !x4 | x7) & (x2 | x3) & (!x8 | !x9 | x10) & (x5 | !x5)"},
        {"length": 4, "formula": "(x1 | !x3) & (x2 | x4)"},
    ),
    "parity": Confronted(parity, {"length": 24}, {"length": 5}),
    "dyck-1": Confronted(balanced, {"length": 24}, {"length": 6}),
    "dyck-2": Confronted(balanced, {"length": 24}, {"length": 4}),
    "parity-next": Confronted(parity_next, {"length": 24}, {"length": 6}, (TRAINING,)),
    "dyck-2-next": Confronted(dyck_2_next, {"length": 24}, {"length": 5}, (TRAINING,)),
    "ones": Confronted(ones, {"length": 24}, {"length": 5}),
    "an-bn": Confronted(an_bn, {"length": 24}, {"length": 6}),
    "regular": Confronted(regular, {"length": 24, "language": "(ab|b)*a?"}, {"length": 5, "language": "(ab|b)*a?"}),
    "function": Confronted(
        palindrome,
        {"length": 8, "function": "tests.tasks.solvers:is_palindrome"},
        {"length": 5, "function": "tests.tasks.solvers:is_palindrome"},
    ),
}

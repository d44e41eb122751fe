"""Drawn examples of the tasks that find one place among many: index lookup, recall, nearest neighbour."""

from __future__ import annotations

from separatrix.atlas.drawn.example import Drawn, Tokens, words_of
from separatrix.atlas.drawn.strip import BOX, answer, arc, bar, centre, line, note, picture, row, top_of
from separatrix.tasks.alternating import Alternating
from separatrix.tasks.index_lookup import IndexLookup
from separatrix.tasks.nearest_neighbor import NearestNeighbor

SCALE = 44  # of an inner product of 1


def index_lookup(task: IndexLookup, tokens: Tokens) -> Drawn:
    """The index token points at its place."""
    words, last = words_of(task, tokens), len(tokens) - 1
    place = tokens[-1] - task.symbols  # from 0
    parts = [*row(words, {place: "good", last: "mark"}), arc(last, place, "mark", arrow=True), *answer(last + 1, words[place], "good")]
    why = f"The last token queries place {place + 1}, which holds {words[place]}."
    return Drawn(picture(parts, last + 3, top_of([(place, last)]), BOX + 20, why), why)


def recall(task: Alternating, tokens: Tokens) -> Drawn:
    """Every query points at its key; the label follows right after it."""
    words, pairs = words_of(task, tokens), tokens[::2]
    first = next(i for i, key in enumerate(pairs) if key in pairs[:i])  # the first query, counted in pairs
    queries = [(2 * i, 2 * pairs.index(pairs[i])) for i in range(first, len(pairs))]
    tones = {query: "mark" for query, _ in queries} | {key + 1: "good" for _, key in queries}
    answers = [words[key + 1] for _, key in queries]
    parts = [*row(words, tones), *(arc(query, key, "mark", arrow=True) for query, key in queries)]
    parts += [note(query, BOX + 32, f"says {label}", "good") for (query, _), label in zip(queries, answers, strict=True)]
    if len(queries) == 1:
        query, key = queries[0]
        why = f"The query {words[query]} is the key at place {key + 1}. Its label {answers[0]} follows it."
    else:
        why = f"Each of the last {len(queries)} keys asks for the label that followed it the first time: {' '.join(answers)}."
    return Drawn(picture(parts, len(words) + 0.3, top_of(queries), BOX + 38, why), why)


def nearest_neighbor(task: NearestNeighbor, tokens: Tokens) -> Drawn:
    """Below each vector its inner product with the last one."""
    words, (*keys, query) = words_of(task, tokens), tokens[::2]
    products = [product(task, key, query) for key in keys]
    order = sorted(range(len(keys)), key=lambda i: -products[i])
    nearest = 2 * order[0]
    last, base = len(words) - 1, BOX + 40 + SCALE
    parts = [*row(words, {last: "mark", nearest: "mark", nearest + 1: "good"}), *answer(last + 1, words[nearest + 1], "good")]
    parts += [arc(last, nearest, "mark", arrow=True), line((centre(0) - BOX / 2, base), (centre(last) + BOX / 2, base))]
    for i, value in enumerate(products):
        parts.append(bar(2 * i, base, SCALE * value, "mark" if 2 * i == nearest else ""))
        parts.append(
            note(2 * i + 1, base + (-5 if value >= 0 else 13), f"{value:+.2f}".replace("-", "−"), "mark" if 2 * i == nearest else "quiet")
        )
    ahead = f", {products[order[0]] - products[order[1]]:.2f} ahead of the next" if len(keys) > 1 else ""
    why = (
        f"Bars: inner products with the last vector {words[last]}. {words[nearest]} is nearest with {products[order[0]]:.2f}{ahead}; "
        f"the task promises a lead of at least gamma = {task.gamma:g}. Its label is {words[nearest + 1]}."
    )
    return Drawn(picture(parts, last + 3, top_of([(nearest, last)]), base + SCALE + 6, why), why)


def product(task: NearestNeighbor, one: int, other: int) -> float:
    """The inner product of two of the unit vectors."""
    vectors = task.vectors
    return float(vectors[one] @ vectors[other]) / task.norm

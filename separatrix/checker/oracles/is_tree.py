"""IsTree: whether a graph on n vertices, given as a list of `edges` different edges u ~ v with u < v, is a tree.

Tokens: `<s>` ~ <sep> YES NO, </s> where there is a chain, then the vertices. A chain is a walk from vertex 1: from v on to the neighbour
after the one that the walk came from, in the order of the edges and without v's father, or to the first one on arrival from the father;
where there is none back to the father; NO at a neighbour that was visited before, and the answer at vertex 1 when none is left.
With `thought: search` the walk asks the text: at v for u in `u - v`, v's father; for the next edge at v, behind the one to the vertex from
which it returned; again, where that is the edge to the father; and for the father of the vertex found, which has one if it was visited.
`graphs: message` are the graphs of a message of n - 2 bits and a place k: leaf a is joined to centre n - 1 or n, and k to k + 1.
Draws: 0 tree or any graph; 1 .. n the order of the labels; n + i the place that the i-th label is joined to; 2 n + i the order of a tree's
edges; 3 n + i that of all pairs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from typing import Any

import numpy as np

from separatrix.checker.fields import require_fields, within
from separatrix.checker.oracles.forms.searches import END, FAILED, START, STOP, searched
from separatrix.checker.oracles.forms.task_oracle import Number, TaskOracle, Tokens
from separatrix.checker.oracles.forms.words import Words
from separatrix.checker.seal import Refused

COUNTED = 1 << 16
SEARCH = 1 << 9  # work of the searches of one vertex, for each token
_BY = {"none": "", "tour": ", by a tour", "search": ", by searches"}
FRAGMENTS = (
    r"(?<!\S)(\d+)\s-\s", r"(?!\S)", r"(?<!\S)(\d+)\s-\s(?:)", r"(?:(?<!\S)", r"\s~\s|(?<!\S)(?=\d+\s~\s", r"(?!\S)))(\d+)(?!\S)",
    r"(?<!\S)(?:", r"\s~\s", "|", r"\s~[\s]", r")(?!\S).*?(?:(?<!\S)", r"(?<!\S)(?:(?:)",
)  # fmt: skip
Edges = list[tuple[int, int]]


class Oracle(TaskOracle):
    """A tree has n - 1 edges and no vertex apart from the others."""

    name = "is-tree"
    drawing = 1 << 12

    def __init__(self, parameters: Any) -> None:
        self.parameters = require_fields(parameters, "parameters", length=int, edges=int, graphs=str, thought=str)
        self.n = within(parameters["length"], 2, 1000, "length")
        self.m = within(parameters["edges"], 0, math.comb(self.n, 2), "edges")
        if parameters["graphs"] not in ("any", "two-star", "message") or parameters["thought"] not in ("none", "tour", "search"):
            raise Refused("parameters: expected graphs any, two-star or message, and thought none, tour or search")
        self.message = parameters["graphs"] == "message"
        if parameters["graphs"] != "any" and (self.n < 4 or self.m != self.n - 1):
            raise Refused("parameters: two stars have n >= 4 vertices and n - 1 edges")
        thought = parameters["thought"]
        self.thinks = thought == "tour"
        further = {"none": (), "tour": (STOP,), "search": (START, END, FAILED, STOP, "-", *FRAGMENTS)}[thought]
        self.first = 5 + len(further)
        self.spelled = ("<s>", "~", "<sep>", "YES", "NO", *further, *(str(v) for v in range(1, self.n + 1)))
        self.vocabulary = self.targets = self.first + self.n
        self.tokens = 3 * self.m + 2 + {"none": 0, "tour": 2 * self.n + 1, "search": 63 * self.n}[thought]
        self.decoder = {"none": "position", "tour": "greedy", "search": "retrieval"}[thought]
        if thought == "search":
            self.search = (self.spelled.index(START), self.spelled.index(END), self.spelled)
            self.drawing += SEARCH * self.n  # a few searches for each vertex, each in a text as long as the chain
        self.families = ("random",)
        if self.m == self.n - 1 and not self.message:
            self.families = ("random", "tree", "path-or-star", *(("two-star",) if self.n >= 4 else ()))
        stars = {"any": "", "two-star": " of two stars", "message": " of a message and a place"}[parameters["graphs"]]
        self.title = f"trees among graphs{stars} with {self.n} vertices and {self.m} edges{_BY[thought]}"
        count = math.perm(math.comb(self.n, 2), self.m) if self.m <= 40 else COUNTED + 1
        if self.message and self.n <= 40:
            count = (self.n - 3) * 2 ** (self.n - 2) * math.factorial(self.n - 1)
        self.input_count = count if count <= COUNTED else None

    @property
    def alphabets(self) -> tuple[range, ...]:
        vertices = range(self.first, self.vocabulary)
        return (range(1), *(vertices, range(1, 2), vertices) * self.m, range(2, 3))

    def inputs(self) -> Iterator[tuple[int, ...]]:
        for edges in permutations(combinations(range(1, self.n + 1), 2), self.m):
            if not self.message or self._carries(list(edges)):
                yield tuple(self._input(list(edges)).tolist())

    def _carries(self, edges: Edges) -> bool:
        """Whether a graph is that of a message and a place: a centre for each leaf, and an edge between leaves k and k + 1."""
        centre = [(u, v) for u, v in edges if v >= self.n - 1]
        between = [v - u for u, v in edges if v < self.n - 1]
        return between == [1] and sorted(u for u, _ in centre) == list(range(1, self.n - 1))

    def _edges(self, tokens: Sequence[int]) -> Edges:
        return [(tokens[i] - self.first + 1, tokens[i + 2] - self.first + 1) for i in range(1, 3 * self.m, 3)]

    def truth(self, tokens: Sequence[int]) -> int | None:
        edges = self._edges(tokens)
        if any(u >= v for u, v in edges) or len(set(edges)) < self.m or (self.message and not self._carries(edges)):
            return None
        reached, frontier = {1}, [1]
        while frontier:
            v = frontier.pop()
            new = {a + b - v for a, b in edges if v in (a, b)} - reached
            reached |= new
            frontier += new
        return 3 if len(reached) == self.n == self.m + 1 else 4

    def chain(self, tokens: Sequence[int]) -> tuple[int, ...]:
        if self.search is not None:
            return self._searching(tokens)
        if not self.thinks:
            return ()
        edges, answer = self._edges(tokens), self.truth(tokens)
        beside = [[a + b - v for a, b in edges if v in (a, b)] for v in range(self.n + 1)]
        stack, walk, visited, left = [1], [1], {1}, [iter(row) for row in beside]
        found = False
        while stack and not found:
            v = stack[-1]
            father = stack[-2] if len(stack) > 1 else 0
            u = next((u for u in left[v] if u != father), None)
            if u is None:
                stack.pop()
                walk += stack[-1:]
            elif u in visited:
                found = True
            else:
                visited.add(u)
                stack.append(u)
                walk.append(u)
        tree = not found and len(visited) == self.n and self.m == self.n - 1
        if tree != (answer == 3):
            raise AssertionError("is-tree: a tour leads to another answer than the definition")
        return (*(self.first - 1 + v for v in walk), 3 if tree else 4, 5)

    def _searching(self, tokens: Sequence[int]) -> tuple[int, ...]:
        """The walk that asks the text for everything."""
        text = [self.spelled[token] for token in tokens]
        father, visited, first, after, after_father = FRAGMENTS[0], FRAGMENTS[2], FRAGMENTS[3], FRAGMENTS[6], FRAGMENTS[11]

        def found(*fragments: str) -> str:
            text.extend(searched(text, list(fragments)))
            return text[-1]

        def beyond(begin: str, x: str, v: str) -> str:
            return found(begin, x, r"\s~\s", v, "|", v, r"\s~[\s]", x, FRAGMENTS[10], v, FRAGMENTS[4], v, FRAGMENTS[5])

        v, child, reached, answer = "1", "", 1, ""
        while not answer:
            text.append(v)
            above = found(father, v, FRAGMENTS[1])
            u = beyond(after, child, v) if child else found(first, v, FRAGMENTS[4], v, FRAGMENTS[5])
            if u == above and u != FAILED:
                u = beyond(after_father, u, v)
            if u != FAILED and (found(visited, u, FRAGMENTS[1]) != FAILED or u == "1"):
                answer = "NO"
            elif u != FAILED:
                text += [v, "-", u]
                v, child, reached = u, "", reached + 1
            elif above == FAILED:
                answer = "YES" if reached == self.n else "NO"
            else:
                v, child = above, v
        if self.spelled.index(answer) != self.truth(tokens):
            raise AssertionError("is-tree: searches lead to another answer than the definition")
        return tuple(self.spelled.index(word) for word in (*text[len(tokens) :], answer, STOP))

    def draw(self, case: Number) -> Tokens:
        words, n = self.words(case.seed, case.number), self.n
        if case.family == "random":
            if self.parameters["graphs"] != "any":
                return self._input(self._two_star(words))
            if self.m != n - 1 or words.below(0, 2) == 0:
                pairs = list(combinations(range(1, n + 1), 2))
                order = sorted(range(len(pairs)), key=lambda i: (words.word(3 * n + i), i))
                return self._input([pairs[i] for i in order[: self.m]])
            return self._input(self._joined(words, [words.below(n + i, i) for i in range(1, n)]))
        if case.family == "tree":
            return self._input(self._joined(words, [words.below(n + i, i) for i in range(1, n)]))
        if case.family == "path-or-star":
            return self._input(self._joined(words, [0 if case.number % 2 else i - 1 for i in range(1, n)]))
        return self._input(self._two_star(words))

    def _labels(self, words: Words) -> list[int]:
        if self.message:
            return [self.n - 1, self.n, *range(1, self.n - 1)]
        return [1 + i for i in sorted(range(self.n), key=lambda i: (words.word(1 + i), i))]

    def _joined(self, words: Words, places: list[int]) -> Edges:
        labels = self._labels(words)
        return self._shuffled(words, [(labels[i], labels[place]) for i, place in enumerate(places, 1)])

    def _two_star(self, words: Words) -> Edges:
        n, labels = self.n, self._labels(words)
        leaf = 2 + words.below(n + 1, n - 3)
        leaves = [(labels[i], labels[words.below(n + i, 2)]) for i in range(2, n)]
        return self._shuffled(words, [(labels[leaf], labels[leaf + 1]), *leaves])

    def _shuffled(self, words: Words, edges: Edges) -> Edges:
        return [edges[i] for i in sorted(range(len(edges)), key=lambda i: (words.word(2 * self.n + 1 + i), i))]

    def _input(self, edges: Edges) -> Tokens:
        ends = [token for u, v in edges for token in (self.first - 1 + min(u, v), 1, self.first - 1 + max(u, v))]
        return np.array([0, *ends, 2], dtype=np.int64)

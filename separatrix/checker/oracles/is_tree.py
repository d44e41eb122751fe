"""IsTree: whether a graph on n vertices, given as a list of `edges` different edges u ~ v with u < v, is a tree.

Tokens: `<s>` ~ <sep> YES NO, </s> where there is a chain, then the vertices. A chain is a walk from vertex 1: from v on to the neighbour
after the one that the walk came from, in the order of the edges and without v's father, or to the first one on arrival from the father;
where there is none back to the father; NO at a neighbour that was visited before, and the answer at vertex 1 when none is left.
With `thought: search` the walk asks the text: at v for u in `u - v`, v's father; for the next edge at v, behind the one to the vertex from
which it returned; again, where that is the edge to the father; and for the father of the vertex found, which has one if it was visited.
With `thought: lists` the edges follow from the last to the first as `: a b w x`, where w is the neighbour of a in the next edge that has a
and x that of b in the next that has b, or `.`; then a walk from 1 that goes from v, reached from u, to the next neighbour around v after
u, in the order of the edges and from the last on to the first, until it would leave 1 as it began.
`vertices: touched` takes 1 and the ends of edges for the vertices. `graphs: two-star` are two stars and an edge between two leaves.
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
_BY = {"none": "", "tour": ", by a tour", "search": ", by searches", "lists": ", by lists of neighbours"}
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
        self.parameters = require_fields(parameters, "parameters", length=int, edges=int, graphs=str, thought=str, vertices=str)
        self.n = within(parameters["length"], 2, 1000, "length")
        self.m = within(parameters["edges"], 0, math.comb(self.n, 2), "edges")
        if parameters["graphs"] not in ("any", "two-star", "message") or parameters["thought"] not in _BY:
            raise Refused("parameters: expected graphs any, two-star or message, and thought none, tour, search or lists")
        if parameters["vertices"] not in ("all", "touched"):
            raise Refused("parameters: expected vertices all or touched")
        self.message, self.stars = parameters["graphs"] == "message", parameters["graphs"] == "two-star"
        if parameters["graphs"] != "any" and (self.n < 4 or self.m != self.n - 1):
            raise Refused("parameters: two stars have n >= 4 vertices and n - 1 edges")
        thought = parameters["thought"]
        self.thinks, self.lists = thought in ("tour", "lists"), thought == "lists"
        further = {"none": (), "tour": (STOP,), "search": (START, END, FAILED, STOP, "-", *FRAGMENTS), "lists": (STOP, ":", ".")}[thought]
        self.first = 5 + len(further)
        self.spelled = ("<s>", "~", "<sep>", "YES", "NO", *further, *(str(v) for v in range(1, self.n + 1)))
        self.vocabulary = self.targets = self.first + self.n
        self.tokens = 3 * self.m + 2 + {"none": 0, "tour": 2 * self.n + 1, "search": 63 * self.n, "lists": 7 * self.m + 3}[thought]
        self.decoder = {"none": "position", "tour": "greedy", "search": "retrieval", "lists": "greedy"}[thought]
        if thought == "search":
            self.search = (self.spelled.index(START), self.spelled.index(END), self.spelled)
            self.drawing += SEARCH * self.n  # a few searches for each vertex, each in a text as long as the chain
        self.families = ("random",)
        if self.m == self.n - 1 and not self.message and not self.stars:
            self.families = ("random", "tree", "path-or-star", *(("two-star",) if self.n >= 4 else ()))
        stars = {"any": "", "two-star": " of two stars", "message": " of a message and a place"}[parameters["graphs"]]
        up_to = "" if parameters["vertices"] == "all" else "up to "
        self.title = f"trees among graphs{stars} with {up_to}{self.n} vertices and {self.m} edges{_BY[thought]}"
        count = math.perm(math.comb(self.n, 2), self.m) if self.m <= 40 else COUNTED + 1
        if self.message and self.n <= 40:
            count = (self.n - 3) * 2 ** (self.n - 2) * math.factorial(self.n - 1)
        if self.stars and count <= COUNTED:
            count = sum(1 for _ in self.inputs())
        self.input_count = count if count <= COUNTED else None

    @property
    def alphabets(self) -> tuple[range, ...]:
        vertices = range(self.first, self.vocabulary)
        return (range(1), *(vertices, range(1, 2), vertices) * self.m, range(2, 3))

    def inputs(self) -> Iterator[tuple[int, ...]]:
        for edges in permutations(combinations(range(1, self.n + 1), 2), self.m):
            if self._promised(list(edges)):
                yield tuple(self._input(list(edges)).tolist())

    def _promised(self, edges: Edges) -> bool:
        return self._carries(edges) if self.message else not self.stars or self._two_stars(edges)

    def _two_stars(self, edges: Edges) -> bool:
        """Whether without some edge each vertex but two has degree 1, every edge has one of these two, and none has both."""
        for lone in edges:
            rest = [edge for edge in edges if edge != lone]
            degree = [sum(v in edge for edge in rest) for v in range(self.n + 1)]
            several = [v for v in range(1, self.n + 1) if degree[v] != 1]
            if len(several) > 2:
                continue
            if len(several) < 2:  # a star of one edge: either end may be its centre
                several = [*several, *(v for edge in rest if not set(edge) & set(several) for v in edge)]
            for c, d in combinations(several, 2):
                leaves = [v for v in range(1, self.n + 1) if v not in (c, d)]
                if all((c in edge) != (d in edge) for edge in rest) and {*lone} <= {*leaves} and all(degree[v] == 1 for v in leaves):
                    return True
        return False

    def _carries(self, edges: Edges) -> bool:
        """Whether a graph is that of a message and a place: a centre for each leaf, and an edge between leaves k and k + 1."""
        centre = [(u, v) for u, v in edges if v >= self.n - 1]
        between = [v - u for u, v in edges if v < self.n - 1]
        return between == [1] and sorted(u for u, _ in centre) == list(range(1, self.n - 1))

    def _edges(self, tokens: Sequence[int]) -> Edges:
        return [(tokens[i] - self.first + 1, tokens[i + 2] - self.first + 1) for i in range(1, 3 * self.m, 3)]

    def truth(self, tokens: Sequence[int]) -> int | None:
        edges = self._edges(tokens)
        if any(u >= v for u, v in edges) or len(set(edges)) < self.m or not self._promised(edges):
            return None
        reached, frontier = {1}, [1]
        while frontier:
            v = frontier.pop()
            new = {a + b - v for a, b in edges if v in (a, b)} - reached
            reached |= new
            frontier += new
        return 3 if reached == self._vertices(edges) and len(reached) == self.m + 1 else 4

    def _vertices(self, edges: Edges) -> set[int]:
        touched = {1, *(v for edge in edges for v in edge)}
        return touched if self.parameters["vertices"] == "touched" else set(range(1, self.n + 1))

    def chain(self, tokens: Sequence[int]) -> tuple[int, ...]:
        if self.search is not None:
            return self._searching(tokens)
        if not self.thinks:
            return ()
        edges, answer = self._edges(tokens), self.truth(tokens)
        beside = [[a + b - v for a, b in edges if v in (a, b)] for v in range(self.n + 1)]
        if self.lists:
            return self._listing(edges, beside, answer)
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
        tree = not found and visited == self._vertices(edges) and self.m == len(visited) - 1
        if tree != (answer == 3):
            raise AssertionError("is-tree: a tour leads to another answer than the definition")
        return (*(self.first - 1 + v for v in walk), 3 if tree else 4, 5)

    def _listing(self, edges: Edges, beside: list[list[int]], answer: int | None) -> tuple[int, ...]:
        """Every edge with the neighbours that follow, then the walk around the vertices."""
        written: list[int] = []
        for a, b in edges[::-1]:
            later = [([*beside[v], 0])[beside[v].index(u) + 1] for v, u in ((a, b), (b, a))]
            written += [6, *(self.first - 1 + v for v in (a, b)), *(self.first - 1 + u if u else 7 for u in later)]
        walk = [1, *beside[1][:1]]
        while len(walk) > 1 and (walk[-1] != 1 or walk[-2] != beside[1][-1]):
            around = beside[walk[-1]]
            walk.append(around[(around.index(walk[-2]) + 1) % len(around)])
        vertices = self._vertices(edges)
        tree = self.m == len(vertices) - 1 and len(walk) == 2 * self.m + 1 and set(walk) == vertices
        if tree != (answer == 3):
            raise AssertionError("is-tree: lists lead to another answer than the definition")
        return (*written, *(self.first - 1 + v for v in walk), 3 if tree else 4, 5)

    def _searching(self, tokens: Sequence[int]) -> tuple[int, ...]:
        """The walk that asks the text for everything."""
        text = [self.spelled[token] for token in tokens]
        father, visited, first, after, after_father = FRAGMENTS[0], FRAGMENTS[2], FRAGMENTS[3], FRAGMENTS[6], FRAGMENTS[11]

        def found(*fragments: str) -> str:
            text.extend(searched(text, list(fragments)))
            return text[-1]

        def beyond(begin: str, x: str, v: str) -> str:
            return found(begin, x, r"\s~\s", v, "|", v, r"\s~[\s]", x, FRAGMENTS[10], v, FRAGMENTS[4], v, FRAGMENTS[5])

        v, child, reached, answer, many = "1", "", 1, "", len(self._vertices(self._edges(tokens)))
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
                answer = "YES" if reached == many == self.m + 1 else "NO"
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
